// SPDX-License-Identifier: MIT
// What a person reads: what was asked, which levels are enough, then each anomaly with the
// SQL that makes it, and what to do next.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/audit/words.h"
#include "report/check/wording.h"
#include "report/ink.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using audit::Anomaly;
using audit::Confirmation;
using audit::Dependency;
using audit::Verdict;
using program::Program;

constexpr std::size_t call_width_max = 76;
constexpr std::size_t statement_width_max = 100;

std::string heading(const Audited& audited) {
  return fmt::format("{}: {}, any number of each; cycles of up to {} transactions\n\n",
                     printable(audited.program.file, 80),
                     counted(audited.program.types.size(), "transaction type"),
                     audited.options.cycle_max);
}

// --- what holds ---

std::string coloured(const VerdictWords& words, const Ink& ink, std::size_t width) {
  const std::string padded = fmt::format("{:<{}}", words.answer, width);
  if (words.mood == "ok") return ink.good(padded);
  return words.mood == "no" ? ink.bad(padded) : ink.doubtful(padded);
}

std::string verdicts(const Audited& audited, const AuditTextOptions& options,
                     const Ink& ink) {
  std::size_t name_width = 0;
  std::size_t answer_width = 0;
  for (const AuditedLevel& level : audited.levels) {
    name_width = std::max(name_width, level.plan.name.size());
    answer_width =
        std::max(answer_width, verdict_words(level.result, options).answer.size());
  }
  std::string out;
  for (const AuditedLevel& level : audited.levels) {
    const VerdictWords words = verdict_words(level.result, options);
    out += fmt::format("  {}  {}  {}\n",
                       ink.bold(fmt::format("{:<{}}", level.plan.name, name_width)),
                       coloured(words, ink, answer_width), words.detail);
    for (const std::string& assumption : level.result.assumptions)
      out += fmt::format("  {:<{}}    assumed: {}\n", "", name_width, assumption);
  }
  return out;
}

// --- why not ---

std::string dependency_text(const Program& program, const Dependency& edge,
                            const Ink& ink) {
  const TextTable rows{{transaction_name(edge.from), std::string(from_verb(edge.kind)),
                        short_place_text(program, edge.from_statement->at),
                        statement_text(program, *edge.from_statement, statement_width_max)},
                       {transaction_name(edge.to), std::string(to_verb(edge.kind)),
                        short_place_text(program, edge.to_statement->at),
                        statement_text(program, *edge.to_statement, statement_width_max)}};
  return fmt::format("  {} --{} {}--> {}   {}\n{}", transaction_name(edge.from),
                     audit::name(edge.kind), record_text(program, edge),
                     transaction_name(edge.to), ink.bold(dependency_sentence(edge)),
                     aligned(rows));
}

std::string remark(const Anomaly& anomaly, const Ink& ink) {
  const std::string text = fmt::format("({})", confirmation_text(anomaly));
  return anomaly.confirmation == Confirmation::Unconfirmed ? ink.doubtful(text) : text;
}

std::string calls_text(const Program& program, const Anomaly& anomaly, const Ink& ink) {
  std::string out;
  for (std::size_t i = 0; i < anomaly.transactions.size(); ++i)
    out +=
        fmt::format("  {}  {}\n", ink.bold(transaction_name(i)),
                    printable(call_text(program, anomaly.transactions[i]), call_width_max));
  for (std::size_t i = 0; i < anomaly.beside.size(); ++i)
    out += fmt::format("  {}  {}   beside the cycle\n", ink.bold(beside_name(anomaly, i)),
                       printable(call_text(program, anomaly.beside[i]), call_width_max));
  return out;
}

std::string others_text(const AnomalyGroup& group) {
  if (group.size() < 2) return {};
  const auto unconfirmed = std::ranges::count_if(group, [](const Anomaly* anomaly) {
    return anomaly->confirmation == Confirmation::Unconfirmed;
  });
  const bool is_mixed = group.front()->confirmation != Confirmation::Unconfirmed;
  return fmt::format(
      "  The same by other statements: {} more{}; --html shows all.\n", group.size() - 1,
      is_mixed && unconfirmed > 0 ? fmt::format(", {} of them not confirmed", unconfirmed)
                                  : "");
}

