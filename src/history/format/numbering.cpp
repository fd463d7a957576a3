// SPDX-License-Identifier: MIT
#include "history/format/numbering.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "history/format/cursor.h"

namespace isomer::history {

std::vector<std::int64_t> session_numbers(const History& history) {
  std::vector<std::int64_t> numbers;
  std::set<std::int64_t> seen;
  for (SessionId s{0}; s.index < history.session_count(); ++s.index) {
    // A session that was given as the number 7 is called s7.
    const std::string name = history.session_name(s);
    const auto number =
        integer_of(std::string_view(name).substr(name.starts_with('s') ? 1 : 0));
    if (!number || *number < 0 || !seen.insert(*number).second) break;
    numbers.push_back(*number);
  }
  if (numbers.size() == history.session_count()) return numbers;
  numbers.resize(history.session_count());
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<std::string> session_names(const History& history) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (SessionId s{0}; s.index < history.session_count(); ++s.index) {
    names.push_back(history.session_name(s));
    while (!seen.insert(names.back()).second)
      names.back() += "'";
  }
  return names;
}

RegisterView::RegisterView(const History& history, std::vector<std::string>& warnings)
    : history_(history), sessions_(session_numbers(history)) {
  number_keys(warnings);
  number_values(warnings);
  settle_outcomes(warnings);
  if (history.is_list_append())
    warnings.emplace_back(
        "a read of a list keeps only its last element, so the order of the appends is "
        "lost");
  has_aborted_ =
      std::find(statuses_.begin(), statuses_.end(), Status::Aborted) != statuses_.end();
}

void RegisterView::number_keys(std::vector<std::string>& warnings) {
  bool is_kept = true;
  for (KeyId x{0}; x.index < history_.key_count(); ++x.index) {
    const auto number = history_.key_number(x);
    is_kept = is_kept && number && *number >= 0;
    keys_.push_back(is_kept ? *number : 0);
  }
  if (is_kept) return;
  for (std::size_t i = 0; i < keys_.size(); ++i)
    keys_[i] = static_cast<std::int64_t>(i);
  warnings.emplace_back("keys are numbers in this format: they were numbered from 0");
}

// Values can stay if 0 is the initial value and nothing else, and all are numbers.
bool RegisterView::are_values_usable() const {
  return std::all_of(history_.operations().begin(), history_.operations().end(),
                     [&](const Operation& op) {
                       if (op.value() == history_.initial_value(op.key)) return true;
                       return op.value_kind == ValueKind::Int && op.value_bits > 0;
                     });
}

void RegisterView::number_values(std::vector<std::string>& warnings) {
  keeps_values_ = are_values_usable();
  if (keeps_values_) return;
  std::vector<std::int64_t> last(history_.key_count(), 0);
  for (const Operation& op : history_.operations()) {
    if (op.value() == history_.initial_value(op.key)) continue;
    const auto [entry, is_new] = values_.try_emplace({op.key, op.value()});
    if (is_new) entry->second = ++last[op.key.index];
  }
  warnings.emplace_back(
      "values are positive numbers in this format, and 0 the initial value: the values of "
      "each key were numbered from 1");
}

std::int64_t RegisterView::value(const Operation& op) const {
  if (op.value() == history_.initial_value(op.key)) return 0;
  return keeps_values_ ? op.value_bits : values_.at({op.key, op.value()});
}

void RegisterView::settle_outcomes(std::vector<std::string>& warnings) {
  std::vector<bool> is_seen(history_.txn_count(), false);
  for (const Read& read : history_.all_reads())
    if (!read.writer.is_none()) is_seen[read.writer.index] = true;
  for (std::size_t i = 0; i < history_.ambiguous_reads().size(); ++i)
    for (const TxnId t : history_.candidates(i))
      is_seen[t.index] = true;
  for (TxnId t{0}; t.index < history_.txn_count(); ++t.index) {
    const Status seen = is_seen[t.index] ? Status::Committed : Status::Aborted;
    statuses_.push_back(history_.status(t) == Status::Unknown ? seen : history_.status(t));
  }
  if (history_.has_unknown_outcomes())
    warnings.emplace_back(
        "unknown outcomes were settled: committed where a read saw the transaction, else "
        "aborted");
}

std::vector<Operation> RegisterView::operations(TxnId t) const {
  const auto all = history_.operations(t);
  std::vector<Operation> kept(all.begin(), all.end());
  if (history_.status(t) == Status::Unknown)
    std::erase_if(kept, [](const Operation& op) { return op.kind == OpKind::Read; });
  return kept;
}

}  // namespace isomer::history
