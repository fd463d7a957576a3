// SPDX-License-Identifier: MIT
#include "support/predict/brute_force.h"

#include <algorithm>
#include <set>

#include "history/builder.h"

namespace isomer::predict {
namespace {

using Table = std::vector<std::vector<bool>>;

int txn_count(const Trace& trace) {
  return static_cast<int>(trace.txns.size());
}

const TraceOp& operation(const Trace& trace, int txn, int op) {
  return at(at(trace.txns, txn).ops, op);
}

int op_count(const Trace& trace, int txn) {
  return static_cast<int>(at(trace.txns, txn).ops.size());
}

int session(const Trace& trace, int txn) {
  return at(trace.txns, txn).session;
}

bool so(const Trace& trace, int a, int b) {
  return a < b && session(trace, a) == session(trace, b);
}

int& writer_of(Guess& guess, int txn, int op) {
  return at(at(guess.writer, txn), op);
}

int writer_of(const Guess& guess, int txn, int op) {
  return at(at(guess.writer, txn), op);
}

int length(const Guess& guess, int txn) {
  return at(guess.length, txn);
}

template <class Act>
void for_each_read(const Trace& trace, const Guess& guess, Act act) {
  for (int t = 0; t < txn_count(trace); ++t)
    for (int op = 0; op < length(guess, t); ++op)
      if (trace.is_external_read(t, op))
        act(t, op, operation(trace, t, op).key, writer_of(guess, t, op));
}

void close(Table& table) {
  const std::size_t size = table.size();
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < size; ++i)
      if (table[i][k])
        for (std::size_t j = 0; j < size; ++j)
          if (table[k][j]) table[i][j] = true;
}

bool is_cyclic(const Table& closed) {
  for (std::size_t i = 0; i < closed.size(); ++i)
    if (closed[i][i]) return true;
  return false;
}

// hb = (so | wr)+ of the transactions in the guess.
Table happens_before(const Trace& trace, const Guess& guess) {
  const auto size = static_cast<std::size_t>(txn_count(trace));
  Table out(size, std::vector<bool>(size, false));
  for (int a = 0; a < txn_count(trace); ++a)
    for (int b = 0; b < txn_count(trace); ++b)
      if (so(trace, a, b)) at(at(out, a), b) = true;
  for_each_read(trace, guess, [&](int reader, int, int, int writer) {
    if (writer != initial) at(at(out, writer), reader) = true;
  });
  close(out);
  return out;
}

class Guesser {
 public:
  Guesser(const Trace& trace, bool is_strict, Boundary rule, std::size_t count_max)
      : trace_(trace), is_strict_(is_strict), rule_(rule), left_(count_max) {}

  std::optional<std::vector<Guess>> run() {
    boundary_.assign(static_cast<std::size_t>(trace_.session_count), {});
    place(0);
    if (left_ == 0) return std::nullopt;
    return std::vector<Guess>(found_.begin(), found_.end());
  }

 private:
  struct Place {
    int txn = -1;  // -1: the session has no boundary
    int op = 0;
  };

  void place(int s) {
    if (s == trace_.session_count) return choose_all();
    at(boundary_, s) = {};
    place(s + 1);
    if (rule_ == Boundary::None) return;
    for (int t = 0; t < txn_count(trace_); ++t) {
      if (session(trace_, t) != s || at(trace_.txns, t).is_aborted) continue;
      for (int op = 0; op < op_count(trace_, t); ++op) {
        if (!trace_.is_external_read(t, op)) continue;
        at(boundary_, s) = {t, op};
        place(s + 1);
        if (!is_strict_) break;
      }
    }
    at(boundary_, s) = {};
  }

  [[nodiscard]] const Place& boundary_of(int txn) const {
    return at(boundary_, session(trace_, txn));
  }

  [[nodiscard]] bool has_boundary(int txn) const { return boundary_of(txn).txn == txn; }

  [[nodiscard]] bool is_behind(int txn) const {
    return boundary_of(txn).txn != -1 && txn > boundary_of(txn).txn;
  }

  [[nodiscard]] bool is_free(int txn, int op) const {
    if (rule_ == Boundary::None) return true;
    return has_boundary(txn) && (!is_strict_ || boundary_of(txn).op == op);
  }

