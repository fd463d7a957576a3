// SPDX-License-Identifier: MIT
// The sessions of a live run.  (Private to live_run.cpp; recovery.cpp has what is done when
// connections break.)
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/machine/machine.h"
#include "record/live_run.h"
#include "record/statement_text.h"
#include "server/connection.h"
#include "server/real_server.h"

namespace isomer::record {

using program::AsksServer;
using server::Connection;
using server::StatementResult;
using Clock = std::chrono::steady_clock;

// How long the last transactions have, and a server that went away to come back.
constexpr std::chrono::seconds patience{15};
constexpr std::chrono::milliseconds next_try{50};

// The connection broke.
inline bool is_lost(const program::Fault& fault) {
  return fault.is_limit && fault.sqlstate == "08006";
}

class Runner {
 public:
  Runner(const database::Scenario& scenario, const LiveOptions& options)
      : scenario_(scenario), options_(options), schema_(server::name_of_our_own(false)) {}

  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // What the server has against it; empty: all is there.
  std::string prepare();
  LiveRun run();

 private:
  struct Session {
    std::unique_ptr<Connection> connection{};
    database::CallPlace place{};
    std::optional<program::Machine> machine{};
    program::Step next{program::Commits{}};
    bool is_begun = false;    // BEGIN was sent
    bool is_pending = false;  // something was sent
    bool has_failed = false;  // its last statement
    bool is_over = false;
    bool asks_snapshot = false;  // of the transaction, with what was sent
    AskedText asked{};
    std::size_t results_before = 0;         // of BEGIN and the snapshot
    std::optional<std::size_t> snapshot{};  // of the transaction
    // With how many statements were before each.
    std::vector<std::pair<std::string, std::size_t>> savepoints{};
    LiveTransaction transaction{};
    Clock::time_point began{};
  };

  std::string open(std::unique_ptr<Connection>& connection);
  std::string open_observing();
  std::string must(const std::string& statement);

  [[nodiscard]] const program::Program& program() const { return scenario_.program; }

  [[nodiscard]] const program::Session& session_of(const Session& session) const {
    return program().sessions[index_of(session)];
  }

  [[nodiscard]] std::uint32_t index_of(const Session& session) const {
    return static_cast<std::uint32_t>(&session - sessions_.data());
  }

  [[nodiscard]] bool begins_no_more() const {
    return options_.budget.is_exhausted() || (deadline_ && Clock::now() >= *deadline_);
  }

  [[nodiscard]] double now() const {
    return std::chrono::duration<double>(Clock::now() - began_).count();
  }

  void start(Session& session);
  void go_on(Session& session);
  void send(Session& session, const AsksServer& what);
  void send_end(Session& session);
  void receive(Session& session);
  void receive_statement(Session& session, std::vector<StatementResult> results);
  void receive_end(Session& session, const StatementResult& result);
  void note_savepoint(Session& session, const AsksServer& what);
  void take_changes(Session& session, LiveStatement& to);
  void end(Session& session, LiveTransaction::End how, const database::Reply& reply);
  void add_snapshot(std::optional<std::size_t>& to, const std::string& text);

  bool wait_and_receive();
  void give_up();
  void recover();
  void lose_all();
  void lose(Session& session);
  void resolve();
  [[nodiscard]] std::optional<LiveTransaction::End> outcome_of(const LiveTransaction& of);
  void take_final_rows();
  [[nodiscard]] bool is_anybody_there() const;

  const database::Scenario& scenario_;
  const LiveOptions& options_;
  std::string schema_;
  bool has_schema_ = false;
  std::unique_ptr<Connection> observing_;
  std::vector<Session> sessions_;
  LiveRun out_;
  std::uint32_t start_ = 0;
  std::uint64_t ends_ = 0;
  std::vector<std::size_t> unknown_;  // transactions whose outcome is to be asked for
  Clock::time_point began_{};
  std::optional<Clock::time_point> deadline_;
};

}  // namespace isomer::record
