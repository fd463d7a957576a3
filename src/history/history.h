// SPDX-License-Identifier: MIT
// The history model of Biswas & Enea, as in Bouajjani, Enea & Roman-Calvo (PLDI'23, section
// 2.2): sessions of transactions, each a sequence of reads and writes, and who read from
// whom.
//
// A History is immutable and dense.  Transactions are numbered 0 for the initial
// transaction, then session by session in session order, so `so` is "same session and
// smaller id". Operations of a transaction are contiguous and in program order.
//
// What a reader needs of a history, and what every engine works on, is precomputed.
//
// reads(t) are the external reads of a committed transaction, in program order, each with
// the transaction it reads from (none() if several may have written that value).
//
// writes(t) are the keys whose last write by t others may see (none if t aborted).
//
// writers(x) are the transactions with x in writes(t), by id, without the initial one.
//
// problems() are the reads that no built-in level allows: thin-air, aborted, intermediate
// and the like.
//
// Reads of aborted transactions, and of transactions whose outcome nobody knows, tell
// nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/id.h"

namespace isomer::history {

using TxnId = Id<struct TxnTag>;
using KeyId = Id<struct KeyTag>;
using SessionId = Id<struct SessionTag>;
using ReadId = Id<struct ReadTag>;  // index into History::all_reads()

inline constexpr TxnId init{0};

enum class Status : std::uint8_t { Committed, Aborted, Unknown };

enum class ValueKind : std::uint8_t {
  None,    // nil, null: the value of a key nobody wrote, where a format has such a value
  Int,     // bits is the number
  String,  // bits is an index into the history's strings
};

struct Value {
  ValueKind kind = ValueKind::None;
  std::int64_t bits = 0;

  static Value none() { return {}; }

  static Value integer(std::int64_t number) { return {ValueKind::Int, number}; }

  friend bool operator==(Value, Value) = default;
};

enum class OpKind : std::uint8_t { Read, Write };

// 16 bytes, so that ten million operations take 160 MB.
struct Operation {
  std::int64_t value_bits;
  KeyId key;
  OpKind kind;
  ValueKind value_kind;

  [[nodiscard]] Value value() const { return {value_kind, value_bits}; }
};

static_assert(sizeof(Operation) == 16);

// An external read: not preceded by a write of the same key in its transaction.
struct Read {
  KeyId key;
  TxnId writer;      // none(): ambiguous, see candidates()
  std::uint32_t op;  // index into History::operations()
};

// The reads that no built-in level allows.  Weaker ones may: READ UNCOMMITTED returns
// values of transactions that abort later, and values that are not final.
enum class ProblemKind : std::uint8_t {
  ThinAir,            // nobody wrote this value
  AbortedRead,        // G1a: only an aborted transaction wrote it
  IntermediateRead,   // G1b: its writer overwrote it before committing
  FutureRead,         // the transaction's own later write
  NotOwnLastWrite,    // an own write, but not the latest before the read
  OwnWriteIgnored,    // somebody else's value, after an own write
  IncompatibleOrder,  // list-append: two reads of one key, neither a prefix of the other
  DuplicateElement,   // list-append: one element twice in one list
};

struct Problem {
  ProblemKind kind;
  TxnId reader;
  std::uint32_t op;  // the read
  KeyId key;
  TxnId other;  // the writer in question, or the other reader; none() if there is none
};

// One list as a list-append read returned it.
struct ListRead {
  std::uint32_t op;  // the read
  std::uint32_t first;
  std::uint32_t count;
};

class History {
 public:
  // --- size ---
  // Transactions include the initial one (id 0), aborted and unknown ones.
  [[nodiscard]] std::uint32_t txn_count() const {
    return static_cast<std::uint32_t>(status_.size());
  }

  [[nodiscard]] std::uint32_t session_count() const {
    return static_cast<std::uint32_t>(session_first_txn_.size() - 1);
  }

  [[nodiscard]] std::uint32_t key_count() const {
    return static_cast<std::uint32_t>(key_names_.size());
  }

  // --- sessions and transactions ---
  // The initial transaction has no session: SessionId::none().
  [[nodiscard]] SessionId session(TxnId t) const { return session_of_[t.index]; }

  // The transactions of s are the ids first_txn(s) .. end_txn(s) - 1.
  [[nodiscard]] TxnId first_txn(SessionId s) const { return {session_first_txn_[s.index]}; }

