// SPDX-License-Identifier: MIT
#include "report/check/verdicts.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/wording.h"
#include "report/picture/picture.h"

namespace isomer::report {
namespace {

using check::AskedLevel;
using check::Consistent;
using check::LevelResult;
using check::Unknown;
using check::Violated;

std::string cell(const LevelResult& level) {
  if (std::holds_alternative<Consistent>(level.verdict)) return "ok";
  return std::holds_alternative<Violated>(level.verdict) ? "NO" : "?";
}

std::string strongest(const check::Result& result) {
  const std::vector<AskedLevel> allowed = check::strongest_allowed(result);
  std::vector<AskedLevel> asked;
  std::vector<AskedLevel> all_allowed;
  for (const LevelResult& level : result.levels) {
    asked.push_back(level.level);
    if (std::holds_alternative<Consistent>(level.verdict))
      all_allowed.push_back(level.level);
  }
  if (!allowed.empty() && !are_comparable(asked))
    return fmt::format("allowed: {}", list(all_allowed));
  const bool all = is_every_level(asked);
  if (allowed.empty())
    return is_any_undecided(result) ? ""
           : all                    ? "none of these is allowed"
                                    : "none is allowed";
  return fmt::format("strongest {}{} allowed: {}", all ? "levels" : "of these",
                     is_any_undecided(result) ? " known to be" : "", list(allowed));
}

std::string name_of(const AskedLevel& level) {
  return escape_html(printable(level.name, level_width_max));
}

std::string verdict_cell(const LevelResult& level) {
  const std::string title = escape_html(level.level.title);
  if (std::holds_alternative<check::Consistent>(level.verdict))
    return fmt::format("<td class=\"ok\" title=\"{} allows this\">ok</td>", title);
  if (const auto* unknown = std::get_if<check::Unknown>(&level.verdict))
    return fmt::format("<td class=\"unknown\" title=\"{}: {}\">?</td>", title,
                       escape_html(unknown->reason));
  return fmt::format("<td class=\"no\" title=\"{} does not allow this\">NO</td>", title);
}

// The weakest built-in levels that forbid the history.
std::vector<check::AskedLevel> weakest_forbidding(const check::Result& result) {
  std::vector<check::AskedLevel> forbidding;
  for (const check::LevelResult& level : result.levels)
    if (level.level.built_in && std::holds_alternative<check::Violated>(level.verdict))
      forbidding.push_back(level.level);
  std::vector<check::AskedLevel> out;
  for (const check::AskedLevel& level : forbidding)
    if (std::ranges::none_of(forbidding, [&](const check::AskedLevel& other) {
          return !(other == level) && check::is_stronger_or_equal(level, other);
        }))
      out.push_back(level);
  return out;
}

}  // namespace

bool is_any_undecided(const check::Result& result) {
  return std::any_of(result.levels.begin(), result.levels.end(), [](const LevelResult& l) {
    return std::holds_alternative<Unknown>(l.verdict);
  });
}

std::string verdict_text(const LevelResult& level, const Ink& ink) {
  const std::string text = cell(level);
  if (std::holds_alternative<Consistent>(level.verdict)) return ink.good(text);
  if (std::holds_alternative<Violated>(level.verdict)) return ink.bad(text);
  return ink.doubtful(text);
}

std::string verdict_table_text(const check::Result& result, const Ink& ink) {
  std::string names = " ";
  std::string cells = " ";
  for (const LevelResult& level : result.levels) {
    const std::string name = printable(level.level.name, level_width_max);
    const std::size_t width = std::max<std::size_t>(name.size(), 2);
    names += fmt::format(" {:<{}} ", name, width);
    cells += fmt::format(" {}{} ", verdict_text(level, ink),
                         std::string(width - cell(level).size(), ' '));
  }
  names.erase(names.find_last_not_of(' ') + 1);
  const std::string summary = strongest(result);
  if (summary.empty()) return fmt::format("{}\n{}\n", names, cells);
  return fmt::format("{}\n{}         {}\n", names, cells, summary);
}

std::string verdict_table_html(const check::Result& result) {
  std::string names;
  std::string cells;
  for (const LevelResult& level : result.levels) {
    names += fmt::format("<th title=\"{}\">{}</th>", escape_html(level.level.title),
                         name_of(level.level));
    cells += verdict_cell(level);
  }
  std::string out = fmt::format(
      "<table class=\"verdicts\"><tr>{}</tr>\n<tr>{}</tr></table>\n", names, cells);
  const std::vector<check::AskedLevel> strongest = check::strongest_allowed(result);
  if (strongest.empty()) return out;
  std::string names_of_strongest;
  for (const check::AskedLevel& level : strongest)
    names_of_strongest +=
        fmt::format("{}<b>{}</b> ({})", names_of_strongest.empty() ? "" : ", ",
                    name_of(level), escape_html(level.title));
  return out + fmt::format("<p>{} that allow it: {}</p>\n",
                           are_comparable(strongest) ? "Strongest levels" : "Levels",
                           names_of_strongest);
}

std::string prevention_text(const check::Result& result) {
  const std::vector<check::AskedLevel> weakest = weakest_forbidding(result);
  if (weakest.empty()) return {};
  if (weakest.front().built_in == check::Level::SER)
    return "Only SER forbids this history.";
  std::vector<std::string> names;
  for (const check::AskedLevel& level : weakest)
    names.push_back(level.name);
  return fmt::format("{} already {} this history, and so does every stronger level.",
                     fmt::join(names, " and "), names.size() == 1 ? "forbids" : "forbid");
}

}  // namespace isomer::report
