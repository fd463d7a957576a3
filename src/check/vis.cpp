// SPDX-License-Identifier: MIT
#include "check/vis.h"

#include <algorithm>

#include "base/assert.h"
#include "base/digraph.h"

namespace isomer::check {

Vis::Vis(const ResolvedHistory& in, std::span<const Link> links, std::span<const Link> more)
    : resolved_(in), groups_(in) {
  std::vector<Arc> arcs;
  for (const auto& part : {links, more})
    for (const Link& link : part)
      if (link.kind != EdgeKind::Rw) arcs.push_back({link.from.index, link.to.index});
  const Digraph graph(in.txn_count(), arcs);
  const auto order = topological_order(graph);
  ISOMER_ASSERT(order.has_value());
  const std::uint32_t chains = in.chain_count();
  clocks_.assign(static_cast<std::size_t>(in.txn_count()) * chains, 0);
  for (const std::uint32_t t : *order) {
    const std::uint32_t* from = &clocks_[static_cast<std::size_t>(t) * chains];
    for (const auto& out : graph.out(t)) {
      std::uint32_t* to = &clocks_[static_cast<std::size_t>(out.to) * chains];
      for (std::uint32_t c = 0; c < chains; ++c)
        to[c] = std::max(to[c], from[c]);
      to[in.chain({t})] = std::max(to[in.chain({t})], in.place({t}) + 1);
    }
  }
}

std::optional<TxnId> Vis::newer_version(TxnId t3, const Read& read,
                                        std::span<const std::uint32_t> place) const {
  const ResolvedHistory& in = resolved_;
  const std::uint32_t* seen =
      &clocks_[static_cast<std::size_t>(t3.index) * in.chain_count()];
  const auto writers = in.writers(read.key);
  for (const WriterGroup& group : groups_.of(read.key)) {
    const TxnId end{in.chain_first(group.chain) + seen[group.chain]};
    const auto first = writers.begin() + group.begin;
    const auto found = std::lower_bound(first, writers.begin() + group.end, end);
    if (found == first) continue;
    const TxnId last = *(found - 1);
    if (last != read.writer && place[last.index] > place[read.writer.index]) return last;
  }
  return std::nullopt;
}

}  // namespace isomer::check
