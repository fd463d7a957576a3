// SPDX-License-Identifier: MIT
// A scenario's strings are SQL.  The source of the program is the application's text
// followed by the scenario's, so that complaints about either, and about SQL inside TOML,
// have their true places.
#include "program/scenario.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "program/draw.h"
#include "program/initial_rows.h"
#include "program/load.h"
#include "program/scenario_sql.h"
#include "program/sql_script.h"
#include "program/toml_text.h"

namespace isomer::program {
namespace {

using Names = std::vector<std::string>;

class ScenarioReader {
 public:
  ScenarioReader(Program& program, Reporter& reporter, const TomlValue& root,
                 std::size_t first)
      : program_(program),
        reporter_(reporter),
        root_(root),
        sql_{.program = program, .reporter = reporter, .symbols = {}, .values = nullptr},
        first_(static_cast<std::uint32_t>(first)) {}

  void read() {
    check_keys(
        root_, "the scenario",
        {"app", "init", "session", "values", "assume", "invariant", "levels", "workload"});
    sql_.values = table("values");
    shift_values();
    read_sessions();
    read_invariants();
    read_assumptions();
    read_initial_state();
    read_levels();
    read_workload();
    check_values();
    for (OpenSymbol& open : sql_.symbols)
      program_.symbols.push_back(std::move(open.symbol));
  }

 private:
  [[nodiscard]] Span here(Span at) const {
    return {.first = at.first + first_, .last = at.last + first_};
  }

  void fail(Span at, std::string message) { reporter_.fail(here(at), std::move(message)); }

  void check_keys(const TomlValue& of, std::string_view where, const Names& known) {
    for (const TomlEntry& entry : of.entries) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      fail(entry.at, fmt::format("{} has no key '{}'{} (it knows {})", where, entry.key,
                                 hint(entry.key, known), fmt::join(known, ", ")));
    }
  }

  // A section, which must be a table; null if it is not there.
  const TomlValue* table(std::string_view name) {
    const TomlValue* found = root_.find(name);
    if (found == nullptr || found->kind == TomlValue::Kind::Table) return found;
    fail(found->at, fmt::format("[{}] must be a table", name));
    return nullptr;
  }

  bool expect(const TomlValue& value, TomlValue::Kind kind, std::string_view what) {
    if (value.kind == kind) return true;
    fail(value.at, fmt::format("{} must be {}", what,
                               kind == TomlValue::Kind::String ? "a string" : "a list"));
    return false;
  }

  // SQL in a string, with its place in the source.
  [[nodiscard]] ScenarioText sql_text(const TomlValue& string) const {
    return {.text = string.text,
            .at = here(string.at),
            .inside = string.inside.last == 0 ? Span{} : here(string.inside)};
  }

  void shift_values() {
    if (sql_.values == nullptr) return;
    values_ = *sql_.values;
    for (TomlEntry& entry : values_.entries) {
      entry.at = here(entry.at);
      entry.value.at = here(entry.value.at);
    }
    sql_.values = &values_;
  }

  // --- sessions ---

  void read_sessions() {
    const TomlValue* sessions = root_.find("session");
    if (sessions == nullptr) return;
    if (!expect(*sessions, TomlValue::Kind::Array, "[[session]]")) return;
    for (const TomlValue& session : sessions->items)
      read_session(session);
  }

  void read_session(const TomlValue& from) {
    if (from.kind != TomlValue::Kind::Table)
      return fail(from.at, "a session must be a table");
    check_keys(from, "[[session]]", {"name", "calls"});
    Session session;
    session.name = fmt::format("s{}", program_.sessions.size() + 1);
    if (const TomlValue* name = from.find("name")) {
      if (!expect(*name, TomlValue::Kind::String, "the session's name")) return;
      session.name = name->text;
      for (const Session& other : program_.sessions)
        if (other.name == session.name)
          fail(name->at, fmt::format("there are two sessions '{}'", session.name));
    }
    const TomlValue* calls = from.find("calls");
    if (calls == nullptr) return fail(from.at, "a session needs calls = [..]");
    if (!expect(*calls, TomlValue::Kind::Array, "calls")) return;
    for (const TomlValue& call : calls->items)
      if (expect(call, TomlValue::Kind::String, "a call"))
        if (auto parsed = read_call(sql_, sql_text(call)))
          session.calls.push_back(std::move(*parsed));
    program_.sessions.push_back(std::move(session));
  }

