// SPDX-License-Identifier: MIT
// Options that all or several commands have: rows of their tables, so that they read and
// mean the same everywhere.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/inspection.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/level_argument.h"
#include "cli/output.h"
#include "cli/watchdog.h"
#include "program/machine/machine.h"
#include "program/scenario/scenario.h"
#include "synth/synth.h"

namespace isomer::cli {

// --- what every command has: its limits, and what a person sees of its inside ---

std::span<const Option> common_options();

// Those of the command, then the common ones.
std::vector<Option> options_of(const Command& command);

Limits limits_in(OptionReader& reader);

// Makes the folder of --dump.
Inspection::Wishes wishes_in(const Arguments& arguments, OptionReader& reader);

// What --stats prints: the phases, the counters and the memory.
std::string stats_text(const Inspection& inspection, const Stopwatch& since_start);

// --- what some have ---

constexpr Option json_option(std::string_view help) {
  return {.name = "--json", .takes = Takes::Nothing, .help = help};
}

// --- pictures ---

constexpr Option html_option(std::string_view help) {
  return {.name = "--html", .argument = "F", .help = help, .completes = Completes::Files};
}

inline constexpr Option svg_option = {.name = "--svg",
                                      .argument = "F",
                                      .help = "Write the picture alone.",
                                      .completes = Completes::Files};

inline constexpr Option dot_option = {.name = "--dot",
                                      .argument = "F",
                                      .help = "Write the picture as Graphviz's input.",
                                      .completes = Completes::Files};

// --- a history as a file ---

constexpr Option format_option(std::string_view help) {
  return {.name = "--format",
          .argument = "F",
          .help = help,
          .completes = Completes::Choices,
          .choices = format_names};
}

constexpr Option output_option(std::string_view help) {
  return {.name = "--output",
          .argument = "FILE",
          .help = help,
          .completes = Completes::Files,
          .short_name = "-o"};
}

inline constexpr Option to_option = {
    .name = "--to",
    .argument = "F",
    .help =
        "The format of --output. Without it, its ending tells: .json, .jsonl, else "
        "Isomer's own text.",
    .completes = Completes::Choices,
    .choices = writable_format_names};

// The format of --output: that of --to, or what its ending tells.
std::string output_format_in(const Arguments& arguments, OptionReader& reader);

// The format that the ending of a file's name tells: .json, .jsonl, else Isomer's own text.
std::string format_of_ending(const std::string& path);

// --- programs ---

constexpr Option program_option(std::string_view help) {
  return {.name = "app",
          .argument = "APP",
          .help = help,
          .completes = Completes::Files,
          .is_required = true};
}

inline constexpr Option runnable_program_option =
    program_option("A scenario (.toml) of an SQL application, or a litmus program (.txn).");

std::vector<std::string> granularity_names();

inline constexpr Option granularity_option = {
    .name = "--granularity",
    .argument = "G",
    .help = "What is one key: a row (the default), a table, or a field of a row.",
    .completes = Completes::Choices,
    .choices = granularity_names};

program::Granularity granularity_in(OptionReader& reader);

std::vector<std::string> workload_names();

inline constexpr Option workload_option = {
    .name = "--workload",
    .argument = "W",
    .help =
        "Instead of the scenario's calls, draw 3 sessions of 4 (small) or 8 (large) "
        "calls by seed, as its [workload] says.",
    .completes = Completes::Choices,
    .choices = workload_names};

std::optional<program::WorkloadSize> workload_in(const Arguments& arguments,
                                                 OptionReader& reader);

inline constexpr Option set_option = {
    .name = "--set",
    .argument = "NAME=VALUE",
    .takes = Takes::Many,
    .help =
        "At a level of a database: how the server is set up, whatever the scenario's "
        "[database] says; several with commas. journal=wal (rollback) and "
        "busy_timeout=false (true) are SQLite's, snapshot_isolation=true (false) is "
        "MariaDB's."};

// The argument of --scope.
inline constexpr const char* scope_syntax = "T,K,V[,O[,I]]";

// --scope; absent if not given.
std::optional<synth::Scope> scope_in(const Arguments& arguments, OptionReader& reader);

// Runs the search, and tells a terminal about it.
template <class Search>
auto with_progress(const Budget& budget, const std::string& activity,
                   const Search& search) {
  const Progress progress(budget, activity);
  return search();
}

}  // namespace isomer::cli
