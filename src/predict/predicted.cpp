// SPDX-License-Identifier: MIT
#include "predict/predicted.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "check/certify/certify.h"
#include "history/builder.h"

namespace isomer::predict {
namespace {

using history::HistoryBuilder;
using history::Operation;
using history::OpKind;
using history::Value;

class Writer {
 public:
  Writer(const History& history, const Observed& observed, const Candidate& candidate,
         const std::vector<std::optional<std::uint32_t>>& last_op)
      : h_(history), o_(observed), c_(candidate), last_op_(last_op) {}

  PredictedHistory run() {
    const Value usual = copy(h_.default_initial_value().value_or(Value::none()));
    builder_.set_initial(usual);
    for (std::uint32_t x = 0; x < h_.key_count(); ++x) {
      const Value value = label({x}, h_.initial_value({x}).value_or(Value::none()));
      if (const auto id = key({x}); value != usual) builder_.set_initial(id, value);
      labels_[{history::init, {x}}] = value;
    }
    label_writes();
    for (TxnNumber txn = 1; txn < o_.txns.size(); ++txn)
      if (c_.is_in[txn]) add(txn);
    PredictedHistory out;
    out.origin = std::move(origin_);
    out.history = builder_.build();
    return out;
  }

 private:
  history::KeyId key(history::KeyId x) {
    if (const auto number = h_.key_number(x)) return builder_.key(*number);
    return builder_.key(h_.key_name(x));
  }

  Value copy(Value value) {
    return value.kind == history::ValueKind::String
               ? builder_.string_value(h_.string(value))
               : value;
  }

  // Nobody else writes the same value to the key.
  Value label(history::KeyId x, Value value) {
    const std::string text = h_.text(value);
    std::string unique = text;
    for (int count = 2; !used_.emplace(x, unique).second; ++count)
      unique = fmt::format("{} #{}", text, count);
    return unique == text ? copy(value) : builder_.string_value(unique);
  }

  void label_writes() {
    for (TxnNumber txn = 1; txn < o_.txns.size(); ++txn)
      for (const Operation& op : h_.operations(o_.txns[txn].id))
        if (op.kind == OpKind::Write)
          labels_[{o_.txns[txn].id, op.key}] = label(op.key, op.value());
  }

  void add(TxnNumber number) {
    const ObservedTxn& txn = o_.txns[number];
    const auto token =
        builder_.begin(builder_.session(h_.session_name({txn.session})), h_.line(txn.id));
    origin_.push_back(txn.id);
    if (h_.has_own_name(txn.id)) builder_.set_name(token, h_.txn_name(txn.id));
    const std::span<const Operation> operations = h_.operations(txn.id);
    const std::uint32_t first_op = h_.first_op(txn.id);
    std::uint32_t read = txn.first_read;
    for (std::uint32_t op = first_op; op < first_op + operations.size(); ++op) {
      if (last_op_[txn.session] && op > *last_op_[txn.session]) break;
      const Operation& operation = operations[op - first_op];
      if (operation.kind == OpKind::Write) {
        if (is_kept(number, operation.key)) {
          builder_.write(token, key(operation.key), value_of(txn.id, operation.key));
          place(op);
        }
        continue;
      }
      while (read < txn.read_end && o_.reads[read].op < op)
        ++read;
      const bool is_choice = read < txn.read_end && o_.reads[read].op == op;
      const std::optional<TxnId> writer =
          is_choice ? chosen(read) : own_or_initial(number, operation.key, op);
      if (!writer) continue;
      builder_.read(token, key(operation.key), value_of(*writer, operation.key));
      place(op);
    }
  }

  [[nodiscard]] std::optional<TxnId> chosen(std::uint32_t read) const {
    if (!c_.writer[read]) return std::nullopt;
    return o_.txns[*c_.writer[read]].id;
  }

  void place(std::uint32_t op) {
    if (!h_.place(op).empty()) builder_.set_place(h_.place(op));
  }

  // Its last write of the key is inside the boundary.
  [[nodiscard]] bool is_kept(TxnNumber txn, history::KeyId x) const {
    for (std::size_t i = 0; i < o_.txns[txn].writes.size(); ++i)
      if (o_.keys[o_.txns[txn].writes[i].key] == x) return c_.writes[txn][i];
    return true;
  }

  // Of a read that is no choice.  Absent if it reads an own write that is left out.
  [[nodiscard]] std::optional<TxnId> own_or_initial(TxnNumber number, history::KeyId x,
                                                    std::uint32_t op) const {
    const TxnId txn = o_.txns[number].id;
    for (const Operation& before : h_.operations(txn).first(op - h_.first_op(txn)))
      if (before.kind == OpKind::Write && before.key == x)
        return is_kept(number, x) ? std::optional(txn) : std::nullopt;
    return history::init;
  }

  [[nodiscard]] Value value_of(TxnId txn, history::KeyId x) const {
    return labels_.at({txn, x});
  }

  const History& h_;
  const Observed& o_;
  const Candidate& c_;
  const std::vector<std::optional<std::uint32_t>>& last_op_;
  HistoryBuilder builder_;
  std::vector<TxnId> origin_{history::init};
  std::set<std::pair<history::KeyId, std::string>> used_;
  std::map<std::pair<TxnId, history::KeyId>, Value> labels_;
};

}  // namespace

PredictedHistory predicted_history(
    const History& observed_history, const Observed& observed, const Candidate& candidate,
    const std::vector<std::optional<std::uint32_t>>& last_op) {
  return Writer(observed_history, observed, candidate, last_op).run();
}

tl::expected<check::Certified<Prediction>, std::string> certify(
    Prediction prediction, const check::AskedLevel& level, const Budget& budget) {
  const check::Level ser = check::Level::SER;
  if (const auto why = check::refute(prediction.history, ser, prediction.violation))
    return tl::unexpected(fmt::format("the evidence of a prediction is wrong: {}", *why));
  return check::certify(std::move(prediction), &Prediction::history,
                        {.also_asked = {check::all_levels.begin(), check::all_levels.end()},
                         .allowed_by = {level},
                         .forbidden_by = {ser}},
                        budget);
}

}  // namespace isomer::predict
