// SPDX-License-Identifier: MIT
// Finds out who read from whom, from values (private to HistoryBuilder::build).
//
// A read of value v of key x reads from the transaction whose last write of x is v.  If
// several transactions qualify (the initial one included), the read is ambiguous and keeps
// them all as candidates; engines decide over every choice.  If none qualifies, no level
// allows the read, and we say why.  A committed writer wins over an aborted one, and a last
// write over an intermediate one: a problem is reported only if nothing else explains the
// read.
//
// One pass inserts the last writes into a hash table of 16-byte slots, one pass looks the
// reads up; both touch memory at random, so they work in batches that prefetch.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "history/history.h"

namespace isomer::history {

class Matcher {
 public:
  explicit Matcher(History& history) : h_(history) {}

  void run();

 private:
  static constexpr std::uint32_t no_op = 0xffffffffU;

  // (key, value) -> the first transaction whose last write it is.
  struct Slot {
    std::int64_t bits = 0;
    std::uint32_t key = 0;
    std::uint32_t txn : 29 = 0;  // 0: the slot is empty
    std::uint32_t kind : 2 = 0;
    std::uint32_t is_duplicate : 1 = 0;
  };

  static_assert(sizeof(Slot) == 16);

  struct Write {
    KeyId key;
    Value value;
    TxnId txn;
  };

  struct Suspects {
    TxnId intermediate;
    TxnId aborted;
  };

  void scan_transactions();
  void scan(TxnId t);
  void scan_own_read(TxnId t, std::uint32_t op, std::uint32_t own_write);
  void index_writers();
  void insert(const Write& write);
  void flush_inserts();
  [[nodiscard]] std::uint64_t hash(KeyId key, Value value) const;
  [[nodiscard]] Slot& slot(KeyId key, Value value);

  void match_reads();
  void match(std::uint32_t read, TxnId reader);
  std::vector<TxnId> writers_of(KeyId key, Value value, const Slot& found) const;
  void report_unmatched(TxnId reader, const Read& read);
  void collect_all_writes();
  std::span<const std::uint32_t> writes_like(std::uint32_t op);

  void match_lists();
  bool list_read(TxnId reader, const ListRead& list);
  void match_elements(const std::vector<const ListRead*>& lists);
  [[nodiscard]] std::uint32_t append_of(KeyId x, Value value) const;
  void order_versions(KeyId x, const ListRead& longest);
  void note_observed();

  [[nodiscard]] TxnId txn_of(std::uint32_t op) const;
  void problem(ProblemKind kind, TxnId reader, std::uint32_t op, TxnId other);

  History& h_;
  std::vector<Slot> slots_;
  std::uint64_t mask_ = 0;
  std::vector<Write> pending_;
  std::vector<Write> duplicates_;  // further last writes of one value, by key and value
  std::vector<std::uint32_t> all_writes_;  // operations, by key and value; made when needed
  bool has_all_writes_ = false;
  // By the first write of a value that no transaction wrote last.
  std::unordered_map<std::uint32_t, Suspects> unmatched_;
  std::vector<std::uint32_t> last_write_op_;  // scratch of scan(), by key
  std::vector<TxnId> last_write_txn_;
};

}  // namespace isomer::history
