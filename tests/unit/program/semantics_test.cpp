// SPDX-License-Identifier: MIT
// Every tests/corpus/program/semantics/NAME.sql is an application, and lines
//   -- call f(1, 'a') => ANSWER       a transaction, with constants for arguments
//   -- eval EXPRESSION => ANSWER      the same for RETURN (EXPRESSION)::text
// run one after the other, at each granularity.  The answers are PostgreSQL's own:
// tests/support/postgres_answers.py wrote them.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "program/sql/script.h"
#include "support/files.h"

namespace isomer::program {
namespace {

const std::filesystem::path folder = test::corpus / "program/semantics";

struct Line {
  std::string function;
  std::string arguments;  // "1, 'a'"
  std::string answer;
  std::string text;
};

struct Script {
  std::string application;  // with a function for each eval
  std::vector<Line> lines;
};

Script script_of(const std::string& name) {
  std::ifstream in(folder / (name + ".sql"));
  Script out;
  for (std::string line; std::getline(in, line);) {
    out.application += line + "\n";
    const std::size_t arrow = line.rfind(" =>");
    if (!line.starts_with("-- call ") && !line.starts_with("-- eval ")) continue;
    const std::string what = line.substr(8, arrow - 8);
    const std::string answer = arrow + 4 < line.size() ? line.substr(arrow + 4) : "";
    if (line.starts_with("-- call ")) {
      const std::size_t open = what.find('(');
      out.lines.push_back({what.substr(0, open),
                           what.substr(open + 1, what.size() - open - 2), answer, line});
      continue;
    }
    const std::string function = fmt::format("eval_{}", out.lines.size());
    out.application += fmt::format(
        "CREATE FUNCTION {}() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN ({})::text; "
        "END $$;\n",
        function, what);
    out.lines.push_back({function, "", answer, line});
  }
  return out;
}

// 1, -2.5, 'text' and NULL; parameters convert them.
std::vector<Value> constants(std::string_view text) {
  std::vector<Value> out;
  while (!text.empty()) {
    if (text.front() == '\'') {
      const std::size_t end = text.find('\'', 1);
      out.push_back(Value::text(std::string(text.substr(1, end - 1))));
      text.remove_prefix(end + 1);
    } else {
      const std::string word(text.substr(0, text.find(',')));
      out.push_back(word == "NULL" ? Value() : Value::text(word));
      text.remove_prefix(word.size());
    }
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(", ")));
  }
  return out;
}

std::string answer_of(const Program& program, const Line& line, Database& database,
                      Granularity granularity) {
  const auto type = std::find_if(
      program.types.begin(), program.types.end(),
      [&](const TransactionType& known) { return known.name == line.function; });
  if (type == program.types.end()) return "no such function";
  Call call;
  call.type = static_cast<std::uint32_t>(type - program.types.begin());
  const SerialRun run =
      run_serially(program, call, constants(line.arguments), database, granularity);
  if (const auto* aborts = std::get_if<Aborts>(&run.end))
    return fmt::format("ERROR {} {}", aborts->sqlstate, aborts->reason);
  if (const auto* fails = std::get_if<FailsAssert>(&run.end))
    return fmt::format("ERROR P0004 {}", fails->message);
  const Value& result = std::get<Commits>(run.end).result;
  const bool is_procedure = type->result.kind == TypeKind::Any;
  if (result.get_if<List>() != nullptr) return array_text(result);
  return is_procedure && result.is_null() ? "ok" : to_text(result);
}

using Case = std::pair<std::string, Granularity>;

class Semantics : public testing::TestWithParam<Case> {};

TEST_P(Semantics, are_those_of_postgres) {
  const auto& [name, granularity] = GetParam();
  const Script script = script_of(name);
  ASSERT_GE(script.lines.size(), 10U);
  const auto program = parse_sql(name + ".sql", script.application);
  ASSERT_TRUE(program) << render(program.error());
  Database database;
  for (const Line& line : script.lines)
    EXPECT_EQ(answer_of(*program, line, database, granularity), line.answer) << line.text;
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const std::filesystem::path& file : test::files_in(folder, ".sql"))
    for (const Granularity granularity :
         {Granularity::Row, Granularity::Table, Granularity::Field})
      out.emplace_back(file.stem(), granularity);
  return out;
}

std::string name_of(const testing::TestParamInfo<Case>& test) {
  static constexpr std::string_view words[] = {"row", "table", "field"};
  return fmt::format("{}_by_{}", test.param.first,
                     words[static_cast<std::size_t>(test.param.second)]);
}

INSTANTIATE_TEST_SUITE_P(Files, Semantics, testing::ValuesIn(cases()), name_of);

}  // namespace
}  // namespace isomer::program
