// SPDX-License-Identifier: MIT
#include "explore/opinion.h"

#include <gtest/gtest.h>

#include "history/builder.h"

namespace isomer::explore {
namespace {

using check::Level;
using history::HistoryBuilder;
using history::Value;

// Two transactions that each read what the other one overwrites.
Failure write_skew() {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  const auto x = builder.key("x");
  const auto y = builder.key("y");
  const auto a = builder.begin(builder.session("a"));
  builder.read(a, x, Value::integer(0));
  builder.write(a, y, Value::integer(1));
  const auto b = builder.begin(builder.session("b"));
  builder.read(b, y, Value::integer(0));
  builder.write(b, x, Value::integer(1));
  Failure failure;
  failure.kind = FailureKind::Unserializable;
  failure.history = builder.build();
  return failure;
}

// The reader sees the second write of a session and not the first, and aborts.
Failure failed_assert() {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  const auto x = builder.key("x");
  const auto y = builder.key("y");
  const auto session = builder.session("writer");
  builder.write(builder.begin(session), x, Value::integer(1));
  builder.write(builder.begin(session), y, Value::integer(1));
  const auto reader = builder.begin(builder.session("reader"));
  builder.read(reader, y, Value::integer(1));
  builder.read(reader, x, Value::integer(0));
  builder.write(reader, x, Value::integer(2));
  builder.set_status(reader, history::Status::Aborted);
  Failure failure;
  failure.kind = FailureKind::Assert;
  failure.history = builder.build();
  return failure;
}

std::vector<std::string> weakest(const Failure& failure) {
  std::vector<check::AskedLevel> forbidding;
  for (const check::LevelResult& result :
       second_opinion(failure, std::nullopt, {}).levels.levels)
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

TEST(SecondOpinion, agrees_with_what_is_true) {
  EXPECT_EQ(second_opinion(write_skew(), Level::SI, {}).contradiction, "");
  EXPECT_EQ(second_opinion(failed_assert(), Level::RA, {}).contradiction, "");
}

TEST(SecondOpinion, contradicts_a_level_that_forbids_the_history) {
  EXPECT_EQ(second_opinion(write_skew(), Level::SER, {}).contradiction,
            "the search says that SER allows a history, its checker that it does not");
}

TEST(SecondOpinion, counts_the_reads_of_aborted_transactions) {
  EXPECT_EQ(second_opinion(failed_assert(), Level::CC, {}).contradiction,
            "the search says that CC allows a history, its checker that it does not");
}

TEST(SecondOpinion, contradicts_a_wrong_claim_about_serializability) {
  Failure failure = write_skew();
  failure.is_serializable = true;
  EXPECT_EQ(second_opinion(failure, Level::SI, {}).contradiction,
            "the search says that a history is serializable, the checker denies it");
  failure = failed_assert();
  failure.is_serializable = true;
  EXPECT_NE(second_opinion(failure, Level::RC, {}).contradiction, "");
}

// Of an invariant, only what committed counts.
TEST(SecondOpinion, takes_aborted_reads_as_serializable_unless_an_assert_speaks_of_them) {
  Failure failure = failed_assert();
  failure.kind = FailureKind::Invariant;
  failure.is_serializable = true;
  EXPECT_EQ(second_opinion(failure, Level::RC, {}).contradiction, "");
}

TEST(SecondOpinion, keeps_names_and_ids_in_its_copy) {
  const Failure failure = failed_assert();
  const history::History copy = second_opinion(failure, Level::RC, {}).history;
  ASSERT_EQ(copy.txn_count(), failure.history.txn_count());
  for (std::uint32_t t = 0; t < copy.txn_count(); ++t)
    EXPECT_EQ(copy.txn_name({t}), failure.history.txn_name({t}));
  for (std::uint32_t x = 0; x < copy.key_count(); ++x)
    EXPECT_EQ(copy.key_name({x}), failure.history.key_name({x}));
  EXPECT_EQ(copy.status({3}), history::Status::Committed);
  EXPECT_TRUE(copy.writes({3}).empty());
}

TEST(SecondOpinion, names_the_weakest_levels_that_forbid_it) {
  EXPECT_EQ(weakest(write_skew()), std::vector<std::string>{"SER"});
  EXPECT_EQ(weakest(failed_assert()), std::vector<std::string>{"CC"});
}

}  // namespace
}  // namespace isomer::explore
