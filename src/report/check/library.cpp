// SPDX-License-Identifier: MIT
#include "report/check/library.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "level/library.h"
#include "report/picture/picture.h"

namespace isomer::report {
namespace {

using check::Consistent;
using check::LevelResult;
using check::Unknown;
using check::Violated;

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
