// SPDX-License-Identifier: MIT
#include "explore/fine_run.h"

#include <algorithm>

#include "base/assert.h"
#include "database/postgresql/fingerprint.h"
#include "program/machine/serial.h"

namespace isomer::explore {

using database::Reply;
using postgresql::Backend;
using postgresql::Footprint;
using postgresql::Work;
using program::AsksServer;

namespace {

Work work_of(const FineRun::Session& session) {
  const auto* what = std::get_if<AsksServer>(&session.next);
  if (what == nullptr)
    return {.kind = std::holds_alternative<program::Commits>(session.next)
                        ? Work::Kind::Commit
                        : Work::Kind::RollBack};
  const program::Bindings bindings = session.machine->bindings();
  return {.kind = Work::Kind::Ask,
          .what = *what,
          .variables = {bindings.variables.begin(), bindings.variables.end()},
          .found = bindings.found,
          .row_count = bindings.row_count};
}

template <class Item>
void append(std::vector<Item>& to, std::vector<Item> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()),
            std::make_move_iterator(from.end()));
}

// What both of two steps touched, that are done as one.
void add_footprint(Footprint& to, Footprint other) {
  append(to.reads, std::move(other.reads));
  append(to.rows, std::move(other.rows));
  append(to.keys, std::move(other.keys));
  append(to.commits, std::move(other.commits));
  append(to.written, std::move(other.written));
  append(to.tracked, std::move(other.tracked));
  append(to.tables, std::move(other.tables));
  append(to.advised, std::move(other.advised));
  append(to.appended, std::move(other.appended));
  to.ends |= other.ends;
  to.tries |= other.tries;
  to.is_serializable |= other.is_serializable;
}

// Does a session wait for itself, through others that are asleep?
struct CircleSearch {
  const FineRun& run;
  SessionIndex start;
  std::vector<SessionIndex> seen{};

  bool finds(SessionIndex session) {
    if (!FineRuns::is_asleep(run, session)) return false;
    for (const SessionIndex next : run.backends.blockers(session)) {
      if (next == start) return true;
      if (std::find(seen.begin(), seen.end(), next) != seen.end()) continue;
      seen.push_back(next);
      if (finds(next)) return true;
    }
    return false;
  }
};

// 40001 and 40P01: the same transaction may well succeed the next time.
bool may_be_retried(const program::Fault& fault) {
  return fault.sqlstate == "40001" || fault.sqlstate == "40P01";
}

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
                 .is_limit = abort->is_limit};
  } else if (const auto* assertion = std::get_if<program::FailsAssert>(&last)) {
    out.has_failed_assert = true;
    out.fault = {.reason = assertion->message, .sqlstate = "P0004", .at = assertion->at};
  }
  return out;
}

}  // namespace

FineRuns::FineRuns(const Scenario& scenario, OnReply on_reply)
    : scenario_(scenario),
      on_reply_(std::move(on_reply)),
      has_order_(postgresql::tables_with_order(scenario.program)) {}

// --- the start ---

FineRun FineRuns::start() const {
  const std::size_t count = scenario_.program.sessions.size();
  FineRun run{.backends = {scenario_.program, count}, .sessions = {}};
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
  while (place.machine && run.backends.wanted(session) == nullptr) {
    if (!std::holds_alternative<AsksServer>(place.next) &&
        !std::holds_alternative<program::Commits>(place.next))
      return;
    if (!place.is_begun) {
      place.is_begun = true;
      const auto& call = scenario_.program.sessions[session].calls[place.call];
      run.backends.begin(session, scenario_.begin[call.type]);
    }
    if (auto reply = run.backends.start(session, work_of(place)))
      receive(run, session, std::move(*reply), touched);
  }
}

// --- as the search wants them ---

bool FineRuns::is_asleep(const FineRun& run, SessionIndex session) {
  const auto& sleepers = run.backends.state().sleepers;
  return std::any_of(sleepers.begin(), sleepers.end(),
                     [&](const auto& sleeper) { return sleeper.session == session; });
}

std::vector<SessionIndex> FineRuns::victims(const FineRun& run) {
  std::vector<SessionIndex> out;
  for (SessionIndex session = 0; session < run.sessions.size(); ++session)
    if (CircleSearch{.run = run, .start = session}.finds(session)) out.push_back(session);
  return out;
}

std::vector<SessionIndex> FineRuns::sessions(const FineRun& run) const {
  std::vector<SessionIndex> out;
  for (SessionIndex session = 0; session < run.sessions.size(); ++session) {
    if (!run.sessions[session].machine) continue;
    const bool can_move = run.backends.blockers(session).empty() ||
                          !is_asleep(run, session) ||
                          CircleSearch{.run = run, .start = session}.finds(session);
    if (can_move) out.push_back(session);
  }
  return out;
}

