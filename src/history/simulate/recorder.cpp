// SPDX-License-Identifier: MIT
#include "history/simulate/recorder.h"

namespace isomer::history::simulate {

Recorder::Recorder(const GenerateOptions& options) : keys_(options.keys) {
  builder_.set_initial(Value::integer(0));
  builder_.reserve_operations(std::size_t{options.transactions} * options.operations);
}

void Recorder::record(std::uint32_t session, const Transaction& txn) {
  const HistoryBuilder::Token token = begin(session, status(txn.fate));
  for (std::size_t i = 0; i < txn.steps.size(); ++i)
    append(token, txn.steps[i].kind, txn.steps[i].key, txn.values[i]);
}

HistoryBuilder::Token Recorder::begin(std::uint32_t session, Status status) {
  const HistoryBuilder::Token token =
      builder_.begin(builder_.session(std::int64_t{session}));
  if (status != Status::Committed) builder_.set_status(token, status);
  return token;
}

void Recorder::append(HistoryBuilder::Token txn, OpKind kind, std::int64_t key,
                      std::int64_t value) {
  const auto index = static_cast<std::size_t>(key);
  KeyId id = index < keys_.size() ? keys_[index] : KeyId::none();
  if (id.is_none()) id = builder_.key(key);
  if (index < keys_.size()) keys_[index] = id;
  if (kind == OpKind::Read)
    builder_.read(txn, id, Value::integer(value));
  else
    builder_.write(txn, id, Value::integer(value));
}

}  // namespace isomer::history::simulate
