// SPDX-License-Identifier: MIT
// Files of the sources that tests read, and names for tests of them.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace isomer::test {

inline const std::filesystem::path corpus = ISOMER_SOURCE_DIR "/tests/corpus";

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Those directly in the folder whose names end so (".sql"), by name.
inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                   std::string_view ending) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ending) out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

// A text as a test may be called.
inline std::string test_name(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

}  // namespace isomer::test
