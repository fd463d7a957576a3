// SPDX-License-Identifier: MIT
// Files of the corpus, found by glob, and what is expected of them beside them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace isomer::program::test {

namespace fs = std::filesystem;

inline const fs::path corpus = ISOMER_SOURCE_DIR "/tests/corpus";

inline std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline std::vector<std::string> files_in(const fs::path& folder,
                                         const std::string& ending) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) out.push_back(entry.path().filename());
  std::sort(out.begin(), out.end());
  return out;
}

// With ISOMER_PROMOTE the expectation is rewritten instead.
inline void expect_pinned(const fs::path& file, const std::string& found) {
  const std::string path = file.string() + ".expect";
  if (std::getenv("ISOMER_PROMOTE") != nullptr)
    std::ofstream(path, std::ios::binary) << found;
  else
    EXPECT_EQ(found, contents(path)) << path;
}

}  // namespace isomer::program::test
