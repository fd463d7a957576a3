// SPDX-License-Identifier: MIT
// The commands, one file each, and the words that several of them offer as choices.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "history/history.h"

namespace isomer::cli {

extern const Command check_command;
extern const Command record_command;
extern const Command stress_command;
extern const Command levels_command;
extern const Command synth_command;
extern const Command compare_command;
extern const Command show_command;
extern const Command run_command;
extern const Command explore_command;
extern const Command predict_command;
extern const Command verify_command;
extern const Command audit_command;
extern const Command advise_command;
extern const Command convert_command;
extern const Command generate_command;
extern const Command completion_command;
extern const Command man_command;

std::vector<std::string> format_names();
std::vector<std::string> writable_format_names();
std::vector<std::string> command_names();

// Writes the history to a file, or to standard output for "-"; gives the exit status.
int write_as(std::string_view command, const history::History& history,
             const std::string& format, const std::string& path);

}  // namespace isomer::cli
