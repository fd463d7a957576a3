// SPDX-License-Identifier: MIT
// A solution of the formulas is a suspicion: what SQL has that terms do not (texts that are
// split, sums, rounding) was left open, and so was most of the database.  It becomes a fact
// when explore finds an unserializable history of just these transactions that has its
// dependencies.
//
// Anomalies of the same types are confirmed together: whatever scenario is made for one of
// them is looked through for all.  If an anomaly does not occur as the solver has it, it
// may with dependencies of the others in the place of some of its own.  First come the rows
// and arguments of the solutions, then these with other numbers, small databases where most
// keys are 1, and what a workload draws.  Some cycles need a transaction more than they
// consist of, who makes what they see: so some small scenarios have one.
//
// A history does harm if no serial order of the transactions ends in the same state and
// gives every caller the same result.  That one does none says nothing of the others: where
// none is found that does, no more is said than that.
#include "audit/confirm/confirm.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "audit/confirm/occurs.h"
#include "audit/confirm/trial.h"
#include "audit/mixed_level.h"
#include "audit/solution.h"
#include "base/assert.h"
#include "base/budget.h"
#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "explore/explore.h"
#include "level/library.h"
#include "program/machine/serial.h"
#include "program/scenario/scenario.h"
#include "program/scenario/write.h"

namespace isomer::audit {
namespace {

using Types = std::vector<std::uint32_t>;

// What is found must not depend on how fast the machine is: attempts and work are counted,
// and the time only ends what would go on for ever.  A piece of work is a history that is
// looked at, or some 256 steps of explore, between which it tells how far it is.
constexpr std::uint64_t attempts_max = 120;
constexpr int harmful_attempts_max = 400;  // more, to find one that does harm
constexpr int outcomes_max = 8;            // histories of an attempt that are compared
constexpr std::size_t company_max = 4;     // transactions, if one is added
constexpr std::uint64_t work_max = 2'000;  // in an attempt
constexpr std::uint64_t group_work_max = 20'000;  // for anomalies of the same types
constexpr double explore_seconds = 200;
constexpr double group_seconds = 600;

Types types_of(const Anomaly& anomaly) {
  Types out;
  for (const AnomalyTransaction& transaction : anomaly.transactions)
    out.push_back(transaction.type);
  return out;
}

// The level that these transactions run at: one for all, or several that are made one.
level::Level level_of(const Plan& plan, const Types& types) {
  std::set<std::uint32_t> numbers;
  for (const std::uint32_t type : types)
    numbers.insert(plan.level_of[type]);
  const bool is_serial =
      std::any_of(plan.serial.begin(), plan.serial.end(), [&](const Types& group) {
        return std::any_of(group.begin(), group.end(), [&](std::uint32_t type) {
          return std::find(types.begin(), types.end(), type) != types.end();
        });
      });
  return numbers.size() == 1 && !is_serial ? plan.levels[*numbers.begin()]
                                           : mixed_level(plan);
}

bool is_unserializable(const history::History& history, const Budget& budget) {
  return std::holds_alternative<check::Violated>(
      check::uncertified_verdict(history, check::Level::SER, budget));
}

class Confirmer {
 public:
  Confirmer(const Program& program, const Plan& plan, const Options& options,
            std::vector<Anomaly*> anomalies)
      : program_(program),
        options_(options),
        anomalies_(std::move(anomalies)),
        types_(types_of(*anomalies_.front())),
        definition_(level_of(plan, types_)),
        level_(definition_.qualified_name(), definition_) {
    // In these frameworks transactions are seen as a whole or not at all.
    if (!level_.built_in &&
        (definition_.framework == "cerone" || definition_.framework == "anode"))
      base_ = explore::Base::RA;
    for (Anomaly* anomaly : anomalies_) {
      anomaly->confirmation = Confirmation::Unconfirmed;
      second_best_.push_back(*anomaly);
      solutions_.push_back({.rows = anomaly->rows, .transactions = anomaly->transactions});
      all_.resize(types_.size());
      Choices& own = own_.emplace_back();
      for (std::size_t slot = 0; slot < types_.size(); ++slot) {
        own.push_back({anomaly->dependencies[slot]});
        all_[slot].push_back(anomaly->dependencies[slot]);
      }
    }
  }

