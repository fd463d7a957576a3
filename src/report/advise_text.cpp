// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/advise_report.h"
#include "report/ink.h"
#include "report/program_text.h"
#include "report/wording.h"

namespace isomer::report {
namespace {

using audit::Advice;
using audit::Verdict;

std::string support_text(const audit::Result& result) {
  return result.verdict == Verdict::Serializable
             ? fmt::format("serializable for all executions, {}", result.proof)
             : fmt::format("no cycle up to length {}", result.cycle_max);
}

std::string by_type_text(const Advised& advised, const Advice& advice) {
  TextTable rows;
  for (std::size_t i = 0; i < advised.program.types.size(); ++i)
    rows.push_back({advised.program.types[i].name, advice.names[i]});
  return fmt::format("{}  ({})\n", aligned(rows), support_text(advice.result));
}

std::string pairs_text(const Advised& advised, const Advice& advice) {
  std::string out;
  for (const auto& pair : advice.plan.serial)
    out += fmt::format("    {} with {}\n", advised.program.types[pair[0]].name,
                       advised.program.types[pair[1]].name);
  return fmt::format("{}  ({})\n", out, support_text(advice.result));
}

std::string unchanged_text(const Advised& advised) {
  const std::size_t count = advised.result.unchanged.anomalies.size();
  const std::string& cheapest = advised.offer.names.front();
  if (count == 0 && advised.result.unchanged.verdict != Verdict::Unknown)
    return fmt::format("at {} there are no anomalies ({})\n", cheapest,
                       support_text(advised.result.unchanged));
  return fmt::format("at {} there {}: isomer audit shows them\n", cheapest,
                     count == 1 ? "is 1 anomaly" : fmt::format("are {} anomalies", count));
}

}  // namespace

std::string advise_text(const Advised& advised, bool colour) {
  const Ink ink(colour);
  const audit::AdviseResult& result = advised.result;
  std::string out =
      fmt::format("{}: {} transaction type{}, {} assignments tried\n\n",
                  printable(advised.program.file), advised.program.types.size(),
                  advised.program.types.size() == 1 ? "" : "s", result.plans);
  out += unchanged_text(advised);
  if (result.uniform && *result.uniform > 0)
    out += fmt::format("\n{}: {}\n", ink.bold("one level for all"),
                       ink.good(advised.offer.names[*result.uniform]));
  if (result.by_type)
    out += fmt::format("\n{}, none of which can be weaker alone:\n{}",
                       ink.bold("a level for each type"),
                       by_type_text(advised, *result.by_type));
  if (result.by_serial_pairs)
    out += fmt::format("\n{} and let these see each other (serial pairs):\n{}",
                       ink.bold(fmt::format("or keep {}", advised.offer.names.front())),
                       pairs_text(advised, *result.by_serial_pairs));
  if (!result.uniform)
    out += fmt::format("\n{}\n",
                       ink.doubtful(fmt::format(
                           "none of {} is enough{}", fmt::join(advised.offer.names, ", "),
                           result.unknown.empty() ? "" : " (" + result.unknown + ")")));
  return out;
}

}  // namespace isomer::report
