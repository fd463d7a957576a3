// SPDX-License-Identifier: MIT
#include "report/check/verdicts.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "level/library.h"
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

// The same in words and on a page: a sentence, and the levels that it is about.
struct Group {
  std::string sentence;
  std::vector<const LevelResult*> levels;
};

template <class Verdict>
std::vector<const LevelResult*> levels_with(const check::Result& result) {
  std::vector<const LevelResult*> out;
  for (const LevelResult& level : result.library)
    if (std::holds_alternative<Verdict>(level.verdict)) out.push_back(&level);
  return out;
}

std::string none_allows(const check::Result& result) {
  if (levels_with<Violated>(result).size() < result.library.size()) return {};
  return fmt::format(
      "None of the {} levels of the library (isomer levels) allows it: these do not, and "
      "the others imply RC.",
      level::standard_levels().size());
}

std::vector<Group> groups(const check::Result& result) {
  if (result.library.empty()) return {};  // nobody asked them
  std::vector<Group> out;
  const auto allowing = levels_with<Consistent>(result);
  const auto forbidding = levels_with<Violated>(result);
  const auto open = levels_with<Unknown>(result);
  if (!allowing.empty())
    out.push_back({"These levels of the library (isomer levels) allow it:", allowing});
  if (std::string none = none_allows(result); !none.empty())
    out.push_back({std::move(none), forbidding});
  else if (!forbidding.empty())
    out.push_back({"These do not, nor do those that imply RC:", forbidding});
  if (!open.empty()) out.push_back({"Of these it was not decided:", open});
  return out;
}

std::string reason_of(const LevelResult& level) {
  if (const auto* violated = std::get_if<Violated>(&level.verdict))
    return fmt::format("{}", fmt::join(violated->axioms, ", "));
  if (const auto* unknown = std::get_if<Unknown>(&level.verdict)) return unknown->reason;
  return {};
}

std::string row_text(const LevelResult& level) {
  std::string out = fmt::format("  {:<13}{:<34}{}", level.level.name, level.level.title,
                                reason_of(level));
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string row_html(const LevelResult& level) {
  return fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td></tr>\n",
                     escape_html(level.level.name), escape_html(level.level.title),
                     escape_html(reason_of(level)));
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

std::string library_text(const check::Result& result) {
  std::string out;
  for (const Group& group : groups(result)) {
    out += fmt::format("\n{}\n", group.sentence);
    for (const LevelResult* level : group.levels)
      out += row_text(*level);
  }
  return out;
}

std::string library_html(const check::Result& result) {
  std::string out;
  for (const Group& group : groups(result)) {
    out += fmt::format("<p>{}</p>\n<table>\n", escape_html(group.sentence));
    for (const LevelResult* level : group.levels)
      out += row_html(*level);
    out += "</table>\n";
  }
  return out;
}

Json library_json(const check::Result& result) {
  if (result.library.empty()) return nullptr;
  Json out = Json::object();
  for (const LevelResult& level : result.library) {
    Json item{{"verdict", "ok"}, {"title", level.level.title}};
    if (const auto* violated = std::get_if<Violated>(&level.verdict)) {
      item["verdict"] = "violation";
      item["axioms"] = violated->axioms;
    } else if (const auto* unknown = std::get_if<Unknown>(&level.verdict)) {
      item["verdict"] = "unknown";
      item["reason"] = unknown->reason;
    }
    out[level.level.name] = std::move(item);
  }
  return out;
}

}  // namespace isomer::report
