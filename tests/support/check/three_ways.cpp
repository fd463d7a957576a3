// SPDX-License-Identifier: MIT
#include "support/check/three_ways.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "check/check.h"
#include "check/generic/search.h"
#include "level/eval.h"
#include "level/execution_search.h"
#include "level/rewrite.h"

namespace isomer::check {
namespace {

using Words = std::vector<std::string>;

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string out = "framework g {\n" + witnesses() + "}\n";
    out += "let seen[x, r] = ([W[x]] ; r ; wr[x]^-1) \\ id\n";
    if (chance(0.5)) {
      out += "let by_key[x: Key] = " + in_scope("x", [&] { return relation(2); }) + "\n";
      has_keyed_let_ = true;
    }
    out += "level L : g {\n";
    const auto count = 1 + random_.below(3);
    for (std::uint64_t i = 0; i < count; ++i)
      out += fmt::format("  axiom A{}: {}\n", i, formula(3));
    return out + "}\n";
  }

 private:
  bool chance(double probability) { return random_.chance(probability); }

  const std::string& one_of(const Words& words) {
    return words[random_.below(words.size())];
  }

  // At least one of a commit order, an order for each key, and a relation.
  std::string witnesses() {
    const auto kinds = 1 + random_.below(6);
    std::string out;
    if ((kinds & 1U) != 0) {
      out += "  witness co : Txn * Txn\n  total_order co\n";
      relations_.emplace_back("co");
    }
    if ((kinds & 2U) != 0) {
      out += "  witness vo[x: Key] : Txn * Txn\n  total_order vo[x] on W[x]\n";
      relations_.emplace_back("vo");
      keyed_relations_.emplace_back("vo[{}]");
    }
    if ((kinds & 4U) != 0) {
      out += "  witness r : Txn * Txn\n  axiom Bound: r in so | wr\n";
      relations_.emplace_back("r");
    }
    if ((kinds & 1U) != 0 && chance(0.5)) out += "  axiom Base: so | wr in co\n";
    if ((kinds & 2U) != 0 && chance(0.5))
      out += "  axiom First: forall x: Key { (init * W[x]) \\ id in vo[x] }\n";
    return out;
  }

  template <class Make>
  std::string in_scope(const std::string& key, Make make) {
    keys_.push_back(key);
    std::string out = make();
    keys_.pop_back();
    return out;
  }

  std::string set(int depth) {
    Words words{"Txn", "W", "R", "init", "thin_air", "type \"Pay\""};
    for (const std::string& x : keys_) {
      words.push_back(fmt::format("W[{}]", x));
      words.push_back(fmt::format("R[{}]", x));
    }
    words.insert(words.end(), txns_.begin(), txns_.end());
    if (depth == 0 || chance(0.6)) return one_of(words);
    return fmt::format("({} {} {})", set(depth - 1), one_of({"|", "&", "\\"}),
                       set(depth - 1));
  }

  std::string atom() {
    Words words = relations_;
    words.insert(words.end(), {"so", "wr", "id", "(rf ; po ; rf^-1)"});
    for (const std::string& x : keys_) {
      words.push_back(fmt::format("wr[{}]", x));
      words.push_back(fmt::format("(rf ; po ; rf[{}]^-1)", x));
      for (const std::string& keyed : keyed_relations_)
        words.push_back(fmt::format(fmt::runtime(keyed), x));
      if (has_keyed_let_) words.push_back(fmt::format("by_key[{}]", x));
    }
    if (has_keyed_let_) words.emplace_back("by_key");
    return one_of(words);
  }

  std::string relation(int depth) {
    if (depth == 0 || chance(0.25)) return atom();
    switch (random_.below(7)) {
      case 0:
        return fmt::format("[{}]", set(1));
      case 1:
        return fmt::format("({} * {})", set(1), set(1));
      case 2:
        return fmt::format("({}){}", relation(depth - 1), one_of({"^-1", "+", "*", "?"}));
      case 3:
      case 4:
        return fmt::format("({} ; {})", relation(depth - 1), relation(depth - 1));
      case 5:
        if (!keys_.empty())
          return fmt::format("seen[{}, {}]", one_of(keys_), relation(depth - 1));
        [[fallthrough]];
      default:
        return fmt::format("({} {} {})", relation(depth - 1), one_of({"|", "&", "\\"}),
                           relation(depth - 1));
    }
  }

  std::string quantified(int depth) {
    const std::string name = fmt::format("v{}", depth_++);
    const auto sort = random_.below(5);
    Words& scope = sort < 3 ? keys_ : sort == 3 ? txns_ : values_;
    scope.push_back(name);
    const std::string body = formula(depth - 1);
    scope.pop_back();
    --depth_;
    return fmt::format("{} {}: {} {{ {} }}", one_of({"forall", "forall", "exists"}), name,
                       sort < 3    ? "Key"
                       : sort == 3 ? "Txn"
                                   : "Val",
                       body);
  }

