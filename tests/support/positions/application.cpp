// SPDX-License-Identifier: MIT
#include "support/positions/application.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "program/scenario/scenario.h"

namespace isomer::positions {

namespace {

std::string text_of(const Query& query);

std::string_view name(Column column) {
  constexpr std::array<std::string_view, 3> names = {"id", "a", "b"};
  return names[static_cast<std::size_t>(column)];
}

std::string text_of(const Expression& expression) {
  switch (expression.kind) {
    case Expression::Kind::Constant:
      return positions::text_of(expression.constant);
    case Expression::Kind::Column:
      return std::string(name(expression.column));
    case Expression::Kind::Variable:
      return "x";
    case Expression::Kind::Plus:
      return fmt::format("{} + {}", text_of(expression.parts[0]),
                         text_of(expression.parts[1]));
    case Expression::Kind::Aggregate:
      return fmt::format("({})", text_of(*expression.query));
  }
  return {};
}

std::string text_of(const Comparison& comparison) {
  const std::string left = text_of(comparison.left);
  if (comparison.kind == Comparison::Kind::IsNull) return left + " IS NULL";
  constexpr std::array<std::string_view, 4> signs = {"=", "<>", "<", ">"};
  return fmt::format("{} {} {}", left, signs[static_cast<std::size_t>(comparison.kind)],
                     text_of(comparison.right));
}

std::string where(const Condition& condition) {
  std::string out;
  for (const Comparison& comparison : condition)
    out += (out.empty() ? " WHERE " : " AND ") + text_of(comparison);
  return out;
}

std::string_view aggregate(bool is_sum) {
  return is_sum ? "coalesce(sum(id * 10 + a), 0)" : "count(*)";
}

std::string text_of(const Query& query) {
  return fmt::format("SELECT {} FROM {}{}", aggregate(query.is_sum), name(query.table),
                     where(query.where));
}

std::string text_of_lock(const Statement& statement) {
  constexpr std::array<std::string_view, 4> strengths = {"KEY SHARE", "SHARE",
                                                         "NO KEY UPDATE", "UPDATE"};
  constexpr std::array<std::string_view, 3> ends = {"", " NOWAIT", " SKIP LOCKED"};
  return fmt::format(
      "x := 0; FOR r IN SELECT id, a, b FROM {}{} ORDER BY id{} FOR {}{} LOOP "
      "x := x + coalesce(r.a, 7); END LOOP;",
      name(statement.table), where(statement.where), statement.only_first ? " LIMIT 1" : "",
      strengths[static_cast<std::size_t>(statement.lock)],
      ends[static_cast<std::size_t>(statement.patience)]);
}

std::string text_of(const Statement& statement) {
  const std::string_view table = name(statement.table);
  switch (statement.kind) {
    case Statement::Kind::Select:
      return fmt::format("SELECT {} INTO x FROM {}{};", aggregate(statement.is_sum), table,
                         where(statement.where));
    case Statement::Kind::Lock:
      return text_of_lock(statement);
    case Statement::Kind::Insert:
      return fmt::format("INSERT INTO {} VALUES ({}, {}, {});", table,
                         text_of(statement.values[0]), text_of(statement.values[1]),
                         text_of(statement.values[2]));
    case Statement::Kind::Update:
      return fmt::format("UPDATE {} SET {} = {}{};", table, name(statement.column),
                         text_of(statement.value), where(statement.where));
    case Statement::Kind::Delete:
      return fmt::format("DELETE FROM {}{};", table, where(statement.where));
    case Statement::Kind::Advisory:
      return fmt::format("PERFORM pg_advisory_xact_lock{}({});",
                         statement.is_shared ? "_shared" : "", statement.number);
    case Statement::Kind::GiveUp:
      return "RAISE EXCEPTION 'no';";
  }
  return {};
}

std::string routine(const Transaction& transaction, const std::string& called) {
  std::string body;
  for (const Statement& statement : transaction.statements)
    body += statement.minimum ? fmt::format("  IF x > {} THEN {} END IF;\n",
                                            *statement.minimum, text_of(statement))
                              : fmt::format("  {}\n", text_of(statement));
  return fmt::format(
      "CREATE PROCEDURE {}() LANGUAGE plpgsql AS $$\nDECLARE x int := 0; r record;\n"
      "BEGIN\n{}END $$;\n",
      called, body);
}

}  // namespace

std::string text_of(const Number& number) {
  return number ? std::to_string(*number) : "NULL";
}

std::string_view name(Table table) {
  constexpr std::array<std::string_view, 3> names = {"t", "g", "c"};
  return names[static_cast<std::size_t>(table)];
}

std::optional<int> key_of(const Condition& condition) {
  for (const Comparison& comparison : condition)
    if (comparison.kind == Comparison::Kind::Equal &&
        comparison.left.kind == Expression::Kind::Column &&
        comparison.left.column == Column::Id &&
        comparison.right.kind == Expression::Kind::Constant)
      return comparison.right.constant;
  return std::nullopt;
}

ApplicationText text_of(const Application& application) {
  ApplicationText out;
  out.application = fmt::format(
      "CREATE TABLE t (id int PRIMARY KEY, a int, b int{});\n"
      "CREATE TABLE g (id int PRIMARY KEY, a int, b int);\n"
      "CREATE TABLE c (id int PRIMARY KEY, a int, b int{});\n",
      application.has_unique ? " UNIQUE" : "",
      application.has_foreign_key ? " REFERENCES t" : "");
  out.scenario = "[init]\nsql = \"\"\"\n";
  for (const auto& [table, rows] : application.rows)
    for (const Values& row : rows)
      out.scenario += fmt::format("INSERT INTO {} VALUES ({}, {}, {});\n", name(table),
                                  positions::text_of(row[0]), positions::text_of(row[1]),
                                  positions::text_of(row[2]));
  out.scenario += "\"\"\"\n";
  for (std::size_t session = 0; session < application.sessions.size(); ++session) {
    std::string calls;
    for (std::size_t i = 0; i < application.sessions[session].size(); ++i) {
      const std::string called = fmt::format("p{}{}", session, i);
      out.application += routine(application.sessions[session][i], called);
      calls += fmt::format("{}\"{}()\"", i == 0 ? "" : ", ", called);
    }
    out.scenario +=
        fmt::format("[[session]]\nname = \"s{}\"\ncalls = [{}]\n", session, calls);
  }
  return out;
}

program::Program program_of(const Application& application) {
  const ApplicationText text = text_of(application);
  auto program = program::parse_scenario(
      {.file = "scenario.toml", .text = "app = \"app.sql\"\n" + text.scenario},
      {.file = "app.sql", .text = text.application});
  if (!program) fmt::print(stderr, "{}\n{}", render(program.error()), text.application);
  ISOMER_ASSERT(program);
  return std::move(*program);
}

std::vector<database::BeginOptions> begin_options(const Application& application) {
  std::vector<database::BeginOptions> out;
  for (const auto& session : application.sessions)
    for (const Transaction& transaction : session)
      out.push_back({.level = transaction.level});
  return out;
}

}  // namespace isomer::positions
