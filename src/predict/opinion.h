// SPDX-License-Identifier: MIT
// A second opinion on a prediction: what the checkers say of it, level by level.  They
// share no code with the search.
#pragma once

#include <string>

#include "predict/predict.h"

namespace isomer::predict {

struct Opinion {
  check::Result levels;       // the built-in ones, and the level asked for if it is none
  std::string contradiction;  // not empty: a checker says otherwise than the search
};

// The level must allow the prediction and SER forbid it; every answer is certified.
Opinion second_opinion(const Prediction& prediction, const check::AskedLevel& level,
                       const Budget& budget);

}  // namespace isomer::predict
