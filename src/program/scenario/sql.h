// SPDX-License-Identifier: MIT
// The SQL inside scenarios: calls, invariants, assumptions, with ?x for what is left open;
// and scripts.
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

// --- scripts (script.cpp) ---

// The transactions of the script at this place of the source, as types without parameters;
// complains of what is wrong.  From BEGIN to COMMIT or ROLLBACK is one; every statement
// outside of these is one of its own.
std::vector<TransactionType> read_script(const Program& program, Span at,
                                         std::string_view session, Reporter& reporter);

// The script of these transactions, of which each is one; as it stands in the source.
std::string script_text(const Program& program, const std::vector<Call>& calls);

}  // namespace isomer::program