  std::string element_formula() {
    if (!values_.empty() && !keys_.empty() && chance(0.7))
      return fmt::format("{}({}, {}, {})", one_of({"writes", "reads"}), one_of(txns_),
                         one_of(keys_), one_of(values_));
    if (keys_.size() > 1 && chance(0.3))
      return fmt::format("{} {} {}", keys_[0], one_of({"=", "!="}), keys_[1]);
    if (chance(0.4))
      return fmt::format("({}, {}) in {}", one_of(txns_), one_of(txns_), relation(1));
    if (chance(0.3)) return fmt::format("{} = {}", one_of(txns_), one_of(txns_));
    return fmt::format("{} in {}", one_of(txns_), set(1));
  }

  std::string predicate() {
    if (!txns_.empty() && chance(0.5)) return element_formula();
    switch (random_.below(9)) {
      case 0:
        return fmt::format("empty {}", relation(2));
      case 1:
        return fmt::format("acyclic {}", relation(2));
      case 2:
        return fmt::format("irreflexive {}", relation(2));
      case 3:
        return fmt::format("transitive {}", relation(1));
      case 4:
        return fmt::format("total {} on {}", relation(1), set(1));
      case 5:
        return chance(0.5) ? fmt::format("total_order {} on {}", relation(1), set(1))
                           : fmt::format("{} = {}", relation(2), relation(1));
      default:
        return fmt::format("{} in {}", relation(3), relation(1));
    }
  }

  std::string formula(int depth) {
    if (depth == 0) return predicate();
    switch (random_.below(6)) {
      case 0:
        return fmt::format("(not ({}))", formula(depth - 1));
      case 1:
        return fmt::format("(({}) {} ({}))", formula(depth - 1),
                           one_of({"and", "or", "implies", "iff"}), formula(depth - 1));
      case 2:
      case 3:
        return quantified(depth);
      default:
        return predicate();
    }
  }

  Random random_;
  Words relations_;
  Words keyed_relations_;
  Words keys_;
  Words txns_;
  Words values_;
  bool has_keyed_let_ = false;
  int depth_ = 0;
};

using level::Execution;
using level::HistoryTables;
using level::Truth;
using Table = Matrix<Truth>;

std::vector<std::size_t> members(const level::Witness& witness,
                                 const HistoryTables<Truth>& tables, std::size_t key) {
  const std::vector<Truth>& in = witness.is_keyed ? tables.writers[key] : tables.txn_exists;
  std::vector<std::size_t> out;
  for (std::size_t t = 0; t < in.size(); ++t)
    if (in[t] != 0) out.push_back(t);
  return out;
}

Table order_table(const std::vector<std::size_t>& order, std::size_t size) {
  Table table(size, size, 0);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j)
      table(order[i], order[j]) = 1;
  return table;
}

