// SPDX-License-Identifier: MIT
#include "history/builder.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "history/provide_pages.h"
#include "history/read_resolver.h"

namespace isomer::history {

// --- names ---

HistoryBuilder::Name HistoryBuilder::text_name(std::string_view text) {
  strings_.emplace_back(text);
  return {static_cast<std::int64_t>(strings_.size() - 1), Name::Kind::Text};
}

std::uint32_t HistoryBuilder::intern(NameTable& table, std::vector<Name>& names,
                                     std::int64_t number) {
  const auto [id, is_new] = table.number(number);
  if (is_new) names.push_back({number, Name::Kind::Number});
  return id;
}

std::uint32_t HistoryBuilder::intern(NameTable& table, std::vector<Name>& names,
                                     std::string_view text) {
  if (const auto number = canonical_number(text)) return intern(table, names, *number);
  const auto [id, is_new] = table.text(text);
  if (is_new) names.push_back(text_name(text));
  return id;
}

KeyId HistoryBuilder::key(std::int64_t number) {
  return {intern(keys_, key_names_, number)};
}

KeyId HistoryBuilder::key(std::string_view name) {
  return {intern(keys_, key_names_, name)};
}

SessionId HistoryBuilder::session(std::int64_t number) {
  return {intern(sessions_, session_names_, number)};
}

SessionId HistoryBuilder::session(std::string_view name) {
  return {intern(sessions_, session_names_, name)};
}

Value HistoryBuilder::string_value(std::string_view text) {
  const auto [id, is_new] = values_.text(text);
  if (is_new) string_of_value_.push_back(text_name(text).bits);
  return {ValueKind::String, string_of_value_[id]};
}

// --- transactions and operations ---

HistoryBuilder::Token HistoryBuilder::begin(SessionId session, std::uint32_t line) {
  txns_.push_back({session, line, Status::Committed});
  return static_cast<Token>(txns_.size() - 1);
}

void HistoryBuilder::set_status(Token txn, Status status) {
  txns_[txn].status = status;
}

void HistoryBuilder::set_name(Token txn, std::string_view name) {
  txn_names_.emplace_back(txn, text_name(name));
}

void HistoryBuilder::begin_run(Token txn) {
  ISOMER_ASSERT(txn < txns_.size());
  runs_.push_back({txn, static_cast<std::uint32_t>(ops_.size())});
}

void HistoryBuilder::set_place(std::string_view place) {
  ISOMER_ASSERT(!ops_.empty());
  place_of_op_.resize(ops_.size(), 0);
  place_of_op_.back() = static_cast<std::uint32_t>(string_value(place).bits) + 1;
}

void HistoryBuilder::read_list(Token txn, KeyId key, std::vector<Value> list) {
  const auto op = static_cast<std::uint32_t>(ops_.size());
  read(txn, key, list.empty() ? Value::none() : list.back());
  lists_.push_back({op, std::move(list)});
  list_append_ = true;
}

void HistoryBuilder::set_list_append() {
  list_append_ = true;
}

void HistoryBuilder::set_initial(Value value) {
  initial_ = value;
}

void HistoryBuilder::set_initial(KeyId key, Value value) {
  initial_of_.emplace_back(key, value);
}

void HistoryBuilder::set_initial_copy(Token txn) {
  initial_copy_ = txn;
}

void HistoryBuilder::reserve_operations(std::size_t count) {
  ops_.reserve(count);
}

// --- build ---

// Numbers the transactions session by session; returns each token's id.
std::vector<TxnId> HistoryBuilder::order_transactions(History& h) const {
  const std::size_t session_count = session_names_.size();
  h.session_first_txn_.assign(session_count + 1, 0);
  for (const Txn& txn : txns_)
    ++h.session_first_txn_[txn.session.index + 1];
  h.session_first_txn_[0] = 1;  // after the initial transaction
  std::partial_sum(h.session_first_txn_.begin(), h.session_first_txn_.end(),
                   h.session_first_txn_.begin());

  const std::size_t count = txns_.size() + 1;
  h.status_.assign(count, Status::Committed);
  h.session_of_.assign(count, SessionId::none());
  h.line_.assign(count, 0);
  std::vector<std::uint32_t> next(h.session_first_txn_.begin(), h.session_first_txn_.end());
  std::vector<TxnId> id_of(txns_.size());
  for (std::size_t token = 0; token < txns_.size(); ++token) {
    const Txn& txn = txns_[token];
    const std::uint32_t id = next[txn.session.index]++;
    id_of[token] = {id};
    h.status_[id] = txn.status;
    h.session_of_[id] = txn.session;
    h.line_[id] = txn.line;
    h.has_unknown_ |= txn.status == Status::Unknown;
  }
  return id_of;
}

std::uint32_t HistoryBuilder::end_of(const Run& run) const {
  return &run == &runs_.back() ? static_cast<std::uint32_t>(ops_.size())
                               : (&run + 1)->first;
}

void HistoryBuilder::copy_run(History& h, const Run& run, std::uint32_t place) const {
  const auto copy = [&](const auto& from, auto& to) {
    std::copy(from.begin() + run.first, from.begin() + end_of(run), to.begin() + place);
  };
  copy(ops_, h.ops_);
  if (!place_of_op_.empty()) copy(place_of_op_, h.place_of_op_);
}

// Counting sort of the runs by transaction; stable, so program order stays.
void HistoryBuilder::order_operations(History& h, const std::vector<TxnId>& id_of) {
  h.first_op_.assign(txns_.size() + 2, 0);
  for (const Run& run : runs_)
    h.first_op_[id_of[run.txn].index + 1] += end_of(run) - run.first;
  std::partial_sum(h.first_op_.begin(), h.first_op_.end(), h.first_op_.begin());

  if (!place_of_op_.empty()) place_of_op_.resize(ops_.size(), 0);
  const auto is_after = [&](const Run& left, const Run& right) {
    return id_of[left.txn] > id_of[right.txn];
  };
  if (std::adjacent_find(runs_.begin(), runs_.end(), is_after) == runs_.end()) {
    h.ops_ = std::move(ops_);
    h.place_of_op_ = std::move(place_of_op_);
    return;
  }
  std::vector<std::uint32_t> next(h.first_op_.begin(), h.first_op_.end() - 1);
  make_room(h.ops_, ops_.size());
  h.ops_.resize(ops_.size());
  h.place_of_op_.resize(place_of_op_.size());
  std::size_t next_list = 0;
  for (const Run& run : runs_) {
    std::uint32_t& place = next[id_of[run.txn].index];
    copy_run(h, run, place);
    for (; next_list < lists_.size() && lists_[next_list].op < end_of(run); ++next_list)
      lists_[next_list].op += place - run.first;
    place += end_of(run) - run.first;
  }
}

void HistoryBuilder::order_lists(History& h) {
  std::sort(lists_.begin(), lists_.end(),
            [](const List& left, const List& right) { return left.op < right.op; });
  for (const List& list : lists_) {
    h.lists_.push_back({list.op, static_cast<std::uint32_t>(h.list_elements_.size()),
                        static_cast<std::uint32_t>(list.elements.size())});
    h.list_elements_.insert(h.list_elements_.end(), list.elements.begin(),
                            list.elements.end());
  }
}

History HistoryBuilder::build(const Budget& budget) {
  History h;
  const std::vector<TxnId> id_of = order_transactions(h);
  order_operations(h, id_of);
  order_lists(h);
  const auto by_id = [](const auto& left, const auto& right) {
    return left.first < right.first;
  };
  for (const auto& [token, name] : txn_names_)
    h.txn_names_.emplace_back(id_of[token], name);
  std::stable_sort(h.txn_names_.begin(), h.txn_names_.end(), by_id);
  // The last of several initial values for one key counts.
  std::stable_sort(initial_of_.begin(), initial_of_.end(), by_id);
  for (const auto& [key, value] : initial_of_) {
    if (!h.initial_of_.empty() && h.initial_of_.back().first == key)
      h.initial_of_.pop_back();
    h.initial_of_.emplace_back(key, value);
  }
  h.initial_ = initial_;
  if (initial_copy_) h.initial_copy_ = id_of[*initial_copy_];
  h.list_append_ = list_append_;
  h.key_names_ = std::move(key_names_);
  h.session_names_ = std::move(session_names_);
  h.strings_ = std::move(strings_);
  const std::size_t write_count = write_count_;
  *this = {};  // before matching, which needs the room
  ReadResolver(h, write_count, budget).run();
  return h;
}

}  // namespace isomer::history
