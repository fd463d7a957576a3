// SPDX-License-Identifier: MIT
// A run on the model of a database as a history, which the levels of the papers judge.
//
// A key is a row under its primary key.  A statement reads each row that it looks at,
// whether it matches or not and whether it is there or not, in the version that it sees: a
// scan reads all rows of its table that exist or come to exist in the run, as a scan at an
// abstract level does.  A row that a statement locks, it reads as it is then; that it found
// it by an older version is nothing that it read.  Whether a key of a unique index is free,
// and whether a parent is there, is read as well.  A transaction does not read its own
// writes, and one that was rolled back is in the history as aborted.
//
// This notion is coarser than what happens: a row that does not match, another transaction
// may well change.  So if the history is not serializable, we look for an order in which
// the transactions could have run one after the other, with the same results and the same
// writes (serial_order.h).  If there is one, reads that would have been of another version
// there made no difference, and are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "check/certify/certify.h"
#include "database/access_log.h"
#include "database/schedule.h"

namespace isomer::explore {

struct RunHistory {
  history::History history;
  check::Result levels;        // what the built-in ones say of it
  std::uint32_t left_out = 0;  // reads that made no difference
};

// `steps` are those of the run, `log` what a recorded server noted meanwhile.  Absent if
// the model notes nothing.
std::optional<check::Certified<RunHistory>> history_of_run(
    const database::Scenario& scenario, const std::vector<database::ScheduleStep>& steps,
    const database::AccessLog* log, const Budget& budget);

// Only whether it is serializable; absent if that was not decided, or nothing was noted.
std::optional<bool> is_serializable_run(const database::Scenario& scenario,
                                        const std::vector<database::ScheduleStep>& steps,
                                        const database::AccessLog* log,
                                        const Budget& budget);

}  // namespace isomer::explore
