// SPDX-License-Identifier: MIT
#include "program/machine/machine_state.h"

namespace isomer::program {

std::optional<Value> Machine::State::value_of(const Expression& expression) {
  Value out;
  const bool is_known = completes([&](Execution& execution) {
    need_columns(execution.view, expression);
    out = evaluate(expression, nullptr, execution.context);
  });
  return is_known ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<bool> Machine::State::condition(const Expression& expression) {
  bool out = false;
  const bool is_known = completes([&](Execution& execution) {
    need_columns(execution.view, expression);
    out = holds(expression, nullptr, execution.context);
  });
  return is_known ? std::optional(out) : std::nullopt;
}

bool Machine::State::assign(VariableId variable, Value value) {
  Context context;
  Value out = converted(std::move(value), type->variables[variable.index].type,
                        Conversion::Assignment, context);
  if (context.fault) {
    abort(std::move(*context.fault));
    return false;
  }
  variables[variable.index] = std::move(out);
  return true;
}

bool Machine::State::assign_row(const Targets& targets, const std::vector<Value>* row) {
  if (targets.is_record) {
    variables[targets.variables[0].index] = row != nullptr ? Value::list(*row) : Value();
    return true;
  }
  for (std::size_t i = 0; i < targets.variables.size(); ++i) {
    const bool has_value = row != nullptr && i < row->size();
    if (!assign(targets.variables[i], has_value ? (*row)[i] : Value())) return false;
  }
  return true;
}

void Machine::State::initialize() {
  const Variable& variable = type->variables[initialized];
  at = variable.at;
  if (!variable.is_parameter && variable.initial) {
    const auto value = value_of(*variable.initial);
    if (!value) return;
    if (!assign({static_cast<std::uint32_t>(initialized)}, *value)) return;
    answers = {};
  }
  ++initialized;
}

}  // namespace isomer::program
