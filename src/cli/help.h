// SPDX-License-Identifier: MIT
// Help, the man page and shell completion, all made from the table of commands.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"

namespace isomer::cli {

std::string help();
std::string help(const Command& command);
std::string man_page();                                 // roff
std::string completion_script(std::string_view shell);  // "bash" or "zsh"

// "--level L", "-o, --output OUT", "FILE...".
std::string usage_of(const Option& option);

// Words filled into lines, each indented; paragraphs stay apart.
std::string wrap(std::string_view text, std::size_t indent);

// The help of an option, with its choices.
std::string help_of(const Option& option);

struct StatusMeaning {
  int status;
  std::string_view meaning;
};

std::span<const StatusMeaning> exit_statuses();

}  // namespace isomer::cli
