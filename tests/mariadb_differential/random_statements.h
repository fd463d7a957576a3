// SPDX-License-Identifier: MIT
// Random small applications for MariaDB: few rows, so that everybody is in everybody's way,
// and gaps between them.
#pragma once

#include "support/database/application_parts.h"

namespace isomer::test {

ApplicationParts random_for_mariadb(std::uint64_t seed);

}  // namespace isomer::test
