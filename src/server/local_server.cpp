// SPDX-License-Identifier: MIT
#include "server/local_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace isomer::server {
namespace {

using database::Database;
namespace fs = std::filesystem;

// What is started, one after the other, and how the server is ended: nothing that it has
// is worth keeping.
struct Launch {
  std::vector<std::string> preparation;
  std::vector<std::string> server;
  int end_signal = SIGKILL;
  const passwd* user = nullptr;  // to become; null: it runs as we do
};

// --- which programs ---

// PostgreSQL 15 is what the model is of; otherwise the newest.
std::optional<fs::path> postgresql_binaries() {
  int best = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const std::string name = entry.path().filename();
    int version = 0;
    std::from_chars(name.data(), name.data() + name.size(), version);
    const bool is_better = best != 15 && (version == 15 || version > best);
    if (is_better && fs::exists(entry.path() / "bin/initdb", ignored)) best = version;
  }
  if (best == 0) return std::nullopt;
  return fs::path("/usr/lib/postgresql") / std::to_string(best) / "bin";
}

// It refuses to run as root; then it runs as the user that its package made.
tl::expected<Launch, std::string> postgresql_launch(const fs::path& folder) {
  const auto binaries = postgresql_binaries();
  if (!binaries)
    return tl::unexpected(std::string(
        "PostgreSQL is not installed here; the Debian package is postgresql-15"));
  const passwd* const user = geteuid() == 0 ? getpwnam("postgres") : nullptr;
  if (geteuid() == 0 &&
      (user == nullptr || chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0))
    return tl::unexpected(
        std::string("PostgreSQL does not run as root, and there is no user postgres"));
  const std::string data = folder / "data";
  return Launch{
      .preparation = {*binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust",
                      "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"},
      .server = {*binaries / "postgres", "-D", data, "-k", folder, "-h", "", "-F", "-c",
                 "shared_buffers=16MB", "-c", "autovacuum=off", "-c",
                 "synchronous_commit=off", "-c", "full_page_writes=off"},
      .end_signal = SIGQUIT,
      .user = user};
}

tl::expected<Launch, std::string> mariadb_launch(const fs::path& folder) {
  const std::string installer = "/usr/bin/mariadb-install-db";
  const std::string program = "/usr/sbin/mariadbd";
  for (const std::string& needed : {installer, program, {"/usr/bin/my_print_defaults"}})
    if (std::error_code ignored; !fs::exists(needed, ignored))
      return tl::unexpected(
          fmt::format("MariaDB is not installed here: {} is missing; the Debian packages "
                      "are mariadb-server-core and mariadb-client-core",
                      needed));
  const passwd* const user = getpwuid(geteuid());
  const std::string as = fmt::format("--user={}", user != nullptr ? user->pw_name : "root");
  const std::string data = fmt::format("--datadir={}", (folder / "data").string());
  return Launch{
      .preparation = {installer, "--no-defaults", data, as, "--skip-test-db",
                      "--skip-name-resolve", "--auth-root-authentication-method=normal"},
      .server = {program, "--no-defaults", data, as,
                 fmt::format("--socket={}", (folder / "socket").string()),
                 fmt::format("--pid-file={}", (folder / "pid").string()),
                 "--skip-networking", "--skip-name-resolve", "--skip-log-bin",
                 "--performance-schema=OFF", "--innodb-buffer-pool-size=16M",
                 "--innodb-flush-log-at-trx-commit=0", "--innodb-flush-method=nosync",
                 "--innodb-doublewrite=0", "--innodb-fast-shutdown=2",
                 "--innodb-purge-rseg-truncate-frequency=1", "--sync-frm=0"}};
}

ServerAddress address_in(const fs::path& folder, Database database) {
  ServerAddress out{.database = database};
  if (database == Database::MariaDb)
    out.mariadb = {.socket = folder / "socket", .user = "root"};
  else
    out.postgresql = fmt::format(
        "host={} port=5432 user=postgres dbname=postgres sslmode=disable "
        "gssencmode=disable",
        folder.string());
  return out;
}

// --- the process that watches ---

struct Watch {
  const Launch& launch;
  const fs::path& folder;
  int life;   // ends when our maker does
  int words;  // to our maker
  int lock;   // of the folder: we are one of its makers

  [[noreturn]] void run() const;

 private:
  void let_go_of_the_rest() const;
  [[nodiscard]] pid_t start(const std::vector<std::string>& words) const;
  [[nodiscard]] std::optional<int> end_of(pid_t child) const;
  [[nodiscard]] bool is_prepared() const;
  void serve() const;
  void tell_of_failure() const;
};