  void run() {
    Random random(1);
    for (; goes_on(); ++attempts_)
      attempt(attempts_, random);
    if (options_.budget.is_exhausted()) refuse(options_.budget.reason());
    for (std::size_t i = 0; i < anomalies_.size(); ++i)
      if (evidence_of(second_best_[i]) > evidence_of(*anomalies_[i]))
        *anomalies_[i] = second_best_[i];
  }

 private:
  [[nodiscard]] bool goes_on() const {
    if (options_.budget.is_exhausted() || work_ >= group_work_max ||
        stopwatch_.seconds() > group_seconds)
      return false;
    return std::any_of(anomalies_.begin(), anomalies_.end(),
                       [&](const Anomaly* anomaly) { return is_open(*anomaly); });
  }

  // A confirmation without harm is kept, but one with harm is better.
  [[nodiscard]] bool is_open(const Anomaly& anomaly) const {
    if (anomaly.harm == Harm::ProvedNone && evidence_of(anomaly) == 1) return false;
    if (attempts_ < solutions_.size()) return evidence_of(anomaly) < 2;
    return (evidence_of(anomaly) == 0 && attempts_ < solutions_.size() + attempts_max) ||
           (evidence_of(anomaly) == 1 && harmful_attempts_ < harmful_attempts_max);
  }

  void attempt(std::uint64_t number, Random& random) {
    if (number < solutions_.size()) return explore(solutions_[number]);
    if (all_are_confirmed() || number >= solutions_.size() + attempts_max)
      if (++harmful_attempts_ % 2 == 0) return explore(hostile(random));
    if (harmful_attempts_ > 0) number = static_cast<std::uint64_t>(harmful_attempts_) / 2;
    switch (number % (program_.workload.empty() ? 2 : 3)) {
      case 0:
        return explore(
            varied(program_, solutions_[random.below(solutions_.size())], random));
      case 1:
        return explore(has_company(number)
                           ? tiny_world(program_, company(number, random), random)
                           : small_world(program_, types_, random));
      default:
        return explore_drawn(number);
    }
  }

  [[nodiscard]] Trial hostile(Random& random) const {
    return hostile_world(program_, solutions_[random.below(solutions_.size())], random);
  }

  [[nodiscard]] bool has_company(std::uint64_t number) const {
    return number > attempts_max / 3 && types_.size() < company_max;
  }

  // The types of the anomalies and one more: every other time one of theirs, as what they
  // overwrite is mostly made by their like.
  [[nodiscard]] Types company(std::uint64_t number, Random& random) const {
    Types out = types_;
    out.push_back(number / 2 % 2 == 0
                      ? types_[random.below(types_.size())]
                      : static_cast<std::uint32_t>(random.below(program_.types.size())));
    return out;
  }

  [[nodiscard]] bool all_are_confirmed() const {
    return std::all_of(anomalies_.begin(), anomalies_.end(), [](const Anomaly* anomaly) {
      return anomaly->confirmation == Confirmation::Confirmed;
    });
  }

  void explore(const Trial& trial) {
    const std::string text = scenario_text(program_, trial);
    const Expected<Program> scenario = parsed_scenario(program_, text);
    if (!scenario)
      return refuse(fmt::format("no scenario of it could be made: {}",
                                scenario.error().front().message));
    explore(*scenario, trial, text);
  }

  // The first reason is that of the solution itself.
  void refuse(const std::string& why) {
    for (Anomaly* anomaly : anomalies_)
      if (anomaly->confirmation != Confirmation::Confirmed &&
          anomaly->why_unconfirmed.empty())
        anomaly->why_unconfirmed = why;
  }

