// SPDX-License-Identifier: MIT
#include "base/digraph.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "base/random.h"

namespace isomer {
namespace {

using Nodes = std::vector<std::uint32_t>;
using testing::ElementsAre;
using testing::IsEmpty;

Nodes successors(const Digraph& graph, std::uint32_t node) {
  Nodes result;
  for (const auto& [to, arc] : graph.out(node))
    result.push_back(to);
  return result;
}

std::vector<Arc> random_arcs(std::uint32_t node_count, std::size_t arc_count,
                             std::uint64_t seed) {
  Random random(seed);
  std::vector<Arc> arcs;
  for (std::size_t i = 0; i < arc_count; ++i)
    arcs.push_back({static_cast<std::uint32_t>(random.below(node_count)),
                    static_cast<std::uint32_t>(random.below(node_count))});
  return arcs;
}

// Which nodes can be reached by one arc or more, by Warshall's algorithm.
std::vector<std::vector<bool>> closure(std::uint32_t count, const std::vector<Arc>& arcs) {
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
  for (const Arc& arc : arcs)
    reaches[arc.from][arc.to] = true;
  for (std::uint32_t via = 0; via < count; ++via)
    for (std::uint32_t from = 0; from < count; ++from)
      for (std::uint32_t to = 0; to < count; ++to)
        if (reaches[from][via] && reaches[via][to]) reaches[from][to] = true;
  return reaches;
}

constexpr auto allow_all = [](std::uint32_t) { return true; };

TEST(Digraph, keeps_successors_in_the_order_of_arcs_with_their_indices) {
  const std::vector<Arc> arcs = {{2, 0}, {0, 1}, {2, 2}, {0, 1}, {2, 1}};
  const Digraph graph(4, arcs);
  EXPECT_EQ(graph.node_count(), 4U);
  EXPECT_THAT(successors(graph, 0), ElementsAre(1, 1));
  EXPECT_THAT(successors(graph, 1), IsEmpty());
  EXPECT_THAT(successors(graph, 2), ElementsAre(0, 2, 1));
  EXPECT_THAT(successors(graph, 3), IsEmpty());
  for (std::uint32_t node = 0; node < 4; ++node)
    for (const auto& [to, arc] : graph.out(node)) {
      EXPECT_EQ(arcs[arc].from, node);
      EXPECT_EQ(arcs[arc].to, to);
    }
}

TEST(Digraph, may_be_empty) {
  const Digraph graph(0, {});
  EXPECT_EQ(graph.node_count(), 0U);
  EXPECT_THAT(*topological_order(graph), IsEmpty());
  EXPECT_THAT(strongly_connected_components(graph).size, IsEmpty());
}

TEST(Digraph, topological_order_puts_every_node_before_its_successors) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Arc> arcs = random_arcs(30, 60, seed);
    std::erase_if(arcs, [](const Arc& arc) { return arc.from == arc.to; });
    for (Arc& arc : arcs)  // downwards only: no cycle
      if (arc.from < arc.to) std::swap(arc.from, arc.to);
    const auto order = topological_order(Digraph(30, arcs));
    ASSERT_TRUE(order.has_value());
    Nodes place(30, 30);
    for (std::uint32_t i = 0; i < order->size(); ++i)
      place[(*order)[i]] = i;
    EXPECT_EQ(std::count(place.begin(), place.end(), 30U), 0) << "a node is missing";
    for (const Arc& arc : arcs)
      EXPECT_LT(place[arc.from], place[arc.to]) << "seed " << seed;
  }
}

TEST(Digraph, a_cycle_has_no_topological_order) {
  EXPECT_FALSE(topological_order(Digraph(4, std::vector<Arc>{{0, 1}, {1, 2}, {2, 1}})));
  EXPECT_FALSE(topological_order(Digraph(1, std::vector<Arc>{{0, 0}})));
}