  [[nodiscard]] TxnId end_txn(SessionId s) const {
    return {session_first_txn_[s.index + 1]};
  }

  [[nodiscard]] bool so(TxnId t1, TxnId t2) const {
    return t1 != t2 &&
           (t1 == init || (t2 != init && session(t1) == session(t2) && t1 < t2));
  }

  [[nodiscard]] Status status(TxnId t) const { return status_[t.index]; }

  // The line of the file where the transaction begins; 0 if unknown.
  [[nodiscard]] std::uint32_t line(TxnId t) const { return line_[t.index]; }

  // --- operations ---
  [[nodiscard]] std::span<const Operation> operations() const { return ops_; }

  [[nodiscard]] std::span<const Operation> operations(TxnId t) const {
    return std::span(ops_).subspan(first_op_[t.index],
                                   first_op_[t.index + 1] - first_op_[t.index]);
  }

  [[nodiscard]] std::uint32_t first_op(TxnId t) const { return first_op_[t.index]; }

  // Where the program that ran made the operation, such as "bank.sql:12"; empty if nobody
  // said so.  Most histories come without any places, and then take no room for them.
  [[nodiscard]] bool has_places() const { return !place_of_op_.empty(); }

  [[nodiscard]] std::string_view place(std::uint32_t op) const {
    if (!has_places() || place_of_op_[op] == 0) return {};
    return strings_[place_of_op_[op] - 1];
  }

  // --- derived (see the head of this file) ---
  [[nodiscard]] std::span<const Read> all_reads() const { return reads_; }

  [[nodiscard]] std::span<const std::uint32_t> read_offsets() const { return first_read_; }

  [[nodiscard]] std::span<const Read> reads(TxnId t) const {
    return std::span(reads_).subspan(first_read_[t.index],
                                     first_read_[t.index + 1] - first_read_[t.index]);
  }

  [[nodiscard]] std::span<const KeyId> all_writes() const { return writes_; }

  [[nodiscard]] std::span<const std::uint32_t> write_offsets() const {
    return first_write_;
  }

  [[nodiscard]] std::span<const KeyId> writes(TxnId t) const {
    return std::span(writes_).subspan(first_write_[t.index],
                                      first_write_[t.index + 1] - first_write_[t.index]);
  }

  [[nodiscard]] std::span<const TxnId> all_writers() const { return writers_; }

  [[nodiscard]] std::span<const std::uint32_t> writer_offsets() const {
    return first_writer_;
  }

  [[nodiscard]] std::span<const TxnId> writers(KeyId x) const {
    return std::span(writers_).subspan(first_writer_[x.index],
                                       first_writer_[x.index + 1] - first_writer_[x.index]);
  }

  [[nodiscard]] bool is_writer(TxnId t, KeyId x) const;

  // The ambiguous reads, by id, and for each the two or more transactions that may have
  // written the value it returned (the initial transaction among them where that is
  // possible).
  [[nodiscard]] std::span<const ReadId> ambiguous_reads() const { return ambiguous_; }

  [[nodiscard]] std::span<const TxnId> candidates(std::size_t ambiguous_index) const {
    return std::span(candidates_)
        .subspan(first_candidate_[ambiguous_index],
                 first_candidate_[ambiguous_index + 1] - first_candidate_[ambiguous_index]);
  }

  // Later transactions of the reader's own session that wrote the value as well.  They are
  // no candidates: where sessions count, nobody reads from his own future.
  [[nodiscard]] std::vector<TxnId> later_writers(ReadId r) const;

  // The transaction that read r belongs to.
  [[nodiscard]] TxnId reader(ReadId r) const;

  [[nodiscard]] bool has_unknown_outcomes() const { return has_unknown_; }

  // Committed, or of unknown outcome but surely seen: some committed transaction read from
  // it (unambiguously), or an element that it appended is in a list.  An unknown
  // transaction that nobody saw may be taken as aborted; one that only ambiguous reads may
  // have seen is a choice.
  [[nodiscard]] bool took_effect(TxnId t) const;

  [[nodiscard]] std::span<const Problem> problems() const { return problems_; }

  // --- list-append histories ---
  // A read's value is the last element of its list (None for the empty list); lists() has
  // the whole of each, by operation.
  [[nodiscard]] bool is_list_append() const { return list_append_; }

