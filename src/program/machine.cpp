// SPDX-License-Identifier: MIT
// The interpreter.  Where it is, is a stack of blocks; each frame is a position in one, and
// if the block is the body of a loop, the state of that loop.  A statement is executed as a
// pure function of the variables and of the answers it got (execution.h).  If it lacks
// some, the machine asks for them one by one and then executes the statement again from its
// start; when it finishes, the answers are forgotten and its writes are handed out.
#include "program/machine.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/execution.h"
#include "program/need.h"

namespace isomer::program {
namespace {

constexpr std::uint64_t iterations_max = 1'000'000;

struct Frame {
  const Block* block = nullptr;
  std::size_t position = 0;
  const Statement* loop = nullptr;  // whose body this is
  std::vector<Value> items{};       // ForEach: elements; ForQuery: rows
  std::size_t item = 0;             // the next one
  std::int64_t number = 0;          // ForRange: the current one
  std::int64_t limit = 0;
  std::int64_t step = 0;
};

}  // namespace

struct Machine::State {
  const Program* program = nullptr;
  const TransactionType* type = nullptr;
  Granularity granularity = Granularity::Row;
  std::vector<Value> variables;
  std::size_t initialized = 0;  // variables that have their initial value
  bool found = false;
  std::vector<Frame> frames;
  std::uint64_t iterations = 0;
  OwnWrites own;

  Answers answers;
  std::vector<KeyName> wanted;
  std::size_t wanted_next = 0;
  std::optional<TableId> wanted_universe;

  std::vector<std::pair<KeyName, Value>> writes;
  std::size_t writes_next = 0;

  Span at;  // the statement
  std::optional<Step> end;

  // --- between statements ---

  Step next() {
    while (true) {
      if (end) return *end;
      if (writes_next < writes.size()) return hand_out_write();
      if (wanted_universe) return WantsUniverse{.table = *wanted_universe, .at = at};
      if (wanted_next < wanted.size())
        return WantsRead{.key = wanted[wanted_next], .at = at};
      advance();
    }
  }

  Step hand_out_write() {
    auto& [key, value] = writes[writes_next++];
    return WritesKey{.key = std::move(key), .value = std::move(value), .at = at};
  }

  void advance() {
    if (initialized < variables.size()) return initialize();
    if (frames.empty()) {
      end = Commits{};
      return;
    }
    Frame& frame = frames.back();
    if (frame.position < frame.block->size())
      execute((*frame.block)[frame.position]);
    else
      leave_block();
  }

  void finish_statement() {
    answers = {};
    if (!frames.empty()) ++frames.back().position;
  }

  void abort(Fault fault) {
    end = Aborts{.reason = std::move(fault.reason),
                 .sqlstate = std::move(fault.sqlstate),
                 .at = fault.at.last != 0 ? fault.at : at};
    frames.clear();
  }

  void abort(std::string sqlstate, std::string reason) {
    abort(Fault{.reason = std::move(reason), .sqlstate = std::move(sqlstate), .at = at});
  }

  // --- executions ---

  // Runs `act(execution)`; true if it came to an end.  Otherwise the machine knows what to
  // ask for, or has aborted.
  template <class Act>
  bool completes(Act act) {
    Execution execution{.view = View(*program, granularity, own, answers)};
    execution.context.variables = variables;
    execution.context.found = found;
    connect_queries(execution);
    act(execution);
    Context& context = execution.context;
    if (context.is_waiting) {
      wanted = std::move(execution.view.missing_keys);
      wanted_next = 0;
      wanted_universe = execution.view.missing_universe;
      ISOMER_ASSERT(wanted_universe || !wanted.empty());
      return false;
    }
    if (!context.fault) return true;
    abort(std::move(*context.fault));
    return false;
  }

  // The value of an expression; absent if it is not known yet.
  std::optional<Value> value_of(const Expression& expression) {
    Value out;
    const bool is_known = completes([&](Execution& execution) {
      need_columns(execution.view, expression);
      out = evaluate(expression, nullptr, execution.context);
    });
    return is_known ? std::optional(std::move(out)) : std::nullopt;
  }

