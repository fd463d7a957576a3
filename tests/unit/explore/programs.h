// SPDX-License-Identifier: MIT
// The programs that explore is tried on: those of the corpus, with how many histories they
// are known to have, and random ones, which are cut down before a test shows one that
// fails.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "program/ir.h"
#include "support/explore/explored.h"

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

// What is wrong with exploring the program of this space; empty if nothing is.
using Complaint = std::function<std::string(const Space&)>;

// Random programs from seed 1, the programs that failed once (tests/corpus/explore), and
// the small one that the paper's algorithm miscounts.
void expect_no_complaint(std::uint64_t count, const Complaint& complaint,
                         std::size_t histories_max = 2000);

}  // namespace isomer::explore
