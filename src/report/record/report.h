// SPDX-License-Identifier: MIT
// A recorded run of a real server for people and for programs: what `isomer record` prints.
#pragma once

#include <string>

#include "check/check.h"
#include "check/level.h"
#include "record/record.h"
#include "record/stress.h"

namespace isomer::report {

struct RecordingShown {
  const program::Program& program;
  const record::Recording& recording;
  std::string level;   // "READ COMMITTED"; empty: as the scenario has it
  std::string output;  // the file of the history; empty: none
};

std::string recording_text(const RecordingShown& shown, bool colour);
// docs/schema/record.schema.json describes it.
std::string recording_json(const RecordingShown& shown);

// --- stress ---

struct StressShown {
  const record::StressRun& run;
  const check::Certified<check::Result>& levels;  // all built-in ones
  std::string where;                              // "PostgreSQL 15.18 at SERIALIZABLE"
  std::string workload;                           // "list-append"
  std::uint32_t sessions = 0;
  check::Level promise = check::Level::SER;
  std::string about_promise;  // why it is that one; may be empty
  std::string output;         // the file of the history; empty: none
};

// What the run was, and whether the promise was kept; the verdicts of all levels follow in
// the words of `check`.
std::string stress_text(const StressShown& shown, bool colour);
// docs/schema/stress.schema.json describes it.
std::string stress_json(const StressShown& shown);

}  // namespace isomer::report
