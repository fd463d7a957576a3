// SPDX-License-Identifier: MIT
// Re-derives, from the raw operations, that a read is the problem that it is said to be. By
// plain scans of the whole history: nothing here uses what the history precomputed.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "check/certify/evidence.h"

namespace isomer::check {
namespace {

using history::Operation;
using history::OpKind;
using history::Problem;
using history::ProblemKind;
using history::Status;
using history::Value;

class Scan {
 public:
  Scan(const History& history, const Problem& problem) : h_(history), problem_(problem) {}

  std::optional<std::string> refute();

 private:
  [[nodiscard]] bool is_a_read() const;
  [[nodiscard]] bool holds() const;
  [[nodiscard]] bool holds_of_list() const;

  // The values that t wrote to the key, of all its operations or of those before / after
  // the read.
  [[nodiscard]] std::vector<Value> written(TxnId t) const;
  [[nodiscard]] std::vector<Value> own(bool after) const;
  [[nodiscard]] bool is_explained(Value value) const;
  [[nodiscard]] bool is_written_by(Value value, Status status) const;
  [[nodiscard]] bool reads_otherwise(TxnId t, std::span<const Value> list) const;

  const History& h_;
  const Problem& problem_;
};

bool contains(std::span<const Value> values, Value value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Are the appends of one transaction in the list others than its first ones, in order?
bool is_out_of_order(std::span<const Value> appends, std::span<const Value> list) {
  std::size_t count = 0;
  for (const Value value : list) {
    if (!contains(appends, value)) continue;
    if (count == appends.size() || appends[count] != value) return true;
    ++count;
  }
  return false;
}

std::vector<Value> Scan::written(TxnId t) const {
  std::vector<Value> values;
  for (const Operation& op : h_.operations(t))
    if (op.kind == OpKind::Write && op.key == problem_.key) values.push_back(op.value());
  return values;
}

std::vector<Value> Scan::own(bool after) const {
  std::vector<Value> values;
  const auto ops = h_.operations(problem_.reader);
  const std::uint32_t first = h_.first_op(problem_.reader);
  for (std::uint32_t i = 0; i < ops.size(); ++i)
    if (ops[i].kind == OpKind::Write && ops[i].key == problem_.key &&
        (first + i > problem_.op) == after)
      values.push_back(ops[i].value());
  return values;
}

// Some other transaction that may have committed left this value, or the initial one did.
bool Scan::is_explained(Value value) const {
  if (h_.initial_value(problem_.key) == value) return true;
  for (TxnId t{1}; t.index < h_.txn_count(); ++t.index) {
    if (t == problem_.reader || h_.status(t) == Status::Aborted) continue;
    const std::vector<Value> values = written(t);
    if (!values.empty() && values.back() == value) return true;
  }
  return false;
}

bool Scan::is_written_by(Value value, Status status) const {
  for (TxnId t{1}; t.index < h_.txn_count(); ++t.index)
    if (h_.status(t) == status && contains(written(t), value)) return true;
  return false;
}

bool Scan::is_a_read() const {
  const TxnId t = problem_.reader;
  if (t.index >= h_.txn_count() || h_.status(t) != Status::Committed) return false;
  const std::uint32_t first = h_.first_op(t);
  if (problem_.op < first || problem_.op - first >= h_.operations(t).size()) return false;
  const Operation& op = h_.operations()[problem_.op];
  return op.kind == OpKind::Read && op.key == problem_.key;
}

bool Scan::holds() const {
  const Value value = h_.operations()[problem_.op].value();
  const std::vector<Value> before = own(false);
  const bool is_internal = !before.empty();
  const bool is_wrong = is_internal ? before.back() != value : !is_explained(value);
  if (!is_wrong) return false;
  const TxnId other = problem_.other;
  const bool other_wrote = other.index < h_.txn_count() && contains(written(other), value);
  switch (problem_.kind) {
    case ProblemKind::ThinAir:
      return !is_internal && !is_written_by(value, Status::Committed) &&
             !is_written_by(value, Status::Unknown) &&
             !is_written_by(value, Status::Aborted);
    case ProblemKind::AbortedRead:
      return !is_internal && other_wrote && h_.status(other) == Status::Aborted;
    case ProblemKind::IntermediateRead:
      return !is_internal && other_wrote && other != problem_.reader &&
             h_.status(other) != Status::Aborted;
    case ProblemKind::FutureRead:
      return contains(own(true), value);
    case ProblemKind::NotOwnLastWrite:
      return contains(before, value);
    case ProblemKind::OwnWriteIgnored:
      return is_internal && !contains(before, value);
    case ProblemKind::IncompatibleOrder:
    case ProblemKind::DuplicateElement:
      return false;  // of lists only
  }
  return false;
}

// Did t, a committed transaction, read a list of the key such that neither is a prefix of
// the other?
bool Scan::reads_otherwise(TxnId t, std::span<const Value> list) const {
  if (h_.status(t) != Status::Committed) return false;
  const std::uint32_t first = h_.first_op(t);
  return std::any_of(h_.lists().begin(), h_.lists().end(), [&](const auto& read) {
    if (read.op < first || read.op - first >= h_.operations(t).size()) return false;
    if (h_.operations()[read.op].key != problem_.key) return false;
    const auto other = h_.list(read);
    const auto [l, o] = std::mismatch(list.begin(), list.end(), other.begin(), other.end());
    return l != list.end() && o != other.end();
  });
}

bool Scan::holds_of_list() const {
  const history::ListRead* read = h_.list_of(problem_.op);
  if (read == nullptr) return false;
  const auto list = h_.list(*read);
  const std::vector<Value> before = own(false);
  const bool ends_in_own = before.size() <= list.size() &&
                           std::equal(before.rbegin(), before.rend(), list.rbegin());
  const auto any = [&](auto claim) { return std::any_of(list.begin(), list.end(), claim); };
  const auto is_taken = [&](Value value) {
    return is_written_by(value, Status::Committed) || is_written_by(value, Status::Unknown);
  };
  const TxnId other = problem_.other;
  const bool is_other_committed = other.index < h_.txn_count() &&
                                  other != problem_.reader &&
                                  h_.status(other) != Status::Aborted;
  switch (problem_.kind) {
    case ProblemKind::ThinAir:
      return any(
          [&](Value v) { return !is_taken(v) && !is_written_by(v, Status::Aborted); });
    case ProblemKind::AbortedRead:
      return any(
          [&](Value v) { return !is_taken(v) && is_written_by(v, Status::Aborted); });
    case ProblemKind::IntermediateRead:
      return !list.empty() && before.empty() && is_other_committed &&
             contains(written(other), list.back()) && !is_explained(list.back());
    case ProblemKind::FutureRead:
      return any([later = own(true)](Value v) { return contains(later, v); });
    case ProblemKind::NotOwnLastWrite:
      return !ends_in_own && !list.empty() && contains(before, list.back());
    case ProblemKind::OwnWriteIgnored:
      return !ends_in_own;
    case ProblemKind::DuplicateElement:
      return any([&](Value v) { return std::count(list.begin(), list.end(), v) > 1; });
    case ProblemKind::IncompatibleOrder:
      return other.index < h_.txn_count() && h_.status(other) != Status::Aborted &&
             (reads_otherwise(other, list) || is_out_of_order(written(other), list));
  }
  return false;
}

std::optional<std::string> Scan::refute() {
  if (!is_a_read()) return "the problem is not about a read of a committed transaction";
  if (h_.is_list_append() ? holds_of_list() : holds()) return std::nullopt;
  return fmt::format("{} has no such problem with its read of {}",
                     h_.txn_name(problem_.reader), h_.key_name(problem_.key));
}

}  // namespace

std::optional<std::string> refute_problem(const History& history,
                                          const history::Problem& problem) {
  return Scan(history, problem).refute();
}

}  // namespace isomer::check
