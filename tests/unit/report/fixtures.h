// SPDX-License-Identifier: MIT
// Small histories with hand-made results, for the tests of the report.
#pragma once

#include <string>
#include <utility>

#include "check/check.h"
#include "history/builder.h"
#include "report/check_report.h"

namespace isomer::report::fixture {

using check::Edge;
using check::EdgeKind;
using check::Level;
using check::TxnId;
using check::Violated;
using history::HistoryBuilder;
using history::KeyId;
using history::Value;

struct Case {
  std::string file;
  history::History history;
  check::Result result;

  [[nodiscard]] Checked checked() const { return {file, history, result}; }
};

inline check::Consistent in_order(const history::History& history) {
  check::Consistent out;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t)
    out.commit_order.push_back({t});
  return out;
}

// Every level with the verdict Consistent, but for those that `broken` names.
inline check::Result result(const history::History& history, const Violated& violation,
                            std::initializer_list<Level> broken) {
  check::Result out;
  for (const Level level : check::all_levels) {
    check::Verdict verdict = in_order(history);
    for (const Level bad : broken)
      if (bad == level) verdict = violation;
    out.levels.push_back(
        {.level = level, .verdict = std::move(verdict), .seconds = 0, .stats = {}});
  }
  return out;
}

// Two withdrawals from one account, neither of which sees the other.
inline Case lost_update() {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(60));
  const KeyId balance = builder.key("balance");
  const auto a = builder.begin(builder.session("a"), 3);
  builder.read(a, balance, Value::integer(60));
  builder.write(a, balance, Value::integer(10));
  const auto b = builder.begin(builder.session("b"), 7);
  builder.read(b, balance, Value::integer(60));
  builder.write(b, balance, Value::integer(40));
  history::History history = builder.build();
  const TxnId t1{1};
  const TxnId t2{2};
  const Violated violation{
      .anomaly = "lost update",
      .axioms = {"NoConflict"},
      .summary = "In no order of these two does the second see the first.",
      .transactions = {t1, t2},
      .is_minimal = true,
      .cycle = {{t1, t2, EdgeKind::Rw, balance, check::init, {}},
                {t2, t1, EdgeKind::Rw, balance, check::init, {}}},
      .problem = {}};
  check::Result verdicts = result(history, violation, {Level::PSI, Level::SI, Level::SER});
  return {"bank.hist", std::move(history), std::move(verdicts)};
}

// Biswas and Enea's example for causal consistency: c/1 reads an overwritten x although it
// saw, through d/1, that it was overwritten.
inline Case causality() {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  const KeyId x = builder.key("x");
  const KeyId y = builder.key("y");
  const auto a = builder.begin(builder.session("a"), 2);
  builder.write(a, x, Value::integer(1));
  const auto b = builder.begin(builder.session("b"), 3);
  builder.read(b, x, Value::integer(1));
  builder.write(b, x, Value::integer(2));
  const auto c = builder.begin(builder.session("c"), 4);
  builder.read(c, x, Value::integer(1));
  builder.read(c, y, Value::integer(1));
  const auto d = builder.begin(builder.session("d"), 5);
  builder.read(d, x, Value::integer(2));
  builder.write(d, y, Value::integer(1));
  history::History history = builder.build();
  const TxnId t1{1};
  const TxnId t2{2};
  const TxnId t3{3};
  const TxnId t4{4};
  const Violated violation{
      .anomaly = "causality violation",
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
      .problem = {}};
  check::Result verdicts =
      result(history, violation, {Level::CC, Level::PC, Level::PSI, Level::SI, Level::SER});
  return {"causality.hist", std::move(history), std::move(verdicts)};
}

