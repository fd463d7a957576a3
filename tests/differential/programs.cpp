// SPDX-License-Identifier: MIT
// Agreements about what programs can do: explore, with reduction and without, against brute
// force and against runs of the store.
#include <algorithm>

#include <fmt/format.h>

#include "base/random.h"
#include "differential/subject.h"
#include "store/campaign.h"
#include "support/explore/explored.h"

namespace isomer::differential {
namespace {

using explore::ExploredHistories;
using program::Program;

constexpr std::size_t histories_max = 500;
constexpr double explore_seconds = 1;
constexpr int run_count = 5;

explore::Options options_of(const Subject& subject) {
  explore::Options out;
  out.level = subject.level;
  out.granularity = subject.granularity;
  out.minimise = false;
  out.budget = Budget(explore_seconds);
  return out;
}

// Each of the levels, in one of the ways to search.
std::string compared_with_brute_force(const explore::Space& space, Random& random) {
  std::string out;
  for (const check::Level level : check::all_levels) {
    explore::Options options = explore::options_for(level);
    options.granularity = space.granularity;
    options.prune = random.chance(0.7);
    options.jobs = random.chance(0.2) ? 2 : 1;
    if (random.chance(0.3)) options.base = explore::Base::True;
    out += compared(space, options, level);
  }
  // At `true` any order of commits will do, even against what was read.
  if (!space.program->tables.empty()) return out;
  return out + compared(space, explore::options_for(std::nullopt), std::nullopt);
}

Answer ask_brute_force(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program) return skip();
  const auto space = explore::brute_force(
      *program, {.count_max = histories_max, .granularity = subject.granularity});
  if (!space || space->histories.size() < 2) return skip();
  Random random(subject.seed);
  return answer(compared_with_brute_force(*space, random));
}

Answer ask_dfs(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program) return skip();
  explore::Options options = options_of(subject);
  const ExploredHistories reduced = explored(*program, options);
  options.algorithm = explore::Algorithm::Dfs;
  options.budget = Budget(explore_seconds);
  const ExploredHistories all = explored(*program, options);
  if (!reduced.result.is_complete || !all.result.is_complete) return skip();
  std::string out =
      explore::difference(reduced.histories, {all.histories.begin(), all.histories.end()});
  out += explore::difference("assertion failures", reduced.result.assertion_failures,
                             all.result.assertion_failures);
  return answer(std::move(out));
}

// What a transaction read that was rolled back binds nobody who runs after it, whereas
// explore wants it explained with all the rest; and explore rolls back nobody whom the
// level could not allow.
bool is_comparable(const store::Run& run) {
  return std::ranges::all_of(run.transactions, [](const store::TransactionOutcome& ran) {
    return ran.is_committed;
  });
}

// Runs of the store are some of the histories.
std::string wild_runs(const Program& program, const Subject& subject,
                      const std::set<std::string>& histories) {
  const store::Store store(program);
  for (int i = 0; i < run_count; ++i) {
    const store::Run run = store.run({.policy = store::Policy::Random,
                                      .level = subject.level,
                                      .seed = subject.seed + static_cast<std::uint64_t>(i),
                                      .granularity = subject.granularity,
                                      .budget = {}});
    if (!is_comparable(run)) continue;
    const std::string text = explore::canonical(run.history);
    if (!histories.contains(text))
      return fmt::format("run with seed {} is no history of explore: {}\n",
                         subject.seed + static_cast<std::uint64_t>(i), text);
  }
  return "";
}

// A scan meets keys that nobody wrote, if somebody does in another run that was tried.  The
// script does not tell them from those that were asked for by name.
bool reads_unwritten(const history::History& history) {
  return std::ranges::any_of(history.operations(), [&](const history::Operation& op) {
    return op.kind == history::OpKind::Read && history.writers(op.key).empty() &&
           op.value() == history::Value::none();
  });
}

// And each history is one of a run, which fails if the history does.
struct Replays {
  std::uint64_t failing = 0;
  bool are_certain = true;
  std::string wrong;
};

void replay(const store::Store& store, const Subject& subject,
            const history::History& history, Replays& out) {
  out.are_certain &= !reads_unwritten(history);
  if (reads_unwritten(history)) return;
  const store::Run run = store.run({.policy = store::Policy::Script,
                                    .level = subject.level,
                                    .script = &history,
                                    .granularity = subject.granularity,
                                    .budget = {}});
  const std::string text = explore::canonical(history);
  out.failing += is_failing(run) ? 1U : 0U;
  out.are_certain &= run.has_all_final_states;
  if (run.divergence)
    out.wrong = fmt::format("replay of {} diverges: {}\n", text, run.divergence->what);
  else if (!run.is_allowed)
    out.wrong = fmt::format("replay of {} is not allowed\n", text);
  else if (const std::string found = explore::canonical(run.history); found != text)
    out.wrong = fmt::format("replay of {} is {}\n", text, found);
}

Answer ask_runs(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program) return skip();
  explore::Options options = options_of(subject);
  const store::Store store(*program);
  std::set<std::string> histories;
  Replays replays;
  options.on_history = [&](const history::History& history) {
    histories.insert(explore::canonical(history));
    if (histories.size() < histories_max && replays.wrong.empty())
      replay(store, subject, history, replays);
  };
  const explore::Result result = explore::explore(*program, options);
  if (!replays.wrong.empty()) return answer(replays.wrong);
  if (!result.is_complete || histories.size() >= histories_max) return skip();
  std::string out = wild_runs(*program, subject, histories);
  if (replays.are_certain)
    out += explore::difference("assertion failures", result.assertion_failures,
                               replays.failing);
  return answer(std::move(out));
}

Evidence explore_evidence(const Subject& subject) {
  const std::string options = level_options(subject);
  return evidence_of(subject, {"explore " + options + " --histories dpor",
                               "explore " + options + " --algorithm dfs --histories dfs"});
}

Evidence run_evidence(const Subject& subject) {
  const std::string options = level_options(subject);
  return evidence_of(
      subject, {fmt::format("run {} --policy random --seed {}", options, subject.seed),
                "explore " + options + " --histories histories"});
}

constexpr Question<Subject> of_brute_force{ask_brute_force, smaller, explore_evidence};
constexpr Question<Subject> of_dfs{ask_dfs, smaller, explore_evidence};
constexpr Question<Subject> of_runs{ask_runs, smaller, run_evidence};

Subject random_subject(std::uint64_t seed) {
  return seed % 3 == 0 ? random_application(seed) : random_litmus(seed);
}

}  // namespace

std::vector<Agreement> program_agreements() {
  return {
      {"explore-brute", "Explore finds the histories that brute force finds, each once.",
       [](std::uint64_t seed) { return case_of(random_subject(seed), of_brute_force); },
       kept_case<of_brute_force>},
      {"explore-dfs", "Reduction loses no history and no failure.",
       [](std::uint64_t seed) { return case_of(random_subject(seed), of_dfs); },
       kept_case<of_dfs>},
      {"run-explore",
       "Runs are among the histories, and each history can be run, with the same outcome.",
       [](std::uint64_t seed) { return case_of(random_subject(seed), of_runs); },
       kept_case<of_runs>},
  };
}

}  // namespace isomer::differential
