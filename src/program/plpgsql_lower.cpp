// SPDX-License-Identifier: MIT
// Blocks dissolve: inner variables become variables of the transaction, and their initial
// values assignments, so that a block inside a loop starts afresh each time.  CASE becomes
// IF, with its operand in a hidden variable.  What cannot happen in the representation is
// refused, never dropped; RAISE NOTICE is the one statement without effect on data.
#include "program/plpgsql_lower.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/plpgsql_declare.h"

namespace isomer::program {

SqlText sql_at(const Program& program, Span at, Span into) {
  std::string text = program.source.substr(at.first, at.last - at.first);
  for (std::size_t i = into.first; i < into.last; ++i)
    text[i - at.first] = ' ';
  return {std::move(text), 0, at.first};
}

SqlText expression_at(const Program& program, Span at) {
  constexpr std::string_view prefix = "SELECT ";
  return {std::string(prefix) + program.source.substr(at.first, at.last - at.first),
          prefix.size(), at.first};
}

namespace {

struct Loop {
  std::string label;
  bool is_block = false;
};

class Lowering {
 public:
  explicit Lowering(Routine& routine) : routine_(routine) {}

  Block lower_body(const PlStatement& body) {
    Block out;
    routine_.names.open_block(body.label);
    for (const PlDeclaration& declaration : body.declarations)
      declare(declaration, nullptr);
    lower_all(body.body, out);
    routine_.names.close_block();
    return out;
  }

 private:
  Analysis analysis(const SqlText& text) {
    return {.program = routine_.program,
            .reporter = routine_.reporter,
            .text = text,
            .variables = &routine_.names};
  }

  void fail(Span at, std::string message) {
    routine_.reporter.fail(at, std::move(message));
  }

  static Statement statement(Statement::Kind kind, Span at) {
    Statement out;
    out.kind = kind;
    out.at = at;
    return out;
  }

  // --- expressions ---

  // An expression of PL/pgSQL; null after a complaint.
  ExpressionPtr expression(Span at, const Type& target) {
    SqlText text = expression_at(routine_.program, at);
    const auto statements = text.parse(routine_.reporter);
    if (!statements) return nullptr;
    const SqlNode& select = statements->front()["stmt"];
    const SqlNode& targets = select["targetList"];
    if (statements->size() != 1 || targets.items().size() != 1 ||
        !select.is("SelectStmt")) {
      fail(at, "expected one expression");
      return nullptr;
    }
    Analysis in = analysis(text);
    const Scope nothing{
        .outer = nullptr, .sources = {}, .no_aggregates_in = "an expression"};
    ExpressionPtr value;
    if (select.has("fromClause")) {
      value = scalar(in, select, at);  // x := count(*) FROM t
    } else {
      refuse_clauses(select, at);
      value = analyze_expression(in, nothing, targets.item(0)["val"]);
    }
    if (target.kind == TypeKind::Any) return settled(in, value);
    return coerced(in, value, target, Willing::Assignment);
  }

  void refuse_clauses(const SqlNode& select, Span at) {
    for (const std::string_view field : {"whereClause", "groupClause", "sortClause",
                                         "limitCount", "havingClause", "distinctClause"})
      if (select.has(field)) return fail(at, "expected an expression, not a query");
  }

  ExpressionPtr scalar(Analysis& in, const SqlNode& select, Span at) {
    Expression out;
    out.kind = Expression::Kind::Scalar;
    out.at = at;
    const std::size_t errors_before = routine_.reporter.count();
    out.query = analyze_select(in, select, nullptr);
    if (routine_.reporter.count() != errors_before || out.query->columns.size() != 1)
      return broken(at);
    out.type = out.query->columns[0]->type;
    return make(std::move(out));
  }

  ExpressionPtr condition(Span at) {
    ExpressionPtr out = expression(at, {});
    if (out && !is_broken(*out) && out->type.kind != TypeKind::Bool) {
      fail(at, fmt::format("a condition must be boolean, not {}", to_text(out->type)));
      return nullptr;
    }
    return out;
  }

  // --- declarations ---

  // Of the outermost block if `out` is null.
  void declare(const PlDeclaration& declaration, Block* out) {
    Variable variable;
    variable.name = declaration.name;
    variable.at = declaration.at;
    variable.is_constant = declaration.is_constant;
    if (routine_.names.is_in_innermost(declaration.name))
      return fail(declaration.at, fmt::format("{} is declared twice", declaration.name));
    if (!set_declared_type(routine_, declaration.type, variable)) return;
    const bool is_record = variable.type.kind == TypeKind::Record;
    ExpressionPtr initial;
    if (!is_empty(declaration.initial)) {
      if (is_record) fail(declaration.at, "a record cannot have an initial value here");
      initial = expression(declaration.initial, variable.type);
    }
    if (out == nullptr) variable.initial = initial;
    const Type of = variable.type;
    const VariableId id = routine_.names.add(std::move(variable));
    if (out == nullptr) return;
    Statement reset = statement(Statement::Kind::Assign, declaration.at);
    reset.variable = id;
    reset.value = initial ? initial : make_constant({}, of, declaration.at);
    out->push_back(std::move(reset));
  }

