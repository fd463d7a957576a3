// SPDX-License-Identifier: MIT
// Runs one transaction.  The machine knows no store: it stops at each access to the
// database, says which, and is resumed with the answer.  A machine is a value: copy it to
// go on in two ways.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "program/ir.h"

namespace isomer::program {

struct Fault;

// A key of the database: a row "account/1", or a litmus key.
using KeyName = std::string;

// What is one key: a row, a table as a whole, or a column of a row.
enum class Granularity : std::uint8_t { Row, Table, Field };

// The machine wants the value of a key.  Own writes are answered inside, so this is always
// an external read.
struct WantsRead {
  KeyName key;
  Span at;  // the statement
};

// The rows of a table that exist or may come to exist, for a scan; answered with the keys
// of rows in any order (keys of columns, with Granularity::Field).  Only keys that start
// with the prefix matter; the answer may have others.  It is no event of the history.
struct WantsUniverse {
  TableId table;
  Span at;
  KeyName prefix;  // "order_line/1/2/"
};

struct WritesKey {
  KeyName key;
  Value value;  // Null: the row is deleted
  Span at;
};

// A machine on a server hands out whole statements instead of reads and writes of keys.
struct AsksServer {
  enum class Kind : std::uint8_t {
    Statement,   // Select, ForQuery, Insert, Update, Delete, LockTable and its kin
    Value,       // an expression with queries in it; answered with one row of one column
    Savepoint,   // at the beginning of an EXCEPTION block, or SAVEPOINT
    Release,     // at its end, or RELEASE
    RollbackTo,  // after an error in it, or ROLLBACK TO; the savepoint stays
  };

  Kind kind = Kind::Statement;
  const Statement* statement = nullptr;  // null: a Value, or the savepoint of a block
  const Expression* expression = nullptr;
  std::string savepoint{};
  Span at;
};

// What the variables of a statement stand for.
struct Bindings {
  std::span<const Value> variables;
  bool found = false;
  std::int64_t row_count = 0;
};

// What a server answered.
struct StatementAnswer {
  std::vector<std::vector<Value>> rows{};
  std::int64_t count = 0;
};

struct Commits {
  Value result;  // RETURN
};

// Rolled back: RAISE, a constraint violation, abort, an error such as division by zero.
struct Aborts {
  std::string reason;    // as a person would say it
  std::string sqlstate;  // "23505"; empty in litmus programs
  Span at;
  bool is_limit = false;  // as in Fault: a server might have gone on
  std::uint32_t number = 0;
  std::string condition{};
};

// A failed ASSERT of the program (also aborts).
struct FailsAssert {
  std::string message;
  Span at;
};

using Step = std::variant<WantsRead, WantsUniverse, WritesKey, AsksServer, Commits, Aborts,
                          FailsAssert>;

// Beyond these a transaction aborts and says so (54000).
struct MachineLimits {
  std::uint64_t iterations = 1'000'000;  // of all its loops together
  // Expressions evaluated, rows joined, and so on: a few seconds.
  std::uint64_t work = 50'000'000;
};

// The program must outlive its machines.  A statement reads a key at most once; the next
// statement reads it again.
class Machine {
 public:
  Machine(const Program& program, const Call& call, std::vector<Value> arguments,
          Granularity granularity = Granularity::Row, MachineLimits limits = {});

  // A machine whose steps before the end are AsksServer.
  static Machine on_server(const Program& program, const Call& call,
                           std::vector<Value> arguments, MachineLimits limits = {});

  // Runs to the next access or the end; after the end it stays there.
  Step next();

  // Answers of the last step, before the next call of next().
  void answer(Value value);                    // WantsRead
  void answer(std::vector<KeyName> universe);  // WantsUniverse
  void answer(StatementAnswer answer);         // AsksServer
  void fail(Fault fault);                      // AsksServer: the statement failed

  // Of the statement that is asked for; valid until the next call.
  [[nodiscard]] Bindings bindings() const;

  // Locals by name, after the end, for litmus asserts; null if there is none.
  [[nodiscard]] Value local(std::string_view name) const;

 private:
  struct State;

  State& own_state();

  std::shared_ptr<State> state_;  // shared by copies until one of them goes on
};

}  // namespace isomer::program
