// SPDX-License-Identifier: MIT
// The table `call`, of which invariants can ask how the calls of the sessions ended:
// "nobody fails", "both commit".  It has a row a call:
//   session    text     the name of the session
//   number     int      its place there, from 1
//   routine    text     "withdraw"
//   committed  boolean  false if it was rolled back, or was never reached
//   sqlstate   text     why it was rolled back; NULL if it was not
// Only at the levels of databases do calls end in several ways, so only these know it.  An
// application with a table of that name keeps its own.
#pragma once

#include <optional>

#include "program/ir.h"

namespace isomer::program {

// The tables of the program and behind them `call`, for invariants to be read with.
Program with_call_table(const Program& program);

// Its place behind the tables of the program, as invariants name it.
TableId call_table_id(const Program& program);

bool asks_for_calls(const Program& program, const Invariant& invariant);

}  // namespace isomer::program
