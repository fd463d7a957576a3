// SPDX-License-Identifier: MIT
#include "postgres/server.h"

#include <chrono>
#include <thread>

#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace isomer::test {
namespace {

const std::filesystem::path binaries = "/usr/lib/postgresql/15/bin";

// PostgreSQL refuses to run as root; then it runs as the user that its package made.
const passwd* user_to_become() {
  return geteuid() == 0 ? getpwnam("postgres") : nullptr;
}

// Starts a program that gets a signal if we die first.
pid_t start(const std::vector<std::string>& words, const std::string& log,
            const passwd* user) {
  const pid_t child = fork();
  if (child != 0) return child;
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (user != nullptr && (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 ||
                          setuid(user->pw_uid) != 0))
    _exit(126);
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

bool succeeds(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

bool answers(const std::string& folder) {
  return PQping(("host=" + folder + " dbname=postgres").c_str()) == PQPING_OK;
}

}  // namespace

Server::Server(Kept kept) : kept_(kept) {
  if (!std::filesystem::exists(binaries / "postgres")) {
    problem_ =
        "PostgreSQL 15 is not installed: the package postgresql-15 of "
        "tools/packages.txt is missing";
    return;
  }
  const passwd* const user = user_to_become();
  const std::string folder = socket_folder();
  if (user != nullptr && chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0) {
    problem_ = "cannot give " + folder + " to the user postgres";
    return;
  }
  const std::string data = folder + "data";
  const std::string log = folder + "log";
  const pid_t preparation = start({binaries / "initdb", "-D", data, "-U", "postgres", "-A",
                                   "trust", "-E", "UTF8", "--locale=C", "--no-sync"},
                                  log, user);
  if (!succeeds(preparation)) {
    problem_ = "initdb failed:\n" + contents(log);
    return;
  }
  start_it();
}

void Server::start_it() {
  const std::string folder = socket_folder();
  const std::string log = folder + "log";
  std::vector<std::string> words = {
      binaries / "postgres", "-D", folder + "data", "-k", folder, "-h", "", "-c",
      "shared_buffers=16MB", "-c", "autovacuum=off"};
  if (kept_ == Kept::Nothing)
    words.insert(words.end(),
                 {"-F", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"});
  process_ = start(words, log, user_to_become());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!answers(folder)) {
    if (std::chrono::steady_clock::now() > deadline ||
        waitpid(process_, nullptr, WNOHANG) != 0) {
      problem_ = "PostgreSQL does not start:\n" + contents(log);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void Server::stop_at_once() {
  kill(process_, SIGQUIT);
  waitpid(process_, nullptr, 0);
  process_ = 0;
}

void Server::start_again() {
  start_it();
}

const Server& server() {
  static const Server only;
  return only;
}

Server::~Server() {
  if (process_ <= 0) return;
  kill(process_, SIGQUIT);
  waitpid(process_, nullptr, 0);
}

Connection::Connection(const Server& server)
    : connection_(PQconnectdb(("host=" + server.socket_folder() +
                               " user=postgres dbname=postgres options='-c "
                               "client_min_messages=warning -c jit=off'")
                                  .c_str())) {
  EXPECT_EQ(PQstatus(connection_), CONNECTION_OK) << PQerrorMessage(connection_);
}

Connection::~Connection() {
  PQfinish(connection_);
}

Answer Connection::run(const std::string& sql) const {
  PGresult* const result = PQexec(connection_, sql.c_str());
  Answer answer;
  const ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK &&
      status != PGRES_EMPTY_QUERY) {
    const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    answer.sqlstate = state != nullptr ? state : "no connection";
    answer.message = PQresultErrorMessage(result);
  }
  for (int row = 0; row < PQntuples(result); ++row) {
    std::vector<Cell>& cells = answer.rows.emplace_back();
    for (int column = 0; column < PQnfields(result); ++column) {
      if (PQgetisnull(result, row, column) != 0)
        cells.emplace_back();
      else
        cells.emplace_back(PQgetvalue(result, row, column));
    }
  }
  PQclear(result);
  return answer;
}

void Connection::must(const std::string& sql) const {
  const Answer answer = run(sql);
  EXPECT_EQ(answer.sqlstate, "") << answer.message << sql.substr(0, 2000);
}

}  // namespace isomer::test
