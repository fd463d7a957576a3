// SPDX-License-Identifier: MIT
// A candidate as a history that every other engine can read.
#pragma once

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

}  // namespace isomer::predict
