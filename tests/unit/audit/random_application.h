// SPDX-License-Identifier: MIT
// Small SQL applications and scenarios of them, drawn at random.
#pragma once

#include <string>

#include "base/random.h"

namespace isomer::test {

struct RandomApplication {
  std::string sql;       // tables and two or three procedures
  std::string scenario;  // rows, and one call a session, without the line `app = ..`
};

RandomApplication random_application(Random& random);

}  // namespace isomer::test
