// SPDX-License-Identifier: MIT
#include "audit/confirm/occurs.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "program/machine/keys.h"
#include "program/scenario/write.h"
#include "store/store.h"

namespace isomer::audit {
namespace {

using history::History;
using history::KeyId;
using history::TxnId;

class Occurrence {
 public:
  Occurrence(const Program& program, const History& history,
             program::Granularity granularity)
      : program_(program), history_(history), granularity_(granularity) {}

  // The key by which the dependency is there.
  [[nodiscard]] std::optional<program::PrimaryKey> find(const Dependency& edge) const {
    const TxnId from = txn(edge.from);
    const TxnId to = txn(edge.to);
    switch (edge.kind) {
      case DependencyKind::WriteRead:
        return read_by(edge, to, edge.to_statement, [&](const history::Read& read) {
          return read.writer == from && writes(from, edge.from_statement, read.key);
        });
      case DependencyKind::ReadWrite:
        return read_by(edge, from, edge.from_statement, [&](const history::Read& read) {
          return is_before(read, to) && writes(to, edge.to_statement, read.key);
        });
      case DependencyKind::WriteWrite:
        for (const KeyId x : history_.writes(from))
          if (writes(from, edge.from_statement, x) && writes(to, edge.to_statement, x))
            if (auto key = key_of(edge, x)) return key;
        return std::nullopt;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool has_committed(std::uint32_t transaction) const {
    return history_.status(txn(transaction)) == history::Status::Committed;
  }

 private:
  [[nodiscard]] TxnId txn(std::uint32_t transaction) const {
    return history_.first_txn({transaction});
  }

  // The version that was read is older than the one of the writer.
  [[nodiscard]] bool is_before(const history::Read& read, TxnId writer) const {
    if (read.writer == history::init) return true;
    if (read.writer == writer) return false;
    const auto reads = history_.reads(writer);
    return std::any_of(reads.begin(), reads.end(), [&](const history::Read& other) {
      return other.writer == read.writer;
    });
  }

  [[nodiscard]] std::optional<program::PrimaryKey> key_of(const Dependency& edge,
                                                          KeyId x) const {
    const program::Table& table = program_.tables[edge.table.index];
    const std::string name = history_.key_name(x);
    auto key = program::parse_row_key(table, name);
    if (!key || granularity_ != program::Granularity::Field) return key;
    // Of a record that is not there, nothing but that is read.
    const bool is_there =
        !edge.field.empty() && program::field_key(table, *key, edge.field) == name;
    if (!is_there && program::field_key(table, *key, program::alive_column) != name)
      return std::nullopt;
    return key;
  }

  template <class Condition>
  [[nodiscard]] std::optional<program::PrimaryKey> read_by(
      const Dependency& edge, TxnId reader, const program::Statement* statement,
      Condition condition) const {
    for (const history::Read& read : history_.reads(reader))
      if (is_at(read.op, statement) && condition(read))
        if (auto key = key_of(edge, read.key)) return key;
    return std::nullopt;
  }

  [[nodiscard]] bool writes(TxnId writer, const program::Statement* statement,
                            KeyId x) const {
    const auto operations = history_.operations(writer);
    for (std::size_t i = 0; i < operations.size(); ++i)
      if (operations[i].kind == history::OpKind::Write && operations[i].key == x &&
          is_at(history_.first_op(writer) + static_cast<std::uint32_t>(i), statement))
        return true;
    return false;
  }

  [[nodiscard]] bool is_at(std::uint32_t op, const program::Statement* statement) const {
    const auto [file, at] = program::place_of(program_, statement->at.first);
    return history_.place(op) == fmt::format("{}:{}", file, at.line);
  }

  const Program& program_;
  const History& history_;
  program::Granularity granularity_;
};

}  // namespace

std::optional<std::vector<Dependency>> occurring(const Program& program,
                                                 const History& history,
                                                 program::Granularity granularity,
                                                 const Choices& choices) {
  const Occurrence occurrence(program, history, granularity);
  std::vector<Dependency> out;
  for (const std::vector<Dependency>& choice : choices) {
    std::optional<program::PrimaryKey> key;
    for (std::size_t i = 0; i < choice.size() && !key; ++i) {
      if (!occurrence.has_committed(choice[i].from)) return std::nullopt;
      key = occurrence.find(choice[i]);
      if (key) out.push_back(choice[i]);
    }
    if (!key) return std::nullopt;
    out.back().key.clear();
    for (const program::Value& part : *key)
      out.back().key.push_back(program::sql_constant(part));
  }
  return out;
}

namespace {

constexpr double replay_seconds = 5;

// The same calls in one session, in this order.
Program serial_program(const Program& program, const std::vector<std::size_t>& order) {
  Program out = program;
  program::Session session{.name = "serial", .calls = {}};
  for (const std::size_t i : order)
    session.calls.push_back(program.sessions[i].calls.front());
  out.sessions = {std::move(session)};
  return out;
}

using Results = std::vector<std::string>;  // by call of the scenario

std::string told(const store::TransactionOutcome& outcome) {
  return outcome.is_committed ? to_text(outcome.result) : "rolled back";
}

}  // namespace

std::optional<bool> has_serial_outcome(const Program& scenario,
                                       const history::History& history,
                                       const Options& options,
                                       const check::AskedLevel& level) {
  store::Options scripted;
  scripted.policy = store::Policy::Script;
  scripted.script = &history;
  scripted.level = level;
  scripted.granularity = options.granularity;
  scripted.budget = options.budget.within(replay_seconds);
  const store::Run run = store::Store(scenario).run(scripted);
  if (run.divergence || !run.unknown.empty() || !run.is_allowed) return std::nullopt;
  Results results(scenario.sessions.size());
  for (const store::TransactionOutcome& outcome : run.transactions)
    results[outcome.session] = told(outcome);
  std::vector<std::size_t> order(scenario.sessions.size());
  std::iota(order.begin(), order.end(), 0);
  store::Options serial;
  serial.granularity = options.granularity;
  serial.budget = options.budget;
  do {
    const Program one = serial_program(scenario, order);
    const store::Run other = store::Store(one).run(serial);
    if (!other.unknown.empty()) return std::nullopt;
    Results others(order.size());
    for (const store::TransactionOutcome& outcome : other.transactions)
      others[order[outcome.index]] = told(outcome);
    if (others == results && other.final_state == run.final_state) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

}  // namespace isomer::audit
