// SPDX-License-Identifier: MIT
// The cheapest of many assignments that no known bad one covers.
//
// An assignment gives each of several places one of the place's options; option 0 is the
// cheapest.
// The price is the number of places that have another option than 0, then the sum of the
// options.  Some options are at least as strong as others, and what is bad stays bad if
// places get weaker options: so one bad assignment excludes all that it covers.
//
// To find the cheapest good one, take the cheapest that is not excluded; if it is bad,
// exclude it, or better a stronger bad one that covers it, and repeat (an implicit hitting
// set, as in R. Reiter's theory of diagnosis, AIJ 1987, and in MaxHS).  The first that is
// good is the cheapest: all cheaper ones are covered by something bad.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/budget.h"

namespace isomer::audit {

using Assignment = std::vector<std::uint32_t>;  // by place: an option

struct Price {
  std::uint64_t changed = 0;  // places whose option is not 0
  std::uint64_t sum = 0;      // of the options

  friend auto operator<=>(const Price&, const Price&) = default;
};

Price price_of(const Assignment& assignment);

class Cheapest {
 public:
  // What is bad with the option `strong` in the place is bad with `weak` there.
  using Order =
      std::function<bool(std::size_t place, std::uint32_t weak, std::uint32_t strong)>;

  // The number of options by place.
  Cheapest(std::vector<std::uint32_t> option_counts, Order is_covered);

  [[nodiscard]] bool covers(const Assignment& strong, const Assignment& weak) const;

  // All that it covers are out, for a reason that the caller numbers.
  void exclude(Assignment bad, std::size_t reason);

  // Why the assignment is out; absent if it is not.
  [[nodiscard]] std::optional<std::size_t> reason_against(
      const Assignment& assignment) const;

  // The cheapest that is left; of several the first in lexicographic order.  Absent if none
  // is, or if the budget runs out.
  [[nodiscard]] std::optional<Assignment> next(const Budget& budget) const;

 private:
  struct Bad {
    Assignment assignment;
    std::size_t reason = 0;
  };

  [[nodiscard]] const Bad* excluder(const Assignment& assignment) const;

  std::vector<std::uint32_t> option_counts_;
  Order is_covered_;
  std::vector<Bad> bad_;
};

}  // namespace isomer::audit
