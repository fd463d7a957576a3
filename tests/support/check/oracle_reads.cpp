// SPDX-License-Identifier: MIT
#include "support/check/oracle_reads.h"

#include <algorithm>
#include <map>
#include <set>

namespace isomer::check {
namespace {

using history::Status;
using Txns = std::vector<const LoggedTxn*>;

// What t wrote to the key by operations first .. end - 1, in order.
std::vector<int> writes(const LoggedTxn& t, int key, std::size_t first, std::size_t end) {
  std::vector<int> values;
  for (std::size_t i = first; i < end; ++i)
    if (t.ops[i].is_write && t.ops[i].key == key) values.push_back(t.ops[i].value);
  return values;
}

std::vector<int> writes(const LoggedTxn& t, int key) {
  return writes(t, key, 0, t.ops.size());
}

bool contains(const std::vector<int>& values, int value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// The transactions that may have committed this value of the key.
std::vector<std::uint32_t> writers(const Txns& txns, std::uint32_t reader, const Op& read) {
  std::vector<std::uint32_t> found;
  if (read.value == 0) found.push_back(0);
  for (std::uint32_t t = 1; t <= txns.size(); ++t) {
    if (t == reader || txns[t - 1]->outcome == Status::Aborted) continue;
    const std::vector<int> values = writes(*txns[t - 1], read.key);
    if (!values.empty() && values.back() == read.value) found.push_back(t);
  }
  return found;
}

// Who appended the element, among those that did not abort; 0 if nobody.  Elements are
// unique.
std::uint32_t appender(const Txns& txns, int key, int element) {
  for (std::uint32_t t = 1; t <= txns.size(); ++t)
    if (txns[t - 1]->outcome != Status::Aborted &&
        contains(writes(*txns[t - 1], key), element))
      return t;
  return 0;
}

// The elements of one transaction stand in the list in the order of its appends, and none
// is left out before another.
bool keeps_order_of_appends(const Txns& txns, const Op& read) {
  return std::all_of(txns.begin(), txns.end(), [&](const LoggedTxn* t) {
    const std::vector<int> appends = writes(*t, read.key);
    std::vector<int> listed;
    for (const int element : read.list)
      if (contains(appends, element)) listed.push_back(element);
    return listed.size() <= appends.size() &&
           std::equal(listed.begin(), listed.end(), appends.begin());
  });
}

// Own appends stand at the end of the list, and nowhere else; nobody's element stands
// twice; all others were appended by somebody.
bool is_possible_list(const Txns& txns, std::uint32_t reader, std::size_t at) {
  const LoggedTxn& t = *txns[reader - 1];
  const Op& read = t.ops[at];
  if (std::set(read.list.begin(), read.list.end()).size() != read.list.size()) return false;
  if (!keeps_order_of_appends(txns, read)) return false;
  const std::vector<int> own = writes(t, read.key, 0, at);
  if (own.size() > read.list.size()) return false;
  const auto own_first = read.list.end() - static_cast<std::ptrdiff_t>(own.size());
  if (!std::equal(own_first, read.list.end(), own.begin())) return false;
  return std::all_of(read.list.begin(), own_first, [&](int element) {
    const std::uint32_t by = appender(txns, read.key, element);
    return by != 0 && by != reader;
  });
}

// The writer of the last element, if that is its last append.
std::vector<std::uint32_t> list_writers(const Txns& txns, const Op& read) {
  if (read.list.empty()) return {0};
  const std::uint32_t by = appender(txns, read.key, read.list.back());
  if (writes(*txns[by - 1], read.key).back() != read.list.back()) return {};
  return {by};
}

bool are_prefixes(const std::vector<std::vector<int>>& lists) {
  for (const auto& left : lists)
    for (const auto& right : lists)
      if (left.size() <= right.size() &&
          !std::equal(left.begin(), left.end(), right.begin()))
        return false;
  return true;
}

std::map<int, std::vector<std::vector<int>>> lists_by_key(const Txns& txns) {
  std::map<int, std::vector<std::vector<int>>> lists;
  for (const LoggedTxn* t : txns)
    if (t->outcome == Status::Committed)
      for (const Op& op : t->ops)
        if (!op.is_write) lists[op.key].push_back(op.list);
  return lists;
}

// Adds the read to `open` if it is an external one; false if no level allows it.
bool open_read(const Log& log, const Txns& txns, std::uint32_t reader, std::size_t at,
               std::vector<OpenRead>& open) {
  const LoggedTxn& t = *txns[reader - 1];
  const Op& read = t.ops[at];
  if (log.is_list_append && !is_possible_list(txns, reader, at)) return false;
  const std::vector<int> own = writes(t, read.key, 0, at);
  if (!own.empty()) return log.is_list_append || own.back() == read.value;
  auto from = log.is_list_append ? list_writers(txns, read) : writers(txns, reader, read);
  if (from.empty()) return false;
  open.push_back({reader, static_cast<std::uint32_t>(read.key), std::move(from)});
  return true;
}

}  // namespace

std::optional<std::vector<OpenRead>> open_reads(const Log& log) {
  const Txns txns = log.txns();
  std::vector<OpenRead> open;
  for (std::uint32_t t = 1; t <= txns.size(); ++t) {
    if (txns[t - 1]->outcome != Status::Committed) continue;
    for (std::size_t i = 0; i < txns[t - 1]->ops.size(); ++i)
      if (!txns[t - 1]->ops[i].is_write && !open_read(log, txns, t, i, open))
        return std::nullopt;
  }
  if (log.is_list_append)
    for (const auto& [key, lists] : lists_by_key(txns))
      if (!are_prefixes(lists)) return std::nullopt;
  return open;
}

// The longest list has the order of its elements; appends that are in no list come after.
ListFacts list_facts(const Log& log) {
  ListFacts facts;
  const Txns txns = log.txns();
  for (const auto& [key, lists] : lists_by_key(txns)) {
    const auto& longest =
        *std::max_element(lists.begin(), lists.end(),
                          [](const auto& l, const auto& r) { return l.size() < r.size(); });
    std::vector<std::uint32_t> in_order;
    for (const int element : longest)
      in_order.push_back(appender(txns, key, element));
    facts.seen.insert(facts.seen.end(), in_order.begin(), in_order.end());
    for (std::size_t i = 0; i < in_order.size(); ++i)
      for (std::size_t j = i + 1; j < in_order.size(); ++j)
        facts.older.emplace_back(in_order[i], in_order[j]);
    for (std::uint32_t t = 1; t <= txns.size(); ++t) {
      const std::vector<int> all = writes(*txns[t - 1], key);
      const bool has_unseen = std::any_of(
          all.begin(), all.end(), [&](int element) { return !contains(longest, element); });
      if (has_unseen)
        for (const std::uint32_t earlier : in_order)
          facts.older.emplace_back(earlier, t);
    }
  }
  return facts;
}

}  // namespace isomer::check
