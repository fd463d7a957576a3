// SPDX-License-Identifier: MIT
#include "program/load.h"

#include <filesystem>

#include "base/text.h"
#include "program/litmus/litmus.h"
#include "program/scenario/scenario.h"
#include "program/sql/script.h"

namespace isomer::program {
namespace {

constexpr std::size_t text_size_max = std::size_t{4} << 20U;

}  // namespace

Expected<std::string> read_program_file(const std::string& path) {
  return read_text_file(path, text_size_max, "a program");
}

Expected<Program> load_program(const std::string& path) {
  const Expected<std::string> text = read_program_file(path);
  if (!text) return tl::unexpected(text.error());
  const std::string ending = std::filesystem::path(path).extension();
  if (ending == ".txn") return parse_litmus(path, *text);
  if (ending == ".toml") return parse_scenario(path, *text);
  const auto fail = [&](std::string message) {
    return tl::unexpected(Diagnostics{diagnostic_of_file(path, std::move(message))});
  };
  if (ending != ".sql")
    return fail(
        "a program is a .sql file (an application), a .toml file (a scenario of one) or a "
        ".txn file (a litmus program)");
  Expected<Program> program = parse_sql(path, *text);
  if (program && program->tables.empty() && program->types.empty())
    return fail("this application has no tables and no transactions");
  return program;
}

}  // namespace isomer::program
