// SPDX-License-Identifier: MIT
#include "cli/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/shared_options.h"
#include "report/check/wording.h"

namespace isomer::cli {
namespace {

using Values = std::map<std::string, std::vector<std::string>, std::less<>>;

// An option without a value leaves one empty string for each time it was given.
void declare(CLI::App& app, const Option& option, Values& values) {
  std::vector<std::string>& target = values[std::string(option.name)];
  std::string names(option.name);
  if (!option.short_name.empty()) names = std::string(option.short_name) + "," + names;
  if (option.takes == Takes::Nothing) {
    app.add_flag_function(names, [&target](std::int64_t count) {
      target.assign(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)), "");
    });
    return;
  }
  CLI::Option* declared = app.add_option(names, target);
  if (option.is_positional() && option.takes == Takes::Many) return;
  declared->expected(option.takes == Takes::OneOrNone ? 0 : 1, 1)->allow_extra_args(false);
  declared->multi_option_policy(option.takes == Takes::Many
                                    ? CLI::MultiOptionPolicy::TakeAll
                                    : CLI::MultiOptionPolicy::TakeLast);
}

UsageError unexpected_word(const Command& command, const std::string& word) {
  if (!word.starts_with('-'))
    return {fmt::format("unexpected argument '{}'", report::printable(word))};
  std::vector<std::string> known{"--help"};
  for (const Option& option : options_of(command))
    if (!option.is_positional()) known.emplace_back(option.name);
  const std::string name = word.substr(0, word.find('='));
  const std::optional<std::string> meant = nearest(name, known);
  return {fmt::format("unknown option '{}'{}", report::printable(name),
                      meant ? fmt::format("; did you mean {}?", *meant) : "")};
}

std::optional<UsageError> missing_argument(const Command& command, const Values& values) {
  for (const Option& option : options_of(command))
    if (option.is_required && values.at(std::string(option.name)).empty())
      return UsageError{option.is_positional() ? fmt::format("no {} given", option.argument)
                                               : fmt::format("{} {} is required",
                                                             option.name, option.argument)};
  return std::nullopt;
}

template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

tl::expected<Arguments, UsageError> Arguments::parse(
    const Command& command, const std::vector<std::string>& words) {
  Arguments out;
  out.command_ = command.name;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  for (const Option& option : options_of(command))
    declare(app, option, out.values_);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return tl::unexpected(UsageError{error.what()});
  }
  if (const std::vector<std::string> extra = app.remaining(); !extra.empty())
    return tl::unexpected(unexpected_word(command, extra.front()));
  if (const std::optional<UsageError> missing = missing_argument(command, out.values_))
    return tl::unexpected(*missing);
  return out;
}

bool Arguments::has(std::string_view name) const {
  return !values(name).empty();
}

const std::vector<std::string>& Arguments::values(std::string_view name) const {
  static const std::vector<std::string> none;
  const auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

std::string Arguments::value(std::string_view name, std::string otherwise) const {
  if (has(name)) return values(name).back();
  return otherwise;
}

std::uint64_t OptionReader::integer(std::string_view name, std::uint64_t otherwise,
                                    std::uint64_t minimum, std::uint64_t maximum) {
  if (!arguments_.has(name)) return otherwise;
  const std::string text = arguments_.value(name);
  const std::optional<std::uint64_t> number = number_in<std::uint64_t>(text);
  if (number && *number >= minimum && *number <= maximum) return *number;
  fail(fmt::format("{}: expected a whole number from {} to {}, found '{}'", name, minimum,
                   maximum, report::printable(text)));
  return otherwise;
}

double OptionReader::fraction(std::string_view name, double otherwise) {
  if (!arguments_.has(name)) return otherwise;
  const std::string text = arguments_.value(name);
  const std::optional<double> number = number_in<double>(text);
  if (number && *number >= 0 && *number <= 1) return *number;
  fail(fmt::format("{}: expected a fraction from 0 to 1, found '{}'", name,
                   report::printable(text)));
  return otherwise;
}

std::optional<double> OptionReader::seconds(std::string_view name) {
  if (!arguments_.has(name)) return std::nullopt;
  constexpr double seconds_max = 1e9;
  const std::string text = arguments_.value(name);
  const std::optional<double> number = number_in<double>(text);
  if (number && *number > 0 && *number <= seconds_max) return number;
  fail(fmt::format("{}: expected a number of seconds above 0, found '{}'", name,
                   report::printable(text)));
  return std::nullopt;
}

std::size_t OptionReader::choice(std::string_view name,
                                 const std::vector<std::string>& choices,
                                 std::size_t otherwise) {
  if (!arguments_.has(name)) return otherwise;
  const std::string text = arguments_.value(name);
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  fail(unknown_word(fmt::format("value of {}", name), text, choices));
  return otherwise;
}

void OptionReader::fail(std::string message) {
  if (!error_) error_ = UsageError{std::move(message)};
}

void OptionReader::fail(Diagnostics causes) {
  if (!error_) error_ = UsageError{{}, std::move(causes)};
}

std::string unknown_word(std::string_view what, std::string_view word,
                         const std::vector<std::string>& known) {
  const std::optional<std::string> meant = nearest(word, known);
  const std::string all = fmt::format("choose from {}", fmt::join(known, ", "));
  return fmt::format("unknown {} '{}'; {}", what, report::printable(word),
                     meant ? fmt::format("did you mean {}? ({})", *meant, all) : all);
}

int usage_failure(std::string_view command, const UsageError& error) {
  if (!error.causes.empty()) {
    fmt::print(stderr, "{}", render(error.causes));
    return status_bad_input;
  }
  fmt::print(stderr, "isomer {}: error: {}\nSee 'isomer {} --help'.\n", command,
             error.message, command);
  return status_bad_input;
}

}  // namespace isomer::cli
