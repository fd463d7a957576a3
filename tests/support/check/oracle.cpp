// SPDX-License-Identifier: MIT
#include "support/check/oracle.h"

#include <algorithm>
#include <set>

#include "support/check/oracle_reads.h"
#include "support/check/relation.h"

namespace isomer::check {

using history::Status;

// The vocabulary of the level language for one resolution, over the numbers of
// transactions; reads, as events, are numbered in order.
struct Oracle::Relations {
  static constexpr std::uint32_t keys = key_count;

  Relation so;
  Relation wr;
  std::array<Relation, keys> wr_of;  // wr[x]
  Relation rf;
  std::array<Relation, keys> rf_of;  // rf[x]
  Relation po;
  std::array<std::uint32_t, keys> writers{};  // W[x]
  Relation versions;                          // what lists show of the order of versions

  // ([W[x]] ; r ; wr[x]^-1) \ id
  [[nodiscard]] Relation overwritten(std::uint32_t x, const Relation& r) const {
    return compose(Relation::identity_on(writers[x]), r, wr_of[x].inverse())
        .without_identity();
  }

  [[nodiscard]] bool overwritten_in(const Relation& r, const Relation& co) const {
    for (std::uint32_t x = 0; x < keys; ++x)
      if (!overwritten(x, r).in(co)) return false;
    return true;
  }

  [[nodiscard]] bool read_committed(const Relation& co) const {
    for (std::uint32_t x = 0; x < keys; ++x)
      if (!compose(Relation::identity_on(writers[x]), rf, po, rf_of[x].inverse())
               .without_identity()
               .in(co))
        return false;
    return true;
  }

  // co* ; r
  static Relation after(const Relation& co, const Relation& r) {
    return r | compose(co, r);
  }

  [[nodiscard]] bool conflict(const Relation& co) const {
    for (std::uint32_t y = 0; y < keys; ++y) {
      const Relation writes_y = Relation::identity_on(writers[y]);
      if (!overwritten_in(after(co, compose(writes_y, co, writes_y)), co)) return false;
    }
    return true;
  }

  [[nodiscard]] bool psi(const Relation& ar, const Relation& vis) const {
    for (std::uint32_t x = 0; x < keys; ++x)
      if (!Relation::product(writers[x], writers[x])
               .without_identity()
               .in(vis | vis.inverse()))
        return false;  // NoConflict
    return vis.in(ar) && so.in(vis) && wr.in(vis) && overwritten_in(vis, ar) &&
           compose(vis, vis).in(vis);
  }

  [[nodiscard]] Relation least_vis(const Relation& ar) const {
    Relation vis = so | wr;
    for (std::uint32_t x = 0; x < keys; ++x)
      for (std::uint32_t t = 0; t < Relation::size; ++t)
        for (std::uint32_t u = 0; u < Relation::size; ++u)
          if ((writers[x] >> t & writers[x] >> u & 1U) != 0 && ar.has(t, u)) vis.add(t, u);
    return vis.closure();
  }

  [[nodiscard]] bool satisfied(const Relation& co, Level level) const {
    if (!(so | wr | versions).in(co)) return false;
    switch (level) {
      case Level::RC:
        return read_committed(co);
      case Level::RA:
        return overwritten_in(so | wr, co);
      case Level::CC:
        return overwritten_in((so | wr).closure(), co);
      case Level::PC:
        return overwritten_in(after(co, so | wr), co);
      case Level::PSI:
        return psi(co, least_vis(co));
      case Level::SI:
        return overwritten_in(after(co, so | wr), co) && conflict(co);
      case Level::SER:
        return overwritten_in(co, co);
    }
    return false;
  }
};

namespace {

Relation total_order(const std::vector<std::uint32_t>& order) {
  Relation co;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j)
      co.add(order[i], order[j]);
  return co;
}

// Calls visit for every choice of one writer for each read.
void each_choice(const std::vector<OpenRead>& open, Resolution& resolution,
                 const std::function<void()>& visit) {
  if (resolution.reads.size() == open.size()) return visit();
  const OpenRead& read = open[resolution.reads.size()];
  for (const std::uint32_t writer : read.writers) {
    resolution.reads.push_back({read.reader, read.key, writer});
    each_choice(open, resolution, visit);
    resolution.reads.pop_back();
  }
}

}  // namespace