  // --- statements ---

  void lower_all(const PlBlock& block, Block& out) {
    for (const PlStatement& s : block)
      lower(s, out);
  }

  Block lowered(const PlBlock& block) {
    Block out;
    lower_all(block, out);
    return out;
  }

  void lower(const PlStatement& s, Block& out) {
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
      case Kind::Exit:
      case Kind::Continue:
        return lower_leave(s, out);
      case Kind::Return:
        return lower_return(s, out);
      case Kind::Raise:
        return lower_raise(s, out);
      case Kind::Notice:
        for (const Span value : s.values)
          expression(value, {});
        return;
      case Kind::Assert:
        return lower_assert(s, out);
      case Kind::Perform:
      case Kind::Sql:
        return lower_sql(s, out);
      case Kind::Null:
        return;
    }
  }

  void lower_block(const PlStatement& s, Block& out) {
    routine_.names.open_block(s.label);
    loops_.push_back({.label = s.label, .is_block = true});
    for (const PlDeclaration& declaration : s.declarations)
      declare(declaration, &out);
    lower_all(s.body, out);
    loops_.pop_back();
    routine_.names.close_block();
  }

  void lower_assign(const PlStatement& s, Block& out) {
    const PlName& name = s.targets[0];
    const std::string words = fmt::format("{}", fmt::join(name.words, "."));
    const auto found = routine_.names.find(name.words);
    if (!found || found->lacks_field)
      return fail(name.at, fmt::format("there is no variable {}", words));
    const Variable& variable = routine_.names.variable(found->variable);
    if (variable.is_constant) return fail(name.at, fmt::format("{} is a constant", words));
    Statement assign = statement(Statement::Kind::Assign, s.at);
    assign.variable = found->variable;
    assign.field = found->field;
    const Type target = found->field ? variable.field_types[*found->field] : variable.type;
    assign.value = expression(s.value, target);
    out.push_back(std::move(assign));
  }

  // The branches from `index` on: IF .. ELSE (IF .. ELSE ..).
  Block chain(const PlStatement& s, std::size_t index,
              const std::vector<ExpressionPtr>& conditions, Statement::Kind otherwise) {
    Block out;
    if (index == s.branches.size()) {
      if (s.has_otherwise) return lowered(s.otherwise);
      if (otherwise == Statement::Kind::Raise) {
        Statement raise = statement(otherwise, s.at);
        raise.text = "case not found";
        raise.sqlstate = "20000";
        out.push_back(std::move(raise));
      }
      return out;
    }
    Statement branch = statement(Statement::Kind::If, s.at);
    branch.value = conditions[index];
    branch.body = lowered(s.branches[index].body);
    branch.otherwise = chain(s, index + 1, conditions, otherwise);
    out.push_back(std::move(branch));
    return out;
  }

  void append(Block& out, Block more) {
    std::move(more.begin(), more.end(), std::back_inserter(out));
  }

  void lower_if(const PlStatement& s, Block& out) {
    std::vector<ExpressionPtr> conditions;
    for (const PlBranch& branch : s.branches)
      conditions.push_back(condition(branch.conditions[0]));
    append(out, chain(s, 0, conditions, Statement::Kind::If));
  }

  void lower_case(const PlStatement& s, Block& out) {
    ExpressionPtr operand;
    if (!is_empty(s.value)) {
      const ExpressionPtr value = expression(s.value, {});
      if (!value) return;
      Statement assign = statement(Statement::Kind::Assign, s.at);
      assign.variable = routine_.names.add_hidden("case", value->type, value->at);
      assign.value = value;
      operand = make_variable(routine_.names, {.variable = assign.variable, .field = {}},
                              value->at);
      out.push_back(std::move(assign));
    }
    std::vector<ExpressionPtr> conditions;
    for (const PlBranch& branch : s.branches)
      conditions.push_back(case_condition(operand, branch));
    append(out, chain(s, 0, conditions, Statement::Kind::Raise));
  }

