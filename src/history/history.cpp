// SPDX-License-Identifier: MIT
#include "history/history.h"

#include <algorithm>

#include <fmt/core.h>

namespace isomer::history {

std::string History::text(Name name) const {
  switch (name.kind) {
    case Name::Kind::None:
      return {};
    case Name::Kind::Number:
      return std::to_string(name.bits);
    case Name::Kind::Text:
      return strings_[static_cast<std::size_t>(name.bits)];
  }
  return {};
}

bool History::is_writer(TxnId t, KeyId x) const {
  const auto keys = writes(t);
  return t == init || std::binary_search(keys.begin(), keys.end(), x);
}

std::vector<TxnId> History::later_writers(ReadId r) const {
  std::vector<TxnId> out;
  auto at = std::lower_bound(later_writers_.begin(), later_writers_.end(),
                             std::pair(r, TxnId{0}));
  for (; at != later_writers_.end() && at->first == r; ++at)
    out.push_back(at->second);
  return out;
}

TxnId History::reader(ReadId r) const {
  const auto after = std::upper_bound(first_read_.begin(), first_read_.end(), r.index);
  return {static_cast<std::uint32_t>(after - first_read_.begin()) - 1};
}

bool History::took_effect(TxnId t) const {
  switch (status(t)) {
    case Status::Committed:
      return true;
    case Status::Aborted:
      return false;
    case Status::Unknown:
      return std::binary_search(observed_.begin(), observed_.end(), t);
  }
  return false;
}

const ListRead* History::list_of(std::uint32_t op) const {
  const auto found = std::lower_bound(
      lists_.begin(), lists_.end(), op,
      [](const ListRead& read, std::uint32_t wanted) { return read.op < wanted; });
  return found != lists_.end() && found->op == op ? &*found : nullptr;
}

std::string History::key_name(KeyId x) const {
  return text(key_names_[x.index]);
}

std::optional<std::int64_t> History::key_number(KeyId x) const {
  const Name& name = key_names_[x.index];
  if (name.kind != Name::Kind::Number) return std::nullopt;
  return name.bits;
}

// A numbered session 3 is called "s3", so that a transaction of it reads "s3/1".
std::string History::session_name(SessionId s) const {
  const Name& name = session_names_[s.index];
  return name.kind == Name::Kind::Number ? fmt::format("s{}", name.bits) : text(name);
}

bool History::has_own_name(TxnId t) const {
  return std::binary_search(
      txn_names_.begin(), txn_names_.end(), std::pair{t, Name{}},
      [](const auto& left, const auto& right) { return left.first < right.first; });
}

std::string History::txn_name(TxnId t) const {
  if (t == init) return "init";
  const auto named = std::lower_bound(
      txn_names_.begin(), txn_names_.end(), t,
      [](const auto& entry, TxnId wanted) { return entry.first < wanted; });
  if (named != txn_names_.end() && named->first == t) return text(named->second);
  const SessionId s = session(t);
  return fmt::format("{}/{}", session_name(s), t.index - first_txn(s).index + 1);
}

std::string History::text(Value value) const {
  switch (value.kind) {
    case ValueKind::None:
      return "nil";
    case ValueKind::Int:
      return std::to_string(value.bits);
    case ValueKind::String:
      return strings_[static_cast<std::size_t>(value.bits)];
  }
  return {};
}

std::optional<Value> History::initial_value(KeyId x) const {
  const auto own = std::lower_bound(
      initial_of_.begin(), initial_of_.end(), x,
      [](const auto& entry, KeyId wanted) { return entry.first < wanted; });
  if (own != initial_of_.end() && own->first == x) return own->second;
  return initial_;
}

std::optional<Value> History::written_value(TxnId t, KeyId x) const {
  if (t == init) return initial_value(x);
  const auto ops = operations(t);
  for (auto op = ops.rbegin(); op != ops.rend(); ++op)
    if (op->kind == OpKind::Write && op->key == x) return op->value();
  return std::nullopt;
}

}  // namespace isomer::history
