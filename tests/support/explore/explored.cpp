// SPDX-License-Identifier: MIT
#include "support/explore/explored.h"

#include <algorithm>

#include <fmt/format.h>

namespace isomer::explore {
namespace {

constexpr std::size_t lines_max = 8;

std::string listed(std::string_view what, const std::vector<std::string>& histories) {
  std::string out;
  for (std::size_t i = 0; i < histories.size() && i < lines_max; ++i)
    out += fmt::format("  {}  {}\n", what, histories[i]);
  if (histories.size() > lines_max)
    out += fmt::format("  and {} more\n", histories.size() - lines_max);
  return out;
}

std::uint64_t failing(const Space& space, AnyLevel level) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(space.histories, [&](const Outcome& history) {
        return allows(level, space, history) && fails_assertion(space, history, level);
      }));
}

}  // namespace

ExploredHistories explored(const Program& program, Options options) {
  ExploredHistories out;
  options.minimise = false;
  options.on_history = [&](const history::History& history) {
    out.histories.push_back(canonical(history));
  };
  out.result = explore(program, options);
  std::ranges::sort(out.histories);
  return out;
}

Options options_for(AnyLevel level) {
  Options out;
  out.level.reset();
  if (level) out.level = *level;
  return out;
}

std::string counts(const Result& result) {
  return fmt::format(
      "{} histories, {} ends, {} explored, {} blocked, {} pruned, {} failing",
      result.histories, result.end_states, result.explored, result.blocked, result.pruned,
      result.assertion_failures);
}

std::string difference(const std::vector<std::string>& found,
                       const std::set<std::string>& expected) {
  std::vector<std::string> missing;
  std::vector<std::string> unexpected;
  std::vector<std::string> repeated;
  std::ranges::set_difference(expected, std::set(found.begin(), found.end()),
                              std::back_inserter(missing));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!expected.contains(found[i])) unexpected.push_back(found[i]);
    if (i > 0 && found[i] == found[i - 1]) repeated.push_back(found[i]);
  }
  return listed("missing", missing) + listed("unexpected", unexpected) +
         listed("repeated", repeated);
}

std::string difference(std::string_view what, std::uint64_t found, std::uint64_t expected) {
  return found == expected ? "" : fmt::format("  {} {}, not {}\n", what, found, expected);
}

std::string compared(const Space& space, const Options& options, AnyLevel level) {
  const ExploredHistories found = explored(*space.program, options);
  const std::set<std::string> expected = allowed(space, level);
  std::string out = difference(found.histories, expected);
  out += difference("histories", found.result.histories, expected.size());
  out += difference("assertion failures", found.result.assertion_failures,
                    failing(space, level));
  if (!found.result.is_complete)
    out += fmt::format("  not complete: {}\n", found.result.unknown);
  if (found.result.end_states < found.result.histories) out += "  fewer ends\n";
  return out.empty() ? "" : fmt::format("{}:\n{}", name(level), out);
}

}  // namespace isomer::explore
