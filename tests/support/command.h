// SPDX-License-Identifier: MIT
// Runs shell commands the way a person would: from the root of the sources, with the built
// `isomer` first in PATH.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/wait.h>

#include "support/files.h"

namespace isomer::test {

struct Outcome {
  int status = -1;
  std::string output;  // stdout and stderr together, in the order they were written
};

// Without NO_COLOR or a terminal there is no colour; $SCRATCH names a folder for files.
inline Outcome run(const std::string& command) {
  const std::string folder = std::filesystem::path(ISOMER_BINARY).parent_path();
  const std::string script = "cd '" ISOMER_SOURCE_DIR "' && export PATH='" + folder +
                             "':$PATH && { " + command + "\n} 2>&1";
  Outcome outcome;
  std::FILE* const pipe = popen(script.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer;
  std::size_t count = 0;
  while ((count = std::fread(buffer.data(), 1, buffer.size(), pipe)) != 0)
    outcome.output.append(buffer.data(), count);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

// A fresh folder, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = std::filesystem::temp_directory_path() / "isomer-test-XXXXXX";
    path_ = mkdtemp(name.data());
    setenv("SCRATCH", path_.c_str(), 1);
  }

  ~Scratch() { std::filesystem::remove_all(path_); }

  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace isomer::test
