// SPDX-License-Identifier: MIT
#include "history/builder.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "history/match.h"
#include "history/names.h"

namespace isomer::history {

struct HistoryBuilder::State {
  using Name = History::Name;

  struct Txn {
    SessionId session;
    std::uint32_t line;
    Status status;
    std::uint32_t op_count = 0;
  };

  struct List {
    std::uint32_t op;  // as appended
    std::vector<Value> elements;
  };

  NameTable keys;
  NameTable sessions;
  NameTable values;
  std::vector<Name> key_names;
  std::vector<Name> session_names;
  std::vector<std::string> strings;           // texts of names and values
  std::vector<std::int64_t> string_of_value;  // by id in `values`
  std::vector<Txn> txns;
  std::vector<std::pair<Token, Name>> txn_names;
  std::vector<Operation> ops;
  std::vector<Token> op_txn;
  std::size_t write_count = 0;
  std::vector<List> lists;
  bool list_append = false;
  std::optional<Value> initial;
  std::optional<Token> initial_copy;
  std::vector<std::pair<KeyId, Value>> initial_of;

  Name number_name(std::int64_t number) { return {number, Name::Kind::Number}; }

  Name text_name(std::string_view text) {
    strings.emplace_back(text);
    return {static_cast<std::int64_t>(strings.size() - 1), Name::Kind::Text};
  }

  std::uint32_t intern(NameTable& table, std::vector<Name>& names, std::int64_t number) {
    const auto [id, is_new] = table.number(number);
    if (is_new) names.push_back(number_name(number));
    return id;
  }

  std::uint32_t intern(NameTable& table, std::vector<Name>& names, std::string_view text) {
    if (const auto number = canonical_number(text)) return intern(table, names, *number);
    const auto [id, is_new] = table.text(text);
    if (is_new) names.push_back(text_name(text));
    return id;
  }

  void append(Token txn, Operation op) {
    ISOMER_ASSERT(txn < txns.size());
    ops.push_back(op);
    op_txn.push_back(txn);
    ++txns[txn].op_count;
    write_count += op.kind == OpKind::Write;
  }

