// SPDX-License-Identifier: MIT
// Does a level allow a small history?  Asked of every history at its end, so it has to be
// quick: searches over sets of transactions that are words, instead of a solver.
#pragma once

#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "check/level.h"
#include "explore/ordered_history.h"

namespace isomer::explore {

// A transaction of a history, or the beginning of one: then its writes do not count.
struct Part {
  std::uint32_t position;
  std::uint32_t read_end;
  bool is_whole;
};

// One transaction is to commit before another one.
struct Precedence {
  TxnNumber first;
  TxnNumber second;
};

template <std::size_t Words>
class Consistency {
 public:
  using History = OrderedHistory<Words>;
  using Set = TxnSet<Words>;

  Consistency(const std::vector<ProgramTxn>& program, check::Level level);

  [[nodiscard]] check::Level level() const { return level_; }

  bool allows(const History& history);
  // The parts are in history order, and have everybody that they read from.
  bool allows(const History& history, std::span<const Part> parts);

  // An order of the transactions that explains the history under the level and has these
  // precedences; absent if there is none.  The initial transaction is left out.
  std::optional<std::vector<TxnNumber>> commit_order(
      const History& history, std::span<const Precedence> precedences);

  // All transactions of the history.
  static std::vector<Part> whole(const History& history);
  // Without the aborted ones.
  static std::vector<Part> committed(const History& history);

 private:
  struct Started {
    Set started;
    Set committed;
    bool operator==(const Started&) const = default;
  };

  struct Hash {
    std::size_t operator()(const Started& at) const {
      return at.started.hash() * 31 + at.committed.hash();
    }
  };

  bool decide(const History& history, std::span<const Part> parts,
              std::span<const Precedence> precedences);
  bool decide_weak(const History& history, std::span<const Part> parts,
                   std::span<const Precedence> precedences);
  void load(const History& history, std::span<const Part> parts,
            std::span<const Precedence> precedences);
  [[nodiscard]] Set past_in_session(TxnNumber txn) const;
  void load_conflicts(const History& history, std::span<const Part> parts);
  [[nodiscard]] bool may_commit(TxnNumber txn, const Set& readers,
                                const Set& committed) const;
  bool serialize(Set committed);
  bool schedule(Started at);
  bool arbitrate(Order<Words> visible);
  bool propagate(Order<Words>& visible) const;
  void take_order(const Order<Words>& order);

  struct Reading {
    TxnNumber reader;
    TxnNumber writer;
    Set others;  // who write the same key
  };

  const std::vector<ProgramTxn>& program_;
  check::Level level_;
  Set all_;
  Set read_only_;
  std::vector<Set> past_;       // by transaction: must have committed before it begins
  std::vector<Set> earlier_;    // by transaction: must have committed before it commits
  std::vector<Set> conflicts_;  // by transaction: who write a key that it writes
  std::vector<Set> overwritten_readers_;  // [txn * size + writer]: who read from that
                                          // writer a key that txn writes
  std::vector<Reading> readings_;
  Order<Words> base_order_;
  std::unordered_set<Started, Hash> failed_;
  std::vector<TxnNumber> found_;  // in reverse while it is found
};

extern template class Consistency<1>;
extern template class Consistency<4>;

}  // namespace isomer::explore