// Not the signals of the terminal, and no file that somebody waits for the end of.
void Watch::let_go_of_the_rest() const {
  setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT})
    signal(number, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    dup2(nothing, standard);
  std::array kept = {life, words, lock};
  std::sort(kept.begin(), kept.end());
  unsigned next = STDERR_FILENO + 1;
  for (const int file : kept) {
    const auto number = static_cast<unsigned>(file);
    if (file < 0) continue;
    if (number > next) syscall(SYS_close_range, next, number - 1, 0);
    next = number + 1;
  }
  syscall(SYS_close_range, next, ~0U, 0);
}

pid_t Watch::start(const std::vector<std::string>& command) const {
  const pid_t child = fork();
  if (child != 0) return child;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT})
    signal(number, SIG_DFL);
  const int log = open((folder / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  const passwd* const user = launch.user;
  if (user != nullptr && (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 ||
                          setuid(user->pw_uid) != 0))
    _exit(126);
  prctl(PR_SET_PDEATHSIG, launch.end_signal);
  std::vector<char*> arguments;
  for (const std::string& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

// Its exit status; absent if our maker is gone before.
std::optional<int> Watch::end_of(pid_t child) const {
  const auto process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  std::array both = {pollfd{.fd = process, .events = POLLIN, .revents = 0},
                     pollfd{.fd = life, .events = POLLIN, .revents = 0}};
  while (poll(both.data(), both.size(), -1) < 0 && errno == EINTR)
    ;
  close(process);
  if (both[0].revents == 0) kill(child, launch.end_signal);
  int status = 0;
  waitpid(child, &status, 0);
  return both[0].revents == 0 ? std::nullopt : std::optional(status);
}

bool Watch::is_prepared() const {
  const std::optional<int> status = end_of(start(launch.preparation));
  if (status && *status != 0) tell_of_failure();
  return status && *status == 0;
}

void Watch::serve() const {
  if (end_of(start(launch.server))) tell_of_failure();
}

// The end of what was printed.
void Watch::tell_of_failure() const {
  constexpr off_t most = 2000;
  const int log = open((folder / "log").c_str(), O_RDONLY | O_CLOEXEC);
  if (log < 0) return;
  const off_t size = lseek(log, 0, SEEK_END);
  lseek(log, std::max<off_t>(size - most, 0), SEEK_SET);
  std::array<char, most> bytes{};
  const ssize_t count = read(log, bytes.data(), bytes.size());
  if (count > 0)
    static_cast<void>(!write(words, bytes.data(), static_cast<std::size_t>(count)));
  close(log);
}

void Watch::run() const {
  let_go_of_the_rest();
  if (is_prepared()) serve();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  _exit(0);
}

}  // namespace

// --- the server ---

tl::expected<std::unique_ptr<LocalServer>, std::string> LocalServer::start(
    Database database, const Budget& budget) {
  const fs::path parent = fs::temp_directory_path();
  static_cast<void>(OwnFolder::remove_left_behind(parent));
  auto folder = OwnFolder::make(parent);
  if (!folder) return tl::unexpected(std::move(folder.error()));
  std::unique_ptr<LocalServer> out(new LocalServer());
  out->folder_.emplace(*std::move(folder));
  const fs::path& path = out->folder_->path();
  const auto launch =
      database == Database::MariaDb ? mariadb_launch(path) : postgresql_launch(path);
  if (!launch) return tl::unexpected(launch.error());
  out->address_ = address_in(path, database);
  std::array<int, 2> life{};
  std::array<int, 2> words{};
  if (pipe2(life.data(), O_CLOEXEC) != 0 || pipe2(words.data(), O_CLOEXEC) != 0)
    return tl::unexpected(std::string("there are no more files to open"));
  out->watcher_ = fork();
  if (out->watcher_ == 0)
    Watch{.launch = *launch,
          .folder = path,
          .life = life[0],
          .words = words[1],
          .lock = out->folder_->lock()}
        .run();
  close(life[0]);
  close(words[1]);
  out->life_ = life[1];
  out->words_ = words[0];
  if (std::string problem = out->await(budget); !problem.empty())
    return tl::unexpected(std::move(problem));
  return out;
}

// Until it answers.  It says nothing when it is ready, so it is asked again and again.
std::string LocalServer::await(const Budget& budget) {
  constexpr int milliseconds_between = 20;
  while (!look_at_server(address_)) {
    pollfd ready{.fd = words_, .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, milliseconds_between) > 0)
      return "the server does not start: " + last_words();
    if (budget.is_exhausted())
      return fmt::format("the server has not started yet ({})", budget.reason());
  }
  return {};
}

std::string LocalServer::last_words() const {
  std::string out(4000, '\0');
  const ssize_t count = read(words_, out.data(), out.size());
  out.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return out.empty() ? "nobody says why" : out;
}

LocalServer::~LocalServer() {
  for (const int file : {life_, words_})
    if (file >= 0) close(file);
  if (watcher_ > 0) waitpid(watcher_, nullptr, 0);
}

}  // namespace isomer::server
