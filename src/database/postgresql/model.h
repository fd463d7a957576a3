// SPDX-License-Identifier: MIT
// The front door of the model of PostgreSQL 15: statement by statement, as a server answers
// to those who only see replies and waits.  The model is a value: copy it to go on in two
// ways.
#pragma once

#include <functional>
#include <span>

#include "database/postgresql/backends.h"

namespace isomer::database::postgresql {

class Model final : public Server {
 public:
  // Which member of a circle of waits fails, by its place there.  Without it: the one whose
  // wait has closed the circle, as on a server where the others have waited longer than
  // deadlock_timeout.
  using VictimChoice = std::function<std::size_t(std::span<const SessionIndex> circle)>;

  // The program must outlive the model.
  Model(const program::Program& program, std::size_t sessions, VictimChoice choice = {});

  Reply begin(SessionIndex session, const BeginOptions& options) override;
  Reply ask(SessionIndex session, const program::AsksServer& what,
            const program::Bindings& bindings) override;
  Reply commit(SessionIndex session) override;
  Reply rollback(SessionIndex session) override;
  std::vector<std::pair<SessionIndex, Reply>> woken() override;
  std::vector<std::vector<std::vector<program::Value>>> committed_rows() override;

  [[nodiscard]] const Backends& backends() const { return backends_; }

 private:
  Reply go(SessionIndex session, Work work);
  std::optional<Reply> run_or_sleep(SessionIndex session);
  // The first sleeper that can go on does; false if there is none.
  bool wakes_one();
  void settle();

  Backends backends_;
  VictimChoice choice_;
  std::vector<std::pair<SessionIndex, Reply>> woken_;
};

}  // namespace isomer::database::postgresql
