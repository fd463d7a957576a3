// SPDX-License-Identifier: MIT
#include "database/level_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isomer::database {
namespace {

struct DatabaseNames {
  Database database;
  std::string_view title;
  std::array<std::string_view, 2> prefixes;  // long, short; or the other way to call it
  std::size_t shown;                         // the prefix of short names
};

constexpr std::array databases = {
    DatabaseNames{Database::PostgreSql, "PostgreSQL", {"postgresql", "pg"}, 1},
    DatabaseNames{Database::MariaDb, "MariaDB", {"mariadb", "mysql"}, 0},
    DatabaseNames{Database::Sqlite, "SQLite", {"sqlite", "sqlite"}, 0},
};

struct LevelNames {
  DatabaseLevel level;
  std::string_view short_name;
  std::string_view long_name;
};

constexpr std::array levels = {
    LevelNames{{Database::PostgreSql, IsolationLevel::ReadCommitted, false},
               "RC",
               "READ COMMITTED"},
    LevelNames{{Database::PostgreSql, IsolationLevel::RepeatableRead, false},
               "RR",
               "REPEATABLE READ"},
    LevelNames{
        {Database::PostgreSql, IsolationLevel::Serializable, false}, "SER", "SERIALIZABLE"},
    LevelNames{{Database::MariaDb, IsolationLevel::ReadUncommitted, false},
               "RU",
               "READ UNCOMMITTED"},
    LevelNames{
        {Database::MariaDb, IsolationLevel::ReadCommitted, false}, "RC", "READ COMMITTED"},
    LevelNames{{Database::MariaDb, IsolationLevel::RepeatableRead, false},
               "RR",
               "REPEATABLE READ"},
    LevelNames{
        {Database::MariaDb, IsolationLevel::Serializable, false}, "SER", "SERIALIZABLE"},
    LevelNames{
        {Database::Sqlite, IsolationLevel::Serializable, false}, "DEFERRED", "DEFERRED"},
    LevelNames{
        {Database::Sqlite, IsolationLevel::Serializable, true}, "IMMEDIATE", "IMMEDIATE"},
};

const DatabaseNames& names_of(Database database) {
  return *std::ranges::find(databases, database, &DatabaseNames::database);
}

const LevelNames& names_of(const DatabaseLevel& level) {
  return *std::ranges::find(levels, level, &LevelNames::level);
}

// "read_Committed " as "READ COMMITTED".
std::string plain(std::string_view word) {
  std::string out;
  for (const char c : word) {
    const bool parts = c == ' ' || c == '_' || c == '-' || c == '\t';
    if (!parts)
      out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

// The database that a word starts with, and the rest behind the colon.
std::optional<std::pair<Database, std::string>> parts_of(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string first = plain(word.substr(0, colon));
  for (const DatabaseNames& known : databases)
    for (const std::string_view prefix : known.prefixes)
      if (plain(prefix) == first)
        return std::pair{known.database, plain(word.substr(colon + 1))};
  return std::nullopt;
}

std::string unknown_level(Database database, const std::string& word) {
  std::vector<std::string> known;
  for (const LevelNames& names : levels)
    if (names.level.database == database)
      known.push_back(
          names.short_name == names.long_name
              ? short_name(names.level)
              : fmt::format("{} ({})", short_name(names.level), names.long_name));
  return fmt::format(
      "{} has no level '{}'; it has {}{}", name(database), isomer::printable(word),
      fmt::join(known, ", "),
      database == Database::PostgreSql && (word == "RU" || word == "READ UNCOMMITTED")
          ? ", which is also what it does for READ UNCOMMITTED"
          : "");
}

// The words of [levels], with their places.
std::vector<std::pair<std::string, program::Span>> named_in(
    const program::LevelAssignment& given) {
  std::vector<std::pair<std::string, program::Span>> out;
  if (!given.by_default.empty()) out.emplace_back(given.by_default, given.default_at);
  for (std::size_t i = 0; i < given.types.size(); ++i)
    out.emplace_back(given.types[i].second, given.types_at[i]);
  return out;
}

}  // namespace

std::string_view name(Database database) {
  return names_of(database).title;
}

std::string short_name(const DatabaseLevel& level) {
  const DatabaseNames& of = names_of(level.database);
  return fmt::format("{}:{}", of.prefixes[of.shown], names_of(level).short_name);
}

std::string long_name(const DatabaseLevel& level) {
  return fmt::format("{}:{}", names_of(level.database).prefixes[0],
                     names_of(level).long_name);
}

std::vector<DatabaseLevel> database_levels() {
  std::vector<DatabaseLevel> out;
  for (const LevelNames& names : levels)
    out.push_back(names.level);
  return out;
}

bool names_database(std::string_view word) {
  return parts_of(word).has_value();
}

tl::expected<DatabaseLevel, std::string> parse_level_name(std::string_view word) {
  const auto parts = parts_of(word);
  if (!parts)
    return tl::unexpected(
        fmt::format("'{}' is no level of a database", isomer::printable(word)));
  for (const LevelNames& names : levels)
    if (names.level.database == parts->first &&
        (names.short_name == parts->second || names.long_name == parts->second))
      return names.level;
  return tl::unexpected(unknown_level(parts->first, parts->second));
}

Diagnostics mistakes_in_levels(const program::Program& program) {
  if (!has_database_levels(program)) return {};
  Diagnostics out;
  const auto complain = [&](program::Span at, std::string message) {
    out.push_back(diagnostic_in(program, at.first, std::move(message)));
  };
  std::optional<DatabaseLevel> first;
  const auto named = named_in(program.levels);
  for (const auto& [word, at] : named) {
    if (!names_database(word)) {
      complain(at, fmt::format("'{}' is no level of a database as the others of [levels] "
                               "are; all of them are, or none",
                               isomer::printable(word)));
      continue;
    }
    const auto level = parse_level_name(word);
    if (!level)
      complain(at, level.error());
    else if (!first)
      first = *level;
    else if (first->database != level->database)
      complain(at, fmt::format("a scenario has one database, not both {} and {}",
                               name(first->database), name(level->database)));
  }
  if (program.levels.by_default.empty())
    complain(named.front().second,
             "levels of a database need a default, for what has none of its own");
  if (!program.levels.serial.empty())
    complain(program.levels.serial_at,
             "serial means nothing beside levels of a database, which has no such promise");
  return out;
}

bool has_database_levels(const program::Program& program) {
  return std::ranges::any_of(named_in(program.levels),
                             [](const auto& named) { return names_database(named.first); });
}

}  // namespace isomer::database
