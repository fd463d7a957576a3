// SPDX-License-Identifier: MIT
// The decision: does a level allow a part of a history, for some choice of writers?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "check/check.h"
#include "check/resolved_history.h"

namespace isomer::check {

// A part of a history with its open choices: the ambiguous reads all of whose candidates
// are in the part.  (A read that may read from outside says nothing about the part.)
class Selection {
 public:
  struct Ambiguous {
    std::uint32_t index;  // into History::ambiguous_reads()
    TxnId reader;         // the history's id
    std::span<const TxnId> candidates;
  };

  // All of the history.
  explicit Selection(const History& history);

  // These transactions (by id; init is always in).
  Selection(const History& history, std::vector<TxnId> transactions);

  [[nodiscard]] const History& history() const { return history_; }

  [[nodiscard]] std::span<const Ambiguous> ambiguous() const { return ambiguous_; }

  // The part with these writers (by History::ambiguous_reads(); none() leaves a read
  // out). Ids do not depend on the writers.
  [[nodiscard]] ResolvedHistory resolve(const Writers& writers) const;

  // Whether a transaction took effect whatever is chosen: it committed, or the part shows
  // it.
  [[nodiscard]] bool is_certain(TxnId t) const;

  // Adds, for each transaction of unknown outcome, somebody in the selection who surely
  // read from it: without, a smaller part would not show that it took effect.
  [[nodiscard]] std::vector<TxnId> with_observers(std::vector<TxnId> support) const;

  // No ambiguous read at all: what holds in it holds whatever is chosen.
  [[nodiscard]] ResolvedHistory resolve_certain() const;

 private:
  void find_observers();

  const History& history_;
  std::optional<std::vector<TxnId>> transactions_;
  std::map<TxnId, TxnId>
      observer_;  // of unknown outcome but certain -> who shows it; or init
  std::vector<Ambiguous> ambiguous_;
};

// In the history's ids.
struct Decision {
  enum class Kind { Allowed, Violated, Unknown } kind = Kind::Unknown;
  std::vector<TxnId> order;    // Allowed: a commit order
  Writers writers;             // Allowed: by History::ambiguous_reads()
  std::vector<TxnId> support;  // Violated: transactions that are inconsistent by themselves
  std::string reason;          // Unknown
  Stats stats;
};

// How much a decision may cost.
struct Effort {
  const Budget& budget;
  std::uint64_t rounds_max = ~std::uint64_t{0};  // of guessing and learning
};

Decision decide(const Selection& selection, Level level, const Effort& effort);

// Adds, for each transaction of unknown outcome, somebody who read from it: without, the
// part would not show that it took effect.
std::vector<TxnId> with_observers(const History& history, std::vector<TxnId> support);

// decide() for RC, RA, CC, and for the others.
Decision decide_weak(const Selection& selection, Level level, const Effort& effort);
Decision decide_strong(const Selection& selection, Level level, const Effort& effort);

}  // namespace isomer::check
