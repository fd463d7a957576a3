// SPDX-License-Identifier: MIT
// Which column, variable or record field a name means.  As in PostgreSQL, a name that could
// be both a column and a PL/pgSQL variable is an error.
#include <algorithm>

#include <fmt/format.h>

#include "program/sql/analysis.h"

namespace isomer::program {
namespace {

struct FoundColumn {
  SourceId source;
  ColumnId column;
  std::uint32_t outer = 0;
  Type type;
  bool is_ambiguous = false;
};

bool is_merged(const FromSource& source, const std::string& name) {
  return std::find(source.merged.begin(), source.merged.end(), name) != source.merged.end();
}

// The columns of one query's FROM that words of length 1 or 2 can mean.
std::optional<FoundColumn> find_here(const Analysis& in, const FromScope& scope,
                                     const std::vector<std::string>& words) {
  std::optional<FoundColumn> found;
  for (std::size_t i = 0; i < scope.sources.size(); ++i) {
    const FromSource& source = scope.sources[i];
    const bool is_qualified = words.size() == 2;
    if (is_qualified ? source.alias != words[0] : is_merged(source, words[0])) continue;
    const Table& table = table_of(in, source);
    const auto column = find_column(table, words.back());
    if (!column) continue;
    if (found) {
      found->is_ambiguous = true;
      return found;
    }
    found = FoundColumn{.source = {static_cast<std::uint32_t>(i)},
                        .column = *column,
                        .outer = 0,
                        .type = table.columns[column->index].type};
  }
  return found;
}

std::optional<FoundColumn> find_column_named(const Analysis& in, const FromScope& scope,
                                             const std::vector<std::string>& words) {
  if (words.size() > 2) return std::nullopt;
  std::uint32_t outer = 0;
  for (const FromScope* s = &scope; s != nullptr; s = s->outer, ++outer) {
    if (auto found = find_here(in, *s, words)) {
      found->outer = outer;
      return found;
    }
  }
  return std::nullopt;
}

std::string spelled(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, "."));
}

std::vector<std::string> known_names(const Analysis& in, const FromScope& scope,
                                     const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const FromScope* s = &scope; s != nullptr; s = s->outer)
    for (const FromSource& source : s->sources)
      for (const Column& column : table_of(in, source).columns)
        if (words.size() == 1)
          out.push_back(column.name);
        else
          out.push_back(source.alias + "." + column.name);
  if (in.variables != nullptr && words.size() == 1)
    for (const std::string& name : in.variables->visible())
      out.push_back(name);
  return out;
}

void complain_unknown(Analysis& in, const FromScope& scope,
                      const std::vector<std::string>& words, Span at) {
  const std::string meant = hint(spelled(words), known_names(in, scope, words));
  if (words.size() == 2) {
    for (const FromScope* s = &scope; s != nullptr; s = s->outer)
      for (const FromSource& source : s->sources)
        if (source.alias == words[0])
          return in.fail(at,
                         fmt::format("{} has no column {}{}", words[0], words[1], meant));
    return in.fail(at,
                   fmt::format("there is no table or record {} here{}", words[0], meant));
  }
  const bool has_variables = in.variables != nullptr;
  in.fail(at, fmt::format("there is no column{} {}{}", has_variables ? " or variable" : "",
                          spelled(words), meant));
}

ExpressionPtr make_column(const FoundColumn& found, Span at) {
  Expression out;
  out.kind = Expression::Kind::Column;
  out.type = found.type;
  out.at = at;
  out.source = found.source;
  out.column = found.column;
  out.outer = found.outer;
  return make(std::move(out));
}

ExpressionPtr variable_or_complaint(Analysis& in, const VariableName& name,
                                    const std::vector<std::string>& words, Span at) {
  const Variable& variable = in.variables->variable(name.variable);
  if (!name.lacks_field) return make_variable(*in.variables, name, at);
  if (variable.fields.empty()) {
    in.fail(at, fmt::format("record {} has no columns yet: no SELECT INTO or FOR has "
                            "filled it before this",
                            variable.name));
    return broken(at);
  }
  in.fail(at, fmt::format("record {} has no field {}; it has {}", variable.name,
                          words.back(), fmt::join(variable.fields, ", ")));
  return broken(at);
}

