// SPDX-License-Identifier: MIT
// From PL/pgSQL as written to the statements of the representation.
#pragma once

#include "program/plpgsql/syntax.h"
#include "program/sql/analysis.h"

namespace isomer::program {

struct RoutineParameter {
  VariableId variable;
  bool is_input = true;
  bool is_output = false;
};

struct Routine {
  const Program& program;
  Reporter& reporter;
  VariableNames& names;
  Type result;                                 // Any: none
  std::vector<VariableId> outputs;             // OUT and INOUT parameters
  Routines* routines = nullptr;                // that it may call
  std::vector<RoutineParameter> parameters{};  // as written
  bool mentions_found = false;
  std::size_t inlined = 0;  // statements of routines that it calls
};

// The statements of the outermost block; its variables go to `routine.names`.
Block lower_plpgsql(Routine& routine, const PlStatement& body);

// The value of RETURN without one: what OUT parameters hold; null if there are none.
ExpressionPtr output_value(const Routine& routine, Span at);

// SQL from the source, with `into` blanked out.
SqlText sql_at(const Program& program, Span at, Span into = {});
// An expression from the source: as "SELECT expression".
SqlText expression_at(const Program& program, Span at);

// Gives the row of a query or of RETURNING to its targets; complains if they do not fit.
// The columns are cast to the types of the targets.
Targets bind_targets(Routine& routine, Analysis& in, const PlStatement& statement,
                     OutputColumns& outputs);

// Where the rows of RETURNING go.
void give_returning(AnalyzedChange& change, const Targets& targets);

// Gives a loop a record of its own if the one it names has another shape; whether it did.
bool reshape_for_loop(Routine& routine, const PlName& name, const OutputColumns& outputs);
// After such a loop the name stands for a record that nothing has filled.
void forget_shape(Routine& routine, const PlName& name);

}  // namespace isomer::program
