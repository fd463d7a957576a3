// SPDX-License-Identifier: MIT
#include "database/schedule.h"

#include <algorithm>
#include <optional>

#include "base/assert.h"
#include "program/machine/serial.h"

namespace isomer::database {
namespace {

using program::AsksServer;

// As the program has it, on one line, without the semicolon.
std::string source_text(const program::Program& program, program::Span at) {
  std::string out;
  for (std::size_t i = at.first; i < at.last && i < program.source.size(); ++i) {
    const char c = program.source[i];
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ') || out.ends_with(';'))
    out.pop_back();
  return out;
}

// At the beginning or the end of an EXCEPTION block, and no statement of the program.
bool is_of_block(const AsksServer& what) {
  return what.kind != AsksServer::Kind::Statement && what.kind != AsksServer::Kind::Value &&
         what.statement == nullptr;
}

}  // namespace

struct ScheduleRun::State {
  // Where a session is.
  struct Place : CallPlace {
    std::optional<program::Machine> machine{};  // none: behind the last call
    program::Step next{};                       // of the machine
    bool is_begun = false;
    bool has_failed = false;  // the last statement, with an error of the server
    std::optional<std::size_t> waits_in{};  // the entry
  };

  const Scenario& scenario;
  Server& server;
  std::vector<Place> places{};
  std::vector<ScheduleStep> steps{};
  std::vector<std::vector<CallEnd>> calls{};

  [[nodiscard]] const std::vector<program::Call>& calls_of(SessionIndex session) const {
    return scenario.program.sessions[session].calls;
  }

