// SPDX-License-Identifier: MIT
// The one representation of programs that every engine reads: run, explore, verify, audit.
//
// A program has tables (SQL) or bare keys (litmus) and transaction types, each with
// parameters, local variables and a body of statements.  Names are resolved, every
// expression has a type, everything keeps its place in the source.  SQL statements stay
// whole (a SELECT with its WHERE), because audit reasons about them as such; the
// interpreter turns them into reads and writes of keys.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/id.h"
#include "program/scenario/draw.h"
#include "program/value.h"

namespace isomer::program {

using TableId = Id<struct TableTag>;
using ColumnId = Id<struct ColumnTag>;      // within its table
using VariableId = Id<struct VariableTag>;  // within its transaction type
using SourceId = Id<struct SourceTag>;      // a table in a FROM, within its statement

// Where a piece of program stands: bytes [first, last) of Program::source.
struct Span {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// --- types ---

enum class TypeKind : std::uint8_t {
  Any,  // litmus
  Bool,
  Int2,
  Int4,
  Int8,
  Numeric,
  Text,
  Date,
  Timestamp,
  Record,  // a whole row: FOR r IN SELECT ..
  Array,   // of one dimension
  Range,   // int4range and its kin: of `element`
};

struct Type {
  TypeKind kind = TypeKind::Any;
  std::optional<std::uint16_t> precision;  // numeric(p, s)
  std::uint16_t scale = 0;
  std::optional<std::uint32_t> length_max;  // varchar(n), char(n)
  // char(n): blanks at the end do not count, so values are kept without them.
  bool is_padded = false;
  // varchar, with a length or without: as text, but compared with char(n) as char(n) is.
  bool is_varying = false;
  // Array, Range: of what, without precision or length.
  TypeKind element = TypeKind::Any;
};

// --- expressions ---

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

struct Select;
using SelectPtr = std::shared_ptr<const Select>;

enum class Function : std::uint8_t {
  // logic; And, Or, Not are three-valued in SQL
  And,
  Or,
  Not,
  IsNull,
  // comparison
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  IsDistinct,
  // arithmetic
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
  Negate,
  Abs,
  Round,
  Ceil,
  Floor,
  Power,
  // choice
  Coalesce,
  NullIf,
  Greatest,
  Least,
  // text
  Concat,  // ||: null if an argument is
  Length,
  Lower,
  Upper,
  Substring,
  Position,
  Like,
  StartsWith,
  EndsWith,
  SplitPart,
  Part,  // litmus
  // arrays
  Element,  // v[i]: null if there is no such place
  ArrayAppend,
  ArrayPrepend,
  ArrayConcat,
  ArrayRemove,
  ArrayPosition,
  ArrayLength,  // of an empty array: null
  Cardinality,  // of an empty array: 0
  ArrayContains,
  ArrayOverlaps,
  // ranges
  MakeRange,  // int4range(a, b [, '[]'])
  RangeOverlaps,
  RangeContains,
  RangeContainsElement,
  RangeLower,  // null if there is no bound
  RangeUpper,
  RangeIsEmpty,
  // lists of litmus programs; MakeList is ARRAY[..], too
  MakeList,
  Append,
  Remove,
  Contains,
  Size,
  Get,
  Set,
};

std::string_view name(Function function);  // "coalesce"

// One constant, variable, column, ...: which fields mean something depends on the kind.
struct Expression {
  enum class Kind : std::uint8_t {
    Constant,     // value
    Variable,     // variable; field of a record variable if `field` is set
    Column,       // source, column
    Call,         // function, arguments
    Case,         // arguments: condition, result, condition, result, .., [else]
    Cast,         // arguments[0] to type
    Exists,       // query
    InQuery,      // arguments[0] IN query
    InList,       // arguments[0] IN (arguments[1], ..)
    AnyElement,   // arguments[0] = ANY (arguments[1], an array); function: Equal, Less, ..
    AllElements,  // arguments[0] <> ALL (arguments[1]); likewise
    Scalar,       // query as a value: its single column, null if it has no row
    ArrayQuery,   // ARRAY(query): its single column, an element for each row
    Found,        // PL/pgSQL's FOUND
    RowCount,     // GET DIAGNOSTICS .. = ROW_COUNT: rows of the last SQL statement
    Aggregate,    // aggregate of arguments[0] (none for count(*))
    FinalLocal,   // t.v in a litmus assert: label, variable by name
    Symbol,       // ?x in a scenario: name; value is that of [values], Null without
    Rows,         // in a FROM: rows that are computed, each a list; `rows_of` says how
  };