  [[nodiscard]] std::span<const ListRead> lists() const { return lists_; }

  [[nodiscard]] std::span<const Value> list(const ListRead& read) const {
    return std::span(list_elements_).subspan(read.first, read.count);
  }

  // The list that operation `op` returned; null if it is not a list read.
  [[nodiscard]] const ListRead* list_of(std::uint32_t op) const;

  // The order in which the versions of x were installed, as far as reads revealed it: one
  // transaction after another (one may appear twice: then no order of the versions is
  // left).  Writers of x that are not in a non-empty version_order(x) come after it, in an
  // order nobody saw.
  [[nodiscard]] std::span<const TxnId> version_order(KeyId x) const {
    if (first_version_.empty()) return {};
    return std::span(versions_).subspan(
        first_version_[x.index], first_version_[x.index + 1] - first_version_[x.index]);
  }

  // --- names and values, for people ---
  [[nodiscard]] std::string key_name(KeyId x) const;
  [[nodiscard]] std::string session_name(SessionId s) const;

  // "init", the transaction's own name if it has one, else "session/number" from 1.
  [[nodiscard]] std::string txn_name(TxnId t) const;

  [[nodiscard]] bool has_own_name(TxnId t) const;

  // A number as digits, a string as it is, None as "nil".
  [[nodiscard]] std::string text(Value value) const;

  [[nodiscard]] std::string_view string(Value value) const {
    return strings_[static_cast<std::size_t>(value.bits)];
  }

  // A name that was given as a number, where it was (numbers sort and print without a
  // table).
  [[nodiscard]] std::optional<std::int64_t> key_number(KeyId x) const;

  // --- initial values ---
  // The value that the initial transaction wrote to x; absent if the format has no initial
  // state (then no read can read from the initial transaction).
  [[nodiscard]] std::optional<Value> initial_value(KeyId x) const;

  // The initial value of the keys that have none of their own.
  [[nodiscard]] std::optional<Value> default_initial_value() const { return initial_; }

  // The last value that t wrote to x; the initial value for init.  Absent if t does not
  // write x.
  [[nodiscard]] std::optional<Value> written_value(TxnId t, KeyId x) const;

 private:
  friend class HistoryBuilder;
  friend class ReadResolver;

  // A key, session or transaction name: a number, or an index into strings_ (see Name).
  struct Name {
    std::int64_t bits = 0;
    enum class Kind : std::uint8_t { None, Number, Text } kind = Kind::None;
  };

  [[nodiscard]] std::string text(Name name) const;

  std::vector<Operation> ops_;
  std::vector<std::uint32_t> place_of_op_;        // 1 + index into strings_, or 0; or empty
  std::vector<std::uint32_t> first_op_;           // txn_count + 1
  std::vector<Status> status_;                    // by transaction
  std::vector<SessionId> session_of_;             // by transaction
  std::vector<std::uint32_t> line_;               // by transaction
  std::vector<std::uint32_t> session_first_txn_;  // session_count + 1
  std::vector<Read> reads_;
  std::vector<std::uint32_t> first_read_;
  std::vector<KeyId> writes_;
  std::vector<std::uint32_t> first_write_;
  std::vector<TxnId> writers_;
  std::vector<std::uint32_t> first_writer_;
  std::vector<ReadId> ambiguous_;
  std::vector<TxnId> candidates_;
  std::vector<std::size_t> first_candidate_;
  std::vector<std::pair<ReadId, TxnId>> later_writers_;  // by read
  std::vector<Problem> problems_;
  bool has_unknown_ = false;
  std::vector<TxnId> observed_;  // of unknown outcome, but seen; by id

  bool list_append_ = false;
  std::vector<ListRead> lists_;
  std::vector<Value> list_elements_;
  std::vector<TxnId> versions_;
  std::vector<std::uint32_t> first_version_;

  std::vector<Name> key_names_;
  std::vector<Name> session_names_;
  std::vector<std::pair<TxnId, Name>> txn_names_;  // only those given, by id
  std::vector<std::string> strings_;
  std::optional<Value> initial_;
  TxnId initial_copy_;  // the transaction that only repeats the initial state, if there is
                        // one
  std::vector<std::pair<KeyId, Value>> initial_of_;  // by key, only those that differ
};

}  // namespace isomer::history
