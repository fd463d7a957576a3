// SPDX-License-Identifier: MIT
#include "server/mariadb_server.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/print/print.h"
#include "server/column_types.h"
#include "server/innodb_status.h"
#include "server/mariadb_connection.h"

namespace isomer::server {
namespace {

using database::BeginOptions;
using database::Reply;
using database::SessionIndex;
using program::Dialect;
using Clock = std::chrono::steady_clock;
using Threads = std::set<std::uint64_t>;

// How long a statement may run before we ask whether it waits, and between two looks.
constexpr std::chrono::microseconds first_look{500};
constexpr std::chrono::microseconds next_look{500};
// INNODB_LOCK_WAITS is filled again when nobody has read it for so long.
constexpr std::chrono::milliseconds age_of_lock_waits{110};
// Purge that has made no progress for so many looks is taken to be done.
constexpr int looks_at_purge = 10;
// While nobody has a snapshot that could hold it up.
constexpr int patient_looks_at_purge = 1000;
constexpr std::uint32_t deadlock = 1213;

Reply reply_of(MariadbResult result) {
  if (result.fault) return {.kind = Reply::Kind::Failed, .fault = *result.fault};
  return {.kind = Reply::Kind::Done, .rows = std::move(result.rows), .count = result.count};
}

bool is_deadlock(const Reply& reply) {
  return reply.kind == Reply::Kind::Failed && reply.fault.number == deadlock;
}

// They are sent before the first statement.
std::vector<std::string> begin_texts(const BeginOptions& options) {
  static constexpr std::array levels = {"READ UNCOMMITTED", "READ COMMITTED",
                                        "REPEATABLE READ", "SERIALIZABLE"};
  return {fmt::format("SET TRANSACTION ISOLATION LEVEL {}",
                      levels[static_cast<std::size_t>(options.level)]),
          options.is_read_only ? "START TRANSACTION READ ONLY" : "START TRANSACTION"};
}

// What could make a run depend on the server's configuration, and what makes MariaDB read
// our statements as they are meant: texts are compared byte by byte, with all their blanks.
constexpr std::array settings = {
    "NAMES utf8mb4 COLLATE utf8mb4_nopad_bin",
    "sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,"
    "NO_ENGINE_SUBSTITUTION,ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,"
    "SIMULTANEOUS_ASSIGNMENT'",
    "time_zone = '+00:00'",
    "autocommit = 1",
    "completion_type = NO_CHAIN",
    "innodb_lock_wait_timeout = 1000000",
    "lock_wait_timeout = 1000000",
    "max_statement_time = 0",
    "div_precision_increment = 4",
    "foreign_key_checks = 1",
    "unique_checks = 1",
    "check_constraint_checks = 1"};

}  // namespace

struct MariadbServer::State {
  struct Session {
    std::unique_ptr<MariadbConnection> connection;
    std::vector<std::string> ahead{};  // what is to be sent before the next statement
    bool is_pending = false;
    bool is_upsert = false;  // its statement, whose rows count twice if they are changed
    // While it waits: for what, and for whom since then.
    RowLocks awaited{};
    Threads blocked_by{};
  };

  const program::Program* program;
  MariadbOptions options;
  bool has_snapshot_isolation = false;
  std::string database;
  std::vector<std::string> definitions{};        // of the tables that are there
  std::unique_ptr<MariadbConnection> observing;  // and everything that is no session's
  std::vector<Session> sessions;
  Clock::time_point read_lock_waits{};
  std::vector<std::pair<SessionIndex, Reply>> woken{};

  // --- beginning and end ---

  std::string open(std::unique_ptr<MariadbConnection>& connection);
  std::string set_snapshot_isolation(MariadbConnection& connection) const;
  std::string run(const std::string& statement);
  std::string make_database();
  std::string make_tables(const program::Program& other);
  void end_all();
  std::string fill();
  void interrupt(Session& session);

  // --- statements ---

