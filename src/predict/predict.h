// SPDX-License-Identifier: MIT
// `isomer predict`: what else could have happened.  From one observed run, an
// unserializable run of the same application that a weak level allows, as in "IsoPredict:
// Dynamic Predictive Analysis for Detecting Unserializable Behaviors in Weakly Isolated
// Data Store Applications" (Geng, Blanas, Bond, Wang, PLDI'24).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "check/check.h"

namespace isomer::predict {

using history::History;
using history::KeyId;
using history::SessionId;
using history::TxnId;

// Exact: no commit order explains the prediction.  Approx: the paper's partial commit order
// pco has a cycle, which is sufficient.  Strict: a session ends with its changed read.
// Relaxed: it ends with the transaction of its changed reads.
enum class Strategy : std::uint8_t {
  ExactStrict,
  ApproxStrict,
  ApproxRelaxed,
  ExactRelaxed
};

constexpr bool is_exact(Strategy strategy) {
  return strategy == Strategy::ExactStrict || strategy == Strategy::ExactRelaxed;
}

constexpr bool is_strict(Strategy strategy) {
  return strategy == Strategy::ExactStrict || strategy == Strategy::ApproxStrict;
}

// The same with the relaxed boundary.
constexpr Strategy relaxed(Strategy strategy) {
  return is_exact(strategy) ? Strategy::ExactRelaxed : Strategy::ApproxRelaxed;
}

std::string_view name(Strategy strategy);  // "exact-strict"
std::optional<Strategy> strategy_named(std::string_view name);

// What may be used of a run in which reads have changed.  Closed: nothing that happens
// after a transaction with a boundary, as in the authors' program.  AppendixB: nothing
// behind the boundary of its own session.  None: everything; each read may change.
enum class Boundary : std::uint8_t { Closed, AppendixB, None };

std::string_view name(Boundary boundary);  // "closed", "appendix-b", "none"
std::optional<Boundary> boundary_named(std::string_view name);

struct Prediction;

struct Options {
  check::AskedLevel level = check::Level::CC;
  Strategy strategy = Strategy::ExactStrict;
  Boundary boundary = Boundary::Closed;
  std::size_t count_max = 1;  // of predictions; each has other transactions or anomalies
  // Runs with more than so many cells (transactions squared, times transactions and keys)
  // are large: they learn what a built-in level forbids, instead of being told (rule
  // Closed).
  double told_cells_max = 4e6;
  bool lists_nearby = true;  // such runs try changes of one transaction first (nearby.h)
  // If there is one, a prediction that it does not accept (because a replay refutes it) is
  // passed over, and another one is looked for.
  std::function<bool(const Prediction&)> accepts = {};
  Budget budget;
};

// In ids of the observed history.
struct ChangedRead {
  TxnId reader;
  std::uint32_t op;  // index into History::operations()
  KeyId key;
  TxnId observed;
  TxnId predicted;
};

struct Prediction {
  History history;
  std::vector<TxnId> origin;         // by transaction of `history`: which one it was
  std::vector<ChangedRead> changed;  // by op
  std::vector<std::optional<std::uint32_t>> boundary;  // by session: the operation; or none
  check::Violated violation;  // of serializability, in ids of `history`
  check::Result levels;  // certified: the built-in ones, and the level that was asked for
};

struct Result {
  std::vector<check::Certified<Prediction>> predictions;  // fewest changed reads first
  // Every other one changes all reads that one of these changes, to the same, or shows the
  // anomaly of one of these again, of the same transactions.
  bool is_complete = false;
  bool has_fewest = true;  // none is known to be better than the first
  // Those that were not accepted.  If none was, the first of them is the prediction.
  std::uint64_t passed_over = 0;
  std::string unknown;  // not empty: "timeout", "interrupted", ...
  double encode_seconds = 0;
  double solve_seconds = 0;
  std::uint64_t variables = 0;
  std::uint64_t clauses = 0;
  std::uint64_t candidates = 0;  // histories tried
};

// The observed history must have no problems, no ambiguous reads and no unknown outcomes
// (`obstacle` says what is wrong with it); aborted transactions are left out.
std::optional<std::string> obstacle(const History& observed);

// No serial order explains the observed history, and that is certified.  Predicting from it
// makes sense, but what it shows may be there already.
bool is_unserializable_already(const History& observed, const Budget& budget);

Result predict(const History& observed, const Options& options);

}  // namespace isomer::predict
