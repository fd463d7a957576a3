// SPDX-License-Identifier: MIT
// What can be told of generated histories without a checker.  That each mode keeps its
// level, and each injection breaks its own, is the business of the checker's tests.
#include "history/generate.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace isomer::history {
namespace {

constexpr std::array consistent_modes = {Mode::Serial, Mode::Snapshot, Mode::Causal,
                                         Mode::ReadCommitted};

std::vector<TxnId> transactions(const History& h) {
  std::vector<TxnId> ids;
  for (std::uint32_t t = 1; t < h.txn_count(); ++t)
    ids.push_back({t});
  return ids;
}

std::size_t reads_in(const History& h) {
  return static_cast<std::size_t>(
      std::ranges::count(h.operations(), OpKind::Read, &Operation::kind));
}

std::map<std::int64_t, std::size_t> accesses_by_key(const History& h) {
  std::map<std::int64_t, std::size_t> counts;
  for (const Operation& op : h.operations())
    ++counts[h.key_number(op.key).value()];
  return counts;
}

bool are_same(const History& a, const History& b) {
  const auto same_operation = [&](const Operation& left, const Operation& right) {
    return left.kind == right.kind && left.value() == right.value() &&
           a.key_name(left.key) == b.key_name(right.key);
  };
  return a.txn_count() == b.txn_count() &&
         std::ranges::equal(a.operations(), b.operations(), same_operation) &&
         std::ranges::equal(transactions(a), transactions(b), [&](TxnId left, TxnId right) {
           return a.status(left) == b.status(right) &&
                  a.session_name(a.session(left)) == b.session_name(b.session(right));
         });
}

// Two transactions that overwrite the version they both read.
bool has_lost_update(const History& h) {
  std::set<std::pair<KeyId, TxnId>> updated;
  for (const TxnId t : transactions(h)) {
    std::set<std::pair<KeyId, TxnId>> own;
    for (const Read& read : h.reads(t))
      if (h.is_writer(t, read.key)) own.emplace(read.key, read.writer);
    for (const auto& version : own)
      if (!updated.insert(version).second) return true;
  }
  return false;
}

bool has_non_repeatable_read(const History& h) {
  for (const TxnId t : transactions(h)) {
    std::map<KeyId, TxnId> seen;
    for (const Read& read : h.reads(t))
      if (seen.emplace(read.key, read.writer).first->second != read.writer) return true;
  }
  return false;
}

GenerateOptions contended(Mode mode) {
  GenerateOptions options;
  options.mode = mode;
  options.sessions = 8;
  options.transactions = 400;
  options.operations = 6;
  options.keys = 20;
  options.seed = 7;
  return options;
}

TEST(generate, same_options_give_the_same_history) {
  for (const Mode mode : consistent_modes) {
    GenerateOptions options = contended(mode);
    options.aborts = 0.1;
    options.unknowns = 0.1;
    const History first = generate(options);
    EXPECT_TRUE(are_same(first, generate(options)));
    options.seed = 8;
    EXPECT_FALSE(are_same(first, generate(options)));
  }
}

TEST(generate, has_the_size_asked_for) {
  for (const Mode mode : consistent_modes) {
    GenerateOptions options = contended(mode);
    options.transactions = 403;
    const History h = generate(options);
    EXPECT_EQ(h.txn_count(), 404U);
    EXPECT_EQ(h.operations().size(), 403U * 6U);
    ASSERT_EQ(h.session_count(), 8U);
    for (std::uint32_t s = 0; s < 8; ++s) {
      const std::uint32_t share = h.end_txn({s}).index - h.first_txn({s}).index;
      EXPECT_EQ(share, h.session_name({s}) < "s3" ? 51U : 50U);
    }
    for (const TxnId t : transactions(h))
      EXPECT_EQ(h.operations(t).size(), 6U);
  }
}

TEST(generate, more_sessions_than_transactions_leave_none_empty) {
  for (const Mode mode : consistent_modes) {
    GenerateOptions options = contended(mode);
    options.sessions = 100;
    options.transactions = 3;
    const History h = generate(options);
    EXPECT_EQ(h.txn_count(), 4U);
    EXPECT_EQ(h.session_count(), 3U);
  }
}

TEST(generate, takes_zero_as_one) {
  for (const Mode mode : consistent_modes) {
    GenerateOptions options;
    options.mode = mode;
    options.sessions = options.keys = options.operations = 0;
    options.transactions = 5;
    const History h = generate(options);
    EXPECT_EQ(h.txn_count(), 6U);
    EXPECT_EQ(h.operations().size(), 5U);
    options.transactions = 0;
    EXPECT_EQ(generate(options).txn_count(), 1U);
  }
}

TEST(generate, has_the_fraction_of_reads_asked_for) {
  for (const Mode mode : consistent_modes)
    for (const double fraction : {0.0, 0.25, 0.9, 1.0}) {
      GenerateOptions options = contended(mode);
      options.keys = 1000;
      options.transactions = 2000;
      options.reads = fraction;
      const History h = generate(options);
      const auto all = static_cast<double>(h.operations().size());
      EXPECT_NEAR(static_cast<double>(reads_in(h)) / all, fraction, 0.02);
    }
}

TEST(generate, zipf_follows_its_law) {
  GenerateOptions options = contended(Mode::Serial);
  options.keys = 100;
  options.transactions = 20000;
  options.skew = Skew::Zipf;
  const auto counts = accesses_by_key(generate(options));
  // The hundredth harmonic number is 5.187.
  for (const std::int64_t key : {0, 1, 4, 9, 49})
    EXPECT_NEAR(static_cast<double>(counts.at(key)),
                120000 / 5.187 / static_cast<double>(key + 1), 500);
}

TEST(generate, hotspot_is_a_fifth_of_the_keys) {
  GenerateOptions options = contended(Mode::Serial);
  options.keys = 100;
  options.transactions = 5000;
  options.skew = Skew::Hotspot;
  std::size_t hot = 0;
  for (const auto& [key, count] : accesses_by_key(generate(options)))
    if (key < 20) hot += count;
  EXPECT_NEAR(static_cast<double>(hot) / 30000, 0.8, 0.02);
}

TEST(generate, every_read_has_one_writer_unless_values_repeat) {
  for (const Mode mode : consistent_modes) {
    GenerateOptions options = contended(mode);
    const History unique = generate(options);
    EXPECT_TRUE(unique.problems().empty());
    EXPECT_TRUE(unique.ambiguous_reads().empty());

    options.values = 5;
    const History repeated = generate(options);
    EXPECT_TRUE(repeated.problems().empty());
    EXPECT_FALSE(repeated.ambiguous_reads().empty());
    for (const Operation& op : repeated.operations())
      EXPECT_LE(op.value_bits, 5);
  }
}

TEST(generate, nobody_reads_from_aborted_transactions) {
  for (const Mode mode : consistent_modes) {
    GenerateOptions options = contended(mode);
    options.transactions = 4000;
    options.aborts = 0.2;
    options.unknowns = 0.1;
    const History h = generate(options);
    EXPECT_TRUE(h.problems().empty());
    std::map<Status, double> statuses;
    for (const TxnId t : transactions(h))
      ++statuses[h.status(t)];
    EXPECT_NEAR(statuses[Status::Aborted], 800, 80);
    EXPECT_NEAR(statuses[Status::Unknown], 400, 60);
    // Some of the unknown ones took effect: at least one of them was read from.
    EXPECT_TRUE(std::ranges::any_of(h.all_reads(), [&](const Read& read) {
      return h.status(read.writer) == Status::Unknown;
    }));
  }
}

TEST(generate, only_databases_without_conflict_detection_lose_updates) {
  const auto loses_updates = [](Mode mode) {
    GenerateOptions options = contended(mode);
    options.keys = 4;
    return has_lost_update(generate(options));
  };
  EXPECT_FALSE(loses_updates(Mode::Serial));
  EXPECT_FALSE(loses_updates(Mode::Snapshot));
  EXPECT_TRUE(loses_updates(Mode::Causal));
  EXPECT_TRUE(loses_updates(Mode::ReadCommitted));
}

TEST(generate, only_read_committed_reads_two_versions) {
  EXPECT_FALSE(has_non_repeatable_read(generate(contended(Mode::Serial))));
  EXPECT_FALSE(has_non_repeatable_read(generate(contended(Mode::Snapshot))));
  EXPECT_FALSE(has_non_repeatable_read(generate(contended(Mode::Causal))));
  EXPECT_TRUE(has_non_repeatable_read(generate(contended(Mode::ReadCommitted))));
}

TEST(generate, injections_have_names) {
  std::set<std::string_view> names;
  for (const Injection injection : injections()) {
    names.insert(name(injection));
    EXPECT_EQ(injection_named(name(injection)), injection);
  }
  EXPECT_EQ(names.size(), injections().size());
  EXPECT_EQ(name(Injection::LostUpdate), "lost-update");
  EXPECT_EQ(injection_named("no such thing"), std::nullopt);
}

TEST(generate, broken_histories_have_the_size_asked_for) {
  for (const Injection injection : injections()) {
    GenerateOptions options = contended(Mode::Broken);
    options.injection = injection;
    const History h = generate(options);
    EXPECT_EQ(h.txn_count(), 401U);
    EXPECT_GT(h.key_count(), 20U);
    for (const TxnId t : transactions(h))
      EXPECT_EQ(h.operations(t).size(), 6U);
  }
}

TEST(generate, single_read_injections_are_the_only_problem) {
  const std::vector<std::pair<Injection, ProblemKind>> expected = {
      {Injection::ThinAirRead, ProblemKind::ThinAir},
      {Injection::AbortedRead, ProblemKind::AbortedRead},
      {Injection::IntermediateRead, ProblemKind::IntermediateRead},
      {Injection::FutureRead, ProblemKind::FutureRead},
      {Injection::NotOwnLastWrite, ProblemKind::NotOwnLastWrite},
      {Injection::OwnWriteIgnored, ProblemKind::OwnWriteIgnored},
  };
  for (const auto& [injection, kind] : expected) {
    GenerateOptions options = contended(Mode::Broken);
    options.injection = injection;
    const History h = generate(options);
    ASSERT_EQ(h.problems().size(), 1U) << name(injection);
    EXPECT_EQ(h.problems()[0].kind, kind) << name(injection);
  }
}

TEST(generate, draws_the_injection_from_the_seed) {
  GenerateOptions options = contended(Mode::Broken);
  std::set<std::size_t> sizes;
  for (options.seed = 1; options.seed <= 40; ++options.seed)
    sizes.insert(generate(options).problems().size());
  EXPECT_EQ(sizes, (std::set<std::size_t>{0, 1}));
}

}  // namespace
}  // namespace isomer::history
