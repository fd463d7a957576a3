// SPDX-License-Identifier: MIT
#include "report/advise/words.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/scenario/write.h"
#include "report/check/wording.h"

namespace isomer::report {

using audit::Advice;
using audit::Change;
using audit::Verdict;

std::string question_text(const Advised& advised) {
  return fmt::format("{}, any number of each; {} {}; cycles of up to {} transactions",
                     counted(advised.program.types.size(), "transaction type"),
                     advised.offer.names.size() == 1 ? "level" : "levels",
                     fmt::join(advised.offer.names, ", "), advised.options.cycle_max);
}

std::string unchanged_text(const Advised& advised) {
  const audit::Result& result = advised.result.unchanged;
  const std::string& cheapest = advised.offer.names.front();
  if (result.verdict == Verdict::Unknown)
    return fmt::format(
        "With {} for all types it is not known whether there are anomalies: {}", cheapest,
        result.unknown);
  if (result.anomalies.empty())
    return fmt::format("Nothing has to be changed: {} for all types has no anomalies ({}).",
                       cheapest, support_text(result));
  const std::size_t count = result.anomalies.size();
  return fmt::format(
      "If nothing is changed, with {} for all types, audit finds {}:", cheapest,
      count == 1 ? "1 anomaly" : fmt::format("{} anomalies", count));
}

std::string price_text(const Advised& advised, const Advice& advice) {
  return fmt::format("{} of {} changed, price {}", advice.price.changed,
                     counted(advised.program.types.size(), "type"), advice.price.sum);
}

std::string price_list_text(const audit::Offer& offer) {
  std::vector<std::string> prices;
  for (std::size_t i = 0; i < offer.names.size(); ++i)
    prices.push_back(fmt::format("{} {}", offer.names[i], i));
  return fmt::format("Fewest types changed first, then the lowest sum of prices ({}).",
                     fmt::join(prices, ", "));
}

std::string pair_text(const Advised& advised, const std::vector<std::uint32_t>& types) {
  return fmt::format("{} with {}", advised.program.types[types.front()].name,
                     advised.program.types[types.back()].name);
}

std::string need_text(const Advised& advised, const Advice& advice, const Change& change) {
  const audit::Anomaly& without = change.without;
  const bool is_involved = std::ranges::all_of(change.types, [&](std::uint32_t type) {
    return std::ranges::any_of(
        without.transactions,
        [&](const audit::AnomalyTransaction& of) { return of.type == type; });
  });
  const std::string what =
      is_involved ? title_text(advised.program, without) : "it is not known to be enough";
  if (change.types.size() > 1) return fmt::format("else {}", what);
  const std::uint32_t level = advice.choice[change.types.front()];
  return fmt::format("with {}, {}", advised.offer.names[level - 1], what);
}

const Change* change_of(const Advice& advice, std::uint32_t type) {
  const auto found = std::ranges::find_if(
      advice.changes, [&](const Change& change) { return change.types.front() == type; });
  return found == advice.changes.end() ? nullptr : &*found;
}

std::string change_text(const Advised& advised, const Advice& advice,
                        const Change& change) {
  if (change.types.size() > 1)
    return fmt::format("{} serial", pair_text(advised, change.types));
  const std::uint32_t type = change.types.front();
  return fmt::format("{} at {}", advised.program.types[type].name, advice.names[type]);
}

std::string no_mixture_text(const Advised& advised) {
  const audit::AdviseResult& result = advised.result;
  if (result.mixture || !result.is_mixture_known) return {};
  return "Levels and serial pairs together are not cheaper.";
}

std::string minimality_text(const Advice& advice) {
  const bool is_pairs = std::ranges::all_of(
      advice.changes, [](const Change& change) { return change.types.size() > 1; });
  const std::string cheaper = is_pairs ? "fewer pairs" : "anything cheaper";
  return advice.is_cheapest
             ? fmt::format("With {}, audit finds an anomaly.", cheaper)
             : fmt::format("With {}, audit finds an anomaly or cannot decide.", cheaper);
}

std::string nothing_enough_text(const Advised& advised) {
  const audit::AdviseResult& result = advised.result;
  std::vector<std::string> why;
  for (const audit::Shortfall& shortfall : result.shortfalls)
    why.push_back(
        fmt::format("with {}, {} ({})", advised.offer.names[shortfall.level],
                    title_text(advised.program, shortfall.anomaly),
                    shortfall.anomaly.confirmation == audit::Confirmation::Confirmed
                        ? "confirmed by a run"
                        : "suspected, not confirmed"));
  if (why.empty()) why.push_back(result.unknown);
  return fmt::format("{} is {}enough for all types: {}.",
                     advised.offer.names.size() == 1
                         ? fmt::format("{} alone", advised.offer.names.front())
                         : fmt::format("None of {}", fmt::join(advised.offer.names, ", ")),
                     std::string(advised.offer.names.size() == 1 ? "not " : "") +
                         (result.unknown.empty() ? "" : "known to be "),
                     fmt::join(why, "; "));
}

namespace {

// The lines of a scenario.
std::string scenario_levels_text(const Advised& advised, const Advice& advice) {
  std::vector<std::string> levels{
      fmt::format("default = {}", program::toml_string(advised.offer.names.front()))};
  std::vector<std::string> pairs;
  for (const Change& change : advice.changes) {
    std::vector<std::string> names;
    for (const std::uint32_t type : change.types)
      names.push_back(advised.program.types[type].name);
    if (change.types.size() > 1)
      pairs.push_back(fmt::format("[{}, {}]", program::toml_string(names[0]),
                                  program::toml_string(names[1])));
    else
      levels.push_back(
          fmt::format("{} = {}", program::toml_key(names[0]),
                      program::toml_string(advice.names[change.types.front()])));
  }
  if (!pairs.empty())
    levels.push_back(fmt::format("serial = [{}]", fmt::join(pairs, ", ")));
  return fmt::format("In a scenario: [levels] {}", fmt::join(levels, ", "));
}

}  // namespace

std::string how_to_text(const Advised& advised) {
  if (advised.result.mixture) return scenario_levels_text(advised, *advised.result.mixture);
  if (!advised.result.by_type) return {};
  const Advice& advice = *advised.result.by_type;
  std::vector<std::string> changed;
  for (const Change& change : advice.changes)
    changed.push_back(advised.program.types[change.types.front()].name);
  if (advised.offer.is_postgresql)
    return fmt::format(
        "Begin {} with BEGIN ISOLATION LEVEL SERIALIZABLE{}, and run again what fails with "
        "SQLSTATE 40001. PostgreSQL's default, READ COMMITTED, is weaker than either.",
        changed.size() == advised.program.types.size()
            ? "every transaction"
            : fmt::format("{}", fmt::join(changed, ", ")),
        changed.size() == advised.program.types.size()
            ? ""
            : ", the others with BEGIN ISOLATION LEVEL REPEATABLE READ");
  return scenario_levels_text(advised, advice);
}

}  // namespace isomer::report
