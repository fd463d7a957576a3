// SPDX-License-Identifier: MIT
// The lowering of one routine: private to the files plpgsql_lower*.cpp.
#pragma once

#include "program/plpgsql_lower.h"

namespace isomer::program {

struct Lowering {
  // A loop or block around the statement that is being lowered.
  struct Loop {
    std::string label;
    bool is_block = false;
  };

  Routine& routine;
  std::vector<Loop> loops{};

  Analysis analysis(const SqlText& text) {
    return {.program = routine.program,
            .reporter = routine.reporter,
            .text = text,
            .variables = &routine.names};
  }

  void fail(Span at, std::string message) { routine.reporter.fail(at, std::move(message)); }

  static Statement statement(Statement::Kind kind, Span at) {
    Statement out;
    out.kind = kind;
    out.at = at;
    return out;
  }

  // --- blocks (plpgsql_lower.cpp) ---

  Block lower_body(const PlStatement& body);
  // Of the outermost block if `out` is null.
  void declare(const PlDeclaration& declaration, Block* out);
  void lower_all(const PlBlock& block, Block& out);
  Block lowered(const PlBlock& block);
  void lower(const PlStatement& s, Block& out);
  void lower_block(const PlStatement& s, Block& out);
  void lower_assign(const PlStatement& s, Block& out);
  void lower_return(const PlStatement& s, Block& out);

  // --- expressions (plpgsql_lower_value.cpp) ---

  // An expression of PL/pgSQL; null after a complaint.
  ExpressionPtr expression(Span at, const Type& target);
  void refuse_clauses(const SqlNode& select, Span at);
  ExpressionPtr scalar(Analysis& in, const SqlNode& select, Span at);
  ExpressionPtr condition(Span at);
  // A value to compare with one of this type: literals take that type.
  ExpressionPtr comparable(Span at, const Type& with);

  // --- control flow (plpgsql_lower_flow.cpp) ---

  // The branches from `index` on: IF .. ELSE (IF .. ELSE ..).
  Block chain(const PlStatement& s, std::size_t index,
              const std::vector<ExpressionPtr>& conditions, Statement::Kind otherwise);
  void lower_if(const PlStatement& s, Block& out);
  void lower_case(const PlStatement& s, Block& out);
  ExpressionPtr case_condition(const ExpressionPtr& operand, const PlBranch& branch);
  Block loop_body(const PlStatement& s);
  void lower_while(const PlStatement& s, Block& out);
  void lower_range(const PlStatement& s, Block& out);
  void lower_query_loop(const PlStatement& s, Block& out);
  void lower_leave(const PlStatement& s, Block& out);

  // --- SQL (plpgsql_lower_sql.cpp) ---

  void lower_assert(const PlStatement& s, Block& out);
  void lower_raise(const PlStatement& s, Block& out);
  void lower_sql(const PlStatement& s, Block& out);
};

}  // namespace isomer::program
