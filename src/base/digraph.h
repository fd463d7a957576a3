// SPDX-License-Identifier: MIT
// Directed graphs as flat arrays, and the few algorithms that every engine needs.  None
// recurses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace isomer {

struct Arc {
  std::uint32_t from;
  std::uint32_t to;
};

// Successor lists of a fixed set of arcs.  Arcs keep their indices, so that callers can
// tell what an arc stands for.
class Digraph {
 public:
  struct Out {
    std::uint32_t to;
    std::uint32_t arc;
  };

  Digraph(std::uint32_t node_count, std::span<const Arc> arcs);

  [[nodiscard]] std::uint32_t node_count() const {
    return static_cast<std::uint32_t>(first_.size() - 1);
  }

  [[nodiscard]] std::span<const Out> out(std::uint32_t node) const {
    return std::span(out_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<Out> out_;
};

// Every node before its successors; absent if there is a cycle.
std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph);

// component[v] numbers the strongly connected components in reverse topological order
// (Tarjan).
struct Components {
  std::vector<std::uint32_t> component;
  std::vector<std::uint32_t> size;  // by component
};

Components strongly_connected_components(const Digraph& graph);

// The arcs of a shortest path from `from` to `to` of at least one arc, among arcs that
// `allows` (by index); absent if there is none.  Breadth first.
template <class Allows>
std::optional<std::vector<std::uint32_t>> shortest_path(const Digraph& graph,
                                                        std::uint32_t from,
                                                        std::uint32_t to,
                                                        const Allows& allows) {
  struct Seen {
    std::uint32_t node;
    std::uint32_t parent;  // index into the queue
    std::uint32_t arc;
  };

  std::vector<Seen> queue{{from, 0, 0}};
  std::vector<bool> seen(graph.node_count(), false);
  for (std::uint32_t head = 0; head < queue.size(); ++head)
    for (const auto& [next, arc] : graph.out(queue[head].node)) {
      if (!allows(arc)) continue;
      if (next == to) {
        std::vector<std::uint32_t> path{arc};
        for (std::uint32_t at = head; at != 0; at = queue[at].parent)
          path.push_back(queue[at].arc);
        return std::vector(path.rbegin(), path.rend());
      }
      if (seen[next]) continue;
      seen[next] = true;
      queue.push_back({next, head, arc});
    }
  return std::nullopt;
}

}  // namespace isomer
