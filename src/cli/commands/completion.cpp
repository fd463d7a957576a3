// SPDX-License-Identifier: MIT
// isomer completion: scripts that let bash and zsh complete commands, options and their
// values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/shared_options.h"

namespace isomer::cli {
namespace {

std::vector<std::string> shells() {
  return {"bash", "zsh"};
}

constexpr Option completion_options[] = {
    {.name = "shell",
     .argument = "SHELL",
     .help = "The shell to make a script for.",
     .completes = Completes::Choices,
     .choices = shells,
     .is_required = true},
};

constexpr Example completion_examples[] = {
    {"source <(isomer completion bash)", "for this shell"},
    {"isomer completion zsh > ~/.zfunc/_isomer", "for every zsh, if ~/.zfunc is in fpath"},
};

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> out{"--help"};
  for (const Option& option : options_of(command)) {
    if (option.is_positional()) continue;
    out.emplace_back(option.name);
    if (!option.short_name.empty()) out.emplace_back(option.short_name);
  }
  return out;
}

// What may follow the option, as a bash statement.
std::string bash_values(const Option& option) {
  if (option.completes == Completes::Choices)
    return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))",
                       fmt::join(option.choices(), " "));
  return option.completes == Completes::Files ? "compopt -o default; COMPREPLY=()"
                                              : "COMPREPLY=()";
}

std::string bash_command(const Command& command) {
  std::string out = fmt::format("    {})\n      case $previous in\n", command.name);
  std::string otherwise = "compopt -o default; COMPREPLY=()";
  for (const Option& option : options_of(command)) {
    if (option.is_positional()) otherwise = bash_values(option);
    if (option.is_positional() || option.takes == Takes::Nothing) continue;
    out += fmt::format("        {}{}{}) {}; return ;;\n", option.name,
                       option.short_name.empty() ? "" : "|", option.short_name,
                       bash_values(option));
  }
  return out + fmt::format(
                   "      esac\n"
                   "      if [[ $word == -* ]]; then\n"
                   "        COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))\n"
                   "      else\n"
                   "        {}\n"
                   "      fi ;;\n",
                   fmt::join(option_names(command), " "), otherwise);
}

std::string bash_script() {
  std::string out = fmt::format(
      "# bash completion for isomer\n"
      "_isomer() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n",
      fmt::join(command_names(), " "));
  for (const Command& command : commands())
    out += bash_command(command);
  return out + "  esac\n}\ncomplete -F _isomer isomer\n";
}

// Inside the quotes and brackets of an _arguments specification.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh_values(const Option& option) {
  if (option.completes == Completes::Choices)
    return fmt::format(":{}:({})", option.argument, fmt::join(option.choices(), " "));
  return fmt::format(":{}:{}", option.argument,
                     option.completes == Completes::Files ? "_files" : "");
}

std::string zsh_option(const Option& option) {
  if (option.is_positional())
    return fmt::format("        '{}{}'", option.takes == Takes::Many ? "*" : "1",
                       zsh_values(option));
  const std::string_view sentence = option.help.substr(0, option.help.find(". "));
  std::string out;
  for (const std::string_view name : {option.name, option.short_name}) {
    if (name.empty()) continue;
    if (!out.empty()) out += " \\\n";
    out += fmt::format("        '{}{}[{}]{}'", option.takes == Takes::Many ? "*" : "", name,
                       zsh_text(sentence),
                       option.takes == Takes::Nothing ? "" : zsh_values(option));
  }
  return out;
}

std::string zsh_script() {
  std::string out = "#compdef isomer\n_isomer() {\n  local -a commands=(\n";
  for (const Command& command : commands())
    out += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.summary));
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n"
      "  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const Command& command : commands()) {
    out += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const Option& option : options_of(command))
      out += zsh_option(option) + " \\\n";
    out += "        '--help[Explain the command]' ;;\n";
  }
  return out +
         "  esac\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
         "  _isomer \"$@\"\nelse\n  compdef _isomer isomer\nfi\n";
}

int run_completion(const Arguments& arguments) {
  OptionReader reader(arguments);
  const std::size_t shell = reader.choice("shell", shells(), 0);
  if (reader.error()) return usage_failure("completion", *reader.error());
  return write_bytes_or_complain("completion", "-", completion_script(shells()[shell]));
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  ISOMER_ASSERT(shell == "zsh");
  return zsh_script();
}

constinit const Command completion_command = {
    .name = "completion",
    .purpose = "About isomer itself",
    .summary = "Print a completion script for a shell",
    .synopsis = "bash|zsh",
    .description =
        "Prints a script that lets the shell complete commands, options, levels "
        "and formats.",
    .options = completion_options,
    .examples = completion_examples,
    .run = run_completion,
};

}  // namespace isomer::cli
