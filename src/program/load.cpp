// SPDX-License-Identifier: MIT
#include "program/load.h"

#include <filesystem>
#include <fstream>

#include "program/litmus.h"
#include "program/scenario.h"
#include "program/sql_script.h"

namespace isomer::program {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t text_size_max = std::size_t{4} << 20U;

}  // namespace

Expected<std::string> read_program_file(const std::string& path) {
  const auto fail = [&](std::string message) {
    return tl::unexpected(Diagnostics{diagnostic_of_file(path, std::move(message))});
  };
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) return fail("there is no such file");
  if (fs::is_directory(status)) return fail("this is a directory");
  if (!fs::is_regular_file(status)) return fail("this is not a regular file");
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail("cannot read this file");
  std::string text(text_size_max + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return fail("cannot read this file");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > text_size_max) return fail("this is too large for a program");
  return text;
}

Expected<Program> load_program(const std::string& path) {
  const Expected<std::string> text = read_program_file(path);
  if (!text) return tl::unexpected(text.error());
  const std::string ending = fs::path(path).extension();
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
