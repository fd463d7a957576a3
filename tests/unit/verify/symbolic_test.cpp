// SPDX-License-Identifier: MIT
// Symbolic execution against the interpreter: the same calls on the same rows end alike,
// read the same keys in each statement and write the same rows.  First everything is
// constant; then all arguments and rows are unknowns, which a solver is told the values of.
#include "verify/symbolic/symbolic.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "logic/term_solver.h"
#include "program/litmus/litmus.h"
#include "program/load.h"
#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "program/sql/script.h"
#include "row_store.h"
#include "support/effort.h"
#include "support/random_sql/random_sql.h"
#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

using program::Call;
using program::KeyName;

constexpr std::size_t unknown_keys_max = 5;  // in a table

enum class Style : std::uint8_t {
  Constants,
  Unknowns,     // arguments and rows; keys of tables with few rows only
  UnknownKeys,  // all keys, too
};

// The rows that exist, and the keys that a scan looks at.
struct World {
  program::Database rows;
  std::set<KeyName> universe;
};

// --- what happened, in words that both can say ---

// The keys that consecutive executions of one statement read.
struct StatementReads {
  Span at;
  std::vector<KeyName> keys;
};

struct Outcome {
  std::string end;  // "commits 5", "aborts", "fails an assertion"
  std::string reason;
  std::vector<StatementReads> reads;
  std::map<KeyName, Value> writes;
};

void add_read(Outcome& outcome, Span at, KeyName key) {
  if (outcome.reads.empty() || outcome.reads.back().at.first != at.first ||
      outcome.reads.back().at.last != at.last)
    outcome.reads.push_back({at, {}});
  outcome.reads.back().keys.push_back(std::move(key));
}

std::string shown(const Value& value) {
  std::string out;
  for (const Value& item : value.items())
    out += shown(item) + ",";
  if (!out.empty()) return "(" + out + ")";
  if (const auto* number = value.get_if<program::Decimal>())
    return to_text(Value(Value::Data(normalized(*number))));
  return to_text(value);
}

std::string shown(const Program& program, const Outcome& outcome) {
  std::string out = fmt::format("{}\n{}\n", outcome.end, outcome.reason);
  for (const StatementReads& reads : outcome.reads) {
    out += fmt::format("  {}:", place_of(program, reads.at.first).second.line);
    for (const KeyName& key : reads.keys)
      out += " " + key;
    out += "\n";
  }
  for (const auto& [key, row] : outcome.writes)
    out += fmt::format("  {} := {}\n", key, shown(row));
  return out;
}

// --- the interpreter ---

Outcome run_concretely(const Program& program, const Call& call,
                       const std::vector<Value>& arguments, const World& world) {
  Outcome out;
  program::Machine machine(program, call, arguments);
  while (true) {
    const program::Step step = machine.next();
    if (const auto* read = std::get_if<program::WantsRead>(&step)) {
      add_read(out, read->at, read->key);
      const auto found = world.rows.find(read->key);
      machine.answer(found == world.rows.end() ? Value() : found->second);
    } else if (std::holds_alternative<program::WantsUniverse>(step)) {
      machine.answer(std::vector<KeyName>(world.universe.begin(), world.universe.end()));
    } else if (const auto* write = std::get_if<program::WritesKey>(&step)) {
      out.writes[write->key] = write->value;
    } else if (const auto* commits = std::get_if<program::Commits>(&step)) {
      out.end = "commits " + shown(commits->result);
      return out;
    } else if (const auto* aborts = std::get_if<program::Aborts>(&step)) {
      out.end = "aborts";
      out.reason = aborts->reason;
      return out;
    } else {
      out.end = "fails an assertion";
      out.reason = std::get<program::FailsAssert>(step).message;
      return out;
    }
  }
}

// --- symbolic execution ---

struct Symbolically {
  const Program& program;
  Style style;
  Terms terms{};
  std::vector<Term> told{};
  bool keys_are_unknown = true;
  std::optional<logic::TermSolver> solver{};

  Cell cell(const Value& value, const Type& type, const std::string& name) {
    if (style == Style::Constants) return constant_cell(terms, value, type);
    Cell out = unknown_cell(terms, type, name, true);
    told.push_back(terms.iff(out.is_null, terms.truth(value.is_null())));
    if (!value.is_null())
      told.push_back(terms.same(out.data, constant_cell(terms, value, type).data));
    return out;
  }

  Term truth_of(bool value, const std::string& name) {
    if (style == Style::Constants) return terms.truth(value);
    const Term out = terms.variable(name, TermSort::Bool);
    told.push_back(terms.iff(out, terms.truth(value)));
    return out;
  }

