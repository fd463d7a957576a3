// SPDX-License-Identifier: MIT
// The model of a server, statement by statement, as it answers to those who only see
// replies and waits.  It is a value: copy it to go on in two ways.
#pragma once

#include <functional>
#include <span>

#include "database/stepped_server.h"

namespace isomer::database {

class Model final : public Server {
 public:
  // Which of those that may be the victim of a circle of waits fails, by its place among
  // them.  Without it: the first.
  using VictimChoice = std::function<std::size_t(std::span<const SessionIndex> victims)>;

  // Which of several ways a session goes on (SteppedServer::choices).  Without it: the
  // first.
  using StepChoice = std::function<std::size_t(SessionIndex session, std::size_t choices)>;

  // Of several who can go on at a moment, who does so first, by its place among them.
  // Without it: who fell asleep first.
  using WakeChoice = std::function<std::size_t(std::span<const SessionIndex> sleepers)>;

  // The program must outlive the model.
  Model(const ServerKind& kind, const program::Program& program, std::size_t sessions,
        VictimChoice victim_choice = {}, StepChoice step_choice = {},
        WakeChoice wake_choice = {});
  // Of this server, at any moment at which nobody has something to do.
  explicit Model(std::unique_ptr<SteppedServer> server, VictimChoice victim_choice = {},
                 StepChoice step_choice = {}, WakeChoice wake_choice = {});

  Reply begin(SessionIndex session, const BeginOptions& options) override;
  Reply ask(SessionIndex session, const program::AsksServer& what,
            const program::Bindings& bindings) override;
  Reply commit(SessionIndex session) override;
  Reply rollback(SessionIndex session) override;
  std::vector<std::pair<SessionIndex, Reply>> woken() override;
  std::vector<std::vector<std::vector<program::Value>>> committed_rows() override;

  [[nodiscard]] const SteppedServer& state() const { return *state_; }

  // One that asks the same for whatever it decides: which of so many.
  using Choice = std::function<std::size_t(std::size_t choices)>;
  static Model deciding(std::unique_ptr<SteppedServer> server, const Choice& choose);

 private:
  Reply go(SessionIndex session, Task task);
  std::optional<Reply> run_or_sleep(SessionIndex session);
  // A sleeper that can go on does; false if there is none.
  bool wakes_one();
  // A circle that somebody's end has closed.
  bool breaks_circle();
  // One that a sleeper closed who has come to wait for somebody else.
  std::vector<SessionIndex> circle_of_who_waits_anew();
  std::optional<Reply> run(SessionIndex session);
  SessionIndex chosen_victim(std::span<const SessionIndex> circle) const;
  void settle();

  ServerState state_;
  VictimChoice victim_choice_;
  StepChoice step_choice_;
  WakeChoice wake_choice_;
  std::vector<std::pair<SessionIndex, Reply>> woken_;
  std::vector<std::vector<SessionIndex>> waits_;  // by session: for whom, when last asked
};

}  // namespace isomer::database
