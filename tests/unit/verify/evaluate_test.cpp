// SPDX-License-Identifier: MIT
// The evaluator on cells against the interpreter's, on random expressions.  What they
// mention is a constant, an unknown that the solver is told the value of, or a choice of
// two constants of which it is told the condition.
#include "verify/symbolic/evaluate.h"

#include <deque>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "logic/term_solver.h"
#include "program/machine/evaluate.h"
#include "program/print/print.h"
#include "random_expression.h"
#include "support/effort.h"
#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

using program::ExpressionPtr;

constexpr int expressions_per_world = 25;
constexpr std::uint32_t source_count = 2;

enum class Style : std::uint8_t { Constants, Unknowns, Mixed };

// Values, and the same as cells.
struct World {
  Random random;
  Style style;
  SymbolicOptions options;
  Terms terms;
  Program program;
  std::vector<Term> told;
  std::vector<Value> values;  // of variables; the last one is a record
  std::vector<Cell> cells;
  std::vector<Value> symbol_values;
  std::vector<Cell> symbol_cells;

  // A scope, and the one around it.
  struct Level {
    std::vector<Value> values;
    std::vector<Row> rows;
  };

  Level inner;
  Level outer;
  std::vector<std::vector<Value>> group_values;
  std::vector<RowScope::Member> group;

  World(std::uint64_t seed, Style how) : random(seed), style(how) {
    options.has_overflow = style == Style::Constants || random.chance(0.7);
    for (const Type& type : all_types()) {
      values.push_back(random_value(random, type));
      cells.push_back(cell(values.back(), type));
      symbol_values.push_back(random_value(random, type));
      symbol_cells.push_back(cell(symbol_values.back(), type));
      program.symbols.push_back(
          {fmt::format("s{}", symbol_values.size() - 1), type, std::nullopt, {}});
    }
    add_record();
    inner = level();
    outer = level();
    for (std::uint64_t i = random.below(5); i > 0; --i)
      add_member();
  }

  // Shall the next thing be a constant?
  bool wants_constant() {
    return style == Style::Constants || (style == Style::Mixed && random.chance(0.5));
  }

  Term condition(bool truth) {
    if (wants_constant()) return terms.truth(truth);
    const Term out = terms.variable("c", TermSort::Bool);
    told.push_back(terms.iff(out, terms.truth(truth)));
    return out;
  }

  Cell cell(const Value& value, const Type& type) {
    const Cell constant = constant_cell(terms, value, type);
    if (wants_constant()) return constant;
    if (random.chance(0.3)) {
      const Cell other = constant_cell(terms, random_value(random, type), type);
      return choose(terms, condition(true), constant, other);
    }
    Cell out = unknown_cell(terms, type, "x", true);
    told.push_back(identical(terms, constant, out));
    return out;
  }

  void add_record() {
    std::vector<Value> fields;
    Cell record{type_of_kind(TypeKind::Record), {}, {}, {}};
    for (const Type& type : all_types()) {
      fields.push_back(random_value(random, type));
      record.fields.push_back(cell(fields.back(), type));
    }
    values.push_back(random.chance(0.8) ? Value::list(fields) : Value());
    if (values.back().is_null()) record.fields.clear();
    cells.push_back(record);
  }

  // The second source may have no partner.
  Level level() {
    Level out;
    for (std::uint32_t source = 0; source < source_count; ++source) {
      const bool exists = source == 0 || random.chance(0.6);
      std::vector<Value> items;
      Row row{.exists = source == 0 ? terms.truth(true) : condition(exists), .columns = {}};
      for (const Type& type : all_types()) {
        items.push_back(random_value(random, type));
        row.columns.push_back(cell(items.back(), type));
      }
      out.values.push_back(exists ? Value::list(items) : Value());
      out.rows.push_back(row);
    }
    return out;
  }

  void add_member() {
    Level rows = level();
    const bool is_in = random.chance(0.7);
    group.push_back({condition(is_in), rows.rows});
    if (is_in) group_values.push_back(rows.values);
  }
};

// What the interpreter says.
struct Interpreted {
  Value value;
  std::optional<program::Fault> fault;
};

