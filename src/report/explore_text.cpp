// SPDX-License-Identifier: MIT
// What a person reads: what was explored, then the failing history step by step, which
// levels would have prevented it, and what to do next.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/explore_report.h"
#include "report/failing_history.h"
#include "report/finding.h"
#include "report/finding_text.h"
#include "report/ink.h"
#include "report/program_text.h"
#include "report/verdicts.h"
#include "report/wording.h"

namespace isomer::report {
namespace {

using explore::Algorithm;
using explore::Failure;
using explore::FailureKind;
using explore::Find;
using history::KeyId;
using history::TxnId;
using program::Statement;

std::size_t call_count(const program::Program& program) {
  std::size_t count = 0;
  for (const program::Session& session : program.sessions)
    count += session.calls.size();
  return count;
}

std::string heading(const Explored& e) {
  return fmt::format("{}: {}, {}; every history that {} allows\n\n",
                     printable(e.program.file, 80),
                     counted(e.program.sessions.size(), "session"),
                     counted(call_count(e.program), "transaction"), level_name(e));
}

std::string histories_remark(const Explored& e) {
  std::string out;
  if (e.result.assertion_failures > 0)
    out = fmt::format("{} {} an assertion", e.result.assertion_failures,
                      e.result.assertion_failures == 1 ? "fails" : "fail");
  if (e.result.is_complete && (e.options.find == Find::All || !e.result.failure))
    return out;
  const std::string until = e.result.is_complete
                                ? "the search ended with the first one"
                                : fmt::format("stopped: {}", e.result.unknown);
  return out.empty() ? until : fmt::format("{}; {}", out, until);
}

std::string end_states_remark(const Explored& e) {
  if (e.options.algorithm == Algorithm::Dfs)
    return "paths to the end; several may lead to one history";
  if (!e.result.is_filtered) return {};
  return fmt::format("explored under {}; {} decides at the end",
                     explore::name(e.result.base), level_name(e));
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

bool has_assert(const program::Block& block) {
  return std::ranges::any_of(block, [](const Statement& statement) {
    return statement.kind == Statement::Kind::Assert || has_assert(statement.body) ||
           has_assert(statement.otherwise);
  });
}

bool has_anything_to_fail(const program::Program& program) {
  return !program.invariants.empty() ||
         std::ranges::any_of(program.types, [](const program::TransactionType& type) {
           return has_assert(type.body);
         });
}

// If nothing was found.
std::string all_clear(const Explored& e, const Ink& ink) {
  if (!e.result.is_complete)
    return ink.doubtful(fmt::format("undecided ({}): nothing found so far, but not every "
                                    "history was seen",
                                    e.result.unknown)) +
           "\n";
  if (e.options.find == Find::Unserializable)
    return fmt::format("{}\n",
                       ink.good(fmt::format("every history that {} allows is serializable",
                                            level_name(e))));
  if (!has_anything_to_fail(e.program))
    return "the program has no assertions or invariants, so nothing could fail; try --find "
           "unserializable\n";
  return fmt::format("{}\n", ink.good(fmt::format("no history that {} allows fails an "
                                                  "assertion or an invariant",
                                                  level_name(e))));
}

std::string transaction_text(const Explored& e, const std::vector<ToldTransaction>& all,
                             const ToldTransaction& told, const std::vector<KeyId>& keys,
                             const Ink& ink) {
  std::string out =
      fmt::format("  {}  {}  {}\n", ink.bold(told.name), printable(told.call, 60),
                  fate_text(e.program, told.outcome, ink));
  const ToldExcerpt shown = told_excerpt(told, keys);
  TextTable rows;
  for (const ToldOperation& operation : shown.operations) {
    rows.push_back(
        {short_place_text(e.program, operation.at),
         fmt::format("{} {} = {}", operation.is_read ? "reads" : "writes",
                     key_text(e.result.failure->history, operation.key), operation.value)});
    if (operation.is_read)
      rows.back().push_back(fmt::format("from {}", writer_text(all, operation.writer)));
  }
  out += aligned(rows);
  if (shown.left_out > 0)
    out += ink.dim(fmt::format("    ... {} that {} nothing to it\n",
                               counted(shown.left_out, "operation"),
                               shown.left_out == 1 ? "adds" : "add"));
  return out;
}

std::string story(const Explored& e, const Ink& ink) {
  const Failure& failure = *e.result.failure;
  const std::vector<ToldTransaction> told = told_transactions(e.program, failure);
  const std::vector<KeyId> keys = written_keys(failure.history);
  std::string out = fmt::format("{}\n", ink.bad(headline(e.program, failure)));
  if (failure.dropped > 0)
    out += ink.dim(fmt::format("  ({} of the program {} not needed for it)\n",
                               counted(failure.dropped, "call"),
                               failure.dropped == 1 ? "is" : "are"));
  for (const ToldTransaction& transaction : told)
    out += transaction_text(e, told, transaction, keys, ink);
  std::vector<std::string> order;
  for (const TxnId t : commit_order(e, told))
    order.push_back(writer_text(told, t));
  if (order.size() > 1) out += fmt::format("  commit order: {}\n", fmt::join(order, " < "));
  return out;
}

std::string outcome(const Explored& e, const Ink& ink) {
  const Failure& failure = *e.result.failure;
  std::string out;
  const store::FinalState state = state_that_matters(e);
  if (failure.kind == FailureKind::Invariant && !state.empty())
    out += fmt::format(
        "\nin the end\n{}",
        state_text(e.program, state, e.options.granularity, EmptyTables::Hide, ink));
  if (!failure.invariants.empty())
    out += fmt::format("\ninvariants\n{}", invariants_text(failure.invariants, 1, ink));
  return out;
}

std::string why(const Explored& e, const Ink& ink) {
  const explore::Opinion& opinion = *e.opinion;
  std::string out = fmt::format("\n{}", verdict_table_text(opinion.levels, ink));
  const std::vector<Finding> found = findings(opinion.levels);
  if (!found.empty())
    out += fmt::format("\n{}        (breaks {}; {})\n{}",
                       ink.bold(finding_title(opinion.history, found[0])),
                       list(found[0].levels), axioms_text(*found[0].violation),
                       finding_reasons(opinion.history, found[0], ink));
  const std::string prevented = prevention(e);
  return prevented.empty() ? out : fmt::format("{}{}\n", out, ink.bold(prevented));
}

std::string next_step(const Explored& e, const std::string& command) {
  if (command.empty() || !e.result.failure) return {};
  return fmt::format("See it:   {0} --html failure.html\nKeep it:  {0} -o failure.hist\n",
                     command);
}

}  // namespace

std::string explore_text(const Explored& e, const ExploreTextOptions& options) {
  const Ink ink(options.colour);
  std::string out = heading(e) + counts(e) + "\n";
  if (!e.result.failure) return out + all_clear(e, ink);
  return out + story(e, ink) + outcome(e, ink) + why(e, ink) +
         next_step(e, options.command);
}

}  // namespace isomer::report
