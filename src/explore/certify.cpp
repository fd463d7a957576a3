// SPDX-License-Identifier: MIT
#include "explore/certify.h"

#include "check/certify/certify.h"
#include "history/builder.h"

namespace isomer::explore {
namespace {

using check::AskedLevel;
using check::Certified;
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

// What the search says of serializability, held against the history that it says it of.
std::string serial_contradiction(const Failure& failure, const Budget& budget) {
  const std::vector<AskedLevel> ser{check::Level::SER};
  const bool is_about_judged = failure.kind == FailureKind::Assert;
  const auto judgement = check::judge(
      is_about_judged ? failure.judged : failure.history,
      {.allowed_by = failure.is_serializable ? ser : std::vector<AskedLevel>{},
       .forbidden_by = failure.is_serializable ? std::vector<AskedLevel>{} : ser},
      budget);
  return judgement ? std::string() : judgement.error();
}

}  // namespace

tl::expected<Certified<Failure>, std::string> certify(
    Failure failure, const std::optional<AskedLevel>& level, const Budget& budget) {
  failure.judged = as_judged(failure.history);
  if (std::string why = serial_contradiction(failure, budget); !why.empty())
    return tl::unexpected(std::move(why));
  check::Claims claims{.also_asked = {check::all_levels.begin(), check::all_levels.end()}};
  if (level) claims.allowed_by = {*level};
  return check::certify(std::move(failure), &Failure::judged, claims, budget);
}

}  // namespace isomer::explore
