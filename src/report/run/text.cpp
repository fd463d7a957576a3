// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "report/check/wording.h"
#include "report/ink.h"
#include "report/program/report.h"
#include "report/run/report.h"

namespace isomer::report {
namespace {

using program::Program;
using store::Policy;
using store::TransactionOutcome;

std::string how(const store::Options& options) {
  switch (options.policy) {
    case Policy::Latest:
      return "serial";
    case Policy::Random:
      return fmt::format("random reads at {}", options.level->name);
    case Policy::Script:
      return options.level ? fmt::format("reads by a script, at {}", options.level->name)
                           : "reads by a script";
  }
  return {};
}

std::string name_of(const Program& program, const TransactionOutcome& outcome) {
  return fmt::format("{}/{}", program.sessions[outcome.session].name, outcome.index + 1);
}

std::string call_of(const Program& program, const TransactionOutcome& outcome) {
  return program.sessions[outcome.session].calls[outcome.index].text;
}

std::string transactions_text(const RunShown& shown, const Ink& ink) {
  std::size_t name_width = 0;
  std::size_t call_width = 0;
  for (const TransactionOutcome& outcome : shown.run.transactions) {
    name_width = std::max(name_width, name_of(shown.program, outcome).size());
    call_width =
        std::max(call_width, printable(call_of(shown.program, outcome), 50).size());
  }
  std::string out;
  for (const TransactionOutcome& outcome : shown.run.transactions)
    out += fmt::format("  {:{}}  {:{}}  {}\n", name_of(shown.program, outcome), name_width,
                       printable(call_of(shown.program, outcome), 50), call_width,
                       fate_text(shown.program, outcome, ink));
  return out;
}

// Which final state is shown, and among which.
std::string end_text(const RunShown& shown) {
  if (!shown.run.unknown.empty()) return "so far";
  if (shown.options.policy == Policy::Latest) return "in the end";
  const bool has_level = shown.options.level.has_value();
  if (has_level && !shown.run.is_allowed)
    return fmt::format(
        "in the end ({} does not allow this run; commits taken in the order of the run)",
        shown.options.level->name);
  if (!has_level) return "in the end (commits taken in the order of the run)";
  const std::size_t count = shown.run.final_state_count;
  if (shown.run.has_all_final_states && count == 1)
    return fmt::format("in the end (the only final state that {} admits)",
                       shown.options.level->name);
  return fmt::format("in the end (one of {}{} that {} admits)",
                     shown.run.has_all_final_states ? "" : "at least ",
                     counted(count, "final state"), shown.options.level->name);
}

std::string divergence_text(const RunShown& shown, const Ink& ink) {
  if (!shown.run.divergence) return {};
  const store::Divergence& divergence = *shown.run.divergence;
  return fmt::format("{} at {}/{}: {}\n\n", ink.doubtful("left its script"),
                     shown.program.sessions[divergence.session].name, divergence.index + 1,
                     printable(divergence.what, 120));
}

std::string serializable_text(const RunShown& shown, const Ink& ink) {
  if (!shown.is_serializable)
    return ink.doubtful("not decided in time whether this run is serializable");
  return *shown.is_serializable ? "this run is serializable"
                                : ink.bad("this run is not serializable");
}

std::string seeds_text(std::uint64_t first, std::uint64_t count) {
  return count > 1 ? fmt::format("seeds {} to {}", first, first + count - 1)
                   : fmt::format("seed {}", first);
}

std::string seed_text(const store::Options& options) {
  return options.policy == Policy::Script ? "" : fmt::format(", seed {}", options.seed);
}

}  // namespace

std::string run_text(const RunShown& shown, const RunTextOptions& options) {
  const Ink ink(options.colour);
  std::string out = fmt::format("{}: {}, {}; {}{}\n\n", printable(shown.program.file, 80),
                                counted(shown.program.sessions.size(), "session"),
                                counted(shown.run.transactions.size(), "transaction"),
                                how(shown.options), seed_text(shown.options));
  out += fmt::format("{}\n{}{}\n{}", transactions_text(shown, ink),
                     divergence_text(shown, ink), end_text(shown),
                     state_text(shown.program, shown.run.final_state,
                                shown.options.granularity, EmptyTables::Show, ink));
  if (!shown.run.unknown.empty())
    return out + fmt::format("\n{} before the run was complete\n",
                             ink.doubtful(shown.run.unknown));
  if (!shown.run.invariants.empty())
    out += fmt::format(
        "\ninvariants\n{}",
        invariants_text(shown.run.invariants, shown.run.final_state_count, ink));
  out += fmt::format("\n{}\n", serializable_text(shown, ink));
  if (!options.command.empty() && shown.is_serializable == false)
    out +=
        fmt::format("See why:  {}{} -o run.hist; isomer check run.hist\n", options.command,
                    shown.options.policy == Policy::Script
                        ? ""
                        : fmt::format(" --seed {}", shown.options.seed));
  return out;
}

std::string campaign_text(const CampaignShown& shown, const RunTextOptions& options) {
  const Ink ink(options.colour);
  const store::Campaign& campaign = shown.campaign;
  std::string out = fmt::format("{}: {}, {}, {}\n\n", printable(shown.program.file, 80),
                                counted(campaign.runs, "run"), how(shown.options),
                                seeds_text(shown.options.seed, campaign.runs));
  TextTable grid;
  for (const auto& [name, tally] : campaign.invariants)
    grid.push_back({printable(name, 60),
                    tally.broken == 0 ? fmt::format("held in all {}", tally.held)
                                      : fmt::format("BROKEN in {} of {}", tally.broken,
                                                    tally.broken + tally.held)});
  grid.push_back({"runs that were not serializable",
                  fmt::format("{} of {}", campaign.unserializable, campaign.runs)});
  grid.push_back({"transactions rolled back",
                  fmt::format("{} of {}", campaign.rolled_back, campaign.transactions)});
  out += aligned(grid);
  const std::optional<std::uint64_t> seed = campaign.first_failing_seed
                                                ? campaign.first_failing_seed
                                                : campaign.first_unserializable_seed;
  if (!campaign.unknown.empty())
    out += fmt::format("\n{} after {}\n", campaign.unknown, counted(campaign.runs, "run"));
  if (seed && !options.command.empty())
    out += fmt::format("\nThe first {} run:  {} --seed {}\n",
                       campaign.first_failing_seed ? "failing" : "unserializable",
                       options.command, *seed);
  return out;
}

}  // namespace isomer::report
