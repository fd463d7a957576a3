// SPDX-License-Identifier: MIT
// With Granularity::Field: the columns that a statement reads of each table.
#pragma once

#include "program/machine/view.h"

namespace isomer::program {

void need_columns(View& view, const Expression& expression);
void need_columns(View& view, const Select& query);
void need_columns(View& view, const Insert& statement);
void need_columns(View& view, const Update& statement);
void need_columns(View& view, const Delete& statement);

}  // namespace isomer::program