  std::optional<bool> condition(const Expression& expression) {
    bool out = false;
    const bool is_known = completes([&](Execution& execution) {
      need_columns(execution.view, expression);
      out = holds(expression, nullptr, execution.context);
    });
    return is_known ? std::optional(out) : std::nullopt;
  }

  // False after an abort.
  bool assign(VariableId variable, Value value) {
    Context context;
    Value out = converted(std::move(value), type->variables[variable.index].type,
                          Conversion::Assignment, context);
    if (context.fault) {
      abort(std::move(*context.fault));
      return false;
    }
    variables[variable.index] = std::move(out);
    return true;
  }

  bool assign_row(const Targets& targets, const std::vector<Value>* row) {
    if (targets.is_record) {
      variables[targets.variables[0].index] = row != nullptr ? Value::list(*row) : Value();
      return true;
    }
    for (std::size_t i = 0; i < targets.variables.size(); ++i) {
      const bool has_value = row != nullptr && i < row->size();
      if (!assign(targets.variables[i], has_value ? (*row)[i] : Value())) return false;
    }
    return true;
  }

  void initialize() {
    const Variable& variable = type->variables[initialized];
    at = variable.at;
    if (!variable.is_parameter && variable.initial) {
      const auto value = value_of(*variable.initial);
      if (!value) return;
      if (!assign({static_cast<std::uint32_t>(initialized)}, *value)) return;
      answers = {};
    }
    ++initialized;
  }

  // --- statements ---

  void execute(const Statement& statement) {
    at = statement.at;
    switch (statement.kind) {
      case Statement::Kind::Assign:
        return execute_assign(statement);
      case Statement::Kind::ReadKey:
        return execute_read(statement);
      case Statement::Kind::WriteKey:
        return execute_write(statement);
      case Statement::Kind::Select:
        return execute_select(statement);
      case Statement::Kind::Insert:
        return change(
            statement.insert->into,
            [&](Execution& run) { return insert(run, *statement.insert); },
            [&](View& view) { need_columns(view, *statement.insert); });
      case Statement::Kind::Update:
        return change(
            statement.update->into,
            [&](Execution& run) { return update(run, *statement.update); },
            [&](View& view) { need_columns(view, *statement.update); });
      case Statement::Kind::Delete:
        return change(
            statement.erase->into,
            [&](Execution& run) { return erase(run, *statement.erase); },
            [&](View& view) { need_columns(view, *statement.erase); });
      case Statement::Kind::If:
        return execute_if(statement);
      case Statement::Kind::While:
        return execute_while(statement);
      case Statement::Kind::ForRange:
        return begin_range(statement);
      case Statement::Kind::ForQuery:
        return begin_query(statement);
      case Statement::Kind::ForEach:
        return begin_each(statement);
      case Statement::Kind::Exit:
      case Statement::Kind::Continue:
        return execute_jump(statement);
      case Statement::Kind::Return:
        return execute_return(statement);
      case Statement::Kind::Raise:
        return execute_raise(statement);
      case Statement::Kind::Abort:
        return abort("", "the transaction aborts itself");
      case Statement::Kind::Assert:
        return execute_assert(statement);
    }
    ISOMER_UNREACHABLE();
  }

  void execute_assign(const Statement& statement) {
    const auto value = value_of(*statement.value);
    if (!value) return;
    if (statement.field) {
      assign_field(statement, *value);
    } else if (!assign(statement.variable, *value)) {
      return;
    }
    finish_statement();
  }

  void assign_field(const Statement& statement, Value value) {
    Value& record = variables[statement.variable.index];
    std::vector<Value> items(record.items().begin(), record.items().end());
    items.resize(
        std::max<std::size_t>({items.size(), *statement.field + std::size_t{1},
                               type->variables[statement.variable.index].fields.size()}));
    items[*statement.field] = std::move(value);
    record = Value::list(std::move(items));
  }