// Every table that a witness may have: orders of its members, parts of so | wr.
std::vector<Table> possible_tables(const level::Witness& witness,
                                   const HistoryTables<Truth>& tables, std::size_t key) {
  const std::size_t size = tables.txn_count();
  std::vector<Table> out;
  if (witness.is_total_order) {
    std::vector<std::size_t> order = members(witness, tables, key);
    do
      out.push_back(order_table(order, size));
    while (std::next_permutation(order.begin(), order.end()));
    return out;
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      if (tables.so(i, j) != 0 ||
          std::any_of(tables.wr.begin(), tables.wr.end(),
                      [&](const auto& wr) { return wr(i, j) != 0; }))
        pairs.emplace_back(i, j);
  for (std::size_t chosen = 0; chosen < std::size_t{1} << pairs.size(); ++chosen) {
    Table table(size, size, 0);
    for (std::size_t p = 0; p < pairs.size(); ++p)
      table(pairs[p].first, pairs[p].second) = chosen >> p & 1U;
    out.push_back(std::move(table));
  }
  return out;
}

std::vector<level::Choices> all_choices(const level::Part& part) {
  std::vector<level::Choices> out{{}};
  for (const level::OpenRead& open : part.open_reads) {
    std::vector<level::Choices> longer;
    for (const level::Choices& choices : out)
      for (const TxnId writer : open.candidates) {
        longer.push_back(choices);
        longer.back().writers.push_back(writer);
      }
    out = std::move(longer);
  }
  for (std::size_t t = 0; t < part.open_txns.size(); ++t) {
    std::vector<level::Choices> longer;
    for (const level::Choices& choices : out)
      for (const bool took_effect : {false, true}) {
        longer.push_back(choices);
        longer.back().took_effect.push_back(took_effect);
      }
    out = std::move(longer);
  }
  std::erase_if(out, [&](const auto& choices) { return !is_possible(part, choices); });
  return out;
}

constexpr std::size_t executions_max = 1500;

// Whether some execution satisfies the level; absent if there are too many to try.
std::optional<bool> exists_by_trying(const level::Part& part, const level::Level& level) {
  std::size_t tried = 0;
  bool is_found = false;
  for (const level::Choices& choices : all_choices(part)) {
    const HistoryTables<Truth> tables = level::history_tables(part, choices);
    std::vector<std::vector<std::vector<Table>>> possible;
    double count = 1;
    for (const level::Witness& witness : level.witnesses) {
      possible.emplace_back();
      for (std::size_t key = 0; key < (witness.is_keyed ? tables.key_count() : 1); ++key) {
        possible.back().push_back(possible_tables(witness, tables, key));
        count *= static_cast<double>(possible.back().back().size());
      }
    }
    if (count + static_cast<double>(tried) > executions_max) return std::nullopt;
    Execution<Truth> execution;
    for (const auto& relations : possible)
      execution.emplace_back(relations.size());
    const std::function<void(std::size_t, std::size_t)> attempt = [&](std::size_t w,
                                                                      std::size_t key) {
      if (is_found) return;
      if (w == possible.size()) {
        ++tried;
        is_found = level::respects_versions(part, level, execution) &&
                   level::failing_axiom(level, tables, execution) == nullptr;
        return;
      }
      if (key == possible[w].size()) return attempt(w + 1, 0);
      for (const Table& table : possible[w][key]) {
        execution[w][key] = table;
        attempt(w, key + 1);
      }
    };
    attempt(0, 0);
    if (is_found) return true;
  }
  return false;
}

Execution<Truth> random_execution(const level::Level& level,
                                  const HistoryTables<Truth>& tables, Random& random) {
  Execution<Truth> out;
  for (const level::Witness& witness : level.witnesses) {
    out.emplace_back();
    for (std::size_t key = 0; key < (witness.is_keyed ? tables.key_count() : 1); ++key) {
      const std::size_t size = tables.txn_count();
      if (witness.is_total_order) {
        std::vector<std::size_t> order = members(witness, tables, key);
        for (std::size_t i = order.size(); i > 1; --i)
          std::swap(order[i - 1], order[random.below(i)]);
        out.back().push_back(order_table(order, size));
        continue;
      }
      Table table(size, size, 0);
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
          table(i, j) =
              tables.txn_exists[i] & tables.txn_exists[j] & (random.chance(0.4) ? 1 : 0);
      out.back().push_back(std::move(table));
    }
  }
  return out;
}

// What is wrong; empty if nothing.
std::string evaluated_and_encoded(const level::Part& part, const level::Level& level,
                                  Random& random) {
  const level::Level scoped = level::miniscoped(level);
  const std::vector<level::Choices> choices = all_choices(part);
  for (int left = 3; left > 0; --left) {
    const HistoryTables<Truth> tables =
        level::history_tables(part, choices[random.below(choices.size())]);
    const Execution<Truth> execution = random_execution(level, tables, random);
    logic::Circuit circuit;
    const HistoryTables<logic::Bit> constant = level::constant_tables(tables);
    const Execution<logic::Bit> constants = level::constant_execution(execution);
    for (std::size_t i = 0; i < level.axioms.size(); ++i) {
      const level::Axiom& axiom = level.axioms[i];
      const bool holds = level::holds(level, axiom.formula, tables, execution);
      if (axiom.is_shape && !holds) return "the shape of an order does not hold of one";
      const logic::Bit bit =
          level::encode(circuit, level, axiom.formula, constant, constants);
      if (bit != logic::constant(holds))
        return fmt::format("{}: evaluated to {}, encoded otherwise", axiom.name, holds);
      if (level::holds(scoped, scoped.axioms[i].formula, tables, execution) != holds)
        return fmt::format("{}: miniscoping changes it", axiom.name);
    }
  }
  return "";
}

}  // namespace

std::string random_level_text(std::uint64_t seed) {
  return Writer(seed).text();
}

ThreeWaysOutcome three_ways(const History& history, const level::Level& level,
                            Random& random) {
  const level::Part part = level::whole(history, level);
  ThreeWaysOutcome out{evaluated_and_encoded(part, level, random),
                       exists_by_trying(part, level)};
  if (!out.fault.empty() || !out.exists) return out;
  const Found found = find_execution(part, level, Budget(120.0));
  if ((found.kind == Found::Kind::Execution) != *out.exists)
    out.fault = fmt::format("the search finds {}, trying all finds {}",
                            found.kind == Found::Kind::Execution ? "an execution" : "none",
                            *out.exists ? "one" : "none");
  else if (*out.exists &&
           level::failing_axiom(level, level::history_tables(part, found.choices),
                                found.execution) != nullptr)
    out.fault = "the execution found does not satisfy the level";
  return out;
}

}  // namespace isomer::check
