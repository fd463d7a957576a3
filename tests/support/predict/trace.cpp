// SPDX-License-Identifier: MIT
#include "support/predict/trace.h"

#include <fmt/format.h>

#include "history/builder.h"

namespace isomer::predict {

int Trace::number(int txn) const {
  int out = 0;
  for (int t = 0; t < txn; ++t)
    out += at(txns, t).session == at(txns, txn).session;
  return out;
}

history::TxnId Trace::id(int txn) const {
  if (txn == initial) return history::init;
  int before = 0;
  for (const TraceTxn& other : txns)
    before += other.session < at(txns, txn).session;
  return {static_cast<std::uint32_t>(1 + before + number(txn))};
}

int Trace::last_write(int txn, int key) const {
  const std::vector<TraceOp>& ops = at(txns, txn).ops;
  for (int op = static_cast<int>(ops.size()) - 1; op >= 0; --op)
    if (at(ops, op).is_write && at(ops, op).key == key) return op;
  return -1;
}

void run_serially(Trace& trace) {
  std::vector<int> last(static_cast<std::size_t>(trace.key_count), initial);
  for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t)
    for (TraceOp& op : at(trace.txns, t).ops) {
      int& writer = at(last, op.key);
      if (op.is_write)
        writer = t;
      else
        op.writer = writer;
    }
}

Trace random_trace(Random& random) {
  Trace out;
  out.session_count = 2 + static_cast<int>(random.below(2));
  out.key_count = 1 + static_cast<int>(random.below(3));
  const std::uint64_t txn_count = 2 + random.below(5);
  const double reads = 0.35 + 0.4 * random.unit();
  for (std::uint64_t t = 0; t < txn_count; ++t) {
    TraceTxn& txn = out.txns.emplace_back();
    txn.session =
        static_cast<int>(random.below(static_cast<std::uint64_t>(out.session_count)));
    const std::uint64_t op_count = 1 + random.below(4);
    for (std::uint64_t i = 0; i < op_count; ++i) {
      TraceOp& op = txn.ops.emplace_back();
      op.is_write = !random.chance(reads);
      op.key = static_cast<int>(random.below(static_cast<std::uint64_t>(out.key_count)));
    }
  }
  run_serially(out);
  return out;
}

std::vector<Trace> smaller(const Trace& trace) {
  std::vector<Trace> out;
  for (std::size_t t = trace.txns.size(); t-- > 0;)
    for (std::size_t op = trace.txns[t].ops.size(); op-- > 0;) {
      Trace less = trace;
      less.txns[t].ops.erase(less.txns[t].ops.begin() + static_cast<std::ptrdiff_t>(op));
      if (less.txns[t].ops.empty())
        less.txns.erase(less.txns.begin() + static_cast<std::ptrdiff_t>(t));
      run_serially(less);
      out.push_back(std::move(less));
    }
  return out;
}

history::History history_of(const Trace& trace) {
  history::HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  for (int s = 0; s < trace.session_count; ++s)
    builder.session(s + 1);
  std::int64_t next_value = 0;
  std::vector<std::int64_t> current(static_cast<std::size_t>(trace.key_count), 0);
  for (const TraceTxn& txn : trace.txns) {
    const auto token = builder.begin(builder.session(txn.session + 1));
    for (const TraceOp& op : txn.ops) {
      std::int64_t& value = at(current, op.key);
      const history::KeyId key = builder.key(op.key);
      if (op.is_write)
        builder.write(token, key, history::Value::integer(value = ++next_value));
      else
        builder.read(token, key, history::Value::integer(value));
    }
  }
  return builder.build();
}

std::string text(const Trace& trace) {
  const auto name = [&](int txn) {
    if (txn == initial) return std::string("0, 0");
    return fmt::format("{}, {}", at(trace.txns, txn).session + 1, trace.number(txn));
  };
  std::string out;
  for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t)
    for (const TraceOp& op : at(trace.txns, t).ops)
      out += op.is_write ? fmt::format("WRITE KEY[{}] Txn({})\n", op.key, name(t))
                         : fmt::format("READ KEY[{}] Txn({}) From({})\n", op.key, name(t),
                                       name(op.writer));
  return out;
}

}  // namespace isomer::predict
