// SPDX-License-Identifier: MIT
// RC, RA and CC: the levels whose axioms force edges of the commit order from so and wr
// alone.
//
// Each has the form (Biswas & Enea, OOPSLA'19)
//     t1 -wr[x]-> t3,  t2 != t1 writes x,  t2 before t3 in r   =>   t2 -co-> t1
// with r given by the history.  So a commit order exists iff so, wr and the forced edges
// have no cycle, and then every topological order is one.  The forced edges may be many
// more than the operations; each level adds a few of them that imply the rest
// (through_reads.cpp, ra.cpp, cc.cpp).  These are the bounds of AWDIT (Mathur et al.,
// PLDI'25): n^1.5 for RC and RA, n * sessions for CC.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "base/digraph.h"
#include "check/check.h"
#include "check/resolved_history.h"

namespace isomer::check {

// What the decision comes to.  Either an order, or at least one cycle, both in the ids of
// the resolved history; or nothing, because the budget ran out.
struct Outcome {
  std::vector<TxnId> order;
  std::vector<std::vector<Edge>> cycles;
  bool is_out_of_budget = false;

  [[nodiscard]] bool is_allowed() const { return cycles.empty() && !is_out_of_budget; }
};

// The arcs so, wr, known versions, and forced, in this order.
class CommitGraph {
 public:
  explicit CommitGraph(const ResolvedHistory& resolved);

  [[nodiscard]] const ResolvedHistory& resolved() const { return resolved_; }

  // t2 before the writer of `read`, because the reader sees t2.
  void force(TxnId t2, std::uint32_t read) {
    arcs_.push_back({t2.index, resolved_.all_reads()[read].writer.index});
    read_of_.push_back(read);
  }

  // The arcs of so and wr alone.
  [[nodiscard]] std::span<const Arc> happens_before() const {
    return std::span(arcs_).first(version_begin_);
  }

  [[nodiscard]] std::uint32_t wr_begin() const { return wr_begin_; }

  [[nodiscard]] std::uint32_t version_begin() const { return version_begin_; }

  [[nodiscard]] std::uint32_t forced_begin() const { return forced_begin_; }

  [[nodiscard]] std::span<const Arc> arcs() const { return arcs_; }

  // The edge that an arc stands for; a forced one still without its `because`.
  [[nodiscard]] Edge edge(std::uint32_t arc) const;

 private:
  const ResolvedHistory& resolved_;
  std::vector<Arc> arcs_;
  std::uint32_t wr_begin_ = 0;
  std::uint32_t version_begin_ = 0;
  std::uint32_t forced_begin_ = 0;
  std::vector<std::uint32_t> read_of_;  // by arc, from wr_begin_ on; unused for versions
};

// Which reads of a transaction an edge through wr may come from: all of them, or those
// after the read that shows t2.
enum class CountedReads { All, Later };

// When patience is over, edges are missing from the graph.
void force_through_reads(CommitGraph& graph, CountedReads counted, Patience& patience);

void force_read_committed(CommitGraph& graph, Patience& patience);
void force_read_atomic(CommitGraph& graph, Patience& patience);
void force_causal(CommitGraph& graph, Patience& patience);

// Decides RC, RA or CC.  At most `cycles_max` cycles, each short.
Outcome decide_weak(const ResolvedHistory& resolved, Level level, std::size_t cycles_max,
                    const Budget& budget);

// Joins neighbouring so edges into one.
std::vector<Edge> joined(const std::vector<Edge>& path);

}  // namespace isomer::check
