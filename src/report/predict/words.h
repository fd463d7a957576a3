// SPDX-License-Identifier: MIT
// What text, JSON and page of `isomer predict` have in common.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/check/finding.h"
#include "report/picture/scene.h"
#include "report/predict/report.h"

namespace isomer::report {

// How far a session goes in a prediction.
struct SessionPart {
  history::SessionId session;                  // of the observed history
  std::uint32_t used = 0;                      // transactions
  std::uint32_t observed = 0;                  // transactions that committed
  std::optional<history::TxnId> boundary_txn;  // the one with its boundary, as observed
  std::optional<std::uint32_t> boundary_op;
  bool has_change = false;  // else it ends there only since that is all that is needed
};

std::vector<SessionPart> session_parts(const history::History& observed,
                                       const predict::Prediction& prediction);

// "all 4 transactions", "2 of 4 transactions, up to r(x)=0 of a/2".
std::string part_text(const Predicted& predicted, const SessionPart& part);

// "Passed over, refuted by replay: 2 predictions."
std::string passed_over_text(const predict::Result& result);

// If there is no prediction, in one sentence.
std::string nothing_predicted_text(const Predicted& predicted);

// What the relaxed strategy says where the strict one found nothing, in one sentence; a
// prediction's changed reads follow.  Empty if it was not asked.
std::string relaxed_text(const Predicted& predicted);

// Why it is not serializable.
Finding finding_of(const predict::Prediction& prediction);

// "the run is as predicted, and not serializable".
std::string validation_text(const Predicted& predicted,
                            const predict::Validation& validation);

// The observed run and the prediction as far as they matter.
struct PicturePair {
  Scene observed;
  Scene predicted;
};

PicturePair picture_pair(const Predicted& predicted, std::size_t prediction);

}  // namespace isomer::report