  void add_rows(const World& world, RowStore& store) {
    for (std::uint32_t i = 0; i < program.tables.size(); ++i) {
      const program::Table& table = program.tables[i];
      std::map<program::PrimaryKey, KeyName> keys;
      for (const KeyName& key : world.universe)
        if (auto primary = parse_row_key(table, key)) keys.emplace(*primary, key);
      // Unknown keys may all be equal, which makes for large terms.
      keys_are_unknown = style == Style::UnknownKeys ||
                         (style == Style::Unknowns && keys.size() <= unknown_keys_max);
      for (const auto& [key, name] : keys)
        add_row({i}, key, name, world, store);
    }
  }

  void add_row(TableId id, const program::PrimaryKey& primary, const KeyName& name,
               const World& world, RowStore& store) {
    const program::Table& table = program.tables[id.index];
    const auto found = world.rows.find(name);
    const bool exists = found != world.rows.end();
    std::vector<Value> values(table.columns.size());
    if (exists) values.assign(found->second.items().begin(), found->second.items().end());
    for (std::size_t i = 0; i < primary.size(); ++i)
      values[table.primary_key[i].index] = primary[i];
    Row row{.exists = truth_of(exists, name), .columns = {}};
    for (std::size_t i = 0; i < values.size(); ++i)
      row.columns.push_back(cell(values[i], table.columns[i].type,
                                 fmt::format("{}.{}", name, table.columns[i].name)));
    Key key;
    for (const ColumnId column : table.primary_key) {
      Cell& part = row.columns[column.index];
      part.is_null = terms.truth(false);
      if (!keys_are_unknown)
        part = constant_cell(terms, values[column.index], table.columns[column.index].type);
      key.push_back(row.columns[column.index]);
    }
    if (style == Style::Constants && !exists) row = absent_row(terms, table);
    store.add(id, std::move(key), std::move(row));
  }

  // --- answers ---

  void ask() {
    if (style == Style::Constants) return;
    solver.emplace(terms);
    for (const Term fact : told)
      solver->add(fact);
    EXPECT_EQ(solver->solve({}, Budget()), logic::SatAnswer::Satisfiable);
  }

  bool holds_now(Term term) {
    if (solver) return solver->truth(term);
    EXPECT_TRUE(terms.is_constant(term)) << "a condition did not become a constant";
    return terms.is_true(term);
  }

  Value value_of(const Cell& cell) {
    if (cell.type.kind == TypeKind::Record) {
      std::vector<Value> fields;
      for (const Cell& field : cell.fields)
        fields.push_back(value_of(field));
      return Value::list(std::move(fields));
    }
    if (holds_now(cell.is_null)) return {};
    if (cell.type.kind == TypeKind::Array) {
      std::vector<Value> items;
      for (std::size_t i = 0; i < cell.fields.size(); ++i)
        if (holds_now(cell.present[i])) items.push_back(value_of(cell.fields[i]));
      return Value::list(std::move(items));
    }
    Cell constant = cell;
    if (solver) constant.data = constant_of(cell.data);
    if (cell.type.kind == TypeKind::Numeric)
      return Value(Value::Data(*program::parse_decimal(terms.text_value(constant.data))));
    const auto value = known_value(terms, constant);
    EXPECT_TRUE(value) << "a value did not become a constant";
    return value.value_or(Value());
  }

  Term constant_of(Term data) {
    switch (terms.sort(data)) {
      case TermSort::Bool:
        return terms.truth(solver->truth(data));
      case TermSort::Int:
      case TermSort::Real:
        return terms.number(solver->number(data), terms.sort(data));
      case TermSort::Text:
        return terms.text(*solver->text(data));
    }
    return data;
  }

  KeyName name_of(TableId table, const Key& key) {
    program::PrimaryKey values;
    for (const Cell& cell : key)
      values.push_back(value_of(cell));
    return row_key(program.tables[table.index], values);
  }

  Outcome outcome_of(const Effect& effect, const RowStore& store) {
    Outcome out;
    std::set<std::pair<std::uint32_t, KeyName>> seen;
    for (const RowStore::Access& read : store.reads)
      if (holds_now(read.when)) {
        const KeyName key = name_of(read.table, read.key);
        if (seen.emplace(read.statement, key).second) add_read(out, read.at, key);
      }
    for (const RowStore::Access& write : store.writes)
      if (holds_now(write.when))
        out.writes[name_of(write.table, write.key)] = row_value(write.row);
    if (holds_now(effect.commits)) out.end = "commits " + shown(value_of(effect.result));
    for (const Abort& abort : effect.aborts) {
      if (!holds_now(abort.when)) continue;
      EXPECT_EQ(out.end, "") << "two ends: " << abort.reason;
      out.end = abort.is_assert ? "fails an assertion" : "aborts";
      out.reason = abort.reason;
    }
    return out;
  }

