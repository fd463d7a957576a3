// SPDX-License-Identifier: MIT
#include "check/check.h"

#include <algorithm>

#include "base/assert.h"
#include "base/budget.h"
#include "check/decide.h"
#include "check/explain.h"
#include "check/generic/generic.h"
#include "check/library_levels.h"

namespace isomer::check {

std::string_view name(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::So:
      return "so";
    case EdgeKind::Wr:
      return "wr";
    case EdgeKind::Ww:
      return "ww";
    case EdgeKind::Rw:
      return "rw";
  }
  return {};
}

namespace {

// Levels imply each other: a witness serves all weaker levels, evidence all stronger ones.
// So we ask in this order, and only what is not answered yet.
constexpr std::array asking_order = {Level::CC, Level::RA, Level::RC, Level::SER,
                                     Level::SI, Level::PC, Level::PSI};

class Checker {
 public:
  Checker(const History& history, const Options& options)
      : history_(history), options_(options) {}

  Result run() {
    if (!history_.problems().empty()) {
      for (const Level level : all_levels)
        answer(level, explain(history_, history_.problems().front()), 0, {});
    }
    for (const Level level : asking_order)
      if (is_wanted(level) && !answers_[index(level)]) ask(level);
    Result result;
    for (const AskedLevel& level : options_.levels)
      result.levels.push_back(level.built_in ? built_in_answer(level) : ask_text(level));
    if (options_.asks_library)
      result.library = answers_beside_rc(history_, result.levels, options_.budget);
    return result;
  }

 private:
  static std::size_t index(Level level) { return static_cast<std::size_t>(level); }

  [[nodiscard]] bool is_wanted(Level level) const {
    return std::any_of(options_.levels.begin(), options_.levels.end(),
                       [&](const AskedLevel& asked) { return asked.built_in == level; });
  }

  [[nodiscard]] LevelResult built_in_answer(const AskedLevel& asked) const {
    LevelResult result = *answers_[index(*asked.built_in)];
    result.level = asked;
    return result;
  }

  [[nodiscard]] LevelResult ask_text(const AskedLevel& asked) const {
    const Stopwatch watch;
    LevelResult result{asked, Unknown{}, 0, {}};
    result.verdict = answer_from_text(history_, *asked.definition,
                                      {options_.budget, options_.explain}, result.stats);
    result.seconds = watch.seconds();
    return result;
  }

  void ask(Level level) {
    const Stopwatch watch;
    Decision decision = decide_cheaply(level);
    switch (decision.kind) {
      case Decision::Kind::Allowed: {
        const Consistent witness = witness_of(decision);
        for (const Level weak : all_levels)
          if (is_stronger_or_equal(level, weak))
            answer(weak, witness, weak == level ? watch.seconds() : 0, decision.stats);
        break;
      }
      case Decision::Kind::Violated:
        for (const Level strong : all_levels)
          if (is_stronger_or_equal(strong, level) && !answers_[index(strong)])
            answer(strong, violation(strong, decision.support),
                   strong == level ? watch.seconds() : 0, decision.stats);
        break;
      case Decision::Kind::Unknown:
        answer(level, Unknown{decision.reason}, watch.seconds(), decision.stats);
        break;
    }
  }

  // Most histories that PC or PSI allow, SI allows too, and its search is the better
  // guesser; so it gets a try first, if it was not asked.
  [[nodiscard]] Decision decide_cheaply(Level level) const {
    constexpr std::uint64_t tries = 200;
    const Selection all(history_);
    if ((level == Level::PC || level == Level::PSI) && !answers_[index(Level::SI)]) {
      Decision decision = decide(all, Level::SI, {options_.budget, tries});
      if (decision.kind == Decision::Kind::Allowed) return decision;
    }
    return decide(all, level, {options_.budget});
  }

  // What is inconsistent under a weaker level is so under this one, but perhaps not
  // minimal.
  Violated violation(Level level, std::vector<TxnId>& support) {
    if (!options_.explain) return {};
    constexpr double seconds_max = 20;
    Violated result =
        explain(history_, level, support, options_.budget.within(seconds_max));
    support = result.transactions;
    std::erase(support, init);
    return result;
  }

  // The first answer stays: it came from the question asked, or from the nearest level.
  void answer(Level level, Verdict verdict, double seconds, const Stats& stats) {
    auto& slot = answers_[index(level)];
    const bool is_open = slot && std::holds_alternative<Unknown>(slot->verdict) &&
                         !std::holds_alternative<Unknown>(verdict);
    if (!slot || is_open) slot = LevelResult{level, std::move(verdict), seconds, stats};
  }

  [[nodiscard]] Consistent witness_of(const Decision& decision) const {
    Consistent witness;
    witness.commit_order = decision.order;
    for (std::size_t i = 0; i < history_.ambiguous_reads().size(); ++i)
      witness.choices.push_back({history_.ambiguous_reads()[i], decision.writers[i]});
    return witness;
  }

  const History& history_;
  const Options& options_;
  std::array<std::optional<LevelResult>, level_count> answers_;
};

}  // namespace

Result check(const History& history, const Options& options) {
  return Checker(history, options).run();
}

std::vector<AskedLevel> strongest_allowed(const Result& result) {
  std::vector<AskedLevel> allowed;
  for (const LevelResult& r : result.levels)
    if (std::holds_alternative<Consistent>(r.verdict)) allowed.push_back(r.level);
  std::vector<AskedLevel> strongest;
  for (const AskedLevel& level : allowed)
    if (std::none_of(allowed.begin(), allowed.end(), [&](const AskedLevel& other) {
          return is_stronger_or_equal(other, level) && !is_stronger_or_equal(level, other);
        }))
      strongest.push_back(level);
  return strongest;
}

}  // namespace isomer::check
