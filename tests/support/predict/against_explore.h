// SPDX-License-Identifier: MIT
// Predictions from a run of a program, against all histories that it has.
//
// With the boundary rule Closed nobody reads from a transaction that is cut.  So a level
// that allows the predicted part also allows a history of the whole program that begins
// with it, as follows.  Each cut transaction is run to its end; what it still reads comes
// from the versions that it sees anyway.  Then all others run one after another, each
// seeing everything.  This needs
//
//     of the program   that no transaction rolls back because of what it reads;
//     of the level     RC, RA, CC or PC; SI and PSI if no cut transaction writes a further
//                      key behind the cut, since another one may have written it too;
//     of a relaxed     that the program has no branches: it writes what it wrote, to the
//     prediction       same keys.
//
// Then explore, which knows nothing of predictions, must have such a history, operation by
// operation and value by value.  Otherwise, as for SQL applications, it must have some
// unserializable one if a replay of the prediction is unserializable and rolls nobody back.
//
// Where transactions are rolled back, a replay may refute a prediction.  A relaxed one has
// every read of its transactions.  So it must not be refuted if explore has a history that
// begins with it, in which those that were rolled back before them read what they had read
// and are rolled back again: a replay that does the same has that history's first part.
#pragma once

#include <cstdint>
#include <string>

#include "check/level.h"
#include "program/ir.h"
#include "program/machine/machine.h"

namespace isomer::predict {

struct AskedOfProgram {
  const program::Program& program;
  std::string litmus;      // its text; empty if it is an SQL application
  std::uint64_t seed = 1;  // of the serial run that is observed
  check::Level level = check::Level::CC;
  program::Granularity granularity = program::Granularity::Row;
};

struct Compared {
  int predictions = 0;
  int found = 0;      // those that explore must have, and has
  int validated = 0;  // those that a replay confirms, of the others
  int tried = 0;      // relaxed ones that explore has with what was rolled back before
  std::string why;    // what is wrong; empty if nothing is
};

// Every strategy.  Nothing is compared if there is too much to explore.
Compared compared_with_explore(const AskedOfProgram& asked);

}  // namespace isomer::predict