  Reply send(SessionIndex index, const std::string& statement,
             std::vector<program::Type> types = {});
  void settle();
  Reply take(Session& session);
  bool take_results();
  void give_up();
  InnodbStatus look();
  void await_purge(int looks);
  [[nodiscard]] bool stand_still(const InnodbStatus& status);
  void note_waits(const InnodbStatus& status);
  Threads lock_waits_of(std::uint64_t thread);
  [[nodiscard]] bool is_in_circle(std::uint64_t thread) const;
  [[nodiscard]] const Session* session_of(std::uint64_t thread) const;
  [[nodiscard]] std::vector<MariadbConnection*> pending_connections() const;
  [[nodiscard]] std::vector<SessionIndex> sessions_of(const Threads& of) const;
};

// --- beginning and end ---

std::string MariadbServer::State::run(const std::string& statement) {
  const auto result = observing->run(statement);
  return result.fault ? fmt::format("{} ({})", result.fault->reason, statement)
                      : std::string();
}

// MySQL and older servers do not know it, and are as if it were OFF.
std::string MariadbServer::State::set_snapshot_isolation(
    MariadbConnection& connection) const {
  const auto result = connection.run(fmt::format("SET innodb_snapshot_isolation = {}",
                                                 has_snapshot_isolation ? "ON" : "OFF"));
  return result.fault && has_snapshot_isolation ? result.fault->reason : std::string();
}

std::string MariadbServer::State::open(std::unique_ptr<MariadbConnection>& connection) {
  connection = std::make_unique<MariadbConnection>(options.address);
  if (std::string problem = connection->problem(); !problem.empty()) return problem;
  std::vector<std::string> all(settings.begin(), settings.end());
  all.insert(all.end(), options.settings.begin(), options.settings.end());
  std::vector<std::string> statements;
  for (const std::string& setting : all)
    statements.push_back("SET " + setting);
  if (!database.empty())
    statements.push_back("USE " + program::quoted_name(database, Dialect::MariaDb));
  for (const std::string& statement : statements)
    if (const auto result = connection->run(statement); result.fault)
      return result.fault->reason;
  return {};
}

// A database of our own; where we may not have locks printed, INNODB_LOCK_WAITS is asked.
// The lock goes with it as long as we live.
std::string MariadbServer::State::make_database() {
  const std::string own = name_of_our_own(options.keeps);
  if (std::string problem = run(fmt::format("DO GET_LOCK('{}', 0)", own)); !problem.empty())
    return problem;
  const std::string name = program::quoted_name(own, Dialect::MariaDb);
  if (std::string problem = run("CREATE DATABASE " + name +
                                " CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin");
      !problem.empty())
    return problem;
  database = name.substr(1, name.size() - 2);
  if (!options.asks_lock_waits)
    static_cast<void>(run("SET GLOBAL innodb_status_output_locks = ON"));
  return run("USE " + name);
}

// Those of the program instead of those that are there.
std::string MariadbServer::State::make_tables(const program::Program& other) {
  std::vector<std::string> wanted = program::table_definitions(other, Dialect::MariaDb);
  if (wanted == definitions) return {};
  std::vector<std::string> statements = {"SET foreign_key_checks = 0"};
  if (!definitions.empty())
    for (const program::Table& table : program->tables)
      statements.push_back("DROP TABLE IF EXISTS " +
                           program::quoted_name(table.name, Dialect::MariaDb));
  statements.emplace_back("SET foreign_key_checks = 1");
  statements.insert(statements.end(), wanted.begin(), wanted.end());
  for (const std::string& statement : statements)
    if (std::string problem = run(statement); !problem.empty()) return problem;
  definitions = std::move(wanted);
  return {};
}

// Rows are deleted and removed: to empty a table as such takes ten times as long.
std::string MariadbServer::State::fill() {
  std::vector<std::string> statements = {"SET foreign_key_checks = 0", "START TRANSACTION"};
  for (const program::Table& table : program->tables)
    statements.push_back("DELETE FROM " +
                         program::quoted_name(table.name, Dialect::MariaDb));
  statements.emplace_back("COMMIT");
  for (const std::string& statement : statements)
    if (std::string problem = run(statement); !problem.empty()) return problem;
  await_purge(patient_looks_at_purge);
  statements = {"START TRANSACTION"};
  for (std::string& insert : program::initial_inserts(*program, Dialect::MariaDb))
    statements.push_back(std::move(insert));
  statements.emplace_back("COMMIT");
  statements.emplace_back("SET foreign_key_checks = 1");
  for (const std::string& statement : statements)
    if (std::string problem = run(statement); !problem.empty()) return problem;
  return {};
}

// A statement that is still on its way.
void MariadbServer::State::interrupt(Session& session) {
  if (!session.is_pending) return;
  if (!session.connection->has_result())
    static_cast<void>(run(fmt::format("KILL QUERY {}", session.connection->thread())));
  static_cast<void>(session.connection->take());
  session.is_pending = false;
}

void MariadbServer::State::end_all() {
  for (Session& session : sessions) {
    interrupt(session);
    session.ahead.clear();
    session.blocked_by.clear();
    // What was killed too late fails now.
    if (session.connection->run("ROLLBACK").fault)
      static_cast<void>(session.connection->run("ROLLBACK"));
  }
  woken.clear();
}

tl::expected<std::unique_ptr<MariadbServer>, std::string> MariadbServer::connect(
    const program::Program& program, const database::ServerKind& kind,
    const MariadbOptions& options) {
  auto state = std::make_unique<State>(State{.program = &program,
                                             .options = options,
                                             .database = {},
                                             .observing = nullptr,
                                             .sessions = {}});
  if (std::string problem = state->open(state->observing); !problem.empty())
    return tl::unexpected(std::move(problem));
  // From here on there may be a database to drop.
  std::unique_ptr<MariadbServer> out(new MariadbServer(std::move(state)));
  State& own = *out->state_;
  std::string problem = own.make_database();
  if (problem.empty())
    if (const auto status = own.observing->run("SHOW ENGINE INNODB STATUS"); status.fault)
      problem = status.fault->reason;
  if (problem.empty()) problem = out->turn_to(program, kind);
  if (!problem.empty()) return tl::unexpected(std::move(problem));
  return out;
}

std::string MariadbServer::turn_to(const program::Program& program,
                                   const database::ServerKind& kind) {
  State& own = *state_;
  own.end_all();
  if (std::string problem = own.make_tables(program); !problem.empty()) return problem;
  own.program = &program;
  own.has_snapshot_isolation = kind.has_snapshot_isolation;
  while (own.sessions.size() < program.sessions.size())
    if (std::string problem = own.open(own.sessions.emplace_back().connection);
        !problem.empty())
      return problem;
  for (State::Session& session : own.sessions)
    if (std::string problem = own.set_snapshot_isolation(*session.connection);
        !problem.empty())
      return problem;
  return reset();
}

MariadbServer::MariadbServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

MariadbServer::~MariadbServer() {
  for (State::Session& session : state_->sessions)
    if (session.connection) state_->interrupt(session);
  state_->sessions.clear();
  if (!state_->database.empty() && !state_->options.keeps)
    static_cast<void>(state_->run(
        "DROP DATABASE " + program::quoted_name(state_->database, Dialect::MariaDb)));
}

std::string MariadbServer::place() const {
  return "the database " + state_->database;
}

// --- what others left behind ---

tl::expected<ServerTitle, std::string> look_at_mariadb(const MariadbAddress& address) {
  MariadbConnection connection(address);
  if (std::string problem = connection.problem(); !problem.empty())
    return tl::unexpected(std::move(problem));
  ServerTitle out{.name = connection.server_title()};
  const auto databases = connection.run(
      "SELECT schema_name FROM information_schema.schemata "
      "WHERE schema_name REGEXP '^isomer_[0-9]+_[0-9a-f]{8}$' ORDER BY 1");
  for (const auto& row : databases.rows) {
    const std::string& database = *row[0].get_if<std::string>();
    const auto is_taken = connection.run(fmt::format("SELECT GET_LOCK('{}', 0)", database));
    if (is_taken.fault || is_taken.rows[0][0] != program::Value::text("1")) continue;
    const std::string statement = "DROP DATABASE " + database;
    if (const auto dropped = connection.run(statement); dropped.fault)
      out.left_behind.push_back(
          fmt::format("the database {} was left behind by a program that was killed: {}",
                      database, statement));
    static_cast<void>(connection.run(fmt::format("DO RELEASE_LOCK('{}')", database)));
  }
  return out;
}

std::string MariadbServer::reset() {
  state_->end_all();
  return state_->fill();
}

// --- who waits ---

InnodbStatus MariadbServer::State::look() {
  const MariadbResult result = observing->run("SHOW ENGINE INNODB STATUS");
  if (result.fault || result.rows.empty() || result.rows[0].size() < 3) return {};
  return parse_innodb_status(*result.rows[0][2].get_if<std::string>());
}

// What a snapshot still needs stays; then nothing moves any more.
void MariadbServer::State::await_purge(int looks) {
  const Clock::time_point deadline = Clock::now() + options.patience;
  InnodbStatus before = look();
  for (int unchanged = 0; before.purges && unchanged < looks && Clock::now() < deadline;) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    InnodbStatus now = look();
    unchanged = now.purge_progress == before.purge_progress ? unchanged + 1 : 0;
    before = std::move(now);
  }
}

