// SPDX-License-Identifier: MIT
#include "check/order_graph.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace isomer::check {

const Shape& shape_of(Level level) {
  static constexpr Shape ser{1, {0, 0}, {0, 0}, {0, 0}, false, false};
  static constexpr Shape pc{2, {1, 0}, {1, 1}, {0, 1}, false, false};
  static constexpr Shape si{2, {1, 0}, {1, 0}, {0, 1}, false, true};
  static constexpr Shape psi{2, {0, 0}, {0, 0}, {0, 1}, true, true};
  switch (level) {
    case Level::PC:
      return pc;
    case Level::PSI:
      return psi;
    case Level::SI:
      return si;
    case Level::SER:
      return ser;
    case Level::RC:
    case Level::RA:
    case Level::CC:
      break;
  }
  ISOMER_ASSERT(false);
  return ser;
}

WriterGroups::WriterGroups(const ResolvedHistory& in) : first_{0} {
  first_.reserve(in.key_count() + 1);
  for (std::uint32_t x = 0; x < in.key_count(); ++x) {
    const auto writers = in.writers({x});
    for (std::uint32_t i = 0; i < writers.size();) {
      const std::uint32_t begin = i;
      const std::uint32_t chain = in.chain(writers[i]);
      while (i < writers.size() && writers[i].index < in.chain_end(chain))
        ++i;
      groups_.push_back({chain, begin, i});
    }
    first_.push_back(static_cast<std::uint32_t>(groups_.size()));
  }
}

