// SPDX-License-Identifier: MIT
#include "database/recorded_server.h"

#include <algorithm>

namespace isomer::database {

using End = LoggedTransaction::End;
using AskKind = program::AsksServer::Kind;

RecordedServer::RecordedServer(std::unique_ptr<SteppedServer> server, std::size_t sessions)
    : server_(std::move(server)),
      is_observed_(server_->observe(&log_)),
      sessions_(sessions) {}

RecordedServer::RecordedServer(const RecordedServer& other)
    : SteppedServer(other),
      server_(other.server_->copy()),
      log_(other.log_),
      is_observed_(server_->observe(&log_)),
      sessions_(other.sessions_) {}

std::unique_ptr<SteppedServer> RecordedServer::copy() const {
  return std::make_unique<RecordedServer>(*this);
}

void RecordedServer::begin(SessionIndex session, const BeginOptions& options) {
  sessions_[session] = {};
  log_.begin(session);
  server_->begin(session, options);
}

std::optional<Reply> RecordedServer::start(SessionIndex session, Task task) {
  Session& of = sessions_[session];
  of.task = task.kind;
  of.asked = task.what.kind;
  of.savepoint = task.what.savepoint;
  const bool is_statement =
      task.kind == Task::Kind::Ask &&
      (task.what.kind == AskKind::Statement || task.what.kind == AskKind::Value);
  if (is_statement) log_.begin_statement(session, task.what.at);
  if (task.kind == Task::Kind::Commit) log_.begin_commit(session);
  return noted(session, server_->start(session, std::move(task)));
}

std::optional<Reply> RecordedServer::step(SessionIndex session, Footprint& touched) {
  return noted(session, server_->step(session, touched));
}

std::optional<Reply> RecordedServer::run(SessionIndex session) {
  return noted(session, server_->run(session));
}

Reply RecordedServer::fail_as_victim(SessionIndex session, Footprint& touched) {
  return *noted(session, server_->fail_as_victim(session, touched));
}

// --- what the replies say ---

std::optional<Reply> RecordedServer::noted(SessionIndex session,
                                           std::optional<Reply> reply) {
  if (!reply) return reply;
  const bool is_done = reply->kind == Reply::Kind::Done;
  switch (sessions_[session].task) {
    case Task::Kind::Ask:
      note_asked(session, *reply);
      break;
    case Task::Kind::Commit:
      if (!reply->goes_on) log_.end(session, is_done ? End::Committed : End::RolledBack);
      break;
    case Task::Kind::RollBack:
      log_.end(session, End::RolledBack);
      break;
  }
  return reply;
}

void RecordedServer::note_asked(SessionIndex session, const Reply& reply) {
  Session& of = sessions_[session];
  const bool is_done = reply.kind == Reply::Kind::Done;
  switch (of.asked) {
    case AskKind::Statement:
    case AskKind::Value:
      log_.end_statement(session, reply);
      break;
    case AskKind::Savepoint:
      if (is_done) of.savepoints.emplace_back(of.savepoint, log_.position(session));
      break;
    case AskKind::Release:
      if (is_done) drop_savepoints(session, false);
      break;
    case AskKind::RollbackTo:
      if (!is_done) break;
      drop_savepoints(session, true);
      if (!of.savepoints.empty()) log_.undo_since(session, of.savepoints.back().second);
      break;
  }
}

void RecordedServer::drop_savepoints(SessionIndex session, bool keeps_it) {
  Session& of = sessions_[session];
  const auto place =
      std::find_if(of.savepoints.rbegin(), of.savepoints.rend(),
                   [&](const auto& other) { return other.first == of.savepoint; });
  if (place == of.savepoints.rend()) return;
  of.savepoints.erase(keeps_it ? place.base() : place.base() - 1, of.savepoints.end());
}

// --- the rest is the server's ---

bool RecordedServer::is_working(SessionIndex session) const {
  return server_->is_working(session);
}

std::vector<SessionIndex> RecordedServer::blockers(SessionIndex session) const {
  return server_->blockers(session);
}

std::size_t RecordedServer::choices(SessionIndex session) const {
  return server_->choices(session);
}

void RecordedServer::choose(SessionIndex session, std::size_t choice) {
  server_->choose(session, choice);
}

std::vector<SessionIndex> RecordedServer::circle_steps(SessionIndex session) const {
  return server_->circle_steps(session);
}

bool RecordedServer::breaks_circles_at_once() const {
  return server_->breaks_circles_at_once();
}

void RecordedServer::sleep(SessionIndex session, Footprint& touched) {
  server_->sleep(session, touched);
}

std::vector<SessionIndex> RecordedServer::sleepers() const {
  return server_->sleepers();
}

std::vector<SessionIndex> RecordedServer::victims_of(
    std::span<const SessionIndex> circle) const {
  return server_->victims_of(circle);
}

std::vector<std::vector<std::vector<program::Value>>> RecordedServer::committed_rows()
    const {
  return server_->committed_rows();
}

void RecordedServer::add_to(Digest& digest) const {
  server_->add_to(digest);
}

}  // namespace isomer::database
