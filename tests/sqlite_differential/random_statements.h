// SPDX-License-Identifier: MIT
// Random small applications for SQLite: few rows, so that everybody is in everybody's way.
#pragma once

#include "support/database/application_parts.h"

namespace isomer::test {

ApplicationParts random_for_sqlite(std::uint64_t seed);

}  // namespace isomer::test
