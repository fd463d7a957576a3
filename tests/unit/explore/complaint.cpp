// SPDX-License-Identifier: MIT
#include "complaint.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "litmus_corpus.h"
#include "program/litmus/litmus.h"
#include "support/command.h"
#include "support/explore/random_space.h"
#include "support/shrunk.h"

namespace isomer::explore {
namespace {

// The complaint about a program given as text; empty if there is none, or if the text is
// not a small program.
std::string complaint_of(const std::string& text, const Complaint& complaint) {
  constexpr std::size_t histories_max = 5000;
  const auto program = program::parse_litmus("shrunk.txn", text);
  if (!program) return {};
  const auto space = brute_force(*program, {.count_max = histories_max});
  return space ? complaint(*space) : std::string();
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

void expect_no_complaint(std::uint64_t count, const Complaint& complaint,
                         std::size_t histories_max) {
  expect_no_complaint_of_corpus(complaint);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const RandomSpace random = random_space(seed, histories_max);
    if (complaint(random.space).empty()) continue;
    const Draft small = test::shrunk(random.draft, [&](const Draft& draft) {
      return !complaint_of(text(draft), complaint).empty();
    });
    FAIL() << "seed " << seed << ", cut down:\n"
           << text(small) << complaint_of(text(small), complaint);
  }
}

}  // namespace isomer::explore