Threads MariadbServer::State::lock_waits_of(std::uint64_t thread) {
  std::this_thread::sleep_until(read_lock_waits + age_of_lock_waits);
  const MariadbResult result = observing->run(
      fmt::format(
          "SELECT b.trx_mysql_thread_id FROM information_schema.innodb_lock_waits w "
          "JOIN information_schema.innodb_trx a ON a.trx_id = w.requesting_trx_id "
          "JOIN information_schema.innodb_trx b ON b.trx_id = w.blocking_trx_id "
          "WHERE a.trx_mysql_thread_id = {}",
          thread),
      {program::Type{.kind = program::TypeKind::Int8, .precision = {}, .length_max = {}}});
  read_lock_waits = Clock::now();
  Threads out;
  for (const auto& row : result.rows)
    out.insert(static_cast<std::uint64_t>(*row[0].get_if<std::int64_t>()));
  return out;
}

const MariadbServer::State::Session* MariadbServer::State::session_of(
    std::uint64_t thread) const {
  for (const Session& session : sessions)
    if (session.connection->thread() == thread) return &session;
  return nullptr;
}

std::vector<MariadbConnection*> MariadbServer::State::pending_connections() const {
  std::vector<MariadbConnection*> out;
  for (const Session& session : sessions)
    if (session.is_pending) out.push_back(session.connection.get());
  return out;
}

