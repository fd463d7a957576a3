// SPDX-License-Identifier: MIT
// The complete histories of a small program by brute force: all orders of whole
// transactions, each read from any transaction before (Bouajjani et al., PLDI'23, section
// 2.3).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "history/history.h"
#include "program/ir.h"
#include "program/machine/machine.h"
#include "store/store.h"
#include "support/explore/axioms.h"

namespace isomer::explore {

using program::KeyName;
using program::Program;
using program::Value;

// One transaction that ran to its end.
struct Ran {
  std::vector<std::pair<KeyName, std::uint32_t>> reads;  // external; key, writer
  std::map<KeyName, Value> writes;                       // none if it aborted
  bool is_committed = false;
  std::optional<program::Span> failed_assert;
  program::Machine machine;  // at its end, for the locals
};

// A history of a program: transactions by number, session by session from 1.
struct Outcome {
  std::vector<std::shared_ptr<const Ran>> transactions;  // [number - 1]; null: not yet run
  std::string text;                                      // see canonical()
};

// What to look for, and how far.
struct Bounds {
  AnyLevel level = std::nullopt;     // `true`, RC, RA or CC
  std::size_t count_max = SIZE_MAX;  // of histories at any step
  program::Granularity granularity = program::Granularity::Row;
};

struct Space {
  const Program* program;
  std::vector<Outcome> histories;  // by text
  program::Granularity granularity = program::Granularity::Row;
};

// Every history with so | wr acyclic that the level allows; absent if there are more than
// `count_max`.  The program must outlive the space.
std::optional<Space> brute_force(const Program& program, const Bounds& bounds = {});

bool allows(AnyLevel level, const Space& space, const Outcome& history);
// Could the transactions that committed have run one after another?
bool is_serializable(const Space& space, const Outcome& history);
// The names of the final asserts that do not hold, by their places in the program.
std::vector<std::string> broken_asserts(const Space& space, const Outcome& history);
// The final states that commit orders of the level leave, each once or more.
void for_each_final_state(const Space& space, const Outcome& history, AnyLevel level,
                          const std::function<void(const store::FinalState&)>& visit);
// The same for a scenario: the invariants that one of these breaks.
std::set<std::string> broken_invariants(const Space& space, const Outcome& history,
                                        AnyLevel level);
bool fails_assertion(const Space& space, const Outcome& history, AnyLevel level);

// The shape of the history; without aborted transactions if they do not count.
enum class Counting : std::uint8_t { All, Committed };
Shape shape_of(const Space& space, const Outcome& history, Counting counting);

// Who reads from whom, transaction by transaction: "1: x<0 y<2; 2 aborted: x<1;".  Since
// programs are deterministic, it says everything.  Reads of keys that nobody wrote have no
// choice, and are left out: scans meet more or fewer of them, as more or fewer runs were
// tried.
std::string canonical(const history::History& history);

// The canonical texts of the histories that the level allows.
std::set<std::string> allowed(const Space& space, AnyLevel level);

}  // namespace isomer::explore