  Value row_value(const Row& row) {
    if (!holds_now(row.exists)) return {};
    std::vector<Value> out;
    for (const Cell& column : row.columns)
      out.push_back(value_of(column));
    return Value::list(std::move(out));
  }

  // Absent if the answer is an approximation.
  std::optional<Outcome> run(const Call& call, const std::vector<Value>& values,
                             const World& world) {
    RowStore store(terms, program);
    add_rows(world, store);
    const program::TransactionType& type = program.types[call.type];
    std::vector<Cell> arguments;
    for (std::size_t i = 0; i < values.size(); ++i)
      arguments.push_back(cell(values[i], type.variables[i].type, type.variables[i].name));
    const SymbolicOptions options{.has_overflow = true, .unroll_max = 16};
    const auto effect = execute(terms, program, call.type, arguments, store, options);
    EXPECT_TRUE(effect) << render(effect.error());
    if (!effect) return std::nullopt;
    ask();
    for (const Approximation& approximation : effect->approximations)
      if (holds_now(approximation.when)) return std::nullopt;
    const Outcome out = outcome_of(*effect, store);
    if (solver && !solver->has_all_values()) return std::nullopt;
    return out;
  }
};

// --- comparing them ---

struct Counts {
  int calls = 0;
  int approximate = 0;
  int aborted = 0;
};

std::vector<StatementReads> sorted(std::vector<StatementReads> reads) {
  for (StatementReads& statement : reads)
    std::ranges::sort(statement.keys);
  return reads;
}

// A statement of several rows asks for what it needs of all rows before the first of them
// fails, so there the interpreter may read more.
bool are_same(const std::vector<StatementReads>& ours,
              const std::vector<StatementReads>& theirs, bool last_failed) {
  if (last_failed && ours.size() + 1 == theirs.size()) {
    auto all = ours;
    all.push_back({theirs.back().at, {}});
    return are_same(all, theirs, true);
  }
  if (ours.size() != theirs.size()) return false;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].at.first != theirs[i].at.first) return false;
    const bool is_last = last_failed && i + 1 == ours.size();
    if (is_last ? !std::ranges::includes(theirs[i].keys, ours[i].keys)
                : ours[i].keys != theirs[i].keys)
      return false;
  }
  return true;
}

bool is_same(const Outcome& ours, const Outcome& theirs, Style style) {
  const bool is_same_reason = style != Style::Constants || ours.reason == theirs.reason;
  return ours.end == theirs.end && is_same_reason && ours.writes == theirs.writes &&
         are_same(sorted(ours.reads), sorted(theirs.reads), theirs.end == "aborts");
}

// Runs the call both ways, and then changes the world as the interpreter did.
void compare(const Program& program, const Call& call, const std::vector<Value>& arguments,
             World& world, Style style, Counts& counts) {
  const Outcome theirs = run_concretely(program, call, arguments, world);
  Symbolically symbolically{.program = program, .style = style};
  const auto ours = symbolically.run(call, arguments, world);
  ++counts.calls;
  counts.approximate += ours ? 0 : 1;
  counts.aborted += theirs.end.starts_with("commits") ? 0 : 1;
  const program::TransactionType& type = program.types[call.type];
  EXPECT_TRUE(ours || style != Style::Constants) << type.name << " is not exact";
  if (ours) {
    EXPECT_TRUE(is_same(*ours, theirs, style))
        << type.name << ": symbolic execution " << shown(program, *ours) << "interpreter "
        << shown(program, theirs)
        << program.source.substr(type.at.first, type.at.last - type.at.first);
  }
  if (!theirs.end.starts_with("commits")) return;
  for (const auto& [key, row] : theirs.writes) {
    world.universe.insert(key);
    if (row.is_null())
      world.rows.erase(key);
    else
      world.rows[key] = row;
  }
}

World initial_world(const Program& program) {
  World out{.rows = program::initial_database(program), .universe = {}};
  for (const auto& [key, row] : out.rows)
    out.universe.insert(key);
  return out;
}

std::vector<std::string> scenarios() {
  std::vector<std::string> out;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ISOMER_SOURCE_DIR "/examples/apps"))
    if (entry.path().extension() == ".toml" && entry.path().filename() != "workload.toml")
      out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

