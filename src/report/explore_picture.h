// SPDX-License-Identifier: MIT
#pragma once

#include "report/explore_report.h"
#include "report/scene.h"

namespace isomer::report {

// The failing history; there must be one.
Scene explore_scene(const Explored& explored);

}  // namespace isomer::report
