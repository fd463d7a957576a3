// SPDX-License-Identifier: MIT
// Blocks dissolve: inner variables become variables of the transaction, and their initial
// values assignments, so that a block inside a loop starts afresh each time.  CASE becomes
// IF, with its operand in a hidden variable.  What cannot happen in the representation is
// refused, never dropped; RAISE NOTICE is the one statement without effect on data.
#include "program/plpgsql/lower.h"

#include <fmt/format.h>

#include "program/plpgsql/lowering.h"

namespace isomer::program {

Block Lowering::lower_body(const PlStatement& body) {
  Block out;
  routine.names.open_block(body.label);
  for (const PlDeclaration& declaration : body.declarations)
    declare(declaration, out.empty() ? nullptr : &out, out);
  lower_protected(body, out);
  routine.names.close_block();
  return out;
}

void Lowering::declare(const PlDeclaration& declaration, Block* out, Block& start) {
  Variable variable;
  variable.name = declaration.name;
  variable.at = declaration.at;
  variable.is_constant = declaration.is_constant;
  if (routine.names.is_in_innermost(declaration.name))
    return fail(declaration.at, fmt::format("{} is declared twice", declaration.name));
  if (!set_declared_type(declaration.type, variable)) return;
  const bool is_record = variable.type.kind == TypeKind::Record;
  ExpressionPtr initial;
  if (!is_empty(declaration.initial)) {
    if (is_record) fail(declaration.at, "a record cannot have an initial value here");
    site.out = &start;
    initial = expression(declaration.initial, variable.type);
    // What is read is read by a statement.
    if (!start.empty() || (initial && contains_query(*initial))) out = &start;
  }
  if (out == nullptr) variable.initial = initial;
  const Type of = variable.type;
  const VariableId id = routine.names.add(std::move(variable));
  if (out == nullptr) return;
  Statement reset = statement(Statement::Kind::Assign, declaration.at);
  reset.variable = id;
  reset.value = initial ? initial : make_constant({}, of, declaration.at);
  out->push_back(std::move(reset));
}

void Lowering::lower_all(const PlBlock& block, Block& out) {
  for (const PlStatement& s : block) {
    site.out = &out;
    lower(s, out);
  }
}

Block Lowering::lowered(const PlBlock& block) {
  Block out;
  lower_all(block, out);
  return out;
}

void Lowering::lower(const PlStatement& s, Block& out) {
  using Kind = PlStatement::Kind;
  switch (s.kind) {
    case Kind::Begin:
      return lower_block(s, out);
    case Kind::Assign:
      return lower_assign(s, out);
    case Kind::If:
      return lower_if(s, out);
    case Kind::Case:
      return lower_case(s, out);
    case Kind::Loop:
    case Kind::While:
      return lower_while(s, out);
    case Kind::ForRange:
      return lower_range(s, out);
    case Kind::ForQuery:
      return lower_query_loop(s, out);
    case Kind::ForEach:
      return lower_foreach(s, out);
    case Kind::Exit:
    case Kind::Continue:
      return lower_leave(s, out);
    case Kind::Return:
      return lower_return(s, out);
    case Kind::Raise:
    case Kind::Notice:
      return lower_raise(s, out);
    case Kind::Assert:
      return lower_assert(s, out);
    case Kind::Call:
      return lower_call(s, out);
    case Kind::RowCount:
      return lower_row_count(s, out);
    case Kind::Perform:
    case Kind::Sql:
      return lower_sql(s, out);
    case Kind::Null:
      return;
  }
}

void Lowering::lower_block(const PlStatement& s, Block& out) {
  routine.names.open_block(s.label);
  loops.push_back({.label = s.label, .is_block = true});
  for (const PlDeclaration& declaration : s.declarations)
    declare(declaration, &out, out);
  lower_protected(s, out);
  loops.pop_back();
  routine.names.close_block();
}

void Lowering::lower_protected(const PlStatement& s, Block& out) {
  if (s.handlers.empty()) return lower_all(s.body, out);
  Statement protect = statement(Statement::Kind::Protect, s.at);
  protect.body = lowered(s.body);
  routine.names.open_block({});
  add_error_variables(s, protect);
  ++handlers_around;
  for (const PlHandler& handler : s.handlers) {
    const Block body = lowered(handler.body);
    if (!handler.sqlstates.empty())
      protect.handlers.push_back({.sqlstates = handler.sqlstates, .body = body});
    if (handler.catches_others) protect.handlers.push_back({.sqlstates = {}, .body = body});
  }
  --handlers_around;
  routine.names.close_block();
  out.push_back(std::move(protect));
}

// SQLSTATE and SQLERRM, if a handler mentions them.
void Lowering::add_error_variables(const PlStatement& s, Statement& protect) {
  std::string text;
  for (const PlHandler& handler : s.handlers)
    if (!handler.body.empty())
      text += routine.program.source.substr(
          handler.body.front().at.first,
          handler.body.back().at.last - handler.body.front().at.first);
  const auto variable = [&](std::string_view name) -> std::optional<VariableId> {
    if (!mentions(text, name)) return std::nullopt;
    Variable out;
    out.name = name;
    out.type = type(TypeKind::Text);
    out.is_constant = true;
    out.at = s.at;
    return routine.names.add(std::move(out));
  };
  protect.error_code = variable("sqlstate");
  protect.error_text = variable("sqlerrm");
}

void Lowering::lower_row_count(const PlStatement& s, Block& out) {
  const auto target = target_of(s.targets[0]);
  if (!target) return;
  Expression count;
  count.kind = Expression::Kind::RowCount;
  count.type = type(TypeKind::Int8);
  count.at = s.at;
  SqlText text = expression_at(routine.program, s.at);
  Analysis in = analysis(text);
  Statement assign = statement(Statement::Kind::Assign, s.at);
  assign.variable = target->variable;
  assign.field = target->field;
  assign.value = coerced(in, make(std::move(count)), type_of(*target), Willing::Assignment);
  out.push_back(std::move(assign));
}

std::optional<VariableName> Lowering::target_of(const PlName& name) {
  const std::string words = fmt::format("{}", fmt::join(name.words, "."));
  const auto found = routine.names.find(name.words);
  if (!found || found->lacks_field) {
    fail(name.at, fmt::format("there is no variable {}", words));
    return std::nullopt;
  }
  if (!routine.names.variable(found->variable).is_constant) return found;
  fail(name.at, fmt::format("{} is a constant", words));
  return std::nullopt;
}

Type Lowering::type_of(const VariableName& name) const {
  const Variable& variable = routine.names.variable(name.variable);
  return name.field ? variable.field_types[*name.field] : variable.type;
}

void Lowering::lower_assign(const PlStatement& s, Block& out) {
  const auto target = target_of(s.targets[0]);
  if (!target) return;
  Statement assign = statement(Statement::Kind::Assign, s.at);
  assign.variable = target->variable;
  assign.field = target->field;
  assign.value = expression(s.value, type_of(*target));
  out.push_back(std::move(assign));
}

void Lowering::lower_return(const PlStatement& s, Block& out) {
  Statement leave = statement(Statement::Kind::Return, s.at);
  if (is_empty(s.value)) {
    leave.value = output_value(routine, s.at);
    if (!leave.value && routine.result.kind != TypeKind::Any)
      return fail(s.at, "RETURN needs a value in this function");
  } else if (routine.result.kind == TypeKind::Any || !routine.outputs.empty()) {
    return fail(s.at, "RETURN cannot have a value here");
  } else {
    leave.value = expression(s.value, routine.result);
  }
  out.push_back(std::move(leave));
}

Block lower_plpgsql(Routine& routine, const PlStatement& body) {
  Block out = Lowering(routine).lower_body(body);
  if (const ExpressionPtr value = output_value(routine, body.at)) {
    Statement leave;
    leave.kind = Statement::Kind::Return;
    leave.at = {.first = body.at.last, .last = body.at.last};
    leave.value = value;
    out.push_back(std::move(leave));
  }
  return out;
}

ExpressionPtr output_value(const Routine& routine, Span at) {
  std::vector<ExpressionPtr> values;
  for (const VariableId id : routine.outputs)
    values.push_back(make_variable(routine.names, {.variable = id, .field = {}}, at));
  if (values.size() <= 1) return values.empty() ? nullptr : values[0];
  return make_call(Function::MakeList, std::move(values), TypeKind::Record, at);
}

}  // namespace isomer::program
