// SPDX-License-Identifier: MIT
#include "program/machine/machine_state.h"

namespace isomer::program {

std::optional<Value> Machine::State::value_of(const Expression& expression) {
  if (is_servers(expression)) return servers_value(expression);
  Value out;
  const bool is_known = completes([&](StatementExecution& execution) {
    need_columns(execution.view, expression);
    out = evaluate(expression, nullptr, execution.context);
  });
  return is_known ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<bool> Machine::State::condition(const Expression& expression) {
  if (is_servers(expression)) {
    const auto value = servers_value(expression);
    return value ? std::optional(*value == Value::boolean(true)) : std::nullopt;
  }
  bool out = false;
  const bool is_known = completes([&](StatementExecution& execution) {
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

std::optional<Value> Machine::State::field_value(VariableId record, std::size_t field,
                                                 Value value) {
  const auto& types = type->variables[record.index].field_types;
  if (field >= types.size()) return value;
  Context context;
  Value out = converted(std::move(value), types[field], Conversion::Assignment, context);
  if (!context.fault) return out;
  abort(std::move(*context.fault));
  return std::nullopt;
}

// The columns of t%ROWTYPE have types of their own; a RECORD has those of the row.
bool Machine::State::assign_record(VariableId record, const std::vector<Value>* row) {
  if (row == nullptr) {
    variables[record.index] = {};
    return true;
  }
  std::vector<Value> items = *row;
  if (type->variables[record.index].is_row_type)
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto item = field_value(record, i, std::move(items[i]));
      if (!item) return false;
      items[i] = std::move(*item);
    }
  variables[record.index] = Value::list(std::move(items));
  return true;
}

bool Machine::State::assign_row(const Targets& targets, const std::vector<Value>* row) {
  if (targets.is_record) return assign_record(targets.variables[0], row);
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
    forget_answers();
  }
  ++initialized;
}

}  // namespace isomer::program
