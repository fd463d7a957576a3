// SPDX-License-Identifier: MIT
#include "database/level_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "database/server_settings.h"
#include "program/scenario/scenario.h"

namespace isomer::database {
namespace {

constexpr std::string_view levels_mark = "levels: ";
constexpr std::string_view schedule_mark = "schedule: ";

// The comment at the beginning, line by line, without its license.
std::vector<std::string_view> heading_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (text.starts_with('#')) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(1, end - 1);
    if (line.starts_with(' ')) line.remove_prefix(1);
    if (!line.starts_with("SPDX")) out.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void add_heading(std::string_view line, LevelRule& rule,
                 std::vector<std::string>& schedule) {
  if (line.starts_with(levels_mark)) {
    rule.levels = words_of(line.substr(levels_mark.size()));
  } else if (line.starts_with(schedule_mark)) {
    schedule = words_of(line.substr(schedule_mark.size()));
  } else if (rule.title.empty()) {
    rule.title = line;
  } else if (!line.empty()) {
    if (!rule.words.empty()) rule.words += ' ';
    rule.words += line;
  }
}

// What the script of a type says, what [levels] says of it, or this level.
DatabaseLevel level_of(const program::Program& program, std::uint32_t type,
                       const DatabaseLevel& otherwise) {
  const std::string& own = program.types[type].level;
  if (!own.empty())
    if (const auto level =
            parse_level_name(fmt::format("{}:{}", name(otherwise.database), own)))
      return *level;
  for (const auto& [assigned, named] : program.levels.types)
    if (assigned == type)
      if (const auto level = parse_level_name(named)) return *level;
  return otherwise;
}

}  // namespace

Expected<LevelRule> read_rule(const RuleText& text) {
  LevelRule out;
  std::vector<std::string> schedule;
  for (const std::string_view line : heading_of(text.text))
    add_heading(line, out, schedule);
  Expected<program::Program> program =
      program::parse_scenario({text.file, text.text}, {text.tables.file, text.tables.text});
  if (!program) return tl::unexpected(program.error());
  out.program = std::move(*program);
  for (const std::string& name : schedule) {
    const auto& sessions = out.program.sessions;
    const auto found = std::ranges::find(sessions, name, &program::Session::name);
    if (found == sessions.end())
      return tl::unexpected(Diagnostics{
          diagnostic_of_file(text.file, "the schedule has no session '" + name + "'")});
    out.schedule.push_back(static_cast<SessionIndex>(found - sessions.begin()));
  }
  return out;
}

std::vector<LevelRule> rules_of(const DatabaseLevel& level) {
  std::vector<LevelRule> out;
  for (const RuleText& text : rule_texts()) {
    Expected<LevelRule> rule = read_rule(text);
    ISOMER_ASSERT(rule);
    if (std::ranges::find(rule->levels, short_name(level)) != rule->levels.end())
      out.push_back(std::move(*rule));
  }
  return out;
}

std::vector<BeginOptions> begin_options(const program::Program& program,
                                        const DatabaseLevel& level) {
  std::vector<BeginOptions> out;
  for (std::uint32_t i = 0; i < program.types.size(); ++i) {
    const DatabaseLevel own = level_of(program, i, level);
    out.push_back({.level = own.isolation,
                   .is_read_only = program.types[i].is_read_only,
                   .is_deferrable = program.types[i].is_deferrable,
                   .is_immediate = own.is_immediate});
  }
  return out;
}

Scenario scenario_at(const program::Program& program, const DatabaseLevel& level) {
  return {.program = program,
          .begin = begin_options(program, level),
          .server = server_kind(program, level.database)};
}

}  // namespace isomer::database
