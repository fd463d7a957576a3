// SPDX-License-Identifier: MIT
#include "record/live_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/machine/serial.h"
#include "program/machine/statement_execution.h"
#include "program/print/print.h"
#include "record/runner.h"

namespace isomer::record {
namespace {

constexpr std::array session_settings = {"client_min_messages = notice",
                                         "datestyle = 'ISO'",
                                         "timezone = 'UTC'",
                                         "statement_timeout = 0",
                                         "lock_timeout = 0",
                                         "idle_in_transaction_session_timeout = 0"};

}  // namespace

// --- beginning and end ---

Runner::~Runner() {
  for (Session& session : sessions_)
    if (session.is_pending && session.connection) session.connection->cancel();
  sessions_.clear();
  if (!has_schema_ || !observing_) return;
  if (!observing_->problem().empty() && !open(observing_).empty()) return;
  static_cast<void>(observing_->run(
      fmt::format("DROP SCHEMA {} CASCADE", program::quoted_name(schema_))));
}

std::string Runner::open(std::unique_ptr<Connection>& connection) {
  connection = std::make_unique<Connection>(options_.address);
  if (std::string problem = connection->problem(); !problem.empty()) return problem;
  std::vector<std::string> all(session_settings.begin(), session_settings.end());
  all.push_back("search_path = " + program::quoted_name(schema_));
  const auto result = connection->run(fmt::format("SET {}", fmt::join(all, "; SET ")));
  return result.fault ? result.fault->reason : std::string();
}

// As long as it is open, nobody takes the schema for one that was left behind.
std::string Runner::open_observing() {
  if (std::string problem = open(observing_); !problem.empty()) return problem;
  return must(fmt::format("SELECT pg_advisory_lock({})", server::owner_lock(schema_)));
}

std::string Runner::must(const std::string& statement) {
  const auto result = observing_->run(statement);
  return result.fault ? result.fault->reason : std::string();
}

std::string Runner::prepare() {
  if (std::string problem = open_observing(); !problem.empty()) return problem;
  std::vector<std::string> statements = {"CREATE SCHEMA " + program::quoted_name(schema_)};
  for (auto& definition : program::table_definitions(program()))
    statements.push_back(std::move(definition));
  for (auto& insert : program::initial_inserts(program()))
    statements.push_back(std::move(insert));
  if (!options_.only_runs)
    for (auto& trigger : trigger_definitions(program()))
      statements.push_back(std::move(trigger));
  for (const std::string& statement : statements) {
    if (std::string problem = must(statement); !problem.empty()) return problem;
    has_schema_ = true;
  }
  sessions_.resize(program().sessions.size());
  for (Session& session : sessions_)
    if (std::string problem = open(session.connection); !problem.empty()) return problem;
  return {};
}

// --- one session ---

// The next call, or the same once more.
void Runner::start(Session& session) {
  const auto& calls = session_of(session).calls;
  session.machine.reset();
  session.is_over = session.place.call >= calls.size() || begins_no_more();
  if (session.is_over) return;
  const program::Call& call = calls[session.place.call];
  session.machine =
      program::Machine::on_server(program(), call, program::argument_values(call));
  session.next = session.machine->next();
  session.is_begun = false;
  session.has_failed = false;
  session.snapshot.reset();
  session.savepoints.clear();
  session.transaction = {.session = index_of(session),
                         .call = session.place.call,
                         .attempt = session.place.attempt,
                         .level = scenario_.begin[call.type].level,
                         .start = start_};
  session.began = Clock::now();
  session.transaction.began = now();
}

// Sends what is next, if there is something.
void Runner::go_on(Session& session) {
  while (true) {
    if (!session.machine) start(session);
    if (session.is_over) return;
    if (const auto* what = std::get_if<AsksServer>(&session.next))
      return send(session, *what);
    if (session.is_begun) return send_end(session);
    // It never went to the server.
    const bool commits = std::holds_alternative<program::Commits>(session.next);
    end(session,
        commits ? LiveTransaction::End::Committed : LiveTransaction::End::RolledBack, {});
  }
}

void Runner::send(Session& session, const AsksServer& what) {
  const auto bindings = session.machine->bindings();
  const program::PrintNames names{
      .program = program(), .variables = nullptr, .bindings = &bindings};
  const IsolationLevel level = session.transaction.level;
  session.asked = options_.only_runs ? AskedText{.text = program::server_text(names, what)}
                                     : asked_text(names, what, level);
  std::string text;
  session.results_before = 0;
  if (!session.is_begun) {
    const auto type = session_of(session).calls[session.place.call].type;
    text = server::begin_text(scenario_.begin[type]) + "; ";
    ++session.results_before;
  }
  session.is_begun = true;
  session.asks_snapshot = !options_.only_runs && level > IsolationLevel::ReadCommitted &&
                          !session.snapshot && takes_snapshot(what);
  if (session.asks_snapshot) {
    text += "SELECT pg_current_snapshot()::text; ";
    ++session.results_before;
  }
  session.connection->send(text + session.asked.text);
  session.is_pending = true;
}

void Runner::send_end(Session& session) {
  session.connection->send(
      std::holds_alternative<program::Commits>(session.next) ? "COMMIT" : "ROLLBACK");
  session.is_pending = true;
}

void Runner::receive(Session& session) {
  auto results = session.connection->take_all();
  session.is_pending = false;
  if (const auto& fault = results.back().fault; fault && is_lost(*fault))
    return lose(session);
  if (std::holds_alternative<AsksServer>(session.next))
    receive_statement(session, std::move(results));
  else
    receive_end(session, results.back());
  if (session.connection && !session.is_pending) go_on(session);
}

void Runner::add_snapshot(std::optional<std::size_t>& to, const std::string& text) {
  auto snapshot = parse_snapshot(text, start_);
  if (!snapshot) {
    out_.problem = "the server tells its snapshot in words that are not known";
    return;
  }
  to = out_.snapshots.size();
  out_.snapshots.push_back(std::move(*snapshot));
}

// What the triggers said while the statement ran.
void Runner::take_changes(Session& session, LiveStatement& to) {
  for (const std::string& notice : session.connection->take_notices()) {
    auto change = parse_change(program(), notice);
    if (!change) continue;
    session.transaction.number = change->transaction;
    if (!to.has_failed) to.changes.push_back(std::move(*change));
  }
}

void Runner::receive_statement(Session& session, std::vector<StatementResult> results) {
  const AsksServer what = std::get<AsksServer>(session.next);
  const auto bindings = session.machine->bindings();
  LiveStatement statement{
      .what = what,
      .variables = {bindings.variables.begin(), bindings.variables.end()},
      .found = bindings.found,
      .row_count = bindings.row_count};
  if (session.asks_snapshot && results.size() >= session.results_before &&
      !results[session.results_before - 1].rows.empty())
    if (const auto* text =
            results[session.results_before - 1].rows[0][0].get_if<std::string>())
      add_snapshot(session.snapshot, *text);
  StatementResult result = std::move(results.back());
  std::string own_snapshot;
  if (!result.fault &&
      !take_added(program(), session.asked, result, statement, own_snapshot))
    out_.problem = "the server's answer is not that of the statement that was sent";
  statement.snapshot = session.snapshot;
  if (!own_snapshot.empty()) add_snapshot(statement.snapshot, own_snapshot);
  statement.has_failed = result.fault.has_value();
  take_changes(session, statement);
  if (what.kind == AsksServer::Kind::Statement && !result.fault) {
    const auto most = program::rows_taken(*what.statement);
    statement.is_cut = most && result.rows.size() > *most;
    if (statement.is_cut) {
      result.rows.resize(*most);
      result.count = static_cast<std::int64_t>(*most);
    }
  }
  session.has_failed = result.fault.has_value();
  if (result.fault) {
    session.machine->fail(std::move(*result.fault));
  } else {
    if (!options_.only_runs) statement.rows = result.rows;
    session.machine->answer({.rows = std::move(result.rows), .count = result.count});
  }
  const bool is_savepoint =
      what.kind != AsksServer::Kind::Statement && what.kind != AsksServer::Kind::Value;
  if (is_savepoint && !session.has_failed)
    note_savepoint(session, what);
  else if (!options_.only_runs)
    session.transaction.statements.push_back(std::move(statement));
  session.next = session.machine->next();
}

void Runner::note_savepoint(Session& session, const AsksServer& what) {
  auto& statements = session.transaction.statements;
  auto& savepoints = session.savepoints;
  if (what.kind == AsksServer::Kind::Savepoint) {
    savepoints.emplace_back(what.savepoint, statements.size());
    return;
  }
  const auto place =
      std::find_if(savepoints.rbegin(), savepoints.rend(),
                   [&](const auto& point) { return point.first == what.savepoint; });
  if (place == savepoints.rend()) return;
  const std::size_t first = place->second;
  const bool is_released = what.kind == AsksServer::Kind::Release;
  savepoints.erase(place.base() - (is_released ? 1 : 0), savepoints.end());
  if (is_released) return;
  for (std::size_t i = first; i < statements.size(); ++i)
    statements[i].undone_by = std::min(statements[i].undone_by, statements.size());
}

void Runner::receive_end(Session& session, const StatementResult& result) {
  using End = LiveTransaction::End;
  const bool commits = std::holds_alternative<program::Commits>(session.next);
  // Triggers of constraints that are checked at the end may have spoken, too.
  static_cast<void>(session.connection->take_notices());
  if (result.fault)
    return end(session, End::RolledBack,
               {.kind = database::Reply::Kind::Failed, .fault = *result.fault});
  const bool is_committed = commits && result.command == "COMMIT";
  end(session, is_committed ? End::Committed : End::RolledBack, {});
}

void Runner::end(Session& session, LiveTransaction::End how, const database::Reply& reply) {
  LiveTransaction& of = session.transaction;
  of.end = how;
  of.ended = ++ends_;
  of.seconds = std::chrono::duration<double>(Clock::now() - session.began).count();
  of.fault =
      database::end_call(session_of(session), session.next, reply, session.place).fault;
  if (session.is_begun) {
    if (of.number != 0)
      for (const LiveStatement& statement : of.statements)
        if (statement.snapshot) add_running(out_.snapshots[*statement.snapshot], of.number);
    if (how == LiveTransaction::End::Unknown) unknown_.push_back(out_.transactions.size());
    out_.transactions.push_back(std::move(of));
  }
  session.machine.reset();
}

// --- all of them ---

bool Runner::is_anybody_there() const {
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [](const Session& session) { return !session.is_over; });
}