std::vector<SessionIndex> MariadbServer::State::sessions_of(const Threads& of) const {
  std::vector<SessionIndex> out;
  for (SessionIndex i = 0; i < sessions.size(); ++i)
    if (of.contains(sessions[i].connection->thread())) out.push_back(i);
  return out;
}

// A wait is for those who were before it in the queue when it began, as long as they are
// there: a lock that somebody got later is not waited for.
void MariadbServer::State::note_waits(const InnodbStatus& status) {
  for (Session& session : sessions) {
    const std::uint64_t thread = session.connection->thread();
    const auto locks = status.by_thread.find(thread);
    const bool waits =
        session.is_pending && locks != status.by_thread.end() && locks->second.waits;
    if (!waits) {
      session.blocked_by.clear();
      continue;
    }
    const Threads now =
        options.asks_lock_waits ? lock_waits_of(thread) : blockers(status, thread);
    Threads both;
    std::set_intersection(session.blocked_by.begin(), session.blocked_by.end(), now.begin(),
                          now.end(), std::inserter(both, both.end()));
    const bool is_same = session.awaited == locks->second.awaited && !both.empty();
    session.awaited = locks->second.awaited;
    session.blocked_by = is_same ? both : now;
    if (session.blocked_by.empty()) session.blocked_by = lock_waits_of(thread);
  }
}

bool MariadbServer::State::is_in_circle(std::uint64_t thread) const {
  Threads seen;
  std::vector<std::uint64_t> open = {thread};
  while (!open.empty()) {
    const Session* const at = session_of(open.back());
    open.pop_back();
    if (at == nullptr) continue;
    for (const std::uint64_t other : at->blocked_by) {
      if (other == thread) return true;
      if (seen.insert(other).second) open.push_back(other);
    }
  }
  return false;
}

// Do all wait, each in the end for somebody who does not?  InnoDB looks for circles only
// when a wait has begun, so one that is there will not last.
bool MariadbServer::State::stand_still(const InnodbStatus& status) {
  note_waits(status);
  return std::all_of(sessions.begin(), sessions.end(), [&](const Session& session) {
    return !session.is_pending ||
           (!session.blocked_by.empty() && !is_in_circle(session.connection->thread()));
  });
}

// --- statements ---

Reply MariadbServer::State::take(Session& session) {
  session.is_pending = false;
  session.blocked_by.clear();
  Reply out = reply_of(session.connection->take());
  if (session.is_upsert) out.count = std::min<std::int64_t>(out.count, 1);
  return out;
}

