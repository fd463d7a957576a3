// SPDX-License-Identifier: MIT
// The one way to make a History.  A reader names sessions, keys and values as it meets
// them, opens transactions, appends operations (of several open transactions in any
// interleaving), and calls build(), which orders everything densely and finds out who read
// from whom.
//
// Names are numbers or strings; the number 7 and the string "7" are the same key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/budget.h"
#include "history/history.h"
#include "history/names.h"

namespace isomer::history {

class HistoryBuilder {
 public:
  // A transaction while it is being built.  Tokens count from 0 in order of begin().
  using Token = std::uint32_t;

  // The most operations, transactions or keys one history can have (ids are 32 bits).
  static constexpr std::uint64_t count_max = 0xfffffff0U;

  // Interning: the same name gives the same id.  Sessions keep the order of first mention.
  KeyId key(std::int64_t number);
  KeyId key(std::string_view name);
  SessionId session(std::int64_t number);
  SessionId session(std::string_view name);
  Value string_value(std::string_view text);

  // Opens the next transaction of a session.  Session order is the order of these calls.
  Token begin(SessionId session, std::uint32_t line = 0);

  void set_status(Token txn, Status status);  // Committed unless set
  void set_name(Token txn, std::string_view name);

  // Begun, appended and named so far.
  [[nodiscard]] std::uint32_t txn_count() const {
    return static_cast<std::uint32_t>(txns_.size());
  }

  [[nodiscard]] std::uint64_t operation_count() const { return ops_.size(); }

  [[nodiscard]] std::uint32_t key_count() const { return keys_.size(); }

  [[nodiscard]] SessionId session_of(Token txn) const { return txns_[txn].session; }

  [[nodiscard]] std::uint32_t line_of(Token txn) const { return txns_[txn].line; }

  void read(Token txn, KeyId key, Value value) {
    append(txn, {value.bits, key, OpKind::Read, value.kind});
  }

  void write(Token txn, KeyId key, Value value) {
    append(txn, {value.bits, key, OpKind::Write, value.kind});
    ++write_count_;
  }

  // Where the program made the operation that was appended last, such as "bank.sql:12".
  void set_place(std::string_view place);

  // A list-append read: the whole list.  Appends are write(); one list-append call makes
  // the whole history a list-append one.
  void read_list(Token txn, KeyId key, std::vector<Value> list);
  void set_list_append();

  // What the initial transaction wrote: to every key, or to one.  Without any call the
  // history has no initial values, and a read of a value nobody wrote is a thin-air read.
  void set_initial(Value value);
  void set_initial(KeyId key, Value value);

  // This transaction only repeats the initial state: its writes count as the initial ones,
  // and it stays in the history as a transaction without any.
  void set_initial_copy(Token txn);

  // Makes room, where the caller can guess.
  void reserve_operations(std::size_t count);

  // The builder is empty afterwards.  If the budget runs out, the history is not finished,
  // and good for nothing but to be dropped.
  History build(const Budget& budget = {});

 private:
  using Name = History::Name;

  struct Txn {
    SessionId session;
    std::uint32_t line;
    Status status;
  };

  // Operations of one transaction that were appended without another's between them: those
  // from `first` to the next run's first.
  struct Run {
    Token txn;
    std::uint32_t first;
  };

  struct List {
    std::uint32_t op;  // as appended
    std::vector<Value> elements;
  };

  void append(Token txn, Operation op) {
    if (runs_.empty() || runs_.back().txn != txn) begin_run(txn);
    ops_.push_back(op);
  }

  void begin_run(Token txn);
  Name text_name(std::string_view text);
  std::uint32_t intern(NameTable& table, std::vector<Name>& names, std::int64_t number);
  std::uint32_t intern(NameTable& table, std::vector<Name>& names, std::string_view text);

  [[nodiscard]] std::vector<TxnId> order_transactions(History& h) const;
  void order_operations(History& h, const std::vector<TxnId>& id_of);
  void order_lists(History& h);
  void copy_run(History& h, const Run& run, std::uint32_t place) const;
  [[nodiscard]] std::uint32_t end_of(const Run& run) const;

  NameTable keys_;
  NameTable sessions_;
  NameTable values_;
  std::vector<Name> key_names_;
  std::vector<Name> session_names_;
  std::vector<std::string> strings_;           // texts of names and values
  std::vector<std::int64_t> string_of_value_;  // by id in `values_`
  std::vector<Txn> txns_;
  std::vector<std::pair<Token, Name>> txn_names_;
  std::vector<Operation> ops_;
  std::vector<std::uint32_t> place_of_op_;  // as in History; may end early
  std::vector<Run> runs_;
  std::size_t write_count_ = 0;
  std::vector<List> lists_;
  bool list_append_ = false;
  std::optional<Value> initial_;
  std::optional<Token> initial_copy_;
  std::vector<std::pair<KeyId, Value>> initial_of_;
};

}  // namespace isomer::history