// Two readers disagree about which of two writes came first.
inline Case long_fork() {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  const KeyId x = builder.key("x");
  const KeyId y = builder.key("y");
  const auto a = builder.begin(builder.session("a"), 2);
  builder.write(a, x, Value::integer(1));
  const auto b = builder.begin(builder.session("b"), 3);
  builder.write(b, y, Value::integer(1));
  const auto c = builder.begin(builder.session("c"), 4);
  builder.read(c, x, Value::integer(1));
  builder.read(c, y, Value::integer(0));
  const auto d = builder.begin(builder.session("d"), 5);
  builder.read(d, x, Value::integer(0));
  builder.read(d, y, Value::integer(1));
  history::History history = builder.build();
  const Violated violation{.anomaly = "long fork",
                           .axioms = {"Prefix"},
                           .summary = "Two transactions saw two writes in opposite orders.",
                           .transactions = {{1}, {2}, {3}, {4}},
                           .is_minimal = true,
                           .cycle = {{{1}, {3}, EdgeKind::Wr, x, {}, {}},
                                     {{3}, {2}, EdgeKind::Rw, y, check::init, {}},
                                     {{2}, {4}, EdgeKind::Wr, y, {}, {}},
                                     {{4}, {1}, EdgeKind::Rw, x, check::init, {}}},
                           .problem = {}};
  check::Result verdicts = result(history, violation, {Level::PC, Level::SI, Level::SER});
  return {"long_fork.hist", std::move(history), std::move(verdicts)};
}

// A session that does not see its own write: the cycle goes through the initial
// transaction.
inline Case read_your_writes() {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  const KeyId x = builder.key("x");
  const history::SessionId session = builder.session("a");
  builder.write(builder.begin(session, 2), x, Value::integer(1));
  builder.read(builder.begin(session, 3), x, Value::integer(0));
  history::History history = builder.build();
  const Violated violation{
      .anomaly = "stale read of an own write",
      .axioms = {"Read Atomic"},
      .summary = "A session did not see what it had written itself.",
      .transactions = {check::init, {1}, {2}},
      .is_minimal = true,
      .cycle =
          {{{1}, check::init, EdgeKind::Ww, x, {2}, {{{1}, {2}, EdgeKind::So, {}, {}, {}}}},
           {check::init, {1}, EdgeKind::So, {}, {}, {}}},
      .problem = {}};
  check::Result verdicts =
      result(history, violation,
             {Level::RA, Level::CC, Level::PC, Level::PSI, Level::SI, Level::SER});
  return {"own.hist", std::move(history), std::move(verdicts)};
}

// A read of a value that only an aborted transaction wrote.
inline Case aborted_read() {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  const KeyId x = builder.key("x");
  const auto a = builder.begin(builder.session("a"), 1);
  builder.write(a, x, Value::integer(1));
  builder.set_status(a, history::Status::Aborted);
  builder.read(builder.begin(builder.session("b"), 2), x, Value::integer(1));
  history::History history = builder.build();
  const Violated violation{.anomaly = "aborted read",
                           .axioms = {"read consistency"},
                           .summary = "A transaction read what was never committed.",
                           .transactions = {{1}, {2}},
                           .is_minimal = true,
                           .cycle = {},
                           .problem = history.problems()[0]};
  check::Result verdicts = result(
      history, violation,
      {Level::RC, Level::RA, Level::CC, Level::PC, Level::PSI, Level::SI, Level::SER});
  return {"aborted.hist", std::move(history), std::move(verdicts)};
}

// Nothing wrong, two sessions.
inline Case serial() {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  const KeyId x = builder.key("x");
  const auto a = builder.begin(builder.session("a"), 1);
  builder.write(a, x, Value::integer(1));
  const auto b = builder.begin(builder.session("b"), 2);
  builder.read(b, x, Value::integer(1));
  builder.write(b, x, Value::integer(2));
  builder.read(builder.begin(builder.session("a"), 1), x, Value::integer(2));
  history::History history = builder.build();
  check::Result verdicts = result(history, {}, {});
  for (check::LevelResult& level : verdicts.levels)
    std::get<check::Consistent>(level.verdict).commit_order = {{0}, {1}, {3}, {2}};
  return {"serial.hist", std::move(history), std::move(verdicts)};
}

}  // namespace isomer::report::fixture
