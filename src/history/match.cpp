// SPDX-License-Identifier: MIT
#include "history/match.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include <sys/mman.h>

#include "base/assert.h"

namespace isomer::history {
namespace {

constexpr std::size_t batch = 64;

// Room for a large table that is used at random, on huge pages where the kernel gives them
// to those who ask: a third of the time of such a table is address translation.
template <class T>
void reserve_huge(std::vector<T>& table, std::size_t count) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  table.reserve(count);
  const auto data = reinterpret_cast<std::uintptr_t>(table.data());
  const std::uintptr_t first = (data + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t end = (data + count * sizeof(T)) / huge_page * huge_page;
  if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

// Up to this length a transaction is searched for earlier writes directly; beyond, by key.
constexpr std::size_t short_txn = 16;

auto order_key(KeyId key, Value value) {
  return std::tuple(key, value.kind, value.bits);
}

}  // namespace

void Matcher::run() {
  scan_transactions();
  index_writers();
  if (h_.list_append_)
    match_lists();
  else
    match_reads();
  note_observed();
  std::stable_sort(
      h_.problems_.begin(), h_.problems_.end(),
      [](const Problem& left, const Problem& right) { return left.op < right.op; });
}

// The transaction that an operation belongs to.
TxnId Matcher::txn_of(std::uint32_t op) const {
  const auto after = std::upper_bound(h_.first_op_.begin(), h_.first_op_.end(), op);
  return {static_cast<std::uint32_t>(after - h_.first_op_.begin()) - 1};
}

void Matcher::problem(ProblemKind kind, TxnId reader, std::uint32_t op, TxnId other) {
  h_.problems_.push_back({kind, reader, op, h_.ops_[op].key, other});
}

// --- external reads and last writes ---

void Matcher::scan_transactions() {
  const auto writes = static_cast<std::size_t>(
      std::count_if(h_.ops_.begin(), h_.ops_.end(),
                    [](const Operation& op) { return op.kind == OpKind::Write; }));
  const std::size_t size = std::bit_ceil(writes + writes / 2 + 16);
  reserve_huge(slots_, size);
  slots_.assign(size, {});
  mask_ = size - 1;
  const std::uint32_t count = h_.txn_count();
  ISOMER_ASSERT(count < (1U << 29));
  h_.writes_.reserve(writes);
  h_.reads_.reserve(h_.ops_.size() - writes);
  h_.first_read_.assign(count + 1, 0);
  h_.first_write_.assign(count + 1, 0);
  for (std::uint32_t t = 0; t < count; ++t) {
    if (h_.status_[t] != Status::Aborted) scan({t});
    h_.first_read_[t + 1] = static_cast<std::uint32_t>(h_.reads_.size());
    h_.first_write_[t + 1] = static_cast<std::uint32_t>(h_.writes_.size());
  }
  flush_inserts();
  std::sort(duplicates_.begin(), duplicates_.end(),
            [](const Write& left, const Write& right) {
              return std::tuple(order_key(left.key, left.value), left.txn) <
                     std::tuple(order_key(right.key, right.value), right.txn);
            });
}

// Walks one transaction forwards for its reads, and backwards for its last writes.
void Matcher::scan(TxnId t) {
  const std::uint32_t first = h_.first_op_[t.index];
  const std::uint32_t end = h_.first_op_[t.index + 1];
  const bool is_long = end - first > short_txn;
  if (is_long && last_write_op_.empty()) {
    last_write_op_.assign(h_.key_count(), no_op);
    last_write_txn_.assign(h_.key_count(), TxnId::none());
  }
  const auto own_write_before = [&](std::uint32_t op) {
    const KeyId x = h_.ops_[op].key;
    if (is_long) return last_write_txn_[x.index] == t ? last_write_op_[x.index] : no_op;
    for (std::uint32_t i = op; i-- > first;)
      if (h_.ops_[i].kind == OpKind::Write && h_.ops_[i].key == x) return i;
    return no_op;
  };
  const bool reads_count = h_.status_[t.index] == Status::Committed;
  for (std::uint32_t op = first; op < end; ++op) {
    const Operation& o = h_.ops_[op];
    if (o.kind == OpKind::Write) {
      if (!is_long) continue;
      last_write_txn_[o.key.index] = t;
      last_write_op_[o.key.index] = op;
    } else if (reads_count) {
      const std::uint32_t own = own_write_before(op);
      if (own == no_op)
        h_.reads_.push_back({o.key, TxnId::none(), op});
      else
        scan_own_read(t, op, own);
    }
  }
  if (t == h_.initial_copy_) return;
  const auto is_last_write = [&](std::uint32_t op) {
    if (is_long) return last_write_op_[h_.ops_[op].key.index] == op;
    for (std::uint32_t i = op + 1; i < end; ++i)
      if (h_.ops_[i].kind == OpKind::Write && h_.ops_[i].key == h_.ops_[op].key)
        return false;
    return true;
  };
  const auto first_write = static_cast<std::ptrdiff_t>(h_.writes_.size());
  for (std::uint32_t op = first; op < end; ++op)
    if (h_.ops_[op].kind == OpKind::Write && is_last_write(op)) {
      h_.writes_.push_back(h_.ops_[op].key);
      insert({h_.ops_[op].key, h_.ops_[op].value(), t});
    }
  std::sort(h_.writes_.begin() + first_write, h_.writes_.end());
}

// An internal read must return the transaction's own latest write of the key.
void Matcher::scan_own_read(TxnId t, std::uint32_t op, std::uint32_t own_write) {
  if (h_.list_append_) return;  // lists are compared whole, in match_lists()
  const Operation& read = h_.ops_[op];
  if (read.value() == h_.ops_[own_write].value()) return;
  const std::span<const std::uint32_t> same = writes_like(op);
  const auto wrote_it = [&](std::uint32_t from, std::uint32_t to) {
    const auto write = std::lower_bound(same.begin(), same.end(), from);
    return write != same.end() && *write < to;
  };
  if (wrote_it(h_.first_op_[t.index], op))
    problem(ProblemKind::NotOwnLastWrite, t, op, t);
  else if (wrote_it(op, h_.first_op_[t.index + 1]))
    problem(ProblemKind::FutureRead, t, op, t);
  else
    problem(ProblemKind::OwnWriteIgnored, t, op, t);
}

void Matcher::index_writers() {
  h_.first_writer_.assign(h_.key_count() + 1, 0);
  for (const KeyId x : h_.writes_)
    ++h_.first_writer_[x.index + 1];
  std::partial_sum(h_.first_writer_.begin(), h_.first_writer_.end(),
                   h_.first_writer_.begin());
  std::vector<std::uint32_t> next(h_.first_writer_.begin(), h_.first_writer_.end() - 1);
  h_.writers_.resize(h_.writes_.size());
  for (std::uint32_t t = 0; t < h_.txn_count(); ++t)
    for (const KeyId x : h_.writes({t}))
      h_.writers_[next[x.index]++] = {t};
}

// --- the table of last writes ---

std::uint64_t Matcher::hash(KeyId key, Value value) const {
  std::uint64_t z = static_cast<std::uint64_t>(value.bits) * 0x9e3779b97f4a7c15ULL;
  z ^= (static_cast<std::uint64_t>(key.index) << 2 |
        static_cast<std::uint64_t>(value.kind)) *
       0xd6e8feb86659fd93ULL;
  z ^= z >> 32;
  z *= 0xd6e8feb86659fd93ULL;
  return z ^ (z >> 32);
}

Matcher::Slot& Matcher::slot(KeyId key, Value value) {
  std::uint64_t i = hash(key, value) & mask_;
  while (slots_[i].txn != 0 &&
         (slots_[i].bits != value.bits || slots_[i].key != key.index ||
          slots_[i].kind != static_cast<std::uint32_t>(value.kind)))
    i = (i + 1) & mask_;
  return slots_[i];
}

void Matcher::insert(const Write& write) {
  __builtin_prefetch(&slots_[hash(write.key, write.value) & mask_], 1);
  pending_.push_back(write);
  if (pending_.size() >= batch) flush_inserts();
}

void Matcher::flush_inserts() {
  for (const Write& write : pending_) {
    Slot& s = slot(write.key, write.value);
    if (s.txn != 0) {
      s.is_duplicate = 1;
      duplicates_.push_back(write);
      continue;
    }
    s.bits = write.value.bits;
    s.key = write.key.index;
    s.kind = static_cast<std::uint32_t>(write.value.kind) & 3U;
    s.txn = write.txn.index & 0x1fffffffU;
  }
  pending_.clear();
}

// --- reads ---

void Matcher::match_reads() {
  const std::size_t count = h_.reads_.size();
  const auto prefetch = [&](std::size_t read) {
    const Operation& op = h_.ops_[h_.reads_[read].op];
    __builtin_prefetch(&slots_[hash(op.key, op.value()) & mask_]);
  };
  for (std::size_t i = 0; i < std::min(batch, count); ++i)
    prefetch(i);
  h_.first_candidate_.assign(1, 0);
  for (std::uint32_t t = 0; t < h_.txn_count(); ++t)
    for (std::uint32_t r = h_.first_read_[t]; r < h_.first_read_[t + 1]; ++r) {
      if (r + batch < count) prefetch(r + batch);
      match(r, {t});
    }
}

// All transactions other than init whose last write of the key is this value.
std::vector<TxnId> Matcher::writers_of(KeyId key, Value value, const Slot& found) const {
  std::vector<TxnId> writers;
  if (found.txn == 0) return writers;
  writers.push_back({found.txn});
  if (found.is_duplicate == 0) return writers;
  const auto [first, last] = std::equal_range(
      duplicates_.begin(), duplicates_.end(), Write{key, value, TxnId::none()},
      [](const Write& left, const Write& right) {
        return order_key(left.key, left.value) < order_key(right.key, right.value);
      });
  for (auto write = first; write != last; ++write)
    writers.push_back(write->txn);
  std::sort(writers.begin(), writers.end());
  return writers;
}

void Matcher::match(std::uint32_t r, TxnId reader) {
  Read& read = h_.reads_[r];
  const Value value = h_.ops_[read.op].value();
  const Slot& found = slot(read.key, value);
  const bool may_be_initial = h_.initial_value(read.key) == value;
  if (!may_be_initial && found.txn != 0 && found.is_duplicate == 0 &&
      found.txn != reader.index) {
    read.writer = {found.txn};
    return;
  }
  std::vector<TxnId> writers = writers_of(read.key, value, found);
  std::erase(writers, reader);
  if (may_be_initial) writers.insert(writers.begin(), init);
  // A later transaction of the reader's own session cannot have been read, unless nothing
  // else explains the value; then the cycle of so and wr is the violation to report.
  const auto is_later = [&](TxnId t) { return h_.so(reader, t); };
  if (!std::all_of(writers.begin(), writers.end(), is_later))
    std::erase_if(writers, is_later);
  if (writers.empty()) {
    report_unmatched(reader, read);
  } else if (writers.size() == 1) {
    read.writer = writers.front();
  } else {
    h_.ambiguous_.push_back({r});
    h_.candidates_.insert(h_.candidates_.end(), writers.begin(), writers.end());
    h_.first_candidate_.push_back(static_cast<std::uint32_t>(h_.candidates_.size()));
  }
}

// --- reads that nothing explains ---

void Matcher::collect_all_writes() {
  if (has_all_writes_) return;
  has_all_writes_ = true;
  for (std::uint32_t op = 0; op < h_.ops_.size(); ++op)
    if (h_.ops_[op].kind == OpKind::Write) all_writes_.push_back(op);
  std::stable_sort(all_writes_.begin(), all_writes_.end(),
                   [&](std::uint32_t left, std::uint32_t right) {
                     return order_key(h_.ops_[left].key, h_.ops_[left].value()) <
                            order_key(h_.ops_[right].key, h_.ops_[right].value());
                   });
}

// All writes of the key and the value of `op`, in order.
std::span<const std::uint32_t> Matcher::writes_like(std::uint32_t op) {
  collect_all_writes();
  const auto key_of = [&](std::uint32_t other) {
    return order_key(h_.ops_[other].key, h_.ops_[other].value());
  };
  const auto [first, last] = std::equal_range(all_writes_.begin(), all_writes_.end(), op,
                                              [&](std::uint32_t left, std::uint32_t right) {
                                                return key_of(left) < key_of(right);
                                              });
  return {first, last};
}

// Each value is looked into once, however many reads return it.
void Matcher::report_unmatched(TxnId reader, const Read& read) {
  const std::span<const std::uint32_t> same = writes_like(read.op);
  const auto own = std::lower_bound(same.begin(), same.end(), h_.first_op_[reader.index]);
  if (own != same.end() && *own < h_.first_op_[reader.index + 1])
    return problem(ProblemKind::FutureRead, reader, read.op, reader);
  if (same.empty()) return problem(ProblemKind::ThinAir, reader, read.op, TxnId::none());
  const auto [entry, is_new] = unmatched_.try_emplace(same.front());
  if (is_new)
    for (const std::uint32_t write : same) {
      const TxnId t = txn_of(write);
      const bool is_aborted = h_.status_[t.index] == Status::Aborted;
      (is_aborted ? entry->second.aborted : entry->second.intermediate) = t;
    }
  if (!entry->second.intermediate.is_none())
    problem(ProblemKind::IntermediateRead, reader, read.op, entry->second.intermediate);
  else
    problem(ProblemKind::AbortedRead, reader, read.op, entry->second.aborted);
}

// A transaction of unknown outcome that somebody surely read from did commit.
void Matcher::note_observed() {
  if (!h_.has_unknown_) return;
  for (const Read& read : h_.reads_)
    if (!read.writer.is_none() && h_.status_[read.writer.index] == Status::Unknown)
      h_.observed_.push_back(read.writer);
  for (const TxnId t : h_.versions_)
    if (h_.status_[t.index] == Status::Unknown) h_.observed_.push_back(t);
  std::sort(h_.observed_.begin(), h_.observed_.end());
  h_.observed_.erase(std::unique(h_.observed_.begin(), h_.observed_.end()),
                     h_.observed_.end());
}

}  // namespace isomer::history
