// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/audit_report.h"
#include "report/ink.h"
#include "report/program_text.h"
#include "report/wording.h"

namespace isomer::report {
namespace {

using audit::Anomaly;
using audit::Confirmation;
using audit::Dependency;
using audit::DependencyKind;
using audit::Verdict;
using program::Program;

constexpr std::size_t call_width_max = 60;

std::string types_text(const Program& program, const Anomaly& anomaly) {
  std::vector<std::string> names;
  for (const audit::AnomalyTransaction& transaction : anomaly.transactions)
    names.push_back(program.types[transaction.type].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string record_text(const Program& program, const Dependency& dependency) {
  return fmt::format("{}({}){}{}", program.tables[dependency.table.index].name,
                     printable(fmt::format("{}", fmt::join(dependency.key, ", "))),
                     dependency.field.empty() ? "" : ".", dependency.field);
}

std::string why(const Dependency& dependency) {
  switch (dependency.kind) {
    case DependencyKind::WriteRead:
      return "what it wrote is read";
    case DependencyKind::ReadWrite:
      return "it read a version that is overwritten";
    case DependencyKind::WriteWrite:
      return "what it wrote is overwritten";
  }
  return {};
}

std::string label(std::size_t place) {
  return fmt::format("t{}", place + 1);
}

std::string anomaly_text(const Program& program, const Anomaly& anomaly, const Ink& ink) {
  std::string out =
      fmt::format("{} of {}", ink.bad(anomaly.kind), types_text(program, anomaly));
  if (anomaly.confirmation == Confirmation::Confirmed)
    out += anomaly.is_harmless ? "  (confirmed; harmless)" : "  (confirmed)";
  if (anomaly.confirmation == Confirmation::Unconfirmed)
    out += ink.doubtful(fmt::format("  (unconfirmed: {})", anomaly.why_unconfirmed));
  out += "\n";
  for (std::size_t i = 0; i < anomaly.transactions.size(); ++i)
    out +=
        fmt::format("  {}  {}\n", label(i),
                    printable(call_text(program, anomaly.transactions[i]), call_width_max));
  std::vector<std::vector<std::string>> rows;
  for (const Dependency& edge : anomaly.dependencies)
    rows.push_back(
        {fmt::format("{} --{}--> {}", label(edge.from), audit::name(edge.kind),
                     label(edge.to)),
         record_text(program, edge),
         fmt::format("{} -> {}", short_place_text(program, edge.from_statement->at),
                     short_place_text(program, edge.to_statement->at)),
         why(edge)});
  out += aligned(rows);
  return out;
}

std::string verdict_text(const AuditedLevel& level, std::size_t count, std::size_t unsure,
                         const Ink& ink) {
  const audit::Result& result = level.result;
  switch (result.verdict) {
    case Verdict::Serializable:
      return fmt::format("{}, {}", ink.good("serializable for all executions"),
                         result.proof);
    case Verdict::NoCycle:
      return fmt::format(
          "{} up to length {}{}", ink.good("no cycle"), result.cycle_max,
          result.unknown.empty()
              ? ""
              : fmt::format("; not proved for longer ones ({})", result.unknown));
    case Verdict::Anomalies:
      return fmt::format(
          "{}{}", ink.bad(fmt::format("{} anomal{}", count, count == 1 ? "y" : "ies")),
          unsure == 0 ? "" : fmt::format(", {} unconfirmed", unsure));
    case Verdict::Unknown:
      return ink.doubtful(fmt::format("undecided: {}", result.unknown));
  }
  return {};
}

std::string level_text(const Audited& audited, const AuditedLevel& level,
                       const AuditTextOptions& options, const Ink& ink) {
  std::vector<const Anomaly*> shown;
  std::size_t unsure = 0;
  std::size_t hidden = 0;
  for (const Anomaly& anomaly : level.result.anomalies) {
    if (!counts(anomaly, options.ignore_harmless)) {
      ++hidden;
      continue;
    }
    shown.push_back(&anomaly);
    unsure += anomaly.confirmation == Confirmation::Unconfirmed ? 1 : 0;
  }
  std::stable_sort(shown.begin(), shown.end(), [](const Anomaly* a, const Anomaly* b) {
    return (a->confirmation == Confirmation::Unconfirmed) <
           (b->confirmation == Confirmation::Unconfirmed);
  });
  std::string out = fmt::format("\n{}  {}\n", ink.bold(level.plan.name),
                                verdict_text(level, shown.size() - unsure, unsure, ink));
  for (const std::string& assumption : level.result.assumptions)
    out += fmt::format("  assumed: {}\n", assumption);
  if (hidden > 0) out += fmt::format("  ({} harmless left out)\n", hidden);
  for (const Anomaly* anomaly : shown)
    out += fmt::format("\n{}", anomaly_text(audited.program, *anomaly, ink));
  return out;
}

}  // namespace

bool counts(const Anomaly& anomaly, bool ignore_harmless) {
  return !ignore_harmless || !anomaly.is_harmless;
}

std::string call_text(const Program& program,
                      const audit::AnomalyTransaction& transaction) {
  std::vector<std::string> arguments;
  for (const program::Value& argument : transaction.arguments)
    arguments.push_back(audit::sql_text(argument));
  return fmt::format("{}({})", program.types[transaction.type].name,
                     fmt::join(arguments, ", "));
}

std::string audit_text(const Audited& audited, const AuditTextOptions& options) {
  const Ink ink(options.colour);
  std::string out =
      fmt::format("{}: {} transaction type{}, cycles of up to {} transactions\n",
                  printable(audited.program.file), audited.program.types.size(),
                  audited.program.types.size() == 1 ? "" : "s", audited.options.cycle_max);
  for (const AuditedLevel& level : audited.levels)
    out += level_text(audited, level, options, ink);
  return out;
}

}  // namespace isomer::report
