// SPDX-License-Identifier: MIT
#include "server/postgresql_server.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/machine/statement_execution.h"
#include "program/print/print.h"
#include "server/observer.h"

namespace isomer::server {
namespace {

using database::BeginOptions;
using database::Reply;
using database::SessionIndex;
using Clock = std::chrono::steady_clock;

// How long a statement may run before we ask whether it waits, and between two looks.
constexpr std::chrono::microseconds first_look{1000};
constexpr std::chrono::microseconds next_look{1000};

// `most`: how many of the rows the client takes.
Reply reply_of(StatementResult result, std::optional<std::size_t> most) {
  if (most && result.rows.size() > *most) {
    result.rows.resize(*most);
    result.count = static_cast<std::int64_t>(*most);
  }
  if (result.fault) return {.kind = Reply::Kind::Failed, .fault = *result.fault};
  return {.kind = Reply::Kind::Done, .rows = std::move(result.rows), .count = result.count};
}

Reply failed(std::string reason, std::string sqlstate) {
  return {.kind = Reply::Kind::Failed,
          .fault = {.reason = std::move(reason),
                    .sqlstate = std::move(sqlstate),
                    .at = {},
                    .is_limit = true}};
}

bool is_deadlock(const Reply& reply) {
  return reply.kind == Reply::Kind::Failed && reply.fault.sqlstate == "40P01";
}

// What could make a run depend on the server's configuration; commits need not last.
// Scans go by the rows' places in the table, and look keys up in indexes as they would if
// the tables were large: otherwise SERIALIZABLE takes every scan for one of the whole
// table.
constexpr std::array settings = {"enable_seqscan = off",
                                 "enable_indexscan = off",
                                 "enable_indexonlyscan = off",
                                 "client_min_messages = error",
                                 "datestyle = 'ISO'",
                                 "timezone = 'UTC'",
                                 "statement_timeout = 0",
                                 "lock_timeout = 0",
                                 "idle_in_transaction_session_timeout = 0",
                                 "synchronous_commit = off",
                                 "jit = off"};

}  // namespace

struct PostgresqlServer::State {
  struct Session {
    std::unique_ptr<Connection> connection;
    bool is_pending = false;
    std::set<int> waited_for{};      // by its last statement, at first
    bool may_hold_advisory = false;  // beyond the end of its transaction
    std::string begin{};             // what is to be sent before the next statement
    std::optional<std::size_t> rows_taken{};  // of the result of its last statement
  };

  const program::Program& program;
  PostgresqlOptions options;
  std::string schema;
  std::unique_ptr<Connection> observing;  // and everything that is no session's
  std::unique_ptr<Observer> observer;
  std::vector<Session> sessions;
  std::set<int> processes{};
  Waits standing{};  // when nobody moved the last time
  std::vector<std::pair<SessionIndex, Reply>> woken{};

  // --- beginning and end ---

  std::string open(std::unique_ptr<Connection>& connection);
  std::string run(const std::string& statement);
  std::string make_tables();
  std::string reset();
  // The initial rows, at the places that they would have in new tables.  (TRUNCATE makes
  // new files, which takes ten times as long.)
  std::string fill();

  // --- statements ---

