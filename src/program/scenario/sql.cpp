// SPDX-License-Identifier: MIT
// PostgreSQL's grammar does not know ?x, so it is given _x, of the same length, and the
// name is looked up among the symbols before columns.  A symbol takes its type from its
// first use, which for most is a parameter of the transaction called.
#include "program/scenario/sql.h"

#include <cctype>
#include <functional>

#include <fmt/format.h>

#include "program/machine/references.h"
#include "program/scenario/write.h"

namespace isomer::program {
namespace {

// A value of [values], without a type yet if it is a string.
ExpressionPtr given_value(ScenarioSql& sql, const TomlEntry& entry) {
  const TomlValue& value = entry.value;
  const bool is_string = value.kind == TomlValue::Kind::String;
  if (!is_string && value.kind != TomlValue::Kind::Literal) {
    sql.reporter.fail(value.at,
                      fmt::format("the value of ?{} must be a constant", entry.key));
    return broken(value.at);
  }
  return make_constant(Value::text(value.text), {}, value.at);
}

void add_symbol(ScenarioSql& sql, const std::string& name, Span at) {
  for (const OpenSymbol& open : sql.symbols)
    if (open.symbol.name == name) return;
  OpenSymbol open;
  open.symbol.name = name;
  open.symbol.at = at;
  if (sql.values != nullptr)
    for (const TomlEntry& entry : sql.values->entries)
      if (entry.key == name) open.given = given_value(sql, entry);
  sql.symbols.push_back(std::move(open));
}

// With _x for ?x outside of quotes.
SqlText with_symbols(ScenarioSql& sql, const ScenarioText& from, std::string_view prefix) {
  std::string text = std::string(prefix) + from.text;
  char quote = '\0';  // of the text or name that it is in
  for (std::size_t i = prefix.size(); i < text.size(); ++i) {
    if ((text[i] == '\'' || text[i] == '"') && (quote == '\0' || quote == text[i]))
      quote = quote == '\0' ? text[i] : '\0';
    if (text[i] != '?' || quote != '\0') continue;
    std::size_t end = i + 1;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
      ++end;
    if (end == i + 1) continue;
    text[i] = '_';
    add_symbol(sql, folded(text.substr(i + 1, end - i - 1)), from.at);
  }
  SqlText out(std::move(text), prefix.size(), from.inside.first);
  if (from.inside.last == 0) out.stand_at(from.at);
  return out;
}

Analysis analysis(ScenarioSql& sql, const SqlText& text) {
  return {.program = sql.program,
          .reporter = sql.reporter,
          .text = text,
          .variables = nullptr,
          .symbols = &sql.symbols};
}

const TransactionType* called_type(ScenarioSql& sql, const std::string& name, Span at) {
  std::vector<std::string> names;
  for (const TransactionType& type : sql.program.types) {
    if (type.name == name) return &type;
    names.push_back(type.name);
  }
  sql.reporter.fail(at,
                    fmt::format("there is no transaction '{}'{}", name, hint(name, names)));
  return nullptr;
}

}  // namespace

std::optional<Call> read_call(ScenarioSql& sql, const ScenarioText& from) {
  SqlText text = with_symbols(sql, from, "SELECT ");
  const auto statements = text.parse(sql.reporter);
  if (!statements) return std::nullopt;
  const SqlNode& list =
      statements->size() == 1 ? statements->front()["stmt"]["targetList"] : SqlNode::none();
  const SqlNode& node = list.item(0)["val"];
  if (list.items().size() != 1 || !node.is("FuncCall") || list.item(0).has("name") ||
      statements->front()["stmt"].has("fromClause")) {
    sql.reporter.fail(text.whole(), "expected a call such as withdraw(1, 100)");
    return std::nullopt;
  }
  const TransactionType* type =
      called_type(sql, node["funcname"].items().back().name(), text.at(node));
  if (type == nullptr) return std::nullopt;
  const auto& arguments = node["args"].items();
  if (arguments.size() != type->parameter_count) {
    sql.reporter.fail(text.at(node), fmt::format("{} takes {}, not {}", type->name,
                                                 counted(type->parameter_count, "argument"),
                                                 arguments.size()));
    sql.reporter.note(type->at.first, "defined here");
    return std::nullopt;
  }
  Call call;
  call.type = static_cast<std::uint32_t>(type - sql.program.types.data());
  // Transactions are known by their calls, and have their type's name in one spelling.
  call.text = sql_name(type->name) + from.text.substr(called_name(from.text).size());
  call.at = text.whole();
  Analysis in = analysis(sql, text);
  const FromScope nothing{.outer = nullptr, .sources = {}, .no_aggregates_in = "a call"};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ExpressionPtr argument =
        coerced(in, analyze_expression(in, nothing, arguments[i]), type->variables[i].type,
                Willing::Implicit);
    if (contains_query(*argument)) in.fail(argument->at, "a call cannot have a subquery");
    call.arguments.push_back(argument);
  }
  return call;
}

namespace {

// A source that is locked, here or in a subquery; null if there is none.
const Source* locked_source(const Select& query) {
  for (const Source& source : query.from)
    if (source.lock != Lock::None) return &source;
  const Source* out = nullptr;
  const std::function<void(const Expression&)> look = [&](const Expression& part) {
    if (part.query && out == nullptr) out = locked_source(*part.query);
    for (const ExpressionPtr& argument : part.arguments)
      look(*argument);
  };
  visit_parts(query, look);
  return out;
}

}  // namespace

SelectPtr read_invariant(ScenarioSql& sql, const ScenarioText& from) {
  SqlText text = with_symbols(sql, from, "");
  const auto statements = text.parse(sql.reporter);
  if (!statements) return nullptr;
  if (statements->size() != 1 || !statements->front()["stmt"].is("SelectStmt")) {
    sql.reporter.fail(text.whole(), "an invariant must be one SELECT");
    return nullptr;
  }
  Analysis in = analysis(sql, text);
  const std::size_t errors_before = sql.reporter.count();
  SelectPtr query = analyze_select(in, statements->front()["stmt"], nullptr);
  if (sql.reporter.count() != errors_before) return nullptr;
  if (const Source* source = locked_source(*query)) {
    in.fail(source->lock_at, "an invariant cannot lock rows");
    return nullptr;
  }
  for (const CommonTable& common : query->with)
    if (common.rows->change) {
      in.fail(common.rows->at, "an invariant cannot change rows");
      return nullptr;
    }
  if (query->columns.size() == 1 && query->columns[0]->type.kind == TypeKind::Bool)
    return query;
  in.fail(query->at, "an invariant must give one boolean column");
  return nullptr;
}

ExpressionPtr read_assumption(ScenarioSql& sql, const ScenarioText& from) {
  SqlText text = with_symbols(sql, from, "SELECT ");
  const auto statements = text.parse(sql.reporter);
  if (!statements) return nullptr;
  const SqlNode& select = statements->front()["stmt"];
  Analysis in = analysis(sql, text);
  if (statements->size() != 1 || select["targetList"].items().size() != 1 ||
      select.has("fromClause")) {
    in.fail(text.whole(), "an assumption must be one condition over ?x");
    return nullptr;
  }
  const FromScope nothing;
  ExpressionPtr out =
      analyze_condition(in, nothing, select["targetList"].item(0)["val"], "an assumption");
  if (contains_query(*out)) in.fail(out->at, "an assumption cannot have a subquery");
  return out;
}

}  // namespace isomer::program