  // The key of a litmus access; absent after an abort.
  std::optional<KeyName> key_of(const Statement& statement) {
    const auto key = value_of(*statement.key);
    if (!key) return std::nullopt;
    if (const auto* text = key->get_if<std::string>()) return *text;
    abort("", fmt::format("a key must be a string, but is {}",
                          key->is_null() ? "null" : to_text(*key)));
    return std::nullopt;
  }

  void execute_read(const Statement& statement) {
    const auto key = key_of(statement);
    if (!key) return;
    Value value;
    const bool is_known = completes([&](Execution& execution) {
      value = execution.view.value(*key, execution.context);
    });
    if (!is_known) return;
    variables[statement.variable.index] = std::move(value);
    finish_statement();
  }

  void execute_write(const Statement& statement) {
    const auto key = key_of(statement);
    if (!key) return;
    const auto value = value_of(*statement.value);
    if (!value) return;
    write({{*key, *value}});
    finish_statement();
  }

  void write(std::vector<std::pair<KeyName, Value>> changes) {
    for (const auto& [key, value] : changes)
      own.insert_or_assign(key, value);
    writes = std::move(changes);
    writes_next = 0;
  }

  void execute_select(const Statement& statement) {
    std::shared_ptr<const Selected> found_rows;
    std::vector<std::pair<KeyName, Value>> changes;
    const bool is_known = completes([&](Execution& execution) {
      need_columns(execution.view, *statement.query);
      found_rows = selected(execution, *statement.query, nullptr);
      if (execution.context.is_stopped()) return;
      lock_selected(execution, *statement.query, *found_rows);
      changes = execution.view.writes(execution.context);
    });
    if (!is_known || !give(statement.targets, found_rows->rows, Surplus::Ignored)) return;
    found = !found_rows->rows.empty();
    write(std::move(changes));
    finish_statement();
  }

  // INTO; false after an abort.  A second row is an error if the target is strict, and
  // always for RETURNING.
  enum class Surplus : std::uint8_t { Ignored, Refused };

  bool give(const Targets& targets, const std::vector<std::vector<Value>>& rows,
            Surplus surplus) {
    if (targets.variables.empty()) return true;
    if (rows.empty() && targets.is_strict) {
      abort("P0002", "query returned no rows");
      return false;
    }
    if (rows.size() > 1 && (targets.is_strict || surplus == Surplus::Refused)) {
      abort("P0003", "query returned more than one row");
      return false;
    }
    return assign_row(targets, rows.empty() ? nullptr : &rows[0]);
  }

  template <class Act, class Need>
  void change(const Targets& into, Act act, Need need) {
    Affected affected;
    std::vector<std::pair<KeyName, Value>> changes;
    const bool is_known = completes([&](Execution& execution) {
      need(execution.view);
      affected = act(execution);
      if (!execution.context.is_stopped())
        changes = execution.view.writes(execution.context);
    });
    if (!is_known || !give(into, affected.returned, Surplus::Refused)) return;
    found = affected.count > 0;
    write(std::move(changes));
    finish_statement();
  }

  // --- control flow ---

  void execute_if(const Statement& statement) {
    const auto chosen = condition(*statement.value);
    if (!chosen) return;
    finish_statement();
    frames.push_back({.block = *chosen ? &statement.body : &statement.otherwise});
  }

  // False after an abort.
  bool count_iteration() {
    if (++iterations <= iterations_max) return true;
    abort("54000", fmt::format("the loops of the transaction ran more than {} times",
                               iterations_max));
    return false;
  }

  // The statement stays the current one of its block until the loop ends.
  void execute_while(const Statement& statement) {
    const auto goes_on = condition(*statement.value);
    if (!goes_on) return;
    if (!*goes_on) return finish_statement();
    answers = {};
    if (count_iteration()) frames.push_back({.block = &statement.body, .loop = &statement});
  }

