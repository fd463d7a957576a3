// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "program/keys.h"
#include "report/ink.h"
#include "report/run_report.h"
#include "report/wording.h"

namespace isomer::report {
namespace {

using program::Program;
using program::Value;
using store::InvariantOutcome;
using store::Policy;
using store::TransactionOutcome;

// How much of a final state a terminal gets to see.
constexpr std::size_t rows_shown_max = 12;

std::string cell(const Value& value) {
  if (value.is_null()) return "NULL";
  if (value.get_if<program::List>() == nullptr)
    return printable(program::to_text(value), 30);
  std::vector<std::string> items;
  for (const Value& item : value.items())
    items.push_back(cell(item));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

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

std::string fate_of(const RunShown& shown, const TransactionOutcome& outcome,
                    const Ink& ink) {
  if (outcome.is_committed)
    return outcome.result.is_null() ? ink.good("committed")
                                    : fmt::format("{}, returned {}", ink.good("committed"),
                                                  cell(outcome.result));
  std::string out =
      outcome.has_failed_assert ? ink.bad("assertion failed") : ink.doubtful("rolled back");
  out += fmt::format(": {}", printable(outcome.reason, 100));
  if (!outcome.sqlstate.empty() && !outcome.has_failed_assert)
    out += fmt::format(" ({})", outcome.sqlstate);
  if (outcome.at.last > 0) {
    const auto [file, at] = program::place_of(shown.program, outcome.at.first);
    out += fmt::format("  {}:{}", file, at.line);
  }
  return out;
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
                       fate_of(shown, outcome, ink));
  return out;
}

using Grid = std::vector<std::vector<std::string>>;

std::string aligned(const Grid& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line = "   ";
    for (std::size_t i = 0; i < row.size(); ++i)
      line += fmt::format(" {:{}} ", row[i], widths[i]);
    out += line.substr(0, line.find_last_not_of(' ') + 1);
    out += "\n";
  }
  return out;
}

std::string rest_text(std::size_t count) {
  return count > rows_shown_max
             ? fmt::format("    ... and {} more\n", count - rows_shown_max)
             : "";
}

std::string table_text(const program::Table& table, const store::FinalState& state,
                       const Ink& ink) {
  std::vector<std::pair<program::PrimaryKey, Value>> rows;
  for (const auto& [key, value] : state)
    if (std::optional<program::PrimaryKey> primary = program::parse_row_key(table, key))
      rows.emplace_back(std::move(*primary), value);
  std::ranges::sort(rows, {}, [](const auto& row) -> const auto& { return row.first; });
  Grid grid(1);
  for (const program::Column& column : table.columns)
    grid[0].push_back(column.name);
  for (std::size_t i = 0; i < std::min(rows.size(), rows_shown_max); ++i) {
    auto& line = grid.emplace_back();
    for (const Value& value : rows[i].second.items())
      line.push_back(cell(value));
  }
  return fmt::format("  {}\n", ink.bold(table.name)) + aligned(grid) +
         rest_text(rows.size());
}

std::string keys_text(const store::FinalState& state) {
  Grid grid;
  for (const auto& [key, value] : state)
    if (grid.size() < rows_shown_max)
      grid.push_back({printable(key, 30), fmt::format("= {}", cell(value))});
  return aligned(grid) + rest_text(state.size());
}

std::string state_text(const RunShown& shown, const Ink& ink) {
  if (shown.program.tables.empty() ||
      shown.options.granularity != program::Granularity::Row)
    return keys_text(shown.run.final_state);
  std::string out;
  for (const program::Table& table : shown.program.tables)
    out += table_text(table, shown.run.final_state, ink);
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

std::string verdict_text(const store::Run& run, const InvariantOutcome& invariant,
                         const Ink& ink) {
  if (invariant.holds) return ink.good("holds");
  if (invariant.broken_states == run.final_state_count) return ink.bad("BROKEN");
  return fmt::format("{} in {} of {} final states", ink.bad("BROKEN"),
                     invariant.broken_states, run.final_state_count);
}

std::string invariants_text(const store::Run& run, const Ink& ink) {
  std::size_t width = 0;
  for (const InvariantOutcome& invariant : run.invariants)
    width = std::max(width, printable(invariant.name, 60).size());
  std::string out;
  for (const InvariantOutcome& invariant : run.invariants) {
    out += fmt::format("  {:{}}  {}", printable(invariant.name, 60), width,
                       verdict_text(run, invariant, ink));
    if (!invariant.error.empty())
      out += fmt::format(": {}", printable(invariant.error, 100));
    out += "\n";
  }
  return out;
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
                     divergence_text(shown, ink), end_text(shown), state_text(shown, ink));
  if (!shown.run.unknown.empty())
    return out + fmt::format("\n{} before the run was complete\n",
                             ink.doubtful(shown.run.unknown));
  if (!shown.run.invariants.empty())
    out += fmt::format("\ninvariants\n{}", invariants_text(shown.run, ink));
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
  Grid grid;
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
