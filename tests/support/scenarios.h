// SPDX-License-Identifier: MIT
// The scenarios of examples/apps and the one of the tutorial.  They say in a comment at
// which levels they go wrong:
//   # breaks at: RC RA CC PC                     (an invariant)
//   # not serializable at: RC RA CC PC PSI SI    (the history)
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace isomer::test {

inline std::vector<std::string> scenarios() {
  std::vector<std::string> out;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ISOMER_SOURCE_DIR "/examples/apps"))
    if (entry.path().extension() == ".toml" && entry.path().stem() != "workload")
      out.push_back(entry.path());
  out.emplace_back(ISOMER_SOURCE_DIR "/examples/tutorial/night.toml");
  std::ranges::sort(out);
  return out;
}

// "tpcc_deliveries"
inline std::string scenario_name(const std::filesystem::path& scenario) {
  return scenario.parent_path().filename().string() + "_" + scenario.stem().string();
}

// Absent without a line "# WORDS: ...".
inline std::optional<std::string> levels_after(const std::string& file,
                                               const std::string& words) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("# " + words + ": ")) return line.substr(words.size() + 4);
  return std::nullopt;
}

inline bool names(const std::string& levels, std::string_view wanted) {
  std::istringstream in(levels);
  for (std::string level; in >> level;)
    if (level == wanted) return true;
  return false;
}

}  // namespace isomer::test
