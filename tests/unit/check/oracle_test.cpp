// SPDX-License-Identifier: MIT
// The oracle on textbook anomalies, and the one shortcut it takes.
#include "support/check/oracle.h"

#include <gtest/gtest.h>

#include "make_log.h"
#include "support/check/sample.h"

namespace isomer::check {
namespace {

// The names of the levels that allow the log, in order.
std::string allowed(const Log& log) {
  std::string names;
  const Oracle oracle(log);
  for (const Level level : all_levels)
    if (oracle.witness(level)) names += std::string(info(level).name) + " ";
  return names;
}

TEST(Oracle, draws_the_line_between_levels_as_the_literature_does) {
  EXPECT_EQ(allowed(log_of({{txn({w(x, 1)}), txn({r(x, 1)})}})), "RC RA CC PC PSI SI SER ");
  // Write skew.
  EXPECT_EQ(allowed(log_of({{txn({r(y, 0), w(x, 1)})}, {txn({r(x, 0), w(y, 1)})}})),
            "RC RA CC PC PSI SI ");
  // Lost update.
  EXPECT_EQ(allowed(log_of({{txn({r(x, 0), w(x, 1)})}, {txn({r(x, 0), w(x, 2)})}})),
            "RC RA CC PC ");
  // Long fork.
  EXPECT_EQ(allowed(log_of({{txn({w(x, 1)})},
                            {txn({w(y, 1)})},
                            {txn({r(x, 1), r(y, 0)})},
                            {txn({r(x, 0), r(y, 1)})}})),
            "RC RA CC PSI ");
  // Monotonic reads.
  EXPECT_EQ(
      allowed(log_of({{txn({w(x, 1)}), txn({w(x, 2)})}, {txn({r(x, 2)}), txn({r(x, 1)})}})),
      "RC RA ");
  // Fractured read, in the two orders of its reads.
  EXPECT_EQ(allowed(log_of({{txn({w(x, 1), w(y, 1)})}, {txn({r(y, 0), r(x, 1)})}})), "RC ");
  EXPECT_EQ(allowed(log_of({{txn({w(x, 1), w(y, 1)})}, {txn({r(x, 1), r(y, 0)})}})), "");
}

TEST(Oracle, takes_unknown_outcomes_as_it_must) {
  const LoggedTxn maybe = unknown({r(x, 0), w(x, 1), w(y, 1)});
  EXPECT_EQ(allowed(log_of({{maybe}, {txn({r(x, 0), w(x, 2)})}})),
            "RC RA CC PC PSI SI SER ");
  EXPECT_EQ(allowed(log_of({{maybe}, {txn({r(x, 1), r(y, 0)})}})), "");
  EXPECT_EQ(allowed(log_of({{aborted({w(x, 1)})}, {txn({r(x, 1)})}})), "");
  EXPECT_EQ(allowed(log_of({{aborted({w(x, 1)})}, {txn({w(x, 1)})}, {txn({r(x, 1)})}})),
            "RC RA CC PC PSI SI SER ");
}

TEST(Oracle, needs_no_vis_but_the_least_for_psi) {
  int allowed_count = 0;
  int count = 0;
  for (std::uint64_t seed = 1; count < sample_size(1500); ++seed)
    for (const Profile profile :
         {Profile::Arbitrary, Profile::Simulated, Profile::Outcomes}) {
      const Log log = random_log(profile, seed);
      const Oracle oracle(log);
      if (oracle.resolutions().empty() || oracle.resolutions().size() > 4) continue;
      if (oracle.resolutions().front().effective.size() > 5) continue;
      ++count;
      const bool is_allowed = oracle.allows_psi_with_any_vis();
      allowed_count += is_allowed ? 1 : 0;
      ASSERT_EQ(oracle.witness(Level::PSI).has_value(), is_allowed) << text(log);
    }
  EXPECT_GT(allowed_count, count / 10);
  EXPECT_LT(allowed_count, count * 9 / 10);
}

}  // namespace
}  // namespace isomer::check