// Did anybody get a result?  Of several at a time, the victim of a deadlock was first: it
// let the others go on.
bool MariadbServer::State::take_results() {
  const std::size_t before = woken.size();
  for (SessionIndex i = 0; i < sessions.size(); ++i)
    if (sessions[i].is_pending && sessions[i].connection->has_result())
      woken.emplace_back(i, take(sessions[i]));
  std::stable_partition(woken.begin() + static_cast<std::ptrdiff_t>(before), woken.end(),
                        [](const auto& reply) { return is_deadlock(reply.second); });
  return woken.size() > before;
}

// Those whose statements still run are not to keep everybody waiting.
void MariadbServer::State::give_up() {
  for (SessionIndex i = 0; i < sessions.size(); ++i) {
    if (!sessions[i].is_pending) continue;
    interrupt(sessions[i]);
    woken.emplace_back(
        i, Reply{.kind = Reply::Kind::Failed,
                 .fault = {
                     .reason = options.budget.is_exhausted()
                                   ? options.budget.reason()
                                   : fmt::format("no answer from the server within {} ms",
                                                 options.patience.count()),
                     .sqlstate = "57014",
                     .at = {},
                     .is_limit = true}});
  }
}

// Until everybody has a result, or waits for good.
void MariadbServer::State::settle() {
  const Clock::time_point deadline = Clock::now() + options.patience;
  auto time = std::chrono::microseconds(0);
  while (true) {
    const auto connections = pending_connections();
    if (connections.empty()) return;
    wait_for_any(connections, time);
    time = next_look;
    if (take_results() || !stand_still(look())) {
      if (Clock::now() > deadline || options.budget.is_exhausted()) give_up();
      continue;
    }
    return;
  }
}

// The reply of the session itself, once everybody stands still.  Who let the others fail to
// go on has not waited; if it waited for others, its own reply comes later, among theirs.
Reply MariadbServer::State::send(SessionIndex index, const std::string& statement,
                                 std::vector<program::Type> types) {
  Session& session = sessions[index];
  ISOMER_ASSERT(!session.is_pending);
  for (const std::string& ahead : std::exchange(session.ahead, {}))
    if (const auto result = session.connection->run(ahead); result.fault)
      return {.kind = Reply::Kind::Failed, .fault = *result.fault};
  session.connection->send(statement, std::move(types));
  const std::array only = {session.connection.get()};
  wait_for_any(only, first_look);
  session.is_pending = true;
  if (session.connection->has_result()) return take(session);
  settle();
  if (session.is_pending)
    return {.kind = Reply::Kind::Waits, .waits_for = sessions_of(session.blocked_by)};
  const auto own = std::find_if(woken.begin(), woken.end(),
                                [&](const auto& reply) { return reply.first == index; });
  Reply out = std::move(own->second);
  woken.erase(own);
  return out;
}

Reply MariadbServer::begin(SessionIndex session, const BeginOptions& options) {
  state_->sessions[session].ahead = begin_texts(options);
  return {};
}

Reply MariadbServer::ask(SessionIndex session, const program::AsksServer& what,
                         const program::Bindings& bindings) {
  const program::PrintNames names{
      .program = *state_->program, .bindings = &bindings, .dialect = Dialect::MariaDb};
  state_->sessions[session].is_upsert =
      what.statement != nullptr && what.statement->insert &&
      what.statement->insert->on_conflict == program::Insert::OnConflict::Update;
  return state_->send(session, program::server_text(names, what), types_of(what));
}

Reply MariadbServer::commit(SessionIndex session) {
  Reply out = state_->send(session, "COMMIT");
  state_->await_purge(looks_at_purge);
  return out;
}

Reply MariadbServer::rollback(SessionIndex session) {
  Reply out = state_->send(session, "ROLLBACK");
  state_->await_purge(looks_at_purge);
  return out;
}

std::vector<std::pair<SessionIndex, Reply>> MariadbServer::woken() {
  state_->settle();
  return std::exchange(state_->woken, {});
}

std::vector<std::vector<std::vector<program::Value>>> MariadbServer::committed_rows() {
  std::vector<std::vector<std::vector<program::Value>>> out;
  for (const program::Table& table : state_->program->tables) {
    auto result = state_->observing->run(
        "SELECT * FROM " + program::quoted_name(table.name, Dialect::MariaDb),
        types_of(table));
    std::sort(result.rows.begin(), result.rows.end());
    out.push_back(std::move(result.rows));
  }
  return out;
}

}  // namespace isomer::server
