// SPDX-License-Identifier: MIT
// Where results go, and what a terminal is told while they are computed.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/inspection.h"

namespace isomer::cli {

// To a file, or to standard output for "-".  Absent if all went well, else the complaint.
// Whoever writes to standard output does it by this.
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

// How many characters a line of text may have: as wide as the terminal is, or 100.
std::size_t output_width();

// Standard output is for one answer: from the first byte on it is the command's, and nobody
// can take it over.  True if the command has written nothing, and will not from now on.
bool take_output_over();

// While it lives, a phase of this name is under way, and a terminal on stderr sees after
// one second what is being done, for how long, and how far it got.
class Progress {
 public:
  Progress(const Budget& budget, std::string activity);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // How far it got.
  void tell(std::string how_far);

 private:
  void show();

  Inspection* inspection_;
  std::string activity_;
  Phase phase_;
  std::string how_far_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace isomer::cli
