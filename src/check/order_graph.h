// SPDX-License-Identifier: MIT
// What is known of the order of transactions under PC, PSI, SI or SER.
//
// Each level is a rule about cycles of so, wr, ww and rw (Cerone & Gotsman, "Analysing
// Snapshot Isolation", JACM'18, for SI; the same idea gives the others).  We turn each rule
// into plain acyclicity by giving a transaction two nodes:
//
// SER has one node; every edge goes from node to node.
//
// SI has a start S and a commit C, with S -> C.  so, wr and ww go from C to S, rw from S to
// C.
//
// PC is the same, but ww goes from C to C: a snapshot is a prefix, and writers need not see
// each other.
//
// PSI has A and B, with A -> B.  so, wr and ww go from A to A and from B to B, rw from A to
// B.  A is "seen through vis = (so | wr | ww)+", B is "seen through vis and at most one
// rw".
//
// A history satisfies SER, SI or PC iff the writers of each key can be ordered so that the
// graph with all ww and rw edges has no cycle; and PSI iff so, wr, ww have none and no rw
// goes from t3 to a t2 that vis puts before t3.
//
// Reachability is kept as vector clocks: sessions are chains of the graph, so a node
// remembers, for each session, the last node of it that reaches the node.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/digraph.h"
#include "check/check.h"
#include "check/resolved_history.h"

namespace isomer::check {

// From which node of a transaction to which node of another an edge goes.
struct Layers {
  std::uint32_t from;
  std::uint32_t to;
};

struct Shape {
  std::uint32_t node_count;  // of a transaction: 1 or 2
  Layers wr;                 // so too
  Layers ww;
  Layers rw;
  bool is_doubled;  // so, wr and ww also go from the second node to the second node (PSI)
  bool is_ww_exclusive;  // writers of one key must see one another (SI, PSI)

  [[nodiscard]] const Layers& of(EdgeKind kind) const {
    return kind == EdgeKind::Ww ? ww : kind == EdgeKind::Rw ? rw : wr;
  }
};

const Shape& shape_of(Level level);

// An edge, without the reasons for it.
struct Link {
  TxnId from;
  TxnId to;
  EdgeKind kind;
  KeyId key;
  TxnId via;  // as in Edge
};

// The runs of writers(x) that belong to one session.
struct WriterGroup {
  std::uint32_t chain;
  std::uint32_t begin;  // into writers(x)
  std::uint32_t end;
};

class WriterGroups {
 public:
  explicit WriterGroups(const ResolvedHistory& resolved);

  [[nodiscard]] std::span<const WriterGroup> of(KeyId x) const {
    return std::span(groups_).subspan(first_[x.index],
                                      first_[x.index + 1] - first_[x.index]);
  }

 private:
  std::vector<WriterGroup> groups_;
  std::vector<std::uint32_t> first_;
};

// Who read each version: of the i-th writer of a key, or of its initial value.
class VersionReads {
 public:
  struct Reader {
    TxnId txn;
    std::uint32_t read;  // into all_reads()
  };

  explicit VersionReads(const ResolvedHistory& resolved);

  [[nodiscard]] std::span<const Reader> of_initial(KeyId x) const {
    return of(begin_[x.index]);
  }

  [[nodiscard]] std::span<const Reader> of_writer(KeyId x, std::size_t index) const {
    return of(begin_[x.index] + 1 + index);
  }

  [[nodiscard]] std::span<const Reader> of_writer(KeyId x, TxnId writer) const;

 private:
  [[nodiscard]] std::span<const Reader> of(std::size_t slot) const {
    return std::span(readers_).subspan(first_[slot], first_[slot + 1] - first_[slot]);
  }

  const ResolvedHistory& resolved_;
  std::vector<std::uint32_t> begin_;  // by key: its first slot, which is init's
  std::vector<std::uint32_t> first_;  // by slot
  std::vector<Reader> readers_;
};

// The node graph of some links.
class NodeGraph {
 public:
  static constexpr std::uint32_t no_link = 0xffffffffU;

  NodeGraph(const ResolvedHistory& resolved, const Shape& shape,
            std::span<const Link> links, std::span<const Link> more = {});

  [[nodiscard]] const Digraph& digraph() const { return digraph_; }

  // The link behind an arc, counting through `links` and then `more`; no_link within one
  // transaction.
  [[nodiscard]] std::uint32_t link_of(std::uint32_t arc) const { return link_of_[arc]; }

  [[nodiscard]] const Arc& arc(std::uint32_t index) const { return arcs_[index]; }

  [[nodiscard]] bool has_arc(std::uint32_t index) const { return index < arcs_.size(); }

 private:
  std::vector<std::uint32_t> link_of_;  // filled while arcs_ is made
  std::vector<Arc> arcs_;
  Digraph digraph_;
};

class OrderGraph {
 public:
  OrderGraph(const ResolvedHistory& resolved, Level level);

  [[nodiscard]] const ResolvedHistory& resolved() const { return resolved_; }

  [[nodiscard]] const Shape& shape() const { return shape_; }

  // In the order in which they became known: each link follows from earlier ones.
  [[nodiscard]] std::span<const Link> links() const { return links_; }

  // Adds every ww and rw that is forced, to a fixpoint.
  enum class Outcome { Acyclic, Cyclic, OutOfBudget, OutOfMemory };
  Outcome saturate(const Budget& budget);

  // After Cyclic: the links of a short cycle.
  [[nodiscard]] std::vector<std::uint32_t> cycle() const;

  // The link with the reasons for it, and theirs, all the way down; absent if that is more
  // than `edges_max` edges, which nobody would read.
  [[nodiscard]] std::optional<Edge> justified(std::uint32_t link,
                                              std::size_t& edges_max) const;

  // The transactions that a set of links rests on (without init), by id.
  [[nodiscard]] std::vector<TxnId> support(std::vector<std::uint32_t> links) const;

  [[nodiscard]] std::uint32_t node(TxnId t, std::uint32_t layer) const {
    return t.index * shape_.node_count + layer;
  }

 private:
  friend class Saturation;

  // The links of a path that shows why a link holds; only earlier links.
  [[nodiscard]] std::vector<std::uint32_t> reasons(std::uint32_t link) const;
  [[nodiscard]] const NodeGraph& node_graph() const;

  const ResolvedHistory& resolved_;
  const Shape& shape_;
  std::vector<Link> links_;
  std::uint32_t tables_ = 0;  // links that the history gives: so, wr, known versions
  mutable std::optional<NodeGraph> node_graph_;
};

}  // namespace isomer::check
