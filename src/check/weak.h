// SPDX-License-Identifier: MIT
// RC, RA and CC: the levels whose axioms force edges of the commit order from so and wr
// alone.
//
// Each has the form (Biswas & Enea, OOPSLA'19)
//     t1 -wr[x]-> t3,  t2 != t1 writes x,  t2 before t3 in r   =>   t2 -co-> t1
// with r given by the history.  So a commit order exists iff so, wr and the forced edges
// have no cycle, and then every topological order is one.  The forced edges may be many
// more than the operations; each level adds a few of them that imply the rest (rc.cpp,
// ra.cpp, cc.cpp).  These are the bounds of AWDIT (Mathur et al., PLDI'25): n^1.5 for RC
// and RA, n * sessions for CC.
#pragma once

#include <cstdint>
#include <vector>

#include "base/digraph.h"
#include "check/check.h"
#include "check/instance.h"

namespace isomer::check {

// What the decision of one instance comes to.  Either an order, or at least one cycle; both
// in the instance's ids.
struct Outcome {
  std::vector<TxnId> order;
  std::vector<std::vector<Edge>> cycles;

  [[nodiscard]] bool is_allowed() const { return cycles.empty(); }
};

// The arcs so, wr, known versions, and forced, in this order.
class CommitGraph {
 public:
  explicit CommitGraph(const Instance& instance);

  [[nodiscard]] const Instance& instance() const { return instance_; }

  // t2 before the writer of `read`, because the reader sees t2.
  void force(TxnId t2, std::uint32_t read) {
    arcs_.push_back({t2.index, instance_.all_reads()[read].writer.index});
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
  const Instance& instance_;
  std::vector<Arc> arcs_;
  std::uint32_t wr_begin_ = 0;
  std::uint32_t version_begin_ = 0;
  std::uint32_t forced_begin_ = 0;
  std::vector<std::uint32_t> read_of_;  // by arc, from wr_begin_ on; unused for versions
};

// Which reads of a transaction an edge through wr may come from: all of them, or those
// after the read that shows t2.
enum class CountedReads { All, Later };

void force_through_reads(CommitGraph& graph, CountedReads counted);

void force_read_committed(CommitGraph& graph);
void force_read_atomic(CommitGraph& graph);
void force_causal(CommitGraph& graph);

// Decides RC, RA or CC.  At most `cycles_max` cycles, each short.
Outcome decide_weak(const Instance& instance, Level level, std::size_t cycles_max);

// Joins neighbouring so edges into one.
std::vector<Edge> joined(const std::vector<Edge>& path);

}  // namespace isomer::check
