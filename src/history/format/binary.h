// SPDX-License-Identifier: MIT
// Reading binary formats: fixed-width integers, never beyond the end.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "history/builder.h"

namespace isomer::history {

class BinaryCursor {
 public:
  explicit BinaryCursor(std::string_view bytes, std::size_t offset = 0)
      : bytes_(bytes), offset_(offset) {}

  [[nodiscard]] std::size_t offset() const { return offset_; }

  [[nodiscard]] std::size_t left() const { return bytes_.size() - offset_; }

  std::optional<std::uint8_t> byte() {
    if (left() < 1) return {};
    return static_cast<std::uint8_t>(bytes_[offset_++]);
  }

  std::optional<std::uint64_t> little_u64() {
    static_assert(std::endian::native == std::endian::little);
    if (left() < sizeof(std::uint64_t)) return {};
    std::uint64_t number = 0;
    std::memcpy(&number, bytes_.data() + offset_, sizeof number);
    offset_ += sizeof number;
    return number;
  }

  std::optional<std::uint64_t> big_u64() {
    const auto number = little_u64();
    if (!number) return {};
    return __builtin_bswap64(*number);
  }

  bool skip(std::uint64_t count) {
    if (left() < count) return false;
    offset_ += count;
    return true;
  }

 private:
  std::string_view bytes_;
  std::size_t offset_;
};

// Unsigned 64-bit keys and values: beyond the signed ones they are texts, so that they
// print as they are.
inline KeyId key_of(HistoryBuilder& builder, std::uint64_t number) {
  const auto as_signed = static_cast<std::int64_t>(number);
  return as_signed >= 0 ? builder.key(as_signed)
                        : builder.key(std::string_view(fmt::format_int(number).c_str()));
}

inline Value value_of(HistoryBuilder& builder, std::uint64_t number) {
  const auto as_signed = static_cast<std::int64_t>(number);
  return as_signed >= 0
             ? Value::integer(as_signed)
             : builder.string_value(std::string_view(fmt::format_int(number).c_str()));
}

}  // namespace isomer::history
