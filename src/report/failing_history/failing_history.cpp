// SPDX-License-Identifier: MIT
#include "report/failing_history/failing_history.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/machine/keys.h"
#include "report/check/verdicts.h"
#include "report/check/wording.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using explore::Failure;
using explore::FailureKind;
using history::History;
using history::KeyId;
using history::SessionId;
using history::TxnId;
using program::Program;
using store::TransactionOutcome;

constexpr std::size_t rows_told_max = 40;
constexpr std::size_t operations_told_max = 24;  // of one transaction

// The history has the sessions of the program by name, and of each those calls that are
// left, in order.
TxnId txn_of(const Program& program, const Failure& failure,
             const TransactionOutcome& outcome) {
  const History& history = failure.history;
  const std::string& name = program.sessions[outcome.session].name;
  const auto place = std::ranges::count_if(failure.transactions, [&](const auto& other) {
    return other.session == outcome.session && other.index < outcome.index;
  });
  for (SessionId s{0}; s.index < history.session_count(); ++s.index)
    if (history.session_name(s) == name)
      return {history.first_txn(s).index + static_cast<std::uint32_t>(place)};
  return TxnId::none();
}

// By value, since a history keeps no writers for reads of aborted transactions.
TxnId writer_of(const History& history, KeyId key, history::Value value) {
  if (history.initial_value(key) == value) return history::init;
  for (const TxnId t : history.writers(key))
    if (history.written_value(t, key) == value) return t;
  return TxnId::none();
}

std::vector<ToldOperation> operations_of(const Failure& failure, TxnId t) {
  const History& history = failure.history;
  std::vector<ToldOperation> out;
  std::uint32_t op = history.first_op(t);
  for (const history::Operation& operation : history.operations(t)) {
    const bool is_read = operation.kind == history::OpKind::Read;
    out.push_back(
        {.is_read = is_read,
         .key = operation.key,
         .value = operation.value().kind == history::ValueKind::None
                      ? "absent"
                      : value_text(history, op),
         .writer =
             is_read ? writer_of(history, operation.key, operation.value()) : TxnId::none(),
         .at = op < failure.places.size() ? failure.places[op] : program::Span{}});
    ++op;
  }
  return out;
}

}  // namespace

std::string level_name(const std::optional<check::AskedLevel>& level) {
  return level ? printable(level->name, level_width_max) : "true";
}

std::vector<ToldTransaction> told_transactions(const Program& program,
                                               const Failure& failure) {
  std::vector<ToldTransaction> out;
  for (const TransactionOutcome& outcome : failure.transactions) {
    const program::Session& session = program.sessions[outcome.session];
    const TxnId t = txn_of(program, failure, outcome);
    out.push_back({.txn = t,
                   .name = fmt::format("{}/{}", printable(session.name), outcome.index + 1),
                   .call = session.calls[outcome.index].text,
                   .outcome = outcome,
                   .operations = t.is_none() ? std::vector<ToldOperation>()
                                             : operations_of(failure, t)});
  }
  return out;
}

std::vector<KeyId> written_keys(const History& history) {
  std::vector<KeyId> out;
  for (KeyId x{0}; x.index < history.key_count(); ++x.index)
    if (!history.writers(x).empty()) out.push_back(x);
  return out;
}

ToldExcerpt told_excerpt(const ToldTransaction& transaction,
                         const std::vector<KeyId>& keys) {
  ToldExcerpt out;
  std::set<std::pair<KeyId, TxnId>> told;
  for (const ToldOperation& operation : transaction.operations) {
    const bool matters = transaction.outcome.has_failed_assert ||
                         std::ranges::binary_search(keys, operation.key);
    const bool is_news = !operation.is_read ||
                         (matters && told.emplace(operation.key, operation.writer).second);
    if (is_news && out.operations.size() < operations_told_max)
      out.operations.push_back(operation);
    else
      ++out.left_out;
  }
  return out;
}

std::string writer_text(const std::vector<ToldTransaction>& told, TxnId writer) {
  if (writer == history::init) return "the initial state";
  const auto found = std::ranges::find(told, writer, &ToldTransaction::txn);
  return found == told.end() ? "nobody" : found->name;
}

std::string headline(const Program& program, const Failure& failure) {
  const std::string why =
      failure.message.empty() ? "" : fmt::format(": {}", printable(failure.message, 200));
  switch (failure.kind) {
    case FailureKind::Assert: {
      const std::string place = place_text(program, failure.at);
      return fmt::format("an assertion fails{}{}",
                         place.empty() ? "" : fmt::format(" at {}", place), why);
    }
    case FailureKind::Invariant:
      return program.tables.empty()
                 ? fmt::format("assert {} fails{}", printable(failure.name, 100), why)
                 : fmt::format("invariant \"{}\" is broken{}", printable(failure.name, 100),
                               why);
    case FailureKind::Unserializable:
      return "no serial order explains this history";
  }
  return {};
}

std::vector<TxnId> commit_order(const FailingHistory& failing,
                                const std::vector<ToldTransaction>& told) {
  std::vector<TxnId> out;
  for (const std::uint32_t i : failing.failure->commit_order)
    if (i < told.size()) out.push_back(told[i].txn);
  if (!out.empty()) return out;
  for (const check::LevelResult& level : failing.failure->levels.levels)
    if (const auto* witness = std::get_if<check::Consistent>(&level.verdict);
        witness != nullptr && failing.level && level.level == *failing.level)
      for (const TxnId t : witness->commit_order)
        if (t != history::init &&
            failing.failure->history.status(t) == history::Status::Committed)
          out.push_back(t);
  return out;
}

ToldState told_state(const FailingHistory& failing) {
  const Failure& failure = failing.failure;
  std::set<std::string> all;
  for (const auto& [key, value] : failure.final_state)
    if (!value.is_null()) all.insert(key);
  std::set<std::string> touched;
  std::set<std::string> changed;
  for (KeyId x{0}; x.index < failure.history.key_count(); ++x.index) {
    const std::string name = failure.history.key_name(x);
    if (!all.contains(name)) continue;
    touched.insert(name);
    if (!failure.history.writers(x).empty()) changed.insert(name);
  }
  const std::set<std::string>& shown = all.size() <= rows_told_max       ? all
                                       : touched.size() <= rows_told_max ? touched
                                                                         : changed;
  ToldState out{.rows = {}, .left_out = all.size() - shown.size()};
  for (const auto& [key, value] : failure.final_state)
    if (shown.contains(key)) out.rows.emplace(key, value);
  return out;
}

std::string told_state_text(const FailingHistory& failing, const Ink& ink) {
  const ToldState state = told_state(failing);
  std::string out =
      state_text(failing.program, state.rows, failing.granularity, EmptyTables::Hide, ink);
  if (state.left_out > 0)
    out += ink.dim(
        fmt::format("  ... {} that nobody changed\n", counted(state.left_out, "more row")));
  return out;
}

std::string prevention(const FailingHistory& failing) {
  const std::string prevented = prevention_text(failing.failure->levels);
  if (prevented.empty() && failing.failure->is_serializable)
    return "Every level allows this history, SER too: the program goes wrong even when its "
           "transactions run one after another.";
  return prevented;
}

}  // namespace isomer::report