Oracle::Oracle(const Log& log) : log_(log), txns_(log_.txns()) {
  const auto open = open_reads(log_);
  if (!open) return;
  std::set<std::uint32_t> seen{0};
  if (log_.is_list_append) {
    const ListFacts facts = list_facts(log_);
    seen.insert(facts.seen.begin(), facts.seen.end());
  }
  for (std::uint32_t t = 1; t <= txns_.size(); ++t)
    if (txns_[t - 1]->outcome == Status::Committed) seen.insert(t);
  Resolution resolution;
  each_choice(*open, resolution, [&] {
    std::set<std::uint32_t> effective = seen;
    for (const Resolution::Read& read : resolution.reads)
      effective.insert(read.writer);
    resolution.effective.assign(effective.begin(), effective.end());
    resolutions_.push_back(resolution);
  });
}

Oracle::Relations Oracle::relations(const Resolution& resolution) const {
  Relations r;
  const auto is_effective = [&](std::uint32_t t) {
    return std::binary_search(resolution.effective.begin(), resolution.effective.end(), t);
  };
  std::uint32_t t = 1;
  for (const auto& session : log_.sessions) {
    const std::uint32_t first = t;
    for (const LoggedTxn& txn : session) {
      if (is_effective(t)) {
        r.so.add(0, t);
        for (std::uint32_t earlier = first; earlier < t; ++earlier)
          if (is_effective(earlier)) r.so.add(earlier, t);
        for (const Op& op : txn.ops)
          if (op.is_write) r.writers[static_cast<std::size_t>(op.key)] |= 1U << t;
      }
      ++t;
    }
  }
  for (std::uint32_t& w : r.writers)
    w |= 1U;
  for (std::uint32_t i = 0; i < resolution.reads.size(); ++i) {
    const Resolution::Read& read = resolution.reads[i];
    r.wr.add(read.writer, read.reader);
    r.wr_of[read.key].add(read.writer, read.reader);
    r.rf.add(read.writer, i);
    r.rf_of[read.key].add(read.writer, i);
    for (std::uint32_t j = 0; j < i; ++j)
      if (resolution.reads[j].reader == read.reader) r.po.add(j, i);
  }
  if (log_.is_list_append)
    for (const auto& [older, younger] : list_facts(log_).older)
      if (older != younger && is_effective(younger)) r.versions.add(older, younger);
  return r;
}

bool Oracle::satisfies(const Resolution& resolution,
                       const std::vector<std::uint32_t>& order, Level level) const {
  return relations(resolution).satisfied(total_order(order), level);
}

std::optional<OracleWitness> Oracle::witness(Level level) const {
  for (const Resolution& resolution : resolutions_) {
    const Relations r = relations(resolution);
    std::vector<std::uint32_t> order = resolution.effective;
    do {
      if (r.satisfied(total_order(order), level)) return OracleWitness{resolution, order};
    } while (std::next_permutation(order.begin() + 1, order.end()));
  }
  return std::nullopt;
}

bool Oracle::allows_psi_with_any_vis() const {
  for (const Resolution& resolution : resolutions_) {
    const Relations r = relations(resolution);
    std::vector<std::uint32_t> order = resolution.effective;
    do {
      const Relation ar = total_order(order);
      if (!r.versions.in(ar)) continue;
      std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // init is in so
      for (std::size_t i = 1; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size(); ++j)
          pairs.emplace_back(order[i], order[j]);
      for (std::uint32_t subset = 0; subset < 1U << pairs.size(); ++subset) {
        Relation vis;
        for (const std::uint32_t t : resolution.effective)
          if (t != 0) vis.add(0, t);
        for (std::size_t i = 0; i < pairs.size(); ++i)
          if ((subset >> i & 1U) != 0) vis.add(pairs[i].first, pairs[i].second);
        if (r.psi(ar, vis)) return true;
      }
    } while (std::next_permutation(order.begin() + 1, order.end()));
  }
  return false;
}

}  // namespace isomer::check
