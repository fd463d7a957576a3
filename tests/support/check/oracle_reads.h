// SPDX-License-Identifier: MIT
// Who may have written what a read returned, straight from the values of a log.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "support/check/log.h"

namespace isomer::check {

struct OpenRead {
  std::uint32_t reader;
  std::uint32_t key;
  std::vector<std::uint32_t> writers;  // one or more; 0 is the initial transaction
};

// The external reads of committed transactions, in order; absent if no level allows one.
std::optional<std::vector<OpenRead>> open_reads(const Log& log);

// The list-append rules.  The pairs say that the first one's element of some key comes
// before an element of the second.
struct ListFacts {
  std::vector<std::uint32_t> seen;  // whose elements are in lists
  std::vector<std::pair<std::uint32_t, std::uint32_t>> older;
};

ListFacts list_facts(const Log& log);

}  // namespace isomer::check
