// SPDX-License-Identifier: MIT
// IF, loops, jumps and the ends of a transaction.
#include <fmt/format.h>

#include "program/machine/machine_state.h"

namespace isomer::program {

void Machine::State::execute_if(const Statement& statement) {
  const auto chosen = condition(*statement.value);
  if (!chosen) return;
  finish_statement();
  frames.push_back({.block = *chosen ? &statement.body : &statement.otherwise});
}

bool Machine::State::count_iteration() {
  if (++iterations <= limits.iterations) return true;
  abort(Fault{.reason = fmt::format("the loops of the transaction ran more than {} times",
                                    limits.iterations),
              .sqlstate = "54000",
              .at = at,
              .is_limit = true});
  return false;
}

void Machine::State::execute_while(const Statement& statement) {
  const auto goes_on = condition(*statement.value);
  if (!goes_on) return;
  if (!*goes_on) return finish_statement();
  forget_answers();
  if (count_iteration()) frames.push_back({.block = &statement.body, .loop = &statement});
}

std::optional<std::int64_t> Machine::State::bound(const ExpressionPtr& expression,
                                                  std::string_view what) {
  const auto value = value_of(*expression);
  if (!value) return std::nullopt;
  const Type integer{.kind = TypeKind::Int4,
                     .precision = {},
                     .scale = 0,
                     .length_max = {},
                     .is_padded = false};
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

void Machine::State::begin_range(const Statement& statement) {
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
  forget_answers();
}

void Machine::State::begin_query(const Statement& statement) {
  const auto rows = query_rows(statement);
  if (!rows) return;
  if (rows->empty() && !assign_row(statement.targets, nullptr)) return;
  std::vector<Value> items;
  for (const std::vector<Value>& row : *rows)
    items.push_back(Value::list(row));
  begin_items(statement, std::move(items));
}

void Machine::State::begin_each(const Statement& statement) {
  const auto list = value_of(*statement.value);
  if (!list) return;
  if (list->is_null() && statement.value->type.kind == TypeKind::Array)
    return abort("22004", "FOREACH expression must not be null");
  if (list->get_if<List>() == nullptr)
    return abort("", fmt::format("'foreach' needs a list, but got {}",
                                 list->is_null() ? "null" : to_text(*list)));
  begin_items(statement, {list->items().begin(), list->items().end()});
}

void Machine::State::begin_items(const Statement& statement, std::vector<Value> items) {
  frames.push_back({.block = &statement.body,
                    .position = statement.body.size(),
                    .loop = &statement,
                    .items = std::move(items)});
  forget_answers();
}

void Machine::State::leave_block() {
  Frame& frame = frames.back();
  if (frame.loop == nullptr || frame.loop->kind == Statement::Kind::While) {
    pop_frame();
    return;
  }
  at = frame.loop->at;
  if (!has_round(frame)) return leave_loop();
  if (!count_iteration()) return;
  if (begin_round(frame)) frame.position = 0;
}

bool Machine::State::has_round(const Frame& frame) {
  if (frame.loop->kind != Statement::Kind::ForRange) return frame.item < frame.items.size();
  const std::int64_t number = frame.number + frame.step;
  return frame.step > 0 ? number <= frame.limit : number >= frame.limit;
}

bool Machine::State::begin_round(Frame& frame) {
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

void Machine::State::leave_loop() {
  const Frame& frame = frames.back();
  if (frame.loop->kind != Statement::Kind::While) found = frame.item > 0;
  frames.pop_back();
  finish_statement();
}

void Machine::State::execute_jump(const Statement& statement) {
  if (statement.value) {
    const auto jumps = condition(*statement.value);
    if (!jumps) return;
    if (!*jumps) return finish_statement();
  }
  forget_answers();
  const auto is_target = [&](const Frame& frame) {
    return frame.loop != nullptr &&
           (statement.label.empty() || frame.loop->label == statement.label);
  };
  while (!frames.empty() && !is_target(frames.back())) {
    if (frames.back().loop != nullptr)
      leave_loop();
    else
      pop_frame();
  }
  ISOMER_ASSERT(!frames.empty());
  if (statement.kind == Statement::Kind::Exit)
    leave_loop();
  else
    frames.back().position = frames.back().block->size();
}

void Machine::State::execute_return(const Statement& statement) {
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

void Machine::State::execute_raise(const Statement& statement) {
  if (statement.raises_again)
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
      if (frame->handled) return abort(Fault(*frame->handled));
  std::string message = statement.text;
  if (statement.value) {
    const auto value = value_of(*statement.value);
    if (!value) return;
    message = to_text(*value);
  }
  abort(statement.sqlstate.empty() ? "P0001" : statement.sqlstate, std::move(message));
}

void Machine::State::execute_assert(const Statement& statement) {
  const auto is_true = condition(*statement.value);
  if (!is_true) return;
  if (*is_true) return finish_statement();
  std::string message = statement.text.empty() ? "assertion failed" : statement.text;
  if (const auto found_handler = rescue_from("P0004"))
    return rescue(*found_handler,
                  {.reason = std::move(message), .sqlstate = "P0004", .at = statement.at});
  end = FailsAssert{.message = std::move(message), .at = statement.at};
  frames.clear();
}

}  // namespace isomer::program
