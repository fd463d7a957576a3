// SPDX-License-Identifier: MIT
// `isomer advise`: the cheapest levels at which an application has no anomalies.
#pragma once

#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/cheapest.h"

namespace isomer::audit {

// What the database offers: levels from cheap to dear.
struct Offer {
  std::vector<level::Level> levels;
  std::vector<std::string> names;  // as the database calls them
  // PostgreSQL: the last level protects transactions from each other only if both have it.
  bool is_postgresql = false;
};

// One thing to change, and what goes wrong if all is done but this: if the type gets the
// level before that in the offer, or the pair is not serial.
struct Change {
  std::vector<std::uint32_t> types;  // one, or the two of a pair
  Anomaly without;
};

struct Advice {
  Plan plan;
  Result result;  // no anomalies: of the plan, or of a weaker one
  // By type: a level of the offer.  By pair: 1 if serial.  Or first these, then those.
  Assignment choice;
  std::vector<std::string> names;  // of the plan's levels, by type
  Price price;
  bool is_cheapest = true;  // false: of a cheaper one it is not known
  std::vector<Change> changes;
};

// A level that is not enough for all types, and what goes wrong with it.
struct Shortfall {
  std::uint32_t level = 0;  // of the offer
  Anomaly anomaly;          // confirmed, or only suspected
};

struct AdviseResult {
  // One level for all: the cheapest that is enough, if one is.
  std::optional<std::uint32_t> uniform;
  Result uniform_result;
  // If no level is known to be enough for all: why each that no other one implies is not.
  // Where that is only suspected, `unknown` says so.
  std::vector<Shortfall> shortfalls;
  std::optional<Advice> by_type;          // the fewest types changed, at the least price
  std::optional<Advice> by_serial_pairs;  // the cheapest level, and the fewest serial pairs
  // Levels and serial pairs together, if that is cheaper than either alone.
  std::optional<Advice> mixture;
  bool is_mixture_known = false;  // absent: it is certain that none is cheaper
  Result unchanged;               // with the cheapest level for all
  std::string unknown;
  std::uint64_t plans = 0;  // that were audited
  double seconds = 0;
};

AdviseResult advise(const Program& program, const Offer& offer, const Options& options);

}  // namespace isomer::audit