std::vector<SessionIndex> FineRuns::waits_for(const FineRun& run,
                                              SessionIndex session) const {
  return run.backends.blockers(session);
}

Footprint FineRuns::move(FineRun& run, SessionIndex session) const {
  Footprint touched;
  do_move(run, session, touched);
  start_next(run, session, touched);
  // That heaps get longer is noticed only by those who scan them in order.
  std::erase_if(touched.appended, [&](auto table) { return !has_order_[table.index]; });
  return touched;
}

void FineRuns::do_move(FineRun& run, SessionIndex session, Footprint& touched) const {
  FineRun::Session& place = run.sessions[session];
  if (run.backends.wanted(session) == nullptr) {
    const Reply reply =
        place.is_begun ? at_once(run, session, work_of(place), touched) : Reply{};
    end(run, session, reply);
  } else if (run.backends.blockers(session).empty()) {
    if (auto reply = run.backends.step(session, touched))
      receive(run, session, std::move(*reply), touched);
  } else if (!is_asleep(run, session)) {
    touched =
        postgresql::footprint_of_sleep(run.backends.state(), *run.backends.wanted(session));
    run.backends.sleep(session);
  } else {
    touched =
        postgresql::footprint_of_sleep(run.backends.state(), *run.backends.wanted(session));
    receive(run, session,
            run.backends.fail(session, postgresql::deadlock_detected(), touched), touched);
  }
}

Fingerprint FineRuns::fingerprint(const FineRun& run) const {
  Digest digest;
  for (const FineRun::Session& session : run.sessions)
    digest.add(session.past);
  postgresql::add(digest, run.backends, run.sessions.size(), has_order_);
  return digest.fingerprint();
}

Fingerprint FineRuns::digest(const Footprint& footprint) const {
  return postgresql::fingerprint(scenario_.program, footprint);
}

bool FineRuns::conflict(const Footprint& a, const Footprint& b) {
  return postgresql::conflict(a, b);
}

// --- replies ---

void FineRuns::answer(FineRun& run, SessionIndex session, Reply reply) const {
  FineRun::Session& place = run.sessions[session];
  if (on_reply_) on_reply_(session, reply);
  Digest digest;
  digest.add(place.past);
  postgresql::add(digest, reply);
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
  if (!std::holds_alternative<AsksServer>(run.sessions[session].next))
    return end(run, session, reply);
  answer(run, session, std::move(reply));
  go_on(run, session, touched);
}

Reply FineRuns::at_once(FineRun& run, SessionIndex session, Work work,
                        Footprint& touched) const {
  if (auto reply = run.backends.start(session, std::move(work))) return *reply;
  ISOMER_ASSERT(run.backends.blockers(session).empty());
  Footprint also;
  auto reply = run.backends.step(session, also);
  ISOMER_ASSERT(reply);
  add_footprint(touched, std::move(also));
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
    answer(run, session, at_once(run, session, work_of(place), touched));
  }
  const bool is_over = !std::holds_alternative<program::Commits>(place.next);
  if (is_over && place.has_failed) {
    const Reply reply = at_once(run, session, work_of(place), touched);
    end(run, session, reply);
  }
}

void FineRuns::end(FineRun& run, SessionIndex session, const Reply& reply) const {
  FineRun::Session& place = run.sessions[session];
  if (on_reply_) on_reply_(session, reply);
  CallEnd how = end_of(place.next, reply);
  how.attempts = ++place.attempt;
  Digest digest;
  digest.add(place.past).add(static_cast<std::uint64_t>(how.kind));
  postgresql::add(digest, how.result);
  digest.add(std::string_view(how.fault.sqlstate)).add(std::string_view(how.fault.reason));
  place.past = digest.fingerprint();
  const bool again = how.kind == CallEnd::Kind::RolledBack && may_be_retried(how.fault) &&
                     place.attempt <= scenario_.program.sessions[session].retry;
  place.ends[place.call] = std::move(how);
  if (!again) {
    ++place.call;
    place.attempt = 0;
  }
  start_call(run, session);
}

// --- the end ---

std::vector<std::vector<std::vector<program::Value>>> FineRuns::rows(
    const FineRun& run) const {
  const postgresql::State& state = run.backends.state();
  const postgresql::Snapshot all{.commits = state.commits};
  std::vector<std::vector<std::vector<program::Value>>> out;
  for (std::uint32_t table = 0; table < state.heaps.size(); ++table) {
    auto& rows = out.emplace_back();
    for (const postgresql::Version& version : state.heap({table})) {
      if (!state.is_visible(version, all)) continue;
      const auto columns =
          version.values.items().first(state.table({table}).columns.size());
      rows.emplace_back(columns.begin(), columns.end());
    }
    std::sort(rows.begin(), rows.end());
  }
  return out;
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
        postgresql::add(digest, value);
  }
  return digest.fingerprint();
}

}  // namespace isomer::explore