  ExpressionPtr case_condition(const ExpressionPtr& operand, const PlBranch& branch) {
    if (!operand) return condition(branch.conditions[0]);
    std::vector<ExpressionPtr> tests;
    for (const Span at : branch.conditions) {
      const ExpressionPtr value = comparable(at, operand->type);
      if (!value) return nullptr;
      const SqlText text = expression_at(routine_.program, at);
      Analysis in = analysis(text);
      tests.push_back(make_operator(in, "=", operand, value, at));
    }
    return tests.size() == 1
               ? tests[0]
               : make_call(Function::Or, std::move(tests), TypeKind::Bool, {});
  }

  // A value to compare with one of this type: literals take that type.
  ExpressionPtr comparable(Span at, const Type& with) {
    SqlText text = expression_at(routine_.program, at);
    const auto statements = text.parse(routine_.reporter);
    if (!statements) return nullptr;
    Analysis in = analysis(text);
    const Scope nothing{
        .outer = nullptr, .sources = {}, .no_aggregates_in = "an expression"};
    const ExpressionPtr value = analyze_expression(
        in, nothing, statements->front()["stmt"]["targetList"].item(0)["val"]);
    return is_untyped(*value) ? coerced(in, value, type(with.kind), Willing::Implicit)
                              : value;
  }

  Block loop_body(const PlStatement& s) {
    loops_.push_back({.label = s.label, .is_block = false});
    Block out = lowered(s.body);
    loops_.pop_back();
    return out;
  }

  void lower_while(const PlStatement& s, Block& out) {
    Statement loop = statement(Statement::Kind::While, s.at);
    loop.label = s.label;
    loop.value = s.kind == PlStatement::Kind::While
                     ? condition(s.value)
                     : make_constant(Value::boolean(true), type(TypeKind::Bool), s.at);
    routine_.names.open_block(s.label);
    loop.body = loop_body(s);
    routine_.names.close_block();
    out.push_back(std::move(loop));
  }

  void lower_range(const PlStatement& s, Block& out) {
    const Type integer = type(TypeKind::Int4);
    Statement loop = statement(Statement::Kind::ForRange, s.at);
    loop.label = s.label;
    loop.is_reverse = s.is_reverse;
    loop.value = expression(s.value, integer);
    loop.limit = expression(s.limit, integer);
    if (!is_empty(s.step)) loop.step = expression(s.step, integer);
    if (s.targets.size() != 1 || s.targets[0].words.size() != 1)
      return fail(s.targets[0].at, "a range needs one loop variable");
    routine_.names.open_block(s.label);
    Variable variable;
    variable.name = s.targets[0].words[0];
    variable.type = integer;
    variable.at = s.targets[0].at;
    loop.variable = routine_.names.add(std::move(variable));
    loop.body = loop_body(s);
    routine_.names.close_block();
    out.push_back(std::move(loop));
  }

  void lower_query_loop(const PlStatement& s, Block& out) {
    if (s.is_reverse) return fail(s.at, "REVERSE needs a range");
    SqlText text = sql_at(routine_.program, s.value);
    const auto statements = text.parse(routine_.reporter);
    if (!statements) return;
    const SqlNode& node = statements->front()["stmt"];
    if (!node.is("SelectStmt")) return fail(s.value, "only a SELECT can be looped over");
    Analysis in = analysis(text);
    const std::size_t errors_before = routine_.reporter.count();
    Select select = *analyze_select(in, node, nullptr);
    if (routine_.reporter.count() != errors_before) return;
    OutputColumns outputs{.columns = select.columns, .names = select.column_names};
    Statement loop = statement(Statement::Kind::ForQuery, s.at);
    loop.label = s.label;
    routine_.names.open_block(s.label);
    const bool is_reshaped = reshape_for_loop(routine_, s.targets[0], outputs);
    loop.targets = bind_targets(routine_, in, s, outputs);
    select.columns = std::move(outputs.columns);
    loop.query = std::make_shared<const Select>(std::move(select));
    loop.body = loop_body(s);
    routine_.names.close_block();
    if (is_reshaped) forget_shape(routine_, s.targets[0]);
    out.push_back(std::move(loop));
  }

  void lower_leave(const PlStatement& s, Block& out) {
    const bool is_exit = s.kind == PlStatement::Kind::Exit;
    Statement leave =
        statement(is_exit ? Statement::Kind::Exit : Statement::Kind::Continue, s.at);
    leave.label = s.label;
    if (!is_empty(s.value)) leave.value = condition(s.value);
    const auto loop = std::find_if(loops_.rbegin(), loops_.rend(), [&](const Loop& l) {
      return s.label.empty() ? !l.is_block : l.label == s.label;
    });
    if (loop == loops_.rend())
      return fail(s.at, s.label.empty()
                            ? fmt::format("{} stands outside any loop",
                                          is_exit ? "EXIT" : "CONTINUE")
                            : fmt::format("there is no loop {} around this", s.label));
    if (loop->is_block)
      return fail(s.at, "EXIT of a block is not supported; only of a loop");
    out.push_back(std::move(leave));
  }

