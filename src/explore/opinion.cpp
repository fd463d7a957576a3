// SPDX-License-Identifier: MIT
#include "explore/opinion.h"

#include <fmt/format.h>

#include "check/opinion.h"
#include "history/builder.h"

namespace isomer::explore {
namespace {

using check::AskedLevel;
using check::Consistent;
using history::History;
using history::HistoryBuilder;
using history::KeyId;
using history::SessionId;
using history::Status;
using history::TxnId;

// Copies a history; aborted transactions become committed ones that only read.
class Copy {
 public:
  explicit Copy(const History& from) : from_(from) {}

  History history() {
    for (KeyId x{0}; x.index < from_.key_count(); ++x.index)
      builder_.key(from_.key_name(x));
    if (const auto initial = from_.default_initial_value())
      builder_.set_initial(value(*initial));
    for (KeyId x{0}; x.index < from_.key_count(); ++x.index)
      if (const auto initial = from_.initial_value(x);
          initial && initial != from_.default_initial_value())
        builder_.set_initial(x, value(*initial));
    for (SessionId s{0}; s.index < from_.session_count(); ++s.index) {
      const SessionId session = builder_.session(from_.session_name(s));
      for (TxnId t = from_.first_txn(s); t < from_.end_txn(s); ++t.index)
        add(session, t);
    }
    return builder_.build();
  }

 private:
  void add(SessionId session, TxnId t) {
    const HistoryBuilder::Token token = builder_.begin(session);
    if (from_.has_own_name(t)) builder_.set_name(token, from_.txn_name(t));
    std::uint32_t place = from_.first_op(t);
    for (const history::Operation& op : from_.operations(t)) {
      const std::string_view at = from_.place(place++);
      const bool is_read = op.kind == history::OpKind::Read;
      if (!is_read && from_.status(t) != Status::Committed) continue;
      if (is_read)
        builder_.read(token, op.key, value(op.value()));
      else
        builder_.write(token, op.key, value(op.value()));
      if (!at.empty()) builder_.set_place(at);
    }
  }

  history::Value value(history::Value from) {
    return from.kind == history::ValueKind::String
               ? builder_.string_value(from_.string(from))
               : from;
  }

  const History& from_;
  HistoryBuilder builder_;
};

History as_judged(const History& history) {
  for (TxnId t{1}; t.index < history.txn_count(); ++t.index)
    if (history.status(t) != Status::Committed) return Copy(history).history();
  return history;
}

// Whether the search and the checker agree if it is serializable.
std::string serial_contradiction(const Opinion& opinion, const Failure& failure,
                                 const Budget& budget) {
  const check::Result result =
      check::check(failure.kind == FailureKind::Assert ? opinion.history : failure.history,
                   {.levels = {check::Level::SER}, .budget = budget, .explain = false});
  const check::Verdict& verdict = result.levels.front().verdict;
  if (std::holds_alternative<check::Unknown>(verdict) ||
      std::holds_alternative<Consistent>(verdict) == failure.is_serializable)
    return {};
  return fmt::format(
      "the search says that a history is {}serializable, the checker denies it",
      failure.is_serializable ? "" : "not ");
}

}  // namespace

Opinion second_opinion(const Failure& failure, const std::optional<AskedLevel>& level,
                       const Budget& budget) {
  Opinion out{.history = as_judged(failure.history), .levels = {}, .contradiction = {}};
  check::Opinion opinion = check::second_opinion(out.history, level, budget);
  out.levels = std::move(opinion.levels);
  out.contradiction = std::move(opinion.contradiction);
  if (out.contradiction.empty())
    out.contradiction = serial_contradiction(out, failure, budget);
  return out;
}

}  // namespace isomer::explore
