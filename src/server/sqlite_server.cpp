// SPDX-License-Identifier: MIT
#include "server/sqlite_server.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/machine/statement_execution.h"
#include "program/print/print.h"
#include "server/column_types.h"
#include "server/own_folder.h"
#include "server/sqlite_connection.h"

namespace isomer::server {
namespace {

using database::BeginOptions;
using database::Reply;
using database::ServerKind;
using database::SessionIndex;
using program::AsksServer;
using program::Dialect;
using program::Type;

std::optional<std::size_t> rows_taken(const AsksServer& what) {
  if (what.statement == nullptr) return std::nullopt;
  return program::rows_taken(*what.statement);
}

std::filesystem::path parent_of(const std::string& file) {
  if (file.empty()) return std::filesystem::temp_directory_path();
  const std::filesystem::path parent = std::filesystem::path(file).parent_path();
  return parent.empty() ? "." : parent;
}

bool is_savepoint(const AsksServer& what) {
  return what.kind != AsksServer::Kind::Statement && what.kind != AsksServer::Kind::Value;
}

}  // namespace

struct SqliteServer::State {
  // Statements to run one after the other; the last one gives the reply.
  struct Work {
    std::vector<std::string> statements{};
    std::vector<Type> types{};  // of its columns
    std::optional<std::size_t> most{};
    bool is_commit = false;
  };

  struct Session {
    SqliteConnection connection;
    std::vector<std::string> ahead{};  // BEGIN IMMEDIATE, and savepoints behind it
    std::optional<program::Fault> begin_fault{};
    std::optional<Work> work{};  // that waits
  };

  const program::Program& program;
  ServerKind kind;
  SqliteOptions options;
  std::optional<OwnFolder> folder{};
  SqliteConnection own{};  // for everything that is no session's
  std::vector<Session> sessions{};
  std::vector<SessionIndex> sleepers{};
  std::vector<std::pair<SessionIndex, Reply>> woken{};

  [[nodiscard]] std::string file() const { return folder->path() / "database"; }

