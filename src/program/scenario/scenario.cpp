// SPDX-License-Identifier: MIT
// A scenario's strings are SQL.  The source of the program is the application's text
// followed by the scenario's, so that complaints about either, and about SQL inside TOML,
// have their true places.
#include "program/scenario/scenario.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "program/load.h"
#include "program/scenario/reader.h"
#include "program/sql/script.h"

namespace isomer::program {

void ScenarioReader::read() {
  check_keys(root_, "the scenario",
             {"app", "init", "session", "values", "assume", "invariant", "levels",
              "database", "workload"});
  sql_.values = table("values");
  shift_values();
  read_sessions();
  read_invariants();
  read_assumptions();
  read_initial_state();
  read_levels();
  read_server_settings();
  read_workload();
  check_values();
  for (OpenSymbol& open : sql_.symbols)
    program_.symbols.push_back(std::move(open.symbol));
}

void ScenarioReader::check_keys(const TomlValue& of, std::string_view where,
                                const Names& known) {
  for (const TomlEntry& entry : of.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    fail(entry.at, fmt::format("{} has no key '{}'{} (it knows {})", where, entry.key,
                               hint(entry.key, known), fmt::join(known, ", ")));
  }
}

const TomlValue* ScenarioReader::table(std::string_view name) {
  const TomlValue* found = root_.find(name);
  if (found == nullptr || found->kind == TomlValue::Kind::Table) return found;
  fail(found->at, fmt::format("[{}] must be a table", name));
  return nullptr;
}

bool ScenarioReader::expect(const TomlValue& value, TomlValue::Kind kind,
                            std::string_view what) {
  if (value.kind == kind) return true;
  fail(value.at, fmt::format("{} must be {}", what,
                             kind == TomlValue::Kind::String ? "a string" : "a list"));
  return false;
}

void ScenarioReader::shift_values() {
  if (sql_.values == nullptr) return;
  values_ = *sql_.values;
  for (TomlEntry& entry : values_.entries) {
    entry.at = here(entry.at);
    entry.value.at = here(entry.value.at);
  }
  sql_.values = &values_;
}

void ScenarioReader::check_values() {
  for (const TomlEntry& entry : values_.entries) {
    const bool is_used =
        std::any_of(sql_.symbols.begin(), sql_.symbols.end(),
                    [&](const OpenSymbol& open) { return open.symbol.name == entry.key; });
    if (!is_used) reporter_.fail(entry.at, fmt::format("nothing uses ?{}", entry.key));
  }
}

namespace {

// The path of the application, from the scenario's folder.
Expected<std::string> application_path(std::string_view file, std::string_view text,
                                       const TomlValue& root) {
  const TomlValue* app = root.find("app");
  const auto fail = [&](std::size_t at, std::string message) {
    return tl::unexpected(Diagnostics{diagnostic_at(file, text, at, std::move(message))});
  };
  if (app == nullptr) return fail(0, "a scenario needs app = \"FILE.sql\"");
  if (app->kind != TomlValue::Kind::String)
    return fail(app->at.first, "app must be a string");
  const std::string path =
      (std::filesystem::path(file).parent_path() / app->text).lexically_normal();
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return fail(app->at.first, fmt::format("there is no application '{}'", path));
  return path;
}

Expected<TomlValue> read_toml(const NamedText& scenario) {
  auto root = parse_toml(scenario.text);
  if (root) return std::move(*root);
  return tl::unexpected(Diagnostics{diagnostic_at(
      scenario.file, scenario.text, root.error().offset, root.error().message)});
}

Expected<Program> read_scenario(const NamedText& scenario, const TomlValue& root,
                                const NamedText& application) {
  Program program;
  program.file = std::string(scenario.file);
  program.name = std::filesystem::path(scenario.file).stem();
  program.source = std::string(application.text) + std::string(scenario.text);
  const auto first = static_cast<std::uint32_t>(application.text.size());
  program.files = {{.name = std::string(application.file), .first = 0},
                   {.name = program.file, .first = first}};
  Diagnostics errors;
  Reporter reporter(program, errors);
  add_sql(program, {.first = 0, .last = first}, reporter);
  if (errors.empty()) ScenarioReader(program, reporter, root, first).read();
  reporter.sort();
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return program;
}

}  // namespace

Expected<Program> parse_scenario(const NamedText& scenario, const NamedText& application) {
  const Expected<TomlValue> root = read_toml(scenario);
  if (!root) return tl::unexpected(root.error());
  return read_scenario(scenario, *root, application);
}

Expected<Program> parse_scenario(std::string_view file, std::string_view text) {
  const Expected<TomlValue> root = read_toml({file, text});
  if (!root) return tl::unexpected(root.error());
  const Expected<std::string> path = application_path(file, text, *root);
  if (!path) return tl::unexpected(path.error());
  const Expected<std::string> application = read_program_file(*path);
  if (!application) return tl::unexpected(application.error());
  return read_scenario({file, text}, *root, {*path, *application});
}

}  // namespace isomer::program
