// SPDX-License-Identifier: MIT
// The last word on answers about level texts: the text itself, evaluated (level/eval.h).
//
// A violation names transactions that have no execution.  Where these are few and all
// witness relations are total orders, every execution of them is tried.
#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "check/certify/evidence.h"
#include "check/generic/generic.h"
#include "level/eval.h"
#include "level/rewrite.h"

namespace isomer::check {
namespace {

using level::Part;
using level::Truth;
using Failure = std::optional<std::string>;

constexpr std::size_t txns_tried_max = 7;  // with the initial one
constexpr std::size_t executions_tried_max = 20'000;

// The transactions that a table of a total-order witness orders, by place; absent if the
// level's text says something other than "all" or "the writers of the key".
std::optional<std::vector<std::size_t>> members(const level::Level& level,
                                                const level::Witness& witness,
                                                const level::HistoryTables<Truth>& tables,
                                                std::size_t key) {
  std::vector<Truth> in = tables.txn_exists;
  if (!witness.on.is_none()) {
    const level::Term& on = level.terms[witness.on];
    const bool is_writers = on.op == level::Op::Writers && on.argument_count == 1;
    if (is_writers && witness.is_keyed)
      in = tables.writers[key];
    else if (on.op != level::Op::Domain)
      return std::nullopt;
  }
  std::vector<std::size_t> result;
  for (std::size_t t = 0; t < in.size(); ++t)
    if (in[t] != 0) result.push_back(t);
  return result;
}

// Calls visit for every way to settle what the part leaves open, until it returns false.
void for_each_choice(const Part& part,
                     const std::function<bool(const level::Choices&)>& visit) {
  level::Choices choices{std::vector<TxnId>(part.open_reads.size()),
                         std::vector<bool>(part.open_txns.size())};
  bool goes_on = true;
  const std::function<void(std::size_t)> settle = [&](std::size_t next) {
    if (!goes_on) return;
    if (next < part.open_reads.size()) {
      for (const TxnId writer : part.open_reads[next].candidates) {
        choices.writers[next] = writer;
        settle(next + 1);
      }
    } else if (next < part.open_reads.size() + part.open_txns.size()) {
      for (const bool took_effect : {false, true}) {
        choices.took_effect[next - part.open_reads.size()] = took_effect;
        settle(next + 1);
      }
    } else if (level::is_possible(part, choices)) {
      goes_on = visit(choices);
    }
  };
  settle(0);
}

// Tries every execution.
class Trial {
 public:
  Trial(const Part& part, const level::Level& level) : part_(part), level_(level) {}

  // Absent if there are too many, or of a kind that cannot be listed.
  std::optional<bool> has_execution() {
    if (part_.index.txns.size() > txns_tried_max) return std::nullopt;
    for_each_choice(part_, [&](const level::Choices& choices) {
      const level::HistoryTables<Truth> tables = level::history_tables(part_, choices);
      tables_ = &tables;
      list_orders();
      if (!is_feasible_) return false;
      try_orders(0);
      return is_feasible_ && !is_found_;
    });
    if (is_found_) return true;
    return is_feasible_ ? std::optional(false) : std::nullopt;
  }

 private:
  struct Order {
    std::size_t witness;
    std::size_t key;
    std::vector<std::size_t> members;
  };

  void list_orders() {
    orders_.clear();
    execution_.clear();
    const std::size_t txns = tables_->txn_count();
    for (std::size_t w = 0; w < level_.witnesses.size(); ++w) {
      const level::Witness& witness = level_.witnesses[w];
      const std::size_t copies = witness.is_keyed ? tables_->key_count() : 1;
      execution_.emplace_back(copies, Matrix<Truth>(txns, txns, 0));
      for (std::size_t key = 0; key < copies; ++key) {
        const auto in = members(level_, witness, *tables_, key);
        is_feasible_ = is_feasible_ && witness.is_total_order && in;
        if (!is_feasible_) return;
        orders_.push_back({w, key, *in});
      }
    }
  }

