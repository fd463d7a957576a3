// SPDX-License-Identifier: MIT
#include "explored.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "litmus_corpus.h"
#include "program/litmus.h"
#include "random_space.h"
#include "support/command.h"

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

// The complaint about a program given as text; empty if there is none, or if the text is
// not a small program.
std::string complaint_of(const std::string& text, const Complaint& complaint) {
  constexpr std::size_t histories_max = 5000;
  const auto program = program::parse_litmus("shrunk.txn", text);
  if (!program) return {};
  const auto space = brute_force(*program, {.count_max = histories_max});
  return space ? complaint(*space) : std::string();
}

std::uint64_t failing(const Space& space, AnyLevel level) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(space.histories, [&](const Outcome& history) {
        return allows(level, space, history) && fails_assertion(space, history, level);
      }));
}

void expect_no_complaint_of_corpus(const Complaint& complaint) {
  const Program counterexample = litmus("swapped-counterexample");
  EXPECT_EQ(complaint(*brute_force(counterexample)), "");
  for (const auto& file :
       std::filesystem::directory_iterator(ISOMER_SOURCE_DIR "/tests/corpus/explore")) {
    if (file.path().extension() != ".txn") continue;
    const std::string text = test::contents(file.path());
    EXPECT_TRUE(program::parse_litmus(file.path().string(), text)) << file.path();
    EXPECT_EQ(complaint_of(text, complaint), "") << file.path();
  }
}

}  // namespace

Explored explored(const Program& program, Options options) {
  Explored out;
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
  const Explored found = explored(*space.program, options);
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

void expect_no_complaint(std::uint64_t count, const Complaint& complaint,
                         std::size_t histories_max) {
  expect_no_complaint_of_corpus(complaint);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const RandomSpace random = random_space(seed, histories_max);
    if (complaint(random.space).empty()) continue;
    const Draft small = shrunk(random.draft, [&](const std::string& text) {
      return !complaint_of(text, complaint).empty();
    });
    FAIL() << "seed " << seed << ", cut down:\n"
           << text(small) << complaint_of(text(small), complaint);
  }
}

}  // namespace isomer::explore
