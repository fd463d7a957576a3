// SPDX-License-Identifier: MIT
// SQL statements, and ASSERT, whose message is a SQL expression.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/plpgsql/lowering.h"

namespace isomer::program {
namespace {

constexpr std::array<std::string_view, 7> clauses = {
    "fromClause", "whereClause",  "groupClause",   "sortClause",
    "limitCount", "havingClause", "distinctClause"};

// Whether a SELECT is more than a row of expressions.
bool has_clauses(const SqlNode& select) {
  return std::any_of(clauses.begin(), clauses.end(),
                     [&](std::string_view clause) { return select.has(clause); });
}

}  // namespace

void Lowering::lower_assert(const PlStatement& s, Block& out) {
  Statement assert = statement(Statement::Kind::Assert, s.at);
  assert.value = condition(s.value);
  assert.text = "assertion failed";
  if (!s.values.empty()) {
    const ExpressionPtr message = expression(s.values[0], type(TypeKind::Text));
    if (!message) return;
    const std::string* constant = message->value.get_if<std::string>();
    if (message->kind != Expression::Kind::Constant || constant == nullptr)
      return fail(s.values[0], "the message of ASSERT must be a constant");
    assert.text = *constant;
  }
  out.push_back(std::move(assert));
}

void Lowering::lower_sql(const PlStatement& s, Block& out) {
  const bool is_perform = s.kind == PlStatement::Kind::Perform;
  SqlText text = is_perform ? expression_at(routine.program, s.value)
                            : sql_at(routine.program, s.value, s.into);
  const auto statements = text.parse(routine.reporter);
  if (!statements || statements->empty()) return;
  const SqlNode& node = statements->front()["stmt"];
  Analysis in = analysis(text);
  if (node.is("LockStmt")) {
    if (!s.targets.empty()) return fail(s.into, "LOCK TABLE gives nothing to INTO");
    return out.push_back(analyze_lock_table(in, node));
  }
  if (node.is("ConstraintsSetStmt")) {
    if (!s.targets.empty()) return fail(s.into, "SET CONSTRAINTS gives nothing to INTO");
    return out.push_back(analyze_set_constraints(in, node));
  }
  if (node.is("SelectStmt")) {
    if (!is_perform && s.targets.empty())
      return fail(s.at, "a query needs INTO here; use PERFORM to drop its rows");
    if (auto lock = analyze_advisory_select(in, node))
      return give_lock(s, in, std::move(*lock), out);
    const std::size_t errors_before = routine.reporter.count();
    const std::size_t before = statements_at_site();
    if (has_clauses(node)) site.out = nullptr;
    Select select = *analyze_select(in, node, nullptr);
    if (statements_at_site() != before && !has_clauses(node))
      for (const ExpressionPtr& column : select.columns)
        refuse_query_beside_call(*column);
    if (routine.reporter.count() != errors_before) return;
    OutputColumns outputs{.columns = select.columns, .names = select.column_names};
    Statement query = statement(Statement::Kind::Select, s.at);
    query.targets = bind_targets(routine, in, s, outputs);
    select.columns = std::move(outputs.columns);
    select.column_names = std::move(outputs.names);
    query.query = std::make_shared<const Select>(std::move(select));
    return out.push_back(std::move(query));
  }
  const bool is_one_row = node["selectStmt"]["valuesLists"].items().size() == 1;
  if (!is_one_row) site.out = nullptr;
  const std::size_t before = statements_at_site();
  AnalyzedChange change = analyze_change(in, node);
  if (statements_at_site() != before && !change.statement.insert->rows.empty())
    for (const ExpressionPtr& value : change.statement.insert->rows[0])
      refuse_query_beside_call(*value);
  if (s.targets.empty() && !change.returning.columns.empty())
    return fail(s.at, "RETURNING needs INTO here");
  if (!s.targets.empty() && change.returning.columns.empty())
    return fail(s.into, "INTO needs RETURNING here");
  const Targets targets = bind_targets(routine, in, s, change.returning);
  change.statement.at = s.at;
  give_returning(change, targets);
  out.push_back(std::move(change.statement));
}

void Lowering::give_lock(const PlStatement& s, Analysis& in, AnalyzedChange lock,
                         Block& out) {
  if (!s.targets.empty() && lock.returning.columns.empty())
    return fail(s.into, "this function gives nothing to INTO; use PERFORM");
  lock.statement.at = s.at;
  lock.statement.targets = bind_targets(routine, in, s, lock.returning);
  out.push_back(std::move(lock.statement));
}

// CALL p(a, x): what p's OUT parameters hold goes to the variables given for them.
void Lowering::lower_call(const PlStatement& s, Block& out) {
  SqlText text = expression_at(routine.program, s.value);
  const auto statements = text.parse(routine.reporter);
  if (!statements) return;
  const SqlNode& node = statements->front()["stmt"]["targetList"].item(0)["val"];
  if (!node.is("FuncCall")) return fail(s.value, "expected a call after CALL");
  const std::string name = node["funcname"].items().back().name();
  ScriptRoutine* callee =
      routine.routines == nullptr ? nullptr : routine.routines->find(name);
  if (callee == nullptr)
    return fail(text.at(node), fmt::format("there is no procedure {}", name));
  if (!callee->is_procedure)
    return fail(text.at(node), fmt::format("{} is a function; use PERFORM", name));
  if (callee->state == ScriptRoutine::State::Waiting)
    lower_routine(*routine.routines, *callee);
  const auto& given = node["args"].items();
  const auto& parameters = callee->parameters;
  if (callee->state == ScriptRoutine::State::Done && given.size() != parameters.size())
    return fail(text.at(node),
                fmt::format("{} takes {}, not {}", name,
                            counted(parameters.size(), "argument"), given.size()));
  Analysis in = analysis(text);
  const FromScope nothing{.outer = nullptr, .sources = {}, .no_aggregates_in = "a call"};
  std::vector<ExpressionPtr> arguments;
  std::vector<std::pair<PlName, VariableId>> outputs;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool is_known = i < parameters.size();
    if (!is_known || parameters[i].is_input) {
      arguments.push_back(analyze_expression(in, nothing, given[i]));
      if (is_broken(*arguments.back())) return;
    }
    if (!is_known || !parameters[i].is_output) continue;
    PlName target{.words = {}, .at = text.at(given[i])};
    for (const SqlNode& field : given[i]["fields"].items())
      target.words.push_back(field.name());
    if (target.words.empty())
      return fail(target.at, "only a variable can take what an OUT parameter holds");
    outputs.emplace_back(std::move(target), parameters[i].variable);
  }
  const auto renamed =
      inline_call(in, *callee, std::move(arguments), text.at(node), VariableId::none());
  if (renamed.empty()) return;
  for (const auto& [name_of, output] : outputs) {
    const auto target = target_of(name_of);
    if (!target) continue;
    Statement assign = statement(Statement::Kind::Assign, s.at);
    assign.variable = target->variable;
    assign.field = target->field;
    assign.value =
        coerced(in,
                make_variable(routine.names,
                              {.variable = renamed[output.index], .field = {}}, s.at),
                type_of(*target), Willing::Assignment);
    out.push_back(std::move(assign));
  }
}

void give_returning(AnalyzedChange& change, const Targets& targets) {
  Statement& s = change.statement;
  const auto give = [&](auto& pointer) {
    auto copy = *pointer;
    copy.returning = change.returning.columns;
    copy.into = targets;
    pointer = std::make_shared<const decltype(copy)>(std::move(copy));
  };
  if (s.insert) give(s.insert);
  if (s.update) give(s.update);
  if (s.erase) give(s.erase);
}

}  // namespace isomer::program
