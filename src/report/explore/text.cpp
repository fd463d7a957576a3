// SPDX-License-Identifier: MIT
// What a person reads: what was explored, then the failing history step by step, which
// levels would have prevented it, and what to do next.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/wording.h"
#include "report/database/report.h"
#include "report/explore/report.h"
#include "report/failing_history/failing_history.h"
#include "report/ink.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using explore::Algorithm;
using explore::Failure;
using explore::Find;
using program::Statement;

std::size_t call_count(const program::Program& program) {
  std::size_t count = 0;
  for (const program::Session& session : program.sessions)
    count += session.calls.size();
  return count;
}

std::string heading(const Explored& e) {
  return fmt::format(
      "{}: {}, {}; every history that {} allows\n\n", printable(e.program.file, 80),
      counted(e.program.sessions.size(), "session"),
      counted(call_count(e.program), "transaction"), level_name(e.options.level));
}

std::string histories_remark(const Explored& e) {
  std::string out;
  if (e.result.assertion_failures > 0)
    out = fmt::format("{} {}", e.result.assertion_failures,
                      e.result.assertion_failures == 1 ? "fails" : "fail");
  if (e.result.is_complete && (e.options.find == Find::All || !e.result.failure))
    return out;
  const std::string until =
      e.result.is_complete
          ? "the search ended with the first one"
          : fmt::format("{}: {}", e.result.may_miss ? "perhaps not all" : "stopped",
                        e.result.unknown);
  return out.empty() ? until : fmt::format("{}; {}", out, until);
}

std::string end_states_remark(const Explored& e) {
  if (e.options.algorithm == Algorithm::Dfs)
    return "paths to the end; several may lead to one history";
  if (!e.result.is_filtered) return {};
  return fmt::format("explored under {}; {} decides at the end", e.result.base_name,
                     level_name(e.options.level));
}

std::string states_remark(const Explored& e) {
  std::vector<std::string> out;
  if (e.result.blocked > 0) out.push_back(fmt::format("{} blocked", e.result.blocked));
  if (e.result.pruned > 0)
    out.push_back(fmt::format("{} {} left early", e.result.pruned,
                              e.result.pruned == 1 ? "branch" : "branches"));
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string counts(const Explored& e) {
  const explore::Result& result = e.result;
  TextTable rows{{"histories", fmt::format("{}", result.histories), histories_remark(e)},
                 {"end states", fmt::format("{}", result.end_states), end_states_remark(e)},
                 {"states explored", fmt::format("{}", result.explored), states_remark(e)},
                 {"time", fmt::format("{:.2f} s", result.seconds),
                  fmt::format("{:.0f} MiB of memory", result.peak_mib)}};
  return aligned(rows);
}

bool has_anything_to_fail(const program::Program& program) {
  return !program.invariants.empty() ||
         std::ranges::any_of(program.types, [](const program::TransactionType& type) {
           return contains(type.body, Statement::Kind::Assert);
         });
}

std::string in_ink(const Explored& e, const Ink& ink) {
  const std::string text = all_clear_text(e);
  if (!e.result.is_complete) return ink.doubtful(text);
  const bool is_answer =
      e.options.find == Find::Unserializable || has_anything_to_fail(e.program);
  return is_answer ? ink.good(text) : text;
}

std::string story(const Explored& e, const Ink& ink) {
  const Failure& failure = *e.result.failure;
  std::string out = fmt::format("{}\n", ink.bad(headline(e.program, failure)));
  if (failure.dropped > 0)
    out += ink.dim(fmt::format("  ({} of the program {} not needed for it)\n",
                               counted(failure.dropped, "call"),
                               failure.dropped == 1 ? "is" : "are"));
  return out + transactions_text(failing_history(e), ink);
}

std::string next_step(const Explored& e, const std::string& command) {
  if (command.empty() || !e.result.failure) return {};
  return fmt::format("See it:   {0} --html failure.html\nKeep it:  {0} -o failure.hist\n",
                     command);
}

}  // namespace

std::string all_clear_text(const Explored& e) {
  if (!e.result.is_complete)
    return fmt::format(
        "undecided ({}): nothing found so far, but not every history was seen",
        e.result.unknown);
  if (e.options.find == Find::Unserializable)
    return fmt::format("every history that {} allows is serializable",
                       level_name(e.options.level));
  if (!has_anything_to_fail(e.program))
    return "the program has no assertions or invariants, so nothing could fail; try --find "
           "unserializable";
  return fmt::format("no history that {} allows fails an assertion or an invariant",
                     level_name(e.options.level));
}

FailingHistory failing_history(const Explored& e) {
  return {.program = e.program,
          .failure = *e.result.failure,
          .level = e.options.level,
          .granularity = e.options.granularity};
}

std::string explore_text(const Explored& e, const ExploreTextOptions& options) {
  const Ink ink(options.colour);
  std::string out = heading(e) + counts(e) + "\n";
  if (!e.result.failure) return fmt::format("{}{}\n", out, in_ink(e, ink));
  const FailingHistory failing = failing_history(e);
  return out + story(e, ink) + end_text(failing, ink) + judgement_text(failing, ink) +
         tried_text(e.there, options.width, ink) + next_step(e, options.command);
}

}  // namespace isomer::report
