// SPDX-License-Identifier: MIT
// Small histories with hand-made results, for the tests of the report.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "check/certify/certified.h"
#include "check/check.h"
#include "report/check/report.h"
#include "unit/history/reading.h"

namespace isomer::check {

// The only way around certification: results made by hand, for tests of how they are shown.
struct HandMade {
  template <class T>
  static Certified<T> certified(T value) {
    return Certified<T>(std::move(value));
  }
};

}  // namespace isomer::check

namespace isomer::report::fixture {

using check::Edge;
using check::EdgeKind;
using check::Level;
using check::TxnId;
using check::Violated;
using history::KeyId;

struct Case {
  std::string file;
  history::History history;
  check::Result result;

  // As `result` is now; a second call ends what the first one gave.
  [[nodiscard]] Checked checked() const {
    certified = check::HandMade::certified(result);
    return {file, history, *certified};
  }

  mutable std::optional<check::Certified<check::Result>> certified = {};
};

inline check::Consistent in_order(const history::History& history) {
  check::Consistent out;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t)
    out.commit_order.push_back({t});
  return out;
}

// Every level with the verdict Consistent, but for those that `broken` names.
inline Case violated(std::string file, history::History history, const Violated& violation,
                     std::initializer_list<Level> broken) {
  check::Result out;
  for (const Level level : check::all_levels) {
    check::Verdict verdict = in_order(history);
    for (const Level bad : broken)
      if (bad == level) verdict = violation;
    out.levels.push_back(
        {.level = level, .verdict = std::move(verdict), .seconds = 0, .stats = {}});
  }
  return {std::move(file), std::move(history), std::move(out)};
}

// The keys of the histories here, in the order in which they are named.
inline constexpr KeyId x{0};
inline constexpr KeyId y{1};

// Two withdrawals from one account, neither of which sees the other.
inline Case lost_update() {
  history::History history = history::history_of(R"(init *=60

a: { r(balance)=60 w(balance)=10 }



b: { r(balance)=60 w(balance)=40 }
)");
  const KeyId balance{0};
  const TxnId t1{1};
  const TxnId t2{2};
  return violated("bank.hist", std::move(history),
                  {.anomaly = "lost update",
                   .axioms = {"NoConflict"},
                   .summary = "In no order of these two does the second see the first.",
                   .transactions = {t1, t2},
                   .is_minimal = true,
                   .cycle = {{t1, t2, EdgeKind::Rw, balance, check::init, {}},
                             {t2, t1, EdgeKind::Rw, balance, check::init, {}}},
                   .problem = {}},
                  {Level::PSI, Level::SI, Level::SER});
}

// Biswas and Enea's example for causal consistency: c/1 reads an overwritten x although it
// saw, through d/1, that it was overwritten.
inline Case causality() {
  history::History history = history::history_of(R"(
a: { w(x)=1 }
b: { r(x)=1 w(x)=2 }
c: { r(x)=1 r(y)=1 }
d: { r(x)=2 w(y)=1 }
)");
  const TxnId t1{1};
  const TxnId t2{2};
  const TxnId t3{3};
  const TxnId t4{4};
  return violated(
      "causality.hist", std::move(history),
      {.anomaly = "causality violation",
       .axioms = {"Causal Consistency"},
       .summary = "A transaction read an old version although it had seen a newer one.",
       .transactions = {t1, t2, t3, t4},
       .is_minimal = true,
       .cycle = {{t2,
                  t1,
                  EdgeKind::Ww,
                  x,
                  t3,
                  {{t2, t4, EdgeKind::Wr, x, {}, {}}, {t4, t3, EdgeKind::Wr, y, {}, {}}}},
                 {t1, t2, EdgeKind::Wr, x, {}, {}}},
       .problem = {}},
      {Level::CC, Level::PC, Level::PSI, Level::SI, Level::SER});
}

// Two readers disagree about which of two writes came first.
inline Case long_fork() {
  history::History history = history::history_of(R"(
a: { w(x)=1 }
b: { w(y)=1 }
c: { r(x)=1 r(y)=0 }
d: { r(x)=0 r(y)=1 }
)");
  return violated("long_fork.hist", std::move(history),
                  {.anomaly = "long fork",
                   .axioms = {"Prefix"},
                   .summary = "Two transactions saw two writes in opposite orders.",
                   .transactions = {{1}, {2}, {3}, {4}},
                   .is_minimal = true,
                   .cycle = {{{1}, {3}, EdgeKind::Wr, x, {}, {}},
                             {{3}, {2}, EdgeKind::Rw, y, check::init, {}},
                             {{2}, {4}, EdgeKind::Wr, y, {}, {}},
                             {{4}, {1}, EdgeKind::Rw, x, check::init, {}}},
                   .problem = {}},
                  {Level::PC, Level::SI, Level::SER});
}

// A session that does not see its own write: the cycle goes through the initial
// transaction.
inline Case read_your_writes() {
  return violated("own.hist", history::history_of("\na: { w(x)=1 }\n{ r(x)=0 }\n"),
                  {.anomaly = "stale read of an own write",
                   .axioms = {"Read Atomic"},
                   .summary = "A session did not see what it had written itself.",
                   .transactions = {check::init, {1}, {2}},
                   .is_minimal = true,
                   .cycle = {{{1},
                              check::init,
                              EdgeKind::Ww,
                              x,
                              {2},
                              {{{1}, {2}, EdgeKind::So, {}, {}, {}}}},
                             {check::init, {1}, EdgeKind::So, {}, {}, {}}},
                   .problem = {}},
                  {Level::RA, Level::CC, Level::PC, Level::PSI, Level::SI, Level::SER});
}

// What is wrong is the first problem of the history, a read that no built-in level allows.
inline Case bad_read(std::string file, history::History history, std::string anomaly,
                     std::vector<TxnId> transactions, std::initializer_list<Level> broken) {
  const Violated violation{.anomaly = std::move(anomaly),
                           .axioms = {"read consistency"},
                           .summary = "A transaction read what was never committed.",
                           .transactions = std::move(transactions),
                           .is_minimal = true,
                           .cycle = {},
                           .problem = history.problems()[0]};
  return violated(std::move(file), std::move(history), violation, broken);
}

// A read of a value that only an aborted transaction wrote.
inline Case aborted_read() {
  return bad_read(
      "aborted.hist", history::history_of("a: { w(x)=1 } abort\nb: { r(x)=1 }\n"),
      "aborted read", {{1}, {2}},
      {Level::RC, Level::RA, Level::CC, Level::PC, Level::PSI, Level::SI, Level::SER});
}

// Nothing wrong, two sessions.
inline Case serial() {
  history::History history = history::history_of(R"(a: { w(x)=1 } { r(x)=2 }
b: { r(x)=1 w(x)=2 }
)");
  Case out = violated("serial.hist", std::move(history), {}, {});
  for (check::LevelResult& level : out.result.levels)
    std::get<check::Consistent>(level.verdict).commit_order = {{0}, {1}, {3}, {2}};
  return out;
}

}  // namespace isomer::report::fixture
