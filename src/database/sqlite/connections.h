// SPDX-License-Identifier: MIT
// SQLite's connections to one database file, and the locks that they hold of it
// (sqlite.org/lockingv3.html, sqlite.org/wal.html).
//
// All locks are of the whole file.  Readers are SHARED; whoever wants to write is RESERVED,
// beside whom others may read; COMMIT needs the file for itself (EXCLUSIVE), and while it
// waits for readers it keeps new ones out (PENDING).  With a write-ahead log readers are in
// nobody's way: each has its snapshot, and only who writes is RESERVED.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "database/access_log.h"
#include "database/sqlite/result_codes.h"
#include "database/sqlite/tables.h"
#include "database/stepped_server.h"

namespace isomer::database::sqlite {

enum class FileLock : std::uint8_t { Unlocked, Shared, Reserved, Pending, Exclusive };

struct Connection {
  bool is_immediate = false;
  FileLock lock = FileLock::Unlocked;
  FileLock lock_before = FileLock::Unlocked;  // when the task was started
  // Locked: what it sees, with its own changes, and how many commits that has.
  Tables tables{};
  std::uint32_t commits = 0;
  bool has_written = false;  // pages of the file
  std::vector<std::pair<std::string, Tables>> savepoints{};
  bool has_begun = false;                       // BEGIN IMMEDIATE
  std::optional<program::Fault> begin_fault{};  // of BEGIN IMMEDIATE
  std::uint32_t logged_commits = 0;             // in the log, when it was locked
  std::optional<Task> task{};
};

class Connections final : public SteppedServer {
 public:
  Connections(const ServerKind& kind, const program::Program& program,
              std::size_t sessions);

  [[nodiscard]] std::unique_ptr<SteppedServer> copy() const override;
  void begin(SessionIndex session, const BeginOptions& options) override;
  std::optional<Reply> start(SessionIndex session, Task task) override;

  [[nodiscard]] bool is_working(SessionIndex session) const override;
  [[nodiscard]] std::vector<SessionIndex> blockers(SessionIndex session) const override;
  std::optional<Reply> step(SessionIndex session, Footprint& touched) override;

  void sleep(SessionIndex session, Footprint& touched) override;

  [[nodiscard]] std::vector<SessionIndex> sleepers() const override { return sleepers_; }

  // Nobody who holds the file waits for one who waits: there are no circles.
  [[nodiscard]] std::vector<SessionIndex> victims_of(
      std::span<const SessionIndex> circle) const override;
  Reply fail_as_victim(SessionIndex session, Footprint& touched) override;

  [[nodiscard]] std::vector<std::vector<std::vector<program::Value>>> committed_rows()
      const override;
  void add_to(Digest& digest) const override;

  bool observe(AccessLog* log) override {
    log_ = log;
    return true;
  }

  [[nodiscard]] const Connection& connection(SessionIndex session) const {
    return connections_[session];
  }

 private:
  // The lock that the session needs before it can go on; the one that it has: none.
  [[nodiscard]] FileLock wanted(const Connection& of) const;
  // Who holds a lock that is in its way.
  [[nodiscard]] std::vector<SessionIndex> holders(SessionIndex session,
                                                  FileLock wanted) const;
  // With a busy timeout everybody waits, but for a reader that wants to write: that could
  // be for ever.
  [[nodiscard]] bool waits(const Connection& of, FileLock wanted) const;
  [[nodiscard]] bool is_outdated(const Connection& of) const;
  Reply refuse(Connection& of, FileLock wanted, const ResultCode& code, Footprint& touched);
  void grant(Connection& of, FileLock wanted, Footprint& touched);
  Reply execute(SessionIndex session, Footprint& touched);
  Reply between(Connection& of);
  Reply roll_back_to(Connection& of);
  void note_end(const Connection& of, Footprint& touched) const;

  ServerKind kind_;
  const program::Program* program_;
  Tables committed_;
  std::uint32_t commits_ = 0;  // that changed a page
  std::vector<Connection> connections_;
  std::vector<SessionIndex> sleepers_;  // in the order in which they fell asleep
  AccessLog* log_ = nullptr;
};

}  // namespace isomer::database::sqlite
