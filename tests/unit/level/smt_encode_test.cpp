// SPDX-License-Identifier: MIT
// The third meaning of a level against the first: on a concrete execution, written out as
// formulas, what an axiom's evaluation says must not be refuted by the solver.  Closures
// are only partly described, so the solver may know less, but never anything false; without
// them it must know as much.
#include "level/smt_encode.h"

#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "history/generate.h"
#include "level/eval.h"
#include "level/library.h"
#include "level/part_tables.h"

namespace isomer::level {
namespace {

using logic::SmtElement;
using logic::SmtFormula;
using logic::SmtSort;

// Everything that holds of a concrete execution, in the encoder's symbols.
class Description {
 public:
  Description(logic::Smt& smt, const HistoryTables<Truth>& tables) : smt_(smt) {
    add_sort("Txn", tables.txn_exists);
    add_sort("Key", tables.key_exists);
    add_sort("Val", {});
    add_sort("Read", tables.read_exists);
    facts.push_back(smt_.same(elements_[0][0], smt_.constant("init", sorts_[0])));
    add("so", {}, tables.so, 0, 0);
    add("po", {}, tables.po, 3, 3);
    for (std::size_t x = 0; x < tables.key_count(); ++x) {
      add("wr", {x}, tables.wr[x], 0, 0);
      if (!tables.rf.empty()) add("rf", {x}, tables.rf[x], 0, 3);
      add("W", {x}, tables.writers[x]);
      add("R", {x}, tables.readers[x]);
    }
    for (std::size_t flaw = 0; flaw < flaw_count; ++flaw)
      add(fmt::format("flawed_{}", flaw), {}, tables.flawed[flaw]);
  }

  void add(const Level& level, const Execution<Truth>& execution) {
    for (std::size_t i = 0; i < level.witnesses.size(); ++i)
      for (std::size_t x = 0; x < execution[i].size(); ++x)
        add(fmt::format("{}_{}", level.witnesses[i].name, i),
            level.witnesses[i].is_keyed ? std::vector{x} : std::vector<std::size_t>{},
            execution[i][x], 0, 0);
  }

  std::vector<SmtFormula> facts;

 private:
  // The elements of a sort, all different, and one more if there would be none.
  void add_sort(const std::string& name, const std::vector<Truth>& exists) {
    const SmtSort sort = smt_.sort(name);
    sorts_.push_back(sort);
    std::vector<SmtElement>& elements = elements_.emplace_back();
    for (std::size_t i = 0; i < std::max<std::size_t>(exists.size(), 1); ++i)
      elements.push_back(smt_.constant(fmt::format("{}_{}", name, i), sort));
    const SmtElement any = smt_.variable(sort);
    std::vector<SmtFormula> equals;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      equals.push_back(smt_.same(any, elements[i]));
      for (std::size_t j = 0; j < i; ++j)
        facts.push_back(smt_.negation(smt_.same(elements[i], elements[j])));
      if (name != "Txn")
        state(i < exists.size() && exists[i] != 0, "exists_" + name, {sort}, {elements[i]});
    }
    facts.push_back(smt_.forall(std::array{any}, smt_.any(equals)));
  }

  void state(bool holds, const std::string& name, const std::vector<SmtSort>& sorts,
             const std::vector<SmtElement>& elements) {
    const SmtFormula atom = smt_.holds(smt_.relation(name, sorts), elements);
    facts.push_back(holds ? atom : smt_.negation(atom));
  }

  void add(const std::string& name, const std::vector<std::size_t>& keys,
           const Matrix<Truth>& table, std::size_t from, std::size_t to) {
    for (std::size_t i = 0; i < table.rows(); ++i)
      for (std::size_t j = 0; j < table.columns(); ++j) {
        std::vector<SmtSort> sorts(keys.size(), sorts_[1]);
        sorts.insert(sorts.end(), {sorts_[from], sorts_[to]});
        std::vector<SmtElement> elements;
        if (!keys.empty()) elements.push_back(elements_[1][keys[0]]);
        elements.insert(elements.end(), {elements_[from][i], elements_[to][j]});
        state(table(i, j) != 0, name, sorts, elements);
      }
  }

