// SPDX-License-Identifier: MIT
// What dbcop's formats have in common.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "history/builder.h"
#include "history/history.h"

namespace isomer::history {

// The newer formats (JSON, text) name versions.  Reading no version, or version 0 of a
// variable to which nobody writes 0, is reading the initial state; so a reader only knows
// at the end of the file what its reads of 0 were.
class VersionedBuilder {
 public:
  HistoryBuilder& builder() { return builder_; }

  void read(HistoryBuilder::Token txn, KeyId key, std::optional<Value> version);
  void write(HistoryBuilder::Token txn, KeyId key, Value version);

  History build(const Budget& budget);

 private:
  struct Event {
    HistoryBuilder::Token txn;
    KeyId key;
    OpKind kind;
    std::optional<Value> version;
  };

  HistoryBuilder builder_;
  std::vector<Event> events_;
};

// The older formats (bincode, YAML) have values, which begin with 0, and tell of each event
// whether it succeeded.
struct FallibleEvent {
  OpKind kind;
  KeyId key;
  Value value;
  bool has_succeeded;
};

// A failed write of whatever transaction is an aborted write; a failed read tells nothing.
void add_fallible_transaction(HistoryBuilder& builder, HistoryBuilder::Token txn,
                              std::span<const FallibleEvent> events);

}  // namespace isomer::history
