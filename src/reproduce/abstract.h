// SPDX-License-Identifier: MIT
// What was found at a level of a paper, tried on a server.  Such a finding is a history and
// no schedule; so the calls that it needs go through every schedule on the model of that
// server, at the level there that is nearest, and the one that breaks the same invariant is
// what the server has to do.  If the model knows none, some are tried on the server all the
// same, before it is said to be refuted there.
//
// At a level of a paper nobody fails because of others.  So calls that a server ends with a
// deadlock or a serialization failure are made again: what is broken only because they are
// missing does not count.
#pragma once

#include <string>

#include "database/level_name.h"
#include "reproduce/reproduce.h"

namespace isomer::reproduce {

struct AbstractFinding {
  const program::Program& program;  // its sessions fail, and have all their values
  std::string invariant;            // of the program, which is broken
  std::string level;                // "SI"
};

// RC at the database's READ COMMITTED, SER at SERIALIZABLE, the others, which lie between,
// at REPEATABLE READ.
database::DatabaseLevel nearest_level(database::Database database,
                                      const std::string& level);

struct Tried {
  program::Program program;   // whose sessions made the runs
  Run found;                  // of the model; no steps: it knows no such schedule
  bool has_tried_all = true;  // the model's schedules, or until one was found
  Reproduction there;
};

// The database of the target has words for the whole program.
Tried reproduce(const AbstractFinding& finding, const Target& target);

}  // namespace isomer::reproduce
