// SPDX-License-Identifier: MIT
// PostgreSQL's sessions at one moment, step by step.  Whoever explores copies this value,
// asks what each session would do next, and lets one of them do one step.
#pragma once

#include "database/postgresql/work.h"

namespace isomer::database::postgresql {

struct Backend {
  Standing standing{};
  bool has_failed = false;  // after an error, until ROLLBACK TO or the end
  std::optional<Work> work{};
  std::optional<Request> wanted{};  // the next step of the work
};

class Backends {
 public:
  Backends(const program::Program& program, std::size_t sessions);

  // --- sessions that have nothing to do ---

  void begin(SessionIndex session, const BeginOptions& options);
  // Something to do; replied to at once if it needs no step.
  std::optional<Reply> start(SessionIndex session, Work work);

  // --- steps ---

  // What the session does next; null if it has nothing to do.
  [[nodiscard]] const Request* wanted(SessionIndex session) const;
  // Whom it waits for; nobody: it can do its next step, or has nothing to do.
  [[nodiscard]] std::vector<SessionIndex> blockers(SessionIndex session) const;
  // Does its next step; the reply, if that was the last one.
  std::optional<Reply> step(SessionIndex session, Footprint& touched);
  // All steps up to the reply, or until it has to wait.
  std::optional<Reply> run(SessionIndex session);

  // --- waiting ---

  // A session that has to wait takes its place in the queue, if it has none yet.
  void sleep(SessionIndex session);
  // Those asleep, in the order in which they fell asleep.
  [[nodiscard]] std::vector<SessionIndex> sleepers() const;
  // The sessions that wait for each other in a circle through this one; none if it is in
  // none.  Any of them may be the victim.
  [[nodiscard]] std::vector<SessionIndex> deadlock_of(SessionIndex session) const;
  // The work of the session fails: 40P01 for a victim.
  Reply fail(SessionIndex session, program::Fault fault, Footprint& touched);

  [[nodiscard]] const Backend& session(SessionIndex of) const { return sessions_[of]; }

  [[nodiscard]] const State& state() const { return state_; }

 private:
  std::optional<Reply> advance(SessionIndex session, Footprint& touched, bool to_the_end);
  std::optional<Reply> act_between(SessionIndex session, const program::AsksServer& what);
  Reply end(SessionIndex session, Footprint& touched);
  Reply roll_back_to(SessionIndex session, Footprint& touched);
  // What the session leaves behind since this part began.
  void undo(SessionIndex session, ActorId since, Footprint& touched);
  Reply finished(SessionIndex session, Reply reply, Footprint& touched);
  void wake(SessionIndex session);

  State state_;
  std::vector<Backend> sessions_;
};

program::Fault deadlock_detected();

}  // namespace isomer::database::postgresql