// Invariants, of the world as it is.
void compare_invariants(const Program& program, const World& world, Style style) {
  for (const program::Invariant& invariant : program.invariants) {
    const auto rows = program::query_database(program, *invariant.query, world.rows);
    const auto* found = std::get_if<std::vector<std::vector<Value>>>(&rows);
    const bool is_true =
        found != nullptr && found->size() == 1 && (*found)[0][0] == Value::boolean(true);
    Symbolically symbolically{.program = program, .style = style};
    RowStore store(symbolically.terms, program);
    symbolically.add_rows(world, store);
    const QueryTruth truth =
        query_truth(symbolically.terms, program, *invariant.query, store, {},
                    {.has_overflow = true, .unroll_max = 16})
            .value();
    symbolically.ask();
    EXPECT_EQ(symbolically.holds_now(truth.is_true), is_true) << invariant.name;
    EXPECT_EQ(symbolically.holds_now(truth.is_error), found == nullptr) << invariant.name;
  }
}

std::string style_name(const testing::TestParamInfo<Style>& style) {
  switch (style.param) {
    case Style::Constants:
      return "constants";
    case Style::Unknowns:
      return "unknowns";
    case Style::UnknownKeys:
      return "unknown_keys";
  }
  return "";
}

class Applications : public testing::TestWithParam<Style> {};

TEST_P(Applications, run_as_by_the_interpreter) {
  if (is_slow_build && GetParam() == Style::Unknowns) GTEST_SKIP() << "takes long";
  Counts counts;
  for (const std::string& file : scenarios()) {
    SCOPED_TRACE(file);
    const Program program = program::load_program(file).value();
    World world = initial_world(program);
    for (const program::Session& session : program.sessions)
      for (const Call& call : session.calls)
        compare(program, call, program::argument_values(call), world, GetParam(), counts);
    compare_invariants(program, world, GetParam());
  }
  EXPECT_GT(counts.calls, 40);
  // Texts that are put together, and texts that may be too long for their column.
  EXPECT_LE(counts.approximate, GetParam() == Style::Constants ? 0 : counts.calls / 3);
}

INSTANTIATE_TEST_SUITE_P(Symbolic, Applications,
                         testing::Values(Style::Constants, Style::Unknowns), style_name);

// The rows that fill() inserts, but a few of them.
World few_rows(const World& full) {
  World out;
  for (const KeyName key : {"t/1", "t/2", "t/5", "t/7", "u/1/1", "u/1/3", "u/2/1"})
    if (const auto row = full.rows.find(key); row != full.rows.end()) {
      out.rows.insert(*row);
      out.universe.insert(key);
    }
  return out;
}

class RandomSql : public testing::TestWithParam<Style> {};

TEST_P(RandomSql, runs_as_by_the_interpreter) {
  struct Extent {
    std::uint64_t seeds;
    int statements;
  };

  const Extent extent = GetParam() == Style::Constants  ? Extent{effort(8U, 1U), 200}
                        : GetParam() == Style::Unknowns ? Extent{1, effort(200, 20)}
                                                        : Extent{1, effort(100, 40)};
  Counts counts;
  for (std::uint64_t seed = 1; seed <= extent.seeds; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomSql random = test::random_sql(seed, extent.statements);
    const Program program = program::parse_sql("random.sql", random.sql).value();
    World world = initial_world(program);
    World start;
    for (std::uint32_t i = 0; i < program.types.size(); ++i) {
      if (program.types[i].parameter_count > 0) continue;
      Call call;
      call.type = i;
      compare(program, call, {}, world, GetParam(), counts);
      if (GetParam() == Style::UnknownKeys) world = i == 0 ? few_rows(world) : start;
      if (i == 0) start = world;
    }
  }
  EXPECT_GT(counts.aborted, is_slow_build ? 0 : counts.calls / 20);
  EXPECT_LE(counts.approximate, GetParam() == Style::Constants ? 0 : counts.calls / 2);
}

INSTANTIATE_TEST_SUITE_P(Symbolic, RandomSql,
                         testing::Values(Style::Constants, Style::Unknowns,
                                         Style::UnknownKeys),
                         style_name);

// --- single things ---

Program program_of(const std::string& sql) {
  auto program = program::parse_sql("test.sql", sql);
  EXPECT_TRUE(program) << render(program.error());
  return std::move(program).value();
}