  void explore(const Program& scenario, const Trial& trial, const std::string& text) {
    std::atomic<bool> is_done = false;
    const std::uint64_t before = work_;
    outcomes_ = 0;
    explore::Options asked;
    asked.level = level_;
    asked.base = base_;
    asked.granularity = options_.granularity;
    asked.budget = options_.budget.within(explore_seconds).until(is_done);
    bool is_cut = false;
    const auto work = [&] {
      ++work_;
      is_cut = is_cut || work_ - before >= work_max || work_ >= group_work_max;
      if (is_cut) is_done = true;
    };
    asked.on_history = [&](const history::History& history) {
      inspect(scenario, history, trial, text);
      work();
      if (!goes_on() || outcomes_ == outcomes_max) is_done = true;
    };
    asked.on_progress = [&](const explore::Progress&) { work(); };
    const explore::Result result = explore::explore(scenario, asked);
    refuse(result.is_complete || (is_done && !is_cut)
               ? "no history of the scenario that was made has these dependencies and is "
                 "unserializable"
               : fmt::format("exploring it took too long ({})",
                             is_cut ? "too many histories" : result.unknown));
  }

  // The dependencies, if the history may have them at this level.
  [[nodiscard]] std::optional<std::vector<Dependency>> occurring_at_level(
      const history::History& history, const Choices& choices) const {
    auto found = occurring(program_, history, options_.granularity, choices);
    if (!found || !has_execution(history, definition_, *found, options_.budget))
      return std::nullopt;
    return std::move(found->dependencies);
  }

  // A cycle that has a dependency of the anomaly, and others of the group.
  [[nodiscard]] std::optional<std::vector<Dependency>> mixed(
      std::size_t i, const history::History& history) const {
    for (std::size_t slot = 0; slot < types_.size(); ++slot) {
      Choices choices = all_;
      choices[slot] = own_[i][slot];
      if (auto found = occurring_at_level(history, choices)) return found;
    }
    return std::nullopt;
  }

  void inspect(const Program& scenario, const history::History& history, const Trial& trial,
               const std::string& text) {
    std::optional<bool> is_harmful;
    std::optional<check::Certified<explore::Failure>> evidence;
    for (std::size_t i = 0; i < anomalies_.size(); ++i) {
      if (!is_open(*anomalies_[i])) continue;
      auto found = occurring_at_level(history, own_[i]);
      const bool is_own = found.has_value();
      if (!found && is_open(second_best_[i])) found = mixed(i, history);
      if (!found) continue;
      if (!is_harmful) {
        if (!is_unserializable(history, options_.budget)) return;
        ++outcomes_;
        is_harmful = has_serial_outcome(scenario, history, options_, level_) == false;
      }
      Anomaly& anomaly = is_own ? *anomalies_[i] : second_best_[i];
      if (anomaly.confirmation == Confirmation::Confirmed && !*is_harmful) continue;
      if (!evidence) evidence = certified(history);
      anomaly.evidence = evidence;
      anomaly.confirmation = Confirmation::Confirmed;
      anomaly.why_unconfirmed.clear();
      if (*is_harmful) blame(anomaly, trial);
      anomaly.dependencies = *found;
      anomaly.kind = kind_of(program_, anomaly);
      const auto others =
          trial.transactions.begin() + static_cast<std::ptrdiff_t>(types_.size());
      anomaly.transactions.assign(trial.transactions.begin(), others);
      anomaly.beside.assign(others, trial.transactions.end());
      anomaly.scenario = text;
      anomaly.level = level_.built_in ? "" : definition_.text;
    }
  }

  // The harm may come from a transaction beside those of the cycle, if there is one.
  void blame(Anomaly& anomaly, const Trial& trial) const {
    const bool is_alone = trial.transactions.size() == types_.size();
    ISOMER_ASSERT(!is_alone || anomaly.harm != Harm::ProvedNone);
    if (anomaly.harm != Harm::ProvedNone) anomaly.harm = Harm::Found;
  }

  // The level allows the history, and no serial order explains it.
  [[nodiscard]] check::Certified<explore::Failure> certified(
      const history::History& history) const {
    explore::Failure failure;
    failure.kind = explore::FailureKind::Unserializable;
    failure.history = history;
    return check::or_contradiction(
        explore::certify(std::move(failure), level_, options_.budget));
  }