  void choose_all() {
    Guess guess;
    free_.clear();
    for (int t = 0; t < txn_count(trace_); ++t) {
      int kept = op_count(trace_, t);
      if (is_behind(t) || at(trace_.txns, t).is_aborted) kept = -1;
      if (has_boundary(t) && is_strict_) kept = boundary_of(t).op + 1;
      guess.length.push_back(kept);
      guess.writer.emplace_back(static_cast<std::size_t>(op_count(trace_, t)), initial);
      for (int op = 0; op < kept; ++op) {
        if (!trace_.is_external_read(t, op)) continue;
        writer_of(guess, t, op) = operation(trace_, t, op).writer;
        if (is_free(t, op)) free_.emplace_back(t, op);
      }
    }
    choose(guess, 0);
  }

  void choose(Guess& guess, std::size_t index) {
    if (left_ == 0) return;
    if (index == free_.size()) return judge(guess);
    const auto [t, op] = free_[index];
    for (int writer = initial; writer < txn_count(trace_); ++writer) {
      if (writer == t || !can_be_read(writer, operation(trace_, t, op).key)) continue;
      writer_of(guess, t, op) = writer;
      choose(guess, index + 1);
    }
  }

  [[nodiscard]] bool can_be_read(int writer, int key) const {
    if (writer == initial) return trace_.has_initial_values;
    return !at(trace_.txns, writer).is_aborted &&
           trace_.last_write(writer, key, op_count(trace_, writer)) >= 0;
  }

  void judge(const Guess& chosen) {
    --left_;
    Guess guess = chosen;
    const bool is_allowed =
        rule_ == Boundary::Closed ? leave_out_divergent(guess) : reads_what_is_there(guess);
    if (!is_allowed) return;
    for_each_read(trace_, guess, [&](int t, int op, int, int writer) {
      guess.changes += writer != operation(trace_, t, op).writer;
    });
    found_.insert(std::move(guess));
  }

  // Nothing takes part that happens after a transaction with a boundary.  A read that
  // changes reads from a transaction that takes part and has no boundary.
  bool leave_out_divergent(Guess& guess) const {
    const Table hb = happens_before(trace_, guess);
    const Guess all = guess;
    for (int t = 0; t < txn_count(trace_); ++t)
      for (int b = 0; b < txn_count(trace_); ++b)
        if (has_boundary(b) && at(at(hb, b), t)) {
          at(guess.length, t) = -1;
          std::ranges::fill(at(guess.writer, t), initial);
        }
    bool out = true;
    for_each_read(trace_, all, [&](int t, int op, int, int writer) {
      if (writer != operation(trace_, t, op).writer && writer != initial)
        out = out && length(guess, writer) >= 0 && !has_boundary(writer);
    });
    return out;
  }

  // Every read reads from a write inside its writer's boundary, which the writer was not
  // observed to overwrite; and nobody from the future.
  [[nodiscard]] bool reads_what_is_there(const Guess& guess) const {
    bool out = !is_cyclic(happens_before(trace_, guess));
    for_each_read(trace_, guess, [&](int, int, int key, int writer) {
      out = out &&
            (writer == initial || trace_.last_write(writer, key, op_count(trace_, writer)) <
                                      length(guess, writer));
    });
    return out;
  }

  const Trace& trace_;
  bool is_strict_;
  Boundary rule_;
  std::size_t left_;
  std::vector<Place> boundary_;  // by session
  std::vector<std::pair<int, int>> free_;
  std::set<Guess> found_;
};

// Runs one transaction after another as long as each reads what the last writer left.
class Serializer {
 public:
  Serializer(const Trace& trace, const Guess& guess)
      : trace_(trace), guess_(guess), is_done_(trace.txns.size(), false) {
    for (int t = 0; t < txn_count(trace); ++t)
      left_ += length(guess, t) >= 0;
  }

  bool run(const std::vector<int>& last) {
    if (left_ == 0) return true;
    for (int t = 0; t < txn_count(trace_); ++t) {
      if (!can_be_next(t, last)) continue;
      std::vector<int> next = last;
      for (int key = 0; key < trace_.key_count; ++key)
        if (writes(trace_, guess_, t, key)) at(next, key) = t;
      at(is_done_, t) = true;
      --left_;
      if (run(next)) return true;
      at(is_done_, t) = false;
      ++left_;
    }
    return false;
  }

