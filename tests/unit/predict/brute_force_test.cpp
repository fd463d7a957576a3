// SPDX-License-Identifier: MIT
// The engine against trying everything, on small random runs.
#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "brute_force.h"
#include "flaw.h"
#include "level/library.h"
#include "support/effort.h"

namespace isomer::predict {
namespace {

using check::AskedLevel;

AskedLevel text_level(const std::string& name) {
  return {name, level::levels_named(name).value().front()};
}

// Those with checkers of their own, and some that only have a text.
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
  const check::Result result =
      check::check(history, {.levels = {level}, .budget = {}, .explain = false});
  return std::holds_alternative<check::Consistent>(result.levels.front().verdict);
}

// A changed read: the transaction, the operation in it, the writer.
using Changes = std::set<std::tuple<int, int, int>>;

Changes changes_of(const Trace& trace, const Guess& guess) {
  Changes out;
  for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t)
    for (int op = 0; op < at(guess.length, t); ++op)
      if (trace.is_external_read(t, op) &&
          at(at(guess.writer, t), op) != at(at(trace.txns, t).ops, op).writer)
        out.emplace(t, op, at(at(guess.writer, t), op));
  return out;
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

constexpr std::array strategies = {Strategy::ExactStrict, Strategy::ApproxStrict,
                                   Strategy::ExactRelaxed, Strategy::ApproxRelaxed};
constexpr std::array boundaries = {Boundary::Closed, Boundary::AppendixB, Boundary::None};

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

struct Tried {
  int asked = 0;
  int predicted = 0;
};

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

TEST(BruteForce, finds_the_same_predictions) {
  Random random(1);
  Tried tried;
  int found = 0;
  for (int i = 0; i < effort(3000, 100); ++i) {
    const Trace trace = random_trace(random);
    const std::size_t first = random.below(levels().size());
    const std::size_t second = random.below(2);
    const std::vector<AskedLevel> asked = {levels()[first], levels()[second]};
    const auto why = [&](const Trace& tried_trace) {
      return try_all(tried_trace, at(boundaries, i % 3), asked, tried);
    };
    if (why(trace).empty()) continue;
    const Trace small = shrunk(trace, [&](const Trace& t) { return !why(t).empty(); });
    ADD_FAILURE() << "trace " << i << ": " << why(small) << '\n' << text(small);
    if (++found == 5) break;
  }
  RecordProperty("asked", tried.asked);
  RecordProperty("predicted", tried.predicted);
  EXPECT_GT(tried.predicted, tried.asked / 10);
}

// The anomaly and the transactions of the observed run that show it.
std::pair<std::string, std::set<TxnId>> anomaly(const Prediction& prediction) {
  std::set<TxnId> transactions;
  for (const TxnId txn : prediction.violation.transactions)
    transactions.insert(prediction.origin[txn.index]);
  return {prediction.violation.anomaly, std::move(transactions)};
}

struct Asked {
  AskedLevel level;
  Strategy strategy;
};

// What a guess shows, in ids of the observed history.
std::pair<std::string, std::set<TxnId>> anomaly(const Trace& trace, const Guess& guess) {
  const check::Result result =
      check::check(history_of(trace, guess), {.levels = {check::Level::SER}, .budget = {}});
  const auto& violation = std::get<check::Violated>(result.levels.front().verdict);
  std::set<TxnId> origin{history::init};
  for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t)
    if (at(guess.length, t) >= 0) origin.insert(trace.id(t));
  std::set<TxnId> transactions;
  for (const TxnId txn : violation.transactions)
    transactions.insert(*std::next(origin.begin(), txn.index));
  return {violation.anomaly, std::move(transactions)};
}

// Changes that include neither those of a prediction, nor those of a run that shows what a
// prediction shows; and yet are some of an unserializable run that the level allows.
std::string missing(const Trace& trace, const History& history,
                    const std::vector<Guess>& all, const Asked& asked,
                    const Result& result) {
  std::set<Changes> known;
  std::set<std::pair<std::string, std::set<TxnId>>> shown;
  for (const Prediction& prediction : result.predictions) {
    known.insert(changes_of(trace, history, prediction));
    shown.insert(anomaly(prediction));
  }
  std::set<Changes> found;
  for (const Guess& guess : all) {
    if (is_serializable(trace, guess) ||
        (!is_exact(asked.strategy) && !has_pco_cycle(trace, guess)) ||
        !is_allowed(history_of(trace, guess), asked.level))
      continue;
    found.insert(changes_of(trace, guess));
    if (shown.contains(anomaly(trace, guess))) known.insert(changes_of(trace, guess));
  }
  const auto is_known = [&](const Changes& changes) {
    return std::ranges::any_of(
        known, [&](const Changes& part) { return std::ranges::includes(changes, part); });
  };
  const auto other = std::ranges::find_if_not(found, is_known);
  return other == found.end() ? "" : fmt::format("{} changes are missing", other->size());
}

TEST(BruteForce, all_predictions_differ) {
  Random random(5);
  std::size_t several = 0;
  for (int i = 0; i < effort(400, 30); ++i) {
    const Trace trace = random_trace(random);
    const History history = history_of(trace);
    const Boundary boundary = at(boundaries, i % 3);
    const Strategy strategy = at(strategies, i % 4);
    const AskedLevel& level = levels()[random.below(3)];
    const auto all = guesses(trace, is_strict(strategy), boundary, 3000);
    if (!all) continue;
    const Result result = predict(history, {.level = level,
                                            .strategy = strategy,
                                            .boundary = boundary,
                                            .count_max = 1000,
                                            .budget = {}});
    EXPECT_TRUE(result.is_complete);
    std::set<Changes> possible;
    for (const Guess& guess : *all)
      possible.insert(changes_of(trace, guess));
    std::set<std::pair<std::string, std::set<TxnId>>> anomalies;
    std::size_t changes = 0;
    for (const Prediction& prediction : result.predictions) {
      EXPECT_EQ(flaw(prediction, level), "") << text(trace);
      EXPECT_TRUE(anomalies.insert(anomaly(prediction)).second) << text(trace);
      EXPECT_TRUE(possible.contains(changes_of(trace, history, prediction))) << text(trace);
      EXPECT_GE(prediction.changed.size(), changes) << text(trace);
      changes = prediction.changed.size();
    }
    several += result.predictions.size() > 1 ? 1U : 0U;
    EXPECT_EQ(missing(trace, history, *all, {level, strategy}, result), "") << text(trace);
  }
  EXPECT_GT(several, effort(50U, 3U));
}

}  // namespace
}  // namespace isomer::predict
