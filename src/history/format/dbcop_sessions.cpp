// SPDX-License-Identifier: MIT
#include "history/format/dbcop_sessions.h"

#include <algorithm>

namespace isomer::history {

void VersionedBuilder::read(HistoryBuilder::Token txn, KeyId key,
                            std::optional<Value> version) {
  events_.push_back({.txn = txn, .key = key, .kind = OpKind::Read, .version = version});
}

void VersionedBuilder::write(HistoryBuilder::Token txn, KeyId key, Value version) {
  events_.push_back({.txn = txn, .key = key, .kind = OpKind::Write, .version = version});
}

// The initial value is 0, except of variables where 0 is a version that somebody writes.
History VersionedBuilder::build(const Budget& budget) {
  const Value zero = Value::integer(0);
  std::vector<bool> has_zero;
  for (const Event& event : events_) {
    if (event.key.index >= has_zero.size()) has_zero.resize(event.key.index + 1, false);
    if (event.kind == OpKind::Write && event.version == zero)
      has_zero[event.key.index] = true;
  }
  builder_.set_initial(zero);
  for (KeyId x{0}; x.index < has_zero.size(); ++x.index)
    if (has_zero[x.index]) builder_.set_initial(x, Value::none());
  builder_.reserve_operations(events_.size());
  for (const Event& event : events_) {
    const Value initial = has_zero[event.key.index] ? Value::none() : zero;
    if (event.kind == OpKind::Read)
      builder_.read(event.txn, event.key, event.version.value_or(initial));
    else
      builder_.write(event.txn, event.key, *event.version);
  }
  events_.clear();
  return builder_.build(budget);
}

void add_fallible_transaction(HistoryBuilder& builder, HistoryBuilder::Token txn,
                              std::span<const FallibleEvent> events) {
  for (const FallibleEvent& event : events) {
    if (!event.has_succeeded) continue;
    if (event.kind == OpKind::Read)
      builder.read(txn, event.key, event.value);
    else
      builder.write(txn, event.key, event.value);
  }
  const auto is_failed_write = [](const FallibleEvent& event) {
    return !event.has_succeeded && event.kind == OpKind::Write;
  };
  if (std::none_of(events.begin(), events.end(), is_failed_write)) return;
  const HistoryBuilder::Token failed = builder.begin(builder.session_of(txn));
  builder.set_status(failed, Status::Aborted);
  for (const FallibleEvent& event : events)
    if (is_failed_write(event)) builder.write(failed, event.key, event.value);
}

}  // namespace isomer::history
