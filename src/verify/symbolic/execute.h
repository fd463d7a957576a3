// SPDX-License-Identifier: MIT
// The state of a transaction that is executed symbolically: private to it.
#pragma once

#include <utility>

#include "verify/symbolic/statement_run.h"

namespace isomer::verify {

using program::Block;
using program::Statement;
using program::TransactionType;

// What is so on some paths: `alive` says on which.  Elsewhere the rest means nothing.
struct PathState {
  Term alive;
  std::vector<Cell> variables;
  Term found;
  Term row_count;
};

// The states together, whose paths exclude each other; `is_first` tells them apart.
PathState joined(Terms& terms, Term is_first, const PathState& first,
                 const PathState& second);

struct Executor {
  Terms& terms;
  const Program& program;
  const TransactionType& type;
  Store& store;
  const SymbolicOptions& options;
  PathState state{};
  Effect effect{};
  std::vector<std::pair<Term, Cell>> returns{};
  Diagnostics unsupported{};

  // A loop that is being executed, and the paths that jump.
  struct Loop {
    const Statement* statement = nullptr;
    std::vector<PathState> exits{};
    std::vector<PathState> continues{};
  };

  std::vector<Loop> loops{};

  [[nodiscard]] bool is_over() const {
    return terms.is_false(state.alive) || !unsupported.empty() ||
           options.budget.is_exhausted();
  }

  Expected<Effect> run(std::span<const Cell> arguments);

  // --- statements (execute.cpp) ---

  void begin_variables(std::span<const Cell> arguments);
  void run_block(const Block& block);
  void execute(const Statement& statement);
  void execute_assign(const Statement& statement);
  void execute_select(const Statement& statement);
  void execute_change(const Statement& statement);
  void finish();

  // The rows of a query, whose locks are staged.
  std::vector<ResultRow> query_rows(StatementRun& run, const Select& query);
  Cell null_variable(std::uint32_t variable) const;
  void assign(StatementRun& run, std::uint32_t variable, const Cell& cell);
  // No cells: NULL for each target.
  void assign_row(StatementRun& run, const program::Targets& targets,
                  std::span<const Cell> cells);

  // Is a second row for INTO an error?  Always for RETURNING, otherwise if it is STRICT.
  enum class Surplus : std::uint8_t { Ignored, Refused };
  void give(StatementRun& run, const program::Targets& targets,
            std::span<const ResultRow> rows,
            std::span<const program::ExpressionPtr> columns, Surplus surplus);

  // --- control flow (execute_flow.cpp) ---

  void execute_if(const Statement& statement);
  void execute_while(const Statement& statement);
  void execute_range(const Statement& statement);
  void execute_query_loop(const Statement& statement);
  void execute_each(const Statement& statement);
  void execute_jump(const Statement& statement);
  void execute_return(const Statement& statement);
  void execute_raise(const Statement& statement);
  void execute_assert(const Statement& statement);

  Term bound(StatementRun& run, const program::ExpressionPtr& expression,
             const std::string& what);
  // The condition of a statement.
  Term condition(const Statement& statement);
  // One round of the innermost loop, with the paths that continue from inside it.
  void run_round();
  // Runs `act` where the condition holds.
  template <class Act>
  void run_under(Term condition, Act act);
  // The paths that left the innermost loop together.
  void leave_loop(std::vector<PathState> done);
  void give_up(const Statement& statement, Term when, std::string what);

  // What is not constant is counted up to the bound of the options, all else up to a
  // bound that no reasonable program meets.
  struct Rounds {
    std::uint32_t open = 0;
    std::uint32_t fixed = 0;
  };

  bool counts_round(Rounds& rounds, bool is_open) const;

  // --- around each statement ---

  // Runs `act(run)` as a statement of its own; its faults abort.
  template <class Act>
  void with_run(Span at, Act act) {
    store.begin_statement(at);
    StatementRun run(terms, program, options, store, at);
    run.evaluation.variables = state.variables;
    run.evaluation.found = state.found;
    run.evaluation.row_count = state.row_count;
    act(run);
    settle(run);
  }

  void settle(StatementRun& run);
};

}  // namespace isomer::verify
