// SPDX-License-Identifier: MIT
#include "check/uncertified.h"

#include <algorithm>

#include "base/assert.h"
#include "base/budget.h"
#include "check/decide.h"
#include "check/explain.h"
#include "check/generic/generic.h"
#include "level/known_order.h"
#include "level/library.h"

namespace isomer::check {
namespace {

// Levels imply each other: a witness serves all weaker levels, evidence all stronger ones.
// So we ask in this order, and only what is not answered yet.
constexpr std::array asking_order = {Level::CC, Level::RA, Level::RC, Level::SER,
                                     Level::SI, Level::PC, Level::PSI};

class Checker {
 public:
  Checker(const History& history, const Question& question)
      : history_(history), question_(question) {}

  Result run() {
    if (!history_.problems().empty()) {
      for (const Level level : all_levels)
        answer(level, explain(history_, history_.problems().front()), 0, {});
    }
    for (const Level level : asking_order)
      if (is_wanted(level) && !answers_[index(level)]) ask(level);
    Result result;
    for (const AskedLevel& level : question_.levels)
      result.levels.push_back(level.built_in ? built_in_answer(level) : ask_text(level));
    return result;
  }

 private:
  static std::size_t index(Level level) { return static_cast<std::size_t>(level); }

  [[nodiscard]] bool is_wanted(Level level) const {
    return std::any_of(question_.levels.begin(), question_.levels.end(),
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
                                      {question_.budget, question_.explain}, result.stats);
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
        answer_violated(level, std::move(decision), watch);
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
      Decision decision = decide(all, Level::SI, {question_.budget, tries});
      if (decision.kind == Decision::Kind::Allowed) return decision;
    }
    return decide(all, level, {question_.budget});
  }

  // What is inconsistent under a weaker level is so under a stronger one, but perhaps not
  // minimal.  Of two stronger ones nothing follows for each other: PSI may allow what is
  // minimal under PC.
  void answer_violated(Level level, Decision decision, const Stopwatch& watch) {
    std::vector<TxnId> support = std::move(decision.support);
    for (const Level strong : all_levels) {
      if (!is_stronger_or_equal(strong, level) || answers_[index(strong)]) continue;
      Violated violated = violation(strong, support);
      if (strong == level && question_.explain) {
        support = violated.transactions;
        std::erase(support, init);
      }
      answer(strong, std::move(violated), strong == level ? watch.seconds() : 0,
             decision.stats);
    }
  }

  Violated violation(Level level, const std::vector<TxnId>& support) const {
    if (!question_.explain) return {};
    constexpr double seconds_max = 20;
    return explain(history_, level, support, question_.budget.within(seconds_max));
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
  const Question& question_;
  std::array<std::optional<LevelResult>, level_count> answers_;
};

// Nobody asked for these answers, so they must not take long.  The number keeps them the
// same on every machine, as far as it can.
constexpr std::uint32_t transactions_max = 60;
constexpr double seconds_max = 5;

bool is_forbidden_by_rc(const std::vector<LevelResult>& answers) {
  return std::ranges::any_of(answers, [](const LevelResult& answer) {
    return answer.level.built_in == Level::RC &&
           std::holds_alternative<Violated>(answer.verdict);
  });
}

bool is_allowed_by_any(const std::vector<LevelResult>& answers) {
  return std::ranges::any_of(answers, [](const LevelResult& answer) {
    return std::holds_alternative<Consistent>(answer.verdict);
  });
}

LevelResult answer_of(const History& history, const AskedLevel& level,
                      const Budget& budget) {
  const Stopwatch watch;
  LevelResult result{level, Unknown{}, 0, {}};
  result.verdict =
      answer_from_text(history, *level.definition, {budget, true}, result.stats);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace

Result uncertified_answers(const History& history, const Question& question) {
  return Checker(history, question).run();
}

Verdict uncertified_verdict(const History& history, const AskedLevel& level,
                            const Budget& budget) {
  Result result =
      uncertified_answers(history, {.levels = {level}, .budget = budget, .explain = false});
  return std::move(result.levels.front().verdict);
}

std::vector<AskedLevel> levels_beside_rc() {
  std::vector<AskedLevel> out;
  for (const level::Level& level : level::standard_levels()) {
    AskedLevel asked(level.qualified_name(), level);
    if (!asked.built_in && !level::is_known_to_imply(asked.name, "biswas:RC"))
      out.push_back(std::move(asked));
  }
  return out;
}

std::vector<LevelResult> answers_beside_rc(const History& history,
                                           const std::vector<LevelResult>& asked,
                                           const Budget& budget) {
  if (!is_forbidden_by_rc(asked) || is_allowed_by_any(asked)) return {};
  if (history.txn_count() > transactions_max) return {};
  const Budget brief = budget.within(seconds_max);
  std::vector<LevelResult> out;
  for (const AskedLevel& level : levels_beside_rc()) {
    const bool is_asked = std::ranges::any_of(asked, [&](const LevelResult& answer) {
      return answer.level.definition &&
             answer.level.definition->qualified_name() == level.name &&
             answer.level.definition->file.empty();
    });
    if (!is_asked) out.push_back(answer_of(history, level, brief));
  }
  return out;
}

}  // namespace isomer::check
