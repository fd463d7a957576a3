// SPDX-License-Identifier: MIT
#include "mariadb_server/server.h"

#include <chrono>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/mariadb_connection.h"

namespace isomer::test {
namespace {

// As whom the server runs: it refuses root, unless it is told so.
std::string user_name() {
  const passwd* const user = getpwuid(geteuid());
  return user != nullptr ? user->pw_name : "root";
}

// Starts a program that gets a signal if we die first.
pid_t start(const std::vector<std::string>& words, const std::string& log) {
  const pid_t child = fork();
  if (child != 0) return child;
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
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

}  // namespace

server::MariadbAddress MariadbProcess::address() const {
  return {.socket = scratch_.path("socket"), .user = "root"};
}

MariadbProcess::MariadbProcess() {
  const std::string installer = "/usr/bin/mariadb-install-db";
  const std::string program = "/usr/sbin/mariadbd";
  if (!std::filesystem::exists(program) || !std::filesystem::exists(installer)) {
    problem_ =
        "MariaDB is not installed: the package mariadb-server-core of tools/packages.txt "
        "is missing";
    return;
  }
  const std::string log = scratch_.path("log");
  const std::string data = "--datadir=" + scratch_.path("data");
  const std::string user = "--user=" + user_name();
  const pid_t preparation =
      start({installer, "--no-defaults", data, user, "--skip-test-db",
             "--skip-name-resolve", "--auth-root-authentication-method=normal"},
            log);
  if (!succeeds(preparation)) {
    problem_ = "mariadb-install-db failed:\n" + contents(log);
    return;
  }
  process_ = start(
      {program, "--no-defaults", data, user, "--socket=" + scratch_.path("socket"),
       "--pid-file=" + scratch_.path("pid"), "--skip-networking", "--skip-name-resolve",
       "--skip-log-bin", "--performance-schema=OFF", "--innodb-buffer-pool-size=16M",
       "--innodb-flush-log-at-trx-commit=0", "--innodb-flush-method=nosync",
       "--innodb-doublewrite=0", "--innodb-fast-shutdown=2", "--sync-frm=0"},
      log);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!server::MariadbConnection(address()).problem().empty()) {
    if (std::chrono::steady_clock::now() > deadline ||
        waitpid(process_, nullptr, WNOHANG) != 0) {
      problem_ = "MariaDB does not start:\n" + contents(log);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

MariadbProcess::~MariadbProcess() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

const MariadbProcess& mariadb() {
  static const MariadbProcess only;
  return only;
}

}  // namespace isomer::test
