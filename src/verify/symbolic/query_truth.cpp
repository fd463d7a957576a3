// SPDX-License-Identifier: MIT
// Questions about a state at rest: invariants, assumptions about symbols, constraints of
// one row.
#include "program/machine/columns.h"
#include "verify/symbolic/constraints.h"
#include "verify/symbolic/query.h"

namespace isomer::verify {
namespace {

// A database that nobody asks.
class NoDatabase : public Database {
 public:
  explicit NoDatabase(Terms& terms, const Program& program)
      : terms_(terms), program_(program) {}

  Row read(TableId table, const Key&, Term, Span) override {
    return absent_row(terms_, program_.tables[table.index]);
  }

  std::span<const Slot> slots(TableId) override { return {}; }

 private:
  Terms& terms_;
  const Program& program_;
};

}  // namespace

// As a scalar subquery: no row is NULL, and two are an error.
Expected<QueryTruth> query_truth(Terms& terms, const Program& program, const Select& query,
                                 Database& database, std::span<const Cell> symbols,
                                 const SymbolicOptions& options) {
  StatementRun run(terms, program, options, database, query.at);
  run.evaluation.symbols = symbols;
  Expression whole;
  whole.kind = Expression::Kind::Scalar;
  whole.type = query.columns.front()->type;
  whole.at = query.at;
  whole.query = std::shared_ptr<const Select>(std::shared_ptr<const Select>(), &query);
  const Cell truth = query_value(run, whole, nullptr, terms.truth(true));
  if (!run.evaluation.unsupported.empty())
    return tl::unexpected(std::move(run.evaluation.unsupported));
  const Term is_true = terms.both(terms.negation(truth.is_null), truth.data);
  return QueryTruth{.is_true = run.now(is_true),
                    .is_error = run.evaluation.has_fault,
                    .approximations = std::move(run.evaluation.approximations)};
}

Expected<Cell> argument_value(Terms& terms, const Program& program,
                              const Expression& argument, std::span<const Cell> symbols,
                              const SymbolicOptions& options) {
  NoDatabase nothing(terms, program);
  StatementRun run(terms, program, options, nothing, argument.at);
  run.evaluation.symbols = symbols;
  Cell out = evaluate(argument, nullptr, terms.truth(true), run.evaluation);
  if (!terms.is_false(run.evaluation.has_fault))
    run.evaluation.refuse(argument.at, "an argument that may fail");
  if (!run.evaluation.unsupported.empty())
    return tl::unexpected(std::move(run.evaluation.unsupported));
  return out;
}

Expected<Term> condition_truth(Terms& terms, const Program& program,
                               const Expression& condition, std::span<const Cell> symbols,
                               const SymbolicOptions& options) {
  NoDatabase nothing(terms, program);
  StatementRun run(terms, program, options, nothing, condition.at);
  run.evaluation.symbols = symbols;
  const Term out = holds(condition, nullptr, terms.truth(true), run.evaluation);
  if (!run.evaluation.unsupported.empty())
    return tl::unexpected(std::move(run.evaluation.unsupported));
  return run.now(out);
}

Expected<Term> row_is_valid(Terms& terms, const Program& program, TableId table,
                            const Row& row, const SymbolicOptions& options) {
  NoDatabase nothing(terms, program);
  StatementRun run(terms, program, options, nothing, program.tables[table.index].at);
  check_row(run, table, row, program::all_columns(run.table(table)), row.exists);
  if (!run.evaluation.unsupported.empty())
    return tl::unexpected(std::move(run.evaluation.unsupported));
  return terms.negation(run.evaluation.has_fault);
}

}  // namespace isomer::verify
