// SPDX-License-Identifier: MIT
#include "program/sql/call.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "program/plpgsql/lower.h"

namespace isomer::program {
namespace {

// --- the head ---

struct Head {
  std::string name;
  std::string language;
  std::optional<Span> body;  // in the source; absent after a complaint
  Span at;
};

// The body is a string constant behind AS; its bytes are read where they stand.
std::optional<Span> body_place(Analysis& in, const SqlNode& as) {
  const SqlToken* token =
      in.text.token_at(static_cast<std::size_t>(as["location"].number()));
  const auto* end = in.text.tokens().data() + in.text.tokens().size();
  while (token != nullptr && token != end && token->kind != SqlToken::Kind::String)
    ++token;
  if (token == nullptr || token == end) return std::nullopt;
  const std::string_view quoted = in.text.text_of(*token);
  const Span at = in.text.at(*token);
  std::uint32_t quote = 1;
  if (quoted.front() == '$') {
    quote = static_cast<std::uint32_t>(quoted.find('$', 1) + 1);
  } else if (quoted.front() != '\'' ||
             quoted.substr(1, quoted.size() - 2).find('\'') != std::string_view::npos) {
    in.fail(at, "a body with escapes is not supported; write it between $$ and $$");
    return std::nullopt;
  }
  return Span{.first = at.first + quote, .last = at.last - quote};
}

Head analyze_head(Analysis& in, const SqlNode& node) {
  Head head;
  head.name = node["funcname"].items().back().name();
  head.at = in.text.at(in.text.tokens().front().first, in.text.tokens().front().last);
  for (const SqlToken& token : in.text.tokens())
    if (folded(in.text.text_of(token)) == head.name) {
      head.at = in.text.at(token);
      break;
    }
  for (const SqlNode& option : node["options"].items()) {
    const std::string& name = option["defname"].text();
    if (name == "language") head.language = option["arg"].name();
    if (name == "as") head.body = body_place(in, option);
    if (name == "set" || name == "window" || name == "transform")
      in.fail(option, fmt::format("option {} of a function is not supported", name));
  }
  if (head.language.empty()) head.language = "sql";
  return head;
}

// --- parameters ---

void add_parameter(Routine& routine, Analysis& in, const SqlNode& node, std::size_t index) {
  Variable variable;
  variable.name = node["name"].text();
  variable.is_parameter = true;
  variable.at = in.text.at(node["argType"]);
  const auto tokens = in.text.tokens();
  const SqlToken* token =
      in.text.token_at(static_cast<std::size_t>(node["argType"]["location"].number()));
  if (!variable.name.empty() && token != nullptr && token != tokens.data()) {
    const auto place = static_cast<std::size_t>(token - in.text.tokens().data());
    variable.at = in.text.at(tokens[place - 1]);
  }
  const auto of = type_of(node["argType"]);
  if (of)
    variable.type = unlimited(*of);  // PostgreSQL ignores lengths of parameters
  else
    in.fail(node["argType"], of.error());
  if (variable.name.empty()) variable.name = fmt::format("${}", index + 1);
  if (routine.names.is_in_innermost(variable.name))
    in.fail(variable.at, fmt::format("parameter {} is given twice", variable.name));
  if (node.has("defexpr"))
    in.fail(node["argType"], "a DEFAULT of a parameter is not supported");
  const std::string& mode = node["mode"].text();
  if (mode == "FUNC_PARAM_VARIADIC") in.fail(variable.at, "VARIADIC is not supported");
  if (mode == "FUNC_PARAM_TABLE") in.fail(variable.at, "RETURNS TABLE is not supported");
  const bool is_output = mode == "FUNC_PARAM_OUT";
  variable.is_parameter = !is_output;
  const VariableId id = routine.names.add(std::move(variable));
  const bool gives = is_output || mode == "FUNC_PARAM_INOUT";
  if (gives) routine.outputs.push_back(id);
  routine.parameters[index] = {.variable = id, .is_input = !is_output, .is_output = gives};
}

// Inputs first; OUT parameters are plain variables.
void add_parameters(Routine& routine, Analysis& in, const SqlNode& list) {
  const auto is_output = [](const SqlNode& node) {
    return node["mode"].text() == "FUNC_PARAM_OUT";
  };
  routine.parameters.resize(list.items().size());
  for (std::size_t i = 0; i < list.items().size(); ++i)
    if (!is_output(list.items()[i])) add_parameter(routine, in, list.items()[i], i);
  routine.names.parameter_count = static_cast<std::uint32_t>(routine.names.all().size());
  for (std::size_t i = 0; i < list.items().size(); ++i)
    if (is_output(list.items()[i])) add_parameter(routine, in, list.items()[i], i);
}

void set_result(Routine& routine, Analysis& in, const SqlNode& node) {
  const SqlNode& written = node["returnType"];
  if (!routine.outputs.empty()) {
    routine.result = routine.outputs.size() > 1
                         ? type(TypeKind::Record)
                         : routine.names.variable(routine.outputs[0]).type;
    return;
  }
  if (!written.exists()) return;
  const std::string& name = written["names"].items().back().name();
  if (name == "void" && !written["setof"].truth()) return;
  const auto of = type_of(written);
  if (of)
    routine.result = unlimited(*of);
  else
    in.fail(written, of.error());
}

// --- bodies in SQL ---

Statement sql_statement(Routine& routine, Analysis& in, const SqlNode& node, bool is_last) {
  Statement out;
  const bool returns = is_last && routine.result.kind != TypeKind::Any;
  if (node.is("LockStmt")) return analyze_lock_table(in, node);
  if (node.is("ConstraintsSetStmt")) return analyze_set_constraints(in, node);
  if (auto lock = analyze_advisory_select(in, node)) {
    if (returns)
      in.fail(in.text.whole(),
              "an advisory lock as the result of a function in SQL is not "
              "supported; write it in plpgsql");
    return lock->statement;
  }
  if (!node.is("SelectStmt")) {
    AnalyzedChange change = analyze_change(in, node);
    if (returns || !change.returning.columns.empty())
      in.fail(change.statement.at,
              "RETURNING from a function in SQL is not supported; write "
              "it in plpgsql");
    return change.statement;
  }
  Select select = *analyze_select(in, node, nullptr);
  out.at = in.text.whole();
  if (!returns) {
    out.kind = Statement::Kind::Select;
    out.query = std::make_shared<const Select>(std::move(select));
    return out;
  }
  if (select.columns.size() != 1)
    in.fail(select.at, fmt::format("the function returns one value, but its last query has "
                                   "{} columns",
                                   select.columns.size()));
  else
    select.columns[0] = coerced(in, select.columns[0], routine.result, Willing::Assignment);
  if (!select.limit)  // the first row is the result
    select.limit = make_constant(Value::integer(1), type(TypeKind::Int8), select.at);
  Expression value;
  value.kind = Expression::Kind::Scalar;
  value.type = routine.result;
  value.at = select.at;
  value.query = std::make_shared<const Select>(std::move(select));
  out.kind = Statement::Kind::Return;
  out.value = make(std::move(value));
  return out;
}

Block analyze_sql_body(Routine& routine, Span body) {
  Block out;
  const std::vector<Span> pieces =
      split_statements(routine.program.source, body, routine.reporter);
  routine.names.columns_hide_variables = true;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    SqlText text = sql_at(routine.program, pieces[i]);
    const auto statements = text.parse(routine.reporter);
    if (!statements) continue;
    const SqlNode& node = statements->front()["stmt"];
    Analysis in{.program = routine.program,
                .reporter = routine.reporter,
                .text = text,
                .variables = &routine.names,
                .routines = routine.routines};
    const bool is_known = node.is("SelectStmt") || is_change(node) || node.is("LockStmt") ||
                          node.is("ConstraintsSetStmt");
    if (!is_known) {
      in.fail(text.whole(),
              "only SELECT, INSERT, UPDATE, DELETE, MERGE, LOCK TABLE and SET CONSTRAINTS "
              "can stand in a function");
      continue;
    }
    out.push_back(sql_statement(routine, in, node, i + 1 == pieces.size()));
  }
  const bool returns = !out.empty() && out.back().kind == Statement::Kind::Return;
  if (routine.result.kind != TypeKind::Any && !returns)
    routine.reporter.fail(body, "the last statement of this function must be a SELECT");
  return out;
}

// The routine as a transaction type; absent after a complaint.
std::optional<TransactionType> analyze_routine(Analysis& in, const Routines& routines,
                                               ScriptRoutine& script) {
  const Head head = analyze_head(in, script.node);
  if (script.node.has("sql_body")) {
    in.fail(head.at, "a body without AS $$ .. $$ is not supported");
    return std::nullopt;
  }
  if (head.language != "plpgsql" && head.language != "sql") {
    in.fail(head.at, fmt::format("language {} is not supported", head.language));
    return std::nullopt;
  }
  VariableNames names;
  Routine routine{.program = routines.program,
                  .reporter = in.reporter,
                  .names = names,
                  .result = {},
                  .outputs = {},
                  .routines = in.routines};
  names.open_block(head.name);
  add_parameters(routine, in, script.node["parameters"]);
  set_result(routine, in, script.node);
  if (!head.body) return std::nullopt;
  const std::string_view source = routines.program.source;
  routine.mentions_found = script.mentions_found = mentions(
      source.substr(head.body->first, head.body->last - head.body->first), "found");
  TransactionType out;
  out.name = head.name;
  out.at = {.first = head.at.first, .last = in.text.whole().last};
  if (head.language == "sql")
    out.body = analyze_sql_body(routine, *head.body);
  else
    out.body = lower_plpgsql(routine, parse_plpgsql(source, *head.body, in.reporter));
  out.variables = std::move(names.all());
  out.parameter_count = names.parameter_count;
  out.result = routine.result;
  script.parameters = std::move(routine.parameters);
  return out;
}

}  // namespace

