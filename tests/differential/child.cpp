// SPDX-License-Identifier: MIT
#include "differential/child.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <optional>

#include <fmt/format.h>

#include "base/assert.h"
#include "support/effort.h"

namespace isomer::differential {
namespace {

// A message in a pipe: this, and then the text.
struct Header {
  std::uint64_t seed;
  std::uint64_t size;
  Answer::Kind kind;
  bool is_begin;
};

void write_all(int file, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = ::write(file, at, size);
    if (written <= 0) ::_exit(1);  // nobody listens any more
    at += written;
    size -= static_cast<std::size_t>(written);
  }
}

void send(int file, const Message& message) {
  const Header header{message.seed, message.answer.why.size(), message.answer.kind,
                      message.is_begin};
  write_all(file, &header, sizeof header);
  write_all(file, message.answer.why.data(), message.answer.why.size());
}

// What would take more memory than this would take the machine with it.  The sanitizers
// reserve much more than they use.
void limit_memory() {
  if (is_slow_build) return;
  const rlim_t bytes = rlim_t{4} << 30;
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
}

// What the pipe has, in whole messages.
class Reader {
 public:
  explicit Reader(int file) : file_(file) {}

  // False at the end.
  bool read_more() {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(file_, buffer.data(), buffer.size());
    if (count <= 0) return false;
    bytes_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }

  std::optional<Message> next() {
    Header header{};
    if (bytes_.size() < sizeof header) return std::nullopt;
    bytes_.copy(reinterpret_cast<char*>(&header), sizeof header);
    if (bytes_.size() < sizeof header + header.size) return std::nullopt;
    Message out{header.seed,
                header.is_begin,
                {header.kind, bytes_.substr(sizeof header, header.size)}};
    bytes_.erase(0, sizeof header + header.size);
    return out;
  }

 private:
  int file_;
  std::string bytes_;
};

std::string how_it_ended(pid_t child, bool was_silent, double silence_max) {
  if (was_silent) ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (was_silent) return fmt::format("no answer within {} s", silence_max);
  if (WIFSIGNALED(status)) return fmt::format("crash: {}", ::strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("exit {}", WEXITSTATUS(status));
}

}  // namespace

std::string in_child(const std::function<void(const Say&)>& work, double silence_max,
                     const Say& hear) {
  std::array<int, 2> ends{};
  ISOMER_ASSERT(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  ISOMER_ASSERT(child >= 0);
  if (child == 0) {
    ::close(ends[0]);
    limit_memory();
    work([&](const Message& message) { send(ends[1], message); });
    ::_exit(0);
  }
  ::close(ends[1]);
  Reader reader(ends[0]);
  bool was_silent = false;
  for (;;) {
    pollfd waiting{ends[0], POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(silence_max * 1000));
    if (ready < 0 && errno == EINTR) continue;
    was_silent = ready == 0;
    if (was_silent || !reader.read_more()) break;
    while (const auto message = reader.next())
      hear(*message);
  }
  ::close(ends[0]);
  return how_it_ended(child, was_silent, silence_max);
}

Answer ask_in_child(const Case& asked, double seconds_max) {
  Answer out;
  const std::string death =
      in_child([&](const Say& say) { say({.is_begin = false, .answer = asked.ask()}); },
               seconds_max, [&](const Message& message) { out = message.answer; });
  return death.empty() ? out : answer(death);
}

}  // namespace isomer::differential
