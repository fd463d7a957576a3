// SPDX-License-Identifier: MIT
#include "support/predict/against_brute_force.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "level/library.h"

namespace isomer::predict {
namespace {

AskedLevel text_level(const std::string& name) {
  return {name, level::levels_named(name).value().front()};
}

// All guesses under one rule, those that cannot be explained, and who of them is allowed.
class Possible {
 public:
  Possible(const Trace& trace, std::vector<Guess> all) : trace_(trace) {
    std::ranges::stable_sort(all, {}, &Guess::changes);
    for (Guess& guess : all)
      if (!is_serializable(trace, guess)) guesses_.push_back(std::move(guess));
  }

  // Those with fewest changes that the level allows.
  std::vector<const Guess*> best(const AskedLevel& level, bool is_exact) {
    std::vector<const Guess*> out;
    for (std::size_t i = 0; i < guesses_.size(); ++i) {
      if (!out.empty() && guesses_[i].changes > out.front()->changes) break;
      if (!is_exact && !has_pco_cycle(trace_, guesses_[i])) continue;
      if (is_allowed_at(i, level)) out.push_back(&guesses_[i]);
    }
    return out;
  }

  // With the same changes, operations and values.
  [[nodiscard]] bool contains(const Changes& changes, const History& history) const {
    return std::ranges::any_of(guesses_, [&](const Guess& guess) {
      return changes_of(trace_, guess) == changes &&
             text(history_of(trace_, guess)) == text(history);
    });
  }

 private:
  bool is_allowed_at(std::size_t index, const AskedLevel& level) {
    const auto [entry, is_new] = allowed_.try_emplace({index, level.name}, false);
    if (is_new) entry->second = is_allowed(history_of(trace_, guesses_[index]), level);
    return entry->second;
  }

  const Trace& trace_;
  std::vector<Guess> guesses_;
  std::map<std::pair<std::size_t, std::string>, bool> allowed_;
};

// Empty if the engine finds what trying everything finds.
std::string disagreement(const Trace& trace, const History& history, Possible& possible,
                         const Options& options) {
  const Result result = predict(history, options);
  const std::vector<const Guess*> best =
      possible.best(options.level, is_exact(options.strategy));
  if (!result.unknown.empty()) return fmt::format("unknown: {}", result.unknown);
  if (result.predictions.empty() != best.empty())
    return best.empty() ? "a prediction where there is none"
                        : "no prediction where there is one";
  if (best.empty()) return result.is_complete ? "" : "none, but not complete";
  const Prediction& prediction = result.predictions.front();
  const Changes changes = changes_of(trace, history, prediction);
  if (!possible.contains(changes, prediction.history))
    return fmt::format("no run could be\n{}", text(prediction.history));
  if (!result.has_fewest) {
    if (static_cast<int>(changes.size()) < best.front()->changes)
      return fmt::format("{} changes, fewer than there can be", changes.size());
    return flaw(prediction, options.level);
  }
  if (static_cast<int>(changes.size()) != best.front()->changes)
    return fmt::format("{} changes instead of {}", changes.size(), best.front()->changes);
  if (std::ranges::none_of(
          best, [&](const Guess* guess) { return changes_of(trace, *guess) == changes; }))
    return "changes that are none of the best";
  return flaw(prediction, options.level);
}

// How the level is dealt with: small runs are told what it forbids, large ones learn it,
// and first try changes of one transaction.
enum class Way : std::uint8_t { Told, Learned, Nearby };

}  // namespace

std::string flaw(const Prediction& prediction, const check::AskedLevel& level) {
  const History& history = prediction.history;
  if (!history.problems().empty()) return "it has reads that no level allows";
  const check::Result result = check::uncertified_answers(
      history, {.levels = {level, check::Level::SER}, .budget = {}});
  const auto* allowed = std::get_if<check::Consistent>(&result.levels[0].verdict);
  if (allowed == nullptr) return "the level does not allow it";
  if (const auto why = check::refute(history, level, *allowed)) return *why;
  if (!std::holds_alternative<check::Violated>(result.levels[1].verdict))
    return "it is serializable";
  return check::refute(history, check::Level::SER, prediction.violation).value_or("");
}

const std::vector<AskedLevel>& levels() {
  static const std::vector<AskedLevel> out = {
      check::Level::CC,        check::Level::RC,
      check::Level::RA,        check::Level::PC,
      check::Level::PSI,       check::Level::SI,
      text_level("cerone:UA"), text_level(ISOMER_SOURCE_DIR "/examples/isolde.level:NLU"),
      text_level("adya:PL-2"), text_level("crooks:PSI"),
      text_level("plume:CC"),
  };
  return out;
}

bool is_allowed(const History& history, const AskedLevel& level) {
  const check::Result result = check::uncertified_answers(
      history, {.levels = {level}, .budget = {}, .explain = false});
  return std::holds_alternative<check::Consistent>(result.levels.front().verdict);
}

Changes changes_of(const Trace& trace, const Guess& guess) {
  Changes out;
  for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t)
    for (int op = 0; op < at(guess.length, t); ++op)
      if (trace.is_external_read(t, op) &&
          at(at(guess.writer, t), op) != at(at(trace.txns, t).ops, op).writer)
        out.emplace(t, op, at(at(guess.writer, t), op));
  return out;
}

Changes changes_of(const Trace& trace, const History& history,
                   const Prediction& prediction) {
  Changes out;
  const auto number = [&](TxnId id) {
    for (int t = initial; t < static_cast<int>(trace.txns.size()); ++t)
      if (trace.id(t) == id) return t;
    return -2;
  };
  for (const ChangedRead& read : prediction.changed)
    out.emplace(number(read.reader),
                static_cast<int>(read.op - history.first_op(read.reader)),
                number(read.predicted));
  return out;
}

std::string try_all(const Trace& trace, Boundary boundary,
                    const std::vector<AskedLevel>& asked, Tried& tried) {
  const History history = history_of(trace);
  for (const bool strict : {true, false}) {
    auto all = guesses(trace, strict, boundary, 3000);
    if (!all) continue;
    Possible possible(trace, std::move(*all));
    for (const Strategy strategy : strategies) {
      if (is_strict(strategy) != strict) continue;
      for (const AskedLevel& level : asked)
        for (const Way way : {Way::Told, Way::Learned, Way::Nearby}) {
          if (way == Way::Learned && !level.built_in) continue;
          const Options options{.level = level,
                                .strategy = strategy,
                                .boundary = boundary,
                                .told_cells_max = way == Way::Told ? 1e9 : 0.0,
                                .lists_nearby = way == Way::Nearby,
                                .budget = {}};
          const std::string why = disagreement(trace, history, possible, options);
          ++tried.asked;
          tried.predicted += !possible.best(level, is_exact(strategy)).empty();
          if (!why.empty())
            return fmt::format("{} {} {} {}: {}", level.name, name(strategy),
                               name(boundary), static_cast<int>(way), why);
          if (boundary != Boundary::Closed) break;
        }
    }
  }
  return "";
}

}  // namespace isomer::predict
