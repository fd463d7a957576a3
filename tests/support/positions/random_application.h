// SPDX-License-Identifier: MIT
// Random small applications that are hostile to whoever describes a server: few rows, few
// values, NULL among them, several writes to a row, keys that change and come back.
#pragma once

#include "support/positions/application.h"

namespace isomer::positions {

struct RandomOptions {
  std::size_t sessions = 2;
  std::uint64_t statements_max = 3;  // of a transaction
  std::vector<database::IsolationLevel> levels;
  bool changes_keys = false;
  bool has_unique = true;  // beside the primary key, if keys change
  bool has_foreign_keys = true;
  bool skips_locked = true;
  bool reads_much = false;  // instead of locks and deletions
};

Application random_application(std::uint64_t seed, const RandomOptions& options);

// The applications that tests compare: of two and three sessions, at READ COMMITTED, at
// REPEATABLE READ, and at both.
Application random_application(std::uint64_t seed);

}  // namespace isomer::positions