TEST(Digraph, components_are_the_classes_of_mutual_reachability) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const std::vector<Arc> arcs = random_arcs(12, 4 + seed % 20, seed);
    const auto reaches = closure(12, arcs);
    const Components found = strongly_connected_components(Digraph(12, arcs));
    std::vector<std::uint32_t> size(found.size.size(), 0);
    for (std::uint32_t v = 0; v < 12; ++v) {
      ++size[found.component[v]];
      for (std::uint32_t w = 0; w < 12; ++w)
        EXPECT_EQ(found.component[v] == found.component[w],
                  v == w || (reaches[v][w] && reaches[w][v]))
            << "seed " << seed << ", nodes " << v << " and " << w;
    }
    EXPECT_EQ(size, found.size) << "seed " << seed;
    for (const Arc& arc : arcs)
      EXPECT_GE(found.component[arc.from], found.component[arc.to])
          << "components are not in reverse topological order, seed " << seed;
  }
}

TEST(Digraph, a_long_chain_does_not_overflow_the_stack) {
  constexpr std::uint32_t count = 1'000'000;
  std::vector<Arc> arcs;
  for (std::uint32_t node = 0; node + 1 < count; ++node)
    arcs.push_back({node, node + 1});
  EXPECT_EQ(strongly_connected_components(Digraph(count, arcs)).size.size(), count);
  arcs.push_back({count - 1, 0});
  EXPECT_THAT(strongly_connected_components(Digraph(count, arcs)).size, ElementsAre(count));
}

TEST(Digraph, shortest_path_takes_the_fewest_arcs) {
  // 0 -> 1 -> 2 -> 3 and the short cut 0 -> 2.
  const std::vector<Arc> arcs = {{0, 1}, {1, 2}, {2, 3}, {0, 2}};
  const Digraph graph(5, arcs);
  EXPECT_THAT(*shortest_path(graph, 0, 3, allow_all), ElementsAre(3, 2));
  EXPECT_FALSE(shortest_path(graph, 3, 0, allow_all));
  EXPECT_FALSE(shortest_path(graph, 0, 4, allow_all));
}

TEST(Digraph, shortest_path_keeps_to_the_allowed_arcs) {
  const std::vector<Arc> arcs = {{0, 1}, {1, 2}, {2, 3}, {0, 2}};
  const auto not_the_short_cut = [](std::uint32_t arc) { return arc != 3; };
  EXPECT_THAT(*shortest_path(Digraph(4, arcs), 0, 3, not_the_short_cut),
              ElementsAre(0, 1, 2));
}

TEST(Digraph, a_path_from_a_node_to_itself_is_a_cycle) {
  const std::vector<Arc> arcs = {{0, 1}, {1, 2}, {2, 0}, {3, 3}};
  const Digraph graph(5, arcs);
  EXPECT_THAT(*shortest_path(graph, 0, 0, allow_all), ElementsAre(0, 1, 2));
  EXPECT_THAT(*shortest_path(graph, 3, 3, allow_all), ElementsAre(3));
  EXPECT_FALSE(shortest_path(graph, 4, 4, allow_all));
}

TEST(Digraph, shortest_path_exists_exactly_where_the_closure_says) {
  const std::vector<Arc> arcs = random_arcs(12, 16, 7);
  const Digraph graph(12, arcs);
  const auto reaches = closure(12, arcs);
  for (std::uint32_t from = 0; from < 12; ++from)
    for (std::uint32_t to = 0; to < 12; ++to) {
      const auto path = shortest_path(graph, from, to, allow_all);
      ASSERT_EQ(path.has_value(), reaches[from][to]) << from << " to " << to;
      if (!path) continue;
      std::uint32_t at = from;
      for (const std::uint32_t arc : *path) {
        EXPECT_EQ(arcs[arc].from, at);
        at = arcs[arc].to;
      }
      EXPECT_EQ(at, to);
    }
}

}  // namespace
}  // namespace isomer
