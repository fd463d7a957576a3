// SPDX-License-Identifier: MIT
// A model of a server that notes what everybody reads and writes.
#pragma once

#include <string>
#include <utility>

#include "database/access_log.h"
#include "database/stepped_server.h"

namespace isomer::database {

class RecordedServer final : public SteppedServer {
 public:
  RecordedServer(std::unique_ptr<SteppedServer> server, std::size_t sessions);
  RecordedServer(const RecordedServer& other);
  RecordedServer& operator=(const RecordedServer&) = delete;
  ~RecordedServer() override = default;

  [[nodiscard]] std::unique_ptr<SteppedServer> copy() const override;
  void begin(SessionIndex session, const BeginOptions& options) override;
  std::optional<Reply> start(SessionIndex session, Task task) override;
  [[nodiscard]] bool is_working(SessionIndex session) const override;
  [[nodiscard]] std::vector<SessionIndex> blockers(SessionIndex session) const override;
  std::optional<Reply> step(SessionIndex session, Footprint& touched) override;
  std::optional<Reply> run(SessionIndex session) override;
  [[nodiscard]] std::size_t choices(SessionIndex session) const override;
  void choose(SessionIndex session, std::size_t choice) override;
  void sleep(SessionIndex session, Footprint& touched) override;
  [[nodiscard]] std::vector<SessionIndex> sleepers() const override;
  [[nodiscard]] std::vector<SessionIndex> victims_of(
      std::span<const SessionIndex> circle) const override;
  [[nodiscard]] std::vector<SessionIndex> circle_steps(SessionIndex session) const override;
  [[nodiscard]] bool breaks_circles_at_once() const override;
  Reply fail_as_victim(SessionIndex session, Footprint& touched) override;
  [[nodiscard]] std::vector<std::vector<std::vector<program::Value>>> committed_rows()
      const override;
  void add_to(Digest& digest) const override;

  [[nodiscard]] const AccessLog* accesses() const override {
    return is_observed_ ? &log_ : nullptr;
  }

 private:
  struct Session {
    Task::Kind task = Task::Kind::Ask;
    program::AsksServer::Kind asked = program::AsksServer::Kind::Statement;
    std::string savepoint{};
    // With the position in the log.
    std::vector<std::pair<std::string, std::size_t>> savepoints{};
  };

  std::optional<Reply> noted(SessionIndex session, std::optional<Reply> reply);
  void note_asked(SessionIndex session, const Reply& reply);
  // The savepoints inside this one are gone, and with it if it was released.
  void drop_savepoints(SessionIndex session, bool keeps_it);

  std::unique_ptr<SteppedServer> server_;
  AccessLog log_;
  bool is_observed_ = false;
  std::vector<Session> sessions_;
};

}  // namespace isomer::database
