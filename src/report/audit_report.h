// SPDX-License-Identifier: MIT
// The result of `isomer audit` for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "audit/audit.h"

namespace isomer::report {

struct AuditedLevel {
  audit::Plan plan;
  audit::Result result;
};

struct Audited {
  const program::Program& program;
  const audit::Options& options;
  std::vector<AuditedLevel> levels;
};

struct AuditTextOptions {
  bool colour = false;
  bool ignore_harmless = false;
};

// Is it an anomaly that counts?
bool counts(const audit::Anomaly& anomaly, bool ignore_harmless);

std::string audit_text(const Audited& audited, const AuditTextOptions& options);

// docs/schema/audit.schema.json describes it.
std::string audit_json(const Audited& audited, const AuditTextOptions& options);

// The first anomaly of each level.
std::string audit_dot(const Audited& audited);

// "withdraw(1, 100)".
std::string call_text(const program::Program& program,
                      const audit::AnomalyTransaction& transaction);

}  // namespace isomer::report
