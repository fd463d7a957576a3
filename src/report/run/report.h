// SPDX-License-Identifier: MIT
// Runs of programs for people and for programs: what `isomer run` prints.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "store/campaign.h"
#include "store/store.h"

namespace isomer::report {

// One run, with what is needed to tell it.
struct RunShown {
  const program::Program& program;
  const store::Options& options;
  const store::Run& run;
  std::optional<bool> is_serializable;  // absent: not decided
};

struct CampaignShown {
  const program::Program& program;
  const store::Options& options;
  const store::Campaign& campaign;
};

struct RunTextOptions {
  bool colour = false;
  std::string command;  // as typed, for the hint how to repeat a run; empty: no hint
};

std::string run_text(const RunShown& shown, const RunTextOptions& options);
std::string campaign_text(const CampaignShown& shown, const RunTextOptions& options);

// docs/schema/run.schema.json describes them.
std::string run_json(const RunShown& shown);
std::string campaign_json(const CampaignShown& shown);
std::string run_errors_json(const Diagnostics& errors);  // nothing was run

}  // namespace isomer::report
