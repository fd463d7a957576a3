// SPDX-License-Identifier: MIT
// InnoDB and its sessions at one moment, step by step.
#pragma once

#include <string>

#include "database/innodb/statement.h"

namespace isomer::database::innodb {

struct Savepoint {
  std::string name;
  std::size_t changes = 0;
  // Before the transaction has used any table InnoDB knows nothing of it.
  bool is_known = false;
};

struct Session {
  Terms terms{};
  std::optional<TrxId> trx{};  // none: there is no transaction, or an error has ended it
  bool uses_tables = false;
  std::vector<Savepoint> savepoints{};
  std::optional<Work> work{};
  std::optional<Request> wanted{};  // the next step of the work
};

class Engine final : public SteppedServer {
 public:
  Engine(const ServerKind& kind, const program::Program& program, std::size_t sessions);

  // --- sessions that have nothing to do ---

  [[nodiscard]] std::unique_ptr<SteppedServer> copy() const override;
  void begin(SessionIndex session, const BeginOptions& options) override;
  std::optional<Reply> start(SessionIndex session, Task task) override;

  // --- steps ---

  [[nodiscard]] bool is_working(SessionIndex session) const override;
  [[nodiscard]] std::vector<SessionIndex> blockers(SessionIndex session) const override;
  [[nodiscard]] std::size_t choices(SessionIndex session) const override;
  void choose(SessionIndex session, std::size_t choice) override;
  std::optional<Reply> step(SessionIndex session, Footprint& touched) override;

  // --- waiting ---

  void sleep(SessionIndex session, Footprint& touched) override;
  [[nodiscard]] std::vector<SessionIndex> sleepers() const override;
  // A transaction waits for the first one in its way; behind that it may find another.
  [[nodiscard]] std::vector<SessionIndex> circle_steps(SessionIndex session) const override;

  [[nodiscard]] bool breaks_circles_at_once() const override { return true; }

  // The lightest one; of several whoever has closed the circle.
  [[nodiscard]] std::vector<SessionIndex> victims_of(
      std::span<const SessionIndex> circle) const override;
  Reply fail_as_victim(SessionIndex session, Footprint& touched) override;

  // --- what can be seen from outside ---

  [[nodiscard]] std::vector<std::vector<std::vector<program::Value>>> committed_rows()
      const override;
  void add_to(Digest& digest) const override;

  [[nodiscard]] const Session& session(SessionIndex of) const { return sessions_[of]; }

  [[nodiscard]] const State& state() const { return state_; }

 private:
  std::optional<Reply> act_between(SessionIndex session, const program::AsksServer& what);
  Reply finished(SessionIndex session, Reply reply, Footprint& touched);
  void finish_statement(SessionIndex session, Footprint& touched);
  Reply end(SessionIndex session, Footprint& touched);
  void commit(TrxId trx, Footprint& touched);
  void roll_back(SessionIndex session, Footprint& touched);
  Reply roll_back_to(SessionIndex session, Footprint& touched);
  void wake(SessionIndex session, Footprint& touched);

  ServerKind kind_;
  State state_;
  std::vector<Session> sessions_;
};

// What the locks of a transaction, and those that its changes imply, keep from others.
void touch_locks(const State& state, TrxId trx, Footprint& touched);

void add(Digest& digest, const Engine& engine, std::size_t sessions);

}  // namespace isomer::database::innodb