Interpreted interpreted(const Expression& expression, World& world) {
  const program::Rows around{.current = world.outer.values, .around = nullptr, .group = {}};
  const program::Rows rows{
      .current = world.inner.values, .around = &around, .group = world.group_values};
  program::Context context;
  context.variables = world.values;
  context.named = [&](const Expression& symbol) {
    return world.symbol_values[std::stoul(symbol.name.substr(1))];
  };
  Value value = program::evaluate(expression, &rows, context);
  return {.value = std::move(value), .fault = context.fault};
}

struct Case {
  ExpressionPtr expression;
  Interpreted expected;
  Cell cell;
  Term agrees;
  Term is_exact;
  std::vector<Evaluation::Fault> faults;
};

bool is_same_fault(const Evaluation::Fault& a, const program::Fault& b) {
  return a.sqlstate == b.sqlstate && a.at.first == b.at.first;
}

// The value and no fault, or that fault and no other.
Term agreement(const Case& of, const Evaluation& evaluation, Terms& terms) {
  const auto& fault = of.expected.fault;
  std::vector<Term> all{fault ? evaluation.has_fault
                              : terms.negation(evaluation.has_fault)};
  if (!fault)
    all.push_back(
        identical(terms, of.cell, constant_cell(terms, of.expected.value, of.cell.type)));
  for (const Evaluation::Fault& found : evaluation.faults)
    if (!fault || !is_same_fault(found, *fault)) all.push_back(terms.negation(found.when));
  return terms.all(all);
}

Case evaluated(ExpressionPtr expression, World& world) {
  Terms& terms = world.terms;
  Evaluation evaluation(terms, world.program, world.options);
  evaluation.variables = world.cells;
  evaluation.symbols = world.symbol_cells;
  const RowScope around{.current = world.outer.rows, .around = nullptr, .group = {}};
  const RowScope scope{
      .current = world.inner.rows, .around = &around, .group = world.group};
  Case out;
  out.expected = interpreted(*expression, world);
  out.cell = evaluate(*expression, &scope, terms.truth(true), evaluation);
  EXPECT_TRUE(evaluation.unsupported.empty());
  out.agrees = agreement(out, evaluation, terms);
  std::vector<Term> inexact;
  for (const Approximation& approximation : evaluation.approximations)
    if (approximation.kind != Approximation::Kind::Limit)  // the interpreter has it too
      inexact.push_back(approximation.when);
  out.is_exact = terms.negation(terms.any(inexact));
  out.faults = std::move(evaluation.faults);
  out.expression = std::move(expression);
  return out;
}

// Isomer's own limit, which terms do not have; and errors that the options leave out.
bool is_beyond(const Case& of, const World& world) {
  if (!of.expected.fault) return false;
  if (of.expected.fault->reason.starts_with("a numeric has more than")) return true;
  return !world.options.has_overflow &&
         (of.expected.fault->sqlstate == "22003" || of.expected.fault->sqlstate == "22008");
}

std::string shown(const Interpreted& expected) {
  if (!expected.fault) return to_literal(expected.value);
  return fmt::format("{}: {}, at {}", expected.fault->sqlstate, expected.fault->reason,
                     expected.fault->at.first);
}

std::string description(const Case& of, const World& world) {
  const auto columns = [](const std::vector<Value>& rows) {
    std::string out;
    for (const Value& row : rows)
      out += fmt::format(" {}", program::to_text(row));
    return out;
  };
  std::string out = program::to_text(program::PrintNames{world.program}, *of.expression);
  out +=
      fmt::format("\nexpected {}\nvariables{}\nsymbols{}\nrows{}\naround{}\n",
                  shown(of.expected), columns(world.values), columns(world.symbol_values),
                  columns(world.inner.values), columns(world.outer.values));
  for (const auto& row : world.group_values)
    out += fmt::format("group{}\n", columns(row));
  for (const Evaluation::Fault& fault : of.faults)
    out += fmt::format("fault {} {} at {}\n", fault.sqlstate, fault.reason, fault.at.first);
  return out;
}

