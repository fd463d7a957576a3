// SPDX-License-Identifier: MIT
// Agreements of the search for histories with the checkers: what it thinks of a history,
// and whether it finds one of which we know that it is there.
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/random.h"
#include "check/generic/search.h"
#include "check/uncertified.h"
#include "differential/agreement.h"
#include "history/formats.h"
#include "level/library.h"
#include "support/check/sample.h"
#include "synth/execution.h"
#include "synth/synth.h"

namespace isomer::differential {
namespace {

using check::Log;
using history::History;

// A history and two levels: the one may allow it, and the other forbid it.
struct Told {
  Log log;
  const level::Level* allow = nullptr;
  const level::Level* forbid = nullptr;
};

constexpr double question_seconds = 10;

// Histories of which nothing is open, as the search has them.
bool is_plain(const History& history) {
  return history.problems().empty() && history.ambiguous_reads().empty() &&
         !history.has_unknown_outcomes();
}

// "allows", "forbids" or "unknown".
std::string by_generic_search(const level::Part& part, const level::Level& level) {
  switch (check::find_execution(part, level, Budget(question_seconds)).kind) {
    case check::Found::Kind::Execution:
      return "allows";
    case check::Found::Kind::None:
      return "forbids";
    case check::Found::Kind::Unknown:
      break;
  }
  return "unknown";
}

std::string words(const synth::ExecutionAnswer& found) {
  return std::array{"allows", "forbids", "unknown"}[found.index()];
}

std::string by_check(const History& history, const level::Level& level) {
  const check::Result result =
      check::uncertified_answers(history, {.levels = {{level.qualified_name(), level}},
                                           .budget = Budget(question_seconds),
                                           .explain = false});
  return std::array{"allows", "forbids", "unknown"}[result.levels[0].verdict.index()];
}

// What is wrong with the answers of the search's own verifiers.
std::string verifiers(const History& history, const level::Level& level) {
  const level::Part part = level::whole(history, level);
  const auto tables = level::history_tables(part, {});
  const std::string expected = by_check(history, level);
  std::vector<std::pair<std::string, std::string>> answers = {
      {"the search of check", by_generic_search(part, level)},
      {"the verifier of synth",
       words(synth::find_execution(level::least_form(level), tables,
                                   Budget(question_seconds), false))}};
  if (const auto fast = synth::ask_fast_checker(level, tables, Budget(question_seconds)))
    answers.emplace_back("the fast verifier of synth", words(*fast));
  std::string out;
  for (const auto& [who, answer] : answers)
    if (answer != expected && answer != "unknown" && expected != "unknown")
      out += fmt::format("{}: check {} it, {} {} it\n", level.qualified_name(), expected,
                         who, answer);
  return out;
}

Answer ask_verifiers(const Told& told) {
  const History history = check::history_of(told.log);
  if (!is_plain(history)) return skip();
  return answer(verifiers(history, *told.allow) + verifiers(history, *told.forbid));
}

// Every transaction does something, and reads a key from one writer only.
bool is_of_a_scope(const History& history) {
  for (std::uint32_t t = 1; t < history.txn_count(); ++t) {
    if (history.status({t}) != history::Status::Committed) return false;
    std::set<history::KeyId> keys;
    for (const history::Read& read : history.reads({t}))
      if (!keys.insert(read.key).second) return false;
    if (keys.empty() && history.writes({t}).empty()) return false;
  }
  return true;
}

Answer ask_search(const Told& told) {
  const History history = check::history_of(told.log);
  if (!is_plain(history) || !is_of_a_scope(history)) return skip();
  if (by_check(history, *told.allow) != "allows") return skip();
  if (by_check(history, *told.forbid) != "forbids") return skip();
  synth::Options options;
  const auto transactions = history.txn_count() - 1;
  options.scope = synth::Scope{transactions, check::key_count, transactions + 1};
  options.want = synth::Want::Any;
  options.budget = Budget(question_seconds);
  const auto result = synth::synth({told.allow, 1}, {told.forbid, 1}, options);
  if (result.outcome == synth::Outcome::Unknown) return skip();
  return answer(result.outcome == synth::Outcome::Found ? ""
                                                        : "none found, but here is one");
}

std::vector<Told> less_told(const Told& told) {
  std::vector<Told> out;
  for (Log& log : check::smaller(told.log))
    out.push_back({std::move(log), told.allow, told.forbid});
  return out;
}

Evidence told_evidence(const Told& told) {
  Evidence out;
  const History history = check::history_of(told.log);
  const auto written = history::write_history(history, "hist");
  out.files.push_back({"history.hist", written ? written->bytes : check::text(told.log)});
  const std::string allow = told.allow->qualified_name();
  const std::string forbid = told.forbid->qualified_name();
  out.commands.push_back(
      fmt::format("isomer check --level {} --level {} history.hist", allow, forbid));
  out.commands.push_back(fmt::format("isomer synth --allow {} --forbid {} --scope {},{},{}",
                                     allow, forbid, history.txn_count() - 1,
                                     check::key_count, history.txn_count()));
  return out;
}

std::vector<const level::Level*> levels_of_histories() {
  std::vector<const level::Level*> out;
  for (const level::Level& level : level::standard_levels())
    if (!level.uses_events && !level.uses_values) out.push_back(&level);
  return out;
}

// Histories that a search can have: each value is written once, as profiles have it that
// are not about ambiguity or lists.
Told random_told(std::uint64_t seed) {
  Random random(seed);
  const auto profile =
      random.chance(0.3) ? check::Profile::Arbitrary : check::Profile::Simulated;
  const auto levels = levels_of_histories();
  const auto any = [&] { return levels[random.below(levels.size())]; };
  return {check::random_log(profile, seed, 4), any(), any()};
}

// Most pairs of levels say the same of a history.  So the first is one of which the oracle
// knows that it allows this one, and the second one that forbids it.
Told random_told_apart(std::uint64_t seed) {
  Told out = random_told(seed);
  const check::AllowedLevels is_allowed = check::verdicts(out.log);
  Random random(seed);
  const auto levels = levels_of_histories();
  const auto pick = [&](bool wanted, const level::Level* otherwise) {
    for (int i = 0; i < 20; ++i) {
      const level::Level* level = levels[random.below(levels.size())];
      const check::AskedLevel asked(level->qualified_name(), *level);
      if (!asked.built_in) continue;
      if (is_allowed[static_cast<std::size_t>(*asked.built_in)] == wanted) return level;
    }
    return otherwise;
  };
  out.allow = pick(true, out.allow);
  out.forbid = pick(false, out.forbid);
  return out;
}

constexpr Question<Told> of_verifiers{ask_verifiers, less_told, told_evidence};
constexpr Question<Told> of_search{ask_search, less_told, told_evidence};

}  // namespace

std::vector<Agreement> synth_agreements() {
  return {
      {"synth-check", "The verifiers of synth allow what check allows.",
       [](std::uint64_t seed) { return case_of(random_told(seed), of_verifiers); }},
      {"synth-search",
       "Where a history tells two levels apart, synth finds one of that size.",
       [](std::uint64_t seed) { return case_of(random_told_apart(seed), of_search); }},
  };
}

}  // namespace isomer::differential