  // The scenario's own rows, and calls of these types as its workload draws them.
  void explore_drawn(std::uint64_t seed) {
    const auto drawn = program::with_workload(program_, program::WorkloadSize::Large, seed);
    if (!drawn) return;
    std::vector<program::Call> calls;
    for (const program::Session& session : drawn->sessions)
      calls.insert(calls.end(), session.calls.begin(), session.calls.end());
    Trial trial{.rows = drawn->initial_rows, .transactions = {}};
    for (const std::uint32_t type : types_) {
      const auto found = std::find_if(calls.begin(), calls.end(),
                                      [&](const auto& call) { return call.type == type; });
      if (found == calls.end()) return;
      trial.transactions.push_back(
          {.type = type, .arguments = program::argument_values(*found)});
      calls.erase(found);
    }
    explore(trial);
  }

  const Program& program_;
  const Options& options_;
  std::vector<Anomaly*> anomalies_;
  Types types_;
  level::Level definition_;
  check::AskedLevel level_;
  std::optional<explore::Base> base_;
  std::vector<Trial> solutions_;      // by anomaly
  std::vector<Anomaly> second_best_;  // by anomaly: with other dependencies
  std::vector<Choices> own_;          // by anomaly: its dependencies
  Choices all_;                       // those of all
  std::uint64_t attempts_ = 0;
  int harmful_attempts_ = 0;  // after all were confirmed
  int outcomes_ = 0;
  std::uint64_t work_ = 0;
  Stopwatch stopwatch_;
};

bool is_watched(const Plan& plan, const Anomaly& anomaly) {
  return !plan.is_watched.empty() &&
         std::any_of(anomaly.transactions.begin(), anomaly.transactions.end(),
                     [&](const AnomalyTransaction& transaction) {
                       return plan.is_watched[transaction.type];
                     });
}

constexpr double replay_seconds = 10;

// The level that it was confirmed at.
std::optional<check::AskedLevel> level_of(const Plan& plan, const Anomaly& anomaly) {
  if (!anomaly.level.empty()) {
    const auto levels = level::parse_levels("anomaly.level", anomaly.level);
    if (!levels || levels->empty()) return std::nullopt;
    return check::AskedLevel(levels->back().name, levels->back());
  }
  const level::Level& level = plan.levels[plan.level_of[anomaly.transactions.front().type]];
  check::AskedLevel out(level.qualified_name(), level);
  return out.built_in ? check::AskedLevel(*out.built_in) : out;
}

}  // namespace

int evidence_of(const Anomaly& anomaly) {
  if (anomaly.confirmation != Confirmation::Confirmed) return 0;
  return anomaly.harm == Harm::Found ? 2 : 1;
}

void confirm(const Program& program, const Plan& plan, const Options& options,
             std::vector<Anomaly>& anomalies) {
  std::map<Types, std::vector<Anomaly*>> groups;
  for (Anomaly& anomaly : anomalies) {
    if (!is_watched(plan, anomaly)) {
      groups[types_of(anomaly)].push_back(&anomaly);
      continue;
    }
    anomaly.confirmation = Confirmation::Unconfirmed;
    anomaly.why_unconfirmed =
        "explore does not roll transactions back as PostgreSQL's SERIALIZABLE does";
  }
  for (auto& [types, group] : groups)
    Confirmer(program, plan, options, std::move(group)).run();
}

std::optional<Replay> replay(const Program& program, const Plan& plan,
                             const Options& options, const Anomaly& anomaly) {
  if (anomaly.scenario.empty()) return std::nullopt;
  const std::optional<check::AskedLevel> asked = level_of(plan, anomaly);
  const std::filesystem::path file = application_file(program);
  const Expected<Program> scenario = program::parse_scenario(
      (file.parent_path() / "anomaly.toml").string(),
      fmt::format("app = {}\n{}", program::toml_string(file.filename().string()),
                  anomaly.scenario));
  if (!asked || !scenario) return std::nullopt;
  explore::Options exploring;
  exploring.level = asked;
  if (!asked->built_in) exploring.base = explore::Base::RA;
  exploring.find = explore::Find::Unserializable;
  exploring.granularity = options.granularity;
  exploring.budget = options.budget.within(replay_seconds);
  explore::Result result = explore::explore(*scenario, exploring);
  if (!result.failure) return std::nullopt;
  return Replay{*scenario, *asked, std::move(*result.failure)};
}

}  // namespace isomer::audit
