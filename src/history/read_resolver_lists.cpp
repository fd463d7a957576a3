// SPDX-License-Identifier: MIT
// List-append: an append is a write of a version named by its element, and a read returns
// all versions of the key so far, oldest first (Kingsbury & Alvaro, Elle, VLDB'20).  So a
// read names not only its writer, the appender of the last element, but the order of all
// versions before.
//
// Every read of a key must be a prefix of the longest one, which is then the version order.
// Appends that nobody saw come after it.
#include <algorithm>
#include <tuple>

#include "history/read_resolver.h"

namespace isomer::history {
namespace {

bool is_prefix(std::span<const Value> prefix, std::span<const Value> list) {
  return prefix.size() <= list.size() &&
         std::equal(prefix.begin(), prefix.end(), list.begin());
}

}  // namespace

// Matches one list with the transaction's own appends before it.  External lists get a
// writer.
bool ReadResolver::list_read(TxnId reader, const ListRead& list) {
  const KeyId x = h_.ops_[list.op].key;
  const std::span<const Value> elements = h_.list(list);
  std::vector<Value> sorted(elements.begin(), elements.end());
  const auto before = [](Value left, Value right) {
    return std::tuple(left.kind, left.bits) < std::tuple(right.kind, right.bits);
  };
  std::sort(sorted.begin(), sorted.end(), before);
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    problem(ProblemKind::DuplicateElement, reader, list.op, TxnId::none());
    return false;
  }
  std::vector<Value> own;    // appended before this read
  std::vector<Value> later;  // appended after it
  for (std::uint32_t op = h_.first_op_[reader.index]; op < h_.first_op_[reader.index + 1];
       ++op)
    if (h_.ops_[op].kind == OpKind::Write && h_.ops_[op].key == x)
      (op < list.op ? own : later).push_back(h_.ops_[op].value());
  for (const Value value : elements)
    if (std::find(later.begin(), later.end(), value) != later.end()) {
      problem(ProblemKind::FutureRead, reader, list.op, reader);
      return false;
    }
  const bool ends_in_own = own.size() <= elements.size() &&
                           std::equal(own.rbegin(), own.rend(), elements.rbegin());
  if (!ends_in_own) {
    const bool has_own = !elements.empty() &&
                         std::find(own.begin(), own.end(), elements.back()) != own.end();
    problem(has_own ? ProblemKind::NotOwnLastWrite : ProblemKind::OwnWriteIgnored, reader,
            list.op, reader);
    return false;
  }
  return true;
}

void ReadResolver::match_lists() {
  collect_all_writes();
  h_.first_candidate_.assign(1, 0);
  std::vector<const ListRead*> good;
  std::vector<const ListRead*> longest(h_.key_count(), nullptr);
  for (const ListRead& list : h_.lists_) {
    if (patience_.is_over()) return;
    const TxnId reader = txn_of(list.op);
    if (h_.status_[reader.index] != Status::Committed || !list_read(reader, list)) continue;
    good.push_back(&list);
    const ListRead*& best = longest[h_.ops_[list.op].key.index];
    if (best == nullptr || list.count > best->count) best = &list;
  }
  for (const ListRead* list : good) {
    if (patience_.is_over()) return;
    const ListRead* best = longest[h_.ops_[list->op].key.index];
    if (!is_prefix(h_.list(*list), h_.list(*best)))
      problem(ProblemKind::IncompatibleOrder, txn_of(list->op), list->op, txn_of(best->op));
  }
  match_elements(good);
  h_.first_version_.assign(1, 0);
  for (std::uint32_t x = 0; x < h_.key_count(); ++x) {
    if (longest[x] != nullptr) order_versions({x}, *longest[x]);
    h_.first_version_.push_back(static_cast<std::uint32_t>(h_.versions_.size()));
  }
}

