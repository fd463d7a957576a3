// SPDX-License-Identifier: MIT
// isomer COMMAND ...: find the command in the table, parse its options, run it.  This is
// the only place that catches what nobody expected.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/shared_options.h"
#include "cli/watchdog.h"
#include "server/real_server.h"
#include "version.h"

namespace isomer::cli {
namespace {

int unknown_command(const std::string& word) {
  const std::optional<std::string> meant = nearest(word, command_names());
  fmt::print(stderr, "isomer: error: unknown command '{}'{}\nSee 'isomer --help'.\n", word,
             meant ? fmt::format("; did you mean {}?", *meant) : "");
  return status_bad_input;
}

bool wants_help(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

// A thread could not be started: there is no memory for its stack.
bool is_shortage(const std::system_error& error) {
  return error.code() == std::errc::resource_unavailable_try_again ||
         error.code() == std::errc::not_enough_memory;
}

int run_watched(const Command& command, Arguments& arguments, const Limits& limits,
                Inspection& inspection) {
  const Stopwatch stopwatch;
  Watchdog::LastWords words{.command = std::string(command.name),
                            .is_json = arguments.has("--json")};
  if (arguments.has("--stats"))
    words.stats = [&] { return stats_text(inspection, stopwatch); };
  Watchdog watchdog(limits, inspection, words);
  arguments.set_budget(watchdog.budget());
  try {
    const int status = command.run(arguments);
    if (words.stats) fmt::print(stderr, "{}", words.stats());
    return status;
  } catch (const std::bad_alloc&) {
    watchdog.end_for_memory();
  } catch (const std::system_error& error) {
    if (!is_shortage(error)) throw;
    watchdog.end_for_memory();
  }
}

int run_command(const Command& command, const std::vector<std::string>& words) {
  if (wants_help(words)) {
    fmt::print("{}", help(command));
    return status_nothing_found;
  }
  tl::expected<Arguments, UsageError> arguments = Arguments::parse(command, words);
  if (!arguments) return usage_failure(command.name, arguments.error());
  OptionReader reader(*arguments);
  const Limits limits = limits_in(reader);
  Inspection inspection(wishes_in(*arguments, reader));
  if (reader.error()) return usage_failure(command.name, *reader.error());
  return run_watched(command, *arguments, limits, inspection);
}

int run(const std::vector<std::string>& words) {
  if (words.empty()) {
    fmt::print(stderr, "{}", help());
    return status_bad_input;
  }
  const std::string& first = words.front();
  if (first == "--version") {
    fmt::print("isomer {}\n", version);
    return status_nothing_found;
  }
  const bool asks = first == "help" || first == "--help" || first == "-h";
  if (asks && words.size() == 1) {
    fmt::print("{}", help());
    return status_nothing_found;
  }
  const Command* const command = command_named(asks ? words[1] : first);
  if (command == nullptr) return unknown_command(asks ? words[1] : first);
  if (asks) return run_command(*command, {"--help"});
  return run_command(*command, {words.begin() + 1, words.end()});
}

int internal_error(const std::vector<std::string>& words, const char* what) {
  fmt::print(stderr,
             "isomer: internal error: {}\nThe command was: isomer {}\n"
             "This is a bug in isomer. Please report it together with the input.\n",
             what, fmt::join(words, " "));
  return status_internal_error;
}

// Before anything could be done.
int no_memory() {
  fmt::print(stderr, "isomer: undecided: there is no more memory\n");
  return status_undecided;
}

// The only system calls that report by exception are those of printing and of threads.
int unwritable_output(const std::string& why) {
  fmt::print(stderr, "isomer: error: cannot write to standard output: {}\n", why);
  return status_bad_input;
}

}  // namespace
}  // namespace isomer::cli

int main(int argc, char** argv) {
  using namespace isomer::cli;
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  // From here on nobody sees passwords in the list of processes.
  for (int i = 1; i < argc; ++i)
    isomer::server::hide_password({argv[i], std::strlen(argv[i])});
  try {
    const int status = run(words);
    return std::fflush(stdout) == 0 ? status : unwritable_output(std::strerror(errno));
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::system_error& error) {
    return is_shortage(error) ? no_memory() : unwritable_output(error.code().message());
  } catch (const std::exception& error) {
    return internal_error({argv + 1, argv + argc}, error.what());
  } catch (...) {
    return internal_error({argv + 1, argv + argc}, "an exception of unknown type");
  }
}
