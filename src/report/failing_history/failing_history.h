// SPDX-License-Identifier: MIT
// A failing history as text, JSON and page tell it: each transaction with its call, what it
// read from whom, and the line of the program that did it.  `isomer explore` and `isomer
// verify` tell it alike.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/explore.h"
#include "program/machine/machine.h"
#include "report/ink.h"
#include "report/json.h"
#include "report/picture/scene.h"

namespace isomer::report {

// What is told.
struct FailingHistory {
  const program::Program& program;
  const check::Certified<explore::Failure>& failure;
  std::optional<check::AskedLevel> level;  // that allows it; absent: every history is
  program::Granularity granularity = program::Granularity::Row;
  std::string picture_id = "p";  // keeps the pictures of one page apart
};

// "SI"; "true" if every history is allowed.
std::string level_name(const std::optional<check::AskedLevel>& level);

struct ToldOperation {
  bool is_read = true;
  history::KeyId key;
  std::string value;
  history::TxnId writer;  // of a read; none() if nobody wrote the value
  program::Span at;
};

struct ToldTransaction {
  history::TxnId txn;
  std::string name;  // "atm/1"
  std::string call;  // "withdraw(1, 100)"
  store::TransactionOutcome outcome;
  std::vector<ToldOperation> operations;
};

// In an order in which each comes after those it reads from.
std::vector<ToldTransaction> told_transactions(const program::Program& program,
                                               const explore::Failure& failure);

// The keys that some transaction writes, by id: what others read tells nothing about order.
std::vector<history::KeyId> written_keys(const history::History& history);

// The operations of a transaction worth telling: not those on keys that nobody writes, and
// a read that is repeated with the same answer only once.
struct ToldExcerpt {
  std::vector<ToldOperation> operations;
  std::size_t left_out = 0;
};

ToldExcerpt told_excerpt(const ToldTransaction& transaction,
                         const std::vector<history::KeyId>& keys);

// "atm/1", or "the initial state".
std::string writer_text(const std::vector<ToldTransaction>& told, history::TxnId writer);

// What went wrong, in one line: `invariant "no overdraft" is broken`.
std::string headline(const program::Program& program, const explore::Failure& failure);

// The transactions that committed, first to last; empty if no order is known.
std::vector<history::TxnId> commit_order(const FailingHistory& failing,
                                         const std::vector<ToldTransaction>& told);

// The final state.  If it has many rows only those that the history touched, or changed,
// are told, and how many are not.
struct ToldState {
  store::FinalState rows;
  std::size_t left_out = 0;
};

ToldState told_state(const FailingHistory& failing);
// Empty if the state has no rows.
std::string told_state_text(const FailingHistory& failing, const Ink& ink);

// Which levels would have prevented it, in one or two sentences.
std::string prevention(const FailingHistory& failing);

// --- as text ---

// What each transaction did, and the commit order.
std::string transactions_text(const FailingHistory& failing, const Ink& ink);
// The final state and the invariants in it.
std::string end_text(const FailingHistory& failing, const Ink& ink);
// Which levels allow it, and why not the others.
std::string judgement_text(const FailingHistory& failing, const Ink& ink);

// --- as JSON ---

Json failing_history_json(const FailingHistory& failing);

// --- as a picture and as a part of a page ---

Scene failing_history_scene(const FailingHistory& failing);
// `start`, a part of a page, comes before the story.
std::string failing_history_html(const FailingHistory& failing, std::string_view heading,
                                 std::string_view start = {});

}  // namespace isomer::report
