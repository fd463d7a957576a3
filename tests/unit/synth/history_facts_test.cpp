// SPDX-License-Identifier: MIT
// What proofs assume of every history, evaluated on many.
#include "synth/prove.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "history/formats.h"
#include "history/generate.h"
#include "level/eval.h"
#include "level/part_tables.h"

namespace isomer::synth {
namespace {

// The name of a fact that is false, if there is one.  What the history leaves open is
// settled in the first way and in the last way.
std::string false_fact(const history::History& history) {
  const level::Part part = level::whole(history, history_facts());
  for (const bool is_first : {true, false}) {
    level::Choices choices;
    for (const level::OpenRead& read : part.open_reads)
      choices.writers.push_back(is_first ? read.candidates.front()
                                         : read.candidates.back());
    choices.took_effect.assign(part.open_txns.size(), true);
    if (!level::is_possible(part, choices)) continue;
    const level::Axiom* axiom =
        level::failing_axiom(history_facts(), level::history_tables(part, choices), {});
    if (axiom != nullptr) return axiom->name;
  }
  return "";
}

history::GenerateOptions small(history::Mode mode, std::uint64_t seed) {
  history::GenerateOptions options;
  options.mode = mode;
  options.sessions = 3;
  options.transactions = 9;
  options.operations = 4;
  options.keys = 3;
  options.aborts = 0.2;
  options.unknowns = 0.2;
  options.seed = seed;
  return options;
}

TEST(HistoryFactsTest, hold_of_generated_histories) {
  using history::Mode;
  for (const Mode mode :
       {Mode::Serial, Mode::Snapshot, Mode::Causal, Mode::ReadCommitted, Mode::Broken})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      history::GenerateOptions options = small(mode, seed);
      EXPECT_EQ(false_fact(history::generate(options)), "") << "seed " << seed;
      options.values = 3;  // many reads are ambiguous
      EXPECT_EQ(false_fact(history::generate(options)), "") << "seed " << seed;
    }
}

TEST(HistoryFactsTest, hold_of_every_injected_violation) {
  for (const history::Injection injection : history::injections()) {
    history::GenerateOptions options = small(history::Mode::Broken, 1);
    options.injection = injection;
    EXPECT_EQ(false_fact(history::generate(options)), "") << history::name(injection);
  }
}

TEST(HistoryFactsTest, hold_of_the_corpus) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           ISOMER_SOURCE_DIR "/tests/corpus/anomaly")) {
    if (entry.path().extension() != ".hist") continue;
    const auto history = history::read_history(entry.path().string(), {});
    ASSERT_TRUE(history.has_value()) << entry.path();
    EXPECT_EQ(false_fact(history->history), "") << entry.path();
    ++count;
  }
  EXPECT_GT(count, 20U);
}

}  // namespace
}  // namespace isomer::synth
