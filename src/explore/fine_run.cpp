// SPDX-License-Identifier: MIT
#include "explore/fine_run.h"

#include <algorithm>

#include "base/assert.h"
#include "program/machine/serial.h"

namespace isomer::explore {

using database::Footprint;
using database::Reply;
using database::Task;
using program::AsksServer;

namespace {

Task task_of(const FineRun::Session& session) {
  const auto* what = std::get_if<AsksServer>(&session.next);
  if (what == nullptr)
    return {.kind = std::holds_alternative<program::Commits>(session.next)
                        ? Task::Kind::Commit
                        : Task::Kind::RollBack};
  const program::Bindings bindings = session.machine->bindings();
  return {.kind = Task::Kind::Ask,
          .what = *what,
          .variables = {bindings.variables.begin(), bindings.variables.end()},
          .found = bindings.found,
          .row_count = bindings.row_count};
}

// Is it asleep in a circle of waits, and one that the server may choose to end it?
bool can_be_victim(const FineRun& run, SessionIndex session) {
  const auto circle = run.server->circle_of(session);
  if (circle.empty()) return false;
  const auto victims = run.server->victims_of(circle);
  return std::find(victims.begin(), victims.end(), session) != victims.end();
}

}  // namespace

FineRuns::FineRuns(const Scenario& scenario, OnReply on_reply, Log log)
    : scenario_(scenario), on_reply_(std::move(on_reply)), log_(log) {}

// --- the start ---

FineRun FineRuns::start() const {
  const std::size_t count = scenario_.program.sessions.size();
  const auto server =
      log_ == Log::With ? database::recorded_server : database::stepped_server;
  FineRun run{
      .server = database::ServerState(server(scenario_.server, scenario_.program, count)),
      .sessions = {}};
  run.sessions.resize(count);
  Footprint touched;
  for (SessionIndex session = 0; session < count; ++session) {
    run.sessions[session].ends.resize(scenario_.program.sessions[session].calls.size());
    start_call(run, session);
    start_next(run, session, touched);
  }
  return run;
}

void FineRuns::start_call(FineRun& run, SessionIndex session) const {
  FineRun::Session& place = run.sessions[session];
  const auto& calls = scenario_.program.sessions[session].calls;
  place.machine.reset();
  place.is_begun = false;
  place.has_failed = false;
  if (place.call >= calls.size()) return;
  const program::Call& call = calls[place.call];
  place.machine =
      program::Machine::on_server(scenario_.program, call, program::argument_values(call));
  place.next = place.machine->next();
}

// Statements are begun as soon as they can be; nobody notices that before their first step.
// ROLLBACK is a step itself.
void FineRuns::start_next(FineRun& run, SessionIndex session, Footprint& touched) const {
  FineRun::Session& place = run.sessions[session];
  while (place.machine && !run.server->is_working(session)) {
    if (!std::holds_alternative<AsksServer>(place.next) &&
        !std::holds_alternative<program::Commits>(place.next))
      return;
    if (!place.is_begun) {
      place.is_begun = true;
      const auto& call = scenario_.program.sessions[session].calls[place.call];
      run.server->begin(session, scenario_.begin[call.type]);
    }
    if (auto reply = run.server->start(session, task_of(place)))
      receive(run, session, std::move(*reply), touched);
  }
}

// --- as the search wants them ---

bool FineRuns::is_asleep(const FineRun& run, SessionIndex session) {
  return run.server->is_asleep(session);
}

std::vector<SessionIndex> FineRuns::victims(const FineRun& run) {
  std::vector<SessionIndex> out;
  for (SessionIndex session = 0; session < run.sessions.size(); ++session)
    if (can_be_victim(run, session)) out.push_back(session);
  return out;
}

std::vector<SessionIndex> FineRuns::sessions(const FineRun& run) const {
  std::vector<SessionIndex> out;
  for (SessionIndex session = 0; session < run.sessions.size(); ++session) {
    if (!run.sessions[session].machine) continue;
    const bool can_move = run.server->blockers(session).empty() ||
                          !is_asleep(run, session) || can_be_victim(run, session);
    if (can_move) out.push_back(session);
  }
  return out;
}

std::vector<SessionIndex> FineRuns::waits_for(const FineRun& run,
                                              SessionIndex session) const {
  return run.server->blockers(session);
}

std::size_t FineRuns::choices(const FineRun& run, SessionIndex session) const {
  const bool steps =
      run.server->is_working(session) && run.server->blockers(session).empty();
  return steps ? run.server->choices(session) : 1;
}

Footprint FineRuns::move(FineRun& run, const Move& move) const {
  Footprint touched;
  do_move(run, move, touched);
  start_next(run, move.session, touched);
  if (run.server->breaks_circles_at_once()) break_circles(run, touched);
  return touched;
}

void FineRuns::break_circles(FineRun& run, Footprint& touched) const {
  for (auto circle = run.server->any_circle(); !circle.empty();
       circle = run.server->any_circle()) {
    const SessionIndex victim = run.server->victims_of(circle)[0];
    receive(run, victim, run.server->fail_as_victim(victim, touched), touched);
    start_next(run, victim, touched);
  }
}

void FineRuns::do_move(FineRun& run, const Move& move, Footprint& touched) const {
  const SessionIndex session = move.session;
  FineRun::Session& place = run.sessions[session];
  if (!run.server->is_working(session)) {
    const Reply reply =
        place.is_begun ? at_once(run, session, task_of(place), touched) : Reply{};
    end(run, session, reply);
  } else if (run.server->blockers(session).empty()) {
    if (move.choice != 0) run.server->choose(session, move.choice);
    if (auto reply = run.server->step(session, touched))
      receive(run, session, std::move(*reply), touched);
  } else if (!is_asleep(run, session)) {
    run.server->sleep(session, touched);
  } else {
    receive(run, session, run.server->fail_as_victim(session, touched), touched);
  }
}

Fingerprint FineRuns::fingerprint(const FineRun& run) const {
  Digest digest;
  for (const FineRun::Session& session : run.sessions)
    digest.add(session.past);
  digest.add(run.midway ? 1 + *run.midway : 0);
  run.server->add_to(digest);
  return digest.fingerprint();
}

Fingerprint FineRuns::digest(const Footprint& footprint) const {
  return database::fingerprint(scenario_.program, footprint);
}

bool FineRuns::conflict(const Footprint& a, const Footprint& b) {
  return database::conflict(a, b);
}

// --- replies ---

void FineRuns::answer(FineRun& run, SessionIndex session, Reply reply) const {
  FineRun::Session& place = run.sessions[session];
  if (on_reply_) on_reply_(session, place, reply);
  Digest digest;
  digest.add(place.past);
  database::add_reply(digest, reply);
  place.past = digest.fingerprint();
  place.has_failed = reply.kind == Reply::Kind::Failed;
  if (place.has_failed)
    place.machine->fail(std::move(reply.fault));
  else
    place.machine->answer({.rows = std::move(reply.rows), .count = reply.count});
  place.next = place.machine->next();
}

// A reply to what is next.
void FineRuns::receive(FineRun& run, SessionIndex session, Reply reply,
                       Footprint& touched) const {
  if (!std::holds_alternative<AsksServer>(run.sessions[session].next)) {
    if (reply.goes_on) at_once(run, session, {.kind = Task::Kind::RollBack}, touched);
    return end(run, session, reply);
  }
  answer(run, session, std::move(reply));
  go_on(run, session, touched);
}

Reply FineRuns::at_once(FineRun& run, SessionIndex session, Task task,
                        Footprint& touched) const {
  if (auto reply = run.server->start(session, std::move(task))) return *reply;
  ISOMER_ASSERT(run.server->blockers(session).empty());
  Footprint also;
  auto reply = run.server->step(session, also);
  ISOMER_ASSERT(reply);
  database::add_footprint(touched, std::move(also));
  return std::move(*reply);
}

// What goes with a statement that is over: the ends of savepoints, and of a transaction
// that failed.
void FineRuns::go_on(FineRun& run, SessionIndex session, Footprint& touched) const {
  FineRun::Session& place = run.sessions[session];
  while (const auto* what = std::get_if<AsksServer>(&place.next)) {
    const bool is_of_block =
        what->statement == nullptr && (what->kind == AsksServer::Kind::RollbackTo ||
                                       what->kind == AsksServer::Kind::Release);
    if (!is_of_block) return;
    answer(run, session, at_once(run, session, task_of(place), touched));
  }
  const bool is_over = !std::holds_alternative<program::Commits>(place.next);
  if (is_over && place.has_failed) {
    const Reply reply = at_once(run, session, task_of(place), touched);
    end(run, session, reply);
  }
}

void FineRuns::end(FineRun& run, SessionIndex session, const Reply& reply) const {
  FineRun::Session& place = run.sessions[session];
  if (on_reply_) on_reply_(session, place, reply);
  const std::uint32_t call = place.call;
  CallEnd how =
      database::end_call(scenario_.program.sessions[session], place.next, reply, place);
  Digest digest;
  digest.add(place.past).add(static_cast<std::uint64_t>(how.kind));
  database::add_value(digest, how.result);
  digest.add(std::string_view(how.fault.sqlstate)).add(std::string_view(how.fault.reason));
  place.past = digest.fingerprint();
  place.ends[call] = std::move(how);
  start_call(run, session);
}

// --- the end ---

std::vector<std::vector<std::vector<program::Value>>> FineRuns::rows(
    const FineRun& run) const {
  return run.server->committed_rows();
}

std::vector<std::vector<CallEnd>> FineRuns::calls(const FineRun& run) {
  std::vector<std::vector<CallEnd>> out;
  for (const FineRun::Session& session : run.sessions)
    out.push_back(session.ends);
  return out;
}

Fingerprint FineRuns::outcome(const FineRun& run) const {
  Digest digest;
  for (const FineRun::Session& session : run.sessions)
    digest.add(session.past);
  for (const auto& table : rows(run)) {
    digest.add(table.size());
    for (const auto& row : table)
      for (const program::Value& value : row)
        database::add_value(digest, value);
  }
  return digest.fingerprint();
}

}  // namespace isomer::explore
