// SPDX-License-Identifier: MIT
// The open choices of a selection as SAT variables: which candidate an ambiguous read reads
// from, and whether a transaction of unknown outcome took effect (iff somebody read from
// it).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "check/decide.h"
#include "logic/sat.h"

namespace isomer::check {

class Choices {
 public:
  // If the budget runs out, choices are missing, and the solver must not be asked.
  Choices(const Selection& selection, logic::SatSolver& solver, const Budget& budget);

  [[nodiscard]] bool is_empty() const { return choices_.empty(); }

  // Whether a read of a resolved history was chosen.
  [[nodiscard]] bool is_ambiguous(const ResolvedHistory& resolved,
                                  std::uint32_t read) const {
    return by_read_.contains(resolved.original_read(read).index);
  }

  // The writers of the solver's model.
  [[nodiscard]] Writers model() const;

  // The literals that say that a read of a resolved history reads from its writer, and that
  // a transaction took effect; nothing is added where that is certain.
  void explain_read(const ResolvedHistory& resolved, std::uint32_t read,
                    std::vector<logic::Literal>& literals);
  void explain_effect(const ResolvedHistory& resolved, TxnId t,
                      std::vector<logic::Literal>& literals);

  // The readers and candidates of all ambiguous reads that explain_read() met, by id.
  [[nodiscard]] std::vector<TxnId> support() const;

 private:
  struct Choice {
    std::uint32_t ambiguous;  // into Selection::ambiguous()
    TxnId writer;
    logic::Literal literal;
  };

  const Selection& selection_;
  logic::SatSolver& solver_;
  std::vector<Choice> choices_;
  std::map<std::uint32_t, std::uint32_t> by_read_;  // the history's read -> ambiguous
  std::vector<std::uint32_t> first_;                // by ambiguous: into choices_
  std::map<TxnId, logic::Literal> effect_;          // uncertain transactions
  std::vector<bool> is_used_;                       // by ambiguous
};

}  // namespace isomer::check
