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

int Trace::last_write(int txn, int key, int length) const {
  const std::vector<TraceOp>& ops = at(txns, txn).ops;
  for (int op = length - 1; op >= 0; --op)
    if (at(ops, op).is_write && at(ops, op).key == key) return op;
  return -1;
}

int Trace::value(int txn, int op) const {
  int out = 1;
  for (int t = 0; t < txn; ++t)
    out += static_cast<int>(at(txns, t).ops.size());
  return out + op;
}

namespace {

// Where there is nothing to read yet, it is written.
void run_serially(Trace& trace) {
  std::vector<int> last(static_cast<std::size_t>(trace.key_count), initial);
  for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t) {
    std::vector<int> seen = last;
    for (TraceOp& op : at(trace.txns, t).ops) {
      int& writer = at(seen, op.key);
      if (writer == initial && !trace.has_initial_values) op.is_write = true;
      if (op.is_write)
        writer = t;
      else
        op.writer = writer;
    }
    if (!at(trace.txns, t).is_aborted) last = seen;
  }
}

// A key that the transaction writes; often one that it has written already.
int written_key(const TraceTxn& txn, int key_count, Random& random) {
  std::vector<int> again;
  for (const TraceOp& op : txn.ops)
    if (op.is_write) again.push_back(op.key);
  if (!again.empty() && random.chance(0.3)) return again[random.below(again.size())];
  return static_cast<int>(random.below(static_cast<std::uint64_t>(key_count)));
}

}  // namespace

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
    const std::uint64_t op_count = 1 + random.below(5);
    for (std::uint64_t i = 0; i < op_count; ++i) {
      const bool is_write = !random.chance(reads);
      const int key =
          is_write
              ? written_key(txn, out.key_count, random)
              : static_cast<int>(random.below(static_cast<std::uint64_t>(out.key_count)));
      txn.ops.push_back({.is_write = is_write, .key = key});
    }
  }
  run_serially(out);
  return out;
}

Trace random_trace_with_aborts(Random& random) {
  Trace out = random_trace(random);
  const double aborts = random.chance(0.3) ? 0.3 : 0.0;
  for (TraceTxn& txn : out.txns)
    txn.is_aborted = random.chance(aborts);
  out.has_initial_values = !random.chance(0.2);
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
  if (trace.has_initial_values) builder.set_initial(history::Value::integer(0));
  for (int s = 0; s < trace.session_count; ++s)
    builder.session(s + 1);
  for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t) {
    const TraceTxn& txn = at(trace.txns, t);
    const auto token = builder.begin(builder.session(txn.session + 1));
    if (txn.is_aborted) builder.set_status(token, history::Status::Aborted);
    for (int op = 0; op < static_cast<int>(txn.ops.size()); ++op) {
      const TraceOp& o = at(txn.ops, op);
      const history::KeyId key = builder.key(o.key);
      if (o.is_write) {
        builder.write(token, key, history::Value::integer(trace.value(t, op)));
        continue;
      }
      int value = 0;
      if (o.writer != initial) {
        const int length =
            o.writer == t ? op : static_cast<int>(at(trace.txns, o.writer).ops.size());
        value = trace.value(o.writer, trace.last_write(o.writer, o.key, length));
      }
      builder.read(token, key, history::Value::integer(value));
    }
  }
  return builder.build();
}

// Trace numbers are one less than ids, since transactions are taken session by session.
Trace trace_of(const history::History& history) {
  Trace out{.session_count = static_cast<int>(history.session_count()),
            .key_count = static_cast<int>(history.key_count()),
            .txns = {},
            .has_initial_values = history.default_initial_value().has_value()};
  for (history::TxnId t{1}; t.index < history.txn_count(); ++t.index) {
    TraceTxn& txn = out.txns.emplace_back();
    txn.session = static_cast<int>(history.session(t).index);
    txn.is_aborted = history.status(t) == history::Status::Aborted;
    for (const history::Operation& op : history.operations(t))
      txn.ops.push_back({.is_write = op.kind == history::OpKind::Write,
                         .key = static_cast<int>(op.key.index),
                         .writer = static_cast<int>(t.index) - 1});
    for (const history::Read& read : history.reads(t))
      txn.ops[read.op - history.first_op(t)].writer =
          static_cast<int>(read.writer.index) - 1;
  }
  return out;
}

std::string text(const Trace& trace) {
  return text(history_of(trace));
}

std::string text(const history::History& history) {
  std::string out;
  for (history::SessionId s{0}; s.index < history.session_count(); ++s.index) {
    if (history.first_txn(s) == history.end_txn(s)) continue;
    out += history.session_name(s) + ":";
    for (history::TxnId t = history.first_txn(s); t < history.end_txn(s); ++t.index) {
      out += " {";
      for (const history::Operation& op : history.operations(t))
        out += fmt::format(" {}({})={}", op.kind == history::OpKind::Write ? 'w' : 'r',
                           history.key_name(op.key), history.text(op.value()));
      out += history.status(t) == history::Status::Aborted ? " } abort" : " }";
    }
    out += "\n";
  }
  return out;
}

}  // namespace isomer::predict