  std::optional<std::int64_t> bound(const ExpressionPtr& expression,
                                    std::string_view what) {
    const auto value = value_of(*expression);
    if (!value) return std::nullopt;
    const Type integer{
        .kind = TypeKind::Int4, .precision = {}, .scale = 0, .length_max = {}};
    Context context;
    const Value number = converted(*value, integer, Conversion::Assignment, context);
    if (context.fault)
      abort(std::move(*context.fault));
    else if (number.is_null())
      abort("22004", fmt::format("{} of FOR loop cannot be null", what));
    else
      return *number.get_if<std::int64_t>();
    return std::nullopt;
  }

  void begin_range(const Statement& statement) {
    const auto first = bound(statement.value, "lower bound");
    if (!first) return;
    const auto last = bound(statement.limit, "upper bound");
    if (!last) return;
    const auto step = statement.step ? bound(statement.step, "BY value") : 1;
    if (!step) return;
    if (*step <= 0) return abort("22023", "BY value of FOR loop must be greater than zero");
    const std::int64_t sign = statement.is_reverse ? -1 : 1;
    frames.push_back({.block = &statement.body,
                      .position = statement.body.size(),
                      .loop = &statement,
                      .number = *first - sign * *step,
                      .limit = *last,
                      .step = sign * *step});
    answers = {};
  }

  void begin_query(const Statement& statement) {
    std::shared_ptr<const Selected> rows;
    std::vector<std::pair<KeyName, Value>> changes;
    const bool is_known = completes([&](Execution& execution) {
      need_columns(execution.view, *statement.query);
      rows = selected(execution, *statement.query, nullptr);
      if (execution.context.is_stopped()) return;
      lock_selected(execution, *statement.query, *rows);
      changes = execution.view.writes(execution.context);
    });
    if (!is_known) return;
    if (rows->rows.empty() && !assign_row(statement.targets, nullptr)) return;
    std::vector<Value> items;
    for (const std::vector<Value>& row : rows->rows)
      items.push_back(Value::list(row));
    begin_items(statement, std::move(items));
    write(std::move(changes));
  }

  void begin_each(const Statement& statement) {
    const auto list = value_of(*statement.value);
    if (!list) return;
    if (list->get_if<List>() == nullptr)
      return abort("", fmt::format("'foreach' needs a list, but got {}",
                                   list->is_null() ? "null" : to_text(*list)));
    begin_items(statement, {list->items().begin(), list->items().end()});
  }

  void begin_items(const Statement& statement, std::vector<Value> items) {
    frames.push_back({.block = &statement.body,
                      .position = statement.body.size(),
                      .loop = &statement,
                      .items = std::move(items)});
    answers = {};
  }

  // At the end of a block: the next round of a loop, or out.
  void leave_block() {
    Frame& frame = frames.back();
    if (frame.loop == nullptr || frame.loop->kind == Statement::Kind::While) {
      frames.pop_back();
      return;
    }
    at = frame.loop->at;
    if (!has_round(frame)) return leave_loop();
    if (!count_iteration()) return;
    if (begin_round(frame)) frame.position = 0;
  }

  static bool has_round(const Frame& frame) {
    if (frame.loop->kind != Statement::Kind::ForRange)
      return frame.item < frame.items.size();
    const std::int64_t number = frame.number + frame.step;
    return frame.step > 0 ? number <= frame.limit : number >= frame.limit;
  }

  bool begin_round(Frame& frame) {
    if (frame.loop->kind == Statement::Kind::ForRange) {
      frame.number += frame.step;
      ++frame.item;
      return assign(frame.loop->variable, Value::integer(frame.number));
    }
    const Value item = frame.items[frame.item++];
    if (frame.loop->kind == Statement::Kind::ForEach)
      return assign(frame.loop->variable, item);
    const std::vector<Value> row(item.items().begin(), item.items().end());
    return assign_row(frame.loop->targets, &row);
  }

