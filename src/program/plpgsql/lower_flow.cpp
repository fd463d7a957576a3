// SPDX-License-Identifier: MIT
// IF, CASE, loops, and what leaves them.
#include <algorithm>

#include <fmt/format.h>

#include "program/plpgsql/lowering.h"

namespace isomer::program {

namespace {

void append(Block& out, Block more) {
  std::move(more.begin(), more.end(), std::back_inserter(out));
}

}  // namespace

void Lowering::chain(const PlStatement& s, std::size_t index,
                     const ConditionOf& condition_of, Statement::Kind otherwise,
                     Block& out) {
  if (index == s.branches.size()) {
    if (s.has_otherwise) return lower_all(s.otherwise, out);
    if (otherwise != Statement::Kind::Raise) return;
    Statement raise = statement(otherwise, s.at);
    raise.text = "case not found";
    raise.sqlstate = "20000";
    return out.push_back(std::move(raise));
  }
  Statement branch = statement(Statement::Kind::If, s.at);
  site.out = &out;
  branch.value = condition_of(index);
  branch.body = lowered(s.branches[index].body);
  chain(s, index + 1, condition_of, otherwise, branch.otherwise);
  out.push_back(std::move(branch));
}

void Lowering::lower_if(const PlStatement& s, Block& out) {
  const auto condition_of = [&](std::size_t i) {
    return condition(s.branches[i].conditions[0]);
  };
  chain(s, 0, condition_of, Statement::Kind::If, out);
}

void Lowering::lower_case(const PlStatement& s, Block& out) {
  ExpressionPtr operand;
  if (!is_empty(s.value)) {
    const ExpressionPtr value = expression(s.value, {});
    if (!value) return;
    Statement assign = statement(Statement::Kind::Assign, s.at);
    assign.variable = routine.names.add_hidden("case", value->type, value->at);
    assign.value = value;
    operand =
        make_variable(routine.names, {.variable = assign.variable, .field = {}}, value->at);
    out.push_back(std::move(assign));
  }
  const auto condition_of = [&](std::size_t i) {
    return case_condition(operand, s.branches[i]);
  };
  chain(s, 0, condition_of, Statement::Kind::Raise, out);
}

ExpressionPtr Lowering::case_condition(const ExpressionPtr& operand,
                                       const PlBranch& branch) {
  if (!operand) return condition(branch.conditions[0]);
  std::vector<ExpressionPtr> tests;
  for (const Span at : branch.conditions) {
    const ExpressionPtr value = comparable(at, operand->type);
    if (!value) return nullptr;
    const SqlText text = expression_at(routine.program, at);
    Analysis in = analysis(text);
    tests.push_back(make_operator(in, "=", operand, value, at));
  }
  return tests.size() == 1 ? tests[0]
                           : make_call(Function::Or, std::move(tests), TypeKind::Bool, {});
}

Block Lowering::loop_body(const PlStatement& s) {
  loops.push_back({.label = s.label, .is_block = false});
  Block out = lowered(s.body);
  loops.pop_back();
  return out;
}

// A condition that calls routines is asked inside the loop: LOOP .. EXIT WHEN NOT ..
void Lowering::lower_while(const PlStatement& s, Block& out) {
  Statement loop = statement(Statement::Kind::While, s.at);
  loop.label = s.label;
  loop.value = make_constant(Value::boolean(true), type(TypeKind::Bool), s.at);
  Block before;
  site.out = &before;
  ExpressionPtr goes_on;
  if (s.kind == PlStatement::Kind::While) goes_on = condition(s.value);
  if (before.empty() && s.kind == PlStatement::Kind::While) loop.value = goes_on;
  if (!before.empty() && goes_on) {
    Statement leave = statement(Statement::Kind::Exit, s.at);
    const ExpressionPtr no =
        make_constant(Value::boolean(false), type(TypeKind::Bool), s.at);
    leave.value = make_call(
        Function::Not, {make_call(Function::Coalesce, {goes_on, no}, TypeKind::Bool, s.at)},
        TypeKind::Bool, s.at);
    before.push_back(std::move(leave));
  }
  routine.names.open_block(s.label);
  loop.body = std::move(before);
  append(loop.body, loop_body(s));
  routine.names.close_block();
  out.push_back(std::move(loop));
}

void Lowering::lower_range(const PlStatement& s, Block& out) {
  const Type integer = type(TypeKind::Int4);
  Statement loop = statement(Statement::Kind::ForRange, s.at);
  loop.label = s.label;
  loop.is_reverse = s.is_reverse;
  loop.value = expression(s.value, integer);
  loop.limit = expression(s.limit, integer);
  if (!is_empty(s.step)) loop.step = expression(s.step, integer);
  if (s.targets.size() != 1 || s.targets[0].words.size() != 1)
    return fail(s.targets[0].at, "a range needs one loop variable");
  routine.names.open_block(s.label);
  Variable variable;
  variable.name = s.targets[0].words[0];
  variable.type = integer;
  variable.at = s.targets[0].at;
  loop.variable = routine.names.add(std::move(variable));
  loop.body = loop_body(s);
  routine.names.close_block();
  out.push_back(std::move(loop));
}

void Lowering::lower_query_loop(const PlStatement& s, Block& out) {
  if (s.is_reverse) return fail(s.at, "REVERSE needs a range");
  SqlText text = sql_at(routine.program, s.value);
  const auto statements = text.parse(routine.reporter);
  if (!statements) return;
  const SqlNode& node = statements->front()["stmt"];
  if (!node.is("SelectStmt")) return fail(s.value, "only a SELECT can be looped over");
  Analysis in = analysis(text);
  const std::size_t errors_before = routine.reporter.count();
  Select select = *analyze_select(in, node, nullptr);
  if (routine.reporter.count() != errors_before) return;
  OutputColumns outputs{.columns = select.columns, .names = select.column_names};
  Statement loop = statement(Statement::Kind::ForQuery, s.at);
  loop.label = s.label;
  routine.names.open_block(s.label);
  const bool is_reshaped = reshape_for_loop(routine, s.targets[0], outputs);
  loop.targets = bind_targets(routine, in, s, outputs);
  select.columns = std::move(outputs.columns);
  select.column_names = std::move(outputs.names);
  loop.query = std::make_shared<const Select>(std::move(select));
  loop.body = loop_body(s);
  routine.names.close_block();
  if (is_reshaped) forget_shape(routine, s.targets[0]);
  out.push_back(std::move(loop));
}

void Lowering::lower_foreach(const PlStatement& s, Block& out) {
  if (s.targets.size() != 1)
    return fail(s.targets[1].at, "FOREACH needs one loop variable");
  const auto target = target_of(s.targets[0]);
  if (!target) return;
  if (target->field)
    return fail(s.targets[0].at,
                "FOREACH into a field of a record is not supported; use a variable");
  const Type of = type_of(*target);
  const ExpressionPtr array = expression(s.value, {});
  if (!array || is_broken(*array)) return;
  if (array->type.kind != TypeKind::Array)
    return fail(array->at, fmt::format("FOREACH needs an array, not {}; give a literal a "
                                       "type, as in '{{1,2}}'::int[]",
                                       to_text(array->type)));
  const Type element = element_of(array->type);
  if (of.kind == TypeKind::Array || !is_castable(element, of, Willing::Assignment))
    return fail(s.targets[0].at,
                fmt::format("{} cannot take an element, which is {}",
                            fmt::join(s.targets[0].words, "."), to_text(element)));
  Statement loop = statement(Statement::Kind::ForEach, s.at);
  loop.label = s.label;
  loop.variable = target->variable;
  loop.value = array;
  routine.names.open_block(s.label);
  loop.body = loop_body(s);
  routine.names.close_block();
  out.push_back(std::move(loop));
}

void Lowering::lower_leave(const PlStatement& s, Block& out) {
  const bool is_exit = s.kind == PlStatement::Kind::Exit;
  Statement leave =
      statement(is_exit ? Statement::Kind::Exit : Statement::Kind::Continue, s.at);
  leave.label = s.label;
  if (!is_empty(s.value)) leave.value = condition(s.value);
  const auto loop = std::find_if(loops.rbegin(), loops.rend(), [&](const Loop& l) {
    return s.label.empty() ? !l.is_block : l.label == s.label;
  });
  if (loop == loops.rend())
    return fail(
        s.at, s.label.empty()
                  ? fmt::format("{} stands outside any loop", is_exit ? "EXIT" : "CONTINUE")
                  : fmt::format("there is no loop {} around this", s.label));
  if (loop->is_block) return fail(s.at, "EXIT of a block is not supported; only of a loop");
  out.push_back(std::move(leave));
}

}  // namespace isomer::program
