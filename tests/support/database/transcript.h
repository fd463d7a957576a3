// SPDX-License-Identifier: MIT
// Runs of schedules as text, to be compared and to be read.
#pragma once

#include <string>
#include <vector>

#include "database/schedule.h"

namespace isomer::test {

// One line for each entry: the session's name and what it got.
//   A 1                        one row changed
//   A (1,ann) (2,bob)          rows
//   A commit
//   B waits for A, after 3: 1  its wait ended with the fourth line
//   B 23505                    an error
std::string step_text(const program::Program& program, const database::ScheduleStep& step);
std::vector<std::string> transcript(const program::Program& program,
                                    const database::ScheduleRun& run);

// "A t (1,10)", ..: by table.
std::vector<std::string> row_texts(const program::Program& program,
                                   const database::ScheduleRun& run);

// By session and call: "A committed", "A committed 12" or "A 40001".
std::vector<std::string> call_texts(const program::Program& program,
                                    const database::ScheduleRun& run);

// "AAB": sessions whose names have one letter.
std::vector<database::SessionIndex> schedule_of(const program::Program& program,
                                                const std::string& letters);

// All transaction types begin alike.
database::Scenario at_level(const program::Program& program,
                            database::IsolationLevel level);

// The final state as the program's queries read it.
bool holds(const program::Program& program, const program::Invariant& invariant,
           const std::vector<std::vector<std::vector<program::Value>>>& rows);

}  // namespace isomer::test
