// SPDX-License-Identifier: MIT
#include "cli/watchdog.h"

#include <csignal>
#include <cstdlib>
#include <new>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/output.h"
#include "report/json.h"

namespace isomer::cli {
namespace {

constexpr std::chrono::milliseconds interval{20};

// How long the command may go on after a limit, to end by itself.  The time limit is kept
// within a tenth and a second.
constexpr double grace_fraction = 0.1;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double grace_seconds = 5;  // with sanitizers all takes ten times as long
#else
constexpr double grace_seconds = 0.8;
#endif
constexpr double interruption_grace_seconds = 0.7;
constexpr double memory_grace_seconds = 1;
constexpr double memory_grace_fraction = 0.1;

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void interrupt(int) {
  interrupted.store(true, std::memory_order_relaxed);
}

// SIGTERM likewise: what was made on a server is to be removed.
// A shell without job control starts `isomer ... &` with SIGINT ignored; a person who sends
// one all the same means it.
void catch_interruptions() {
  struct sigaction action{};
  action.sa_handler = interrupt;
  // Back to the default after the first signal, so that a second one ends the program.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM}) {
    sigaction(number, &action, nullptr);
    sigaddset(&signals, number);
  }
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

// Nothing of stdio, whose locks the command may hold; and who does not read is not waited
// for.
void write_at_once(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    pollfd ready{.fd = file, .events = POLLOUT, .revents = 0};
    if (::poll(&ready, 1, 100) <= 0) return;
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

Watchdog::Watchdog(const Limits& limits, Inspection& inspection, LastWords words)
    : limits_(limits),
      inspection_(inspection),
      words_(std::move(words)),
      budget_(Budget(limits.seconds, &interrupted)
                  .with_memory_flag(is_memory_used_up_)
                  .inspected_by(inspection)) {
  catch_interruptions();
  thread_ = std::thread([this] { run(); });
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  condition_.notify_one();
  thread_.join();
}

Budget Watchdog::budget() const {
  return budget_;
}

void Watchdog::end_for_memory() {
  end("memory");
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!condition_.wait_for(lock, interval, [this] { return is_over_; }))
    if (const std::optional<std::string> reason = reason_to_end()) end(*reason);
}

std::optional<std::string> Watchdog::reason_to_end() {
  if (limits_.seconds &&
      stopwatch_.seconds() > *limits_.seconds * (1 + grace_fraction) + grace_seconds)
    return "timeout";
  if (interrupted && !since_interruption_) since_interruption_.emplace();
  if (since_interruption_ && since_interruption_->seconds() > interruption_grace_seconds)
    return "interrupted";
  const auto held = static_cast<double>(memory_held_bytes());
  const auto limit = static_cast<double>(limits_.memory_bytes);
  if (held > limit && !since_memory_) {
    is_memory_used_up_ = true;
    since_memory_.emplace();
  }
  const bool is_late =
      since_memory_ && since_memory_->seconds() > memory_grace_seconds && held > limit;
  if (is_late || held > limit * (1 + memory_grace_fraction)) return "memory";
  return std::nullopt;
}

std::string Watchdog::sentence(const std::string& reason) const {
  const std::string activity = inspection_.activity();
  const std::string when = activity.empty() ? "" : fmt::format(" while {}", activity);
  if (reason == "timeout")
    return fmt::format("the time limit of {} s ended{}", *limits_.seconds, when);
  if (reason == "memory")
    return fmt::format("the memory limit of {} MiB was reached{}",
                       limits_.memory_bytes / bytes_per_mib, when);
  return fmt::format("interrupted{}", when);
}

void Watchdog::say_last_words(const std::string& reason) const {
  if (words_.is_json && take_output_over())
    write_at_once(STDOUT_FILENO, report::undecided_json(words_.command,
                                                        {.reason = reason,
                                                         .activity = inspection_.activity(),
                                                         .seconds = stopwatch_.seconds()}));
  write_at_once(STDERR_FILENO, fmt::format("isomer {}: undecided: {}\n", words_.command,
                                           sentence(reason)));
  if (words_.stats) write_at_once(STDERR_FILENO, words_.stats());
}

// There may be no memory left for words, and whoever throws here ends the program in
// another way.
void Watchdog::end(const std::string& reason) {
  try {
    say_last_words(reason);
  } catch (const std::bad_alloc&) {
    write_at_once(STDERR_FILENO, "isomer: undecided: there is no more memory\n");
  }
  ::_exit(status_undecided);
}

}  // namespace isomer::cli