std::vector<Case> random_cases(World& world, bool has_group) {
  std::vector<Case> out;
  ExpressionMaker maker(world.random,
                        {.record = static_cast<std::uint32_t>(world.values.size() - 1),
                         .source_count = source_count,
                         .has_group = has_group});
  const std::vector<Type> types = all_types();
  for (int i = 0; i < expressions_per_world; ++i) {
    const TypeKind kind = types[world.random.below(types.size())].kind;
    const int depth = 1 + static_cast<int>(world.random.below(4));
    out.push_back(evaluated(maker.make(kind, depth), world));
  }
  return out;
}

// Everything folds, to the same value with the same digits, or to the same fault.
void expect_concrete(std::uint64_t seed, bool has_group) {
  World world(seed, Style::Constants);
  for (const Case& of : random_cases(world, has_group)) {
    EXPECT_TRUE(world.terms.is_true(of.agrees)) << description(of, world);
    EXPECT_TRUE(world.terms.is_true(of.is_exact)) << description(of, world);
    if (of.expected.fault) {
      ASSERT_EQ(of.faults.size(), 1U) << description(of, world);
      EXPECT_EQ(of.faults[0].reason, of.expected.fault->reason) << description(of, world);
    } else {
      const auto value = known(world.terms, of.cell);
      ASSERT_TRUE(value.has_value()) << description(of, world);
      EXPECT_EQ(to_text(*value), to_text(of.expected.value)) << description(of, world);
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(evaluate, keeps_constants_concrete) {
  for (int seed = 0; seed < effort(400, 40) && !HasFailure(); ++seed)
    expect_concrete(static_cast<std::uint64_t>(seed), seed % 2 == 1);
}

struct Tally {
  int checked = 0;
  int faults = 0;
  int proved = 0;
};

// The values that were told leave no other answer.
void expect_proved(const Case& of, logic::TermSolver& solver, World& world) {
  const std::array question{world.terms.negation(of.agrees)};
  EXPECT_NE(solver.solve(question, Budget(10.0)), logic::SatAnswer::Satisfiable)
      << description(of, world);
}

void expect_same(std::uint64_t seed, Style style, bool has_group, Tally& tally) {
  World world(seed, style);
  std::vector<Case> cases = random_cases(world, has_group);
  logic::TermSolver solver(world.terms);
  for (const Term term : world.told)
    solver.add(term);
  ASSERT_EQ(solver.solve({}, Budget(60.0)), logic::SatAnswer::Satisfiable);
  std::erase_if(cases, [&](const Case& of) {
    return is_beyond(of, world) || !solver.truth(of.is_exact);
  });
  for (const Case& of : cases) {
    ++tally.checked;
    tally.faults += of.expected.fault ? 1 : 0;
    EXPECT_TRUE(solver.truth(of.agrees)) << "seed " << seed << '\n'
                                         << description(of, world);
    if (testing::Test::HasFailure()) return;
  }
  if (seed % 8 == 0 && !cases.empty()) {
    ++tally.proved;
    expect_proved(cases[0], solver, world);
  }
}

void expect_same_always(Style style, bool has_group) {
  Tally tally;
  const int worlds = effort(160, 16);
  for (int seed = 0; seed < worlds && !testing::Test::HasFailure(); ++seed)
    expect_same(static_cast<std::uint64_t>(seed), style, has_group, tally);
  EXPECT_GT(tally.checked, worlds * expressions_per_world / 3);
  EXPECT_GT(tally.faults, worlds / 2);
  EXPECT_GT(tally.proved, 0);
}

TEST(evaluate, has_the_values_of_what_is_told) {
  expect_same_always(Style::Unknowns, false);
}

TEST(evaluate, mixes_constants_and_unknowns) {
  expect_same_always(Style::Mixed, false);
}

TEST(evaluate, aggregates_members_that_may_be_in) {
  expect_same_always(Style::Unknowns, true);
}

TEST(evaluate, aggregates_constants_that_may_be_in) {
  expect_same_always(Style::Mixed, true);
}

}  // namespace
}  // namespace isomer::verify
