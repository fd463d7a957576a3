// SPDX-License-Identifier: MIT
// What build() makes of operations in any interleaving, against a plain restatement.
#include "history/builder.h"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>

#include "base/random.h"

namespace isomer::history {
namespace {

struct Appended {
  OpKind kind;
  KeyId key;
  std::int64_t value;
};

using Program = std::vector<std::vector<Appended>>;  // by token

// Transactions of 1 to 40 operations on few keys, two thirds of them writes of new values;
// every read is of the transaction's own last write of the key, or else of the initial 0.
Program random_program(Random& random, std::uint32_t key_count) {
  Program program(6);
  std::int64_t value = 0;
  for (auto& txn : program) {
    std::map<std::uint32_t, std::int64_t> own;
    const std::uint64_t count = 1 + random.below(40);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto key = static_cast<std::uint32_t>(random.below(key_count));
      const bool is_write = random.chance(0.67);
      if (is_write) own[key] = ++value;
      txn.push_back({is_write ? OpKind::Write : OpKind::Read,
                     {key},
                     own.contains(key) ? own[key] : 0});
    }
  }
  return program;
}

// All tokens in two sessions by turns, operations in random order between transactions.
History built(const Program& program, std::uint32_t key_count, Random& random) {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  for (std::uint32_t key = 0; key < key_count; ++key)
    EXPECT_EQ(builder.key(std::int64_t{key}).index, key);
  for (std::size_t token = 0; token < program.size(); ++token)
    builder.begin(builder.session(static_cast<std::int64_t>(token % 2)));
  std::vector<std::size_t> next(program.size(), 0);
  for (std::size_t open = program.size(); open > 0;) {
    const auto token = static_cast<HistoryBuilder::Token>(random.below(program.size()));
    if (next[token] == program[token].size()) continue;
    const Appended& op = program[token][next[token]++];
    const Value value = Value::integer(op.value);
    if (op.kind == OpKind::Read)
      builder.read(token, op.key, value);
    else
      builder.write(token, op.key, value);
    if (next[token] == program[token].size()) --open;
  }
  return builder.build();
}

void expect_built(const History& h, const Program& program) {
  const std::size_t half = program.size() / 2;  // tokens 0, 2, 4, then 1, 3, 5
  for (std::size_t token = 0; token < program.size(); ++token) {
    const TxnId t{static_cast<std::uint32_t>(1 + token / 2 + (token % 2) * half)};
    const auto operations = h.operations(t);
    ASSERT_EQ(operations.size(), program[token].size());
    std::map<KeyId, std::int64_t> last;
    std::vector<std::uint32_t> external;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      const Appended& op = program[token][i];
      EXPECT_EQ(operations[i].kind, op.kind);
      EXPECT_EQ(operations[i].key, op.key);
      EXPECT_EQ(operations[i].value_bits, op.value);
      if (op.kind == OpKind::Write)
        last[op.key] = op.value;
      else if (!last.contains(op.key))
        external.push_back(h.first_op(t) + i);
    }
    std::vector<std::uint32_t> reads;
    for (const Read& read : h.reads(t)) {
      reads.push_back(read.op);
      EXPECT_EQ(read.writer, init);
    }
    EXPECT_EQ(reads, external);
    std::vector<KeyId> keys;
    for (const auto& [key, value] : last) {
      keys.push_back(key);
      EXPECT_EQ(h.written_value(t, key), Value::integer(value));
      EXPECT_TRUE(std::ranges::binary_search(h.writers(key), t));
    }
    EXPECT_TRUE(std::ranges::equal(h.writes(t), keys));
  }
  EXPECT_TRUE(h.problems().empty());
}

TEST(HistoryBuilder, orders_interleaved_operations_and_finds_reads_and_last_writes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const std::uint32_t key_count = seed % 2 == 0 ? 5 : 200;
    const Program program = random_program(random, key_count);
    expect_built(built(program, key_count, random), program);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(HistoryBuilder, tells_how_an_own_write_was_not_read) {
  for (const int padding : {0, 50}) {  // a short and a long transaction
    HistoryBuilder builder;
    const KeyId x = builder.key("x");
    const auto other = builder.begin(builder.session("a"));
    builder.write(other, x, Value::integer(9));
    const auto txn = builder.begin(builder.session("b"));
    for (int i = 0; i < padding; ++i)
      builder.write(txn, builder.key(std::int64_t{i}), Value::integer(1));
    builder.write(txn, x, Value::integer(1));
    builder.write(txn, x, Value::integer(2));
    for (const std::int64_t value : {1, 2, 3, 9})
      builder.read(txn, x, Value::integer(value));
    builder.write(txn, x, Value::integer(3));
    const History h = builder.build();
    std::vector<ProblemKind> kinds;
    for (const Problem& problem : h.problems())
      kinds.push_back(problem.kind);
    EXPECT_THAT(kinds,
                testing::ElementsAre(ProblemKind::NotOwnLastWrite, ProblemKind::FutureRead,
                                     ProblemKind::OwnWriteIgnored));
  }
}

TEST(HistoryBuilder, is_empty_after_it_has_built) {
  HistoryBuilder builder;
  builder.write(builder.begin(builder.session("a")), builder.key("x"), Value::integer(1));
  EXPECT_EQ(builder.build().txn_count(), 2U);
  EXPECT_EQ(builder.txn_count(), 0U);
  EXPECT_EQ(builder.key_count(), 0U);
  EXPECT_EQ(builder.build().txn_count(), 1U);
}

// Enough operations for arrays of several megabytes, which get their pages beforehand.
TEST(HistoryBuilder, a_large_history_is_like_a_small_one) {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  constexpr std::uint32_t txn_count = 200'000;
  for (std::uint32_t i = 0; i < txn_count; ++i) {
    const auto txn = builder.begin(builder.session(std::int64_t{i % 7}));
    builder.read(txn, builder.key(std::int64_t{i % 1000}),
                 Value::integer(i < 1000 ? 0 : i - 1000 + 1));
    builder.write(txn, builder.key(std::int64_t{i % 1000}), Value::integer(i + 1));
  }
  const History h = builder.build();
  EXPECT_TRUE(h.problems().empty());
  EXPECT_EQ(h.all_reads().size(), txn_count);
  for (const Read& read : h.all_reads()) {
    const Value value = h.operations()[read.op].value();
    ASSERT_EQ(h.written_value(read.writer, read.key), value);
  }
}

}  // namespace
}  // namespace isomer::history