ExpressionPtr symbol_named(Analysis& in, const std::string& name, Span at) {
  for (const OpenSymbol& open : *in.symbols) {
    if ("_" + open.symbol.name != name) continue;  // ?x is parsed as _x
    Expression out;
    out.kind = Expression::Kind::Symbol;
    out.type = open.symbol.type;
    out.at = at;
    out.name = open.symbol.name;
    out.value = open.symbol.value.value_or(Value());
    return make(std::move(out));
  }
  return nullptr;
}

ExpressionPtr found_word(const std::vector<std::string>& words, Span at) {
  if (words.size() != 1 || words[0] != "found") return nullptr;
  Expression out;
  out.kind = Expression::Kind::Found;
  out.type = type(TypeKind::Bool);
  out.at = at;
  return make(std::move(out));
}

}  // namespace

ExpressionPtr make_variable(const VariableNames& names, const VariableName& name, Span at) {
  const Variable& variable = names.variable(name.variable);
  Expression out;
  out.kind = Expression::Kind::Variable;
  out.type = name.field ? variable.field_types[*name.field] : variable.type;
  out.at = at;
  out.variable = name.variable;
  out.field = name.field;
  return make(std::move(out));
}

std::optional<ColumnId> find_column(const Table& table, std::string_view name) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == name) return ColumnId{static_cast<std::uint32_t>(i)};
  return std::nullopt;
}

namespace {

// From the first word of a.b.c to the last.
Span place_of_words(const Analysis& in, const SqlNode& node, std::size_t count) {
  const Span first = in.text.at(node);
  const auto& tokens = in.text.tokens();
  const auto place = static_cast<std::size_t>(node["location"].number());
  const SqlToken* token = in.text.token_at(place);
  if (token == nullptr || count < 2) return first;
  const auto index = static_cast<std::size_t>(token - tokens.data());
  return join(first,
              in.text.at(tokens[std::min(index + 2 * (count - 1), tokens.size() - 1)]));
}

ExpressionPtr ambiguous(Analysis& in, const std::vector<std::string>& words,
                        const VariableName* variable, Span at) {
  in.fail(at, variable == nullptr
                  ? fmt::format("{} is ambiguous: several tables have it", spelled(words))
                  : fmt::format("{} is ambiguous: it could be a variable or a column",
                                spelled(words)));
  if (variable != nullptr)
    in.reporter.note(in.variables->variable(variable->variable).at.first,
                     "the variable is declared here");
  return broken(at);
}

}  // namespace

ExpressionPtr analyze_column(Analysis& in, const FromScope& scope, const SqlNode& node) {
  std::vector<std::string> words;
  const Span at = place_of_words(in, node, node["fields"].items().size());
  for (const SqlNode& field : node["fields"].items()) {
    if (field.is("A_Star")) {
      in.fail(at, "* cannot stand here");
      return broken(at);
    }
    words.push_back(field.name());
  }
  if (in.symbols != nullptr && words.size() == 1)
    if (const ExpressionPtr symbol = symbol_named(in, words[0], at)) return symbol;
  const auto column = find_column_named(in, scope, words);
  std::optional<VariableName> variable;
  if (in.variables != nullptr) variable = in.variables->find(words);
  if (column && variable && !variable->lacks_field && !in.variables->columns_hide_variables)
    return ambiguous(in, words, &*variable, at);
  if (column && column->is_ambiguous) return ambiguous(in, words, nullptr, at);
  if (column) return make_column(*column, at);
  if (variable) return variable_or_complaint(in, *variable, words, at);
  if (in.variables != nullptr)
    if (const ExpressionPtr found = found_word(words, at)) return found;
  complain_unknown(in, scope, words, at);
  return broken(at);
}

}  // namespace isomer::program