  std::string make();
  std::string fill();
  std::string run(const std::vector<std::string>& statements);
  // Absent: it has to wait.
  std::optional<Reply> attempt(SessionIndex session);
  Reply send(SessionIndex session, Work work);
  // Those who wait try again, until nobody gets on.
  void settle();
  [[nodiscard]] std::vector<SessionIndex> holders(SessionIndex session) const;
};

// --- beginning and end ---

std::string SqliteServer::State::run(const std::vector<std::string>& statements) {
  for (const std::string& statement : statements)
    if (const auto result = own.run(statement); result.fault)
      return fmt::format("{} ({})", result.fault->reason, statement);
  return {};
}

std::string SqliteServer::State::make() {
  auto made = OwnFolder::make(parent_of(options.file), options.keeps);
  if (!made) return made.error();
  folder.emplace(*std::move(made));
  if (std::string problem = own.open(file(), false); !problem.empty()) return problem;
  std::vector<std::string> statements{
      kind.has_wal ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = DELETE",
      "PRAGMA foreign_keys = OFF"};
  for (std::string& definition : program::table_definitions(program, Dialect::Sqlite))
    statements.push_back(std::move(definition));
  if (std::string problem = run(statements); !problem.empty()) return problem;
  if (std::string problem = fill(); !problem.empty()) return problem;
  for (std::size_t i = 0; i < program.sessions.size(); ++i)
    if (std::string problem =
            sessions.emplace_back().connection.open(file(), !kind.fails_when_busy);
        !problem.empty())
      return problem;
  return {};
}

std::string SqliteServer::State::fill() {
  std::vector<std::string> statements{"BEGIN"};
  for (const program::Table& table : program.tables)
    statements.push_back(
        fmt::format("DELETE FROM {}", program::quoted_name(table.name, Dialect::Sqlite)));
  for (std::string& insert : program::initial_inserts(program, Dialect::Sqlite))
    statements.push_back(std::move(insert));
  statements.emplace_back("COMMIT");
  return run(statements);
}

tl::expected<std::unique_ptr<SqliteServer>, std::string> SqliteServer::open(
    const program::Program& program, const ServerKind& kind, const SqliteOptions& options) {
  std::unique_ptr<SqliteServer> out(new SqliteServer(std::make_unique<State>(
      State{.program = program, .kind = kind, .options = options})));
  if (std::string problem = out->state_->make(); !problem.empty())
    return tl::unexpected(std::move(problem));
  return out;
}

SqliteServer::SqliteServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

// The connections are closed before their folder goes.
SqliteServer::~SqliteServer() = default;

std::string SqliteServer::place() const {
  return "the file " + state_->file();
}

tl::expected<ServerTitle, std::string> look_at_sqlite(const std::string& file) {
  const std::filesystem::path parent = parent_of(file);
  if (std::error_code ignored; !std::filesystem::is_directory(parent, ignored))
    return tl::unexpected(fmt::format("there is no folder {}", parent.string()));
  return ServerTitle{.name = "SQLite " + SqliteConnection::library_version(),
                     .left_behind = OwnFolder::remove_left_behind(parent)};
}

std::string SqliteServer::reset() {
  for (State::Session& session : state_->sessions) {
    session.ahead.clear();
    session.begin_fault.reset();
    session.work.reset();
    if (session.connection.is_in_transaction())
      static_cast<void>(session.connection.run("ROLLBACK"));
  }
  state_->sleepers.clear();
  state_->woken.clear();
  return state_->fill();
}

// --- statements ---

// Who stands in the way, by what the connections say of themselves.
std::vector<SessionIndex> SqliteServer::State::holders(SessionIndex session) const {
  using Transaction = SqliteConnection::Transaction;
  const bool commits = sessions[session].connection.transaction() == Transaction::Writes;
  std::vector<SessionIndex> out;
  for (SessionIndex i = 0; i < sessions.size(); ++i) {
    if (i == session) continue;
    const Transaction other = sessions[i].connection.transaction();
    if (other == Transaction::Writes || (commits && other == Transaction::Reads))
      out.push_back(i);
  }
  return out;
}

std::optional<Reply> SqliteServer::State::attempt(SessionIndex index) {
  Session& session = sessions[index];
  Work& work = *session.work;
  while (true) {
    const bool is_last = work.statements.size() == 1;
    const bool begins = !session.connection.is_in_transaction();
    SqliteResult result = session.connection.run(work.statements.front(),
                                                 is_last ? work.types : std::vector<Type>(),
                                                 is_last ? work.most : std::nullopt);
    if (result.would_wait) return std::nullopt;
    if (result.fault) {
      if (begins) session.begin_fault = result.fault;
      const bool goes_on =
          work.is_commit && !begins && session.connection.is_in_transaction();
      session.work.reset();
      return Reply{.kind = Reply::Kind::Failed,
                   .fault = std::move(*result.fault),
                   .goes_on = goes_on};
    }
    if (is_last) {
      session.work.reset();
      return Reply{.rows = std::move(result.rows), .count = result.count};
    }
    work.statements.erase(work.statements.begin());
  }
}

Reply SqliteServer::State::send(SessionIndex index, Work work) {
  Session& session = sessions[index];
  ISOMER_ASSERT(!session.work);
  if (session.begin_fault)
    return {.kind = Reply::Kind::Failed, .fault = *session.begin_fault};
  auto ahead = std::exchange(session.ahead, {});
  work.statements.insert(work.statements.begin(), ahead.begin(), ahead.end());
  session.work = std::move(work);
  auto reply = attempt(index);
  if (!reply) {
    sleepers.push_back(index);
    reply = Reply{.kind = Reply::Kind::Waits, .waits_for = holders(index)};
  }
  settle();
  return *std::move(reply);
}

void SqliteServer::State::settle() {
  for (std::size_t i = 0; i < sleepers.size();) {
    const SessionIndex session = sleepers[i];
    const std::size_t left = sessions[session].work->statements.size();
    auto reply = attempt(session);
    const bool has_moved = reply || sessions[session].work->statements.size() < left;
    if (!has_moved) {
      ++i;
      continue;
    }
    sleepers.erase(sleepers.begin() + static_cast<std::ptrdiff_t>(i));
    if (reply)
      woken.emplace_back(session, *std::move(reply));
    else
      sleepers.push_back(session);
    i = 0;
  }
}

Reply SqliteServer::begin(SessionIndex session, const BeginOptions& options) {
  State::Session& of = state_->sessions[session];
  of.ahead = {options.is_immediate ? "BEGIN IMMEDIATE" : "BEGIN"};
  of.begin_fault.reset();
  return {};
}

Reply SqliteServer::ask(SessionIndex session, const AsksServer& what,
                        const program::Bindings& bindings) {
  const program::PrintNames names{
      .program = state_->program, .bindings = &bindings, .dialect = Dialect::Sqlite};
  std::string text = program::server_text(names, what);
  State::Session& of = state_->sessions[session];
  // Savepoints take no lock, so they may come later, with what does.
  if (is_savepoint(what) && !of.ahead.empty()) {
    of.ahead.push_back(std::move(text));
    return {};
  }
  return state_->send(
      session,
      {.statements = {std::move(text)}, .types = types_of(what), .most = rows_taken(what)});
}

Reply SqliteServer::commit(SessionIndex session) {
  return state_->send(session, {.statements = {"COMMIT"}, .is_commit = true});
}

Reply SqliteServer::rollback(SessionIndex session) {
  State::Session& of = state_->sessions[session];
  of.ahead.clear();
  of.begin_fault.reset();
  if (!of.connection.is_in_transaction()) return {};
  return state_->send(session, {.statements = {"ROLLBACK"}});
}

std::vector<std::pair<SessionIndex, Reply>> SqliteServer::woken() {
  return std::exchange(state_->woken, {});
}

std::vector<std::vector<std::vector<program::Value>>> SqliteServer::committed_rows() {
  std::vector<std::vector<std::vector<program::Value>>> out;
  for (const program::Table& table : state_->program.tables) {
    auto result = state_->own.run(
        "SELECT * FROM " + program::quoted_name(table.name, Dialect::Sqlite),
        types_of(table));
    std::sort(result.rows.begin(), result.rows.end());
    out.push_back(std::move(result.rows));
  }
  return out;
}

}  // namespace isomer::server
