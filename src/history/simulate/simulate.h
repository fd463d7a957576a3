// SPDX-License-Identifier: MIT
// One simulated database for each mode of generate().  Every option is in its range: at
// least one session, key and operation.
#pragma once

#include <span>
#include <vector>

#include "history/generate.h"
#include "history/history.h"

namespace isomer::history::simulate {

// A transaction that is put into a serial run as it stands, padded with ordinary reads.
struct Guest {
  struct Access {
    OpKind kind;
    std::uint32_t key;
    std::int64_t value;
  };

  std::uint32_t position = 0;  // how many ordinary transactions come before it
  std::uint32_t session = 0;
  Status status = Status::Committed;
  std::vector<Access> accesses;
};

// The guests are ordered by position.
History serial(const GenerateOptions& options, std::span<const Guest> guests);
History snapshot(const GenerateOptions& options);
History causal(const GenerateOptions& options);
History read_committed(const GenerateOptions& options);
History broken(const GenerateOptions& options);

}  // namespace isomer::history::simulate