  void try_orders(std::size_t next) {
    if (is_found_ || !is_feasible_) return;
    if (next == orders_.size()) {
      is_feasible_ = ++tried_ <= executions_tried_max;
      is_found_ = level::respects_versions(part_, level_, execution_) &&
                  level::failing_axiom(level_, *tables_, execution_) == nullptr;
      return;
    }
    const Order& order = orders_[next];
    Matrix<Truth>& table = execution_[order.witness][order.key];
    std::vector<std::size_t> permutation = order.members;
    do {
      table = Matrix<Truth>(table.rows(), table.columns(), 0);
      for (std::size_t i = 0; i < permutation.size(); ++i)
        for (std::size_t j = i + 1; j < permutation.size(); ++j)
          table(permutation[i], permutation[j]) = 1;
      try_orders(next + 1);
    } while (!is_found_ && is_feasible_ &&
             std::next_permutation(permutation.begin(), permutation.end()));
  }

  const Part& part_;
  const level::Level& level_;
  const level::HistoryTables<Truth>* tables_ = nullptr;
  std::vector<Order> orders_;
  level::Execution<Truth> execution_;
  std::size_t tried_ = 0;
  bool is_feasible_ = true;
  bool is_found_ = false;
};

// Evaluation visits a table for each pair of keys where the text says `forall x, y: Key`.
// Where that would take minutes, the same with the quantifiers moved inwards is evaluated.
const level::Axiom* failing_axiom(const Part& part, const level::Level& level,
                                  const ReplayedExecution& replayed) {
  constexpr double cells_max = 2e9;
  const auto txns = static_cast<double>(part.index.txns.size());
  const auto keys = static_cast<double>(part.index.keys.size());
  const level::HistoryTables<Truth> tables = level::history_tables(part, replayed.choices);
  if (txns * txns * keys * keys < cells_max)
    return level::failing_axiom(level, tables, replayed.execution);
  const level::Level scoped = level::miniscoped(level);
  const level::Axiom* failing = level::failing_axiom(scoped, tables, replayed.execution);
  return failing == nullptr
             ? nullptr
             : &level.axioms[static_cast<std::size_t>(failing - scoped.axioms.data())];
}

Failure refute_part(const History& history, const level::Level& level,
                    const Violated& violation) {
  std::vector<TxnId> named = violation.transactions;
  std::erase(named, init);
  const Part part = level::part(history, level, named);
  if (Trial(part, level).has_execution() == std::optional(true))
    return fmt::format("some execution of the transactions satisfies {}", level.name);
  if (!violation.is_minimal) return std::nullopt;
  for (const TxnId t : named) {
    std::vector<TxnId> rest = named;
    std::erase(rest, t);
    const Part less = level::part(history, level, rest);
    if (!rest.empty() && Trial(less, level).has_execution() == std::optional(false))
      return fmt::format("not minimal: {} can be left out", history.txn_name(t));
  }
  return std::nullopt;
}

// The read is what it is said to be, and the level minds: its reader has no execution.
Failure refute_guilty_read(const History& history, const level::Level& level,
                           const history::Problem& problem) {
  if (auto failure = refute_problem(history, problem)) return failure;
  if (is_beyond_levels(problem)) return std::nullopt;
  const Part part = level::part(history, level, std::vector{problem.reader});
  if (Trial(part, level).has_execution() == std::optional(true))
    return fmt::format("{} allows the read", level.name);
  return std::nullopt;
}

}  // namespace

Failure refute_text(const History& history, const level::Level& level,
                    const Consistent& witness) {
  const Part whole = level::whole(history, level);
  const auto replayed = replay(whole, level, witness);
  if (!replayed) return "the witness speaks of other things than the history";
  if (!level::is_possible(whole, replayed->choices))
    return "a read from a transaction that is taken not to have committed";
  if (!level::respects_versions(whole, level, replayed->execution))
    return "an order against the order of versions that reads revealed";
  const level::Axiom* failing = failing_axiom(whole, level, *replayed);
  if (failing == nullptr) return std::nullopt;
  return fmt::format("the axiom {} does not hold of the witness", failing->name);
}

Failure refute_text(const History& history, const level::Level& level,
                    const Violated& violation) {
  if (violation.problem) return refute_guilty_read(history, level, *violation.problem);
  if (violation.transactions.empty()) return "no evidence";
  for (const TxnId t : violation.transactions)
    if (t.index >= history.txn_count() || history.status(t) == history::Status::Aborted)
      return "the violation names a transaction that did not take effect";
  if (!violation.cycle.empty()) {
    if (!violation.cycle_of) return "a cycle that no checker found";
    if (auto failure = refute_cycle(history, *violation.cycle_of, violation.cycle))
      return failure;
  }
  return refute_part(history, level, violation);
}

}  // namespace isomer::check
