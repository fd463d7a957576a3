// SPDX-License-Identifier: MIT
// A real PostgreSQL 15 for tests: its own temporary cluster and a private socket, nothing
// on disk is flushed, and it ends with the test program, however that ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "support/command.h"

struct pg_conn;

namespace isomer::test {

// What is left when the server is stopped at once: nothing for sure, or every commit.
enum class Kept : std::uint8_t { Nothing, Commits };

class Server {
 public:
  explicit Server(Kept kept = Kept::Nothing);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Why it does not run; empty if it does.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  [[nodiscard]] std::string socket_folder() const { return scratch_.path(""); }

  // As `pg_ctl stop -m immediate` does: it ends without a word to anybody.
  void stop_at_once();
  // Once more, on what is left.
  void start_again();

 private:
  void start_it();

  Scratch scratch_;
  Kept kept_;
  pid_t process_ = 0;
  std::string problem_;
};

// The one server of the test program, started when it is first asked for.
const Server& server();

// One cell: absent for NULL.
using Cell = std::optional<std::string>;

struct Answer {
  std::string sqlstate;  // empty: it went well
  std::string message;
  std::vector<std::vector<Cell>> rows;
};

// A connection to the server's database.
class Connection {
 public:
  explicit Connection(const Server& server);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // In a transaction of its own, unless one is open.
  [[nodiscard]] Answer run(const std::string& sql) const;

  // run(), where an error fails the test.
  void must(const std::string& sql) const;

 private:
  pg_conn* connection_;
};

}  // namespace isomer::test
