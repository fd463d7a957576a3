// SPDX-License-Identifier: MIT
#include "logic/circuit.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "logic/finder.h"
#include "logic/relation.h"

namespace isomer::logic {
namespace {

// A random circuit over few variables, and what each of its bits means: a table with one
// entry for each assignment.
struct Sample {
  Circuit circuit;
  std::vector<Bit> variables;
  std::vector<std::pair<Bit, std::uint32_t>> bits;
};

constexpr std::uint32_t variable_count = 4;
constexpr std::uint32_t all_assignments = (1U << (1U << variable_count)) - 1;

Sample random_sample(Random& random) {
  Sample out;
  out.bits.push_back({false_bit, 0});
  for (std::uint32_t v = 0; v < variable_count; ++v) {
    std::uint32_t table = 0;
    for (std::uint32_t a = 0; a < (1U << variable_count); ++a)
      table |= (a >> v & 1U) << a;
    out.variables.push_back(out.circuit.variable());
    out.bits.push_back({out.variables.back(), table});
  }
  for (int gate = 0; gate < 25; ++gate) {
    std::vector<Bit> inputs;
    std::uint32_t table = all_assignments;
    for (std::uint64_t left = random.below(4); left-- > 0;) {
      auto [bit, meaning] = out.bits[random.below(out.bits.size())];
      if (random.chance(0.5)) {
        bit = ~bit;
        meaning = ~meaning & all_assignments;
      }
      inputs.push_back(bit);
      table &= meaning;
    }
    out.bits.push_back({out.circuit.all(inputs), table});
  }
  return out;
}

TEST(Circuit, finder_knows_which_bits_can_hold) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    const Sample sample = random_sample(random);
    Finder finder(sample.circuit);
    std::uint32_t possible = all_assignments;
    for (int fact = 0; fact < 4; ++fact) {
      const auto& [bit, table] = sample.bits[random.below(sample.bits.size())];
      const auto& [other, other_table] = sample.bits[random.below(sample.bits.size())];
      // Each question assumes a bit; then its negation or another bit becomes a fact.
      const Bit assumed[] = {bit};
      const SatAnswer answer = finder.solve({}, assumed);
      ASSERT_EQ(answer, (possible & table) != 0 ? SatAnswer::Satisfiable
                                                : SatAnswer::Unsatisfiable);
      if (answer == SatAnswer::Satisfiable) {
        std::uint32_t assignment = 0;
        for (std::uint32_t v = 0; v < variable_count; ++v)
          assignment |= static_cast<std::uint32_t>(finder.value(sample.variables[v])) << v;
        EXPECT_TRUE((possible & table) >> assignment & 1U);
        for (const auto& [any, meaning] : sample.bits)
          EXPECT_EQ(finder.value(any), (meaning >> assignment & 1U) != 0);
      }
      const Bit either[] = {~bit, other};
      finder.require_any(either);
      possible &= (~table | other_table) & all_assignments;
    }
  }
}

TEST(Circuit, equal_gates_are_one) {
  Circuit circuit;
  const Bit a = circuit.variable();
  const Bit b = circuit.variable();
  EXPECT_EQ(circuit.both(a, b), circuit.both(b, a));
  EXPECT_EQ(circuit.both(a, ~a), false_bit);
  EXPECT_EQ(circuit.either(a, ~a), true_bit);
  EXPECT_EQ(circuit.both(a, true_bit), a);
  const Bit again[] = {b, a, b, true_bit};
  EXPECT_EQ(circuit.all(again), circuit.both(a, b));
  EXPECT_EQ(circuit.all({}), true_bit);
}

TEST(Circuit, remembers_gates_while_its_table_grows) {
  Circuit circuit;
  std::vector<Bit> variables;
  for (int i = 0; i < 100; ++i)
    variables.push_back(circuit.variable());
  std::vector<Bit> gates;
  for (const Bit a : variables)
    for (const Bit b : variables)
      gates.push_back(circuit.both(a, ~b));
  const std::size_t size = circuit.node_count();
  std::size_t i = 0;
  for (const Bit a : variables)
    for (const Bit b : variables)
      EXPECT_EQ(circuit.both(~b, a), gates[i++]);
  EXPECT_EQ(circuit.node_count(), size);
}