  void add(const std::string& name, const std::vector<std::size_t>& keys,
           const std::vector<Truth>& set) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      std::vector<SmtSort> sorts(keys.size(), sorts_[1]);
      sorts.push_back(sorts_[0]);
      std::vector<SmtElement> elements;
      if (!keys.empty()) elements.push_back(elements_[1][keys[0]]);
      elements.push_back(elements_[0][i]);
      state(set[i] != 0, name, sorts, elements);
    }
  }

  logic::Smt& smt_;
  std::vector<SmtSort> sorts_;
  std::vector<std::vector<SmtElement>> elements_;
};

// Orders and relations drawn at random; half of the relations are in line with an order.
Execution<Truth> random_execution(const Level& level, const HistoryTables<Truth>& tables,
                                  Random& random) {
  const std::size_t n = tables.txn_count();
  Execution<Truth> execution;
  for (const Witness& witness : level.witnesses) {
    auto& relations = execution.emplace_back();
    relations.resize(witness.is_keyed ? tables.key_count() : 1, Matrix<Truth>(n, n, 0));
    for (std::size_t x = 0; x < relations.size(); ++x)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
          const bool is_in = witness.is_keyed
                                 ? tables.writers[x][i] != 0 && tables.writers[x][j] != 0
                                 : witness.is_total_order || random.below(2) == 0;
          const bool is_up = i == 0 || random.below(8) != 0;
          if (is_in) relations[x](is_up ? i : j, is_up ? j : i) = 1;
        }
  }
  return execution;
}

bool has_closure(const Level& level) {
  for (std::uint32_t i = 0; i < level.terms.size(); ++i) {
    const Op op = level.terms[{i}].op;
    if (op == Op::Plus || op == Op::Star || op == Op::Acyclic) return true;
  }
  return false;
}

TEST(SmtEncodeTest, never_refutes_what_evaluation_says) {
  Random random(7);
  std::size_t holding = 0;
  std::size_t failing = 0;
  for (const Level& level : standard_levels()) {
    history::GenerateOptions options;
    options.mode = history::Mode::ReadCommitted;
    options.sessions = 2;
    options.transactions = 2;
    options.operations = 3;
    options.keys = 2;
    options.seed = random.below(1000);
    const history::History history = history::generate(options);
    const HistoryTables<Truth> tables = level::history_tables(whole(history, level), {});
    const Execution<Truth> execution = random_execution(level, tables, random);
    logic::Smt smt;
    SmtEncoder encoder(smt, level);
    Description description(smt, tables);
    description.add(level, execution);
    std::vector<SmtFormula> evaluated;
    for (const Axiom& axiom : level.axioms) {
      const SmtFormula formula = encoder.encode(axiom.formula);
      const bool is_true = holds(level, axiom.formula, tables, execution);
      ++(is_true ? holding : failing);
      evaluated.push_back(is_true ? formula : smt.negation(formula));
    }
    std::vector<SmtFormula> question = description.facts;
    question.insert(question.end(), encoder.facts().begin(), encoder.facts().end());
    question.push_back(smt.all(evaluated));
    EXPECT_EQ(smt.solve(question, Budget(120.0)), logic::SatAnswer::Satisfiable)
        << level.qualified_name();
    if (has_closure(level)) continue;
    question.back() = smt.negation(question.back());
    EXPECT_EQ(smt.solve(question, Budget(120.0)), logic::SatAnswer::Unsatisfiable)
        << level.qualified_name();
  }
  EXPECT_GT(holding, 50U);
  EXPECT_GT(failing, 5U);
}

}  // namespace
}  // namespace isomer::level
