// SPDX-License-Identifier: MIT
#include "database/server_settings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "database/level_name.h"

namespace isomer::database {
namespace {

struct SettingNames {
  Database database;
  std::string_view name;
  bool ServerKind::* place;
  std::array<std::string_view, 2> values;  // as usual, otherwise
};

constexpr std::array settings = {
    SettingNames{Database::Sqlite, "journal", &ServerKind::has_wal, {"rollback", "wal"}},
    SettingNames{
        Database::Sqlite, "busy_timeout", &ServerKind::fails_when_busy, {"true", "false"}},
    SettingNames{Database::MariaDb,
                 "snapshot_isolation",
                 &ServerKind::has_snapshot_isolation,
                 {"false", "true"}},
};

const SettingNames* find(std::string_view name) {
  const auto found = std::ranges::find(settings, name, &SettingNames::name);
  return found == settings.end() ? nullptr : &*found;
}

std::string unknown_setting(std::string_view word) {
  std::vector<std::string> known;
  std::vector<std::string> told;
  for (const SettingNames& of : settings) {
    known.emplace_back(of.name);
    told.push_back(fmt::format("{} ({})", of.name, name(of.database)));
  }
  const std::optional<std::string> meant = nearest(std::string(word), known);
  return fmt::format(
      "no database has a setting '{}'{}; there are {}", isomer::printable(word),
      meant ? fmt::format(", did you mean {}?", *meant) : "", fmt::join(told, ", "));
}

// In any case, as databases have it.
bool is_same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char left, unsigned char right) {
    return std::tolower(left) == std::tolower(right);
  });
}

std::string wrong_value(const SettingNames& of, std::string_view value) {
  if (is_same(value, of.values[0]) || is_same(value, of.values[1])) return {};
  const bool is_wait = of.place == &ServerKind::fails_when_busy;
  return fmt::format("{} is {} or {}, not '{}'{}", of.name, of.values[0], of.values[1],
                     isomer::printable(value),
                     is_wait ? "; the model has no clock, so nobody waits in vain" : "");
}

}  // namespace

std::string mistake_in_setting(Database database, std::string_view word,
                               std::string_view value) {
  const SettingNames* const of = find(word);
  if (of == nullptr) return unknown_setting(word);
  if (of->database != database)
    return fmt::format("{} is a setting of {}, not of {}", of->name, name(of->database),
                       name(database));
  return wrong_value(*of, value);
}

Diagnostics mistakes_in_settings(const program::Program& program) {
  Diagnostics out;
  const auto complain = [&](program::Span at, std::string message) {
    if (!message.empty())
      out.push_back(diagnostic_in(program, at.first, std::move(message)));
  };
  const auto level = parse_level_name(program.levels.by_default);
  for (const program::ServerSetting& setting : program.server_settings) {
    const SettingNames* const of = find(setting.name);
    if (of == nullptr)
      complain(setting.at, unknown_setting(setting.name));
    else if (level && level->database != of->database)
      complain(setting.at,
               mistake_in_setting(level->database, setting.name, setting.value));
    else
      complain(setting.value_at, wrong_value(*of, setting.value));
  }
  return out;
}

ServerKind server_kind(const program::Program& program, Database database) {
  ServerKind out{.database = database};
  for (const program::ServerSetting& setting : program.server_settings)
    if (const SettingNames* const of = find(setting.name);
        of != nullptr && of->database == database)
      out.*(of->place) = is_same(setting.value, of->values[1]);
  return out;
}

std::vector<std::pair<std::string, std::string>> unusual_settings(const ServerKind& kind) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const SettingNames& of : settings)
    if (kind.*(of.place)) out.emplace_back(of.name, of.values[1]);
  return out;
}

}  // namespace isomer::database