  Reply send(SessionIndex index, const std::string& statement);
  void settle();
  bool take_results();
  bool is_standing(const Waits& before, const Waits& now);
  void give_up();
  [[nodiscard]] std::vector<int> pending() const;
  [[nodiscard]] std::vector<Connection*> pending_connections() const;
  [[nodiscard]] std::vector<SessionIndex> sessions_of(const std::set<int>& of) const;
};

// --- beginning and end ---

std::string PostgresqlServer::State::open(std::unique_ptr<Connection>& connection) {
  connection = std::make_unique<Connection>(options.address);
  if (std::string problem = connection->problem(); !problem.empty()) return problem;
  std::vector<std::string> all(settings.begin(), settings.end());
  all.push_back("search_path = " + program::quoted_name(schema));
  all.insert(all.end(), options.settings.begin(), options.settings.end());
  if (const auto result = connection->run(fmt::format("SET {}", fmt::join(all, "; SET ")));
      result.fault)
    return result.fault->reason;
  // Only for superusers; without it, deadlocks take longer.
  static_cast<void>(connection->run(
      fmt::format("SET deadlock_timeout = {}", options.deadlock_timeout.count())));
  return {};
}

std::string PostgresqlServer::State::run(const std::string& statement) {
  const auto result = observing->run(statement);
  return result.fault ? result.fault->reason : std::string();
}

std::string PostgresqlServer::State::make_tables() {
  // As long as we live.
  if (std::string problem =
          run(fmt::format("SELECT pg_advisory_lock({})", owner_lock(schema)));
      !problem.empty())
    return problem;
  if (std::string problem = run("CREATE SCHEMA " + program::quoted_name(schema));
      !problem.empty())
    return problem;
  for (const std::string& definition : program::table_definitions(program))
    if (std::string problem = run(definition); !problem.empty()) return problem;
  return {};
}

std::string PostgresqlServer::State::fill() {
  if (program.tables.empty()) return {};
  std::vector<std::string> deletions;
  std::vector<std::string> tables;
  for (const program::Table& table : program.tables) {
    tables.push_back(program::quoted_name(table.name));
    deletions.push_back(
        fmt::format("d{} AS (DELETE FROM {})", deletions.size(), tables.back()));
  }
  std::vector statements = {
      fmt::format("WITH {} SELECT", fmt::join(deletions, ", ")),
      fmt::format("VACUUM (TRUNCATE false, INDEX_CLEANUP on) {}", fmt::join(tables, ", "))};
  for (std::string& insert : program::initial_inserts(program))
    statements.push_back(std::move(insert));
  for (const std::string& statement : statements)
    if (std::string problem = run(statement); !problem.empty()) return problem;
  return {};
}

std::string PostgresqlServer::State::reset() {
  for (Session& session : sessions)
    if (session.is_pending) session.connection->cancel();
  for (Session& session : sessions) {
    if (session.is_pending) static_cast<void>(session.connection->take());
    session.is_pending = false;
    session.begin.clear();
    if (session.connection->is_in_transaction())
      static_cast<void>(session.connection->run("ROLLBACK"));
    if (std::exchange(session.may_hold_advisory, false))
      static_cast<void>(session.connection->run("SELECT pg_advisory_unlock_all()"));
  }
  standing.clear();
  woken.clear();
  return fill();
}

tl::expected<std::unique_ptr<PostgresqlServer>, std::string> PostgresqlServer::connect(
    const program::Program& program, const PostgresqlOptions& options) {
  auto state = std::make_unique<State>(State{.program = program,
                                             .options = options,
                                             .schema = name_of_our_own(options.keeps),
                                             .observing = nullptr,
                                             .observer = nullptr,
                                             .sessions = {}});
  if (std::string problem = state->open(state->observing); !problem.empty())
    return tl::unexpected(std::move(problem));
  // From here on there is a schema to drop.
  std::unique_ptr<PostgresqlServer> out(new PostgresqlServer(std::move(state)));
  State& own = *out->state_;
  own.sessions.resize(program.sessions.size());
  std::string problem = own.make_tables();
  for (State::Session& session : own.sessions) {
    if (!problem.empty()) break;
    problem = own.open(session.connection);
    own.processes.insert(session.connection->process());
  }
  if (problem.empty()) problem = own.reset();
  if (!problem.empty()) return tl::unexpected(std::move(problem));
  const auto timeout = own.observing->run("SHOW deadlock_timeout");
  const bool is_set = !timeout.fault &&
                      timeout.rows[0][0] == program::Value::text(fmt::format(
                                                "{}ms", options.deadlock_timeout.count()));
  own.observer = std::make_unique<Observer>(
      *own.observing, is_set ? options.deadlock_timeout : std::chrono::milliseconds(0));
  return out;
}

PostgresqlServer::PostgresqlServer(std::unique_ptr<State> state)
    : state_(std::move(state)) {}

PostgresqlServer::~PostgresqlServer() {
  for (State::Session& session : state_->sessions)
    if (session.is_pending) session.connection->cancel();
  state_->sessions.clear();
  if (!state_->options.keeps)
    static_cast<void>(state_->run(
        fmt::format("DROP SCHEMA {} CASCADE", program::quoted_name(state_->schema))));
}

std::string PostgresqlServer::reset() {
  return state_->reset();
}

std::string PostgresqlServer::place() const {
  return "the schema " + state_->schema;
}

// --- what others left behind ---

tl::expected<ServerTitle, std::string> look_at_postgresql(const std::string& address) {
  Connection connection(address);
  if (std::string problem = connection.problem(); !problem.empty())
    return tl::unexpected(std::move(problem));
  ServerTitle out{.name = "PostgreSQL " + connection.server_version()};
  const auto schemas = connection.run(
      "SET client_min_messages = error; SELECT nspname::text FROM pg_namespace "
      "WHERE nspname ~ '^isomer_[0-9]+_[0-9a-f]{8}$' ORDER BY 1");
  for (const auto& row : schemas.rows) {
    const std::string& schema = *row[0].get_if<std::string>();
    const std::string lock = owner_lock(schema);
    const auto is_free =
        connection.run(fmt::format("SELECT pg_try_advisory_lock({})", lock));
    if (is_free.fault || is_free.rows[0][0] != program::Value::boolean(true)) continue;
    const std::string statement = fmt::format("DROP SCHEMA {} CASCADE", schema);
    if (const auto dropped = connection.run(statement); dropped.fault)
      out.left_behind.push_back(
          fmt::format("the schema {} was left behind by a program that was killed: {}",
                      schema, statement));
    static_cast<void>(connection.run(fmt::format("SELECT pg_advisory_unlock({})", lock)));
  }
  return out;
}

// --- statements ---

std::vector<int> PostgresqlServer::State::pending() const {
  std::vector<int> out;
  for (const Session& session : sessions)
    if (session.is_pending) out.push_back(session.connection->process());
  return out;
}

std::vector<Connection*> PostgresqlServer::State::pending_connections() const {
  std::vector<Connection*> out;
  for (const Session& session : sessions)
    if (session.is_pending) out.push_back(session.connection.get());
  return out;
}

std::vector<SessionIndex> PostgresqlServer::State::sessions_of(
    const std::set<int>& of) const {
  std::vector<SessionIndex> out;
  for (SessionIndex i = 0; i < sessions.size(); ++i)
    if (of.contains(sessions[i].connection->process())) out.push_back(i);
  return out;
}

// Did anybody get a result?  Of several at a time, the victim of a deadlock was first: it
// let the others go on.
bool PostgresqlServer::State::take_results() {
  const std::size_t before = woken.size();
  for (SessionIndex i = 0; i < sessions.size(); ++i) {
    Session& session = sessions[i];
    if (!session.is_pending || !session.connection->has_results()) continue;
    woken.emplace_back(i, reply_of(session.connection->take(), session.rows_taken));
    session.is_pending = false;
  }
  std::stable_partition(woken.begin() + static_cast<std::ptrdiff_t>(before), woken.end(),
                        [](const auto& reply) { return is_deadlock(reply.second); });
  return woken.size() > before;
}

// Nobody moved between two looks; a wait that was seen standing before stands since then.
bool PostgresqlServer::State::is_standing(const Waits& before, const Waits& now) {
  const std::vector<int> all = pending();
  if (!stand_still(now, all, processes)) return false;
  return std::all_of(all.begin(), all.end(), [&](int process) {
    const auto was = before.find(process);
    const auto stood = standing.find(process);
    return (was != before.end() && was->second == now.at(process)) ||
           (stood != standing.end() && stood->second == now.at(process));
  });
}

// Those whose statements still run are not to keep everybody waiting.
void PostgresqlServer::State::give_up() {
  for (SessionIndex i = 0; i < sessions.size(); ++i) {
    if (!sessions[i].is_pending) continue;
    sessions[i].connection->cancel();
    static_cast<void>(sessions[i].connection->take());
    sessions[i].is_pending = false;
    woken.emplace_back(i, failed(options.budget.is_exhausted()
                                     ? options.budget.reason()
                                     : fmt::format("no answer from the server within {} ms",
                                                   options.patience.count()),
                                 "57014"));
  }
}

// Until everybody has a result, or waits for good.
void PostgresqlServer::State::settle() {
  const Clock::time_point deadline = Clock::now() + options.patience;
  Waits before;
  auto time = standing.empty() ? first_look : std::chrono::microseconds(0);
  while (true) {
    const auto connections = pending_connections();
    if (connections.empty()) return standing.clear();
    wait_for_any(connections, time);
    time = next_look;
    if (take_results()) continue;
    Waits now = observer->look(pending());
    for (Session& session : sessions)
      if (session.is_pending && session.waited_for.empty())
        if (const auto wait = now.find(session.connection->process()); wait != now.end())
          session.waited_for = wait->second.for_whom;
    if (is_standing(before, now)) {
      standing = std::move(now);
      return;
    }
    before = std::move(now);
    if (Clock::now() > deadline || options.budget.is_exhausted()) give_up();
  }
}

// The reply of the session itself, once everybody stands still.  If it waited, and others
// got their replies meanwhile, its own comes later, among theirs.
Reply PostgresqlServer::State::send(SessionIndex index, const std::string& statement) {
  Session& session = sessions[index];
  ISOMER_ASSERT(!session.is_pending);
  session.connection->send(std::exchange(session.begin, {}) + statement);
  session.waited_for.clear();
  const std::array only = {session.connection.get()};
  wait_for_any(only, first_look);
  if (session.connection->has_results())
    return reply_of(session.connection->take(), session.rows_taken);
  session.is_pending = true;
  settle();
  const bool has_waited = !session.waited_for.empty();
  if (session.is_pending || (has_waited && woken.front().first != index))
    return {.kind = Reply::Kind::Waits, .waits_for = sessions_of(session.waited_for)};
  const auto own = std::find_if(woken.begin(), woken.end(),
                                [&](const auto& reply) { return reply.first == index; });
  Reply out = std::move(own->second);
  woken.erase(own);
  return out;
}

Reply PostgresqlServer::begin(SessionIndex session, const BeginOptions& options) {
  // Sent with the first statement, which saves a round trip.
  state_->sessions[session].begin = begin_text(options) + "; ";
  return {};
}

Reply PostgresqlServer::ask(SessionIndex session, const program::AsksServer& what,
                            const program::Bindings& bindings) {
  const program::PrintNames names{
      .program = state_->program, .variables = nullptr, .bindings = &bindings};
  if (what.statement != nullptr && what.statement->advisory)
    state_->sessions[session].may_hold_advisory |= what.statement->advisory->is_of_session;
  state_->sessions[session].rows_taken =
      what.statement != nullptr ? program::rows_taken(*what.statement) : std::nullopt;
  return state_->send(session, program::server_text(names, what));
}

Reply PostgresqlServer::commit(SessionIndex session) {
  return state_->send(session, "COMMIT");
}

Reply PostgresqlServer::rollback(SessionIndex session) {
  return state_->send(session, "ROLLBACK");
}

std::vector<std::pair<SessionIndex, Reply>> PostgresqlServer::woken() {
  state_->settle();
  return std::exchange(state_->woken, {});
}

std::vector<std::vector<std::vector<program::Value>>> PostgresqlServer::committed_rows() {
  std::vector<std::string> queries;
  for (const program::Table& table : state_->program.tables)
    queries.push_back("SELECT * FROM " + program::quoted_name(table.name));
  state_->observing->send(fmt::format("{}", fmt::join(queries, "; ")));
  std::vector<std::vector<std::vector<program::Value>>> out;
  for (StatementResult& result : state_->observing->take_all()) {
    std::sort(result.rows.begin(), result.rows.end());
    out.push_back(std::move(result.rows));
  }
  out.resize(queries.size());
  return out;
}

}  // namespace isomer::server
