// SPDX-License-Identifier: MIT
// The search for a history in one scope: counterexample-guided synthesis, Algorithm 1 of
// the paper, for any number of levels on both sides.
//
// A candidate is a history for which each allowed level has an execution.  If a forbidden
// level has one too, that execution is a counterexample, and teaches: *with this execution,
// the history must break the level* (an axiom of the framework or of the level).  This is
// sound because a forbidden history has no execution whatever, and it is a constraint on
// histories alone, so it holds for all candidates to come.
//
// What makes it fast:
// - The fixed order.  Transactions are numbered by the total order of one allowed level, so
//   that order is a constant.  (The original gives it to whichever framework comes first,
//   which may be the forbidden one's.)
// - Least executions (level/least.h).  A counterexample is an order alone; what is visible
//   under it is computed from the history, so one lesson covers all visibility relations.
//   Allowed levels that are least-decided have nothing to choose but their order.
// - The first lesson, before any candidate: the allowed level's own order is no
//   counterexample.  Within one framework this is the paper's smart candidate search;
//   across frameworks it decides most implications without a single candidate.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "level/least.h"
#include "synth/execution.h"
#include "synth/open_history.h"

namespace isomer::synth {

struct Problem {
  std::vector<level::LeastForm> allow;
  std::vector<level::LeastForm> forbid;
};

struct CandidateHistory {
  HistoryTables<Truth> tables;
  std::vector<Execution<Truth>> executions;  // one for each allowed level
};

class Search {
 public:
  // `scope.transactions` is exact, the rest are bounds.
  Search(const Problem& problem, const Scope& scope, const Options& options);

  enum class Answer { Found, None, Unknown };

  // The next history that satisfies the problem and the assumptions.
  Answer next(std::span<const Bit> assumptions);

  [[nodiscard]] const CandidateHistory& candidate() const { return candidate_; }

  // Never this one again (exactly as it is: renamed copies may come).
  void exclude_candidate();

  // A bit that says: at most so many operations, keys, values, or pairs of session order
  // (without those of init).
  Bit operations_at_most(std::size_t bound);
  Bit session_pairs_at_most(std::size_t bound);
  Bit keys_at_most(std::size_t bound);
  Bit values_at_most(std::size_t bound);

  // Try histories with many operations first, or with few.
  void prefer_operations(bool wanted);

  [[nodiscard]] std::uint64_t candidate_count() const { return candidate_count_; }

  [[nodiscard]] std::size_t clause_count() const { return finder_.clause_count(); }

 private:
  void choose_fixed_order();
  [[nodiscard]] OpenHistoryShape shape() const;
  void encode_allowed();
  Execution<Bit> execution_of_allowed(std::size_t i, std::vector<Bit>& facts);
  void learn_first_lessons();
  Answer refute_candidate(const level::LeastForm& form);
  bool learn_order(const level::LeastForm& form, const Execution<Truth>& counterexample);
  void learn_execution(const level::LeastForm& form,
                       const Execution<Truth>& counterexample);
  void must_break(const level::LeastForm& form, const Execution<Bit>& execution);
  void read_candidate();

  const Problem& problem_;
  const Scope scope_;
  const Options& options_;
  std::optional<std::size_t> fixed_;  // the allowed level whose order is the numbering
  Circuit circuit_;
  Finder finder_;
  OpenHistory open_;
  std::vector<Execution<Bit>> executions_;  // of the allowed levels
  std::vector<Bit> operation_counts_;
  CandidateHistory candidate_;
  std::vector<bool> candidate_choices_;
  std::uint64_t candidate_count_ = 0;
};

}  // namespace isomer::synth
