// SPDX-License-Identifier: MIT
// Connections that break, and servers that end.
#include <algorithm>
#include <array>
#include <thread>

#include <fmt/format.h>

#include "record/runner.h"

namespace isomer::record {

// Without its COMMIT the server rolls a transaction back.
void Runner::lose(Session& session) {
  using End = LiveTransaction::End;
  ++out_.losses;
  session.connection.reset();
  session.is_pending = false;
  if (!session.machine) return;
  const bool may_have_committed =
      session.is_begun && std::holds_alternative<program::Commits>(session.next);
  database::Reply reply{.kind = database::Reply::Kind::Failed};
  reply.fault = {.reason = "the connection broke", .sqlstate = "08006", .at = {}};
  end(session, may_have_committed ? End::Unknown : End::RolledBack, reply);
}

// The server has ended: nobody's connection is worth anything now.
void Runner::lose_all() {
  for (Session& session : sessions_) {
    if (!session.connection) continue;
    if (session.is_pending) {
      const std::array only = {session.connection.get()};
      const auto until = Clock::now() + std::chrono::seconds(1);
      while (!session.connection->has_results() && Clock::now() < until)
        server::wait_for_any(only, next_try);
      if (session.connection->has_results()) {
        auto results = session.connection->take_all();
        session.is_pending = false;
        const bool is_answer = !results.back().fault || !is_lost(*results.back().fault);
        if (is_answer && !std::holds_alternative<AsksServer>(session.next))
          receive_end(session, results.back());
      }
    }
    lose(session);
  }
}

// Absent: it is still running, or nobody answers.
std::optional<LiveTransaction::End> Runner::outcome_of(const LiveTransaction& of) {
  using End = LiveTransaction::End;
  // Nothing was written, and nobody can ask.
  if (of.number == 0) return End::Unknown;
  const auto result =
      observing_->run(fmt::format("SELECT pg_xact_status('{}')", of.number));
  // "is in the future": after a crash, of one that left no trace.
  if (result.fault)
    return is_lost(*result.fault) ? std::nullopt : std::optional(End::RolledBack);
  const Value& status = result.rows[0][0];
  if (status == Value::text("committed")) return End::Committed;
  if (status == Value::text("aborted")) return End::RolledBack;
  return status.is_null() ? std::optional(End::Unknown) : std::nullopt;
}

// Before anybody goes on, since numbers may be given again after a crash.
void Runner::resolve() {
  const auto until = Clock::now() + patience;
  while (!unknown_.empty() && Clock::now() < until) {
    LiveTransaction& of = out_.transactions[unknown_.back()];
    const auto outcome = outcome_of(of);
    if (!outcome) {
      std::this_thread::sleep_for(next_try);
      continue;
    }
    of.end = *outcome;
    of.ended = ++ends_;
    unknown_.pop_back();
  }
  unknown_.clear();
}

void Runner::recover() {
  const auto until = Clock::now() + patience;
  const bool has_crashed = observing_->run("SELECT 1").fault.has_value();
  if (has_crashed) {
    lose_all();
    ++start_;
  }
  while (has_crashed && !open_observing().empty()) {
    if (Clock::now() > until || options_.budget.is_interrupted()) {
      out_.problem = "the server went away, and did not come back";
      return;
    }
    std::this_thread::sleep_for(next_try);
  }
  resolve();
  for (Session& session : sessions_) {
    if (session.connection || session.is_over) continue;
    if (!open(session.connection).empty()) {
      session.connection.reset();
      std::this_thread::sleep_for(next_try);
      if (begins_no_more()) session.is_over = true;
      return;
    }
    session.savepoints.clear();
    go_on(session);
  }
}

}  // namespace isomer::record
