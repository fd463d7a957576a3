// SPDX-License-Identifier: MIT
// A connection to a PostgreSQL server: a statement is sent, and its result is there once it
// is there.  The one place that knows libpq.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "database/server.h"
#include "program/machine/evaluate.h"

struct pg_conn;
struct pg_result;

namespace isomer::server {

struct StatementResult {
  std::optional<program::Fault> fault;  // what went wrong, with its SQLSTATE
  std::vector<std::vector<program::Value>> rows;
  std::int64_t count = 0;  // of rows selected or changed
  std::string command;     // "COMMIT": what the server says that it did
};

// What is wrong with an address, as far as that is seen without a server, and without a
// word of it: what looks like a port may be a password.
std::string mistake_in_address(const std::string& address);

// The keys of the advisory lock that goes with a schema of ours, as long as who made it
// lives.
std::string owner_lock(const std::string& schema);

// BEGIN ISOLATION LEVEL ..
std::string begin_text(const database::BeginOptions& options);

class Connection {
 public:
  // The address is one of libpq: "host=/tmp dbname=shop" or postgresql://ann@host/shop.
  explicit Connection(const std::string& address);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Why there is no connection, in libpq's words; empty if there is one.
  [[nodiscard]] std::string problem() const;
  [[nodiscard]] int process() const;  // of the server
  [[nodiscard]] bool is_in_transaction() const;
  [[nodiscard]] std::string server_version() const;  // "15.18"
  // What the server said beside its results, since it was last taken.
  std::vector<std::string> take_notices();

  // Sends a statement, or several with semicolons between them; nothing else until their
  // results were taken.
  void send(const std::string& statements);
  // Are all results there?  Does not wait.
  [[nodiscard]] bool has_results();
  // Waits for the results if it must: those up to the first that failed.  At least one.
  std::vector<StatementResult> take_all();
  // The last of them.
  StatementResult take();
  StatementResult run(const std::string& statements);
  // Asks the server to give up what it is doing for us.
  void cancel();

 private:
  friend void wait_for_any(std::span<Connection* const> connections,
                           std::chrono::microseconds time);

  void receive();

  pg_conn* connection_;
  bool is_busy_ = false;
  std::vector<StatementResult> results_;  // of what was sent, so far
  std::vector<std::string> notices_;
};

// {1,NULL,"a b"}: the elements of an array as texts, those that are NULL absent.  From
// there on, `text` is what stands behind it.
std::vector<std::optional<std::string>> take_array(std::string_view& text);

// A value as this server writes it; absent if it is none of the type.
std::optional<program::Value> value_of_text(std::string_view text,
                                            const program::Type& type);

// Until one of them has something to say, or the time is over.
void wait_for_any(std::span<Connection* const> connections, std::chrono::microseconds time);

}  // namespace isomer::server