// The effect of the first transaction type with unknown arguments on empty tables.
Expected<Effect> effect_of(Terms& terms, const Program& program) {
  RowStore store(terms, program);
  std::vector<Cell> arguments;
  for (std::uint32_t i = 0; i < program.types[0].parameter_count; ++i)
    arguments.push_back(unknown_cell(terms, program.types[0].variables[i].type,
                                     program.types[0].variables[i].name, false));
  return execute(terms, program, 0, arguments, store,
                 {.has_overflow = false, .unroll_max = 4});
}

TEST(Loops, go_on_beyond_the_bound_only_where_they_would) {
  Terms terms;
  const Program program = program_of(R"(
CREATE FUNCTION f(n int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE total int := 0;
BEGIN
  FOR i IN 1..n LOOP total := total + i; END LOOP;
  RETURN total;
END $$;)");
  const Effect effect = effect_of(terms, program).value();
  ASSERT_EQ(effect.approximations.size(), 1U);
  EXPECT_EQ(effect.approximations[0].kind, Approximation::Kind::Unrolled);
  const Term beyond = effect.approximations[0].when;
  logic::TermSolver solver(terms);
  EXPECT_EQ(solver.solve(std::vector{beyond, effect.commits}, Budget()),
            logic::SatAnswer::Unsatisfiable);
  EXPECT_EQ(solver.solve(std::vector{terms.negation(terms.either(beyond, effect.commits))},
                         Budget()),
            logic::SatAnswer::Unsatisfiable);
  ASSERT_EQ(solver.solve(std::vector{effect.commits,
                                     terms.same(effect.result.data, terms.integer(10))},
                         Budget()),
            logic::SatAnswer::Satisfiable);
  EXPECT_EQ(solver.solve(std::vector{effect.commits,
                                     terms.same(effect.result.data, terms.integer(15))},
                         Budget()),
            logic::SatAnswer::Unsatisfiable);
}

TEST(Loops, with_constant_bounds_run_to_their_end) {
  Terms terms;
  const Program program = program_of(R"(
CREATE FUNCTION f(n int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE total int := 0;
BEGIN
  FOR i IN 1..40 LOOP
    CONTINUE WHEN i % 2 = 0;
    total := total + i;
  END LOOP;
  WHILE total < 900 LOOP
    total := total + 100;
    EXIT WHEN total > 700;
  END LOOP;
  RETURN total;
END $$;)");
  const Effect effect = effect_of(terms, program).value();
  EXPECT_TRUE(effect.approximations.empty());
  EXPECT_TRUE(terms.is_true(effect.commits));
  EXPECT_EQ(terms.integer_value(effect.result.data), 800);
}

TEST(Execute, refuses_programs_over_bare_keys) {
  const Program program = program::parse_litmus("test.txn", R"(program "p"
init { "x" = 0; }
session { begin "t"  write("x", 1); commit; })")
                              .value();
  Terms terms;
  const auto effect = effect_of(terms, program);
  ASSERT_FALSE(effect);
  EXPECT_NE(effect.error()[0].message.find("bare keys"), std::string::npos);
  EXPECT_GT(effect.error()[0].at.line, 0U);
}

TEST(RowIsValid, says_what_not_null_and_check_say) {
  const Program program = program_of(
      "CREATE TABLE t (id int PRIMARY KEY, n int CHECK (n > 3), m int NOT NULL);");
  Terms terms;
  const auto is_valid = [&](const Value& n, const Value& m) {
    const Row row =
        constant_row(terms, program.tables[0], std::vector{Value::integer(1), n, m});
    return terms.is_true(row_is_valid(terms, program, {0}, row, {}).value());
  };
  EXPECT_TRUE(is_valid(Value::integer(4), Value::integer(0)));
  EXPECT_TRUE(is_valid(Value(), Value::integer(0)));
  EXPECT_FALSE(is_valid(Value::integer(3), Value::integer(0)));
  EXPECT_FALSE(is_valid(Value::integer(4), Value()));
}

TEST(ConditionTruth, speaks_of_symbols) {
  const Program program =
      program::load_program(ISOMER_SOURCE_DIR "/examples/withdraw.toml").value();
  Terms terms;
  const auto holds_for = [&](std::int64_t x) {
    const Cell symbol = constant_cell(terms, Value::integer(x), program.symbols[0].type);
    return terms.is_true(condition_truth(terms, program, *program.assumptions[0].condition,
                                         std::span(&symbol, 1), {})
                             .value());
  };
  EXPECT_TRUE(holds_for(1));
  EXPECT_FALSE(holds_for(0));
}

}  // namespace
}  // namespace isomer::verify