  // Out of the innermost frame, which is a loop; FOR then says whether it had a round.
  void leave_loop() {
    const Frame& frame = frames.back();
    if (frame.loop->kind == Statement::Kind::ForRange ||
        frame.loop->kind == Statement::Kind::ForQuery)
      found = frame.item > 0;
    frames.pop_back();
    finish_statement();
  }

  void execute_jump(const Statement& statement) {
    if (statement.value) {
      const auto jumps = condition(*statement.value);
      if (!jumps) return;
      if (!*jumps) return finish_statement();
    }
    answers = {};
    const auto is_target = [&](const Frame& frame) {
      return frame.loop != nullptr &&
             (statement.label.empty() || frame.loop->label == statement.label);
    };
    while (!frames.empty() && !is_target(frames.back())) {
      if (frames.back().loop != nullptr)
        leave_loop();
      else
        frames.pop_back();
    }
    ISOMER_ASSERT(!frames.empty());
    if (statement.kind == Statement::Kind::Exit)
      leave_loop();
    else
      frames.back().position = frames.back().block->size();
  }

  void execute_return(const Statement& statement) {
    Value result;
    if (statement.value) {
      const auto value = value_of(*statement.value);
      if (!value) return;
      Context context;
      result = converted(*value, type->result, Conversion::Assignment, context);
      if (context.fault) return abort(std::move(*context.fault));
    }
    end = Commits{.result = std::move(result)};
    frames.clear();
  }

  void execute_raise(const Statement& statement) {
    std::string message = statement.text;
    if (statement.value) {
      const auto value = value_of(*statement.value);
      if (!value) return;
      message = to_text(*value);
    }
    abort("P0001", std::move(message));
  }

  void execute_assert(const Statement& statement) {
    const auto is_true = condition(*statement.value);
    if (!is_true) return;
    if (*is_true) return finish_statement();
    end =
        FailsAssert{.message = statement.text.empty() ? "assertion failed" : statement.text,
                    .at = statement.at};
    frames.clear();
  }
};

Machine::Machine(const Program& program, const Call& call, std::vector<Value> arguments,
                 Granularity granularity)
    : state_(std::make_shared<State>()) {
  ISOMER_ASSERT(call.type < program.types.size());
  state_->program = &program;
  state_->type = &program.types[call.type];
  state_->granularity = granularity;
  ISOMER_ASSERT(arguments.size() == state_->type->parameter_count);
  state_->variables.resize(state_->type->variables.size());
  state_->frames.push_back({.block = &state_->type->body});
  state_->at = call.at;
  for (std::uint32_t i = 0; i < arguments.size(); ++i)
    if (!state_->assign({i}, std::move(arguments[i]))) return;
}

Machine::State& Machine::own_state() {
  if (state_.use_count() > 1) state_ = std::make_shared<State>(*state_);
  return *state_;
}

Step Machine::next() {
  return own_state().next();
}

void Machine::answer(Value value) {
  State& state = own_state();
  ISOMER_ASSERT(state.wanted_next < state.wanted.size());
  state.answers.values.emplace(std::move(state.wanted[state.wanted_next++]),
                               std::move(value));
}

void Machine::answer(std::vector<KeyName> universe) {
  State& state = own_state();
  ISOMER_ASSERT(state.wanted_universe);
  const TableId id = *state.wanted_universe;
  std::vector<PrimaryKey> keys;
  keys.reserve(universe.size());
  for (const KeyName& name : universe)
    if (auto key = parse_row_key(state.program->tables[id.index], name))
      keys.push_back(std::move(*key));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  state.answers.universes[id] =
      std::make_shared<const std::vector<PrimaryKey>>(std::move(keys));
  state.wanted_universe.reset();
  state.wanted.clear();
  state.wanted_next = 0;
}

Value Machine::local(std::string_view name) const {
  for (std::size_t i = 0; i < state_->type->variables.size(); ++i)
    if (state_->type->variables[i].name == name) return state_->variables[i];
  return {};
}

}  // namespace isomer::program