  void start(SessionIndex session);
  Reply ask(SessionIndex session);
  void receive(SessionIndex session, Reply reply);
  void answer(Place& place, Reply reply);
  void go_on(SessionIndex session);
  void end(SessionIndex session, const Reply& reply);
  void wake();
};

// The machine of the call that is next, up to its first entry.
void ScheduleRun::State::start(SessionIndex session) {
  Place& place = places[session];
  place.machine.reset();
  place.is_begun = false;
  place.has_failed = false;
  if (place.call >= calls_of(session).size()) return;
  const program::Call& call = calls_of(session)[place.call];
  place.machine =
      program::Machine::on_server(scenario.program, call, program::argument_values(call));
  place.next = place.machine->next();
}

// Asks for what is next, and first for the savepoints before it.
Reply ScheduleRun::State::ask(SessionIndex session) {
  Place& place = places[session];
  if (!place.is_begun) {
    place.is_begun = true;
    const auto type = calls_of(session)[place.call].type;
    if (Reply reply = server.begin(session, scenario.begin[type]);
        reply.kind == Reply::Kind::Failed)
      return reply;
  }
  while (const auto* what = std::get_if<AsksServer>(&place.next)) {
    Reply reply = server.ask(session, *what, place.machine->bindings());
    if (!is_of_block(*what)) return reply;
    answer(place, std::move(reply));
  }
  return std::holds_alternative<program::Commits>(place.next) ? server.commit(session)
                                                              : server.rollback(session);
}

void ScheduleRun::State::answer(Place& place, Reply reply) {
  place.has_failed = reply.kind == Reply::Kind::Failed;
  if (place.has_failed)
    place.machine->fail(std::move(reply.fault));
  else
    place.machine->answer({.rows = std::move(reply.rows), .count = reply.count});
  place.next = place.machine->next();
}

// A final reply, for the entry in which the session is.  Whoever cannot commit gives up.
void ScheduleRun::State::receive(SessionIndex session, Reply reply) {
  Place& place = places[session];
  if (!std::holds_alternative<AsksServer>(place.next)) {
    if (reply.goes_on) server.rollback(session);
    return end(session, reply);
  }
  answer(place, std::move(reply));
  go_on(session);
}

// What belongs to the entry that is over: savepoints of blocks, and the end of a
// transaction that failed.
void ScheduleRun::State::go_on(SessionIndex session) {
  Place& place = places[session];
  while (const auto* what = std::get_if<AsksServer>(&place.next)) {
    if (!is_of_block(*what) || what->kind == AsksServer::Kind::Savepoint) return;
    answer(place, server.ask(session, *what, place.machine->bindings()));
  }
  const bool is_over = !std::holds_alternative<program::Commits>(place.next);
  if (is_over && place.has_failed) end(session, server.rollback(session));
}

void ScheduleRun::State::end(SessionIndex session, const Reply& reply) {
  Place& place = places[session];
  const std::uint32_t call = place.call;
  calls[session][call] =
      end_call(scenario.program.sessions[session], place.next, reply, place);
  start(session);
}

// Who is woken may go on and end, which may wake others.
void ScheduleRun::State::wake() {
  for (auto replies = server.woken(); !replies.empty(); replies = server.woken())
    for (auto& [session, reply] : replies) {
      Place& place = places[session];
      ISOMER_ASSERT(place.waits_in);
      ScheduleStep& step = steps[*place.waits_in];
      place.waits_in.reset();
      step.reply = reply;
      step.woken_by = steps.size() - 1;
      receive(session, std::move(reply));
    }
}

namespace {

CallEnd end_of(const program::Step& last, const Reply& reply) {
  CallEnd out{.kind = CallEnd::Kind::RolledBack};
  if (reply.kind == Reply::Kind::Failed) {
    out.fault = reply.fault;
  } else if (const auto* commit = std::get_if<program::Commits>(&last)) {
    out.kind = CallEnd::Kind::Committed;
    out.result = commit->result;
  } else if (const auto* abort = std::get_if<program::Aborts>(&last)) {
    out.fault = {.reason = abort->reason,
                 .sqlstate = abort->sqlstate,
                 .at = abort->at,
                 .is_limit = abort->is_limit,
                 .number = abort->number,
                 .condition = abort->condition};
  } else if (const auto* assertion = std::get_if<program::FailsAssert>(&last)) {
    out.has_failed_assert = true;
    out.fault = {.reason = assertion->message, .sqlstate = "P0004", .at = assertion->at};
  }
  return out;
}

}  // namespace

CallEnd end_call(const program::Session& session, const program::Step& last,
                 const Reply& reply, CallPlace& place) {
  CallEnd out = end_of(last, reply);
  out.attempts = ++place.attempt;
  const bool again = out.kind == CallEnd::Kind::RolledBack && may_be_retried(out.fault) &&
                     place.attempt <= session.retry;
  if (!again) place = {.call = place.call + 1};
  return out;
}

ScheduleStep described(const program::Program& program, const program::Step& next) {
  ScheduleStep out;
  if (const auto* what = std::get_if<AsksServer>(&next)) {
    out.at = what->at;
    out.text = source_text(program, what->at);
  } else if (std::holds_alternative<program::Commits>(next)) {
    out.kind = ScheduleStep::Kind::Commit;
    out.text = "COMMIT";
  } else {
    out.kind = ScheduleStep::Kind::Rollback;
    out.text = "ROLLBACK";
    if (const auto* abort = std::get_if<program::Aborts>(&next)) out.at = abort->at;
  }
  return out;
}

ScheduleRun::ScheduleRun(const Scenario& scenario, Server& server)
    : state_(std::make_unique<State>(State{.scenario = scenario, .server = server})) {
  const auto& sessions = scenario.program.sessions;
  ISOMER_ASSERT(scenario.begin.size() == scenario.program.types.size());
  state_->places.resize(sessions.size());
  for (SessionIndex i = 0; i < sessions.size(); ++i) {
    state_->calls.emplace_back(sessions[i].calls.size());
    state_->start(i);
  }
}

ScheduleRun::~ScheduleRun() = default;
ScheduleRun::ScheduleRun(ScheduleRun&& other) noexcept = default;

std::vector<SessionIndex> ScheduleRun::runnable() const {
  std::vector<SessionIndex> out;
  for (SessionIndex i = 0; i < state_->places.size(); ++i)
    if (state_->places[i].machine && !state_->places[i].waits_in) out.push_back(i);
  return out;
}

std::vector<SessionIndex> ScheduleRun::waiting() const {
  std::vector<SessionIndex> out;
  for (SessionIndex i = 0; i < state_->places.size(); ++i)
    if (state_->places[i].waits_in) out.push_back(i);
  return out;
}

// A copy of the machine finds out what is behind a savepoint.
ScheduleStep ScheduleRun::next(SessionIndex session) const {
  const State::Place& place = state_->places[session];
  program::Machine machine = *place.machine;
  program::Step next = place.next;
  const auto* what = std::get_if<AsksServer>(&next);
  for (; what != nullptr && is_of_block(*what); what = std::get_if<AsksServer>(&next)) {
    machine.answer(program::StatementAnswer{});
    next = machine.next();
  }
  ScheduleStep words = described(state_->scenario.program, next);
  words.session = session;
  words.call = place.call;
  words.attempt = place.attempt;
  return words;
}

void ScheduleRun::step(SessionIndex session) {
  State::Place& place = state_->places[session];
  ISOMER_ASSERT(place.machine && !place.waits_in);
  state_->steps.push_back(next(session));
  const std::size_t index = state_->steps.size() - 1;
  Reply reply = state_->ask(session);
  state_->steps[index].reply = reply;
  if (reply.kind == Reply::Kind::Waits) {
    state_->steps[index].waited_for = std::move(reply.waits_for);
    place.waits_in = index;
  } else {
    state_->receive(session, std::move(reply));
  }
  state_->wake();
}

const std::vector<ScheduleStep>& ScheduleRun::steps() const {
  return state_->steps;
}

const std::vector<std::vector<CallEnd>>& ScheduleRun::calls() const {
  return state_->calls;
}

std::vector<SessionIndex> ScheduleRun::schedule() const {
  std::vector<SessionIndex> out;
  for (const ScheduleStep& step : state_->steps)
    out.push_back(step.session);
  return out;
}

std::vector<std::vector<std::vector<program::Value>>> ScheduleRun::committed_rows() const {
  return state_->server.committed_rows();
}

}  // namespace isomer::database
