// SPDX-License-Identifier: MIT
// Commands are rows of one table, and their options rows of one table each.  Parsing, help,
// the man page and shell completion all come from these tables.
//
// A new command: one file with its options and its run function, and one row in
// commands.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isomer::cli {

enum class Takes : std::uint8_t { Nothing, OneOrNone, One, Many };

enum class Completes : std::uint8_t { Nothing, Files, Choices };

struct Option {
  std::string_view name;           // "--level"; without dashes it is a positional argument
  std::string_view argument = {};  // what stands for its value in help: "L"
  Takes takes = Takes::One;
  std::string_view help = {};  // one sentence or two; wrapped for display
  Completes completes = Completes::Nothing;
  std::vector<std::string> (*choices)() = nullptr;
  std::string_view short_name = {};  // "-o"
  bool is_required = false;

  [[nodiscard]] bool is_positional() const { return !name.starts_with('-'); }
};

class Arguments;

struct Example {
  std::string_view command;
  std::string_view shows;
};

struct Command {
  std::string_view name;
  std::string_view purpose;      // the heading of `isomer --help` it stands under
  std::string_view summary;      // one line, no full stop
  std::string_view synopsis;     // what follows "isomer NAME"
  std::string_view description;  // paragraphs, separated by empty lines
  std::span<const Option> options;
  std::span<const Example> examples;
  int (*run)(const Arguments& arguments);  // gives the exit status
};

// Every command, in the order of help.
std::span<const Command> commands();

const Command* command_named(std::string_view name);  // null if there is none

inline constexpr int status_nothing_found = 0;  // decided: nothing bad found
inline constexpr int status_found = 1;          // decided: found
inline constexpr int status_bad_input = 2;      // bad usage or bad input
inline constexpr int status_undecided = 3;      // timeout, memory limit or interrupted
inline constexpr int status_internal_error = 70;

// Of several files: bad input outweighs a finding, which outweighs an undecided one.
inline int worst(int a, int b) {
  constexpr std::array by_weight = {status_nothing_found, status_undecided, status_found,
                                    status_bad_input, status_internal_error};
  const auto weight = [&](int status) {
    return std::find(by_weight.begin(), by_weight.end(), status);
  };
  return weight(a) < weight(b) ? b : a;
}

}  // namespace isomer::cli
