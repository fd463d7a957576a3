// SPDX-License-Identifier: MIT
// A scenario on the model of the server at one moment, as a value: what
// explore/reduced_search.h searches.  A session moves by one step of a statement (its
// snapshot, a lock, a key, an end); by falling asleep where it has to wait; or, in a circle
// of waits, by being its victim.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/fingerprint.h"
#include "database/schedule.h"
#include "database/stepped_server.h"

namespace isomer::explore {

using database::CallEnd;
using database::Scenario;
using database::SessionIndex;

// Who moves, and in which of several ways.
struct Move {
  SessionIndex session = 0;
  std::size_t choice = 0;
};

struct FineRun {
  struct Session : database::CallPlace {
    std::optional<program::Machine> machine{};  // none: behind the last call
    program::Step next{};                       // of the machine
    bool is_begun = false;
    bool has_failed = false;  // the last statement, with an error of the server
    Fingerprint past{};       // everything that the session was told
    std::vector<CallEnd> ends{};
  };

  database::ServerState server;
  std::vector<Session> sessions;
  // By whole statements: whose statement stopped at a choice.
  std::optional<SessionIndex> midway{};
};

class FineRuns {
 public:
  using State = FineRun;
  using Footprint = database::Footprint;

  // Sees what a session is told, and where it was.
  using OnReply = std::function<void(SessionIndex, const FineRun::Session& before,
                                     const database::Reply&)>;

  // Does the server note what is read and written?
  enum class Log : std::uint8_t { Without, With };

  // The scenario must outlive it.
  explicit FineRuns(const Scenario& scenario, OnReply on_reply = {},
                    Log log = Log::Without);

  [[nodiscard]] FineRun start() const;

  // As the search wants them.
  [[nodiscard]] std::vector<SessionIndex> sessions(const FineRun& run) const;
  [[nodiscard]] std::vector<SessionIndex> waits_for(const FineRun& run,
                                                    SessionIndex session) const;
  [[nodiscard]] std::size_t choices(const FineRun& run, SessionIndex session) const;
  Footprint move(FineRun& run, const Move& move) const;
  [[nodiscard]] Fingerprint fingerprint(const FineRun& run) const;
  [[nodiscard]] Fingerprint digest(const Footprint& footprint) const;
  [[nodiscard]] static bool conflict(const Footprint& a, const Footprint& b);

  // What everybody could tell of a run that is at its end.
  [[nodiscard]] Fingerprint outcome(const FineRun& run) const;
  // By session, by call.
  [[nodiscard]] static std::vector<std::vector<CallEnd>> calls(const FineRun& run);
  // Committed, by table, sorted.
  [[nodiscard]] std::vector<std::vector<std::vector<program::Value>>> rows(
      const FineRun& run) const;

  [[nodiscard]] static bool is_asleep(const FineRun& run, SessionIndex session);
  // Those that a server may choose to end a circle of waits.
  [[nodiscard]] static std::vector<SessionIndex> victims(const FineRun& run);

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }

 private:
  void do_move(FineRun& run, const Move& move, Footprint& touched) const;
  void break_circles(FineRun& run, Footprint& touched) const;
  void start_call(FineRun& run, SessionIndex session) const;
  void start_next(FineRun& run, SessionIndex session, Footprint& touched) const;
  void receive(FineRun& run, SessionIndex session, database::Reply reply,
               Footprint& touched) const;
  void answer(FineRun& run, SessionIndex session, database::Reply reply) const;
  database::Reply at_once(FineRun& run, SessionIndex session, database::Task task,
                          Footprint& touched) const;
  void go_on(FineRun& run, SessionIndex session, Footprint& touched) const;
  void end(FineRun& run, SessionIndex session, const database::Reply& reply) const;

  const Scenario& scenario_;
  OnReply on_reply_;
  Log log_;
};

}  // namespace isomer::explore
