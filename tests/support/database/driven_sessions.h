// SPDX-License-Identifier: MIT
// Sessions that are told what to do next, one statement after the other, and go on after an
// error with whatever is left of their transaction.  Otherwise as database::ScheduleRun.
#pragma once

#include <vector>

#include "support/database/experiment.h"

namespace isomer::test {

class DrivenSessions {
 public:
  // All must outlive it.
  DrivenSessions(const Experiment& experiment, const program::Program& program,
                 database::Server& server);

  [[nodiscard]] std::vector<database::SessionIndex> runnable() const;
  void step(database::SessionIndex session);

  [[nodiscard]] const std::vector<database::ScheduleStep>& steps() const { return steps_; }

 private:
  // A statement, or the end of a transaction.
  struct Act {
    enum class Kind : std::uint8_t { Ask, Commit, RollBack };

    Kind kind = Kind::Ask;
    program::AsksServer what{};
  };

  struct Session {
    std::vector<Act> acts;
    std::size_t next = 0;
    bool is_begun = false;
    bool waits = false;
  };

  static std::vector<Act> acts_of(const program::Program& program,
                                  const program::Session& session);
  database::Reply perform(database::SessionIndex session, const Act& act);
  void finish(database::SessionIndex session, const database::Reply& reply);
  void wake();

  const Experiment& experiment_;
  database::Server& server_;
  std::vector<Session> sessions_;
  std::vector<database::ScheduleStep> steps_;
};

}  // namespace isomer::test
