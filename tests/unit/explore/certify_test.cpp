// SPDX-License-Identifier: MIT
#include "explore/explore.h"

#include <gtest/gtest.h>

#include "history/builder.h"

namespace isomer::explore {
namespace {

using check::Level;
using history::HistoryBuilder;

// Two transactions that each read what the other one overwrites.
Failure write_skew() {
  HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  const auto x = builder.key("x");
  const auto y = builder.key("y");
  const auto a = builder.begin(builder.session("a"));
  builder.read(a, x, history::Value::integer(0));
  builder.write(a, y, history::Value::integer(1));
  const auto b = builder.begin(builder.session("b"));
  builder.read(b, y, history::Value::integer(0));
  builder.write(b, x, history::Value::integer(1));
  Failure failure;
  failure.kind = FailureKind::Unserializable;
  failure.history = builder.build();
  return failure;
}

// The reader sees the second write of a session and not the first, and aborts.
Failure failed_assert() {
  HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  const auto x = builder.key("x");
  const auto y = builder.key("y");
  const auto session = builder.session("writer");
  builder.write(builder.begin(session), x, history::Value::integer(1));
  builder.write(builder.begin(session), y, history::Value::integer(1));
  const auto reader = builder.begin(builder.session("reader"));
  builder.read(reader, y, history::Value::integer(1));
  builder.read(reader, x, history::Value::integer(0));
  builder.write(reader, x, history::Value::integer(2));
  builder.set_status(reader, history::Status::Aborted);
  Failure failure;
  failure.kind = FailureKind::Assert;
  failure.history = builder.build();
  return failure;
}

std::string complaint(Failure failure, const check::AskedLevel& level) {
  const auto certified = certify(std::move(failure), level, {});
  return certified ? "" : certified.error();
}

std::vector<std::string> weakest(const Failure& failure) {
  std::vector<check::AskedLevel> forbidding;
  const auto certified = certify(failure, std::nullopt, {}).value();
  for (const check::LevelResult& result : certified->levels.levels)
    if (std::holds_alternative<check::Violated>(result.verdict))
      forbidding.push_back(result.level);
  std::vector<std::string> out;
  for (const check::AskedLevel& level : forbidding)
    if (std::ranges::none_of(forbidding, [&](const check::AskedLevel& weaker) {
          return weaker.name != level.name && is_stronger_or_equal(level, weaker);
        }))
      out.push_back(level.name);
  return out;
}

TEST(CertifiedFailure, agrees_with_what_is_true) {
  EXPECT_EQ(complaint(write_skew(), Level::SI), "");
  EXPECT_EQ(complaint(failed_assert(), Level::RA), "");
}

TEST(CertifiedFailure, contradicts_a_level_that_forbids_the_history) {
  EXPECT_EQ(complaint(write_skew(), Level::SER),
            "the search says that SER allows a history, its checker that it does not");
}

TEST(CertifiedFailure, counts_the_reads_of_aborted_transactions) {
  EXPECT_EQ(complaint(failed_assert(), Level::CC),
            "the search says that CC allows a history, its checker that it does not");
}

TEST(CertifiedFailure, contradicts_a_wrong_claim_about_serializability) {
  Failure failure = write_skew();
  failure.is_serializable = true;
  EXPECT_EQ(complaint(failure, Level::SI),
            "the search says that SER allows a history, its checker that it does not");
  failure = failed_assert();
  failure.is_serializable = true;
  EXPECT_NE(complaint(failure, Level::RC), "");
}

// Of an invariant, only what committed counts.
TEST(CertifiedFailure,
     takes_aborted_reads_as_serializable_unless_an_assert_speaks_of_them) {
  Failure failure = failed_assert();
  failure.kind = FailureKind::Invariant;
  failure.is_serializable = true;
  EXPECT_EQ(complaint(failure, Level::RC), "");
}

TEST(CertifiedFailure, keeps_names_and_ids_in_its_copy) {
  const Failure failure = failed_assert();
  const history::History copy = certify(failure, Level::RC, {}).value()->judged;
  ASSERT_EQ(copy.txn_count(), failure.history.txn_count());
  for (std::uint32_t t = 0; t < copy.txn_count(); ++t)
    EXPECT_EQ(copy.txn_name({t}), failure.history.txn_name({t}));
  for (std::uint32_t x = 0; x < copy.key_count(); ++x)
    EXPECT_EQ(copy.key_name({x}), failure.history.key_name({x}));
  EXPECT_EQ(copy.status({3}), history::Status::Committed);
  EXPECT_TRUE(copy.writes({3}).empty());
}

TEST(CertifiedFailure, names_the_weakest_levels_that_forbid_it) {
  EXPECT_EQ(weakest(write_skew()), std::vector<std::string>{"SER"});
  EXPECT_EQ(weakest(failed_assert()), std::vector<std::string>{"CC"});
}

}  // namespace
}  // namespace isomer::explore