  // Rows: those of `query`; of VALUES, whose rows are lists in `arguments`; of the
  // RETURNING of `change`; or of two arguments, without what comes twice if `is_distinct`.
  enum class RowsOf : std::uint8_t { Query, Values, Change, Union, Intersect, Except };

  enum class Aggregator : std::uint8_t { Count, Sum, Min, Max, Avg, ArrayAgg };

  // The direction of one ORDER BY key of array_agg(x ORDER BY ..).
  struct Direction {
    bool is_descending = false;
    bool nulls_first = false;
    friend bool operator==(const Direction&, const Direction&) = default;
  };

  Kind kind = Kind::Constant;
  Type type;
  Span at;
  Value value;
  VariableId variable;
  std::optional<std::uint32_t> field;
  SourceId source;
  // 0: the statement's own FROM; 1: that of the statement around a subquery; ...
  std::uint32_t outer = 0;
  ColumnId column;
  Function function = Function::And;
  std::vector<ExpressionPtr> arguments;
  SelectPtr query;
  RowsOf rows_of = RowsOf::Query;
  std::shared_ptr<const struct Statement> change;
  Aggregator aggregator = Aggregator::Count;
  bool is_distinct = false;
  // ArrayAgg: how the keys arguments[1], arguments[2], .. sort.
  std::vector<Direction> order;
  std::string name;   // FinalLocal: the variable; Symbol: its name
  std::string label;  // FinalLocal: the transaction's label
  // Nodes in it, written out as a tree; parts may be shared.
  std::uint64_t size = 1;
};

// --- queries ---

// FOR KEY SHARE, SHARE, NO KEY UPDATE, UPDATE: each is stronger than those before it.
enum class Lock : std::uint8_t { None, KeyShare, Share, NoKeyUpdate, Update };

std::string_view name(Lock lock);  // "FOR UPDATE"

// What a lock does if another transaction holds one that conflicts.
enum class LockWait : std::uint8_t { Wait, NoWait, SkipLocked };

struct Table;

struct Source {
  TableId table{};
  std::string alias{};
  // A table that is computed, instead of one of the program: its rows, and the columns that
  // they have.  If it is one of a WITH, its name there.
  ExpressionPtr rows{};
  std::shared_ptr<const Table> shape{};
  std::string common{};
  // LEFT JOIN: condition of the join; inner joins put theirs into the WHERE.
  ExpressionPtr left_join_on{};
  // FOR UPDATE and its kin: how the rows of this source are locked.
  Lock lock = Lock::None;
  LockWait lock_wait = LockWait::Wait;
  Span lock_at{};
};

// WITH name AS (..): found by name in the FROM of what follows, and computed once.
struct CommonTable {
  std::string name;
  ExpressionPtr rows;
  std::shared_ptr<const Table> shape;
};

struct OrderKey {
  ExpressionPtr by;
  bool is_descending = false;
  bool nulls_first = false;
};

struct Select {
  std::vector<CommonTable> with;
  std::vector<Source> from;
  ExpressionPtr where;  // null: all rows
  std::vector<ExpressionPtr> columns;
  std::vector<std::string> column_names;
  std::vector<ExpressionPtr> group_by;
  ExpressionPtr having;
  bool is_distinct = false;
  std::vector<OrderKey> order;
  ExpressionPtr limit;
  ExpressionPtr offset;
  Span at;
};

// At abstract levels FOR UPDATE and FOR NO KEY UPDATE write the row back as it is; the
// other locks are reads.
bool writes_back(const Source& source);
bool writes_back(const Select& query);  // of any of its sources
// Does it lock rows of a source?
bool locks_rows(const Select& query);

// --- statements ---

struct Statement;
using Block = std::vector<Statement>;

// LOCK TABLE, in the order of PostgreSQL's documentation.
enum class TableLock : std::uint8_t {
  AccessShare,
  RowShare,
  RowExclusive,
  ShareUpdateExclusive,
  Share,
  ShareRowExclusive,
  Exclusive,
  AccessExclusive,
};

// pg_advisory_lock and its kin.  Keys are one bigint, or two ints.
struct AdvisoryLock {
  std::vector<ExpressionPtr> key;  // UnlockAll: none
  enum class Act : std::uint8_t { Lock, TryLock, Unlock, UnlockAll } act = Act::Lock;
  bool is_shared = false;
  bool is_of_session = false;  // held beyond the end of the transaction
};

// WHEN condition OR condition THEN body.
struct Handler {
  std::vector<std::string> sqlstates;  // "23505", or a class "23000"; empty: OTHERS
  std::vector<Statement> body;
};

// One that SET CONSTRAINTS can name.
struct ConstraintId {
  enum class Kind : std::uint8_t { PrimaryKey, Index, ForeignKey };