 private:
  [[nodiscard]] bool can_be_next(int txn, const std::vector<int>& last) const {
    if (at(is_done_, txn) || length(guess_, txn) < 0) return false;
    for (int before = 0; before < txn; ++before)
      if (so(trace_, before, txn) && !at(is_done_, before) && length(guess_, before) >= 0)
        return false;
    for (int op = 0; op < length(guess_, txn); ++op)
      if (trace_.is_external_read(txn, op) &&
          writer_of(guess_, txn, op) != at(last, operation(trace_, txn, op).key))
        return false;
    return true;
  }

  const Trace& trace_;
  const Guess& guess_;
  std::vector<bool> is_done_;
  int left_ = 0;
};

// What the writer had written when it ended; of an own write, what it had written by then.
int value_read(const Trace& trace, const Guess& guess, int txn, int op) {
  const int key = operation(trace, txn, op).key;
  const bool is_own = !trace.is_external_read(txn, op);
  const int writer = is_own ? txn : writer_of(guess, txn, op);
  if (writer == initial) return 0;
  return trace.value(writer,
                     trace.last_write(writer, key, is_own ? op : length(guess, writer)));
}

}  // namespace

std::optional<std::vector<Guess>> guesses(const Trace& trace, bool is_strict,
                                          Boundary boundary, std::size_t count_max) {
  return Guesser(trace, is_strict, boundary, count_max).run();
}

bool writes(const Trace& trace, const Guess& guess, int txn, int key) {
  return trace.last_write(txn, key, std::max(length(guess, txn), 0)) >= 0;
}

bool is_serializable(const Trace& trace, const Guess& guess) {
  return Serializer(trace, guess)
      .run(std::vector<int>(static_cast<std::size_t>(trace.key_count), initial));
}

// Transactions are shifted by one, so that the initial one is 0.
bool has_pco_cycle(const Trace& trace, const Guess& guess) {
  const std::size_t size = trace.txns.size() + 1;
  const auto row = [](int txn) { return static_cast<std::size_t>(txn) + 1; };
  const auto is_writer = [&](int txn, int key) {
    return txn == initial || writes(trace, guess, txn, key);
  };
  Table pco(size, std::vector<bool>(size, false));
  for (int b = 0; b < txn_count(trace); ++b) {
    pco[0][row(b)] = true;
    for (int a = 0; a < b; ++a)
      if (so(trace, a, b)) pco[row(a)][row(b)] = true;
  }
  for_each_read(trace, guess, [&](int reader, int, int, int writer) {
    pco[row(writer)][row(reader)] = true;
  });
  while (true) {
    close(pco);
    const Table before = pco;
    for_each_read(trace, guess, [&](int t3, int, int key, int t2) {
      for (int t1 = initial; t1 < txn_count(trace); ++t1) {
        if (t1 == t2 || t1 == t3 || !is_writer(t1, key)) continue;
        if (before[row(t1)][row(t3)]) pco[row(t1)][row(t2)] = true;  // ww
        if (before[row(t2)][row(t1)]) pco[row(t3)][row(t1)] = true;  // rw
      }
    });
    if (pco == before) return is_cyclic(pco);
  }
}

history::History history_of(const Trace& trace, const Guess& guess) {
  history::HistoryBuilder builder;
  if (trace.has_initial_values) builder.set_initial(history::Value::integer(0));
  for (int s = 0; s < trace.session_count; ++s)
    builder.session(s + 1);
  for (int t = 0; t < txn_count(trace); ++t) {
    if (length(guess, t) < 0) continue;
    const auto token = builder.begin(builder.session(session(trace, t) + 1));
    for (int op = 0; op < length(guess, t); ++op) {
      const TraceOp& o = operation(trace, t, op);
      const history::KeyId key = builder.key(o.key);
      if (o.is_write)
        builder.write(token, key, history::Value::integer(trace.value(t, op)));
      else
        builder.read(token, key, history::Value::integer(value_read(trace, guess, t, op)));
    }
  }
  return builder.build();
}

}  // namespace isomer::predict
