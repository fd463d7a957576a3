// SPDX-License-Identifier: MIT
// Runs transactions one after the other on a plain map: the simplest store there is, for
// tests, and for questions about a state at rest.
#pragma once

#include <map>
#include <variant>
#include <vector>

#include "program/machine/evaluate.h"
#include "program/machine/machine.h"

namespace isomer::program {

// The rows that exist and the keys that are not null.
using Database = std::map<KeyName, Value>;

struct SerialRun {
  Step end;  // Commits, Aborts or FailsAssert
  std::vector<WantsRead> reads;
  std::vector<WritesKey> writes;
  Machine machine;  // at its end, for its locals
};

// The writes reach the database if the transaction commits.
SerialRun run_serially(const Program& program, const Call& call,
                       std::vector<Value> arguments, Database& database,
                       Granularity granularity = Granularity::Row);

// The values of a call's arguments; symbols have those that the scenario gives them.
std::vector<Value> argument_values(const Call& call);

// The rows of a query over a database, such as an invariant over the final state.
std::variant<std::vector<std::vector<Value>>, Fault> query_database(
    const Program& program, const Select& query, const Database& database,
    Granularity granularity = Granularity::Row);

}  // namespace isomer::program