  TableId table;
  Kind kind = Kind::PrimaryKey;
  std::uint32_t number = 0;  // Index, ForeignKey: which one of the table

  friend bool operator==(const ConstraintId&, const ConstraintId&) = default;
};

struct Assignment {
  ColumnId column;
  ExpressionPtr value;
};

// What a SELECT .. INTO, RETURNING .. INTO or FOR gives its row to: one variable for each
// column, or one record variable for the whole row.
struct Targets {
  std::vector<VariableId> variables;
  bool is_record = false;
  bool is_strict = false;
};

struct Insert {
  std::vector<CommonTable> with;
  TableId table;
  std::vector<ColumnId> columns;
  std::vector<std::vector<ExpressionPtr>> rows;
  SelectPtr query;  // INSERT .. SELECT, instead of rows
  enum class OnConflict : std::uint8_t {
    Fail,
    Nothing,
    Update
  } on_conflict = OnConflict::Fail;
  // What ON CONFLICT names; no columns and no expressions: any key will do.
  std::vector<ColumnId> conflict_columns;
  std::vector<ExpressionPtr> conflict_expressions;  // over source 0, a row of the table
  ExpressionPtr conflict_where;                     // of partial indexes
  // The index constraints of the table that it means, beside keys of plain columns.
  std::vector<std::uint32_t> conflict_indexes;
  // ON CONFLICT DO UPDATE: source 0 is the row that is there, source 1 is EXCLUDED.
  std::vector<Assignment> updates;
  ExpressionPtr update_where;
  std::vector<ExpressionPtr> returning;
  Targets into;
};

// Does ON CONFLICT say which keys it is about?
bool has_conflict_target(const Insert& statement);

struct Update {
  std::vector<CommonTable> with;
  Source table;
  // UPDATE .. FROM: the other tables.  Sources count `table` at place `target`.
  std::vector<Source> from;
  std::uint32_t target = 0;
  std::vector<Assignment> assignments;
  ExpressionPtr where;
  std::vector<ExpressionPtr> returning;
  Targets into;
};

struct Delete {
  std::vector<CommonTable> with;
  Source table;
  std::vector<Source> from;  // DELETE .. USING: as in Update
  std::uint32_t target = 0;
  ExpressionPtr where;
  std::vector<ExpressionPtr> returning;
  Targets into;
};

// MERGE.  Sources are counted as in Update; the condition is `on`.
struct Merge {
  std::vector<CommonTable> with;
  Source table;
  std::vector<Source> from;  // one
  std::uint32_t target = 0;
  ExpressionPtr where;  // the ON

  // WHEN [NOT] MATCHED [AND condition] THEN ..; the first that fits counts.
  struct When {
    bool is_matched = true;
    ExpressionPtr condition{};
    enum class Act : std::uint8_t { Nothing, Update, Delete, Insert } act = Act::Nothing;
    std::vector<Assignment> assignments{};  // Update
    std::vector<ColumnId> columns{};        // Insert, and a value for each
    std::vector<ExpressionPtr> values{};
  };

  std::vector<When> whens;
};

struct Statement {
  enum class Kind : std::uint8_t {
    Assign,    // variable := value
    ReadKey,   // litmus: variable := read(key)
    WriteKey,  // litmus: write(key, value)
    Select,    // query INTO targets (PERFORM: no targets)
    Insert,
    Update,
    Delete,
    If,        // value, body, otherwise
    While,     // value, body (LOOP: value is true)
    ForRange,  // variable in value .. limit (by step, reverse), body
    ForQuery,  // targets in query, body
    ForEach,   // variable in value (a list of litmus, or an array), body
    Exit,      // leave the loop named label (or the innermost), when value
    Continue,  // likewise
    Return,    // value, or none
    Raise,     // abort with a message (value, if it is computed; else text) and sqlstate
    Abort,     // litmus
    Assert,    // value; text is the message
    Merge,     // changes what two tables have in common
    SetFound,  // FOUND := value: around the body of a function that is called
    // Only database levels give a meaning to these.
    Protect,       // BEGIN body EXCEPTION handlers END
    LockTable,     // tables, table_lock, lock_wait
    AdvisoryLock,  // advisory; its truth to the variable, if it has one to give and targets
    Savepoint,     // label
    RollbackTo,    // label
    Release,       // label
    // SET CONSTRAINTS: constraints (none: ALL), is_deferred.
    SetConstraints,
  };

