// SPDX-License-Identifier: MIT
// Executions as lists that a person can read, and as tables that a level can be evaluated
// on.
#include <algorithm>
#include <map>

#include "check/generic/generic.h"

namespace isomer::check {
namespace {

using level::Part;
using level::Truth;
using Table = Matrix<Truth>;

// The members of an order, first to last: by how many come before each.  An order of one
// relates nothing, so members are given.
std::vector<TxnId> ordered_members(const Part& part, const Table& table) {
  std::vector<std::pair<std::size_t, TxnId>> members;
  for (std::size_t j = 0; j < table.columns(); ++j) {
    std::size_t before = 0;
    std::size_t after = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      before += table(i, j);
      after += table(j, i);
    }
    if (before + after != 0) members.emplace_back(before, part.index.txns[j]);
  }
  std::sort(members.begin(), members.end());
  std::vector<TxnId> result;
  for (const auto& [before, t] : members)
    result.push_back(t);
  return result;
}

WitnessRelation relation_of(const Part& part, const level::Witness& witness,
                            const Table& table) {
  WitnessRelation result{witness.name, {}, witness.is_total_order, {}, {}};
  if (witness.is_total_order) {
    result.order = ordered_members(part, table);
    return result;
  }
  for (std::size_t i = 0; i < table.rows(); ++i)
    for (std::size_t j = 0; j < table.columns(); ++j)
      if (table(i, j) != 0)
        result.pairs.emplace_back(part.index.txns[i], part.index.txns[j]);
  return result;
}

bool fill(const Part& part, const WitnessRelation& relation, Table& table) {
  const auto relate = [&](TxnId from, TxnId to) {
    const auto row = part.index.place(from);
    const auto column = part.index.place(to);
    if (row && column) table(*row, *column) = 1;
    return row && column;
  };
  for (const auto& [from, to] : relation.pairs)
    if (!relate(from, to)) return false;
  for (std::size_t i = 0; i < relation.order.size(); ++i)
    for (std::size_t j = i + 1; j < relation.order.size(); ++j)
      if (!relate(relation.order[i], relation.order[j])) return false;
  return true;
}

// Where a relation of the witness goes: absent if the level has no such table.
Table* table_of(const Part& part, const level::Level& level,
                const WitnessRelation& relation, level::Execution<Truth>& execution) {
  for (std::size_t w = 0; w < level.witnesses.size(); ++w) {
    if (level.witnesses[w].name != relation.name) continue;
    if (!level.witnesses[w].is_keyed) return execution[w].data();
    const auto& keys = part.index.keys;
    const auto key = std::lower_bound(keys.begin(), keys.end(), relation.key);
    if (key == keys.end() || *key != relation.key) return nullptr;
    return &execution[w][static_cast<std::size_t>(key - keys.begin())];
  }
  return nullptr;
}

bool is_choice_possible(const level::OpenRead& open, TxnId writer) {
  return std::find(open.candidates.begin(), open.candidates.end(), writer) !=
         open.candidates.end();
}

}  // namespace

Consistent witness_of(const Part& part, const level::Level& level,
                      const ReplayedExecution& execution) {
  Consistent result;
  for (std::size_t r = 0; r < part.open_reads.size(); ++r)
    result.choices.push_back({part.open_reads[r].read, execution.choices.writers[r]});
  for (std::size_t t = 0; t < part.open_txns.size(); ++t)
    if (execution.choices.took_effect[t]) result.taken.push_back(part.open_txns[t]);
  std::vector<const WitnessRelation*> orders;
  for (std::size_t w = 0; w < level.witnesses.size(); ++w)
    for (std::size_t key = 0; key < execution.execution[w].size(); ++key) {
      WitnessRelation relation =
          relation_of(part, level.witnesses[w], execution.execution[w][key]);
      if (level.witnesses[w].is_keyed) {
        relation.key = part.index.keys[key];
        if (relation.order.empty() && relation.pairs.empty()) continue;
      }
      result.relations.push_back(std::move(relation));
    }
  const std::size_t count =
      part.index.txns.size() - part.open_txns.size() + result.taken.size();
  const auto is_commit_order = [&](const WitnessRelation& relation) {
    return relation.is_order && relation.key.is_none() && relation.order.size() == count;
  };
  if (std::count_if(result.relations.begin(), result.relations.end(), is_commit_order) == 1)
    result.commit_order =
        std::find_if(result.relations.begin(), result.relations.end(), is_commit_order)
            ->order;
  return result;
}

std::optional<ReplayedExecution> replay(const Part& part, const level::Level& level,
                                        const Consistent& witness) {
  ReplayedExecution result;
  std::map<ReadId, TxnId> chosen;
  for (const Choice& choice : witness.choices)
    chosen[choice.read] = choice.writer;
  for (const level::OpenRead& open : part.open_reads) {
    const auto found = chosen.find(open.read);
    if (found == chosen.end() || !is_choice_possible(open, found->second))
      return std::nullopt;
    result.choices.writers.push_back(found->second);
  }
  for (const TxnId t : part.open_txns)
    result.choices.took_effect.push_back(
        std::find(witness.taken.begin(), witness.taken.end(), t) != witness.taken.end());
  const std::size_t txns = part.index.txns.size();
  for (const level::Witness& w : level.witnesses)
    result.execution.emplace_back(w.is_keyed ? part.index.keys.size() : 1,
                                  Table(txns, txns, 0));
  for (const WitnessRelation& relation : witness.relations) {
    Table* const table = table_of(part, level, relation, result.execution);
    if (table == nullptr || !fill(part, relation, *table)) return std::nullopt;
  }
  return result;
}

}  // namespace isomer::check
