// SPDX-License-Identifier: MIT
// All axioms have one form (Biswas & Enea, OOPSLA'19, figure 2): if t3 reads x from t1, and
// another writer t2 of x is *seen* by t3 (or by that read of t3), then t2 commits before
// t1.  The levels differ in what is seen:
//   RC   what earlier reads of t3 read from
//   RA   so | wr
//   CC   (so | wr)+
//   PC   co* ; (so | wr)
//   SI   PC, and co* ; [W[y]] ; co ; [W[y]] for any key y
//   SER  co
//   PSI  (Cerone et al., CONCUR'15) the least vis that has so, wr and the co between
//        writers of one key, and is transitive
//
// For RC, RA and CC what is seen does not depend on the commit order, so a fixed relation
// must be acyclic.  The others put one transaction after another, in all ways.  Only
// transactions that stand before t3 are seen by it, so as soon as t3 has been put, its
// reads can be judged for good.
#include "support/explore/axioms.h"

#include <array>
#include <bit>

namespace isomer::explore {
namespace {

using check::Level;

constexpr Set just(std::uint32_t t) {
  return Set{1} << t;
}

constexpr bool has(Set set, std::uint32_t t) {
  return (set >> t & 1U) != 0;
}

// By transaction: the set of those before it.
using Before = std::vector<Set>;

Before closure(Before before) {
  for (std::uint32_t via = 0; via < before.size(); ++via)
    for (Set& set : before)
      if (has(set, via)) set |= before[via];
  return before;
}

bool is_acyclic(const Before& before) {
  const Before closed = closure(before);
  for (std::uint32_t t = 0; t < closed.size(); ++t)
    if (has(closed[t], t)) return false;
  return true;
}

Before direct(const Shape& shape) {
  Before out;
  for (std::uint32_t t = 0; t < shape.count; ++t)
    out.push_back(shape.so_wr(t));
  return out;
}

// What the read at this place has seen, if that needs no commit order.
Set seen_by_read(Level level, const Shape& shape, const Before& so_wr, const Before& causal,
                 std::size_t place) {
  const std::uint32_t reader = shape.reads[place].reader;
  if (level == Level::RA) return so_wr[reader];
  if (level == Level::CC) return causal[reader];
  Set out = 0;
  for (std::size_t earlier = 0; earlier < place; ++earlier)
    if (shape.reads[earlier].reader == reader) out |= just(shape.reads[earlier].writer);
  return out;
}

// What must be before what in the commit order of RC, RA or CC; of the others, at least.
Before forced(AnyLevel level, const Shape& shape) {
  const Before so_wr = direct(shape);
  if (!level || *level > Level::CC) return so_wr;
  const Before causal = closure(so_wr);
  Before co = so_wr;
  for (std::size_t i = 0; i < shape.reads.size(); ++i) {
    const auto& [t3, x, t1] = shape.reads[i];
    co[t1] |= seen_by_read(*level, shape, so_wr, causal, i) & shape.writers[x] & ~just(t1);
  }
  return co;
}

// Puts transactions into a commit order, one after another.
struct Search {
  AnyLevel level;
  const Shape& shape;
  const OrderProperty& property;
  Before required = forced(level, shape);
  bool is_fixed = !level || *level <= Level::CC;  // what is required is all
  std::vector<std::uint32_t> order{};
  Set placed = 0;
  std::vector<Set> up_to = std::vector<Set>(shape.count);  // by transaction: co*, once put
  std::vector<Set> vis = std::vector<Set>(shape.count);    // PSI: those that it sees

  // The transactions put so far that write a key that t writes.
  [[nodiscard]] Set rivals(std::uint32_t t) const {
    Set out = 0;
    for (const Set writers : shape.writers)
      if (has(writers, t)) out |= writers & placed;
    return out;
  }

  [[nodiscard]] Set seen(std::uint32_t t) const {
    if (level == Level::SER) return placed;
    Set sources = required[t];
    if (level != Level::PC) sources |= rivals(t);
    Set out = sources;
    for (Set left = sources; left != 0; left &= left - 1) {
      const auto source = static_cast<std::uint32_t>(std::countr_zero(left));
      out |= level == Level::PSI ? vis[source] : up_to[source];
    }
    return out;
  }

  [[nodiscard]] bool reads_well(std::uint32_t t3) const {
    if (is_fixed) return true;
    const Set sees = seen(t3);
    for (const auto& [reader, x, t1] : shape.reads)
      if (reader == t3 && (sees & shape.writers[x] & ~up_to[t1]) != 0) return false;
    return true;
  }

  [[nodiscard]] bool can_complete() {
    if (order.size() == shape.count) return property(order);
    for (std::uint32_t t = 0; t < shape.count; ++t) {
      if (has(placed, t) || (required[t] & ~placed) != 0 || !reads_well(t)) continue;
      vis[t] = seen(t);
      order.push_back(t);
      placed |= just(t);
      up_to[t] = placed;
      if (can_complete()) return true;
      placed &= ~just(t);
      order.pop_back();
    }
    return false;
  }
};

}  // namespace

Set Shape::so_wr(std::uint32_t t) const {
  Set out = before[t];
  for (const Read& read : reads)
    if (read.reader == t) out |= just(read.writer);
  return out;
}

std::string name(AnyLevel level) {
  return level ? std::string(check::info(*level).name) : "true";
}

bool has_commit_order(AnyLevel level, const Shape& shape, const OrderProperty& property) {
  return Search{.level = level, .shape = shape, .property = property}.can_complete();
}

bool allows(AnyLevel level, const Shape& shape) {
  if (!level || *level <= Level::CC) return is_acyclic(forced(level, shape));
  return has_commit_order(level, shape, [](const auto&) { return true; });
}

}  // namespace isomer::explore
