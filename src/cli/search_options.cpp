// SPDX-License-Identifier: MIT
#include "cli/search_options.h"

#include <charconv>

#include <fmt/format.h>

#include "check/certify/certify.h"
#include "report/check/wording.h"

namespace isomer::cli {
namespace {

constexpr std::uint32_t scope_max = 20;  // of each number

// The checkers decide histories of this size at once; this is only to be safe.
constexpr double opinion_seconds = 10;

check::Result checked(const history::History& history,
                      const std::vector<NamedLevel>& levels) {
  check::Options options{.levels = {}, .budget = Budget(opinion_seconds)};
  for (const NamedLevel& level : levels)
    options.levels.emplace_back(level.name, level.level);
  return check::check(history, options);
}

}  // namespace

std::optional<synth::Scope> scope_in(const Arguments& arguments, OptionReader& reader) {
  if (!arguments.has("--scope")) return std::nullopt;
  const std::string text = arguments.value("--scope");
  synth::Scope scope;
  const char* at = text.data();
  const char* const end = at + text.size();
  bool is_valid = true;
  for (std::uint32_t* const number : {&scope.transactions, &scope.keys, &scope.values}) {
    const auto [stop, error] = std::from_chars(at, end, *number);
    const bool is_last = number == &scope.values;
    is_valid = is_valid && error == std::errc() && *number >= 1 && *number <= scope_max &&
               (is_last ? stop == end : stop != end && *stop == ',');
    if (!is_valid) break;
    at = stop + 1;
  }
  if (!is_valid)
    reader.fail(
        fmt::format("--scope: expected T,K,V, the numbers of transactions, keys and "
                    "values, each from 1 to {}, found '{}'",
                    scope_max, report::printable(text)));
  return scope;
}

tl::expected<check::Result, std::string> second_opinion(
    const synth::Found& found, const std::vector<NamedLevel>& allow,
    const std::vector<NamedLevel>& forbid) {
  if (!found.so.empty()) return check::Result{};  // sessions do not say its session order
  for (const check::LevelResult& level : checked(found.history, allow).levels)
    if (std::holds_alternative<check::Violated>(level.verdict))
      return tl::unexpected(fmt::format(
          "the search says that {} allows a history, its checker that it does not",
          level.level.name));
  check::Result evidence = checked(found.history, forbid);
  for (const check::LevelResult& level : evidence.levels) {
    if (std::holds_alternative<check::Consistent>(level.verdict))
      return tl::unexpected(fmt::format(
          "the search says that {} forbids a history, its checker that it does not",
          level.level.name));
    if (const auto* violated = std::get_if<check::Violated>(&level.verdict))
      if (const auto why = check::refute(found.history, level.level, *violated))
        return tl::unexpected(
            fmt::format("the evidence against {} is wrong: {}", level.level.name, *why));
  }
  return evidence;
}

}  // namespace isomer::cli
