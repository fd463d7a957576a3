// SPDX-License-Identifier: MIT
// The arguments of one command, parsed by its table of options, and typed access to them
// that checks ranges.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "cli/command.h"

namespace isomer::cli {

struct UsageError {
  std::string message;   // lower case, no full stop
  Diagnostics causes{};  // of a file that an option names; then there is no message
};

class Arguments {
 public:
  // What is not in the table, or lacks its value, is an error.
  static tl::expected<Arguments, UsageError> parse(const Command& command,
                                                   const std::vector<std::string>& words);

  // The name of the command.
  [[nodiscard]] const std::string& command() const { return command_; }

  // How long the whole command may go on.
  [[nodiscard]] const Budget& budget() const { return budget_; }

  void set_budget(const Budget& budget) { budget_ = budget; }

  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& values(std::string_view name) const;

  // The last value given, or `otherwise`.
  [[nodiscard]] std::string value(std::string_view name, std::string otherwise = {}) const;

 private:
  std::string command_;
  Budget budget_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// Reads options one after another and remembers the first that is wrong.
class OptionReader {
 public:
  explicit OptionReader(const Arguments& arguments) : arguments_(arguments) {}

  std::uint64_t integer(std::string_view name, std::uint64_t otherwise,
                        std::uint64_t minimum, std::uint64_t maximum);

  // A fraction from 0 to 1.
  double fraction(std::string_view name, double otherwise);

  // Seconds above 0; absent if not given.
  std::optional<double> seconds(std::string_view name);

  // The index of the value in `choices`; `otherwise` if not given.
  std::size_t choice(std::string_view name, const std::vector<std::string>& choices,
                     std::size_t otherwise);

  void fail(std::string message);
  void fail(Diagnostics causes);

  [[nodiscard]] const std::optional<UsageError>& error() const { return error_; }

  [[nodiscard]] const std::string& command() const { return arguments_.command(); }

 private:
  const Arguments& arguments_;
  std::optional<UsageError> error_;
};

// "unknown level 'SJ'; did you mean SI?  The levels are RC, RA, ..."
std::string unknown_word(std::string_view what, std::string_view word,
                         const std::vector<std::string>& known);

// Prints the error and how to get help; gives status 2.
int usage_failure(std::string_view command, const UsageError& error);

}  // namespace isomer::cli
