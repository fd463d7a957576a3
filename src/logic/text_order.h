// SPDX-License-Identifier: MIT
// Texts for numbers: a solver knows texts as numbers whose order is that of the texts.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logic/rational.h"

namespace isomer::logic {

// `count` texts in ascending order, strictly between two texts in the order of bytes, short
// and printable; there may be no upper one.  Absent if there are not as many.
std::optional<std::vector<std::string>> texts_between(
    const std::string& lower, const std::optional<std::string>& upper, std::size_t count);

class TextOrder {
 public:
  // The constants keep their texts: the empty text is 0, those given are 1, 2, ... in the
  // order of bytes.
  explicit TextOrder(std::vector<std::string> constants);

  [[nodiscard]] Rational rank(const std::string& constant) const;

  // Constants between which no printable text is, as the rank of the lower: "" and " ".
  [[nodiscard]] std::vector<Rational> gaps() const;

  // Finds texts for these numbers, none below 0.
  void place(std::vector<Rational> numbers);

  // A number that was not placed is placed now.  Absent if no printable text fits.
  std::optional<std::string> text(const Rational& number);

 private:
  std::map<std::string, Rational> ranks_;  // of those given
  std::map<Rational, std::optional<std::string>> texts_;
};

}  // namespace isomer::logic
