// SPDX-License-Identifier: MIT
// Does a complete history keep the assertions of the program?
//
//   - an ASSERT inside a transaction fails where the transaction says so;
//   - a final assert of a litmus program speaks of the locals of transactions;
//   - an invariant of a scenario is a query over the final state, and must hold in every
//     final state that the level admits.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/final_states.h"
#include "store/invariants.h"

namespace isomer::explore {

struct Offence {
  FailureKind kind = FailureKind::Invariant;
  std::string name;
  std::string message;
  program::Span at;
  FinalVersions last = {};  // of a final state in which it happens
  bool is_limit = false;    // the invariant could not be evaluated by us
};

// What offences count; without a name, any.
struct Wanted {
  std::optional<FailureKind> kind;
  std::string name;

  [[nodiscard]] bool matches(FailureKind other_kind, std::string_view other_name) const {
    return (!kind || *kind == other_kind) && (name.empty() || name == other_name);
  }
};

template <std::size_t Words>
class AssertionChecker {
 public:
  AssertionChecker(const Program& program, const std::vector<ProgramTxn>& transactions,
                   const Runs& runs, program::Granularity granularity, Wanted wanted);

  std::optional<Offence> offence_of(const OrderedHistory<Words>& history,
                                    const Admission& admission);

  // Runs::forget was called: values have other numbers.
  void forget() { broken_.clear(); }

 private:
  struct Broken {
    std::string name;
    std::string error;
    bool is_limit = false;
  };

  using Versions = std::vector<std::pair<KeyNumber, ValueNumber>>;

  std::optional<Offence> failed_assert(const OrderedHistory<Words>& history) const;
  std::optional<Offence> failed_final_assert(const OrderedHistory<Words>& history) const;
  const std::optional<Broken>& broken_invariant(const FinalVersions& final_versions);

  const Program& program_;
  const std::vector<ProgramTxn>& transactions_;
  const Runs& runs_;
  program::Granularity granularity_;
  Wanted wanted_;
  bool has_queries_ = false;
  bool has_final_asserts_ = false;
  Program invariants_;
  std::map<Versions, std::optional<Broken>> broken_;  // by final state
};

extern template class AssertionChecker<1>;
extern template class AssertionChecker<4>;

}  // namespace isomer::explore
