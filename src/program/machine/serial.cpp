// SPDX-License-Identifier: MIT
#include "program/machine/serial.h"

#include <algorithm>

#include "program/machine/columns.h"
#include "program/machine/keys.h"
#include "program/machine/statement_execution.h"

namespace isomer::program {
namespace {

Value value_in(const Database& database, const KeyName& key) {
  const auto found = database.find(key);
  return found == database.end() ? Value() : found->second;
}

void store(Database& database, const WritesKey& write) {
  if (write.value.is_null())
    database.erase(write.key);
  else
    database[write.key] = write.value;
}

}  // namespace

SerialRun run_serially(const Program& program, const Call& call,
                       std::vector<Value> arguments, Database& database,
                       Granularity granularity) {
  SerialRun run{.end = Commits{},
                .reads = {},
                .writes = {},
                .machine = Machine(program, call, std::move(arguments), granularity)};
  while (true) {
    Step step = run.machine.next();
    if (const auto* read = std::get_if<WantsRead>(&step)) {
      run.reads.push_back(*read);
      run.machine.answer(value_in(database, read->key));
    } else if (const auto* scan = std::get_if<WantsUniverse>(&step)) {
      run.machine.answer(universe_of(scan->prefix, database));
    } else if (const auto* write = std::get_if<WritesKey>(&step)) {
      run.writes.push_back(*write);
    } else {
      run.end = std::move(step);
      break;
    }
  }
  if (std::holds_alternative<Commits>(run.end))
    for (const WritesKey& write : run.writes)
      store(database, write);
  return run;
}

std::vector<Value> argument_values(const Call& call) {
  std::vector<Value> out;
  Context context;
  for (const ExpressionPtr& argument : call.arguments)
    out.push_back(evaluate(*argument, nullptr, context));
  return out;
}

std::variant<std::vector<std::vector<Value>>, Fault> query_database(
    const Program& program, const Select& query, const Database& database,
    Granularity granularity) {
  Answers answers;
  const OwnWrites none;
  while (true) {
    StatementExecution execution{.view = View(program, granularity, none, answers)};
    connect_queries(execution);
    need_columns(execution.view, query);
    const auto found = selected(execution, query, nullptr);
    if (execution.context.fault) return *execution.context.fault;
    if (!execution.context.is_waiting) return found->rows;
    for (const KeyName& key : execution.view.missing_keys)
      answers.values.emplace(key, value_in(database, key));
    for (const auto& [table, prefix] : execution.view.missing_universes)
      answers.universes[prefix] = universe_among(program.tables[table.index], prefix,
                                                 universe_of(prefix, database));
  }
}

}  // namespace isomer::program
