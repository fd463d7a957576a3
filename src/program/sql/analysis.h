// SPDX-License-Identifier: MIT
// From parse trees to the representation: names resolved, types inferred as PostgreSQL
// does.
//
// A mistake is reported where it stands, and the expression around it goes on with
// `broken()`, which fits everywhere and is never reported again.  A literal in quotes, NULL
// and ?x have no type (TypeKind::Any) until what stands around them gives them one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/ir.h"
#include "program/sql/names.h"
#include "program/sql/text.h"
#include "program/sql/type.h"

namespace isomer::program {

// ?x, while a scenario is read: its value has no type until the first use gives it one.
struct OpenSymbol {
  Symbol symbol;
  ExpressionPtr given;  // from [values]; null if none
};

struct Routines;
struct CallSite;

// What one parsed text is understood in.
struct Analysis {
  const Program& program;
  Reporter& reporter;
  const SqlText& text;
  VariableNames* variables = nullptr;          // none outside functions
  std::vector<OpenSymbol>* symbols = nullptr;  // none outside scenarios
  // generate_series(..) AS i in FROM stands for a loop that is already there.
  bool series_are_variables = false;
  Routines* routines = nullptr;    // those that may be called; none outside functions
  CallSite* call_site = nullptr;   // where their bodies go; none: no call can stand here
  std::string_view no_calls_in{};  // the construct that may leave out what stands in it
  std::uint32_t depth = 0;

  void fail(Span at, std::string message) { reporter.fail(at, std::move(message)); }

  void fail(const SqlNode& node, std::string message) {
    reporter.fail(text.at(node), std::move(message));
  }
};

struct FromSource {
  std::string alias;
  TableId table;
  std::vector<std::string> merged{};  // columns that JOIN .. USING shows once, elsewhere
};

// The tables that expressions of one query can name.
struct FromScope {
  const FromScope* outer = nullptr;  // of the query around this subquery
  std::vector<FromSource> sources;
  bool has_right_join = false;        // sources are not in the order of the columns of *
  std::string_view no_aggregates_in;  // the clause's name; empty: aggregates are fine
};

// --- expressions ---

ExpressionPtr analyze_expression(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr analyze_condition(Analysis& in, const FromScope& scope, const SqlNode& node,
                                std::string_view clause);

// Parts may be shared, so expressions that are small to write can be huge as trees, which
// is how they are evaluated and shown; larger ones are refused.
constexpr std::uint64_t tree_size_max = 100'000;

ExpressionPtr make(Expression expression);
ExpressionPtr broken(Span at);
bool is_broken(const Expression& expression);
bool is_untyped(const Expression& expression);
bool contains_query(const Expression& expression);
// Written alike, after names are resolved.
bool is_equal(const Expression& a, const Expression& b);

ExpressionPtr make_constant(Value value, const Type& type, Span at);
ExpressionPtr make_call(Function function, std::vector<ExpressionPtr> arguments,
                        const Type& result, Span at);
ExpressionPtr make_call(Function function, std::vector<ExpressionPtr> arguments,
                        TypeKind result, Span at);
ExpressionPtr make_variable(const VariableNames& names, const VariableName& name, Span at);

// As a value of this type: itself, a constant, or a Cast around it.
ExpressionPtr coerced(Analysis& in, ExpressionPtr expression, const Type& target,
                      Willing willing);
// Untyped literals become text.
ExpressionPtr settled(Analysis& in, ExpressionPtr expression);
// Brings all to one type, as CASE, COALESCE, VALUES and IN do; `where` names them in words.
// Of several text types the first counts, where the expression at `leader` comes before all
// others.
Type unify(Analysis& in, std::vector<ExpressionPtr>& expressions, std::string_view where,
           std::size_t leader = 0);
// A char(n) with the blanks that fill it up, as text; anything else is itself.  Complains,
// for the sake of `where`, if nobody can say when the program is read how many they are.
ExpressionPtr with_padding(Analysis& in, ExpressionPtr expression, std::string_view where);

ExpressionPtr analyze_column(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr analyze_function(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr make_operator(Analysis& in, std::string_view sign, ExpressionPtr left,
                            ExpressionPtr right, Span at);

// Whether the exponent of a power is whole, whatever its value; complains if not: other
// powers are not exact.
bool is_whole_exponent(Analysis& in, const Expression& exponent);

// A call of another routine of the application; null if there is none of that name.
ExpressionPtr analyze_call(Analysis& in, const FromScope& scope, const std::string& name,
                           std::vector<ExpressionPtr> arguments, Span at);

// --- queries ---

SelectPtr analyze_select(Analysis& in, const SqlNode& node, const FromScope* outer);
// The FROM, whose inner join conditions are added to `where`.
std::vector<Source> analyze_from(Analysis& in, const SqlNode& from, FromScope& scope,
                                 std::vector<ExpressionPtr>& where);

// Columns of a select list or RETURNING: stars expanded, everything typed.
struct OutputColumns {
  std::vector<ExpressionPtr> columns;
  std::vector<std::string> names;
};

OutputColumns analyze_outputs(Analysis& in, const FromScope& scope, const SqlNode& list);
// Complains of columns that are neither grouped nor aggregated.
void check_grouping(Analysis& in, const Select& select);
bool contains_aggregate(const Expression& expression);
ExpressionPtr conjunction(std::vector<ExpressionPtr> conditions);

// --- changes; `outputs` are the names of RETURNING ---

struct AnalyzedChange {
  Statement statement;
  OutputColumns returning;
};

AnalyzedChange analyze_insert(Analysis& in, const SqlNode& node);
AnalyzedChange analyze_update(Analysis& in, const SqlNode& node);
AnalyzedChange analyze_delete(Analysis& in, const SqlNode& node);

// --- tables ---

// Complains if there is none.
TableId table_named(Analysis& in, const SqlNode& range_variable);
ColumnId column_named(Analysis& in, TableId table, const std::string& name, Span at);
std::optional<ColumnId> find_column(const Table& table, std::string_view name);

}  // namespace isomer::program
