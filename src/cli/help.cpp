// SPDX-License-Identifier: MIT
#include "cli/help.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/level_argument.h"
#include "cli/shared_options.h"
#include "version.h"

namespace isomer::cli {
namespace {

constexpr std::size_t width = 80;
constexpr std::size_t option_column = 20;

std::string option_help(const Option& option) {
  const std::string usage = fmt::format("  {}", usage_of(option));
  const std::string text = wrap(help_of(option), option_column);
  if (usage.size() + 2 > option_column) return usage + "\n" + text;
  return usage + text.substr(usage.size());
}

std::string section_of(std::string_view purpose) {
  std::string out = fmt::format("{}\n", purpose);
  for (const Command& command : commands())
    if (command.purpose == purpose)
      out += fmt::format("  {:<11} {}\n", command.name, command.summary);
  return out + "\n";
}

}  // namespace

std::string wrap(std::string_view text, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string out;
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) out += margin + line + "\n";
    line.clear();
  };
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", start), text.size());
    const std::string_view word = text.substr(start, end - start);
    if (indent + line.size() + 1 + word.size() > width) flush();
    if (!word.empty() && !line.empty()) line += ' ';
    line += word;
    if (text.substr(end, 2) == "\n\n") {
      flush();
      out += "\n";
      start = end + 2;
    } else {
      start = end + 1;
    }
  }
  flush();
  return out;
}

std::string usage_of(const Option& option) {
  if (option.is_positional())
    return fmt::format("{}{}", option.argument, option.takes == Takes::Many ? "..." : "");
  std::string out;
  if (!option.short_name.empty()) out += fmt::format("{}, ", option.short_name);
  out += option.name;
  if (option.takes == Takes::OneOrNone) out += fmt::format(" [{}]", option.argument);
  if (option.takes == Takes::One || option.takes == Takes::Many)
    out += fmt::format(" {}", option.argument);
  return out;
}

std::string help_of(const Option& option) {
  if (option.choices == nullptr) return std::string(option.help);
  if (option.choices == standard_level_names)
    return fmt::format(
        "{} A level is a name such as SI or cerone:SI ('isomer levels' lists them), a "
        "file mine.level, or one level of it, mine.level:MyLevel.",
        option.help);
  return fmt::format("{} One of: {}.", option.help, fmt::join(option.choices(), ", "));
}

std::span<const StatusMeaning> exit_statuses() {
  static constexpr std::array table = {
      StatusMeaning{
          status_nothing_found,
          "decided, and nothing bad was found: every level asked for allows every history, "
          "every invariant holds; synth: a history was found"},
      StatusMeaning{status_found,
                    "found: a violation, a broken invariant; synth: there is no such "
                    "history in scope"},
      StatusMeaning{status_bad_input, "bad usage or bad input; a message says where"},
      StatusMeaning{
          status_undecided,
          "undecided: out of time or memory, or interrupted; what is known is printed"},
      StatusMeaning{status_internal_error, "internal error: a bug in isomer"},
  };
  return table;
}

std::string help() {
  std::string out = fmt::format(
      "isomer {}: tells what weak database isolation lets happen\n\n"
      "Usage: isomer COMMAND [OPTIONS]\n\n",
      version);
  std::vector<std::string_view> shown;
  for (const Command& command : commands()) {
    if (std::find(shown.begin(), shown.end(), command.purpose) != shown.end()) continue;
    shown.push_back(command.purpose);
    out += section_of(command.purpose);
  }
  return out +
         "isomer COMMAND --help explains one command and ends with examples.\n"
         "isomer --version prints the version.\n";
}

std::string help(const Command& command) {
  static constexpr std::string_view usage = "Usage: ";
  const std::string synopsis =
      wrap(fmt::format("isomer {} {}", command.name, command.synopsis), usage.size());
  std::string out =
      fmt::format("{}.\n\n{}{}\n{}", command.summary, usage, synopsis.substr(usage.size()),
                  wrap(command.description, 0));
  if (!command.options.empty()) out += "\nOptions\n";
  for (const Option& option : command.options)
    out += option_help(option);
  out += "\nOptions of every command\n";
  for (const Option& option : common_options())
    out += option_help(option);
  out += "\nExit status\n";
  for (const StatusMeaning& row : exit_statuses()) {
    const std::string text = wrap(row.meaning, 6);
    out += fmt::format("  {:<4}{}", row.status, text.substr(6));
  }
  out += "\nExamples\n";
  for (const Example& example : command.examples)
    out += fmt::format("  {}\n      {}\n", example.command, example.shows);
  return out;
}

}  // namespace isomer::cli
