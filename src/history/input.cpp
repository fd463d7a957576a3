// SPDX-License-Identifier: MIT
#include "history/input.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history/format/cursor.h"

namespace isomer::history {
namespace {

// A file descriptor that closes itself, except standard input.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}

  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  ~Descriptor() {
    if (number_ > STDIN_FILENO) ::close(number_);
  }

  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

tl::unexpected<Diagnostics> cannot_read(const std::string& path) {
  return tl::unexpected(Diagnostics{diagnostic_of_file(
      path, errno == ENOENT ? "there is no such file"
                            : fmt::format("cannot read: {}", std::strerror(errno)))});
}

// Waits until there is something to read; false if the budget runs out before.  A pipe may
// never get a writer, and a terminal never a line.
bool is_readable(const Descriptor& file, const Budget& budget) {
  constexpr int patience_ms = 50;
  pollfd waiting{.fd = file.number(), .events = POLLIN, .revents = 0};
  while (!budget.is_exhausted()) {
    const int count = ::poll(&waiting, 1, patience_ms);
    if (count > 0 && (waiting.revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) != 0)
      return true;
    if (count < 0 && errno != EINTR) return true;  // reading will say why
  }
  return false;
}

Expected<Bytes> read_all(const Descriptor& file, const std::string& path,
                         const Budget& budget) {
  std::string bytes;
  constexpr std::size_t step = 1 << 20;
  while (true) {
    if (!is_readable(file, budget)) return Bytes(std::move(bytes));
    const std::size_t size = bytes.size();
    bytes.resize(size + step);
    const ssize_t count = ::read(file.number(), bytes.data() + size, step);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
      bytes.resize(size);
      continue;
    }
    if (count < 0) return cannot_read(path);
    bytes.resize(size + static_cast<std::size_t>(count));
    if (count == 0 || bytes.size() > input_size_max) return Bytes(std::move(bytes));
  }
}

// A pipe is opened without waiting for its writer: is_readable() does that, for a time.
Expected<Bytes> map_or_read(const std::string& path, const Budget& budget) {
  const Descriptor file(
      path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return cannot_read(path);
  if (!S_ISREG(status.st_mode) || status.st_size == 0 || path == "-")
    return read_all(file, path, budget);
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (mapped == MAP_FAILED) return read_all(file, path, budget);
  ::madvise(mapped, size, MADV_SEQUENTIAL);
  return Bytes(static_cast<const char*>(mapped), size);
}

// Digits compare as numbers, everything else as text.
bool is_before(std::string_view left, std::string_view right) {
  Cursor a(left);
  Cursor b(right);
  const auto significant = [](std::string_view digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
  };
  while (!a.at_end() && !b.at_end()) {
    if (is_digit(a.peek()) && is_digit(b.peek())) {
      const std::string_view m = significant(a.take_while(is_digit));
      const std::string_view n = significant(b.take_while(is_digit));
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
    } else if (a.peek() != b.peek()) {
      return a.peek() < b.peek();
    } else {
      a.advance();
      b.advance();
    }
  }
  if (a.at_end() && b.at_end()) return left < right;
  return a.at_end();
}

}  // namespace

Bytes::Bytes(Bytes&& other) noexcept
    : owned_(std::move(other.owned_)),
      mapped_(std::exchange(other.mapped_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

Bytes& Bytes::operator=(Bytes&& other) noexcept {
  std::swap(owned_, other.owned_);
  std::swap(mapped_, other.mapped_);
  std::swap(size_, other.size_);
  return *this;
}

Bytes::~Bytes() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap takes what mmap gave.
  if (mapped_ != nullptr) ::munmap(const_cast<char*>(mapped_), size_);
}

bool is_directory(const std::string& path) {
  std::error_code error;
  return path != "-" && std::filesystem::is_directory(path, error);
}

Expected<Bytes> read_input(const std::string& path, const Budget& budget) {
  const std::string name = path == "-" ? "<stdin>" : path;
  Expected<Bytes> bytes = map_or_read(path, budget);
  if (!bytes || !is_packed(bytes->view())) return bytes;
  return unpack(bytes->view(), name, budget).map([](std::string&& unpacked) {
    return Bytes(std::move(unpacked));
  });
}

Expected<std::vector<std::string>> files_in(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error))
    if (std::error_code unreadable; entry->is_regular_file(unreadable))
      names.push_back(entry->path().filename().string());
  if (error)
    return tl::unexpected(Diagnostics{diagnostic_of_file(
        directory, fmt::format("cannot read this directory: {}", error.message()))});
  std::sort(names.begin(), names.end(), is_before);
  return names;
}

}  // namespace isomer::history
