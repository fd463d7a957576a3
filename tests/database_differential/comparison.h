// SPDX-License-Identifier: MIT
// One schedule on a real server and on the model: everything that can be seen is the same.
#pragma once

#include <string>
#include <vector>

#include "database/schedule.h"
#include "server/postgresql_server.h"

namespace isomer::test {

struct Comparison {
  enum class Kind : std::uint8_t {
    Same,
    // A serializable transaction failed on the server alone, which it may: it looks at
    // pages and tables.  The same up to there.
    Excused,
    // Several were woken at a time, and the server does not always do the same then.
    Races,
    Different,
    Broken,  // a server that does not answer
  };

  Kind kind = Kind::Same;
  std::string text;  // both runs, if they differ
  std::vector<database::SessionIndex> schedule;
  bool has_waits = false;
  bool has_deadlock = false;
  bool takes_other_way = false;  // Same, but by another plan than the likeliest
};

// The schedule is followed as far as it can be, and then drawn by the seed.
Comparison compare(const database::Scenario& scenario, server::PostgresqlServer& server,
                   const std::vector<database::SessionIndex>& schedule, std::uint64_t seed);

// What BEGIN says: of scripts themselves, of procedures as a line "# level p =
// SERIALIZABLE" of the scenario says.
database::Scenario scenario_of(const program::Program& program, const std::string& text);

}  // namespace isomer::test
