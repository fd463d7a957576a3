// SPDX-License-Identifier: MIT
// DECLARE: the types of variables, written out or borrowed with %TYPE and %ROWTYPE.
#include <fmt/format.h>

#include "program/plpgsql/lowering.h"

namespace isomer::program {
namespace {

struct WrittenType {
  std::vector<std::string> words;  // t.c of t.c%TYPE
  std::string suffix;              // type, rowtype, or nothing
};

WrittenType written_type(std::string_view text, const std::vector<SqlToken>& tokens) {
  WrittenType out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word =
        text.substr(tokens[i].first, tokens[i].last - tokens[i].first);
    if (word == "%" && i + 1 < tokens.size())
      out.suffix = folded(
          text.substr(tokens[i + 1].first, tokens[i + 1].last - tokens[i + 1].first));
    if (word == "%") break;
    if (word != ".") out.words.push_back(folded(word));
  }
  return out;
}

const Table* find_table(const Program& program, const std::string& name) {
  for (const Table& table : program.tables)
    if (table.name == name) return &table;
  return nullptr;
}

bool set_row_type(Variable& variable, const Table& table) {
  variable.type = type(TypeKind::Record);
  variable.is_row_type = true;
  for (const Column& column : table.columns) {
    variable.fields.push_back(column.name);
    variable.field_types.push_back(column.type);
  }
  return true;
}

bool set_borrowed_type(Routine& routine, const WrittenType& written, Span at,
                       Variable& variable) {
  if (const auto other = routine.names.find(written.words); other && !other->lacks_field) {
    const Variable& from = routine.names.variable(other->variable);
    variable.type = other->field ? from.field_types[*other->field] : from.type;
    if (!other->field) variable.fields = from.fields;
    if (!other->field) variable.field_types = from.field_types;
    variable.is_row_type = !other->field && from.is_row_type;
    return true;
  }
  const std::size_t count = written.words.size();
  const Table* table =
      count < 2 ? nullptr : find_table(routine.program, written.words[count - 2]);
  const auto column =
      table == nullptr ? std::nullopt : find_column(*table, written.words.back());
  if (!column) {
    routine.reporter.fail(at, fmt::format("there is no column or variable {} for %TYPE",
                                          fmt::join(written.words, ".")));
    return false;
  }
  variable.type = table->columns[column->index].type;
  return true;
}

}  // namespace

bool Lowering::set_declared_type(Span at, Variable& variable) {
  const std::string text = routine.program.source.substr(at.first, at.last - at.first);
  const auto tokens = scan_sql(text);
  if (!tokens) return false;
  const WrittenType written = written_type(text, *tokens);
  if (written.words.size() == 1 && written.words[0] == "record" && written.suffix.empty()) {
    variable.type = type(TypeKind::Record);
    return true;
  }
  if (written.suffix == "type") return set_borrowed_type(routine, written, at, variable);
  const Table* table =
      written.words.empty() ? nullptr : find_table(routine.program, written.words.back());
  if (table != nullptr && (written.suffix == "rowtype" || tokens->size() == 1))
    return set_row_type(variable, *table);
  if (!written.suffix.empty()) {
    routine.reporter.fail(at, fmt::format("there is no table {} for %ROWTYPE",
                                          fmt::join(written.words, ".")));
    return false;
  }
  SqlText sql("SELECT NULL::" + text, std::string_view("SELECT NULL::").size(), at.first);
  const auto statements = sql.parse(routine.reporter);
  if (!statements) return false;
  const auto named = program::type_of(
      statements->front()["stmt"]["targetList"].item(0)["val"]["typeName"]);
  if (!named) routine.reporter.fail(at, named.error());
  if (named) variable.type = *named;
  return named.has_value();
}

}  // namespace isomer::program
