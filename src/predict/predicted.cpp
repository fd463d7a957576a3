// SPDX-License-Identifier: MIT
#include "predict/predicted.h"

#include <map>

#include <fmt/format.h>

#include "base/assert.h"
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
  Writer(const History& history, const Observed& observed, const CandidateRun& candidate,
         const std::vector<std::optional<std::uint32_t>>& last_op)
      : h_(history), o_(observed), c_(candidate), last_op_(last_op) {}

  PredictedHistory run() {
    set_initial_values();
    for (TxnNumber txn = 1; txn < o_.txns.size(); ++txn)
      if (c_.is_in[txn]) label_writes(txn);
    for (TxnNumber txn = 1; txn < o_.txns.size(); ++txn)
      if (c_.is_in[txn]) add(txn);
    PredictedHistory out;
    out.origin = std::move(origin_);
    out.history = builder_.build();
    return out;
  }

 private:
  // A history without initial values stays one.
  void set_initial_values() {
    std::optional<Value> usual;
    if (const auto value = h_.default_initial_value()) {
      usual = copy(*value);
      builder_.set_initial(*usual);
    }
    for (history::KeyId x{0}; x.index < h_.key_count(); ++x.index) {
      const history::KeyId id = key(x);
      const std::optional<Value> initial = h_.initial_value(x);
      if (!initial) continue;
      const Value value = label(x, *initial);
      if (value != usual) builder_.set_initial(id, value);
      left_[{history::init, x}] = value;
    }
  }

  history::KeyId key(history::KeyId x) {
    if (const auto number = h_.key_number(x)) return builder_.key(*number);
    return builder_.key(h_.key_name(x));
  }

  Value copy(Value value) {
    return value.kind == history::ValueKind::String
               ? builder_.string_value(h_.string(value))
               : value;
  }

  // No other transaction writes the same value to the key.
  Value label(history::KeyId x, Value value) {
    const std::string text = h_.text(value);
    const auto [known, is_new] = texts_.try_emplace({x, text}, 1);
    if (is_new) return copy(value);
    std::string marked;  // a value may look like this itself
    do
      marked = fmt::format("{} #{}", text, ++known->second);
    while (!texts_.try_emplace({x, marked}, 1).second);
    return builder_.string_value(marked);
  }

  // The operations of a transaction up to its boundary.
  [[nodiscard]] std::span<const Operation> kept(const ObservedTxn& txn) const {
    const std::span<const Operation> all = h_.operations(txn.id);
    const auto& last = last_op_[txn.session];
    if (!last || *last >= h_.first_op(txn.id) + all.size()) return all;
    return all.first(*last + 1 - h_.first_op(txn.id));
  }

  // A transaction that writes a value again is still the only one that writes it.
  void label_writes(TxnNumber number) {
    const ObservedTxn& txn = o_.txns[number];
    std::map<std::pair<history::KeyId, std::string>, Value> own;
    std::uint32_t op = h_.first_op(txn.id);
    for (const Operation& operation : kept(txn)) {
      if (operation.kind == OpKind::Write) {
        const auto [place, is_new] =
            own.try_emplace({operation.key, h_.text(operation.value())});
        if (is_new) place->second = label(operation.key, operation.value());
        written_[op] = left_[{txn.id, operation.key}] = place->second;
      }
      ++op;
    }
  }

  void add(TxnNumber number) {
    const ObservedTxn& txn = o_.txns[number];
    const auto token =
        builder_.begin(builder_.session(h_.session_name({txn.session})), h_.line(txn.id));
    origin_.push_back(txn.id);
    if (h_.has_own_name(txn.id)) builder_.set_name(token, h_.txn_name(txn.id));
    std::map<history::KeyId, Value> own;
    std::uint32_t op = h_.first_op(txn.id);
    std::uint32_t read = txn.first_read;
    for (const Operation& operation : kept(txn)) {
      const history::KeyId x = operation.key;
      if (operation.kind == OpKind::Write)
        builder_.write(token, key(x), own[x] = written_.at(op));
      else if (const auto found = own.find(x); found != own.end())
        builder_.read(token, key(x), found->second);
      else if (read < txn.read_end && o_.reads[read].op == op)
        builder_.read(token, key(x), chosen(read++));
      else
        builder_.read(token, key(x), left_.at({history::init, x}));
      if (!h_.place(op).empty()) builder_.set_place(h_.place(op));
      ++op;
    }
  }

  [[nodiscard]] Value chosen(std::uint32_t read) const {
    ISOMER_ASSERT(c_.writer[read]);
    return left_.at({o_.txns[*c_.writer[read]].id, o_.keys[o_.reads[read].key]});
  }

  const History& h_;
  const Observed& o_;
  const CandidateRun& c_;
  const std::vector<std::optional<std::uint32_t>>& last_op_;
  HistoryBuilder builder_;
  std::vector<TxnId> origin_{history::init};
  std::map<std::pair<history::KeyId, std::string>, int> texts_;  // of values: how often
  std::map<std::uint32_t, Value> written_;                       // by operation
  std::map<std::pair<TxnId, history::KeyId>, Value> left_;       // what it wrote last
};

}  // namespace

PredictedHistory predicted_history(
    const History& observed_history, const Observed& observed,
    const CandidateRun& candidate,
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
