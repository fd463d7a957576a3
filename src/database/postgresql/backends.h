// SPDX-License-Identifier: MIT
// PostgreSQL's sessions at one moment, step by step.
#pragma once

#include "database/postgresql/work.h"

namespace isomer::database::postgresql {

struct Backend {
  Standing standing{};
  bool has_failed = false;  // after an error, until ROLLBACK TO or the end
  std::optional<Work> work{};
  std::optional<Request> wanted{};  // the next step of the work
};

class Backends final : public SteppedServer {
 public:
  Backends(const program::Program& program, std::size_t sessions);

  // --- sessions that have nothing to do ---

  [[nodiscard]] std::unique_ptr<SteppedServer> copy() const override;
  void begin(SessionIndex session, const BeginOptions& options) override;
  std::optional<Reply> start(SessionIndex session, Task task) override;

  // --- steps ---

  // What the session does next; null if it has nothing to do.
  [[nodiscard]] const Request* wanted(SessionIndex session) const;
  [[nodiscard]] bool is_working(SessionIndex session) const override;
  [[nodiscard]] std::vector<SessionIndex> blockers(SessionIndex session) const override;
  std::optional<Reply> step(SessionIndex session, Footprint& touched) override;
  std::optional<Reply> run(SessionIndex session) override;

  // With its first step: in which order a statement locks what it finds.
  [[nodiscard]] std::size_t choices(SessionIndex session) const override;
  void choose(SessionIndex session, std::size_t choice) override;

  // --- waiting ---

  void sleep(SessionIndex session, Footprint& touched) override;
  [[nodiscard]] std::vector<SessionIndex> sleepers() const override;
  // Any of them: who finds the circle first.  That is who closed it, where the others have
  // waited longer than deadlock_timeout.
  [[nodiscard]] std::vector<SessionIndex> victims_of(
      std::span<const SessionIndex> circle) const override;
  Reply fail_as_victim(SessionIndex session, Footprint& touched) override;

  // --- what can be seen from outside ---

  [[nodiscard]] std::vector<std::vector<std::vector<program::Value>>> committed_rows()
      const override;
  void add_to(Digest& digest) const override;

  bool observe(AccessLog* log) override {
    state_.log = log;
    return true;
  }

  [[nodiscard]] const Backend& session(SessionIndex of) const { return sessions_[of]; }

  [[nodiscard]] const State& state() const { return state_; }

 private:
  std::optional<Reply> advance(SessionIndex session, Footprint& touched, bool to_the_end);
  std::optional<Reply> act_between(SessionIndex session, const program::AsksServer& what);
  std::optional<Reply> begin_commit(SessionIndex session);
  Reply end(SessionIndex session, Footprint& touched);
  Reply roll_back_to(SessionIndex session, Footprint& touched);
  // What the session leaves behind since this part began.
  void undo(SessionIndex session, ActorId since, Footprint& touched);
  Reply finished(SessionIndex session, Reply reply, Footprint& touched);
  void wake(SessionIndex session);
  void ease(SessionIndex session);
  void follow_releases();

  State state_;
  std::vector<Backend> sessions_;
  // By table: can anybody tell the order of its rows?
  std::shared_ptr<const std::vector<bool>> has_order_;
};

}  // namespace isomer::database::postgresql
