// SPDX-License-Identifier: MIT
#include "audit/confirm/occurs.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "audit/mixed_level.h"
#include "level/execution_search.h"
#include "level/part_tables.h"
#include "level/rewrite.h"
#include "logic/circuit.h"
#include "program/machine/keys.h"
#include "program/scenario/write.h"
#include "store/store.h"

namespace isomer::audit {
namespace {

using history::History;
using history::KeyId;
using history::TxnId;

constexpr std::size_t circuit_inputs_max = 2'000'000;

class Occurrence {
 public:
  Occurrence(const Program& program, const History& history,
             program::Granularity granularity)
      : program_(program), history_(history), granularity_(granularity) {}

  struct Place {
    program::PrimaryKey key;
    history::TxnId older;  // ReadWrite: whose version was read
  };

  // Where the dependency is, if the execution orders the transactions so.
  [[nodiscard]] std::optional<Place> find(const Dependency& edge) const {
    const TxnId from = txn(edge.from);
    const TxnId to = txn(edge.to);
    switch (edge.kind) {
      case DependencyKind::WriteRead:
        return read_by(edge, to, edge.to_statement, [&](const history::Read& read) {
          return read.writer == from && writes(from, edge.from_statement, read.key);
        });
      case DependencyKind::ReadWrite:
        return read_by(edge, from, edge.from_statement, [&](const history::Read& read) {
          return read.writer != to && read.writer != from &&
                 writes(to, edge.to_statement, read.key);
        });
      case DependencyKind::WriteWrite:
        for (const KeyId x : history_.writes(from))
          if (writes(from, edge.from_statement, x) && writes(to, edge.to_statement, x))
            if (auto key = key_of(edge, x)) return Place{*key, {}};
        return std::nullopt;
    }
    return std::nullopt;
  }

  void add(const Dependency& edge, const Place& place, Occurring& out) const {
    const TxnId from = txn(edge.from);
    const TxnId to = txn(edge.to);
    if (edge.kind == DependencyKind::WriteWrite) out.arbitrated.emplace_back(from, to);
    if (edge.kind == DependencyKind::ReadWrite) {
      out.arbitrated.emplace_back(place.older, to);
      out.unseen.emplace_back(to, from);
    }
    out.dependencies.push_back(edge);
    out.dependencies.back().key.clear();
    for (const program::Value& part : place.key)
      out.dependencies.back().key.push_back(program::sql_constant(part));
  }

  [[nodiscard]] bool has_committed(std::uint32_t transaction) const {
    return history_.status(txn(transaction)) == history::Status::Committed;
  }

 private:
  [[nodiscard]] TxnId txn(std::uint32_t transaction) const {
    return history_.first_txn({transaction});
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
  [[nodiscard]] std::optional<Place> read_by(const Dependency& edge, TxnId reader,
                                             const program::Statement* statement,
                                             Condition condition) const {
    for (const history::Read& read : history_.reads(reader))
      if (is_at(read.op, statement) && condition(read))
        if (auto key = key_of(edge, read.key)) return Place{*key, read.writer};
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

std::optional<Occurring> occurring(const Program& program, const History& history,
                                   program::Granularity granularity,
                                   const Choices& choices) {
  const Occurrence occurrence(program, history, granularity);
  Occurring out;
  for (const std::vector<Dependency>& choice : choices) {
    bool is_found = false;
    for (std::size_t i = 0; i < choice.size() && !is_found; ++i) {
      if (!occurrence.has_committed(choice[i].from)) return std::nullopt;
      const auto place = occurrence.find(choice[i]);
      if (place) occurrence.add(choice[i], *place, out);
      is_found = place.has_value();
    }
    if (!is_found) return std::nullopt;
  }
  return out;
}

bool has_execution(const History& history, const level::Level& definition,
                   const Occurring& occurring, const Budget& budget) {
  const level::Level level = level::miniscoped(definition);
  const level::Part part = level::whole(history, level);
  logic::Circuit circuit;
  circuit.set_limit(budget, circuit_inputs_max);
  const level::OpenTables open = level::open_tables(part, circuit);
  std::vector<logic::Bit> facts = open.facts;
  const level::Execution<logic::Bit> execution =
      level::open_execution(circuit, level, open.tables, facts);
  if (circuit.is_exhausted()) return false;
  const auto related = [&](std::string_view witness, const TxnPair& pair) {
    return execution[witness_named(level, witness)].front()(
        part.index.place(pair.first).value(), part.index.place(pair.second).value());
  };
  for (const TxnPair& pair : occurring.arbitrated)
    facts.push_back(related("ar", pair));
  for (const TxnPair& pair : occurring.unseen)
    facts.push_back(~related("vis", pair));
  level::ExecutionSearch search(circuit, level, open.tables, execution);
  search.require(facts);
  return search.find_for_good(budget) == logic::SatAnswer::Satisfiable;
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
