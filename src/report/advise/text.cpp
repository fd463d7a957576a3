// SPDX-License-Identifier: MIT
// What a person reads: what goes wrong if nothing is changed, the level that is enough for
// all types, the cheapest change that is enough, and what to do next.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/advise/words.h"
#include "report/check/wording.h"
#include "report/ink.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using audit::Advice;
using audit::Change;

constexpr std::size_t groups_shown_max = 10;

std::string remaining_text(const Advised& advised) {
  const std::vector<AnomalyGroup> groups = anomaly_groups(advised.result.unchanged, false);
  TextTable rows;
  for (std::size_t i = 0; i < std::min(groups.size(), groups_shown_max); ++i)
    rows.push_back(
        {groups[i].front()->kind, types_text(advised.program, *groups[i].front()),
         groups[i].size() > 1 ? fmt::format("in {} ways", groups[i].size()) : ""});
  std::string out = aligned(rows);
  if (groups.size() > groups_shown_max)
    out += fmt::format("    ... and {} more\n", groups.size() - groups_shown_max);
  return out;
}

std::string by_type_text(const Advised& advised, const Advice& advice, const Ink& ink) {
  TextTable rows;
  for (std::uint32_t type = 0; type < advised.program.types.size(); ++type) {
    const Change* change = change_of(advice, type);
    rows.push_back({advised.program.types[type].name, advice.names[type],
                    change == nullptr
                        ? ""
                        : fmt::format("({})", need_text(advised, advice, *change))});
  }
  return fmt::format(
      "\n{} {}; {}.\n{}  {}\n  {}\n", ink.bold("The cheapest level for each type:"),
      price_text(advised, advice), support_text(advice.result), aligned(rows),
      minimality_text(advice), price_list_text(advised.offer));
}

std::string pairs_text(const Advised& advised, const Advice& advice, const Ink& ink) {
  TextTable rows;
  for (const Change& change : advice.changes)
    rows.push_back({pair_text(advised, change.types),
                    fmt::format("({})", need_text(advised, advice, change))});
  return fmt::format(
      "\n{} {}; {}.\n{}  {}\n",
      ink.bold(fmt::format("Or keep {} and let one of these see the other (serial pairs):",
                           advised.offer.names.front())),
      counted(advice.changes.size(), "pair"), support_text(advice.result), aligned(rows),
      minimality_text(advice));
}

std::string mixture_text(const Advised& advised, const Advice& advice, const Ink& ink) {
  TextTable rows;
  for (const Change& change : advice.changes)
    rows.push_back({change_text(advised, advice, change),
                    fmt::format("({})", need_text(advised, advice, change))});
  return fmt::format(
      "\n{} {}, price {}; {}.\n{}  {} A serial pair is one change, of price 1.\n",
      ink.bold("Or cheaper, levels and serial pairs together:"),
      counted(advice.changes.size(), "change"), advice.price.sum,
      support_text(advice.result), aligned(rows), minimality_text(advice));
}

std::string next_step(const Advised& advised, const std::string& command) {
  const std::string how = how_to_text(advised);
  std::string out = how.empty() ? "" : fmt::format("\n{}\n", how);
  if (command.empty() || advised.result.unchanged.anomalies.empty()) return out;
  out += fmt::format("\nSee it:    {} --html advice.html\n", command);
  if (!advised.options.prove) out += fmt::format("Prove it:  {} --prove\n", command);
  return out;
}

}  // namespace

std::string advise_text(const Advised& advised, const AdviseTextOptions& options) {
  const Ink ink(options.colour);
  const audit::AdviseResult& result = advised.result;
  std::string out =
      fmt::format("{}: {}\n\n{}\n{}", printable(advised.program.file, 80),
                  question_text(advised), unchanged_text(advised), remaining_text(advised));
  if (result.uniform && *result.uniform > 0)
    out += fmt::format("\n{} {}; {}.\n", ink.bold("One level for all types:"),
                       ink.good(advised.offer.names[*result.uniform]),
                       support_text(result.uniform_result));
  if (!result.uniform)
    out += fmt::format("\n{}\n", ink.doubtful(nothing_enough_text(advised)));
  if (result.by_type) out += by_type_text(advised, *result.by_type, ink);
  if (result.by_serial_pairs) out += pairs_text(advised, *result.by_serial_pairs, ink);
  if (result.mixture) out += mixture_text(advised, *result.mixture, ink);
  const std::string no_mixture = no_mixture_text(advised);
  if (!no_mixture.empty()) out += fmt::format("\n{}\n", no_mixture);
  if (!result.unknown.empty() && result.uniform)
    out +=
        fmt::format("\n{}\n", ink.doubtful(fmt::format("Left open: {}.", result.unknown)));
  return out + next_step(advised, options.command);
}

}  // namespace isomer::report
