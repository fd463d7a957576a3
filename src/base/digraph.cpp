// SPDX-License-Identifier: MIT
#include "base/digraph.h"

#include <algorithm>
#include <numeric>

namespace isomer {

Digraph::Digraph(std::uint32_t node_count, std::span<const Arc> arcs)
    : first_(node_count + 1, 0), out_(arcs.size()) {
  for (const Arc& arc : arcs)
    ++first_[arc.from + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < arcs.size(); ++i)
    out_[next[arcs[i].from]++] = {arcs[i].to, i};
}

std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph) {
  const std::uint32_t count = graph.node_count();
  std::vector<std::uint32_t> missing(count, 0);
  for (std::uint32_t node = 0; node < count; ++node)
    for (const auto& [to, arc] : graph.out(node))
      ++missing[to];
  std::vector<std::uint32_t> order;
  order.reserve(count);
  for (std::uint32_t node = 0; node < count; ++node)
    if (missing[node] == 0) order.push_back(node);
  for (std::uint32_t head = 0; head < order.size(); ++head)
    for (const auto& [to, arc] : graph.out(order[head]))
      if (--missing[to] == 0) order.push_back(to);
  if (order.size() != count) return std::nullopt;
  return order;
}

Components strongly_connected_components(const Digraph& graph) {
  constexpr std::uint32_t unvisited = 0xffffffffU;
  const std::uint32_t count = graph.node_count();
  Components result{std::vector<std::uint32_t>(count, unvisited), {}};
  std::vector<std::uint32_t> index(count, unvisited);
  std::vector<std::uint32_t> low(count, 0);
  std::vector<std::uint32_t> stack;  // Tarjan's stack of open nodes

  struct Frame {
    std::uint32_t node;
    std::uint32_t next;  // the next successor to look at
  };

  std::vector<Frame> calls;
  std::uint32_t visited = 0;
  const auto enter = [&](std::uint32_t node) {
    index[node] = low[node] = visited++;
    stack.push_back(node);
    calls.push_back({node, 0});
  };
  const auto close = [&](std::uint32_t node) {
    const auto id = static_cast<std::uint32_t>(result.size.size());
    std::uint32_t size = 0;
    std::uint32_t member = unvisited;
    do {
      member = stack.back();
      stack.pop_back();
      result.component[member] = id;
      ++size;
    } while (member != node);
    result.size.push_back(size);
  };
  for (std::uint32_t root = 0; root < count; ++root) {
    if (index[root] != unvisited) continue;
    enter(root);
    while (!calls.empty()) {
      const std::uint32_t node = calls.back().node;
      const auto successors = graph.out(node);
      if (calls.back().next < successors.size()) {
        const std::uint32_t to = successors[calls.back().next++].to;
        if (index[to] == unvisited)
          enter(to);
        else if (result.component[to] == unvisited)
          low[node] = std::min(low[node], index[to]);
        continue;
      }
      calls.pop_back();
      if (!calls.empty())
        low[calls.back().node] = std::min(low[calls.back().node], low[node]);
      if (low[node] == index[node]) close(node);
    }
  }
  return result;
}

}  // namespace isomer
