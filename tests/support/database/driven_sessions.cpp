// SPDX-License-Identifier: MIT
#include "support/database/driven_sessions.h"

#include <algorithm>

namespace isomer::test {

using database::Reply;
using database::SessionIndex;
using program::AsksServer;
using program::Statement;

namespace {

AsksServer asked(const Statement& statement) {
  AsksServer out{.statement = &statement, .savepoint = statement.label, .at = statement.at};
  if (statement.kind == Statement::Kind::Savepoint) out.kind = AsksServer::Kind::Savepoint;
  if (statement.kind == Statement::Kind::Release) out.kind = AsksServer::Kind::Release;
  if (statement.kind == Statement::Kind::RollbackTo)
    out.kind = AsksServer::Kind::RollbackTo;
  return out;
}

}  // namespace

DrivenSessions::DrivenSessions(const Experiment& experiment,
                               const program::Program& program, database::Server& server)
    : experiment_(experiment), server_(server) {
  for (const program::Session& session : program.sessions)
    sessions_.push_back({.acts = acts_of(program, session)});
}

std::vector<DrivenSessions::Act> DrivenSessions::acts_of(const program::Program& program,
                                                         const program::Session& session) {
  std::vector<Act> out;
  for (const program::Call& call : session.calls) {
    Act::Kind end = Act::Kind::Commit;
    for (const Statement& statement : program.types[call.type].body) {
      if (statement.kind == Statement::Kind::Abort)
        end = Act::Kind::RollBack;
      else
        out.push_back({.what = asked(statement)});
    }
    out.push_back({.kind = end});
  }
  return out;
}

std::vector<SessionIndex> DrivenSessions::runnable() const {
  std::vector<SessionIndex> out;
  for (SessionIndex i = 0; i < sessions_.size(); ++i)
    if (!sessions_[i].waits && sessions_[i].next < sessions_[i].acts.size())
      out.push_back(i);
  return out;
}

Reply DrivenSessions::perform(SessionIndex session, const Act& act) {
  Session& of = sessions_[session];
  if (act.kind != Act::Kind::Ask) {
    const Reply reply =
        act.kind == Act::Kind::Commit ? server_.commit(session) : server_.rollback(session);
    of.is_begun = reply.goes_on;
    return reply;
  }
  if (!of.is_begun) server_.begin(session, experiment_.begin[session]);
  of.is_begun = true;
  return server_.ask(session, act.what, {});
}

// Who commits after each statement does it now.
void DrivenSessions::finish(SessionIndex session, const Reply& reply) {
  Session& of = sessions_[session];
  of.waits = false;
  if (!of.is_begun || !commits_each(experiment_.sessions[session])) return;
  of.is_begun = false;
  ++of.next;
  if (reply.kind == Reply::Kind::Done)
    server_.commit(session);
  else
    server_.rollback(session);
}

void DrivenSessions::wake() {
  for (auto replies = server_.woken(); !replies.empty(); replies = server_.woken())
    for (const auto& [session, reply] : replies) {
      const auto waited =
          std::find_if(steps_.rbegin(), steps_.rend(), [&](const auto& step) {
            return step.session == session && step.reply.kind == Reply::Kind::Waits;
          });
      if (waited == steps_.rend()) continue;
      waited->reply = reply;
      waited->woken_by = steps_.size() - 1;
      finish(session, reply);
    }
}

void DrivenSessions::step(SessionIndex session) {
  Session& of = sessions_[session];
  const Act act = of.acts[of.next++];
  Reply reply = perform(session, act);
  steps_.push_back({.session = session, .reply = reply, .waited_for = reply.waits_for});
  of.waits = reply.kind == Reply::Kind::Waits;
  if (!of.waits) finish(session, reply);
  wake();
}

}  // namespace isomer::test
