// SPDX-License-Identifier: MIT
// The state of a machine: private to it.  Where it is, is a stack of blocks; each frame is
// a position in one, and if the block is the body of a loop, the state of that loop.
#pragma once

#include "base/assert.h"
#include "program/machine/columns.h"
#include "program/machine/machine.h"
#include "program/machine/statement_execution.h"

namespace isomer::program {

struct Frame {
  const Block* block = nullptr;
  std::size_t position = 0;
  const Statement* loop = nullptr;  // whose body this is
  std::vector<Value> items{};       // ForEach: elements; ForQuery: rows
  std::size_t item = 0;             // the next one
  std::int64_t number = 0;          // ForRange: the current one
  std::int64_t limit = 0;
  std::int64_t step = 0;
  const Statement* protects = nullptr;  // the EXCEPTION block whose body this is
  std::optional<Fault> handled{};       // what the handler that this is was called for
};

struct Machine::State {
  const Program* program = nullptr;
  const TransactionType* type = nullptr;
  Granularity granularity = Granularity::Row;
  MachineLimits limits;
  std::vector<Value> variables;
  std::size_t initialized = 0;  // variables that have their initial value
  bool found = false;
  std::int64_t row_count = 0;
  std::vector<Frame> frames;
  std::uint64_t iterations = 0;
  std::uint64_t work = 0;
  OwnWrites own;

  Answers answers;
  std::vector<KeyName> wanted;
  std::size_t wanted_next = 0;
  std::vector<std::pair<TableId, KeyName>> wanted_universes;  // with the prefix

  std::vector<std::pair<KeyName, Value>> writes;
  std::size_t writes_next = 0;

  Span at;  // the statement
  std::optional<Step> end;

  // On a server: the answers that the statement has got, in the order of its questions; it
  // is executed again from its start with each new one.
  bool is_on_server = false;
  std::vector<StatementAnswer> server_answers;
  std::size_t server_answers_used = 0;
  std::uint64_t questions = 0;  // of all statements
  std::optional<AsksServer> asked;
  std::vector<AsksServer> asked_between;  // before the next statement: ends of savepoints
  std::vector<std::string> savepoints;    // of a script

  // --- between statements (machine.cpp) ---

  Step next();
  Step hand_out_write();
  void advance();
  void finish_statement();
  void forget_answers();
  // Goes to the handler of an EXCEPTION block, if there is one, or to the end.
  void abort(Fault fault);
  void abort(std::string sqlstate, std::string reason);

  // --- values and variables (machine_state.cpp) ---

  // The value of an expression; absent if it is not known yet.
  std::optional<Value> value_of(const Expression& expression);
  std::optional<bool> condition(const Expression& expression);
  // False after an abort.
  bool assign(VariableId variable, Value value);
  bool assign_row(const Targets& targets, const std::vector<Value>* row);
  bool assign_record(VariableId record, const std::vector<Value>* row);
  // As a field of the record stores it; absent if the transaction aborted.
  std::optional<Value> field_value(VariableId record, std::size_t field, Value value);
  void initialize();

  // --- statements (machine_statement.cpp) ---

  // Is a second row for INTO an error?  Always for RETURNING, otherwise if it is STRICT.
  enum class Surplus : std::uint8_t { Ignored, Refused };

  void execute(const Statement& statement);
  void execute_assign(const Statement& statement);
  void execute_set_found(const Statement& statement);
  void assign_field(const Statement& statement, Value value);
  // The key of a litmus access; absent after an abort.
  std::optional<KeyName> key_of(const Statement& statement);
  void execute_read(const Statement& statement);
  void execute_write(const Statement& statement);
  void write(std::vector<std::pair<KeyName, Value>> changes);
  // The rows of a query, whose locks are then written; absent if they are not known yet.
  std::optional<std::vector<std::vector<Value>>> query_rows(const Statement& statement);
  void execute_select(const Statement& statement);
  void execute_change(const Statement& statement);
  // INTO; false after an abort.
  bool give(const Targets& targets, const std::vector<std::vector<Value>>& rows,
            Surplus surplus);

  // --- control flow (machine_flow.cpp) ---

  void execute_if(const Statement& statement);
  // False after an abort.
  bool count_iteration();
  // The statement stays the current one of its block until the loop ends.
  void execute_while(const Statement& statement);
  std::optional<std::int64_t> bound(const ExpressionPtr& expression, std::string_view what);
  void begin_range(const Statement& statement);
  void begin_query(const Statement& statement);
  void begin_each(const Statement& statement);
  void begin_items(const Statement& statement, std::vector<Value> items);
  // At the end of a block: the next round of a loop, or out.
  void leave_block();
  static bool has_round(const Frame& frame);
  bool begin_round(Frame& frame);
  // Out of the innermost frame, which is a loop; FOR then says whether it had a round.
  void leave_loop();
  void execute_jump(const Statement& statement);
  void execute_return(const Statement& statement);
  void execute_raise(const Statement& statement);
  void execute_assert(const Statement& statement);

  // --- on a server (machine_server.cpp) ---

  // The answer to the next question of the statement; absent if it has still to be asked.
  std::optional<StatementAnswer> answer_of(AsksServer what);
  std::optional<StatementAnswer> answer_of(const Statement& statement);
  // Does the server compute this?
  bool is_servers(const Expression& expression) const;
  std::optional<Value> servers_value(const Expression& expression);
  void execute_protect(const Statement& statement);
  void execute_savepoint(const Statement& statement);
  void execute_lock(const Statement& statement);

  // The innermost frame with a handler for it; absent if there is none.
  struct Rescue {
    std::size_t frame;
    const Handler* handler;
  };

  std::optional<Rescue> rescue_from(std::string_view sqlstate) const;
  void rescue(const Rescue& rescue, Fault fault);
  // In a script: goes to the next ROLLBACK TO of a savepoint that there is.
  bool passes_over();
  void pop_frame();
  std::string savepoint_of(std::size_t frame) const;

  // Runs `act(execution)`; true if it came to an end.  Otherwise the machine knows what to
  // ask for, or has aborted.
  template <class Act>
  bool completes(Act act) {
    StatementExecution execution{.view = View(*program, granularity, own, answers)};
    execution.context.variables = variables;
    execution.context.found = found;
    execution.context.row_count = row_count;
    execution.context.work = work;
    execution.context.work_max = limits.work;
    connect_queries(execution);
    act(execution);
    Context& context = execution.context;
    work = context.work;
    if (context.is_waiting) {
      wanted = std::move(execution.view.missing_keys);
      wanted_next = 0;
      wanted_universes = std::move(execution.view.missing_universes);
      ISOMER_ASSERT(!wanted_universes.empty() || !wanted.empty());
      return false;
    }
    if (!context.fault) return true;
    abort(std::move(*context.fault));
    return false;
  }
};

}  // namespace isomer::program
