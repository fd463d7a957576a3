// SPDX-License-Identifier: MIT
// isomer man: the manual page, in roff, from the same tables as the help.
#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "version.h"

namespace isomer::cli {
namespace {

// Text that roff prints as it is: dashes one can copy, no escapes, no requests.
std::string roff(std::string_view text) {
  std::string out;
  bool at_line_start = true;
  for (const char c : text) {
    if (at_line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    at_line_start = c == '\n';
  }
  return out;
}

// The same in short lines.
std::string filled(std::string_view text) {
  return roff(wrap(text, 0));
}

std::string paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    out += fmt::format(".PP\n{}", filled(text.substr(0, end)));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return out;
}

std::string entry(std::string_view term, std::string_view meaning) {
  return fmt::format(".TP\n.B {}\n{}", roff(term), filled(meaning));
}

std::string section(const Command& command) {
  std::string out = fmt::format(".SS isomer {}{}{}\n{}.\n{}", command.name,
                                command.synopsis.empty() ? "" : " ", roff(command.synopsis),
                                roff(command.summary), paragraphs(command.description));
  for (const Option& option : command.options)
    out += entry(usage_of(option), help_of(option));
  return out;
}

std::string examples() {
  std::string out = ".SH EXAMPLES\n";
  for (const Command& command : commands())
    for (const Example& example : command.examples)
      out += entry(example.command, example.shows);
  return out;
}

constexpr Example man_examples[] = {
    {"isomer man | man -l -", "read the manual without installing it"},
    {"isomer man > isomer.1", "keep it"},
};

int run_man(const Arguments&) {
  return write_bytes_or_complain("man", "-", man_page());
}

}  // namespace

std::string man_page() {
  std::string out = fmt::format(
      ".TH ISOMER 1 {} \"isomer {}\"\n.SH NAME\n"
      "isomer \\- tells what weak database isolation lets happen\n"
      ".SH SYNOPSIS\n.B isomer\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH COMMANDS\n",
      version_date, version);
  for (const Command& command : commands())
    out += section(command);
  out += ".SH OPTIONS OF EVERY COMMAND\n";
  for (const Option& option : common_options())
    out += entry(usage_of(option), help_of(option));
  out += ".SH EXIT STATUS\n";
  for (const StatusMeaning& row : exit_statuses())
    out += entry(std::to_string(row.status), row.meaning);
  out +=
      ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set and not empty, output has no colours.\n";
  return out + examples();
}

constinit const Command man_command = {
    .name = "man",
    .purpose = "About isomer itself",
    .summary = "Print the manual page",
    .synopsis = "",
    .description = "Prints the manual page isomer(1) in roff, the language of man(1).",
    .options = {},
    .examples = man_examples,
    .run = run_man,
};

}  // namespace isomer::cli
