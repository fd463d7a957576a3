// SPDX-License-Identifier: MIT
// The model of a server at one moment, step by step, as a value.  A statement runs in
// steps: its snapshot, each lock, each check; between two of them the others may do
// anything.  Whoever explores copies the value, asks who can move, and lets one session do
// one step.  Each database has its own (postgresql/backends.h).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "database/footprint.h"
#include "database/server.h"

namespace isomer::database {

class AccessLog;  // access_log.h

// What a session is asked to do.
struct Task {
  enum class Kind : std::uint8_t { Ask, Commit, RollBack };

  Kind kind = Kind::Ask;
  program::AsksServer what{};
  // What its variables stand for.
  std::vector<program::Value> variables{};
  bool found = false;
  std::int64_t row_count = 0;
};

class SteppedServer {
 public:
  virtual ~SteppedServer() = default;
  [[nodiscard]] virtual std::unique_ptr<SteppedServer> copy() const = 0;

  // --- sessions that have nothing to do ---

  virtual void begin(SessionIndex session, const BeginOptions& options) = 0;
  // Something to do; replied to at once if it needs no step.
  virtual std::optional<Reply> start(SessionIndex session, Task task) = 0;

  // --- steps ---

  // Does it have something to do?
  [[nodiscard]] virtual bool is_working(SessionIndex session) const = 0;
  // Whom it waits for; nobody: it can do its next step, or has nothing to do.
  [[nodiscard]] virtual std::vector<SessionIndex> blockers(SessionIndex session) const = 0;
  // Does its next step; the reply, if that was the last one.
  virtual std::optional<Reply> step(SessionIndex session, Footprint& touched) = 0;
  // All steps up to the reply, or until it has to wait or has a choice.
  virtual std::optional<Reply> run(SessionIndex session);

  // --- choices ---

  // Where the server is free, as a plan is: in how many ways the session can do its next
  // step.  The likeliest one is the first.
  [[nodiscard]] virtual std::size_t choices(SessionIndex /*session*/) const { return 1; }

  // Which one it takes then; without this the first.
  virtual void choose(SessionIndex /*session*/, std::size_t /*choice*/) {}

  // --- waiting ---

  // A session that has to wait takes its place in the queue, if it has none yet.
  virtual void sleep(SessionIndex session, Footprint& touched) = 0;
  // Those asleep, in the order in which they fell asleep.
  [[nodiscard]] virtual std::vector<SessionIndex> sleepers() const = 0;
  // Of sessions that wait for each other in a circle, those that the server may choose as
  // its victim, whom it would choose first in front.  Never empty.
  [[nodiscard]] virtual std::vector<SessionIndex> victims_of(
      std::span<const SessionIndex> circle) const = 0;

  // Whom a session waits for in the eyes of those who look for circles.
  [[nodiscard]] virtual std::vector<SessionIndex> circle_steps(SessionIndex session) const {
    return blockers(session);
  }

  // Does a circle end with the step that closes it?
  [[nodiscard]] virtual bool breaks_circles_at_once() const { return false; }

  // The work of a victim fails.
  virtual Reply fail_as_victim(SessionIndex session, Footprint& touched) = 0;

  // --- what can be seen from outside ---

  // By table, sorted.
  [[nodiscard]] virtual std::vector<std::vector<std::vector<program::Value>>>
  committed_rows() const = 0;
  // Everything that can matter later, without numbers that depend on who was faster, so
  // that different orders of the same steps come to the same fingerprint.  What the
  // sessions know of earlier replies is the caller's business.
  virtual void add_to(Digest& digest) const = 0;

  // --- what is read and written ---

  // From now on, also notes what statements read and write there; false: this model cannot.
  // Copies note it at the same place until they are told another one.
  virtual bool observe(AccessLog* /*log*/) { return false; }

  // What was noted, if this server keeps it (recorded_server.h).
  [[nodiscard]] virtual const AccessLog* accesses() const { return nullptr; }

  [[nodiscard]] bool is_asleep(SessionIndex session) const;
  // The sessions that are asleep and wait for each other in a circle through this one, this
  // one first; none if it is in none.
  [[nodiscard]] std::vector<SessionIndex> circle_of(SessionIndex session) const;
  // One of all circles; none if there is none.
  [[nodiscard]] std::vector<SessionIndex> any_circle() const;
};

// At the state in which the program starts.  The program must outlive it.
std::unique_ptr<SteppedServer> stepped_server(const ServerKind& kind,
                                              const program::Program& program,
                                              std::size_t sessions);

// The same, and it notes what is read and written.
std::unique_ptr<SteppedServer> recorded_server(const ServerKind& kind,
                                               const program::Program& program,
                                               std::size_t sessions);

// One that is copied with whoever has it.
class ServerState {
 public:
  explicit ServerState(std::unique_ptr<SteppedServer> server)
      : server_(std::move(server)) {}

  ServerState(const ServerState& other) : server_(other.server_->copy()) {}

  ServerState(ServerState&&) noexcept = default;

  ServerState& operator=(const ServerState& other) {
    server_ = other.server_->copy();
    return *this;
  }

  ServerState& operator=(ServerState&&) noexcept = default;
  ~ServerState() = default;

  SteppedServer* operator->() { return server_.get(); }

  const SteppedServer* operator->() const { return server_.get(); }

  SteppedServer& operator*() { return *server_; }

  const SteppedServer& operator*() const { return *server_; }

 private:
  std::unique_ptr<SteppedServer> server_;
};

}  // namespace isomer::database
