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
//   across frameworks it decides most implications without a single candidate.  Where no
//   allowed level has a total order, but one has an axiom `acyclic r`, the numbering is a
//   linear extension of r, which serves as well.
// - Merged reads (merged_reads.h).  Where levels speak of single reads, a search over
//   histories that have forgotten their order is made first; what it excludes is excluded.
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

// A relation that an axiom of an allowed level makes acyclic.
struct AcyclicRelation {
  std::size_t level;  // its place among the allowed ones
  level::TermId relation;
};

struct CandidateHistory {
  HistoryTables<Truth> tables;
  std::vector<Execution<Truth>> executions;  // one for each allowed level
};

// Whether some level makes the search go through single reads.
bool has_single_reads(const Problem& problem, const Options& options);

// The histories to look through, whatever numbers their transactions have.
OpenHistoryShape shape_of(const Problem& problem, const Scope& scope,
                          const Options& options);

class Search {
 public:
  enum class Reads : std::uint8_t { Single, Merged };

  // `scope.transactions` is exact, the rest are bounds.
  Search(const Problem& problem, const Scope& scope, const Options& options,
         Reads reads = Reads::Single);

  enum class Answer { Found, None, Unknown };

  // The next history that satisfies the problem and the assumptions.
  Answer next(std::span<const Bit> assumptions);

  // With merged reads: None if there is no history, Found if there may be one.
  Answer any_merged();

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
  void choose_acyclic_relation();
  void number_by_acyclic_relation();
  [[nodiscard]] bool is_kept(const level::Level& level, const level::Axiom& axiom) const;
  [[nodiscard]] bool can_teach(const level::LeastForm& form) const;
  [[nodiscard]] OpenHistoryShape shape() const;
  void encode_allowed();
  Execution<Bit> execution_of_allowed(std::size_t i, std::vector<Bit>& facts);
  void learn_first_lessons();
  void break_open_executions();
  Answer refute_candidate(const level::LeastForm& form);
  bool learn_order(const level::LeastForm& form, const Execution<Truth>& counterexample);
  void learn_execution(const level::LeastForm& form,
                       const Execution<Truth>& counterexample);
  void must_break(const level::LeastForm& form, const Execution<Bit>& execution);
  void read_candidate();

  // Of the paper's improvements: this one is in use.
  [[nodiscard]] bool has_fixed_order() const;
  [[nodiscard]] bool has_smart_search() const;

  const Problem& problem_;
  const Scope scope_;
  const Options& options_;
  const Reads reads_;
  std::optional<std::size_t> fixed_;  // the allowed level whose order is the numbering
  std::optional<AcyclicRelation> acyclic_;  // else: what the numbering extends, if any
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
