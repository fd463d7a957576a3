// SPDX-License-Identifier: MIT
// Where a model has several ways to go on, all of them, one after the other, the likeliest
// first: each round decides as the one before it, but for the last decision that has
// another choice left.
#pragma once

#include <cstddef>
#include <vector>

namespace isomer::test {

class Ways {
 public:
  // What comes next of so many choices.
  std::size_t decide(std::size_t choices) {
    if (used_ == decisions_.size()) decisions_.push_back({.choices = choices});
    return decisions_[used_++].chosen;
  }

  // To the next round, or false if there is none.  What was decided in the one before and
  // not asked for in this one is forgotten.
  bool advance() {
    decisions_.resize(used_);
    used_ = 0;
    while (!decisions_.empty() && decisions_.back().chosen + 1 == decisions_.back().choices)
      decisions_.pop_back();
    if (decisions_.empty()) return false;
    ++decisions_.back().chosen;
    return true;
  }

 private:
  struct Decision {
    std::size_t chosen = 0;
    std::size_t choices = 1;
  };

  std::vector<Decision> decisions_;
  std::size_t used_ = 0;
};

}  // namespace isomer::test
