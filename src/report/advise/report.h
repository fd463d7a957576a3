// SPDX-License-Identifier: MIT
// The result of `isomer advise` for people and for programs.
#pragma once

#include <string>

#include "audit/advise.h"

namespace isomer::report {

struct Advised {
  const program::Program& program;
  const audit::Offer& offer;
  const audit::Options& options;
  const audit::AdviseResult& result;
};

struct AdviseTextOptions {
  bool colour = false;
  // The command as the person typed it, for the hint of what to do next; empty: no hint.
  std::string command;
};

std::string advise_text(const Advised& advised, const AdviseTextOptions& options);

// docs/schema/advise.schema.json describes it.
std::string advise_json(const Advised& advised);

std::string advise_html(const Advised& advised);

}  // namespace isomer::report
