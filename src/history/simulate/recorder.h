// SPDX-License-Identifier: MIT
// Writes down what the clients of a simulated database saw.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "history/builder.h"
#include "history/simulate/workload.h"

namespace isomer::history::simulate {

class Recorder {
 public:
  explicit Recorder(const GenerateOptions& options);

  // The next transaction of a session.  The order of these calls is the order of commits.
  void record(std::uint32_t session, const Transaction& txn);

  // For transactions that no workload planned; any key number will do.
  HistoryBuilder::Token begin(std::uint32_t session, Status status);
  void append(HistoryBuilder::Token txn, OpKind kind, std::int64_t key, std::int64_t value);

  History history() { return builder_.build(); }

 private:
  HistoryBuilder builder_;
  std::vector<KeyId> keys_;  // by number; none() until it is used
};

}  // namespace isomer::history::simulate
