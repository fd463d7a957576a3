// SPDX-License-Identifier: MIT
// The result of `isomer audit` for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/confirm/confirm.h"
#include "report/picture/scene.h"

namespace isomer::report {

struct AuditedLevel {
  audit::Plan plan;
  audit::Result result;
  std::vector<std::optional<audit::Replay>> replays = {};  // by anomaly; empty: not wanted
};

struct Audited {
  const program::Program& program;
  const audit::Options& options;
  std::vector<AuditedLevel> levels;
};

struct AuditTextOptions {
  bool colour = false;
  bool ignore_harmless = false;
  // The command as the person typed it, for the hint of what to do next; empty: no hint.
  std::string command;
  // How to explore each scenario that was written.
  std::vector<std::string> replay_commands = {};
};

// Is it an anomaly that counts?  One that is only not known to do harm does.
bool counts(const audit::Anomaly& anomaly, bool ignore_harmless);

std::string audit_text(const Audited& audited, const AuditTextOptions& options);

// docs/schema/audit.schema.json describes it.
std::string audit_json(const Audited& audited, const AuditTextOptions& options);

// The cycle of each anomaly.
std::string audit_dot(const Audited& audited, const AuditTextOptions& options);

// All anomalies; those that are confirmed with what explore runs into.
std::string audit_html(const Audited& audited, const AuditTextOptions& options);

}  // namespace isomer::report
