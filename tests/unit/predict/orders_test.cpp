// SPDX-License-Identifier: MIT
#include "predict/orders.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "logic/finder.h"
#include "predict/judge.h"
#include "predict/lazy_level.h"
#include "support/effort.h"
#include "support/predict/brute_force.h"

namespace isomer::predict {
namespace {

TEST(TxnOrder, is_closed_and_acyclic) {
  Random random(1);
  for (int i = 0; i < effort(300, 30); ++i) {
    const std::size_t size = 2 + random.below(80);
    TxnOrder order(size);
    std::vector<std::vector<bool>> table(size, std::vector<bool>(size, false));
    for (std::size_t n = 0; n < 2 * size; ++n) {
      const auto a = static_cast<TxnNumber>(random.below(size));
      const auto b = static_cast<TxnNumber>(random.below(size));
      EXPECT_EQ(order.add(a, b), a != b && !table[b][a]);
      if (a == b || table[b][a]) continue;
      for (std::size_t x = 0; x < size; ++x)
        for (std::size_t y = 0; y < size; ++y)
          if ((x == a || table[x][a]) && (y == b || table[b][y])) table[x][y] = true;
    }
    for (TxnNumber a = 0; a < size; ++a)
      for (TxnNumber b = 0; b < size; ++b)
        ASSERT_EQ(order.is_before(a, b), table[a][b]);
  }
}

TEST(TxnOrder, closure_is_that_of_the_edges) {
  Random random(2);
  int cycles = 0;
  for (int i = 0; i < effort(300, 30); ++i) {
    const std::size_t size = 2 + random.below(80);
    TxnOrder expected(size);
    bool is_acyclic = true;
    std::vector<std::vector<TxnNumber>> edges(size);
    for (std::size_t n = 0; n < size / 2; ++n) {
      const auto a = static_cast<TxnNumber>(random.below(size));
      const auto b = static_cast<TxnNumber>(random.below(size));
      edges[b].push_back(a);
      is_acyclic = is_acyclic && expected.add(a, b);
    }
    const std::optional<TxnOrder> closed = TxnOrder::closure(edges);
    ASSERT_EQ(closed.has_value(), is_acyclic);
    cycles += is_acyclic ? 0 : 1;
    if (!closed) continue;
    const TxnOrder reversed = closed->reversed();
    for (TxnNumber a = 0; a < size; ++a)
      for (TxnNumber b = 0; b < size; ++b) {
        ASSERT_EQ(closed->is_before(a, b), expected.is_before(a, b));
        ASSERT_EQ(reversed.is_before(b, a), expected.is_before(a, b));
      }
  }
  EXPECT_GT(cycles, 0);
}

TEST(TxnOrder, total_is_the_order_given) {
  const std::vector<TxnNumber> given = {2, 0, 3, 1};
  const TxnOrder order = TxnOrder::total(given, 4);
  for (std::size_t i = 0; i < given.size(); ++i)
    for (std::size_t j = 0; j < given.size(); ++j)
      EXPECT_EQ(order.is_before(given[i], given[j]), i < j);
}

// A guess as the engine has it.
CandidateRun candidate_of(const Trace& trace, const Observed& observed,
                          const Guess& guess) {
  const auto number = [&](int txn) { return trace.id(txn).index; };
  CandidateRun out;
  out.is_in.assign(observed.txns.size(), true);
  out.writes.resize(observed.txns.size());
  out.writes[0].assign(observed.keys.size(), true);
  out.writer.resize(observed.reads.size());
  const History history = history_of(trace);
  for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t) {
    const ObservedTxn& txn = observed.txns[number(t)];
    out.is_in[number(t)] = at(guess.length, t) >= 0;
    for (const ObservedWrite& write : txn.writes)
      out.writes[number(t)].push_back(
          writes(trace, guess, t,
                 static_cast<int>(*history.key_number(observed.keys[write.key]))));
    for (std::uint32_t r = txn.first_read; r < txn.read_end; ++r) {
      const int op = static_cast<int>(observed.reads[r].op - history.first_op(txn.id));
      if (op < at(guess.length, t)) out.writer[r] = number(at(at(guess.writer, t), op));
    }
  }
  return out;
}

// The least order that explains the candidate, by trying to add each pair until none is
// missing; absent if it has a cycle.
TEST(Pco, is_the_least_order) {
  Random random(2);
  int cycles = 0;
  int orders = 0;
  for (int i = 0; i < effort(400, 30); ++i) {
    const Trace trace = random_trace(random);
    const History history = history_of(trace);
    const Observed observed = observe(history);
    const auto all = guesses(trace, false, Boundary::AppendixB, 2000);
    if (!all) continue;
    for (const Guess& guess : *all) {
      const auto order = pco(observed, candidate_of(trace, observed, guess));
      ASSERT_EQ(!order.has_value(), has_pco_cycle(trace, guess)) << text(trace);
      ++(order ? orders : cycles);
    }
  }
  EXPECT_GT(cycles, effort(100, 20));
  EXPECT_GT(orders, effort(100, 20));
}

// The solver, asked for what the order explains besides the lesson, finds nothing; and what
// it finds with the lesson is not explained by the order.
TEST(Lesson, is_kept_by_those_that_the_order_does_not_explain) {
  Random random(3);
  int broken = 0;
  int kept = 0;
  for (int i = 0; i < effort(200, 20); ++i) {
    const Trace trace = random_trace(random);
    const History history = history_of(trace);
    const Observed observed = observe(history);
    logic::Circuit circuit;
    const Feasible feasible =
        encode_feasible(circuit, observed, false, Boundary::AppendixB, readable(observed));
    // The order in which the transactions ran, the initial one first.
    std::vector<TxnNumber> ran{0};
    for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t)
      ran.push_back(trace.id(t).index);
    const TxnOrder order = TxnOrder::total(ran, ran.size());
    const Bit holds = circuit.any(lesson(circuit, observed, feasible, order));
    const auto all = guesses(trace, false, Boundary::AppendixB, 500);
    if (!all) continue;
    logic::Finder finder(circuit);
    for (const Bit fact : feasible.facts)
      finder.require(fact);
    for (const Guess& guess : *all) {
      const CandidateRun candidate = candidate_of(trace, observed, guess);
      std::vector<Bit> assumed;
      for (TxnNumber txn = 1; txn < observed.txns.size(); ++txn)
        assumed.push_back(candidate.is_in[txn] ? feasible.is_in[txn]
                                               : ~feasible.is_in[txn]);
      for (std::size_t r = 0; r < observed.reads.size(); ++r)
        for (const Choice& choice : feasible.reads_from[r])
          assumed.push_back(candidate.writer[r] == choice.writer ? choice.bit
                                                                 : ~choice.bit);
      ASSERT_EQ(finder.solve({}, assumed), logic::SatAnswer::Satisfiable) << text(trace);
      // In the order in which they ran, does each read what the last one wrote?
      std::vector<int> last(static_cast<std::size_t>(trace.key_count), initial);
      bool fits = true;
      for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t) {
        for (int op = 0; op < at(guess.length, t); ++op)
          if (trace.is_external_read(t, op))
            fits = fits && at(at(guess.writer, t), op) ==
                               at(last, at(at(trace.txns, t).ops, op).key);
        for (int key = 0; key < trace.key_count; ++key)
          if (writes(trace, guess, t, key)) at(last, key) = t;
      }
      ASSERT_EQ(finder.value(holds), !fits) << text(trace);
      ++(fits ? broken : kept);
    }
  }
  EXPECT_GT(broken, effort(100, 20));
  EXPECT_GT(kept, effort(100, 20));
}