  // --- conditions ---

  void read_invariants() {
    const TomlValue* section = table("invariant");
    if (section == nullptr) return;
    for (const TomlEntry& entry : section->entries)
      if (expect(entry.value, TomlValue::Kind::String, "an invariant"))
        if (SelectPtr query = read_invariant(sql_, sql_text(entry.value)))
          program_.invariants.push_back({.name = entry.key,
                                         .query = std::move(query),
                                         .assert = nullptr,
                                         .text = entry.value.text});
  }

  void read_assumptions() {
    const TomlValue* section = table("assume");
    if (section == nullptr) return;
    for (const TomlEntry& entry : section->entries)
      if (expect(entry.value, TomlValue::Kind::String, "an assumption"))
        if (ExpressionPtr condition = read_assumption(sql_, sql_text(entry.value)))
          program_.assumptions.push_back({.name = entry.key,
                                          .condition = std::move(condition),
                                          .text = entry.value.text});
  }

  void read_initial_state() {
    const TomlValue* section = table("init");
    if (section == nullptr) return;
    check_keys(*section, "[init]", {"sql", "assume"});
    if (const TomlValue* sql = section->find("sql")) {
      if (!expect(*sql, TomlValue::Kind::String, "init.sql")) return;
      if (sql->inside.last == 0 && !sql->text.empty())
        return fail(sql->at, "init.sql cannot have escapes; write it between ''' and '''");
      if (!sql->text.empty()) add_initial_rows(program_, here(sql->inside), reporter_);
    }
    const TomlValue* assumed = section->find("assume");
    if (assumed == nullptr || !expect(*assumed, TomlValue::Kind::Array, "init.assume"))
      return;
    for (const TomlValue& name : assumed->items)
      read_initial_invariant(name);
  }

  void read_initial_invariant(const TomlValue& name) {
    if (!expect(name, TomlValue::Kind::String, "the name of an invariant")) return;
    Names known;
    for (std::uint32_t i = 0; i < program_.invariants.size(); ++i) {
      if (program_.invariants[i].name == name.text)
        return program_.initial_invariants.push_back(i);
      known.push_back(program_.invariants[i].name);
    }
    fail(name.at,
         fmt::format("there is no invariant '{}'{}", name.text, hint(name.text, known)));
  }

  // --- levels ---

  std::optional<std::uint32_t> type_named(const std::string& name, Span at) {
    Names known;
    for (std::uint32_t i = 0; i < program_.types.size(); ++i) {
      if (program_.types[i].name == name) return i;
      known.push_back(program_.types[i].name);
    }
    fail(at, fmt::format("there is no transaction '{}'{}", name, hint(name, known)));
    return std::nullopt;
  }

  void read_levels() {
    const TomlValue* section = table("levels");
    if (section == nullptr) return;
    for (const TomlEntry& entry : section->entries) {
      if (entry.key == "serial") {
        read_serial(entry.value);
      } else if (expect(entry.value, TomlValue::Kind::String, "a level")) {
        if (entry.key == "default")
          program_.levels.by_default = entry.value.text;
        else if (const auto type = type_named(entry.key, entry.at))
          program_.levels.types.emplace_back(*type, entry.value.text);
      }
    }
  }

  void read_serial(const TomlValue& groups) {
    if (!expect(groups, TomlValue::Kind::Array, "levels.serial")) return;
    for (const TomlValue& group : groups.items) {
      if (!expect(group, TomlValue::Kind::Array, "each item of levels.serial")) return;
      std::vector<std::uint32_t> types;
      for (const TomlValue& name : group.items)
        if (expect(name, TomlValue::Kind::String, "a transaction"))
          if (const auto type = type_named(name.text, name.at)) types.push_back(*type);
      program_.levels.serial.push_back(std::move(types));
    }
  }

  // --- workload ---

