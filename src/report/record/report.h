// SPDX-License-Identifier: MIT
// A recorded run of a real server for people and for programs: what `isomer record` prints.
#pragma once

#include <string>

#include "record/record.h"

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

}  // namespace isomer::report
