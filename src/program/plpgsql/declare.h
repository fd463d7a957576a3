// SPDX-License-Identifier: MIT
#pragma once

#include "program/plpgsql/lower.h"

namespace isomer::program {

// The type that a declaration gives a variable, written at this place: int, t.c%TYPE,
// t%ROWTYPE, record.  False after a complaint.
bool set_declared_type(Routine& routine, Span at, Variable& variable);

}  // namespace isomer::program