  Kind kind = Kind::Assign;
  Span at;
  VariableId variable;
  std::optional<std::uint32_t> field;  // of a record variable
  ExpressionPtr key;
  ExpressionPtr value;
  ExpressionPtr limit;
  ExpressionPtr step;
  bool is_reverse = false;
  SelectPtr query;
  Targets targets;
  std::shared_ptr<const struct Insert> insert;
  std::shared_ptr<const struct Update> update;
  std::shared_ptr<const struct Delete> erase;
  std::shared_ptr<const struct Merge> merge;
  Block body;
  Block otherwise;
  std::string label;
  std::string text;
  std::string sqlstate;       // Raise: "P0001"
  bool raises_again = false;  // RAISE; in a handler
  std::vector<Handler> handlers;
  // Protect: what SQLSTATE and SQLERRM are in the handlers; none if nobody asks.
  std::optional<VariableId> error_code;
  std::optional<VariableId> error_text;
  std::vector<TableId> tables;
  TableLock table_lock = TableLock::AccessExclusive;
  LockWait lock_wait = LockWait::Wait;
  std::shared_ptr<const struct AdvisoryLock> advisory;
  std::vector<ConstraintId> constraints;
  bool is_deferred = false;
};

// The blocks inside a statement: its body, what is otherwise done, its handlers.
std::vector<const Block*> blocks_of(const Statement& statement);
std::vector<Block*> blocks_of(Statement& statement);

// Is there a statement of that kind, in inner blocks too?
bool contains(const Block& block, Statement::Kind kind);

// --- tables ---

struct Column {
  std::string name;
  Type type;
  bool is_not_null = false;
  ExpressionPtr default_value;  // constant; null: NULL
  Span at;
};

enum class ReferenceAction : std::uint8_t {
  NoAction,
  Restrict,
  Cascade,
  SetNull,
  SetDefault
};

std::string_view name(ReferenceAction action);  // "SET NULL"

// When a constraint is checked, unless SET CONSTRAINTS says otherwise.
enum class Deferral : std::uint8_t {
  None,  // NOT DEFERRABLE: a key with each row, a reference with its statement
  InitiallyImmediate,  // DEFERRABLE: at the end of the statement
  InitiallyDeferred,   // at COMMIT
};

struct ForeignKey {
  std::string name;
  std::vector<ColumnId> columns;
  TableId table;
  std::vector<ColumnId> referenced;
  ReferenceAction on_delete = ReferenceAction::NoAction;
  ReferenceAction on_update = ReferenceAction::NoAction;
  Deferral deferral = Deferral::None;
  Span at;
};

// A unique index of which UNIQUE (columns) does not say all: it is of computed values, or
// of some of the rows, or checked later than each row.  Or EXCLUDE.
struct IndexConstraint {
  struct Part {
    ExpressionPtr value;  // over source 0, the row
    Function operation = Function::Equal;
  };

  std::string name;
  std::vector<Part> parts;
  ExpressionPtr where;  // which rows; null: all
  Deferral deferral = Deferral::None;
  bool is_exclusion = false;
  bool is_constraint = false;     // not by CREATE UNIQUE INDEX
  std::size_t unique_before = 0;  // those of Table::unique that are checked before it
  Span at;

