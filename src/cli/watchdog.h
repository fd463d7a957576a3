// SPDX-License-Identifier: MIT
// What ends a command before it is done: --timeout, --memory and Ctrl-C.
//
// Whoever works looks at its budget, and ends by itself with what it knows.  But a library,
// a file system or a phase of ours may not look for long, so a thread of its own watches
// the same limits.  If the command has not ended a little after them, the thread says that
// the question is undecided, and in which phase, and ends the program with status 3.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/budget.h"
#include "base/inspection.h"

namespace isomer::cli {

struct Limits {
  std::optional<double> seconds;  // absent: none
  std::uint64_t memory_bytes = 0;
};

class Watchdog {
 public:
  // What else is said at the end.
  struct LastWords {
    std::string command;
    bool is_json = false;                     // a document says it, too
    std::function<std::string()> stats = {};  // absent: not wanted
  };

  // From now on Ctrl-C ends the budget instead of the program, also where whoever started
  // us had it ignored; a second one ends the program.  `inspection` must outlive this.
  Watchdog(const Limits& limits, Inspection& inspection, LastWords words);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  [[nodiscard]] Budget budget() const;

  // The memory that the system has is used up.
  [[noreturn]] void end_for_memory();

 private:
  void run();
  // Why the program must end now; absent if it may go on.
  std::optional<std::string> reason_to_end();
  [[noreturn]] void end(const std::string& reason);
  void say_last_words(const std::string& reason) const;
  [[nodiscard]] std::string sentence(const std::string& reason) const;

  Limits limits_;
  Inspection& inspection_;
  LastWords words_;
  Stopwatch stopwatch_;
  std::atomic<bool> is_memory_used_up_ = false;
  std::optional<Stopwatch> since_interruption_;
  std::optional<Stopwatch> since_memory_;
  Budget budget_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace isomer::cli
