// SPDX-License-Identifier: MIT
// What PostgreSQL's levels let transactions do, written down without a clock and without
// interleavings, to hold `isomer explore` to it.
//
// All transactions end in some order, by COMMIT or by an error.  Gap g is the time between
// the g-th end and the next one.  What is committed depends on the gap alone, so whatever a
// transaction does is told by the gaps in which it does it:
//
//   - a snapshot is of a gap; these never fall along a transaction, and the last one is the
//     gap before its own end;
//   - locks are held up to the end, so whoever locks what conflicts with a transaction that
//     ends earlier does it in a later gap than that end.  The first gap that all earlier
//     ends allow is the one;
//   - a row has changed if it has in the gap of its lock; an error is in the gap of the
//   end;
//   - a deadlock is a circle of those that have asked by then; who waits for a row also
//     waits for those in front of it in the queue for that row.
//
// Within a gap anything can come first: conflicting locks are never taken in the same gap.
// Two things need the order there nevertheless.  Who skips a locked row comes behind the
// one who locked it, and rows enter the heap one behind the other.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "support/positions/application.h"

namespace isomer::positions {

// What is left out, for tests that must notice it.
enum class Omission : std::uint8_t {
  None,
  AbortsHoldNothing,       // an aborted transaction holds nobody up
  FailedKeysHoldNothing,   // the key of a failed INSERT holds nobody up
  LocksDoNotPush,          // a statement behind a wait reads what it could have read before
  FailedLooksAreUnlocked,  // a row that fails the second look is not locked
  SkipsHaveNoOrder,        // two may each skip what the other one locks
  NobodyQueues,            // who waits for a row waits for nobody else who does
  EveryHeapIsSorted,       // rows enter the heap in the order in which transactions end
  ErrorsAreEarly,          // a transaction can fail before its end
  StructuresAreHarmless,   // SERIALIZABLE is REPEATABLE READ
};

struct Outcome {
  // By session, by transaction: "1; 2 (1, 0, NULL) (2, 1, 0); committed", "1; 23505".
  std::vector<std::vector<std::string>> told;
  std::string rows;
  friend auto operator<=>(const Outcome&, const Outcome&) = default;
};

using Outcomes = std::set<Outcome>;

std::string text_of(const Outcome& outcome);
bool is_committed(const std::string& told);
bool all_commit(const Outcome& outcome);

// At READ COMMITTED and REPEATABLE READ these are all.  SERIALIZABLE is REPEATABLE READ
// without dangerous structures; which transaction fails where there is one is not said, so
// of these only the outcomes count in which all commit.
Outcomes outcomes(const Application& application, Omission omission = Omission::None);

}  // namespace isomer::positions
