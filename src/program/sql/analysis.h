// SPDX-License-Identifier: MIT
// From parse trees to the representation: names resolved, types inferred as PostgreSQL
// does.
//
// A mistake is reported where it stands, and the expression around it goes on with
// `broken()`, which fits everywhere and is never reported again.  A literal in quotes, NULL
// and ?x have no type (TypeKind::Any) until what stands around them gives them one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir.h"
#include "program/sql/coerce.h"
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
struct WithScope;

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
  const WithScope* with = nullptr;  // what names of tables can mean, too

  void fail(Span at, std::string message) { reporter.fail(at, std::move(message)); }

  void fail(const SqlNode& node, std::string message) {
    reporter.fail(text.at(node), std::move(message));
  }
};

struct FromSource {
  std::string alias;
  TableId table;
  std::vector<std::string> merged{};     // columns that JOIN .. USING shows once, elsewhere
  std::shared_ptr<const Table> shape{};  // of rows that are computed
};

// The tables of a WITH, over those of the WITHs around it.
struct WithScope {
  const WithScope* outer = nullptr;
  std::vector<CommonTable> tables{};
};

// The tables that expressions of one query can name.
struct FromScope {
  const FromScope* outer = nullptr;  // of the query around this subquery
  std::vector<FromSource> sources;
  bool has_right_join = false;        // sources are not in the order of the columns of *
  std::string_view no_aggregates_in;  // the clause's name; empty: aggregates are fine
};

// --- expressions (expression.cpp; the kinds of their nodes are in nodes.h) ---

