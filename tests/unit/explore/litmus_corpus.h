// SPDX-License-Identifier: MIT
// The litmus programs of the corpus, and how many histories they are known to have.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "program/ir.h"

namespace isomer::explore {

program::Program litmus(const std::string& name);  // of tests/corpus/program/litmus

struct KnownCounts {
  std::string program;
  std::map<std::string, std::uint64_t> counts;  // by column: cc, si, ser, ra, rc, ..

  friend std::ostream& operator<<(std::ostream& out, const KnownCounts& known) {
    return out << known.program;
  }
};

std::vector<KnownCounts> known_counts();  // tests/corpus/program/expected.csv

}  // namespace isomer::explore
