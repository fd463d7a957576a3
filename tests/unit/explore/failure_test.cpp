// SPDX-License-Identifier: MIT
// The failing history: there is one if there can be one, it is one, and it needs all of its
// transactions.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "check/check.h"
#include "programs.h"
#include "support/effort.h"

namespace isomer::explore {
namespace {

using check::Level;

// A call of a program: its session and its text, which are unique in random programs.
using CallName = std::pair<std::string, std::string>;

std::set<CallName> calls_of(const history::History& history) {
  std::set<CallName> out;
  for (std::uint32_t t = 1; t < history.txn_count(); ++t)
    out.emplace(history.session_name(history.session({t})), history.txn_name({t}));
  return out;
}

// The program with these calls only.
Program restricted(Program program, const std::set<CallName>& calls) {
  for (program::Session& session : program.sessions)
    std::erase_if(session.calls, [&](const program::Call& call) {
      return !calls.contains({session.name, call.text});
    });
  return program;
}

std::size_t call_count(const Program& program) {
  std::size_t out = 0;
  for (const program::Session& session : program.sessions)
    out += session.calls.size();
  return out;
}

// An assertion speaks of the reads of a transaction that aborts; then these count as well.
bool is_serializable_for(FailureKind kind, const Space& space, const Outcome& history) {
  return kind == FailureKind::Assert ? allows(Level::SER, space, history)
                                     : is_serializable(space, history);
}

// Does this history fail as the failure does?  One that serializability forbids stays so.
bool fails_alike(const Space& space, const Outcome& history, const Failure& failure) {
  if (!failure.is_serializable && is_serializable_for(failure.kind, space, history))
    return false;
  switch (failure.kind) {
    case FailureKind::Assert:
      return std::ranges::any_of(history.transactions, [&](const auto& ran) {
        return ran->failed_assert && ran->failed_assert->first == failure.at.first;
      });
    case FailureKind::Invariant: {
      const auto broken = broken_asserts(space, history);
      return std::ranges::find(broken, failure.name) != broken.end();
    }
    case FailureKind::Unserializable:
      return !is_serializable(space, history);
  }
  return false;
}

bool can_fail_alike(const Program& program, Level level, const Failure& failure) {
  const Space space = *brute_force(program);
  return std::ranges::any_of(space.histories, [&](const Outcome& history) {
    return allows(level, space, history) && fails_alike(space, history, failure);
  });
}

// A final assert that speaks of a transaction needs it.
bool is_mentioned(const Program& program, const Failure& failure, const CallName& call) {
  return failure.kind == FailureKind::Invariant &&
         failure.name.find(fmt::format("{}.", call.second)) != std::string::npos &&
         !program.invariants.empty();
}

std::string wrong_about(const Program& program, Level level, const Failure& failure) {
  const std::set<CallName> kept = calls_of(failure.history);
  const Program part = restricted(program, kept);
  std::string out =
      difference("dropped", failure.dropped, call_count(program) - kept.size()) +
      difference("outcomes", failure.transactions.size(), kept.size()) +
      difference("places", failure.places.size(), failure.history.operations().size());
  const Space space = *brute_force(part);
  const auto same =
      std::ranges::find(space.histories, canonical(failure.history), &Outcome::text);
  if (same == space.histories.end()) return out + "  no history of the program\n";
  if (!allows(level, space, *same)) out += "  the level forbids it\n";
  if (!fails_alike(space, *same, failure)) out += "  it does not fail\n";
  if (is_serializable_for(failure.kind, space, *same) != failure.is_serializable)
    out += "  it says wrongly whether it is serializable\n";
  for (const CallName& call : kept) {
    if (is_mentioned(program, failure, call)) continue;
    std::set<CallName> fewer = kept;
    fewer.erase(call);
    if (can_fail_alike(restricted(program, fewer), level, failure))
      out += fmt::format("  it does not need {}\n", call.second);
  }
  return out;
}

std::string complaint_about_find(const Space& space, Level level, Find find,
                                 const std::function<bool(const Outcome&)>& is_bad) {
  Options options = options_for(level);
  options.find = find;
  const Result result = explore(*space.program, options);
  const bool is_expected =
      std::ranges::any_of(space.histories, [&](const Outcome& history) {
        return allows(level, space, history) && is_bad(history);
      });
  std::string out = difference("failures", result.failure ? 1 : 0, is_expected ? 1 : 0) +
                    difference("complete", result.is_complete ? 1 : 0, 1);
  if (result.failure) out += wrong_about(*space.program, level, *result.failure);
  if (find == Find::Unserializable)
    out += difference("unserializable", result.unserializable, is_expected ? 1 : 0);
  return out.empty() ? "" : fmt::format("{}:\n{}", name(level), out);
}

TEST(Failure, is_found_if_an_assertion_can_fail) {
  expect_no_complaint(
      effort(1000U, 500U, 30U),
      [](const Space& space) {
        std::string out;
        for (const Level level : {Level::RC, Level::CC, Level::PSI, Level::SER})
          out += complaint_about_find(space, level, Find::Failing,
                                      [&](const Outcome& history) {
                                        return fails_assertion(space, history, level);
                                      });
        return out;
      },
      500);
}

TEST(Failure, is_found_if_a_history_need_not_be_serializable) {
  expect_no_complaint(
      effort(1000U, 500U, 30U),
      [](const Space& space) {
        std::string out;
        for (const Level level : check::all_levels)
          out += complaint_about_find(
              space, level, Find::Unserializable,
              [&](const Outcome& history) { return !is_serializable(space, history); });
        return out;
      },
      500);
}

TEST(Failure, is_one_for_the_checkers_too) {
  expect_no_complaint(effort(500U, 250U, 20U), [](const Space& space) -> std::string {
    Options options = options_for(Level::CC);
    options.find = Find::Unserializable;
    const Result result = explore(*space.program, options);
    if (!result.failure) return {};
    const check::Result checked = *check::certified_answers(
        result.failure.value()->history, {.levels = {Level::CC, Level::SER}, .budget = {}});
    if (!std::holds_alternative<check::Consistent>(checked.levels[0].verdict))
      return "  check says that CC is violated\n";
    if (!std::holds_alternative<check::Violated>(checked.levels[1].verdict))
      return "  check says that it is serializable\n";
    return {};
  });
}

}  // namespace
}  // namespace isomer::explore
