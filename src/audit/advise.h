// SPDX-License-Identifier: MIT
// `isomer advise`: the cheapest levels at which an application has no anomalies.
#pragma once

#include <string>
#include <vector>

#include "audit/audit.h"

namespace isomer::audit {

// What the database offers: levels from cheap to dear.
struct Offer {
  std::vector<level::Level> levels;
  std::vector<std::string> names;  // as the database calls them
  // PostgreSQL: the last level protects transactions from each other only if both have it.
  bool is_postgresql = false;
};

struct Advice {
  Plan plan;
  Result result;                   // of the plan: no anomalies
  std::vector<std::string> names;  // of its levels, by type
};

struct AdviseResult {
  // One level for all: the cheapest that is enough, if one is.
  std::optional<std::uint32_t> uniform;
  std::optional<Advice> by_type;          // each type as cheap as it can be
  std::optional<Advice> by_serial_pairs;  // the cheapest level, and pairs that are serial
  Result unchanged;                       // with the cheapest level for all
  std::string unknown;
  std::uint64_t plans = 0;  // that were audited
  double seconds = 0;
};

AdviseResult advise(const Program& program, const Offer& offer, const Options& options);

}  // namespace isomer::audit