std::string group_text(const Program& program, const std::string& level,
                       const AnomalyGroup& group, const Ink& ink) {
  const Anomaly& anomaly = *group.front();
  std::string out =
      fmt::format("\n{}        {}\n  {}\n",
                  ink.bold(fmt::format("{}: {}", level, title_text(program, anomaly))),
                  remark(anomaly, ink), kind_sentence(anomaly));
  out += calls_text(program, anomaly, ink);
  for (const Dependency& edge : anomaly.dependencies)
    out += dependency_text(program, edge, ink);
  return out + others_text(group);
}

// What was told at a level before is only named.
std::string groups_text(const Audited& audited, const AuditTextOptions& options,
                        const Ink& ink) {
  std::set<std::string> told;
  std::string out;
  for (const AuditedLevel& level : audited.levels) {
    std::string named;
    for (const AnomalyGroup& group :
         anomaly_groups(level.result, options.ignore_harmless)) {
      const std::string title = title_text(audited.program, *group.front());
      if (told.insert(title).second)
        out += group_text(audited.program, level.plan.name, group, ink);
      else
        named += fmt::format("  {}  {}\n", title, remark(*group.front(), ink));
    }
    if (!named.empty())
      out += fmt::format(
          "\n{}\n{}", ink.bold(fmt::format("{}: also, as above", level.plan.name)), named);
  }
  return out;
}

// --- what to do next ---

bool has_anomalies(const Audited& audited, bool ignore_harmless) {
  return std::ranges::any_of(audited.levels, [&](const AuditedLevel& level) {
    return !anomaly_groups(level.result, ignore_harmless).empty();
  });
}

bool has_scenarios(const Audited& audited) {
  return std::ranges::any_of(audited.levels, [](const AuditedLevel& level) {
    return std::ranges::any_of(level.result.anomalies, [](const Anomaly& anomaly) {
      return !anomaly.scenario.empty();
    });
  });
}

// `isomer advise` with the levels from the one that has anomalies on.
std::string advise_command(const Audited& audited, bool ignore_harmless) {
  constexpr std::array<std::string_view, 5> offered{"EC", "CC", "PSI", "SI", "SER"};
  const auto bad = std::ranges::find_if(audited.levels, [&](const AuditedLevel& level) {
    return !anomaly_groups(level.result, ignore_harmless).empty();
  });
  const auto first = std::ranges::find(offered, bad->plan.name);
  const bool is_default = first == offered.begin() || first == offered.end();
  return fmt::format(
      "isomer advise {}{}",
      is_default ? "" : fmt::format("--levels {} ", fmt::join(first, offered.end(), ",")),
      audited.program.file);
}

std::string next_step(const Audited& audited, const AuditTextOptions& options) {
  std::string out;
  for (const std::string& command : options.replay_commands)
    out += fmt::format("Replay it: {}\n", command);
  if (options.command.empty()) return out.empty() ? out : fmt::format("\n{}", out);
  const bool is_open = !audited.options.prove &&
                       std::ranges::any_of(audited.levels, [](const AuditedLevel& level) {
                         return level.result.verdict == Verdict::NoCycle;
                       });
  if (!has_anomalies(audited, options.ignore_harmless))
    return is_open ? fmt::format("\nProve it:  {} --prove\n", options.command) : "";
  out += fmt::format("See it:    {} --html audit.html\n", options.command);
  if (has_scenarios(audited) && options.replay_commands.empty())
    out += fmt::format("Keep it:   {} --scenario-out anomalies\n", options.command);
  return fmt::format("\n{}Fix it:    {}\n", out,
                     advise_command(audited, options.ignore_harmless));
}

}  // namespace

bool counts(const Anomaly& anomaly, bool ignore_harmless) {
  return !ignore_harmless || anomaly.harm != audit::Harm::ProvedNone;
}

std::string audit_text(const Audited& audited, const AuditTextOptions& options) {
  const Ink ink(options.colour);
  return heading(audited) + verdicts(audited, options, ink) +
         groups_text(audited, options, ink) + next_step(audited, options);
}

}  // namespace isomer::report
