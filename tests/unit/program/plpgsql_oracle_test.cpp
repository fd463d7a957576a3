// SPDX-License-Identifier: MIT
// Our parser of PL/pgSQL finds as many statements of each kind as PostgreSQL's own does, in
// every function of the corpus and of the examples that libpg_query can read (it cannot
// read assignments to fields of records, among others).
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program/plpgsql/syntax.h"
#include "support/files.h"

namespace isomer::program {
namespace {

using Counts = std::map<std::string, int>;

std::string name_of(PlStatement::Kind kind) {
  using Kind = PlStatement::Kind;
  switch (kind) {
    case Kind::Begin:
      return "block";
    case Kind::Assign:
      return "assign";
    case Kind::If:
      return "if";
    case Kind::Case:
      return "case";
    case Kind::Loop:
      return "loop";
    case Kind::While:
      return "while";
    case Kind::ForRange:
      return "fori";
    case Kind::ForQuery:
      return "fors";
    case Kind::Exit:
    case Kind::Continue:
      return "exit";
    case Kind::Return:
      return "return";
    case Kind::Raise:
    case Kind::Notice:
      return "raise";
    case Kind::Assert:
      return "assert";
    case Kind::Call:
      return "call";
    case Kind::RowCount:
      return "getdiag";
    case Kind::Perform:
      return "perform";
    case Kind::Sql:
      return "execsql";
    case Kind::Null:
      return "";
  }
  return "";
}

void count_ours(const PlStatement& statement, Counts& counts) {
  if (const std::string name = name_of(statement.kind); !name.empty()) ++counts[name];
  for (const PlBranch& branch : statement.branches)
    for (const PlStatement& inner : branch.body)
      count_ours(inner, counts);
  for (const PlStatement& inner : statement.body)
    count_ours(inner, counts);
  for (const PlStatement& inner : statement.otherwise)
    count_ours(inner, counts);
  for (const PlHandler& handler : statement.handlers)
    for (const PlStatement& inner : handler.body)
      count_ours(inner, counts);
}

// What has no line was put in by PostgreSQL: the RETURN at the end.
void count_theirs(const nlohmann::json& node, Counts& counts) {
  constexpr std::string_view prefix = "PLpgSQL_stmt_";
  if (node.is_object())
    for (const auto& [key, value] : node.items()) {
      if (key.starts_with(prefix) && value.contains("lineno"))
        ++counts[key.substr(prefix.size())];
      count_theirs(value, counts);
    }
  else if (node.is_array())
    for (const auto& item : node)
      count_theirs(item, counts);
}

// The body between $$ and $$ in the statement at `piece`.
std::optional<Span> body_of(const std::string& source, Span piece) {
  const std::string text = source.substr(piece.first, piece.last - piece.first);
  const auto tokens = scan_sql(text);
  if (!tokens || text.find("plpgsql") == std::string::npos) return std::nullopt;
  for (const SqlToken& token : *tokens)
    if (text.substr(token.first, 2) == "$$")
      return Span{.first = piece.first + token.first + 2,
                  .last = piece.first + token.last - 2};
  return std::nullopt;
}

std::size_t compare_functions(const std::filesystem::path& file) {
  Program program;
  program.file = file;
  program.source = test::contents(file);
  Diagnostics errors;
  Reporter reporter(program, errors);
  std::size_t compared = 0;
  const Span whole{.first = 0, .last = static_cast<std::uint32_t>(program.source.size())};
  for (const Span piece : split_statements(program.source, whole, reporter)) {
    const auto body = body_of(program.source, piece);
    if (!body) continue;
    const auto theirs =
        parse_plpgsql_text(program.source.substr(piece.first, piece.last - piece.first));
    if (!theirs) continue;
    Counts expected;
    count_theirs(nlohmann::json::parse(*theirs), expected);
    Counts found;
    count_ours(parse_plpgsql(program.source, *body, reporter), found);
    EXPECT_EQ(found, expected) << file << " at byte " << piece.first;
    ++compared;
  }
  EXPECT_TRUE(errors.empty()) << render(errors);
  return compared;
}

TEST(PlpgsqlOracle, agrees_on_every_function) {
  std::size_t compared = 0;
  for (const std::filesystem::path& file : test::files_in(test::corpus / "sql", ".sql"))
    compared += compare_functions(file);
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ISOMER_SOURCE_DIR "/examples"))
    if (entry.path().extension() == ".sql") compared += compare_functions(entry.path());
  EXPECT_GE(compared, 5U);
}

}  // namespace
}  // namespace isomer::program
