// SPDX-License-Identifier: MIT
// Where rows go: variables, one a column, or one record.  Of more columns than variables
// the last are computed and dropped; variables without a column become NULL.
//
// A variable declared RECORD takes its columns from the first query that fills it.  A loop
// over rows of another shape gets a record of its own under the same name, which lasts to
// the end of the loop, after which the name is unfilled; any other query must give rows of
// the shape that the record has, so that a field means one thing wherever it is named.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "program/plpgsql/lower.h"

namespace isomer::program {
namespace {

bool has_shape(const Variable& record, const OutputColumns& outputs) {
  if (record.fields != outputs.names) return false;
  for (std::size_t i = 0; i < outputs.columns.size(); ++i)
    if (record.field_types[i].kind != outputs.columns[i]->type.kind ||
        record.field_types[i].is_padded != outputs.columns[i]->type.is_padded)
      return false;
  return true;
}

void set_shape(Variable& record, const OutputColumns& outputs) {
  record.fields = outputs.names;
  record.field_types.clear();
  for (const ExpressionPtr& column : outputs.columns)
    record.field_types.push_back(column->type);
}

// Columns that a row lacks are NULL.
void fill_up(OutputColumns& outputs, std::span<const Type> types, Span at) {
  for (std::size_t i = outputs.columns.size(); i < types.size(); ++i) {
    outputs.columns.push_back(make_constant({}, types[i], at));
    outputs.names.emplace_back("?column?");
  }
}

void bind_record(Routine& routine, Analysis& in, const PlName& name, VariableId id,
                 OutputColumns& outputs) {
  Variable& record = routine.names.variable(id);
  if (record.fields.empty()) return set_shape(record, outputs);
  if (record.is_row_type) fill_up(outputs, record.field_types, name.at);
  if (record.fields.size() != outputs.columns.size() ||
      (!has_shape(record, outputs) && !record.is_row_type)) {
    routine.reporter.fail(name.at,
                          fmt::format("record {} has the columns ({}), but this row "
                                      "has ({}); use another variable",
                                      record.name, fmt::join(record.fields, ", "),
                                      fmt::join(outputs.names, ", ")));
    return;
  }
  for (std::size_t i = 0; i < outputs.columns.size(); ++i) {
    Type& field = record.field_types[i];
    if (!record.is_row_type && !is_same(field, outputs.columns[i]->type))
      field = unlimited(field);  // now of this length, now of that
    outputs.columns[i] = coerced(in, outputs.columns[i], field, Willing::Assignment);
  }
}

}  // namespace

bool reshape_for_loop(Routine& routine, const PlName& name, const OutputColumns& outputs) {
  const auto found = routine.names.find(name.words);
  if (!found || found->field || found->lacks_field) return false;
  const Variable& record = routine.names.variable(found->variable);
  if (record.type.kind != TypeKind::Record || record.is_row_type || record.fields.empty() ||
      has_shape(record, outputs))
    return false;
  Variable another = record;
  another.fields.clear();
  another.field_types.clear();
  routine.names.add(std::move(another));
  return true;
}

void forget_shape(Routine& routine, const PlName& name) {
  Variable fresh = routine.names.variable(routine.names.find(name.words)->variable);
  fresh.fields.clear();
  fresh.field_types.clear();
  routine.names.add(std::move(fresh));
}

Targets bind_targets(Routine& routine, Analysis& in, const PlStatement& statement,
                     OutputColumns& outputs) {
  Targets out;
  out.is_strict = statement.is_strict;
  const auto fail = [&](Span at, std::string message) {
    routine.reporter.fail(at, std::move(message));
  };
  for (const PlName& name : statement.targets) {
    const auto found = routine.names.find(name.words);
    const std::string words = fmt::format("{}", fmt::join(name.words, "."));
    if (!found || found->lacks_field) {
      fail(name.at, fmt::format("there is no variable {}", words));
      continue;
    }
    if (found->field) {
      fail(name.at, "INTO a field of a record is not supported; use a variable");
      continue;
    }
    const Variable& variable = routine.names.variable(found->variable);
    if (variable.is_constant) fail(name.at, fmt::format("{} is a constant", words));
    out.is_record = out.is_record || variable.type.kind == TypeKind::Record;
    out.variables.push_back(found->variable);
  }
  if (out.variables.size() != statement.targets.size() || out.variables.empty()) return out;
  if (out.is_record && out.variables.size() > 1) {
    fail(statement.targets[0].at, "a record must be the only target");
  } else if (out.is_record) {
    bind_record(routine, in, statement.targets[0], out.variables[0], outputs);
  } else {
    std::vector<Type> types;
    for (const VariableId id : out.variables)
      types.push_back(routine.names.variable(id).type);
    fill_up(outputs, types, statement.targets[0].at);
    for (std::size_t i = 0; i < types.size(); ++i)
      outputs.columns[i] = coerced(in, outputs.columns[i], types[i], Willing::Assignment);
  }
  return out;
}

}  // namespace isomer::program
