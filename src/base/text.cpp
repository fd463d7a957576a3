// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <numeric>

#include <fmt/format.h>

namespace isomer {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Levenshtein's distance, by the usual two rows.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

Expected<std::string> read_text_file(const std::string& path, std::size_t size_max,
                                     std::string_view what) {
  const auto fail = [&](std::string message) {
    return tl::unexpected(Diagnostics{diagnostic_of_file(path, std::move(message))});
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return fail("there is no such file");
  if (std::filesystem::is_directory(status)) return fail("this is a directory");
  if (!std::filesystem::is_regular_file(status)) return fail("this is not a regular file");
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail("cannot read this file");
  std::string text(size_max + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return fail("cannot read this file");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > size_max) return fail(fmt::format("this is too large for {}", what));
  return text;
}

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& known) {
  constexpr std::size_t word_size_max = 64;
  if (word.size() > word_size_max) return std::nullopt;
  std::optional<std::string> best;
  const std::size_t distance_max = word.size() <= 3 ? 1 : word.size() <= 8 ? 2 : 3;
  std::size_t best_distance = distance_max + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::size_t character_end(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && continues_character(text[at]))
    ++at;
  return at;
}

std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follows = [&](std::size_t i) {
    return i < text.size() && continues_character(text[i]);
  };
  const unsigned first = byte(0);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool is_overlong = first == 0xe0 && byte(1) < 0xa0;
    const bool is_surrogate = first == 0xed && byte(1) >= 0xa0;
    return follows(1) && follows(2) && !is_overlong && !is_surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool is_overlong = first == 0xf0 && byte(1) < 0x90;
    const bool is_too_large = first == 0xf4 && byte(1) >= 0x90;
    return follows(1) && follows(2) && follows(3) && !is_overlong && !is_too_large ? 4 : 0;
  }
  return 0;
}

}  // namespace isomer