ExpressionPtr analyze_expression(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr analyze_condition(Analysis& in, const FromScope& scope, const SqlNode& node,
                                std::string_view clause);
bool contains_query(const Expression& expression);

// --- operators (operator.cpp) ---

ExpressionPtr make_operator(Analysis& in, std::string_view sign, ExpressionPtr left,
                            ExpressionPtr right, Span at);
// Whether the exponent of a power is whole, whatever its value; complains if not: other
// powers are not exact.
bool is_whole_exponent(Analysis& in, const Expression& exponent);

// --- names (column.cpp) ---

ExpressionPtr analyze_column(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr make_variable(const VariableNames& names, const VariableName& name, Span at);
std::optional<ColumnId> find_column(const Table& table, std::string_view name);

// --- functions (function.cpp), and calls of routines of the application (call.cpp) ---

ExpressionPtr analyze_function(Analysis& in, const FromScope& scope, const SqlNode& node);
// Null if there is none of that name.
ExpressionPtr analyze_call(Analysis& in, const FromScope& scope, const std::string& name,
                           std::vector<ExpressionPtr> arguments, Span at);

// --- queries (select.cpp) ---

SelectPtr analyze_select(Analysis& in, const SqlNode& node, const FromScope* outer);

// The direction of a key of ORDER BY, without the expression.
OrderKey analyze_order_key(Analysis& in, const SqlNode& node);

// Columns of a select list or RETURNING: stars expanded, everything typed.
struct OutputColumns {
  std::vector<ExpressionPtr> columns;
  std::vector<std::string> names;
};

OutputColumns analyze_outputs(Analysis& in, const FromScope& scope, const SqlNode& list);

// --- tables of a FROM (from.cpp) ---

// The FROM, whose inner join conditions are added to `where`.
std::vector<Source> analyze_from(Analysis& in, const SqlNode& from, FromScope& scope,
                                 std::vector<ExpressionPtr>& where);
// A table or subquery alone.
std::vector<Source> analyze_one_source(Analysis& in, const SqlNode& item, FromScope& scope);
ExpressionPtr conjunction(std::vector<ExpressionPtr> conditions);
// Complains if there is none.
TableId table_named(Analysis& in, const SqlNode& range_variable);
// The table, or the columns of what is computed.
const Table& table_of(const Analysis& in, const FromSource& source);

// --- rows that are computed (computed.cpp) ---

// Tables of WITH: `act` runs while they can be named; returns those of this WITH.
std::vector<CommonTable> with_tables(Analysis& in, const SqlNode& clause,
                                     const FromScope* outer,
                                     const std::function<void()>& act);
// A subquery or VALUES list in FROM, of which `outer` is what is around the query.
Source analyze_computed_source(Analysis& in, const SqlNode& node, const FromScope* outer);
// A subquery in FROM that only joins and filters, and computes columns, is no subquery to
// anybody: its tables come to stand in its place (inline.cpp).  So PostgreSQL has it, too.
bool can_be_inlined(const Source& source);
void inline_simple_sources(Select& select);
void inline_simple_sources(Update& update);
void inline_simple_sources(Delete& erase);
// Queries of the WITH that nobody names are not computed.
void drop_unnamed(Insert& insert);
void drop_unnamed(Update& update);
void drop_unnamed(Delete& erase);
void drop_unnamed(Merge& merge);

// The table of a WITH with this name, if there is one.
std::optional<Source> common_source(const Analysis& in, const SqlNode& range_variable);
// UNION, INTERSECT, EXCEPT, or VALUES as a query.
bool is_combined(const SqlNode& select);
Source analyze_combined(Analysis& in, const SqlNode& select, const FromScope* outer);
// FOR UPDATE of a subquery of FROM is one of its tables; complains where that cannot be.
void lock_computed(Analysis& in, Source& source, const Source& lock);
// Of two clauses for one table the stronger lock counts, and that which waits less.
void add_lock(Source& source, Lock strength, LockWait wait, Span at);
ColumnId column_named(Analysis& in, TableId table, const std::string& name, Span at);

// --- groups (grouping.cpp) ---

// Complains of columns that are neither grouped nor aggregated.
void check_grouping(Analysis& in, const Select& select);
bool contains_aggregate(const Expression& expression);
// Written alike, after names are resolved.
bool is_equal(const Expression& a, const Expression& b);

// --- changes (insert.cpp, change.cpp); `returning` has the names of RETURNING ---

struct AnalyzedChange {
  Statement statement;
  OutputColumns returning;
};

AnalyzedChange analyze_insert(Analysis& in, const SqlNode& node);
AnalyzedChange analyze_update(Analysis& in, const SqlNode& node);
AnalyzedChange analyze_delete(Analysis& in, const SqlNode& node);
AnalyzedChange analyze_merge(Analysis& in, const SqlNode& node);
// INSERT, UPDATE, DELETE or MERGE, by the kind of the node.
bool is_change(const SqlNode& node);
AnalyzedChange analyze_change(Analysis& in, const SqlNode& node);

// What they share (change.cpp).
const Table& table_of(const Analysis& in, TableId id);
// Stored in a column: with an assignment cast.
ExpressionPtr stored(Analysis& in, ExpressionPtr value, TableId table, ColumnId column);
ExpressionPtr default_of(const Analysis& in, TableId table, ColumnId column, Span at);
// Complains if the field is there; whether it is.
bool refuse(Analysis& in, const SqlNode& node, std::string_view field,
            std::string_view words);
FromScope scope_of(const SqlNode& relation, TableId table, std::string_view clause);
// SET a = 1, (b, c) = (2, 3).
std::vector<Assignment> analyze_assignments(Analysis& in, const FromScope& scope,
                                            TableId table, const SqlNode& list);
Statement change_statement(Statement::Kind kind, const Analysis& in);

// --- locks (lock.cpp) ---

// FOR UPDATE and its kin, to the sources of the query.
void analyze_locks(Analysis& in, const SqlNode& node, Select& select, bool is_grouped);

Statement analyze_lock_table(Analysis& in, const SqlNode& node);

// SELECT pg_advisory_lock(..) and its kin, alone in a query; absent if it is none.  The
// column that it gives is empty if it gives no truth.
std::optional<AnalyzedChange> analyze_advisory_select(Analysis& in, const SqlNode& select);

// The same inside an expression: the lock goes to the call site, its truth to a variable.
// Null if there is no such function.
ExpressionPtr analyze_advisory_call(Analysis& in, const FromScope& scope,
                                    const SqlNode& node,
                                    std::vector<ExpressionPtr> arguments, Span at);

// --- CREATE TABLE (table.cpp) ---

// Adds the table to the program (which `in` reads); complains of what is wrong.
void analyze_create_table(Analysis& in, const SqlNode& node, Program& program);

// --- constraints behind unique indexes (index_constraint.cpp) ---

// A unique index is a unique constraint; others change nothing that a program can see.
void analyze_create_index(Analysis& in, const SqlNode& node, Program& program);
void add_exclusion(Analysis& in, const SqlNode& node, TableId id, Deferral deferral,
                   Table& table);
// What ON CONFLICT names.
void analyze_conflict_target(Analysis& in, const SqlNode& infer, Insert& insert, Span at);
Statement analyze_set_constraints(Analysis& in, const SqlNode& node);

}  // namespace isomer::program
