// SPDX-License-Identifier: MIT
// Algorithms 1 and 2 of the paper, explore and exploreSwaps, with a stack of our own.
//
// A frame keeps a history and what can be done with it: reads have one alternative for each
// writer; the commit of a transaction has one for going on and one for each swap.  So the
// space is a polynomial in the size of the program.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explore/explore_ce.h"

namespace isomer::explore {

// Which alternative was taken at each choice: the place of a history in the search tree.
using Path = std::vector<std::uint32_t>;

// A part of the search tree: everything that a history leads to.
template <std::size_t Words>
struct Branch {
  OrderedHistory<Words> history;
  bool is_settled = true;  // the swaps of its last transaction belong to somebody else
  double weight = 1;       // its share of the whole tree, as far as can be told
  Path path;
};

struct SearchCounts {
  std::uint64_t explored = 0;
  std::uint64_t blocked = 0;
  std::uint64_t end_states = 0;
  std::uint64_t pruned = 0;
};

template <std::size_t Words>
struct SearchHooks {
  // A complete history.  False ends the search.
  std::function<bool(const OrderedHistory<Words>&, const Path&)> on_end;
  // Can nothing come of it?  Asked when a read has become fixed; may be empty.
  std::function<bool(const OrderedHistory<Words>&)> is_hopeless;
  // A base that is a text (explore_ce.h); else empty.
  std::function<bool(const OrderedHistory<Words>&)> base_allows;
  // Asked now and then, with the share of the tree that is done.  False ends the search.
  std::function<bool(double done)> goes_on;
  // Runs::forget was called; may be empty.
  std::function<void()> on_forget;
  // Does anybody want a part of the work, and if so, take it; may be empty.
  std::function<bool()> is_work_wanted;
  std::function<void(Branch<Words>)> give_work;
};

template <std::size_t Words>
class Search {
 public:
  using History = OrderedHistory<Words>;

  Search(const std::vector<ProgramTxn>& program, Base level, Runs& runs,
         SearchHooks<Words> hooks)
      : explore_ce_(program, level, runs, hooks.base_allows),
        runs_(runs),
        hooks_(std::move(hooks)) {}

  [[nodiscard]] Branch<Words> whole_tree() const {
    return {.history = explore_ce_.start(), .is_settled = true, .weight = 1, .path = {}};
  }

  // False if a hook ended it.
  bool explore(Branch<Words> branch);

  [[nodiscard]] const SearchCounts& counts() const { return counts_; }

 private:
  struct Frame {
    History history;
    std::vector<TxnNumber> writers;  // of a read
    Reorderings swaps;               // of a commit: alternative 0 is to go on
    std::size_t next = 0;            // alternative
    double weight = 0;               // of each alternative
    std::size_t path_size = 0;

    [[nodiscard]] std::size_t count() const {
      return writers.empty() ? swaps.size() + 1 : writers.size();
    }
  };

  enum class Outcome : std::uint8_t { Extended, DeadEnd, Stopped };

  Outcome extend();
  Outcome choose_writer();
  void exploreSwaps();
  Frame& push_frame(std::size_t alternatives);
  bool take(Frame& frame, std::size_t alternative, History& history);
  bool backtrack();
  void give_away();
  bool look_around();

  ExploreCe<Words> explore_ce_;
  Runs& runs_;
  SearchHooks<Words> hooks_;
  SearchCounts counts_;
  History history_;
  bool is_settled_ = true;
  double weight_ = 1;
  double done_ = 0;
  Path path_;
  std::vector<Frame> frames_;  // only the first depth_ count; the others are room
  std::size_t depth_ = 0;
  std::vector<TxnNumber> writers_;
  std::uint32_t steps_ = 0;
};

extern template class Search<1>;
extern template class Search<4>;

}  // namespace isomer::explore
