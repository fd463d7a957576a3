// SPDX-License-Identifier: MIT
// A history as the formats see it that know registers of numbers only: keys, sessions and
// values as integers, the initial value as 0, no lists, no unknown outcomes.  What had to
// be changed is said in warnings.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "history/history.h"

namespace isomer::history {

class RegisterView {
 public:
  // Appends to `warnings`.
  RegisterView(const History& history, std::vector<std::string>& warnings);

  [[nodiscard]] std::int64_t session(SessionId s) const { return sessions_[s.index]; }

  [[nodiscard]] std::int64_t key(KeyId x) const { return keys_[x.index]; }

  // 0 for the initial value of the key; equal for equal values.
  [[nodiscard]] std::int64_t value(const Operation& op) const;

  // Committed or Aborted.  A transaction whose outcome nobody knows has committed if some
  // read may have seen it; otherwise nothing tells it from an aborted one.
  [[nodiscard]] Status status(TxnId t) const { return statuses_[t.index]; }

  [[nodiscard]] bool has_aborted() const { return has_aborted_; }

  // Without the reads of a transaction whose outcome was unknown.
  [[nodiscard]] std::vector<Operation> operations(TxnId t) const;

 private:
  struct KeyValue {
    KeyId key;
    Value value;

    friend bool operator==(const KeyValue&, const KeyValue&) = default;
  };

  struct Hash {
    std::size_t operator()(const KeyValue& pair) const {
      return (static_cast<std::uint64_t>(pair.value.bits) * 0x9e3779b97f4a7c15ULL) ^
             (pair.key.index * 0xbf58476d1ce4e5b9ULL) ^
             static_cast<std::uint64_t>(pair.value.kind);
    }
  };

  void number_keys(std::vector<std::string>& warnings);
  void number_values(std::vector<std::string>& warnings);
  void settle_outcomes(std::vector<std::string>& warnings);
  [[nodiscard]] bool are_values_usable() const;

  const History& history_;
  std::vector<std::int64_t> sessions_;
  std::vector<std::int64_t> keys_;
  std::vector<Status> statuses_;
  bool has_aborted_ = false;
  bool keeps_values_ = true;
  std::unordered_map<KeyValue, std::int64_t, Hash> values_;  // if they are not kept
};

// The sessions' own numbers (a session 7 is called s7) where all have one, else 0, 1, 2,
// ...
std::vector<std::int64_t> session_numbers(const History& history);

// The names of the sessions, made different where the number 7 meets a session called s7.
std::vector<std::string> session_names(const History& history);

}  // namespace isomer::history
