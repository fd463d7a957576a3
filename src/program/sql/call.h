// SPDX-License-Identifier: MIT
// Calls of other routines of the application.  The representation has no calls: the body of
// the callee is copied in front of the statement that calls it, with variables of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "program/plpgsql/lower.h"

namespace isomer::program {

// A routine of a script; it is lowered when its turn comes, or earlier if another calls it.
struct ScriptRoutine {
  enum class State : std::uint8_t { Waiting, Open, Done, Refused };

  std::string name;
  SqlText text;
  SqlNode node;  // CreateFunctionStmt
  State state = State::Waiting;
  bool is_procedure = false;
  bool mentions_found = false;
  std::vector<RoutineParameter> parameters{};  // as written
  TransactionType type{};
};

struct Routines {
  Program& program;
  Reporter& reporter;
  std::vector<std::unique_ptr<ScriptRoutine>> all{};

  [[nodiscard]] ScriptRoutine* find(const std::string& name) const;
};

// Where the bodies of callees go.
struct CallSite {
  Routine& caller;
  Block* out = nullptr;  // none: no call can stand here
};

// --- CREATE FUNCTION and CREATE PROCEDURE (routine.cpp) ---

// One more routine, which waits to be lowered; complains if the name is taken.
void add_routine(Analysis& in, const SqlNode& node, Routines& routines);

// Makes the routine Done or Refused.
void lower_routine(Routines& routines, ScriptRoutine& routine);

// --- calls (call.cpp) ---

// FOUND in a hidden variable, and back from there; none: nothing was saved.
VariableId saved_found(CallSite& site, Span at);
void restore_found(CallSite& site, VariableId saved, Span at);

// The body of the callee, at the call site; its variables as the caller has them, or none
// after a complaint.  The value of RETURN goes to `result`, if there is one.
std::vector<VariableId> inline_call(Analysis& in, ScriptRoutine& callee,
                                    std::vector<ExpressionPtr> arguments, Span at,
                                    VariableId result);

}  // namespace isomer::program
