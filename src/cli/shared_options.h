// SPDX-License-Identifier: MIT
// Options that several commands have: rows of their tables, so that they read and mean the
// same everywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "program/machine.h"

namespace isomer::cli {

inline constexpr Option timeout_option = {
    .name = "--timeout", .argument = "S", .help = "Give up after so many seconds."};

constexpr Option json_option(std::string_view help) {
  return {.name = "--json", .takes = Takes::Nothing, .help = help};
}

// --- pictures ---

constexpr Option html_option(std::string_view help) {
  return {.name = "--html", .argument = "F", .help = help, .completes = Completes::Files};
}

inline constexpr Option svg_option = {
    .name = "--svg",
    .argument = "F",
    .help = "Write the picture alone, laid out by Graphviz.",
    .completes = Completes::Files};

inline constexpr Option dot_option = {.name = "--dot",
                                      .argument = "F",
                                      .help = "Write the picture as Graphviz's input.",
                                      .completes = Completes::Files};

// --- a history as a file ---

constexpr Option output_option(std::string_view help) {
  return {.name = "--output",
          .argument = "FILE",
          .help = help,
          .completes = Completes::Files,
          .short_name = "-o"};
}

// The format that the ending of a file's name tells: .json, .jsonl, else Isomer's own text.
std::string format_of_ending(const std::string& path);

// --- programs ---

inline constexpr Option program_option = {
    .name = "app",
    .argument = "APP",
    .help = "A scenario (.toml) of an SQL application, or a litmus program (.txn).",
    .completes = Completes::Files,
    .is_required = true};

std::vector<std::string> granularity_names();

inline constexpr Option granularity_option = {
    .name = "--granularity",
    .argument = "G",
    .help = "What is one key: a row (the default), a table, or a field of a row.",
    .completes = Completes::Choices,
    .choices = granularity_names};

program::Granularity granularity_in(OptionReader& reader);

}  // namespace isomer::cli