  void lower_return(const PlStatement& s, Block& out) {
    Statement leave = statement(Statement::Kind::Return, s.at);
    if (is_empty(s.value)) {
      leave.value = output_value(routine_, s.at);
      if (!leave.value && routine_.result.kind != TypeKind::Any)
        return fail(s.at, "RETURN needs a value in this function");
    } else if (routine_.result.kind == TypeKind::Any || !routine_.outputs.empty()) {
      return fail(s.at, "RETURN cannot have a value here");
    } else {
      leave.value = expression(s.value, routine_.result);
    }
    out.push_back(std::move(leave));
  }

  void lower_assert(const PlStatement& s, Block& out) {
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

  void lower_raise(const PlStatement& s, Block& out);
  void lower_sql(const PlStatement& s, Block& out);

  Routine& routine_;
  std::vector<Loop> loops_;
};

// 'no % left of %': the values stand for %, and %% for itself; what is null is <NULL>.
void Lowering::lower_raise(const PlStatement& s, Block& out) {
  const Type text = type(TypeKind::Text);
  Statement raise = statement(Statement::Kind::Raise, s.at);
  raise.text = s.text;
  raise.sqlstate = s.sqlstate;
  std::vector<ExpressionPtr> parts;
  std::string literal;
  std::size_t used = 0;
  const auto add_literal = [&] {
    if (!literal.empty()) parts.push_back(make_constant(Value::text(literal), text, s.at));
    literal.clear();
  };
  for (std::size_t i = 0; i < s.text.size(); ++i) {
    const bool is_doubled = s.text[i] == '%' && s.text.substr(i + 1, 1) == "%";
    if (s.text[i] != '%' || is_doubled) {
      literal += s.text[i];
      i += is_doubled ? 1 : 0;
      continue;
    }
    if (used == s.values.size())
      return fail(s.at, "RAISE has too few values for its message");
    add_literal();
    const ExpressionPtr value = expression(s.values[used++], text);
    if (!value) return;
    parts.push_back(make_call(Function::Coalesce,
                              {value, make_constant(Value::text("<NULL>"), text, s.at)},
                              TypeKind::Text, value->at));
  }
  if (used != s.values.size())
    return fail(s.at, "RAISE has too many values for its message");
  if (used == 0) {
    raise.text = literal;
  } else {
    add_literal();
    raise.value = parts.size() == 1
                      ? parts[0]
                      : make_call(Function::Concat, std::move(parts), TypeKind::Text, s.at);
  }
  out.push_back(std::move(raise));
}

void Lowering::lower_sql(const PlStatement& s, Block& out) {
  const bool is_perform = s.kind == PlStatement::Kind::Perform;
  SqlText text = is_perform ? expression_at(routine_.program, s.value)
                            : sql_at(routine_.program, s.value, s.into);
  const auto statements = text.parse(routine_.reporter);
  if (!statements || statements->empty()) return;
  const SqlNode& node = statements->front()["stmt"];
  Analysis in = analysis(text);
  if (node.is("SelectStmt")) {
    if (!is_perform && s.targets.empty())
      return fail(s.at, "a query needs INTO here; use PERFORM to drop its rows");
    const std::size_t errors_before = routine_.reporter.count();
    Select select = *analyze_select(in, node, nullptr);
    if (routine_.reporter.count() != errors_before) return;
    OutputColumns outputs{.columns = select.columns, .names = select.column_names};
    Statement query = statement(Statement::Kind::Select, s.at);
    query.targets = bind_targets(routine_, in, s, outputs);
    select.columns = std::move(outputs.columns);
    query.query = std::make_shared<const Select>(std::move(select));
    return out.push_back(std::move(query));
  }
  AnalyzedChange change = node.is("InsertStmt")   ? analyze_insert(in, node)
                          : node.is("UpdateStmt") ? analyze_update(in, node)
                                                  : analyze_delete(in, node);
  if (s.targets.empty() && !change.returning.columns.empty())
    return fail(s.at, "RETURNING needs INTO here");
  if (!s.targets.empty() && change.returning.columns.empty())
    return fail(s.into, "INTO needs RETURNING here");
  const Targets targets = bind_targets(routine_, in, s, change.returning);
  change.statement.at = s.at;
  give_returning(change, targets);
  out.push_back(std::move(change.statement));
}

}  // namespace

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
