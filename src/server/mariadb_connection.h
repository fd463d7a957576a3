// SPDX-License-Identifier: MIT
// A connection to a MariaDB server: a statement is sent, and its result is there once it
// is there.  The one place that knows libmariadb.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "program/ir.h"
#include "program/machine/evaluate.h"

struct st_mysql;
struct st_mysql_res;

namespace isomer::server {

// Where a MariaDB server is, and who asks.
struct MariadbAddress {
  std::string socket{};  // empty: by host and port
  std::string host{};
  unsigned port = 0;  // 0: the usual one
  std::string user{};
  std::string password{};
  std::string database{};
};

// mariadb://ann:secret@db.example.com:3307/shop, or mysql://..; %40 in a name or password
// stands for @.  A socket comes behind a question mark: mariadb://ann@/?socket=/run/sock.
// Otherwise what is wrong with it.
tl::expected<MariadbAddress, std::string> parse_mariadb_address(std::string_view url);

struct MariadbResult {
  std::optional<program::Fault> fault{};  // with MariaDB's number
  std::vector<std::vector<program::Value>> rows{};
  // Of rows selected, or found to be changed; with several rows to insert, of those that
  // were looked at.
  std::int64_t count = 0;
};

class MariadbConnection {
 public:
  explicit MariadbConnection(const MariadbAddress& address);
  ~MariadbConnection();
  MariadbConnection(const MariadbConnection&) = delete;
  MariadbConnection& operator=(const MariadbConnection&) = delete;

  // Why there is no connection, in libmariadb's words; empty if there is one.
  [[nodiscard]] std::string problem() const;
  [[nodiscard]] std::uint64_t thread() const;      // of the server
  [[nodiscard]] std::string server_title() const;  // "MariaDB 10.11.14"

  // Sends a statement, with the types of its columns (without them all is text); nothing
  // else until its result was taken.
  void send(const std::string& statement, std::vector<program::Type> types = {});
  // Is the result there?  Does not wait.
  [[nodiscard]] bool has_result();
  // Waits for the result if it must.
  MariadbResult take();
  MariadbResult run(const std::string& statement, std::vector<program::Type> types = {});

 private:
  friend void wait_for_any(std::span<MariadbConnection* const> connections,
                           std::chrono::microseconds time);

  [[nodiscard]] MariadbResult failed() const;
  MariadbResult read_rows(st_mysql_res* result) const;

  st_mysql* connection_;
  bool is_connected_ = false;
  bool is_sent_ = false;  // a statement whose result was not taken
  std::vector<program::Type> types_;
};

// Until one of them has something to say, or the time is over.
void wait_for_any(std::span<MariadbConnection* const> connections,
                  std::chrono::microseconds time);

}  // namespace isomer::server
