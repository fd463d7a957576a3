// SPDX-License-Identifier: MIT
// Names to dense ids.  Small numbers, which most histories use, go through a direct table;
// other numbers and strings through hash tables.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace isomer::history {

// "7" and "-12" are numbers; "07", "+1" and "1x" are not: a number prints as it was
// written.
inline std::optional<std::int64_t> canonical_number(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  const bool is_padded = text.size() > 1 && (text[0] == '0' || text.substr(0, 2) == "-0");
  return is_padded ? std::nullopt : std::optional(number);
}

class NameTable {
 public:
  struct Found {
    std::uint32_t id;
    bool is_new;
  };

  Found number(std::int64_t name) {
    const auto index = static_cast<std::uint64_t>(name);
    if (index < direct_.size() && direct_[index] != absent) return {direct_[index], false};
    if (!numbers_.empty())
      if (const auto entry = numbers_.find(name); entry != numbers_.end())
        return {entry->second, false};
    // The direct table stays in proportion to the names: one large number in a small
    // history must not cost megabytes.
    if (index < direct_min + direct_factor * std::uint64_t{count_}) {
      if (index >= direct_.size())
        direct_.resize(std::max<std::size_t>(index + 1, 2 * direct_.size()), absent);
      direct_[index] = count_;
    } else {
      numbers_.emplace(name, count_);
    }
    return {count_++, true};
  }

  // For a name that is not a canonical number.
  Found text(std::string_view name) {
    const auto [entry, is_new] = texts_.try_emplace(std::string(name), count_);
    if (is_new) ++count_;
    return {entry->second, is_new};
  }

  [[nodiscard]] std::uint32_t size() const { return count_; }

 private:
  static constexpr std::uint64_t direct_min = 1024;
  static constexpr std::uint64_t direct_factor = 16;
  static constexpr std::uint32_t absent = 0xffffffffU;

  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> direct_;
  std::unordered_map<std::int64_t, std::uint32_t> numbers_;
  std::unordered_map<std::string, std::uint32_t> texts_;
};

}  // namespace isomer::history
