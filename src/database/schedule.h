// SPDX-License-Identifier: MIT
// Runs the sessions of a scenario on a server, in the order that a schedule says, and all
// schedules there are.
//
// A schedule is a list of sessions.  Each entry is the next thing that the session does: a
// statement, COMMIT, or ROLLBACK where the program gives up by itself.  BEGIN goes with the
// first of them.  Savepoints of EXCEPTION blocks go with the statement at whose side they
// stand, and a transaction that a failed statement ends is rolled back with it.  What the
// machine computes without the server takes no entry.  A session that waits has none until
// it is woken: an entry for it is no part of any schedule.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "database/server.h"

namespace isomer::database {

// One entry, as it went.
struct ScheduleStep {
  enum class Kind : std::uint8_t { Statement, Commit, Rollback };

  SessionIndex session = 0;
  std::uint32_t call = 0;     // of the session
  std::uint32_t attempt = 0;  // 1: its first retry
  Kind kind = Kind::Statement;
  std::string text{};  // as the program has it; COMMIT, ROLLBACK
  program::Span at{};
  Reply reply{};                           // the last; Waits if it never got another one
  std::vector<SessionIndex> waited_for{};  // at first; empty: it did not wait
  std::size_t woken_by = 0;                // if it waited: the entry that ended its wait
};

// What a machine would do next, in words: kind, text and place of an entry.
ScheduleStep described(const program::Program& program, const program::Step& next);

struct CallEnd {
  enum class Kind : std::uint8_t { NotReached, Committed, RolledBack };

  Kind kind = Kind::NotReached;
  program::Value result{};  // Committed: of RETURN
  program::Fault fault{};   // RolledBack: in the last attempt
  bool has_failed_assert = false;
  std::uint32_t attempts = 0;
};

// Which call of its session is made, and which try of it.
struct CallPlace {
  std::uint32_t call = 0;
  std::uint32_t attempt = 0;
};

// What the call came to whose machine stands at this step, its end, once the server has
// replied to it.  The session goes on at the next call, or tries the same one again.
CallEnd end_call(const program::Session& session, const program::Step& last,
                 const Reply& reply, CallPlace& place);

// A program with sessions, what BEGIN says for each of its transaction types, and the
// server that it is for.
struct Scenario {
  const program::Program& program;
  std::vector<BeginOptions> begin{};
  ServerKind server{};
};

class ScheduleRun {
 public:
  // Both must outlive it.  The server is at the initial state.
  ScheduleRun(const Scenario& scenario, Server& server);
  ~ScheduleRun();
  ScheduleRun(ScheduleRun&& other) noexcept;

  // Those with a next entry, in their order.  None: it is at its end.
  [[nodiscard]] std::vector<SessionIndex> runnable() const;
  // What the next entry of such a session would be.
  [[nodiscard]] ScheduleStep next(SessionIndex session) const;
  void step(SessionIndex session);

  [[nodiscard]] const std::vector<ScheduleStep>& steps() const;
  // By session, by call.
  [[nodiscard]] const std::vector<std::vector<CallEnd>>& calls() const;
  // Those that wait, and for ever if it is at its end.
  [[nodiscard]] std::vector<SessionIndex> waiting() const;
  [[nodiscard]] std::vector<SessionIndex> schedule() const;
  [[nodiscard]] std::vector<std::vector<std::vector<program::Value>>> committed_rows()
      const;

 private:
  struct State;

  std::unique_ptr<State> state_;
};

// What a server is free to decide while an entry of a schedule is done: a plan, a victim,
// who goes on first.  The place among the possibilities, the likeliest one being 0; what is
// not there is the likeliest.
using EntryChoices = std::vector<std::size_t>;

// Steps through the schedule, and then lets the sessions go on in their order until the
// end. False if an entry was for a session that waits or has come to its end; the run then
// stands before it.
bool follow(ScheduleRun& run, const std::vector<SessionIndex>& schedule);

// To the end, in an order that the generator decides.
void run_randomly(ScheduleRun& run, Random& random);

struct EveryScheduleOptions {
  std::uint64_t schedules_max = 1'000'000;
  // Which of the runnable sessions are tried next; all without it.
  std::function<std::vector<SessionIndex>(const ScheduleRun&)> choose{};
};

struct EverySchedule {
  std::uint64_t schedules = 0;
  // Prefixes at which a server did not do again what it did before; what was to be tried
  // behind them was left out.
  std::uint64_t lost = 0;
  bool is_complete = false;
};

// Depth first; each run starts afresh, since a real server cannot go back.  `fresh` gives a
// server at the initial state; `visit` sees each run at its end, and says whether to go on.
EverySchedule every_schedule(const Scenario& scenario,
                             const std::function<Server&()>& fresh,
                             const std::function<bool(const ScheduleRun&)>& visit,
                             const EveryScheduleOptions& options = {});

}  // namespace isomer::database
