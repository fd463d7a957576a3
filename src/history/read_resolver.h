// SPDX-License-Identifier: MIT
// Finds out who read from whom, from values (private to HistoryBuilder::build).
//
// A read of value v of key x reads from the transaction whose last write of x is v.  If
// several transactions qualify (the initial one included), the read is ambiguous and keeps
// them all as candidates; engines decide over every choice.  If none qualifies, the
// read is a problem, and we say which.  A committed writer wins over an aborted one, and a
// last write over an intermediate one: a problem is reported only if nothing else explains
// the read.
//
// Last writes and reads are first sorted by key.  Then each key needs only a small hash
// table of its own, which stays in the nearest cache; one table for all keys would be
// touched at random, and cost twice the time on ten million operations.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "history/history.h"

namespace isomer::history {

class ReadResolver {
 public:
  // `write_count`: how many operations are writes.
  ReadResolver(History& history, std::size_t write_count, const Budget& budget)
      : h_(history), write_count_(write_count), patience_(budget) {}

  // If the budget runs out, some reads are left as they were.
  void run();

 private:
  static constexpr std::uint32_t no_op = 0xffffffffU;

  // A last write or an external read.
  struct Access {
    std::int64_t bits;
    std::uint32_t index;  // of the key for a write, of the read for a read
    std::uint32_t txn : 29;
    std::uint32_t kind : 2;
    std::uint32_t is_duplicate : 1;  // a write: further transactions wrote the same value

    [[nodiscard]] Value value() const { return {static_cast<ValueKind>(kind), bits}; }
  };

  static_assert(sizeof(Access) == 16);

  struct Write {
    KeyId key;
    Value value;
    TxnId txn;
  };

  // A read that has not just one possible writer, and the first of them, or none().
  struct OpenRead {
    std::uint32_t read;
    TxnId reader;
    TxnId writer;
    bool is_duplicate;
  };

  struct Suspects {
    TxnId intermediate;
    TxnId aborted;
  };

  void scan_transactions();
  void scan(TxnId t);
  [[nodiscard]] std::uint32_t* own_write(KeyId x, std::size_t first_own, bool is_long);
  void scan_own_read(TxnId t, std::uint32_t op, std::uint32_t own_write);
  void index_writers();
  [[nodiscard]] static Access access(const Operation& op, std::uint32_t index, TxnId t);

  void match_reads();
  void index_reads();
  void fill_table(KeyId x);
  [[nodiscard]] std::uint32_t& place(std::span<const Access> writes, Value value);
  void match_key(KeyId x);
  void settle(const OpenRead& read);
  [[nodiscard]] std::vector<TxnId> writers_of(const OpenRead& read) const;
  void report_unmatched(TxnId reader, const Read& read);
  void collect_all_writes();
  std::span<const std::uint32_t> writes_like(std::uint32_t op);

  void match_lists();
  bool list_read(TxnId reader, const ListRead& list);
  void match_elements(const std::vector<const ListRead*>& lists);
  [[nodiscard]] bool is_last_append(std::uint32_t op) const;
  [[nodiscard]] std::uint32_t append_of(KeyId x, Value value) const;
  void order_versions(KeyId x, const ListRead& longest);
  void note_observed();

  [[nodiscard]] TxnId txn_of(std::uint32_t op) const;
  void problem(ProblemKind kind, TxnId reader, std::uint32_t op, TxnId other);

  History& h_;
  std::size_t write_count_;
  Patience patience_;
  std::vector<std::uint32_t> last_writes_;  // operations, by transaction
  std::vector<Access> writes_of_key_;       // the same by key
  std::vector<Access> reads_of_key_;        // by key
  std::vector<std::uint32_t> first_read_;   // by key, into reads_of_key_
  // The current key's table: values to positions among its writes, counted from 1.
  std::vector<std::uint32_t> table_;
  std::uint32_t table_shift_ = 0;
  std::vector<Write> duplicates_;  // further last writes of one value, by key and value
  std::vector<OpenRead> open_reads_;
  std::vector<std::uint32_t> all_writes_;  // operations, by key and value; made when needed
  bool has_all_writes_ = false;
  // By the first write of a value that no transaction wrote last.
  std::unordered_map<std::uint32_t, Suspects> unmatched_;
  std::vector<std::uint32_t> place_of_key_;  // in last_writes_; scratch of scan()
};

}  // namespace isomer::history