void add_routine(Analysis& in, const SqlNode& node, Routines& routines) {
  auto routine = std::make_unique<ScriptRoutine>();
  routine->name = node["funcname"].items().back().name();
  if (ScriptRoutine* other = routines.find(routine->name)) {
    in.fail(analyze_head(in, node).at, fmt::format("{} is defined twice", routine->name));
    Analysis there{.program = in.program, .reporter = in.reporter, .text = other->text};
    return in.reporter.note(analyze_head(there, other->node).at.first, "first here");
  }
  routine->text = in.text;
  routine->node = node;
  routine->is_procedure = node["is_procedure"].truth();
  routines.all.push_back(std::move(routine));
}

void lower_routine(Routines& routines, ScriptRoutine& routine) {
  if (routine.state != ScriptRoutine::State::Waiting) return;
  routine.state = ScriptRoutine::State::Open;
  Analysis in{.program = routines.program,
              .reporter = routines.reporter,
              .text = routine.text,
              .variables = nullptr,
              .symbols = nullptr,
              .series_are_variables = false,
              .routines = &routines};
  const std::size_t errors_before = routines.reporter.count();
  auto type = analyze_routine(in, routines, routine);
  const bool is_fine = type && routines.reporter.count() == errors_before;
  routine.state = is_fine ? ScriptRoutine::State::Done : ScriptRoutine::State::Refused;
  if (type) routine.type = std::move(*type);
}

}  // namespace isomer::program
