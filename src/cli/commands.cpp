// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <array>

#include "history/formats.h"

namespace isomer::cli {

std::span<const Command> commands() {
  static const std::array table = {
      check_command,       //
      record_command,      //
      stress_command,      //
      levels_command,      //
      synth_command,       //
      compare_command,     //
      show_command,        //
      run_command,         //
      explore_command,     //
      predict_command,     //
      verify_command,      //
      audit_command,       //
      advise_command,      //
      convert_command,     //
      generate_command,    //
      completion_command,  //
      man_command,
  };
  return table;
}

const Command* command_named(std::string_view name) {
  for (const Command& command : commands())
    if (command.name == name) return &command;
  return nullptr;
}

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const history::Format& format : history::formats())
    out.emplace_back(format.name);
  return out;
}

std::vector<std::string> writable_format_names() {
  std::vector<std::string> out;
  for (const history::Format& format : history::formats())
    if (format.is_writable) out.emplace_back(format.name);
  return out;
}

std::vector<std::string> command_names() {
  std::vector<std::string> out;
  for (const Command& command : commands())
    out.emplace_back(command.name);
  return out;
}

}  // namespace isomer::cli
