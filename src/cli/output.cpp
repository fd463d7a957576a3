// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/budget.h"
#include "cli/command.h"

namespace isomer::cli {
namespace {

// There is one standard output, so there is one owner of it.
enum class Owner : std::uint8_t { Nobody, Command, Watchdog };
std::atomic<Owner> output_owner{Owner::Nobody};

// Does not come back once the output was taken over: the program is about to end.
void claim_output() {
  Owner owner = Owner::Nobody;
  output_owner.compare_exchange_strong(owner, Owner::Command);
  while (owner == Owner::Watchdog)
    std::this_thread::sleep_for(std::chrono::hours(1));
}

bool write_all(std::FILE* file, std::string_view bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() &&
         std::fflush(file) == 0;
}

}  // namespace

std::string write_complaint(const std::string& path) {
  return fmt::format("cannot write to {}: {}", path == "-" ? "standard output" : path,
                     std::strerror(errno));
}

std::optional<std::string> write_bytes(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    claim_output();
    return write_all(stdout, bytes) ? std::nullopt : std::optional(write_complaint(path));
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                             &std::fclose);
  if (file == nullptr || !write_all(file.get(), bytes)) return write_complaint(path);
  return std::nullopt;
}

int write_bytes_or_complain(std::string_view command, const std::string& path,
                            std::string_view bytes) {
  const std::optional<std::string> complaint = write_bytes(path, bytes);
  if (!complaint) return status_nothing_found;
  fmt::print(stderr, "isomer {}: error: {}\n", command, *complaint);
  return status_bad_input;
}

int own_mistake(std::string_view command, const std::string& why) {
  fmt::print(stderr,
             "isomer {}: internal error: {}\n"
             "This is a bug in isomer. Please report it together with the command and its "
             "input.\n",
             command, why);
  return status_internal_error;
}

void print_warnings(std::string_view name, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings)
    fmt::print(stderr, "{}: warning: {}\n", name, warning);
}

bool is_output_colourful() {
  const char* const no_colour = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

std::size_t output_width() {
  constexpr std::size_t width_min = 40;
  constexpr std::size_t width_otherwise = 100;
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0)
    return width_otherwise;
  return std::max<std::size_t>(size.ws_col, width_min);
}

bool take_output_over() {
  Owner owner = Owner::Nobody;
  return output_owner.compare_exchange_strong(owner, Owner::Watchdog);
}

Progress::Progress(const Budget& budget, std::string activity)
    : inspection_(budget.inspection()),
      activity_(std::move(activity)),
      phase_(budget, activity_) {
  if (isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  condition_.notify_one();
  thread_.join();
}

void Progress::tell(std::string how_far) {
  if (inspection_ != nullptr) inspection_->tell(how_far);
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  how_far_ = std::move(how_far);
}

void Progress::show() {
  static constexpr std::string_view erase_line = "\r\x1b[K";
  const Stopwatch stopwatch;
  bool shown = false;
  std::unique_lock lock(mutex_);
  while (!condition_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
    fmt::print(stderr, "{}{}: {:.0f} s{}{} (Ctrl-C stops)", erase_line, activity_,
               stopwatch.seconds(), how_far_.empty() ? "" : ", ", how_far_);
    shown = true;
  }
  if (shown) fmt::print(stderr, "{}", erase_line);
}

}  // namespace isomer::cli
