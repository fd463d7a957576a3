// SPDX-License-Identifier: MIT
// What every program that is accepted must survive, however it came about.
#pragma once

#include <vector>

#include "base/assert.h"
#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "program/print/print.h"
#include "program/scenario/scenario.h"

namespace isomer::program {

inline constexpr MachineLimits exercise_limits{.iterations = 300, .work = 100'000};
inline constexpr int steps_max = 3000;

inline Value some_value(const Type& type, std::size_t pick) {
  const auto number = static_cast<std::int32_t>(pick % 3);
  switch (type.kind) {
    case TypeKind::Bool:
      return Value::boolean(number == 0);
    case TypeKind::Text:
      return Value::text(number == 0 ? "a" : "");
    case TypeKind::Date:
      return Value(Value::Data(Date{number}));
    case TypeKind::Timestamp:
      return Value(Value::Data(Timestamp{number}));
    case TypeKind::Numeric:
      return Value(Value::Data(*parse_decimal(number == 0 ? "1.50" : "-7")));
    case TypeKind::Any:
    case TypeKind::Record:
      return {};
    default:
      return Value::integer(number);
  }
}

inline void store(Database& database, const std::vector<WritesKey>& writes) {
  for (const WritesKey& write : writes)
    if (write.value.is_null())
      database.erase(write.key);
    else
      database[write.key] = write.value;
}

// Runs a call; one that asks for very much is left where it is.
inline void run(const Program& program, const Call& call, std::vector<Value> arguments,
                Database& database, Granularity granularity) {
  Machine machine(program, call, std::move(arguments), granularity, exercise_limits);
  std::vector<WritesKey> writes;
  for (int i = 0; i < steps_max; ++i) {
    const Step step = machine.next();
    if (const auto* read = std::get_if<WantsRead>(&step)) {
      const auto found = database.find(read->key);
      machine.answer(found == database.end() ? Value() : found->second);
    } else if (const auto* scan = std::get_if<WantsUniverse>(&step)) {
      machine.answer(universe_of(scan->prefix, database));
    } else if (const auto* write = std::get_if<WritesKey>(&step)) {
      writes.push_back(*write);
    } else {
      if (std::holds_alternative<Commits>(step)) store(database, writes);
      return;
    }
  }
}

// A complaint about a text has a message.
inline void require_message(const Diagnostics& errors) {
  ISOMER_ASSERT(!errors.empty());
  ISOMER_ASSERT(!render(errors).empty());
}

// Shows the program, calls each of its transaction types with some arguments, then runs its
// sessions one after the other and asks its invariants.  `pick` varies arguments and
// granularity.
inline void exercise(const Program& program, std::size_t pick) {
  static_cast<void>(to_text(program));
  const auto granularity = static_cast<Granularity>(pick % 3);
  Database database = initial_database(program, granularity);
  for (std::uint32_t i = 0; i < program.types.size(); ++i) {
    Call call;
    call.type = i;
    std::vector<Value> arguments;
    for (std::uint32_t j = 0; j < program.types[i].parameter_count; ++j)
      arguments.push_back(some_value(program.types[i].variables[j].type, pick / 3 + j));
    run(program, call, std::move(arguments), database, granularity);
  }
  for (const Session& session : program.sessions)
    for (const Call& call : session.calls)
      run(program, call, argument_values(call), database, granularity);
  for (const Invariant& invariant : program.invariants)
    if (invariant.query) query_database(program, *invariant.query, database, granularity);
  if (program.workload.empty()) return;
  const auto drawn = with_workload(program, WorkloadSize::Small, pick);
  if (!drawn) require_message(drawn.error());
}

}  // namespace isomer::program
