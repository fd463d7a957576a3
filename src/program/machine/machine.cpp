// SPDX-License-Identifier: MIT
// The interpreter.  Where it is, is a stack of blocks; each frame is a position in one, and
// if the block is the body of a loop, the state of that loop.  A statement is executed as a
// pure function of the variables and of the answers it got (execution.h).  If it lacks
// some, the machine asks for them one by one and then executes the statement again from its
// start; when it finishes, the answers are forgotten and its writes are handed out.
#include "program/machine/machine.h"

#include <algorithm>

#include "base/assert.h"
#include "program/machine/machine_state.h"

namespace isomer::program {

Step Machine::State::next() {
  while (true) {
    if (!asked_between.empty()) return asked_between.front();
    if (asked) return *asked;
    if (end) return *end;
    if (writes_next < writes.size()) return hand_out_write();
    if (!wanted_universes.empty())
      return WantsUniverse{.table = wanted_universes.back().first,
                           .at = at,
                           .prefix = wanted_universes.back().second};
    if (wanted_next < wanted.size()) return WantsRead{.key = wanted[wanted_next], .at = at};
    advance();
  }
}

Step Machine::State::hand_out_write() {
  auto& [key, value] = writes[writes_next++];
  return WritesKey{.key = std::move(key), .value = std::move(value), .at = at};
}

void Machine::State::advance() {
  server_answers_used = 0;
  if (initialized < variables.size()) return initialize();
  if (frames.empty()) {
    if (type->result.kind != TypeKind::Any)
      return abort("2F005", "control reached end of function without RETURN");
    end = Commits{};
    return;
  }
  Frame& frame = frames.back();
  if (frame.position < frame.block->size())
    execute((*frame.block)[frame.position]);
  else
    leave_block();
}

void Machine::State::forget_answers() {
  answers = {};
  server_answers.clear();
  server_answers_used = 0;
}

void Machine::State::finish_statement() {
  forget_answers();
  if (!frames.empty()) ++frames.back().position;
}

void Machine::State::abort(Fault fault) {
  if (is_on_server && !fault.is_limit) {
    if (fault.at.last == 0) fault.at = at;
    if (const auto handler = rescue_from(fault.handled_as()))
      return rescue(*handler, std::move(fault));
    if (passes_over()) return;
  }
  end = Aborts{.reason = std::move(fault.reason),
               .sqlstate = std::move(fault.sqlstate),
               .at = fault.at.last != 0 ? fault.at : at,
               .is_limit = fault.is_limit,
               .number = fault.number,
               .condition = std::move(fault.condition)};
  frames.clear();
}

void Machine::State::abort(std::string sqlstate, std::string reason) {
  abort(Fault{.reason = std::move(reason), .sqlstate = std::move(sqlstate), .at = at});
}

Machine::Machine(const Program& program, const Call& call, std::vector<Value> arguments,
                 Granularity granularity, MachineLimits limits)
    : state_(std::make_shared<State>()) {
  ISOMER_ASSERT(call.type < program.types.size());
  state_->program = &program;
  state_->type = &program.types[call.type];
  state_->granularity = granularity;
  state_->limits = limits;
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
  ISOMER_ASSERT(!state.wanted_universes.empty());
  const auto [id, prefix] = std::move(state.wanted_universes.back());
  state.wanted_universes.pop_back();
  state.answers.universes[prefix] =
      universe_among(state.program->tables[id.index], prefix, universe);
  state.wanted.clear();
  state.wanted_next = 0;
}

Value Machine::local(std::string_view name) const {
  for (std::size_t i = 0; i < state_->type->variables.size(); ++i)
    if (state_->type->variables[i].name == name) return state_->variables[i];
  return {};
}

}  // namespace isomer::program
