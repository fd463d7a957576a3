// SPDX-License-Identifier: MIT
// IF, loops, jumps and the ends of a transaction, as program/machine/machine_flow.cpp has
// them. Paths part at a condition and are joined again behind the statement; a path that
// jumps waits at its loop.  Loops are unrolled: as often as they run where that is
// constant, else up to a bound, and the condition that a loop would go on is an
// approximation.
#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "verify/symbolic/execute.h"
#include "verify/symbolic/query.h"
#include "verify/symbolic/query_order.h"

namespace isomer::verify {
namespace {

using program::Type;
using program::TypeKind;

constexpr std::uint32_t fixed_rounds_max = 2000;

// The condition of two paths that part at `is_first`, without it where nothing else
// happened to them.
Term joined_alive(Terms& terms, Term first, Term second) {
  const auto parts = [&](Term term) {
    std::vector<Term> out{term};
    if (terms.kind(term) == logic::TermKind::And)
      out.assign(terms.arguments(term).begin(), terms.arguments(term).end());
    return out;
  };
  std::vector<Term> common;
  std::vector<Term> left = parts(first);
  std::vector<Term> right = parts(second);
  std::erase_if(left, [&](Term part) {
    const auto same = std::find(right.begin(), right.end(), part);
    if (same == right.end()) return false;
    right.erase(same);
    common.push_back(part);
    return true;
  });
  common.push_back(terms.either(terms.all(left), terms.all(right)));
  return terms.all(common);
}

bool is_for(const Statement& statement) {
  return statement.kind == Statement::Kind::ForRange ||
         statement.kind == Statement::Kind::ForQuery ||
         statement.kind == Statement::Kind::ForEach;
}

}  // namespace

PathState joined(Terms& terms, Term is_first, const PathState& first,
                 const PathState& second) {
  if (terms.is_false(first.alive)) return second;
  if (terms.is_false(second.alive)) return first;
  PathState out{.alive = joined_alive(terms, first.alive, second.alive),
                .variables = {},
                .found = terms.choose(is_first, first.found, second.found),
                .row_count = terms.choose(is_first, first.row_count, second.row_count)};
  for (std::size_t i = 0; i < first.variables.size(); ++i)
    out.variables.push_back(
        choose(terms, is_first, first.variables[i], second.variables[i]));
  return out;
}

Term Executor::condition(const Statement& statement) {
  Term out;
  with_run(statement.at, [&](StatementRun& run) {
    out = holds(*statement.value, nullptr, state.alive, run.evaluation);
  });
  return out;
}

template <class Act>
void Executor::run_under(Term condition, Act act) {
  const Term is_in = terms.both(state.alive, condition);
  const Term is_out = terms.both(state.alive, terms.negation(condition));
  if (terms.is_false(is_in)) return;
  if (terms.is_false(is_out)) return act();
  PathState other = state;
  const Term before = std::exchange(state.alive, is_in);
  other.alive = is_out;
  act();
  const bool is_whole = state.alive == is_in;
  state = joined(terms, condition, state, other);
  if (is_whole) state.alive = before;
}

void Executor::execute_if(const Statement& statement) {
  const Term chosen = condition(statement);
  if (is_over()) return;
  const Term is_in = terms.both(state.alive, chosen);
  const Term is_out = terms.both(state.alive, terms.negation(chosen));
  if (terms.is_false(is_out)) return run_block(statement.body);
  if (terms.is_false(is_in)) return run_block(statement.otherwise);
  const PathState before = state;
  state.alive = is_in;
  run_block(statement.body);
  const PathState then = std::exchange(state, before);
  state.alive = is_out;
  run_block(statement.otherwise);
  const bool is_whole = then.alive == is_in && state.alive == is_out;
  state = joined(terms, chosen, then, state);
  if (is_whole) state.alive = before.alive;
}

// --- loops ---

void Executor::run_round() {
  run_block(loops.back().statement->body);
  for (const PathState& path : std::exchange(loops.back().continues, {}))
    state = joined(terms, path.alive, path, state);
}

void Executor::leave_loop(std::vector<PathState> done) {
  for (PathState& path : loops.back().exits)
    done.push_back(std::move(path));
  loops.pop_back();
  for (const PathState& path : done)
    state = joined(terms, path.alive, path, state);
}

bool Executor::counts_round(Rounds& rounds, bool is_open) const {
  return is_open ? rounds.open++ < options.unroll_max : rounds.fixed++ < fixed_rounds_max;
}

void Executor::give_up(const Statement& statement, Term when, std::string what) {
  effect.approximations.push_back({.kind = Approximation::Kind::Unrolled,
                                   .when = when,
                                   .what = std::move(what),
                                   .at = statement.at});
  state.alive = terms.truth(false);
}

void Executor::execute_while(const Statement& statement) {
  loops.push_back({.statement = &statement});
  std::vector<PathState> done;
  Rounds rounds;
  std::size_t ways_out = 0;
  while (!is_over()) {
    const Term goes_on = condition(statement);
    if (is_over()) break;
    done.push_back(state);
    done.back().alive = terms.both(state.alive, terms.negation(goes_on));
    state.alive = terms.both(state.alive, goes_on);
    if (is_over()) break;
    // Open: whether there is this round depends on values.
    const std::size_t ways = loops.back().exits.size() + returns.size();
    const bool is_open = !terms.is_true(goes_on) || std::exchange(ways_out, ways) != ways;
    const bool is_loop = statement.value->kind == Expression::Kind::Constant;
    if (counts_round(rounds, is_open))
      run_round();
    else
      give_up(statement, state.alive, is_loop ? "LOOP" : "WHILE");
  }
  state.alive = terms.truth(false);
  leave_loop(std::move(done));
}

Term Executor::bound(StatementRun& run, const program::ExpressionPtr& expression,
                     const std::string& what) {
  const Term alive = run.now(state.alive);
  const Type integer{.kind = TypeKind::Int4,
                     .precision = {},
                     .scale = 0,
                     .length_max = {},
                     .is_padded = false};
  const Cell cell =
      converted(evaluate(*expression, nullptr, alive, run.evaluation), integer,
                Conversion::Assignment, alive, expression->at, run.evaluation);
  run.fail(run.now(terms.both(alive, cell.is_null)), "22004",
           fmt::format("{} of FOR loop cannot be null", what));
  return cell.data;
}

void Executor::execute_range(const Statement& statement) {
  Term number;
  Term last;
  Term step = terms.integer(1);
  with_run(statement.at, [&](StatementRun& run) {
    number = bound(run, statement.value, "lower bound");
    last = bound(run, statement.limit, "upper bound");
    if (statement.step) step = bound(run, statement.step, "BY value");
    run.fail(run.now(terms.both(state.alive, terms.less_equal(step, terms.integer(0)))),
             "22023", "BY value of FOR loop must be greater than zero");
  });
  loops.push_back({.statement = &statement});
  std::vector<PathState> done;
  Rounds rounds;
  for (bool is_first = true; !is_over(); is_first = false) {
    const Term has_round = statement.is_reverse ? terms.less_equal(last, number)
                                                : terms.less_equal(number, last);
    done.push_back(state);
    done.back().alive = terms.both(state.alive, terms.negation(has_round));
    done.back().found = terms.truth(!is_first);
    state.alive = terms.both(state.alive, has_round);
    if (is_over()) break;
    if (!counts_round(rounds, !terms.is_true(has_round))) {
      give_up(statement, state.alive, "FOR");
      break;
    }
    Cell& variable = state.variables[statement.variable.index];
    variable.is_null = terms.truth(false);
    variable.data = number;
    run_round();
    number =
        statement.is_reverse ? terms.difference(number, step) : terms.sum(number, step);
  }
  state.alive = terms.truth(false);
  leave_loop(std::move(done));
}

void Executor::execute_query_loop(const Statement& statement) {
  std::vector<ResultRow> rows;
  Term has_row = terms.truth(false);
  with_run(statement.at, [&](StatementRun& run) {
    rows = in_order(run, *statement.query, query_rows(run, *statement.query));
    for (const ResultRow& row : rows)
      has_row = terms.either(has_row, row.is_in);
    run.write_staged(store, run.now(state.alive));
  });
  const auto take = [&](std::span<const Cell> cells) {
    with_run(statement.at,
             [&](StatementRun& run) { assign_row(run, statement.targets, cells); });
  };
  if (is_over()) return;
  run_under(terms.negation(has_row), [&] { take({}); });
  loops.push_back({.statement = &statement});
  for (const ResultRow& row : rows)
    run_under(row.is_in, [&] {
      take(row.columns);
      run_round();
    });
  state.found = has_row;
  leave_loop({});
}

void Executor::execute_each(const Statement& statement) {
  Cell array;
  with_run(statement.at, [&](StatementRun& run) {
    array = evaluate(*statement.value, nullptr, state.alive, run.evaluation);
    run.fail(run.now(terms.both(state.alive, array.is_null)), "22004",
             "FOREACH expression must not be null");
  });
  if (is_over()) return;
  Term has_round = terms.truth(false);
  loops.push_back({.statement = &statement});
  for (std::size_t i = 0; i < array.fields.size(); ++i) {
    has_round = terms.either(has_round, array.present[i]);
    run_under(array.present[i], [&] {
      with_run(statement.at, [&](StatementRun& run) {
        assign(run, statement.variable.index, array.fields[i]);
      });
      run_round();
    });
  }
  state.found = has_round;
  leave_loop({});
}

void Executor::execute_jump(const Statement& statement) {
  const Term jumps = statement.value ? condition(statement) : terms.truth(true);
  if (is_over()) return;
  PathState path = state;
  path.alive = terms.both(state.alive, jumps);
  state.alive = terms.both(state.alive, terms.negation(jumps));
  const bool is_exit = statement.kind == Statement::Kind::Exit;
  std::size_t target = loops.size();
  do {
    ISOMER_ASSERT(target > 0);
    --target;
    const Statement& loop = *loops[target].statement;
    const bool is_target = statement.label.empty() || loop.label == statement.label;
    // A FOR that is left has had a round.
    if (is_for(loop) && (is_exit || !is_target)) path.found = terms.truth(true);
    if (is_target) break;
  } while (true);
  if (terms.is_false(path.alive)) return;
  auto& waiting = is_exit ? loops[target].exits : loops[target].continues;
  waiting.push_back(std::move(path));
}

// --- ends ---

void Executor::execute_return(const Statement& statement) {
  Cell result = effect.result;
  with_run(statement.at, [&](StatementRun& run) {
    if (!statement.value) return;
    result = evaluate(*statement.value, nullptr, state.alive, run.evaluation);
    if (type.result.kind != TypeKind::Any && type.result.kind != TypeKind::Record)
      result = converted(result, type.result, Conversion::Assignment, run.now(state.alive),
                         run.at, run.evaluation);
  });
  returns.emplace_back(std::exchange(state.alive, terms.truth(false)), std::move(result));
}

namespace {

// The message, with % where a value is not known.
std::string message_of(const Terms& terms, const Expression& expression, const Cell& cell) {
  if (terms.is_constant(cell.data)) return terms.text_value(cell.data);
  std::string out;
  for (const program::ExpressionPtr& part : expression.arguments)
    out += part->kind == Expression::Kind::Constant ? to_text(part->value) : "%";
  return out.empty() ? "%" : out;
}

}  // namespace

void Executor::execute_raise(const Statement& statement) {
  std::string message = statement.text;
  with_run(statement.at, [&](StatementRun& run) {
    // What the message says exactly does not matter.
    const std::size_t exact = run.evaluation.approximations.size();
    if (statement.value)
      message =
          message_of(terms, *statement.value,
                     evaluate(*statement.value, nullptr, state.alive, run.evaluation));
    run.evaluation.approximations.resize(exact);
    run.fail(run.now(state.alive), statement.sqlstate, message);
  });
}

void Executor::execute_assert(const Statement& statement) {
  const Term is_true = condition(statement);
  const Term fails = terms.both(state.alive, terms.negation(is_true));
  if (!terms.is_false(fails))
    effect.aborts.push_back(
        {.when = fails,
         .is_assert = true,
         .reason = statement.text.empty() ? "assertion failed" : statement.text,
         .at = statement.at});
  state.alive = terms.both(state.alive, is_true);
}

}  // namespace isomer::verify
