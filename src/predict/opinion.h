// SPDX-License-Identifier: MIT
// A second opinion on a prediction.
#pragma once

#include "check/opinion.h"
#include "predict/predict.h"

namespace isomer::predict {

// The level must allow the prediction and SER forbid it; every answer is certified.
check::Opinion second_opinion(const Prediction& prediction, const check::AskedLevel& level,
                              const Budget& budget);

}  // namespace isomer::predict
