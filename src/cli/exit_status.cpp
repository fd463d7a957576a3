// SPDX-License-Identifier: MIT
#include "cli/exit_status.h"

#include <algorithm>
#include <array>

namespace isomer::cli {

int worst(int a, int b) {
  static constexpr std::array by_weight = {status_nothing_found, status_undecided,
                                           status_found, status_bad_input,
                                           status_internal_error};
  const auto weight = [](int status) {
    return std::find(by_weight.begin(), by_weight.end(), status);
  };
  return weight(a) < weight(b) ? b : a;
}

}  // namespace isomer::cli