// What the bits of a lesson are about, as a candidate has it.
std::map<Bit, bool> values(const Observed& observed, const Feasible& feasible,
                           const CandidateRun& candidate) {
  std::map<Bit, bool> out{{logic::false_bit, false}};
  const auto set = [&](Bit bit, bool value) {
    out[bit.is_negated() ? ~bit : bit] = value != bit.is_negated();
  };
  for (TxnNumber txn = 1; txn < observed.txns.size(); ++txn) {
    set(feasible.is_in[txn], candidate.is_in[txn]);
    for (std::size_t i = 0; i < candidate.writes[txn].size(); ++i)
      set(feasible.writes[txn][i], candidate.writes[txn][i]);
  }
  for (std::size_t r = 0; r < observed.reads.size(); ++r)
    for (const Choice& choice : feasible.reads_from[r])
      set(choice.bit, candidate.writer[r] == choice.writer);
  return out;
}

bool holds_any(const std::vector<Bit>& bits, const std::map<Bit, bool>& values) {
  return std::ranges::any_of(bits, [&](Bit bit) {
    return values.at(bit.is_negated() ? ~bit : bit) != bit.is_negated();
  });
}

// A lesson that says too much would lose predictions without a trace: a write that matters
// may be behind the boundary elsewhere.
TEST(Lesson, of_a_violation_is_kept_by_all_that_the_level_allows) {
  static constexpr std::array levels = {check::Level::SI, check::Level::CC,
                                        check::Level::PSI, check::Level::RA,
                                        check::Level::PC};
  Random random(4);
  int lessons = 0;
  for (int i = 0; i < effort(400, 30); ++i) {
    const Trace trace = random_trace(random);
    const auto all = guesses(trace, true, Boundary::Closed, 150);
    if (!all) continue;
    const History history = history_of(trace);
    const Observed observed = observe(history);
    logic::Circuit circuit;
    const Feasible feasible =
        encode_feasible(circuit, observed, true, Boundary::Closed, readable(observed));
    const Options options{.level = at(levels, i % 5), .budget = {}};
    const Judge judge(observed, options);
    std::vector<std::map<Bit, bool>> allowed;
    std::vector<std::vector<Bit>> learned;
    for (const Guess& guess : *all) {
      const CandidateRun candidate = candidate_of(trace, observed, guess);
      const Judgement judgement = judge.judge(candidate, Judge::Asks::Fully, {});
      const auto* forbidden = std::get_if<Forbidden>(&judgement);
      allowed.push_back(values(observed, feasible, candidate));
      if (forbidden == nullptr) continue;
      learned.push_back(violation_lesson(observed, feasible, candidate,
                                         forbidden->violation, forbidden->numbers));
      ASSERT_FALSE(holds_any(learned.back(), allowed.back())) << text(trace);
      allowed.pop_back();
    }
    for (const std::vector<Bit>& lesson : learned)
      for (const auto& candidate : allowed)
        ASSERT_TRUE(holds_any(lesson, candidate)) << text(trace);
    lessons += static_cast<int>(learned.size());
  }
  EXPECT_GT(lessons, effort(100, 5));
}

}  // namespace
}  // namespace isomer::predict