  void read_workload() {
    const TomlValue* section = table("workload");
    if (section == nullptr) return;
    for (const TomlEntry& entry : section->entries) {
      const auto type = type_named(entry.key, entry.at);
      if (!type) continue;
      if (entry.value.kind != TomlValue::Kind::Table) {
        fail(entry.value.at, "expected { weight = N, args = [..] }");
        continue;
      }
      check_keys(entry.value, "[workload]", {"weight", "args"});
      WorkloadType drawn{.type = *type, .weight = 0, .arguments = {}, .at = here(entry.at)};
      if (read_weight(entry, drawn) && read_draws(entry, drawn))
        program_.workload.push_back(std::move(drawn));
    }
  }

  bool read_weight(const TomlEntry& entry, WorkloadType& drawn) {
    constexpr std::uint32_t weight_max = 1'000'000;
    const TomlValue* weight = entry.value.find("weight");
    const char* end =
        weight == nullptr ? nullptr : weight->text.data() + weight->text.size();
    const bool is_number =
        weight != nullptr && weight->kind == TomlValue::Kind::Literal &&
        std::from_chars(weight->text.data(), end, drawn.weight).ptr == end;
    if (is_number && drawn.weight <= weight_max) return true;
    fail(weight == nullptr ? entry.at : weight->at,
         fmt::format("expected weight = N, a number from 0 to {}", weight_max));
    return false;
  }

  bool read_draws(const TomlEntry& entry, WorkloadType& drawn) {
    const TomlValue* arguments = entry.value.find("args");
    if (arguments != nullptr && !expect(*arguments, TomlValue::Kind::Array, "args"))
      return false;
    const std::size_t given = arguments == nullptr ? 0 : arguments->items.size();
    const std::uint32_t wanted = program_.types[drawn.type].parameter_count;
    if (given != wanted) {
      fail(arguments == nullptr ? entry.at : arguments->at,
           fmt::format("{} takes {} arguments, found {}", entry.key, wanted, given));
      return false;
    }
    for (std::size_t i = 0; i < given; ++i) {
      const TomlValue& text = arguments->items[i];
      if (!expect(text, TomlValue::Kind::String, "an argument")) return false;
      auto draw = parse_draw(text.text, drawn.arguments);
      if (!draw) {
        const bool is_in_place = text.inside.last != 0;
        const std::uint32_t first =
            is_in_place
                ? text.inside.first + static_cast<std::uint32_t>(draw.error().offset)
                : text.at.first;
        fail({.first = first, .last = text.at.last}, draw.error().message);
        return false;
      }
      drawn.arguments.push_back(std::move(*draw));
    }
    return true;
  }

  void check_values() {
    for (const TomlEntry& entry : values_.entries) {
      const bool is_used = std::any_of(
          sql_.symbols.begin(), sql_.symbols.end(),
          [&](const OpenSymbol& open) { return open.symbol.name == entry.key; });
      if (!is_used) reporter_.fail(entry.at, fmt::format("nothing uses ?{}", entry.key));
    }
  }

  Program& program_;
  Reporter& reporter_;
  const TomlValue& root_;
  ScenarioSql sql_;
  TomlValue values_;
  std::uint32_t first_;
};

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

}  // namespace

Expected<Program> parse_scenario(std::string_view file, std::string_view text) {
  const auto root = parse_toml(text);
  if (!root)
    return tl::unexpected(
        Diagnostics{diagnostic_at(file, text, root.error().offset, root.error().message)});
  const Expected<std::string> path = application_path(file, text, *root);
  if (!path) return tl::unexpected(path.error());
  const Expected<std::string> application = read_program_file(*path);
  if (!application) return tl::unexpected(application.error());
  Program program;
  program.file = std::string(file);
  program.name = std::filesystem::path(file).stem();
  program.source = *application + std::string(text);
  const auto first = static_cast<std::uint32_t>(application->size());
  program.files = {{.name = *path, .first = 0}, {.name = program.file, .first = first}};
  Diagnostics errors;
  Reporter reporter(program, errors);
  add_sql(program, {.first = 0, .last = first}, reporter);
  if (errors.empty()) ScenarioReader(program, reporter, *root, first).read();
  reporter.sort();
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return program;
}

}  // namespace isomer::program
