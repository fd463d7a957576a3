// SPDX-License-Identifier: MIT
// The applications of tests/corpus/database/cases: in how many schedules an invariant is
// broken at each level on PostgreSQL 15, and how the transactions end.
//
// Lines that write to the tables `seen` and `done` are notes of the case and no entries of
// these schedules, and neither is a ROLLBACK by the program: they follow at once.
#pragma once

#include <functional>
#include <memory>

#include "database/schedule.h"

namespace isomer::test {

struct CaseServer {
  virtual ~CaseServer() = default;
  // At the initial state, with nobody in a transaction.
  virtual database::Server& fresh() = 0;
};

// Runs every case at every level on the server that `connect` makes for its program, and
// compares.  Where only a sample of the schedules was tried, as many as `sampled` are.
// How many expectations were compared.
std::size_t compare_cases(
    const std::function<std::unique_ptr<CaseServer>(const program::Program&)>& connect,
    int sampled);

}  // namespace isomer::test
