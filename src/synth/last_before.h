// SPDX-License-Identifier: MIT
// A choice for what a goal asks to exist: `exists s { f }`, about a transaction t, is shown
// with the s that is last in an order o among those that are r-before t.
#pragma once

#include <string>

#include "level/rewrite.h"

namespace isomer::synth {

class LastBefore {
 public:
  // `before` and `order` are relations of `problem`; `order` is a strict total order.
  LastBefore(level::Level& problem, level::TermId before, level::TermId order);

  // A formula that implies `goal` on finite histories; `goal` itself if it does not ask for
  // a transaction.
  level::TermId chosen(level::TermId goal);

  [[nodiscard]] std::string text() const;  // "s := the last in ar that is vis-before t"

 private:
  level::TermId chosen(level::TermId goal, level::TermId about);

  level::Level& problem_;
  level::TermMaker maker_;
  level::TermId before_;
  level::TermId order_;
};

}  // namespace isomer::synth
