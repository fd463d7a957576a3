// SPDX-License-Identifier: MIT
// Evidence for violations: what is true is accepted, what is not is found out.
#include <algorithm>

#include <gtest/gtest.h>

#include "check/certify/certify.h"
#include "make_log.h"
#include "support/check/oracle_reads.h"
#include "support/check/sample.h"

namespace isomer::check {
namespace {

using history::Problem;
using history::ProblemKind;

constexpr KeyId key_x{0};
constexpr KeyId key_y{1};

Edge so(std::uint32_t from, std::uint32_t to) {
  return {{from}, {to}, EdgeKind::So, {}, {}, {}};
}

Edge wr(std::uint32_t from, std::uint32_t to, KeyId key) {
  return {{from}, {to}, EdgeKind::Wr, key, {}, {}};
}

Edge ww(std::uint32_t from, std::uint32_t to, KeyId key, TxnId via,
        std::vector<Edge> because) {
  return {{from}, {to}, EdgeKind::Ww, key, via, std::move(because)};
}

Edge rw(std::uint32_t from, std::uint32_t to, KeyId key, std::uint32_t via,
        std::vector<Edge> because = {}) {
  return {{from}, {to}, EdgeKind::Rw, key, {via}, std::move(because)};
}

Violated violation(std::vector<TxnId> transactions, std::vector<Edge> cycle) {
  Violated v;
  v.transactions = std::move(transactions);
  v.cycle = std::move(cycle);
  return v;
}

std::string refutation(const Log& log, Level level, const Violated& v) {
  return refute(history_of(log), level, v).value_or("accepted");
}

const Log write_skew = log_of({{txn({r(y, 0), w(x, 1)})}, {txn({r(x, 0), w(y, 1)})}});
const std::vector<Edge> skew_cycle{rw(1, 2, key_y, 0), rw(2, 1, key_x, 0)};

TEST(CertifyCycle, knows_which_levels_forbid_two_rw) {
  EXPECT_EQ(refutation(write_skew, Level::SER, violation({{0}, {1}, {2}}, skew_cycle)),
            "accepted");
  EXPECT_EQ(refutation(write_skew, Level::SI, violation({{0}, {1}, {2}}, skew_cycle)),
            "SI does not forbid a cycle of this shape");
  EXPECT_EQ(refutation(write_skew, Level::PSI, violation({{0}, {1}, {2}}, skew_cycle)),
            "PSI does not forbid a cycle of this shape");
}

TEST(CertifyCycle, rejects_edges_that_are_not_there) {
  const auto with = [](Edge first, Edge second) {
    return refutation(write_skew, Level::SER,
                      violation({{1}, {2}}, {std::move(first), std::move(second)}));
  };
  EXPECT_EQ(with(so(1, 2), skew_cycle[1]),
            "edge so from s1/1 to s2/1: not in session order");
  EXPECT_EQ(with(wr(1, 2, key_x), skew_cycle[1]),
            "edge wr from s1/1 to s2/1: no such read");
  EXPECT_EQ(with(rw(1, 2, key_x, 0), skew_cycle[1]),
            "edge rw from s1/1 to s2/1: no such read");
  EXPECT_EQ(with(rw(1, 2, key_y, 2), skew_cycle[1]),
            "edge rw from s1/1 to s2/1: no such read");
  EXPECT_EQ(with(ww(1, 2, key_x, {}, {}), skew_cycle[1]),
            "edge ww from s1/1 to s2/1: not two writers of one key");
  EXPECT_EQ(with(skew_cycle[1], skew_cycle[1]),
            "edge rw from s2/1 to s1/1 does not continue the path at s1/1");
  EXPECT_EQ(with(so(0, 1), skew_cycle[0]), "a path does not end at init");
}

// The two readers disagree about the order of 1 and 2.
const Log disagreement = log_of({{txn({w(x, 1), w(y, 1)})},
                                 {txn({w(x, 2), w(y, 2)})},
                                 {txn({w(z, 1), r(y, 2), r(x, 1)})},
                                 {txn({r(x, 1), r(y, 2)})}});

TEST(CertifyCycle, derives_ww_by_a_reader_that_saw_both) {
  // 3 reads y from 2, then x from 1: so 2 is older.  4 reads the other way round.
  const std::vector<Edge> cycle{ww(2, 1, key_x, {3}, {wr(2, 3, key_y)}),
                                ww(1, 2, key_y, {4}, {wr(1, 4, key_x)})};
  for (const Level level : all_levels)
    EXPECT_EQ(refutation(disagreement, level, violation({{1}, {2}, {3}, {4}}, cycle)),
              level == Level::RC ? "accepted" : "not minimal: s3/1 can be left out");
  // Read committed does not let 4 see 2 before it reads from 1.
  const std::vector<Edge> too_early{ww(2, 1, key_x, {4}, {wr(2, 4, key_y)}), cycle[1]};
  EXPECT_EQ(
      refutation(disagreement, Level::RC, violation({{1}, {2}, {4}}, too_early)),
      "edge rw from s4/1 to s2/1 would be possible with the path that is to exclude it");
  EXPECT_EQ(refutation(disagreement, Level::RA, violation({{1}, {2}, {4}}, too_early)),
            "accepted");
}

TEST(CertifyCycle, lets_only_named_transactions_take_part) {
  const std::vector<Edge> cycle{ww(2, 1, key_x, {4}, {wr(2, 4, key_y)}),
                                ww(1, 2, key_y, {4}, {wr(1, 4, key_x)})};
  EXPECT_EQ(refutation(disagreement, Level::RA, violation({{1}, {2}}, cycle)),
            "s4/1 is in the cycle, but not among the transactions");
}

TEST(CertifyCycle, takes_the_order_of_versions_from_lists) {
  const Log log = list_log_of({{txn({w(x, 1)})},
                               {txn({w(x, 2), w(y, 1)})},
                               {txn({r_list(x, {1, 2})})},
                               {txn({r_list(y, {1}), r_list(x, {1})})}});
  const std::vector<Edge> cycle{wr(2, 4, key_y), rw(4, 2, key_x, 1)};
  EXPECT_EQ(refutation(log, Level::RC, violation({{1}, {2}, {4}}, cycle)), "accepted");
  const std::vector<Edge> backwards{ww(2, 1, key_x, {}, {}), ww(1, 2, key_x, {}, {})};
  EXPECT_EQ(refutation(log, Level::RC, violation({{1}, {2}, {4}}, backwards)),
            "edge ww from s2/1 to s1/1: nothing shows which version is older");
}

TEST(CertifyCore, rejects_a_core_that_some_order_allows) {
  EXPECT_EQ(refutation(write_skew, Level::SER, violation({{1}, {2}}, {})), "accepted");
  EXPECT_EQ(refutation(write_skew, Level::SER, violation({{1}}, {})),
            "some order of the transactions satisfies SER");
  EXPECT_EQ(refutation(write_skew, Level::SI, violation({{1}, {2}}, {})),
            "some order of the transactions satisfies SI");
  EXPECT_EQ(refutation(write_skew, Level::SER, violation({}, {})), "no evidence");
}

TEST(CertifyCore, rejects_a_core_that_is_not_minimal_unless_it_says_so) {
  Log log = write_skew;
  log.sessions.push_back({txn({w(z, 1)})});
  Violated v = violation({{1}, {2}, {3}}, {});
  EXPECT_EQ(refutation(log, Level::SER, v), "not minimal: s3/1 can be left out");
  v.is_minimal = false;
  EXPECT_EQ(refutation(log, Level::SER, v), "accepted");
}

TEST(CertifyCore, needs_the_one_that_comes_between_two_appends) {
  const Log log = list_log_of(
      {{txn({w(x, 3)})}, {txn({w(x, 1), w(x, 2)})}, {txn({r_list(x, {1, 3, 2})})}});
  EXPECT_EQ(refutation(log, Level::RC, violation({{1}, {2}}, {})), "accepted");
  EXPECT_EQ(refutation(log, Level::RC, violation({{2}}, {})),
            "some order of the transactions satisfies RC");
}

TEST(CertifyCore, forgets_reads_that_may_have_read_from_elsewhere) {
  const Log log = log_of({{txn({w(x, 1)})},
                          {txn({w(x, 1)})},
                          {txn({r(x, 1), r(x, 1)})},
                          {txn({w(x, 2)}), txn({r(x, 0)})}});
  EXPECT_EQ(refutation(log, Level::RA, violation({{4}, {5}}, {})), "accepted");
  EXPECT_EQ(refutation(log, Level::RA, violation({{1}, {3}}, {})),
            "some order of the transactions satisfies RA");
}

// --- single reads ---

std::string refutation(const History& history, const Problem& problem) {
  Violated v;
  v.problem = problem;
  return refute(history, Level::RC, v).value_or("accepted");
}

constexpr std::array kinds = {
    ProblemKind::ThinAir,           ProblemKind::AbortedRead,
    ProblemKind::IntermediateRead,  ProblemKind::FutureRead,
    ProblemKind::NotOwnLastWrite,   ProblemKind::OwnWriteIgnored,
    ProblemKind::IncompatibleOrder, ProblemKind::DuplicateElement};

TEST(CertifyProblem, accepts_the_right_kind_only) {
  const std::vector<std::pair<ProblemKind, Log>> cases{
      {ProblemKind::ThinAir, log_of({{txn({r(x, 7)})}})},
      {ProblemKind::AbortedRead, log_of({{txn({r(x, 1)})}, {aborted({w(x, 1)})}})},
      {ProblemKind::IntermediateRead,
       log_of({{txn({r(x, 1)})}, {txn({w(x, 1), w(x, 2)})}})},
      {ProblemKind::FutureRead, log_of({{txn({r(x, 1), w(x, 1)})}})},
      {ProblemKind::NotOwnLastWrite, log_of({{txn({w(x, 1), w(x, 2), r(x, 1)})}})},
      {ProblemKind::OwnWriteIgnored, log_of({{txn({w(x, 1), r(x, 0)})}})},
      {ProblemKind::IncompatibleOrder, list_log_of({{txn({r_list(x, {1})})},
                                                    {txn({r_list(x, {2})})},
                                                    {txn({w(x, 1)})},
                                                    {txn({w(x, 2)})}})},
      {ProblemKind::DuplicateElement,
       list_log_of({{txn({r_list(x, {1, 1})})}, {txn({w(x, 1)})}})},
      {ProblemKind::ThinAir, list_log_of({{txn({r_list(x, {7, 1})})}, {txn({w(x, 1)})}})},
      {ProblemKind::AbortedRead,
       list_log_of({{txn({r_list(x, {1})})}, {aborted({w(x, 1)})}})},
      {ProblemKind::FutureRead, list_log_of({{txn({r_list(x, {1}), w(x, 1)})}})},
      {ProblemKind::IntermediateRead,
       list_log_of({{txn({r_list(x, {1})})}, {txn({w(x, 1), w(x, 2)})}})},
      {ProblemKind::OwnWriteIgnored, list_log_of({{txn({w(x, 1), r_list(x, {})})}})},
  };
  for (const auto& [kind, log] : cases) {
    const History history = history_of(log);
    ASSERT_FALSE(history.problems().empty()) << text(log);
    Problem problem = history.problems().front();
    EXPECT_EQ(problem.kind, kind) << text(log);
    for (const ProblemKind other : kinds) {
      problem.kind = other;
      EXPECT_EQ(refutation(history, problem) == "accepted", other == kind)
          << text(log) << static_cast<int>(other);
    }
  }
}

TEST(CertifyProblem, finds_a_problem_exactly_where_the_oracle_does) {
  int bad = 0;
  for (int seed = 1; seed <= sample_size(2000); ++seed)
    for (const Profile profile : all_profiles) {
      const Log log = random_log(profile, static_cast<std::uint64_t>(seed));
      const History history = history_of(log);
      const bool is_bad = !open_reads(log).has_value();
      bad += is_bad ? 1 : 0;
      ASSERT_EQ(!history.problems().empty(), is_bad) << text(log);
      for (const Problem& problem : history.problems())
        ASSERT_EQ(refutation(history, problem), "accepted") << text(log);
      if (is_bad) continue;
      for (TxnId t{1}; t.index < history.txn_count(); ++t.index)
        for (std::uint32_t i = 0; i < history.operations(t).size(); ++i)
          for (const ProblemKind kind : kinds)
            for (TxnId other{0}; other.index < history.txn_count(); ++other.index)
              ASSERT_NE(refutation(history, {kind, t, history.first_op(t) + i,
                                             history.operations(t)[i].key, other}),
                        "accepted")
                  << text(log);
    }
  EXPECT_GT(bad, sample_size(1000));
}

}  // namespace
}  // namespace isomer::check
