// SPDX-License-Identifier: MIT
// Witnesses: refute() accepts an order if and only if the oracle does.
#include "check/certify/certify.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "base/random.h"
#include "make_log.h"
#include "support/check/oracle.h"
#include "support/check/sample.h"

namespace isomer::check {
namespace {

Consistent witness_of(const History& history, const Resolution& resolution,
                      const std::vector<std::uint32_t>& order) {
  Consistent witness;
  for (const std::uint32_t t : order)
    witness.commit_order.push_back({t});
  for (const ReadId read : history.ambiguous_reads())
    witness.choices.push_back({read, {resolution.reads[read.index].writer}});
  return witness;
}

// The History leaves out candidates that no order allows; such a choice is none for it.
bool is_offered(const History& history, const Resolution& resolution) {
  for (std::uint32_t i = 0; i < resolution.reads.size(); ++i) {
    const TxnId known = history.all_reads()[i].writer;
    if (!known.is_none() && known.index != resolution.reads[i].writer) return false;
  }
  return true;
}

// A random order that mostly keeps sessions and reads, so that the axioms matter.
std::vector<std::uint32_t> random_order(const Log& log, const Resolution& resolution,
                                        Random& random) {
  std::vector<std::uint32_t> session_of{0};
  for (std::uint32_t s = 0; s < log.sessions.size(); ++s)
    session_of.insert(session_of.end(), log.sessions[s].size(), s);
  std::vector<std::uint32_t> left(resolution.effective.begin() + 1,
                                  resolution.effective.end());
  std::vector<std::uint32_t> order{0};
  while (!left.empty()) {
    const auto may_be_next = [&](std::uint32_t t) {
      return std::none_of(left.begin(), left.end(), [&](std::uint32_t u) {
        return (session_of[u] == session_of[t] && u < t) ||
               std::any_of(resolution.reads.begin(), resolution.reads.end(),
                           [&](const auto& r) { return r.reader == t && r.writer == u; });
      });
    };
    std::vector<std::uint32_t> next;
    std::copy_if(left.begin(), left.end(), std::back_inserter(next), may_be_next);
    if (next.empty() || random.chance(0.02)) next = left;
    order.push_back(next[random.below(next.size())]);
    std::erase(left, order.back());
  }
  return order;
}

class CertifyAgainstOracle : public testing::TestWithParam<Profile> {};

TEST_P(CertifyAgainstOracle, accepts_the_orders_that_satisfy_the_level_and_no_others) {
  std::array<int, level_count> accepted{};
  std::array<int, level_count> refuted{};
  Random random(7);
  Sampler sampler(GetParam(), 1);
  for (int left = sample_size(2000); left > 0; --left) {
    const auto [seed, log, is_allowed] = sampler.next();
    const Oracle oracle(log);
    if (oracle.resolutions().empty()) continue;
    const History history = history_of(log);
    ASSERT_TRUE(history.problems().empty()) << text(log);
    const Resolution& resolution =
        oracle.resolutions()[random.below(oracle.resolutions().size())];
    if (!is_offered(history, resolution)) continue;
    const auto order = random_order(log, resolution, random);
    for (const Level level : all_levels) {
      const auto refutation =
          refute(history, level, witness_of(history, resolution, order));
      const bool is_satisfied = oracle.satisfies(resolution, order, level);
      ASSERT_EQ(!refutation.has_value(), is_satisfied)
          << info(level).name << ", seed " << seed << ": "
          << refutation.value_or("accepted") << "\n"
          << text(log) << testing::PrintToString(order);
      ++(refutation ? refuted : accepted)[static_cast<std::size_t>(level)];
    }
  }
  for (const Level level : all_levels) {
    EXPECT_GT(accepted[static_cast<std::size_t>(level)], sample_size(100));
    EXPECT_GT(refuted[static_cast<std::size_t>(level)], sample_size(100));
  }
}

INSTANTIATE_TEST_SUITE_P(Profiles, CertifyAgainstOracle, testing::ValuesIn(all_profiles),
                         [](const auto& param) { return name(param.param); });

std::string refutation(const Log& log, const Consistent& witness) {
  return refute(history_of(log), Level::RC, witness).value_or("accepted");
}

TEST(Certify, rejects_an_order_of_the_wrong_transactions) {
  const Log log = log_of({{txn({w(x, 1)}), aborted({w(x, 2)})}, {unknown({w(x, 3)})}});
  EXPECT_EQ(refutation(log, {{{0}, {1}}, {}}), "accepted");
  EXPECT_EQ(refutation(log, {{}, {}}),
            "the order does not begin with the initial transaction");
  EXPECT_EQ(refutation(log, {{{1}, {0}}, {}}),
            "the order does not begin with the initial transaction");
  EXPECT_EQ(refutation(log, {{{0}}, {}}), "s1/1 is not in the order");
  EXPECT_EQ(refutation(log, {{{0}, {1}, {1}}, {}}), "s1/1 is twice in the order");
  EXPECT_EQ(refutation(log, {{{0}, {1}, {2}}, {}}),
            "s1/2 took no effect, but is in the order");
  EXPECT_EQ(refutation(log, {{{0}, {1}, {3}}, {}}),
            "s2/1 took no effect, but is in the order");
  EXPECT_EQ(refutation(log, {{{0}, {1}, {9}}, {}}),
            "the order names a transaction that is not there");
}

TEST(Certify, rejects_wrong_choices) {
  const Log log =
      log_of({{txn({w(x, 1)})}, {txn({w(x, 1)})}, {txn({w(x, 2)})}, {txn({r(x, 1)})}});
  const std::vector<TxnId> order{{0}, {1}, {2}, {3}, {4}};
  EXPECT_EQ(refutation(log, {order, {{ReadId{0}, {1}}}}), "accepted");
  EXPECT_EQ(refutation(log, {order, {}}), "a read without a writer");
  EXPECT_EQ(refutation(log, {order, {{ReadId{0}, {1}}, {ReadId{0}, {2}}}}),
            "two choices for one read");
  EXPECT_EQ(refutation(log, {order, {{ReadId{0}, {3}}}}),
            "a choice of a transaction that did not write the value");
  EXPECT_EQ(refutation(log, {order, {{ReadId{1}, {1}}}}), "a choice for no open read");
}

TEST(Certify, rejects_an_order_against_reads_sessions_or_lists) {
  const Log log = log_of({{txn({w(x, 1)})}, {txn({r(x, 1)}), txn({w(y, 1)})}});
  EXPECT_EQ(refutation(log, {{{0}, {2}, {1}, {3}}, {}}),
            "s1/1 comes before s2/1 by wr, but not in the order");
  EXPECT_EQ(refutation(log, {{{0}, {1}, {3}, {2}}, {}}),
            "s2/1 comes before s2/2 by so, but not in the order");
  const Log lists = list_log_of(
      {{txn({w(x, 1)})}, {txn({w(x, 2)})}, {txn({w(x, 3)}), txn({r_list(x, {1, 2})})}});
  EXPECT_EQ(refutation(lists, {{{0}, {2}, {1}, {3}, {4}}, {}}),
            "s1/1 comes before s2/1 by the order of versions, but not in the order");
  EXPECT_EQ(refutation(lists, {{{0}, {1}, {3}, {2}, {4}}, {}}),
            "s2/1 comes before s3/1 by the order of versions, but not in the order");
  EXPECT_EQ(refutation(lists, {{{0}, {1}, {2}, {3}, {4}}, {}}), "accepted");
}

TEST(Certify, rejects_any_witness_of_a_history_with_a_bad_read) {
  EXPECT_EQ(refutation(log_of({{txn({r(x, 7)})}}), {{{0}, {1}}, {}}),
            "the history has a read that no built-in level allows");
}

TEST(Certify, says_which_instance_of_the_axiom_fails) {
  const Log lost = log_of({{txn({r(x, 0), w(x, 1)})}, {txn({r(x, 0), w(x, 2)})}});
  const Consistent witness{{{0}, {1}, {2}}, {}};
  EXPECT_EQ(refute(history_of(lost), Level::PC, witness), std::nullopt);
  EXPECT_EQ(
      refute(history_of(lost), Level::SI, witness),
      "SI: s2/1 read x from init, although it saw s1/1, which wrote x too and commits "
      "later");
}

}  // namespace
}  // namespace isomer::check
