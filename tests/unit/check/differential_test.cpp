// SPDX-License-Identifier: MIT
// Every checker against the oracle, on random logs; and every answer against certify.
#include <array>
#include <utility>

#include <gtest/gtest.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "support/check/faults.h"
#include "support/shrunk.h"

namespace isomer::check {
namespace {

bool is_faulty(const Log& log) {
  return !faults(log, verdicts(log)).empty();
}

struct Batch {
  Profile profile;
  std::uint64_t first_seed;
  int txns_max;
  int count;
};

std::vector<Batch> batches() {
  std::vector<Batch> all;
  for (const Profile profile : all_profiles) {
    all.push_back({profile, 100'000, small_log, 1500});
    all.push_back({profile, 200'000, small_log, 1500});
    all.push_back({profile, 300'000, medium_log, 500});
  }
  return all;
}

class CheckAgainstOracle : public testing::TestWithParam<Batch> {};

TEST_P(CheckAgainstOracle, agrees_and_proves_its_answers) {
  const Batch& batch = GetParam();
  Sampler sampler(batch.profile, batch.first_seed, batch.txns_max);
  for (int left = sample_size(batch.count); left > 0; --left) {
    const Sample sample = sampler.next();
    if (faults(sample.log, sample.is_allowed).empty()) continue;
    const Log small = test::shrunk(sample.log, is_faulty);
    FAIL() << "seed " << sample.seed << "\n"
           << text(small) << faults(small, verdicts(small));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, CheckAgainstOracle, testing::ValuesIn(batches()),
                         [](const auto& param) {
                           return name(param.param.profile) +
                                  std::to_string(param.param.first_seed);
                         });

// A test that nearly always expects the same answer would show little.
TEST(Sample, has_allowed_and_forbidden_logs_of_every_level) {
  std::array<int, level_count> allowed{};
  int count = 0;
  for (const Batch& batch : batches()) {
    Sampler sampler(batch.profile, batch.first_seed, batch.txns_max);
    for (int left = sample_size(300); left > 0; --left, ++count) {
      const AllowedLevels is_allowed = sampler.next().is_allowed;
      for (std::size_t level = 0; level < level_count; ++level)
        allowed[level] += is_allowed[level] ? 1 : 0;
    }
  }
  for (const Level level : all_levels) {
    EXPECT_GT(allowed[static_cast<std::size_t>(level)], count / 10) << info(level).name;
    EXPECT_LT(allowed[static_cast<std::size_t>(level)], count * 9 / 10) << info(level).name;
  }
}

// Evidence that is no proof any more is found out.
TEST(Check, gives_evidence_of_which_nothing_can_be_left_out) {
  Sampler sampler(Profile::Simulated, 400'000);
  int cores = 0;
  int edges = 0;
  int found_out = 0;
  for (int left = sample_size(1500); left > 0; --left) {
    const Sample sample = sampler.next();
    const History history = history_of(sample.log);
    if (history.has_unknown_outcomes()) continue;
    for (const LevelResult& result : uncertified_answers(history, {}).levels) {
      const auto* violation = std::get_if<Violated>(&result.verdict);
      if (violation == nullptr || violation->problem) continue;
      for (std::size_t i = 0; i < violation->transactions.size(); ++i) {
        if (violation->transactions[i] == init) continue;
        Violated less = *violation;
        less.cycle.clear();
        less.transactions.erase(less.transactions.begin() + static_cast<std::ptrdiff_t>(i));
        ++cores;
        ASSERT_NE(refute(history, result.level, less), std::nullopt)
            << result.level.name << "\n"
            << text(sample.log);
      }
      for (std::size_t i = 0; i < violation->cycle.size(); ++i)
        for (const EdgeKind kind :
             {EdgeKind::So, EdgeKind::Wr, EdgeKind::Ww, EdgeKind::Rw}) {
          Violated other = *violation;
          if (std::exchange(other.cycle[i].kind, kind) == kind) continue;
          ++edges;
          found_out += refute(history, result.level, other) ? 1 : 0;
        }
    }
  }
  EXPECT_GT(cores, sample_size(1500));
  EXPECT_GT(edges, sample_size(1500));
  EXPECT_GT(found_out, edges * 9 / 10);  // the others happen to be edges of both kinds
}

}  // namespace
}  // namespace isomer::check
