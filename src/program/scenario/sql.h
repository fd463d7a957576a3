// SPDX-License-Identifier: MIT
// The SQL inside scenarios: calls, invariants, assumptions, with ?x for what is left open.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/scenario/toml_text.h"
#include "program/sql/analysis.h"

namespace isomer::program {

struct ScenarioSql {
  const Program& program;
  Reporter& reporter;
  std::vector<OpenSymbol> symbols;  // in the order of their first use
  const TomlValue* values;          // [values]; null if there is none
};

struct ScenarioText {
  std::string text;
  Span at;
  Span inside;  // empty: it has escapes, and all of it stands at `at`
};

// Absent after a complaint, each.
std::optional<Call> read_call(ScenarioSql& sql, const ScenarioText& text);
SelectPtr read_invariant(ScenarioSql& sql, const ScenarioText& text);
ExpressionPtr read_assumption(ScenarioSql& sql, const ScenarioText& text);

}  // namespace isomer::program
