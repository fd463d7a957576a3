// SPDX-License-Identifier: MIT
// The rules of a database's level, each with the run that shows it.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "database/server_settings.h"
#include "report/database/told_schedule.h"

namespace isomer::report {
namespace {

using database::DatabaseLevel;

// Narrower than what terminals have, for words to be read.
constexpr std::size_t words_width = 92;

ScheduledRun scheduled(const RuleShown& shown) {
  return {.program = shown.rule.program,
          .steps = shown.run.steps,
          .order = {},
          .calls = shown.run.calls,
          .rows = shown.run.rows,
          .invariants = {},
          .has_places = false,
          .level = shown.level};
}

// SQLite's levels have one name each.
std::string title_of(const DatabaseLevel& level) {
  if (level.database != database::Database::Sqlite) return database::long_name(level);
  return level.is_immediate ? "transactions that begin with BEGIN IMMEDIATE"
                            : "transactions that begin with BEGIN, as usual";
}

std::string paragraph(std::string_view text, std::size_t width, std::size_t hang) {
  std::string out;
  for (const std::string& line : wrapped(text, width, hang))
    out += line + "\n";
  return out;
}

// Of its [database].
LevelShown set_up_of(const RuleShown& shown) {
  return {.name = database::short_name(shown.level),
          .level = shown.level,
          .settings = database::unusual_settings(
              database::server_kind(shown.rule.program, shown.level.database))};
}

std::string rule_text(const RuleShown& shown, std::size_t number,
                      const ScheduleTextOptions& options, const Ink& ink) {
  const std::size_t width = std::min(options.width, words_width);
  std::string title = paragraph(fmt::format("{}. {}", number, shown.rule.title), width, 3);
  title.pop_back();
  const std::string set_up = set_up_of(shown).text();
  return fmt::format("{}\n\n{}\n{}{}", ink.bold(title),
                     paragraph(shown.rule.words, width, 0),
                     set_up_of(shown).settings.empty() ? "" : fmt::format("{}\n\n", set_up),
                     schedule_table(scheduled(shown), options.width, ink));
}

}  // namespace

std::string database_list_text(std::span<const DatabaseLevel> levels, bool colour) {
  const Ink ink(colour);
  std::string out = fmt::format(
      "{}  {}\n", ink.bold("databases"),
      ink.dim("as they are: models of servers, statement by statement (run, explore)"));
  for (const DatabaseLevel& level : levels)
    out += fmt::format("  {:<16}  {}\n", database::short_name(level), title_of(level));
  return out;
}

std::string rules_text(const DatabaseLevel& level, std::span<const RuleShown> rules,
                       const ScheduleTextOptions& options) {
  const Ink ink(options.colour);
  std::string out =
      fmt::format("{}: {}\n\n", ink.bold(database::short_name(level)), title_of(level));
  out += paragraph(
      fmt::format("By these rules the model of {0} goes, which run and explore use at this "
                  "level. Below each is the smallest run that shows it, a column for each "
                  "session and time going down; it was just run on the model, and tests "
                  "hold it to {0} itself.",
                  database::name(level.database)),
      std::min(options.width, words_width), 0);
  for (std::size_t i = 0; i < rules.size(); ++i)
    out += fmt::format("\n{}", rule_text(rules[i], i + 1, options, ink));
  return out;
}

std::string rules_json(const DatabaseLevel& level, std::span<const RuleShown> rules) {
  Json list = Json::array();
  for (const RuleShown& shown : rules) {
    Json rule{{"title", shown.rule.title}, {"words", shown.rule.words}};
    for (const auto& [setting, value] : set_up_of(shown).settings)
      rule["settings"][setting] = value;
    rule["run"] = schedule_json(scheduled(shown));
    list.push_back(std::move(rule));
  }
  Json one{{"name", database::short_name(level)},
           {"framework", database::name(level.database)},
           {"title", title_of(level)},
           {"rules", std::move(list)}};
  return document_text({{"levels", Json::array({std::move(one)})}});
}

}  // namespace isomer::report
