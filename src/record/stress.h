// SPDX-License-Identifier: MIT
// A random workload on a real PostgreSQL or MariaDB, whose history follows from its values:
// every value is written once, so that a read tells whose write it saw.  Nothing is asked
// of the server but the workload's own statements.
//
// A key is a row, and a list or a register.  Lists are better witnesses: a read shows all
// appends in their order.  Keys wear out after some writes, and new ones take their places.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "database/server.h"
#include "history/history.h"
#include "server/real_server.h"

namespace isomer::record {

enum class StressWorkload : std::uint8_t { ListAppend, Register };

struct StressOptions {
  server::ServerAddress address{};
  database::IsolationLevel level = database::IsolationLevel::Serializable;
  StressWorkload workload = StressWorkload::ListAppend;
  std::uint32_t sessions = 8;
  double seconds = 10;
  std::uint64_t seed = 1;
  std::uint32_t keys = 10;       // at a time
  double skew = 0;               // the n-th key is drawn with weight 1 / n^skew
  std::uint32_t length_max = 4;  // of a transaction, in operations
  double read_only = 0.2;        // share of transactions that only read
  Budget budget{};
};

struct StressRun {
  history::History history;
  std::uint64_t committed = 0;
  std::uint64_t unknown = 0;
  std::map<std::string, std::uint64_t> rolled_back;  // by error_name
  std::uint32_t losses = 0;                          // of connections
  double seconds = 0;
  std::vector<double> latencies;  // of committed transactions, in seconds, sorted
};

// Otherwise what the server has against it.
tl::expected<StressRun, std::string> stress(const StressOptions& options);

}  // namespace isomer::record