// Each element of a list must have been appended by somebody who did not abort, and the
// last one must be its writer's last append.
void ReadResolver::match_elements(const std::vector<const ListRead*>& lists) {
  for (const ListRead* list : lists)
    for (const Value value : h_.list(*list)) {
      if (patience_.is_over()) return;
      const std::uint32_t op = append_of(h_.ops_[list->op].key, value);
      const TxnId t = op == no_op ? TxnId::none() : txn_of(op);
      if (!t.is_none() && h_.status_[t.index] != Status::Aborted) continue;
      problem(t.is_none() ? ProblemKind::ThinAir : ProblemKind::AbortedRead,
              txn_of(list->op), list->op, t);
      break;
    }
  for (std::uint32_t t = 0; t < h_.txn_count(); ++t)
    for (std::uint32_t r = h_.first_read_[t]; r < h_.first_read_[t + 1]; ++r) {
      Read& read = h_.reads_[r];
      const Value value = h_.ops_[read.op].value();
      if (value.kind == ValueKind::None) {
        read.writer = init;
        continue;
      }
      const std::uint32_t op = append_of(read.key, value);
      if (op == no_op || h_.status_[txn_of(op).index] == Status::Aborted ||
          txn_of(op).index == t)
        continue;  // reported above
      if (!is_last_append(op))
        problem(ProblemKind::IntermediateRead, {t}, read.op, txn_of(op));
      else
        read.writer = txn_of(op);
    }
}

bool ReadResolver::is_last_append(std::uint32_t op) const {
  const std::uint32_t end = h_.first_op_[txn_of(op).index + 1];
  return std::none_of(h_.ops_.begin() + op + 1, h_.ops_.begin() + end,
                      [&](const Operation& o) {
                        return o.kind == OpKind::Write && o.key == h_.ops_[op].key;
                      });
}

// The append of this element: by a transaction that did not abort if there is one.
std::uint32_t ReadResolver::append_of(KeyId x, Value value) const {
  const auto key_of = [&](std::uint32_t op) {
    return std::tuple(h_.ops_[op].key, h_.ops_[op].value_kind, h_.ops_[op].value_bits);
  };
  const std::tuple wanted(x, value.kind, value.bits);
  auto write =
      std::lower_bound(all_writes_.begin(), all_writes_.end(), wanted,
                       [&](std::uint32_t op, const auto& key) { return key_of(op) < key; });
  std::uint32_t found = no_op;
  for (; write != all_writes_.end() && key_of(*write) == wanted; ++write) {
    found = *write;
    if (h_.status_[txn_of(found).index] != Status::Aborted) break;
  }
  return found;
}

// The transactions behind the longest list of x, in its order.  One that stands in two
// places, or of whose appends some came before and some after another's, appears twice: a
// cycle of ww. A list that has an append of a transaction has its earlier ones too, before
// it.
void ReadResolver::order_versions(KeyId x, const ListRead& longest) {
  const auto first = static_cast<std::ptrdiff_t>(h_.versions_.size());
  std::vector<std::uint32_t> seen;
  const auto previous_append = [&](std::uint32_t op) {
    const std::uint32_t begin = h_.first_op_[txn_of(op).index];
    while (op-- > begin)
      if (h_.ops_[op].kind == OpKind::Write && h_.ops_[op].key == x) return op;
    return no_op;
  };
  for (const Value value : h_.list(longest)) {
    if (patience_.is_over()) return;
    const std::uint32_t op = append_of(x, value);
    if (op == no_op || h_.status_[txn_of(op).index] == Status::Aborted) continue;
    const TxnId t = txn_of(op);
    const std::uint32_t previous = previous_append(op);
    if (previous != no_op && std::find(seen.rbegin(), seen.rend(), previous) == seen.rend())
      problem(ProblemKind::IncompatibleOrder, txn_of(longest.op), longest.op, t);
    if (seen.empty() || txn_of(seen.back()) != t) h_.versions_.push_back(t);
    seen.push_back(op);
  }
  std::sort(seen.begin(), seen.end());
  const std::vector<TxnId> order(h_.versions_.begin() + first, h_.versions_.end());
  for (const TxnId t : order)
    for (std::uint32_t op = h_.first_op_[t.index]; op < h_.first_op_[t.index + 1]; ++op)
      if (h_.ops_[op].kind == OpKind::Write && h_.ops_[op].key == x &&
          h_.versions_.back() != t && !std::binary_search(seen.begin(), seen.end(), op))
        h_.versions_.push_back(t);
}

}  // namespace isomer::history
