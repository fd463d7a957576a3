// SPDX-License-Identifier: MIT
#include "postgres/serial_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "store/store.h"

namespace isomer::test {
namespace {

std::string joined(const std::vector<Cell>& cells) {
  std::string line;
  for (const Cell& cell : cells)
    line += cell.value_or("NULL") + "|";
  return line.substr(0, line.size() - 1);
}

std::string outcome_of(const Answer& answer) {
  if (!answer.sqlstate.empty()) return "aborted: " + answer.sqlstate;
  if (answer.rows.empty()) return "committed";
  return "committed: " + joined(answer.rows[0]);
}

// PostgreSQL's code of a failed ASSERT.
constexpr std::string_view assert_failure = "P0004";

// "void" as PostgreSQL does for procedures: nothing is returned.
std::string outcome_of(const program::Step& end, bool is_procedure) {
  if (const auto* abort = std::get_if<program::Aborts>(&end))
    return "aborted: " + abort->sqlstate;
  if (std::holds_alternative<program::FailsAssert>(end))
    return fmt::format("aborted: {}", assert_failure);
  const auto* commit = std::get_if<program::Commits>(&end);
  if (commit == nullptr) return "did not end";
  const bool is_array = commit->result.get_if<program::List>() != nullptr;
  return is_procedure ? "committed"
                      : "committed: " + (is_array ? program::array_text(commit->result)
                                                  : program::to_text(commit->result));
}

bool is_procedure(const program::Program& program, const program::Call& call) {
  return program.types[call.type].result.kind == program::TypeKind::Any;
}

program::Step ended(const store::TransactionOutcome& transaction) {
  if (transaction.has_failed_assert) return program::FailsAssert{};
  if (transaction.is_committed) return program::Commits{.result = transaction.result};
  return program::Aborts{
      .reason = transaction.reason, .sqlstate = transaction.sqlstate, .at = {}};
}

std::string message_of(const program::Step& end) {
  const auto* abort = std::get_if<program::Aborts>(&end);
  return abort == nullptr ? "" : abort->reason;
}

// PostgreSQL shows the blanks that fill up a char(n), which we do not keep.
Cell cell_of(const program::Value& value, const program::Type& type) {
  if (value.is_null()) return std::nullopt;
  std::string text = program::to_text(value);
  if (!type.is_padded) return text;
  const auto length =
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return text.append(*type.length_max - static_cast<std::size_t>(length), ' ');
}

Tables tables_of(const program::Program& program, const program::Database& database) {
  Tables tables;
  for (const program::Table& table : program.tables) {
    std::vector<std::string>& rows = tables[table.name];
    for (const program::KeyName& key : program::universe_of(table, database)) {
      std::vector<Cell> cells;
      const auto values = database.at(key).items();
      for (std::size_t i = 0; i < values.size(); ++i)
        cells.push_back(cell_of(values[i], table.columns[i].type));
      rows.push_back(joined(cells));
    }
    std::sort(rows.begin(), rows.end());
  }
  return tables;
}

std::string truth_of(const program::Program& program, const program::Invariant& invariant,
                     const program::Database& database) {
  const auto answer = program::query_database(program, *invariant.query, database);
  if (const auto* fault = std::get_if<program::Fault>(&answer)) return fault->sqlstate;
  const auto& rows = std::get<std::vector<std::vector<program::Value>>>(answer);
  return rows.empty() ? "NULL" : program::to_text(rows[0].at(0));
}

}  // namespace

Database::Database(const Server& server, Application application)
    : application_(std::move(application)), connection_(server) {
  connection_.must("CREATE SCHEMA " + application_.name);
  connection_.must("SET search_path TO " + application_.name);
  connection_.must(application_.sql);
  tables_ = names("SELECT relname FROM pg_class WHERE relkind = 'r'");
  functions_ = names("SELECT proname FROM pg_proc WHERE prokind = 'f'");
}

Database::~Database() {
  connection_.must("DROP SCHEMA " + application_.name + " CASCADE");
}

// `query` asks a catalogue whose columns start with three letters, as relname does; only
// what is in our schema counts.
std::vector<std::string> Database::names(const std::string& query) const {
  const std::string prefix = query.substr(std::string("SELECT ").size(), 3);
  std::vector<std::string> result;
  const std::string in_schema =
      " AND " + prefix + "namespace = current_schema()::regnamespace";
  for (const auto& row : connection_.run(query + in_schema).rows)
    result.push_back(row.at(0).value());
  return result;
}

bool Database::is_function(const std::string& call) const {
  const bool is_quoted = call.starts_with('"');
  const std::string name =
      is_quoted ? call.substr(1, call.find('"', 1) - 1) : call.substr(0, call.find('('));
  return std::find(functions_.begin(), functions_.end(), name) != functions_.end();
}

SerialRun Database::run(const std::vector<std::string>& calls) const {
  connection_.must(fmt::format("TRUNCATE \"{}\"", fmt::join(tables_, "\", \"")));
  connection_.must(application_.initial_sql);
  SerialRun result;
  for (const std::string& call : calls) {
    const Answer answer = connection_.run((is_function(call) ? "SELECT " : "CALL ") + call);
    result.outcomes.push_back(outcome_of(answer));
    result.messages.push_back(answer.message);
  }
  for (const std::string& table : tables_) {
    std::vector<std::string>& rows = result.tables[table];
    for (const auto& row : connection_.run("SELECT * FROM \"" + table + "\"").rows)
      rows.push_back(joined(row));
    std::sort(rows.begin(), rows.end());
  }
  for (const auto& [name, query] : application_.invariants) {
    const Answer answer = connection_.run(query);
    result.invariants[name] = !answer.sqlstate.empty() ? answer.sqlstate
                              : answer.rows.empty()    ? "NULL"
                                                       : joined(answer.rows[0]);
  }
  return result;
}

SerialRun run_serially(const program::Program& program,
                       const std::vector<program::Call>& calls) {
  program::Database database = program::initial_database(program);
  SerialRun result;
  for (const program::Call& call : calls) {
    const auto run =
        program::run_serially(program, call, program::argument_values(call), database);
    result.outcomes.push_back(outcome_of(run.end, is_procedure(program, call)));
    result.messages.push_back(message_of(run.end));
  }
  result.tables = tables_of(program, database);
  for (const program::Invariant& invariant : program.invariants)
    result.invariants[invariant.name] = truth_of(program, invariant, database);
  return result;
}

LatestRun run_latest(const program::Program& program, std::uint64_t seed) {
  store::Options options;
  options.seed = seed;
  const store::Run run = store::Store(program).run(options);
  LatestRun result;
  for (const store::TransactionOutcome& transaction : run.transactions) {
    const program::Call& call =
        program.sessions[transaction.session].calls[transaction.index];
    result.calls.push_back(call.text);
    result.run.outcomes.push_back(
        outcome_of(ended(transaction), is_procedure(program, call)));
    result.run.messages.push_back(transaction.reason);
  }
  result.run.tables = tables_of(program, run.final_state);
  for (const store::InvariantOutcome& invariant : run.invariants)
    result.run.invariants[invariant.name] = !invariant.error.empty() ? invariant.error
                                            : invariant.holds        ? "t"
                                                                     : "f";
  return result;
}

}  // namespace isomer::test
