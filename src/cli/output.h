// SPDX-License-Identifier: MIT
// Where results go, and what a terminal is told while they are computed.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace isomer::cli {

// To a file, or to standard output for "-".  Absent if all went well, else the complaint.
std::optional<std::string> write_bytes(const std::string& path, std::string_view bytes);

// What to complain of if the last system call failed to write to this path.
std::string write_complaint(const std::string& path);

// The same, but prints the complaint; gives the exit status.
int write_bytes_or_complain(std::string_view command, const std::string& path,
                            std::string_view bytes);

// Prints that an answer of ours is wrong; gives the exit status.
int own_mistake(std::string_view command, const std::string& why);

// Prints "name: warning: ..." for each.
void print_warnings(std::string_view name, const std::vector<std::string>& warnings);

// Colour is for terminals, and never with NO_COLOR.
bool is_output_colourful();

// While it lives, Ctrl-C raises flag() instead of ending the program; a second Ctrl-C ends
// it.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  [[nodiscard]] static const std::atomic<bool>& flag();
};

// While it lives, a terminal on stderr sees after one second what is being done, for how
// long, and how far it got; nobody else sees anything.
class Progress {
 public:
  explicit Progress(std::string activity);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // How far it got.
  void tell(std::string how_far);

 private:
  void show();

  std::string activity_;
  std::string how_far_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace isomer::cli
