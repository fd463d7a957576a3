// SPDX-License-Identifier: MIT
// The result of `isomer predict` for people and for programs.  Everything here returns
// strings; nothing prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/predict.h"
#include "predict/validate.h"
#include "report/json.h"

namespace isomer::report {

// What the relaxed strategy says where the strict one found nothing.
struct RelaxedPrediction {
  predict::Strategy strategy = predict::Strategy::ExactRelaxed;
  predict::Result result;
  std::optional<predict::Validation> validation;  // of the first prediction, if asked for
};

struct Predicted {
  std::string file;  // of the observed run, as the person named it
  const history::History& observed;
  const predict::Options& options;
  const predict::Result& result;
  const std::vector<predict::Validation>& validations;  // by prediction; none if not asked
  const program::Program* program;  // what the validations ran; null if there are none
  std::optional<RelaxedPrediction> relaxed = {};  // none: there is nothing to say
};

struct PredictTextOptions {
  bool colour = false;
  // The command as the person typed it, for the hint of what to do next; empty: no hint.
  std::string command;
};

std::string predict_text(const Predicted& predicted, const PredictTextOptions& options);

// docs/schema/predict.schema.json describes it.
std::string predict_json(const Predicted& predicted);

// The same if a limit came before there was a run to predict from.
std::string predict_json(const predict::Options& options, const Undecided& undecided);

// Each prediction beside the observed run, with the changed reads marked.
std::string predict_dot(const Predicted& predicted);
std::string predict_html(const Predicted& predicted);

}  // namespace isomer::report
