// SPDX-License-Identifier: MIT
#include "history/read_resolver.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "base/assert.h"
#include "history/provide_pages.h"

namespace isomer::history {
namespace {

// Up to this length a transaction is searched for earlier writes directly; beyond, by key.
constexpr std::size_t short_txn = 16;

auto order_key(KeyId key, Value value) {
  return std::tuple(key, value.kind, value.bits);
}

}  // namespace

void ReadResolver::run() {
  scan_transactions();
  if (patience_.is_over()) return;
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
TxnId ReadResolver::txn_of(std::uint32_t op) const {
  const auto after = std::upper_bound(h_.first_op_.begin(), h_.first_op_.end(), op);
  return {static_cast<std::uint32_t>(after - h_.first_op_.begin()) - 1};
}

void ReadResolver::problem(ProblemKind kind, TxnId reader, std::uint32_t op, TxnId other) {
  h_.problems_.push_back({kind, reader, op, h_.ops_[op].key, other});
}

// --- external reads and last writes ---

void ReadResolver::scan_transactions() {
  const std::uint32_t count = h_.txn_count();
  ISOMER_ASSERT(count < (1U << 29));
  make_room(last_writes_, write_count_);
  make_room(h_.writes_, write_count_);
  make_room(h_.reads_, h_.ops_.size() - write_count_);
  h_.first_read_.assign(count + 1, 0);
  h_.first_write_.assign(count + 1, 0);
  for (std::uint32_t t = 0; t < count; ++t) {
    if (patience_.is_over()) return;
    if (h_.status_[t] != Status::Aborted) scan({t});
    h_.first_read_[t + 1] = static_cast<std::uint32_t>(h_.reads_.size());
    h_.first_write_[t + 1] = static_cast<std::uint32_t>(h_.writes_.size());
  }
}

// One pass over a transaction.  Its own writes so far, the last of each key, are the end of
// last_writes_; most operations find in `written` that theirs is not among them.
void ReadResolver::scan(TxnId t) {
  const std::uint32_t begin = h_.first_op_[t.index];
  const std::uint32_t end = h_.first_op_[t.index + 1];
  const bool is_long = end - begin > short_txn;
  if (is_long && place_of_key_.empty()) place_of_key_.assign(h_.key_count(), 0);
  const bool reads_count = h_.status_[t.index] == Status::Committed;
  const std::size_t first_own = last_writes_.size();
  std::uint64_t written = 0;  // the low six bits of the keys, as a set
  for (std::uint32_t op = begin; op < end; ++op) {
    const Operation& o = h_.ops_[op];
    const std::uint64_t bit = std::uint64_t{1} << (o.key.index % 64);
    std::uint32_t* const own =
        (written & bit) == 0 ? nullptr : own_write(o.key, first_own, is_long);
    if (o.kind == OpKind::Read) {
      if (reads_count && own == nullptr) h_.reads_.push_back({o.key, TxnId::none(), op});
      if (reads_count && own != nullptr) scan_own_read(t, op, *own);
    } else if (own != nullptr) {
      *own = op;
    } else {
      written |= bit;
      if (is_long)
        place_of_key_[o.key.index] = static_cast<std::uint32_t>(last_writes_.size());
      last_writes_.push_back(op);
    }
  }
  if (t == h_.initial_copy_) last_writes_.resize(first_own);
  for (std::size_t i = first_own; i < last_writes_.size(); ++i)
    h_.writes_.push_back(h_.ops_[last_writes_[i]].key);
  std::sort(h_.writes_.begin() + static_cast<std::ptrdiff_t>(first_own), h_.writes_.end());
}

// The place of x among the last writes from `first_own` on; null if it is not there.
std::uint32_t* ReadResolver::own_write(KeyId x, std::size_t first_own, bool is_long) {
  const auto is_of_key = [&](std::uint32_t op) { return h_.ops_[op].key == x; };
  const auto own = std::span(last_writes_).subspan(first_own);
  if (!is_long) {
    const auto found = std::find_if(own.begin(), own.end(), is_of_key);
    return found == own.end() ? nullptr : &*found;
  }
  // An earlier transaction's place may be left here.
  const std::size_t place = place_of_key_[x.index] - first_own;
  return place < own.size() && is_of_key(own[place]) ? &own[place] : nullptr;
}

// An internal read must return the transaction's own latest write of the key.
void ReadResolver::scan_own_read(TxnId t, std::uint32_t op, std::uint32_t own_write) {
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

ReadResolver::Access ReadResolver::access(const Operation& op, std::uint32_t index,
                                          TxnId t) {
  return {op.value_bits, index, t.index & 0x1fffffffU,
          static_cast<std::uint32_t>(op.value_kind) & 3U, 0};
}

// Sorts the last writes by key, and those of one key by transaction.
void ReadResolver::index_writers() {
  h_.first_writer_.assign(h_.key_count() + 1, 0);
  for (const KeyId x : h_.writes_)
    ++h_.first_writer_[x.index + 1];
  std::partial_sum(h_.first_writer_.begin(), h_.first_writer_.end(),
                   h_.first_writer_.begin());
  std::vector<std::uint32_t> next(h_.first_writer_.begin(), h_.first_writer_.end() - 1);
  make_room(writes_of_key_, last_writes_.size());
  writes_of_key_.resize(last_writes_.size());
  for (std::uint32_t t = 0; t < h_.txn_count(); ++t)
    for (std::uint32_t i = h_.first_write_[t]; i < h_.first_write_[t + 1]; ++i) {
      const Operation& write = h_.ops_[last_writes_[i]];
      writes_of_key_[next[write.key.index]++] = access(write, write.key.index, {t});
    }
  last_writes_ = {};
  make_room(h_.writers_, writes_of_key_.size());
  for (const Access& write : writes_of_key_)
    h_.writers_.push_back({write.txn});
}

// --- reads ---

void ReadResolver::match_reads() {
  index_reads();
  for (std::uint32_t x = 0; x < h_.key_count(); ++x) {
    if (patience_.is_over()) return;
    if (first_read_[x] == first_read_[x + 1]) continue;
    match_key({x});
  }
  std::sort(duplicates_.begin(), duplicates_.end(),
            [](const Write& left, const Write& right) {
              return std::tuple(order_key(left.key, left.value), left.txn) <
                     std::tuple(order_key(right.key, right.value), right.txn);
            });
  std::sort(
      open_reads_.begin(), open_reads_.end(),
      [](const OpenRead& left, const OpenRead& right) { return left.read < right.read; });
  h_.first_candidate_.assign(1, 0);
  for (const OpenRead& read : open_reads_) {
    if (patience_.is_over()) return;
    settle(read);
  }
}

void ReadResolver::index_reads() {
  first_read_.assign(h_.key_count() + 1, 0);
  for (const Read& read : h_.reads_)
    ++first_read_[read.key.index + 1];
  std::partial_sum(first_read_.begin(), first_read_.end(), first_read_.begin());
  std::vector<std::uint32_t> next(first_read_.begin(), first_read_.end() - 1);
  make_room(reads_of_key_, h_.reads_.size());
  reads_of_key_.resize(h_.reads_.size());
  for (std::uint32_t t = 0; t < h_.txn_count(); ++t)
    for (std::uint32_t r = h_.first_read_[t]; r < h_.first_read_[t + 1]; ++r) {
      const Read& read = h_.reads_[r];
      reads_of_key_[next[read.key.index]++] = access(h_.ops_[read.op], r, {t});
    }
}

// The entry of a value: the position of its first write plus 1, or 0 and free.
std::uint32_t& ReadResolver::place(std::span<const Access> writes, Value value) {
  const std::uint64_t hash = static_cast<std::uint64_t>(value.bits) * 0x9e3779b97f4a7c15ULL;
  const std::size_t mask = table_.size() - 1;
  std::size_t i = static_cast<std::size_t>(hash >> table_shift_);
  while (table_[i] != 0 && writes[table_[i] - 1].value() != value)
    i = (i + 1) & mask;
  return table_[i];
}

void ReadResolver::fill_table(KeyId x) {
  const std::span writes =
      std::span(writes_of_key_)
          .subspan(h_.first_writer_[x.index],
                   h_.first_writer_[x.index + 1] - h_.first_writer_[x.index]);
  const std::size_t size = std::bit_ceil(2 * writes.size() + 2);
  table_shift_ = static_cast<std::uint32_t>(64 - std::countr_zero(size));
  table_.assign(size, 0);
  for (std::uint32_t i = 0; i < writes.size(); ++i) {
    std::uint32_t& entry = place(writes, writes[i].value());
    if (entry == 0) {
      entry = i + 1;
    } else {
      writes[entry - 1].is_duplicate = 1;
      duplicates_.push_back({x, writes[i].value(), {writes[i].txn}});
    }
  }
}

void ReadResolver::match_key(KeyId x) {
  fill_table(x);
  const std::optional<Value> initial = h_.initial_value(x);
  const std::span<const Access> writes =
      std::span(writes_of_key_).subspan(h_.first_writer_[x.index]);
  for (std::uint32_t i = first_read_[x.index]; i < first_read_[x.index + 1]; ++i) {
    const Access& read = reads_of_key_[i];
    const std::uint32_t entry = place(writes, read.value());
    const bool may_be_initial = initial == read.value();
    TxnId& writer = h_.reads_[read.index].writer;
    if (entry == 0 && may_be_initial) {
      writer = init;
    } else if (entry == 0) {
      open_reads_.push_back({read.index, {read.txn}, TxnId::none(), false});
    } else if (const Access& write = writes[entry - 1];
               may_be_initial || write.is_duplicate != 0 || write.txn == read.txn) {
      open_reads_.push_back({read.index, {read.txn}, {write.txn}, write.is_duplicate != 0});
    } else {
      writer = {write.txn};  // most reads have one possible writer
    }
  }
}

// All transactions other than init whose last write of the key is this value.
std::vector<TxnId> ReadResolver::writers_of(const OpenRead& open) const {
  std::vector<TxnId> writers;
  if (open.writer.is_none()) return writers;
  writers.push_back(open.writer);
  if (!open.is_duplicate) return writers;
  const Read& read = h_.reads_[open.read];
  const auto [first, last] = std::equal_range(
      duplicates_.begin(), duplicates_.end(),
      Write{read.key, h_.ops_[read.op].value(), TxnId::none()},
      [](const Write& left, const Write& right) {
        return order_key(left.key, left.value) < order_key(right.key, right.value);
      });
  for (auto write = first; write != last; ++write)
    writers.push_back(write->txn);
  std::sort(writers.begin(), writers.end());
  return writers;
}

void ReadResolver::settle(const OpenRead& open) {
  Read& read = h_.reads_[open.read];
  const TxnId reader = open.reader;
  std::vector<TxnId> writers = writers_of(open);
  std::erase(writers, reader);
  if (h_.initial_value(read.key) == h_.ops_[read.op].value())
    writers.insert(writers.begin(), init);
  // A later transaction of the reader's own session cannot have been read where sessions
  // count, unless nothing else explains the value; then the cycle of so and wr is the
  // violation to report.
  const auto is_later = [&](TxnId t) { return h_.so(reader, t); };
  if (!std::all_of(writers.begin(), writers.end(), is_later)) {
    for (const TxnId t : writers)
      if (is_later(t)) h_.later_writers_.emplace_back(open.read, t);
    std::erase_if(writers, is_later);
  }
  if (writers.empty()) {
    report_unmatched(reader, read);
  } else if (writers.size() == 1) {
    read.writer = writers.front();
  } else {
    h_.ambiguous_.push_back({open.read});
    h_.candidates_.insert(h_.candidates_.end(), writers.begin(), writers.end());
    h_.first_candidate_.push_back(h_.candidates_.size());
  }
}

// --- reads that nothing explains ---

void ReadResolver::collect_all_writes() {
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
std::span<const std::uint32_t> ReadResolver::writes_like(std::uint32_t op) {
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
void ReadResolver::report_unmatched(TxnId reader, const Read& read) {
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
void ReadResolver::note_observed() {
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
