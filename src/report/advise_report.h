// SPDX-License-Identifier: MIT
// The result of `isomer advise` for people and for programs.
#pragma once

#include <string>

#include "audit/advise.h"

namespace isomer::report {

struct Advised {
  const program::Program& program;
  const audit::Offer& offer;
  const audit::AdviseResult& result;
};

std::string advise_text(const Advised& advised, bool colour);

// docs/schema/advise.schema.json describes it.
std::string advise_json(const Advised& advised);

}  // namespace isomer::report
