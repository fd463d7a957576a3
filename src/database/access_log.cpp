// SPDX-License-Identifier: MIT
#include "database/access_log.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::database {

bool has_told_nothing(const Reply& reply) {
  const std::string& code = reply.fault.handled_as();
  return reply.kind == Reply::Kind::Failed &&
         (code == "40001" || code == "40P01" || code == "55P03");
}

std::vector<KeyWrite> key_writes(const program::Program& program, const RowWrite& write) {
  const program::Table& table = program.tables[write.table.index];
  const auto key_of = [&](const program::Value& row) {
    return program::primary_key_of(table, row.items());
  };
  std::vector<KeyWrite> out;
  if (!write.before.is_null() &&
      (write.after.is_null() || key_of(write.before) != key_of(write.after)))
    out.push_back({.table = write.table, .key = key_of(write.before), .row = {}});
  if (!write.after.is_null())
    out.push_back({.table = write.table, .key = key_of(write.after), .row = write.after});
  return out;
}

KeyRows final_writes(const program::Program& program, const LoggedTransaction& of) {
  KeyRows out;
  for (const LoggedStatement& statement : of.statements)
    for (const auto& access : statement.accesses) {
      const auto* write = std::get_if<RowWrite>(&access);
      if (write == nullptr || write->undone_by) continue;
      for (KeyWrite& key : key_writes(program, *write))
        out.insert_or_assign({key.table, std::move(key.key)}, std::move(key.row));
    }
  return out;
}

LoggedTransaction& AccessLog::current(SessionIndex session) {
  ISOMER_ASSERT(session < current_.size() && current_[session]);
  return transactions_[*current_[session]];
}

// Checks at COMMIT belong to no statement.
LoggedStatement* AccessLog::statement(SessionIndex session) {
  auto& statements = current(session).statements;
  return statements.empty() ? nullptr : &statements.back();
}

void AccessLog::look(SessionIndex session, const Look& look) {
  LoggedStatement* const of = statement(session);
  if (of == nullptr) return;
  const bool is_known =
      std::any_of(of->accesses.begin(), of->accesses.end(), [&](const auto& access) {
        const auto* known = std::get_if<Look>(&access);
        return known != nullptr && *known == look;
      });
  if (!is_known) of->accesses.emplace_back(look);
}

void AccessLog::write(SessionIndex session, RowWrite write) {
  if (LoggedStatement* const of = statement(session))
    of->accesses.emplace_back(std::move(write));
}

void AccessLog::take_back_write(SessionIndex session) {
  auto& accesses = statement(session)->accesses;
  const auto last = std::find_if(
      accesses.rbegin(), accesses.rend(),
      [](const auto& access) { return std::holds_alternative<RowWrite>(access); });
  ISOMER_ASSERT(last != accesses.rend());
  accesses.erase(std::next(last).base());
}

void AccessLog::begin(SessionIndex session) {
  if (session >= current_.size()) current_.resize(session + 1);
  current_[session] = transactions_.size();
  transactions_.push_back({.session = session});
}

void AccessLog::begin_statement(SessionIndex session, program::Span at) {
  current(session).has_worked = true;
  current(session).statements.push_back({.at = at});
}

void AccessLog::end_statement(SessionIndex session, const Reply& reply) {
  LoggedStatement& of = *statement(session);
  of.reply = reply;
  if (reply.kind != Reply::Kind::Failed) return;
  if (has_told_nothing(reply))
    of.accesses.clear();
  else
    std::erase_if(of.accesses, [](const auto& access) {
      return std::holds_alternative<RowWrite>(access);
    });
}

void AccessLog::begin_commit(SessionIndex session) {
  current(session).has_worked = true;
}

std::size_t AccessLog::position(SessionIndex session) const {
  ISOMER_ASSERT(session < current_.size() && current_[session]);
  return transactions_[*current_[session]].statements.size();
}

void AccessLog::undo_since(SessionIndex session, std::size_t position) {
  auto& statements = current(session).statements;
  for (std::size_t i = position; i < statements.size(); ++i)
    for (auto& access : statements[i].accesses)
      if (auto* write = std::get_if<RowWrite>(&access); write != nullptr)
        if (!write->undone_by) write->undone_by = statements.size();
}

void AccessLog::end(SessionIndex session, LoggedTransaction::End end) {
  current(session).end = end;
  current(session).ended = ++ends_;
  if (end == LoggedTransaction::End::Committed) committed_.push_back(*current_[session]);
  current_[session].reset();
}

}  // namespace isomer::database
