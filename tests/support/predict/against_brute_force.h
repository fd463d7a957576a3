// SPDX-License-Identifier: MIT
// The engine against the checkers, and against trying everything.
#pragma once

#include <array>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support/predict/brute_force.h"

namespace isomer::predict {

using check::AskedLevel;

// Those with checkers of their own, and some that only have a text.
const std::vector<AskedLevel>& levels();

inline constexpr std::array strategies = {Strategy::ExactStrict, Strategy::ApproxStrict,
                                          Strategy::ExactRelaxed, Strategy::ApproxRelaxed};
inline constexpr std::array boundaries = {Boundary::Closed, Boundary::AppendixB,
                                          Boundary::None};

bool is_allowed(const History& history, const AskedLevel& level);

// Empty if the level allows the predicted history, and no order explains it: by the
// checkers and by certification.
std::string flaw(const Prediction& prediction, const AskedLevel& level);

// A changed read: the transaction, the operation in it, the writer.
using Changes = std::set<std::tuple<int, int, int>>;

Changes changes_of(const Trace& trace, const Guess& guess);
Changes changes_of(const Trace& trace, const History& history,
                   const Prediction& prediction);

struct Tried {
  int asked = 0;
  int predicted = 0;
};

// What is wrong with the predictions of every strategy at these levels, however the level
// is dealt with; empty if nothing is.
std::string try_all(const Trace& trace, Boundary boundary,
                    const std::vector<AskedLevel>& asked, Tried& tried);

}  // namespace isomer::predict
