// SPDX-License-Identifier: MIT
// What a prediction must be, by the checkers and by certification.
#pragma once

#include <string>

#include "predict/predict.h"

namespace isomer::predict {

// Empty if the level allows the predicted history, and no order explains it.
std::string flaw(const Prediction& prediction, const check::AskedLevel& level);

}  // namespace isomer::predict
