// SPDX-License-Identifier: MIT
#include "cli/search_options.h"

#include <charconv>

#include <fmt/format.h>

#include "report/check/wording.h"

namespace isomer::cli {
namespace {

constexpr std::uint32_t scope_max = 20;  // of each number

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

}  // namespace isomer::cli
