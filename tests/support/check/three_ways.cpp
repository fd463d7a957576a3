// SPDX-License-Identifier: MIT
#include "support/check/three_ways.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "check/check.h"
#include "check/generic/search.h"
#include "level/eval.h"
#include "level/execution_search.h"
#include "level/rewrite.h"

namespace isomer::check {
namespace {

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