// False: somebody's connection broke.
bool Runner::wait_and_receive() {
  std::vector<Connection*> pending;
  for (const Session& session : sessions_)
    if (session.is_pending) pending.push_back(session.connection.get());
  server::wait_for_any(pending, next_try);
  for (Session& session : sessions_)
    if (session.is_pending && session.connection->has_results()) receive(session);
  return std::all_of(sessions_.begin(), sessions_.end(), [](const Session& session) {
    return session.is_over || session.connection;
  });
}

// Whoever still waits when all is over.
void Runner::give_up() {
  for (Session& session : sessions_)
    if (session.is_pending) session.connection->cancel();
}

void Runner::take_final_rows() {
  std::vector<std::vector<std::vector<Value>>> all;
  for (const program::Table& table : program().tables) {
    auto result = observing_->run("SELECT * FROM " + program::quoted_name(table.name));
    if (result.fault) return;
    std::sort(result.rows.begin(), result.rows.end());
    all.push_back(std::move(result.rows));
  }
  out_.final_rows = std::move(all);
}

LiveRun Runner::run() {
  began_ = Clock::now();
  if (options_.seconds)
    deadline_ = began_ + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>(*options_.seconds));
  for (Session& session : sessions_)
    go_on(session);
  std::optional<Clock::time_point> last_cancel;
  while (is_anybody_there() && out_.problem.empty()) {
    if (!wait_and_receive()) recover();
    if (!begins_no_more()) continue;
    if (!last_cancel)
      last_cancel =
          Clock::now() + (options_.budget.is_interrupted() ? Clock::duration() : patience);
    if (Clock::now() < *last_cancel) continue;
    give_up();
    last_cancel = Clock::now() + std::chrono::seconds(1);
  }
  out_.seconds = now();
  take_final_rows();
  return std::move(out_);
}

tl::expected<LiveRun, std::string> run_live(const database::Scenario& scenario,
                                            const LiveOptions& options) {
  Runner runner(scenario, options);
  if (std::string problem = runner.prepare(); !problem.empty())
    return tl::unexpected(std::move(problem));
  return runner.run();
}

}  // namespace isomer::record
