// SPDX-License-Identifier: MIT
// A candidate as a history that every other engine can read.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "predict/orders.h"
#include "predict/predict.h"

namespace isomer::predict {

struct PredictedHistory {
  History history;
  std::vector<TxnId> origin;  // by transaction of `history`
};

// A session ends with its `last_op`, an operation of the observed history.  All before it
// is there, with the values that were written; they are marked ("7 #2") where transactions
// wrote the same, so that everybody can tell who read from whom.
PredictedHistory predicted_history(
    const History& observed_history, const Observed& observed,
    const CandidateRun& candidate,
    const std::vector<std::optional<std::uint32_t>>& last_op);

// The level must allow the prediction and SER forbid it, as its own evidence says too
// (check/certify/certified.h).  Sets levels.
tl::expected<check::Certified<Prediction>, std::string> certify(
    Prediction prediction, const check::AskedLevel& level, const Budget& budget);

}  // namespace isomer::predict
