// SPDX-License-Identifier: MIT
// The lowering of one routine: private to the files lower*.cpp.
#pragma once

#include <functional>

#include "program/sql/call.h"

namespace isomer::program {

struct Lowering {
  // A loop or block around the statement that is being lowered.
  struct Loop {
    std::string label;
    bool is_block = false;
  };

  explicit Lowering(Routine& of) : routine(of), site{.caller = of} {}

  Routine& routine;
  CallSite site;  // in front of the statement that is being lowered
  std::vector<Loop> loops{};
  std::size_t handlers_around = 0;

  Analysis analysis(const SqlText& text) {
    return {.program = routine.program,
            .reporter = routine.reporter,
            .text = text,
            .variables = &routine.names,
            .symbols = nullptr,
            .series_are_variables = false,
            .routines = routine.routines,
            .call_site = &site};
  }

  [[nodiscard]] std::size_t statements_at_site() const {
    return site.out == nullptr ? 0 : site.out->size();
  }

  void fail(Span at, std::string message) { routine.reporter.fail(at, std::move(message)); }

  static Statement statement(Statement::Kind kind, Span at) {
    Statement out;
    out.kind = kind;
    out.at = at;
    return out;
  }

  // --- blocks (lower.cpp) ---

  Block lower_body(const PlStatement& body);
  // Its initial value is part of the declaration if `out` is null, as in the outermost
  // block, until one calls a routine, which is then done at `start`.
  void declare(const PlDeclaration& declaration, Block* out, Block& start);
  void lower_all(const PlBlock& block, Block& out);
  Block lowered(const PlBlock& block);
  void lower(const PlStatement& s, Block& out);
  void lower_block(const PlStatement& s, Block& out);
  // The statements of a block, with its handlers.
  void lower_protected(const PlStatement& s, Block& out);
  void add_error_variables(const PlStatement& s, Statement& protect);
  void lower_assign(const PlStatement& s, Block& out);
  void lower_return(const PlStatement& s, Block& out);
  void lower_row_count(const PlStatement& s, Block& out);
  // Absent after a complaint.
  std::optional<VariableName> target_of(const PlName& name);
  [[nodiscard]] Type type_of(const VariableName& name) const;

  // --- declarations (declare.cpp) ---

  // The type that a declaration gives a variable, written at this place: int, t.c%TYPE,
  // t%ROWTYPE, record.  False after a complaint.
  bool set_declared_type(Span at, Variable& variable);

  // --- expressions (lower_value.cpp) ---

  // An expression of PL/pgSQL; null after a complaint.  Where any type will do, a literal
  // or NULL gets the one by default.
  ExpressionPtr expression(Span at, const Type& target,
                           TypeKind by_default = TypeKind::Text);
  void refuse_query_beside_call(const Expression& value);
  void refuse_clauses(const SqlNode& select, Span at);
  ExpressionPtr scalar(Analysis& in, const SqlNode& select, Span at);
  ExpressionPtr condition(Span at);
  // A value to compare with one of this type: literals take that type.
  ExpressionPtr comparable(Span at, const Type& with);

  // --- control flow (lower_flow.cpp) ---

  using ConditionOf = std::function<ExpressionPtr(std::size_t)>;
  // The branches from `index` on: IF .. ELSE (IF .. ELSE ..).
  void chain(const PlStatement& s, std::size_t index, const ConditionOf& condition_of,
             Statement::Kind otherwise, Block& out);
  void lower_if(const PlStatement& s, Block& out);
  void lower_case(const PlStatement& s, Block& out);
  ExpressionPtr case_condition(const ExpressionPtr& operand, const PlBranch& branch);
  Block loop_body(const PlStatement& s);
  void lower_while(const PlStatement& s, Block& out);
  void lower_range(const PlStatement& s, Block& out);
  void lower_query_loop(const PlStatement& s, Block& out);
  void lower_foreach(const PlStatement& s, Block& out);
  void lower_leave(const PlStatement& s, Block& out);

  // --- SQL (lower_sql.cpp) ---

  void lower_assert(const PlStatement& s, Block& out);
  void lower_sql(const PlStatement& s, Block& out);
  void give_lock(const PlStatement& s, Analysis& in, AnalyzedChange lock, Block& out);
  void lower_call(const PlStatement& s, Block& out);

  // --- RAISE (lower_raise.cpp) ---

  void lower_raise(const PlStatement& s, Block& out);
  void lower_raise_again(const PlStatement& s, Block& out);
  // These say whether the RAISE goes on: not after a complaint, nor if it fails otherwise.
  bool give_message(const PlStatement& s, Statement& raise, Block& out);
  bool give_option(const PlOption& option, Statement& raise, Block& out);
  bool give_error_code(const PlOption& option, Statement& raise, Block& out);
  std::optional<std::vector<ExpressionPtr>> message_parts(const PlStatement& s);
  std::optional<Value> error_code(const PlOption& option);
  ExpressionPtr asked_once(const ExpressionPtr& value, Block& out);
};

}  // namespace isomer::program