VersionReads::VersionReads(const ResolvedHistory& in) : resolved_(in), begin_{0} {
  begin_.reserve(in.key_count() + 1);
  for (std::uint32_t x = 0; x < in.key_count(); ++x)
    begin_.push_back(begin_.back() + 1 +
                     static_cast<std::uint32_t>(in.writers({x}).size()));
  first_.assign(begin_.back() + 1, 0);
  std::vector<std::uint32_t> slots;
  slots.reserve(in.all_reads().size());
  for (const Read& read : in.all_reads()) {
    std::uint32_t slot = begin_[read.key.index];
    if (read.writer != init) {
      const auto writers = in.writers(read.key);
      const auto found = std::lower_bound(writers.begin(), writers.end(), read.writer);
      ISOMER_ASSERT(found != writers.end() && *found == read.writer);
      slot += 1 + static_cast<std::uint32_t>(found - writers.begin());
    }
    slots.push_back(slot);
    ++first_[slot + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  readers_.resize(slots.size());
  for (std::uint32_t t = 0; t < in.txn_count(); ++t)
    for (std::uint32_t r = in.first_read({t}); r < in.first_read({t + 1}); ++r)
      readers_[next[slots[r]]++] = {{t}, r};
}

std::span<const VersionReads::Reader> VersionReads::of_writer(KeyId x, TxnId writer) const {
  const auto writers = resolved_.writers(x);
  const auto found = std::lower_bound(writers.begin(), writers.end(), writer);
  return of_writer(x, static_cast<std::size_t>(found - writers.begin()));
}

namespace {

void add_arcs(const Shape& shape, const Link& link, std::uint32_t index,
              std::vector<Arc>& arcs, std::vector<std::uint32_t>& link_of) {
  const Layers& layers = shape.of(link.kind);
  const std::uint32_t count = shape.node_count;
  arcs.push_back(
      {link.from.index * count + layers.from, link.to.index * count + layers.to});
  link_of.push_back(index);
  if (!shape.is_doubled || link.kind == EdgeKind::Rw) return;
  arcs.push_back({link.from.index * count + 1, link.to.index * count + 1});
  link_of.push_back(index);
}

std::vector<Arc> arcs_of(const ResolvedHistory& in, const Shape& shape,
                         std::span<const Link> links, std::span<const Link> more,
                         std::vector<std::uint32_t>& link_of) {
  std::vector<Arc> arcs;
  arcs.reserve(in.txn_count() + links.size() + more.size());
  link_of.reserve(in.txn_count() + links.size() + more.size());
  if (shape.node_count == 2)
    for (std::uint32_t t = 0; t < in.txn_count(); ++t) {
      arcs.push_back({2 * t, 2 * t + 1});
      link_of.push_back(NodeGraph::no_link);
    }
  std::uint32_t index = 0;
  for (const Link& link : links)
    add_arcs(shape, link, index++, arcs, link_of);
  for (const Link& link : more)
    add_arcs(shape, link, index++, arcs, link_of);
  return arcs;
}

}  // namespace

NodeGraph::NodeGraph(const ResolvedHistory& in, const Shape& shape,
                     std::span<const Link> links, std::span<const Link> more)
    : arcs_(arcs_of(in, shape, links, more, link_of_)),
      digraph_(in.txn_count() * shape.node_count, arcs_) {}

OrderGraph::OrderGraph(const ResolvedHistory& in, Level level)
    : resolved_(in), shape_(shape_of(level)) {
  for (std::uint32_t chain = 1; chain < in.chain_count(); ++chain)
    for (std::uint32_t t = in.chain_first(chain); t < in.chain_end(chain); ++t) {
      const TxnId before{t == in.chain_first(chain) ? init.index : t - 1};
      links_.push_back({before, {t}, EdgeKind::So, KeyId::none(), TxnId::none()});
    }
  for (std::uint32_t t = 0; t < in.txn_count(); ++t)
    for (const Read& read : in.reads({t}))
      if (read.writer != init)
        links_.push_back({read.writer, {t}, EdgeKind::Wr, read.key, TxnId::none()});
  for (const auto& [earlier, later, key] : in.version_edges())
    links_.push_back({earlier, later, EdgeKind::Ww, key, TxnId::none()});
  tables_ = static_cast<std::uint32_t>(links_.size());
}

const NodeGraph& OrderGraph::node_graph() const {
  if (!node_graph_) node_graph_.emplace(resolved_, shape_, links_);
  return *node_graph_;
}

std::vector<std::uint32_t> OrderGraph::cycle() const {
  const NodeGraph& graph = node_graph();
  const Components components = strongly_connected_components(graph.digraph());
  std::optional<std::vector<std::uint32_t>> best;
  int tries = graph.digraph().node_count() < 20'000 ? 64 : 2;
  for (std::uint32_t node = 0; node < graph.digraph().node_count() && tries > 0; ++node) {
    const std::uint32_t component = components.component[node];
    const auto stays = [&](std::uint32_t arc) {
      return components.component[graph.arc(arc).to] == component;
    };
    if (components.size[component] == 1) continue;
    --tries;
    auto arcs = shortest_path(graph.digraph(), node, node, stays);
    if (arcs && (!best || arcs->size() < best->size())) best = std::move(arcs);
  }
  ISOMER_ASSERT(best.has_value());
  std::vector<std::uint32_t> links;
  for (const std::uint32_t arc : *best)
    if (graph.link_of(arc) != NodeGraph::no_link) links.push_back(graph.link_of(arc));
  return links;
}

std::vector<std::uint32_t> OrderGraph::reasons(std::uint32_t index) const {
  const Link& link = links_[index];
  if (index < tables_) return {};
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  if (link.kind == EdgeKind::Rw) {  // its version was older
    if (link.via == init) return {};
    from = node(link.via, shape_.ww.from);
    to = node(link.to, shape_.ww.to);
  } else if (!link.via.is_none()) {  // its reader saw the other version
    from = node(link.from, shape_.wr.from);
    to = node(link.via, shape_.wr.to);
  } else {  // the other direction is impossible
    from = node(link.from, shape_.rw.from);
    to = node(link.to, shape_.rw.to);
  }
  const NodeGraph& graph = node_graph();
  const auto arcs = shortest_path(graph.digraph(), from, to, [&](std::uint32_t arc) {
    return graph.link_of(arc) == NodeGraph::no_link || graph.link_of(arc) < index;
  });
  ISOMER_ASSERT(arcs.has_value());
  std::vector<std::uint32_t> links;
  for (const std::uint32_t arc : *arcs)
    if (graph.link_of(arc) != NodeGraph::no_link) links.push_back(graph.link_of(arc));
  return links;
}

std::optional<Edge> OrderGraph::justified(std::uint32_t index,
                                          std::size_t& edges_max) const {
  if (edges_max == 0) return std::nullopt;
  --edges_max;
  const Link& link = links_[index];
  Edge e{link.from, link.to, link.kind, link.key, link.via, {}};
  for (const std::uint32_t reason : reasons(index)) {
    auto because = justified(reason, edges_max);
    if (!because) return std::nullopt;
    e.because.push_back(std::move(*because));
  }
  return e;
}

std::vector<TxnId> OrderGraph::support(std::vector<std::uint32_t> links) const {
  std::vector<bool> is_seen(links_.size(), false);
  std::vector<bool> is_in(resolved_.txn_count(), false);
  for (const std::uint32_t link : links)
    is_seen[link] = true;
  while (!links.empty()) {
    const std::uint32_t index = links.back();
    links.pop_back();
    const Link& link = links_[index];
    is_in[link.from.index] = is_in[link.to.index] = true;
    if (!link.via.is_none()) is_in[link.via.index] = true;
    for (const std::uint32_t reason : reasons(index))
      if (!is_seen[reason]) {
        is_seen[reason] = true;
        links.push_back(reason);
      }
  }
  std::vector<TxnId> result;
  for (std::uint32_t t = 1; t < resolved_.txn_count(); ++t)
    if (is_in[t]) result.push_back({t});
  return result;
}

}  // namespace isomer::check