  std::vector<TxnId> order_transactions(History& h) const;
  void order_operations(History& h, const std::vector<TxnId>& id_of);
};

HistoryBuilder::HistoryBuilder() : state_(std::make_unique<State>()) {}

HistoryBuilder::~HistoryBuilder() = default;
HistoryBuilder::HistoryBuilder(HistoryBuilder&&) noexcept = default;
HistoryBuilder& HistoryBuilder::operator=(HistoryBuilder&&) noexcept = default;

KeyId HistoryBuilder::key(std::int64_t number) {
  return {state_->intern(state_->keys, state_->key_names, number)};
}

KeyId HistoryBuilder::key(std::string_view name) {
  return {state_->intern(state_->keys, state_->key_names, name)};
}

SessionId HistoryBuilder::session(std::int64_t number) {
  return {state_->intern(state_->sessions, state_->session_names, number)};
}

SessionId HistoryBuilder::session(std::string_view name) {
  return {state_->intern(state_->sessions, state_->session_names, name)};
}

Value HistoryBuilder::string_value(std::string_view text) {
  State& s = *state_;
  const auto [id, is_new] = s.values.text(text);
  if (is_new) s.string_of_value.push_back(s.text_name(text).bits);
  return {ValueKind::String, s.string_of_value[id]};
}

HistoryBuilder::Token HistoryBuilder::begin(SessionId session, std::uint32_t line) {
  state_->txns.push_back({session, line, Status::Committed, 0});
  return static_cast<Token>(state_->txns.size() - 1);
}

void HistoryBuilder::set_status(Token txn, Status status) {
  state_->txns[txn].status = status;
}

void HistoryBuilder::set_name(Token txn, std::string_view name) {
  state_->txn_names.emplace_back(txn, state_->text_name(name));
}

std::uint32_t HistoryBuilder::txn_count() const {
  return static_cast<std::uint32_t>(state_->txns.size());
}

std::uint64_t HistoryBuilder::operation_count() const {
  return state_->ops.size();
}

SessionId HistoryBuilder::session_of(Token txn) const {
  return state_->txns[txn].session;
}

void HistoryBuilder::read(Token txn, KeyId key, Value value) {
  state_->append(txn, {value.bits, key, OpKind::Read, value.kind});
}

void HistoryBuilder::write(Token txn, KeyId key, Value value) {
  state_->append(txn, {value.bits, key, OpKind::Write, value.kind});
}

void HistoryBuilder::read_list(Token txn, KeyId key, std::vector<Value> list) {
  const auto op = static_cast<std::uint32_t>(state_->ops.size());
  read(txn, key, list.empty() ? Value::none() : list.back());
  state_->lists.push_back({op, std::move(list)});
  state_->list_append = true;
}

void HistoryBuilder::set_list_append() {
  state_->list_append = true;
}

void HistoryBuilder::set_initial(Value value) {
  state_->initial = value;
}

void HistoryBuilder::set_initial(KeyId key, Value value) {
  state_->initial_of.emplace_back(key, value);
}

void HistoryBuilder::set_initial_copy(Token txn) {
  state_->initial_copy = txn;
}

std::uint32_t HistoryBuilder::key_count() const {
  return state_->keys.size();
}

void HistoryBuilder::reserve_operations(std::size_t count) {
  state_->ops.reserve(count);
  state_->op_txn.reserve(count);
}

// Numbers the transactions session by session; returns each token's id.
std::vector<TxnId> HistoryBuilder::State::order_transactions(History& h) const {
  const std::size_t session_count = session_names.size();
  h.session_first_txn_.assign(session_count + 1, 0);
  for (const Txn& txn : txns)
    ++h.session_first_txn_[txn.session.index + 1];
  h.session_first_txn_[0] = 1;  // after the initial transaction
  std::partial_sum(h.session_first_txn_.begin(), h.session_first_txn_.end(),
                   h.session_first_txn_.begin());

  const std::size_t count = txns.size() + 1;
  h.status_.assign(count, Status::Committed);
  h.session_of_.assign(count, SessionId::none());
  h.line_.assign(count, 0);
  std::vector<std::uint32_t> next(h.session_first_txn_.begin(), h.session_first_txn_.end());
  std::vector<TxnId> id_of(txns.size());
  for (std::size_t token = 0; token < txns.size(); ++token) {
    const Txn& txn = txns[token];
    const std::uint32_t id = next[txn.session.index]++;
    id_of[token] = {id};
    h.status_[id] = txn.status;
    h.session_of_[id] = txn.session;
    h.line_[id] = txn.line;
    h.has_unknown_ |= txn.status == Status::Unknown;
  }
  return id_of;
}

// Counting sort of the operations by transaction; stable, so program order stays.
void HistoryBuilder::State::order_operations(History& h, const std::vector<TxnId>& id_of) {
  h.first_op_.assign(txns.size() + 2, 0);
  for (Token txn = 0; txn < txns.size(); ++txn)
    h.first_op_[id_of[txn].index + 1] = txns[txn].op_count;
  std::partial_sum(h.first_op_.begin(), h.first_op_.end(), h.first_op_.begin());

  const auto is_after = [&](Token left, Token right) { return id_of[left] > id_of[right]; };
  if (std::adjacent_find(op_txn.begin(), op_txn.end(), is_after) == op_txn.end()) {
    h.ops_ = std::move(ops);  // in order already, as most files have them
  } else {
    std::vector<std::uint32_t> next(txns.size());  // by token
    for (Token txn = 0; txn < txns.size(); ++txn)
      next[txn] = h.first_op_[id_of[txn].index];
    h.ops_.resize(ops.size());
    std::size_t next_list = 0;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const std::uint32_t place = next[op_txn[i]]++;
      h.ops_[place] = ops[i];
      if (next_list < lists.size() && lists[next_list].op == i)
        lists[next_list++].op = place;
    }
  }
  ops = {};
  op_txn = {};
  std::sort(lists.begin(), lists.end(),
            [](const List& left, const List& right) { return left.op < right.op; });
  for (const List& list : lists) {
    h.lists_.push_back({list.op, static_cast<std::uint32_t>(h.list_elements_.size()),
                        static_cast<std::uint32_t>(list.elements.size())});
    h.list_elements_.insert(h.list_elements_.end(), list.elements.begin(),
                            list.elements.end());
  }
}

History HistoryBuilder::build() {
  State& s = *state_;
  History h;
  const std::vector<TxnId> id_of = s.order_transactions(h);
  s.order_operations(h, id_of);
  for (const auto& [token, name] : s.txn_names)
    h.txn_names_.emplace_back(id_of[token], name);
  const auto by_id = [](const auto& left, const auto& right) {
    return left.first < right.first;
  };
  std::stable_sort(h.txn_names_.begin(), h.txn_names_.end(), by_id);
  // The last of several initial values for one key counts.
  std::stable_sort(s.initial_of.begin(), s.initial_of.end(), by_id);
  for (const auto& [key, value] : s.initial_of) {
    if (!h.initial_of_.empty() && h.initial_of_.back().first == key)
      h.initial_of_.pop_back();
    h.initial_of_.emplace_back(key, value);
  }
  h.initial_ = s.initial;
  if (s.initial_copy) h.initial_copy_ = id_of[*s.initial_copy];
  h.list_append_ = s.list_append;
  h.key_names_ = std::move(s.key_names);
  h.session_names_ = std::move(s.session_names);
  h.strings_ = std::move(s.strings);
  const std::size_t write_count = s.write_count;
  state_ = std::make_unique<State>();
  Matcher(h, write_count).run();
  return h;
}

}  // namespace isomer::history
