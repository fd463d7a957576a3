// SPDX-License-Identifier: MIT
// The one way to make a History.  A reader names sessions, keys and values as it meets
// them, opens transactions, appends operations (of several open transactions in any
// interleaving), and calls build(), which orders everything densely and finds out who read
// from whom.
//
// Names are numbers or strings; the number 7 and the string "7" are the same key.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "history/history.h"

namespace isomer::history {

class HistoryBuilder {
 public:
  // A transaction while it is being built.  Tokens count from 0 in order of begin().
  using Token = std::uint32_t;

  // The most operations, transactions or keys one history can have (ids are 32 bits).
  static constexpr std::uint64_t count_max = 0xfffffff0U;

  HistoryBuilder();
  ~HistoryBuilder();
  HistoryBuilder(HistoryBuilder&&) noexcept;
  HistoryBuilder& operator=(HistoryBuilder&&) noexcept;

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

  [[nodiscard]] std::uint32_t txn_count() const;  // begun so far
  [[nodiscard]] std::uint64_t operation_count() const;
  [[nodiscard]] std::uint32_t key_count() const;  // named so far
  [[nodiscard]] SessionId session_of(Token txn) const;

  void read(Token txn, KeyId key, Value value);
  void write(Token txn, KeyId key, Value value);

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

  // The builder is empty afterwards.
  History build();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace isomer::history