  // The columns, if it is of nothing else, and of all rows.
  [[nodiscard]] std::optional<std::vector<ColumnId>> columns() const;
};

struct Check {
  std::string name;
  ExpressionPtr condition;  // over source 0, the row
  Span at;
};

struct Table {
  std::string name;
  std::vector<Column> columns;
  std::vector<ColumnId> primary_key;
  std::string primary_key_name;  // of a constraint that is DEFERRABLE
  Deferral primary_key_deferral = Deferral::None;
  std::vector<std::vector<ColumnId>> unique;       // of all rows, checked with each row
  std::vector<IndexConstraint> index_constraints;  // all others
  // Of columns, all rows, not unique: InnoDB locks what it goes through.
  std::vector<std::vector<ColumnId>> indexes;
  std::vector<ForeignKey> foreign_keys;
  std::vector<Check> checks;
  Span at;
};

const std::string& constraint_name(const struct Program& program, const ConstraintId& id);

// --- programs ---

// Parameters come first.  Variables of inner blocks that share a name are different
// variables; those the front end makes up have names that no program can write.
struct Variable {
  std::string name;
  Type type;
  std::vector<std::string> fields;  // of a record
  std::vector<Type> field_types;    // as many
  bool is_row_type = false;         // a record with the columns of a table
  bool is_parameter = false;
  bool is_constant = false;
  ExpressionPtr initial;  // DECLARE x int := 0
  Span at;
};

struct TransactionType {
  std::string name;                 // withdraw; a litmus transaction's label
  std::vector<Variable> variables;  // the parameters first
  std::uint32_t parameter_count = 0;
  Type result;
  Block body;
  // A script of a session: what follows an error is passed over until ROLLBACK TO.
  bool is_script = false;
  // BEGIN or SET TRANSACTION of a script: a level of the database ("REPEATABLE READ").
  std::string level;
  bool is_read_only = false;
  bool is_deferrable = false;
  Span at;
};

// One transaction to run: a call with its arguments (constants, or Symbols).
struct Call {
  std::uint32_t type = 0;  // index into Program::types
  std::vector<ExpressionPtr> arguments;
  std::string text;  // "withdraw(1, 100)"
  Span at;
};

struct Session {
  std::string name;
  std::vector<Call> calls;
  // How often a call is tried again after a serialization failure or a deadlock.
  std::uint32_t retry = 0;
};

struct Invariant {
  std::string name;
  SelectPtr query;       // SQL: one boolean column over the final state
  ExpressionPtr assert;  // litmus: over FinalLocals
  std::string text;
};

// ?x: a value that a scenario leaves open.
struct Symbol {
  std::string name;
  Type type;
  std::optional<Value> value;  // from [values]
  Span at;
};

// [assume]: what verify may take for granted about the symbols.
struct Assumption {
  std::string name;
  ExpressionPtr condition;
  std::string text;
};

// [levels]: level names as given, not looked up.
struct LevelAssignment {
  std::string by_default;                                    // empty: none
  std::vector<std::pair<std::uint32_t, std::string>> types;  // index into Program::types
  std::vector<std::vector<std::uint32_t>> serial;  // types that are serial among each other
  // Where they stand.
  Span default_at;
  std::vector<Span> types_at;
  Span serial_at;
};

// [database]: how the server is set up, as given, not looked up.
struct ServerSetting {
  std::string name;
  std::string value;  // true and false, too, as they are written
  Span at{};
  Span value_at{};
};

// One of the files that make up Program::source.
struct SourceFile {
  std::string name;
  std::uint32_t first = 0;  // where its text starts
};

// [workload]: how often a type is called, and how the arguments of its calls are drawn.
struct WorkloadType {
  std::uint32_t type = 0;  // index into Program::types
  std::uint32_t weight = 0;
  std::vector<Draw> arguments;
  Span at;
};

struct Program {
  std::string name;
  std::string file;
  std::string source;             // the text that spans speak of
  std::vector<SourceFile> files;  // a scenario and its application; none: `file` alone
  std::vector<Table> tables;
  std::vector<TransactionType> types;
  // The initial state: litmus keys; SQL rows by table.
  std::vector<std::pair<std::string, Value>> initial_keys;
  std::vector<std::pair<TableId, std::vector<Value>>> initial_rows;
  std::vector<Session> sessions;
  std::vector<Invariant> invariants;
  // verify: any initial rows beside these that satisfy the invariants named.
  bool has_open_state = false;
  std::vector<std::uint32_t> initial_invariants;
  std::vector<Symbol> symbols;
  std::vector<Assumption> assumptions;
  LevelAssignment levels;
  std::vector<ServerSetting> server_settings;
  std::vector<WorkloadType> workload;
};

// The table of a source: one of the program, or the columns of one that is computed.
const Table& table_of(const Program& program, const Source& source);

// A complaint about a place in the program, with the name of its file.
Diagnostic diagnostic_in(const Program& program, std::size_t offset, std::string message);

// "bank.sql", and line and column there.
std::pair<std::string, Position> place_of(const Program& program, std::size_t offset);

}  // namespace isomer::program