TEST(Finder, names_the_assumptions_that_clash) {
  Circuit circuit;
  const Bit a = circuit.variable();
  const Bit b = circuit.variable();
  const Bit c = circuit.variable();
  Finder finder(circuit);
  finder.require(circuit.implies(a, ~b));
  const Bit assumed[] = {a, c, b};
  EXPECT_EQ(finder.solve({}, assumed), SatAnswer::Unsatisfiable);
  EXPECT_TRUE(finder.is_failed(a));
  EXPECT_TRUE(finder.is_failed(b));
  EXPECT_FALSE(finder.is_failed(c));
  const Bit never[] = {false_bit, c};
  EXPECT_EQ(finder.solve({}, never), SatAnswer::Unsatisfiable);
  EXPECT_TRUE(finder.is_failed(false_bit));
  EXPECT_EQ(finder.solve({}), SatAnswer::Satisfiable);
}

// Relations with open cells, each instance compared with plain loops.
TEST(Relation, closure_and_composition_mean_what_they_say) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    Circuit circuit;
    const std::size_t size = 2 + random.below(4);
    Relation open(size, size, false_bit);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        if (random.chance(0.4))
          open(i, j) = random.chance(0.3) ? true_bit : circuit.variable();
    const Relation plus = closure(circuit, open);
    const Relation twice = compose(circuit, open, open);
    const Bit is_acyclic = acyclic(circuit, open);
    Finder finder(circuit);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        if (!open(i, j).is_constant())
          finder.prefer(random.chance(0.5) ? open(i, j) : ~open(i, j));
    ASSERT_EQ(finder.solve({}), SatAnswer::Satisfiable);
    Matrix<int> reached(size, size, 0);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        reached(i, j) = finder.value(open(i, j)) ? 1 : 0;
    Matrix<int> steps = reached;
    for (std::size_t n = 0; n < size; ++n)
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
          for (std::size_t k = 0; k < size; ++k)
            reached(i, j) |= reached(i, k) & steps(k, j);
    bool has_cycle = false;
    for (std::size_t i = 0; i < size; ++i) {
      has_cycle |= reached(i, i) != 0;
      for (std::size_t j = 0; j < size; ++j) {
        EXPECT_EQ(finder.value(plus(i, j)), reached(i, j) != 0);
        int in_two = 0;
        for (std::size_t k = 0; k < size; ++k)
          in_two |= steps(i, k) & steps(k, j);
        EXPECT_EQ(finder.value(twice(i, j)), in_two != 0);
      }
    }
    EXPECT_EQ(finder.value(is_acyclic), !has_cycle);
  }
}

TEST(Relation, counts_in_unary) {
  for (std::uint32_t assignment = 0; assignment < 32; ++assignment) {
    Circuit circuit;
    std::vector<Bit> bits;
    for (std::uint32_t i = 0; i < 5; ++i)
      bits.push_back(constant((assignment >> i & 1U) != 0));
    const std::vector<Bit> counts = count(circuit, bits, 4);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(counts[i],
                constant(static_cast<std::size_t>(__builtin_popcount(assignment)) > i));
  }
}

TEST(Circuit, makes_no_more_gates_than_its_limit) {
  Circuit circuit;
  Finder finder(circuit);
  circuit.set_limit({}, 1000);
  std::vector<Bit> variables;
  for (int i = 0; i < 100; ++i)
    variables.push_back(circuit.variable());
  finder.require(circuit.either(variables[0], variables[1]));
  EXPECT_EQ(finder.solve({}), SatAnswer::Satisfiable);
  EXPECT_FALSE(circuit.is_exhausted());
  for (const Bit a : variables)
    for (const Bit b : variables)
      circuit.both(a, b);
  EXPECT_TRUE(circuit.is_exhausted());
  EXPECT_LE(circuit.node_count(), 700U);
  EXPECT_EQ(finder.solve({}), SatAnswer::Unknown);
}

TEST(Circuit, gives_up_when_time_is_over) {
  Circuit circuit;
  const Bit variable = circuit.variable();
  circuit.set_limit(Budget(0), SIZE_MAX);
  Finder finder(circuit);
  finder.require(variable);
  EXPECT_EQ(finder.solve({}), SatAnswer::Unknown);
}

}  // namespace
}  // namespace isomer::logic
