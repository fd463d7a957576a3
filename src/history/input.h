// SPDX-License-Identifier: MIT
// Where the bytes of a history come from: a mapped file, standard input, a directory, and
// what gzip or zstd unpack.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "history/builder.h"

namespace isomer::history {

// Bytes that are mapped from a file, or owned.
class Bytes {
 public:
  Bytes() = default;

  explicit Bytes(std::string owned) : owned_(std::move(owned)) {}

  Bytes(const char* mapped, std::size_t size) : mapped_(mapped), size_(size) {}

  Bytes(Bytes&& other) noexcept;
  Bytes& operator=(Bytes&& other) noexcept;
  ~Bytes();

  [[nodiscard]] std::string_view view() const {
    return mapped_ != nullptr ? std::string_view(mapped_, size_) : std::string_view(owned_);
  }

 private:
  std::string owned_;
  const char* mapped_ = nullptr;
  std::size_t size_ = 0;
};

// Two bytes is the least that one operation or list element takes in any format.  More than
// this is read of nothing.
inline constexpr std::uint64_t input_size_max = 2 * HistoryBuilder::count_max;

bool is_directory(const std::string& path);

// The bytes of a file, or of standard input for "-", unpacked if they are packed.
// If the budget runs out, what was read so far.
Expected<Bytes> read_input(const std::string& path, const Budget& budget);

// The names of the regular files in a directory, in natural order: T2 before T10.
Expected<std::vector<std::string>> files_in(const std::string& directory);

// Unpacks gzip and zstd, recognised by their first bytes; absent bytes were not packed.
// Refuses what unpacks to far more than any history would.
bool is_packed(std::string_view bytes);
Expected<std::string> unpack(std::string_view bytes, std::string_view name,
                             const Budget& budget);

}  // namespace isomer::history
