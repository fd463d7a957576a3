// SPDX-License-Identifier: MIT
// What a statement reads, and what it would have read if others had come before it.  So we
// know whether a write concerns a serializable reader, whatever plan the server has for it:
// what makes no difference to what the reader saw need not be looked at by any plan.
// Private to the model.
#pragma once

#include <map>
#include <span>

#include "database/postgresql/state.h"
#include "database/stepped_server.h"

namespace isomer::database::postgresql {

struct Seen {
  // The rows that a query without LIMIT found, whatever became of them; EXISTS and IN are
  // left out, of which only the answer counts.  Compared if both have read it.
  std::map<const program::Select*, Fingerprint> queries{};
  Fingerprint result{};  // rows found, values computed, errors

  [[nodiscard]] bool is_like(const Seen& other) const;
};

// Reads the statement once more: with the snapshot, and what the transactions of `also`
// have done so far.
Seen read_again(const State& state, const Task& task, const Snapshot& snapshot,
                std::span<const ActorId> also);

}  // namespace isomer::database::postgresql
