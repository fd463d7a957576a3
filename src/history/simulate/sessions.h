// SPDX-License-Identifier: MIT
// Whose turn it is: sessions with equal shares of the transactions, taking turns at random.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "history/generate.h"

namespace isomer::history::simulate {

class Sessions {
 public:
  explicit Sessions(const GenerateOptions& options)
      : active_(options.sessions),
        remaining_(options.sessions, options.transactions / options.sessions) {
    for (std::uint32_t s = 0; s < options.transactions % options.sessions; ++s)
      ++remaining_[s];
    std::iota(active_.begin(), active_.end(), 0U);
    if (options.transactions < options.sessions) active_.resize(options.transactions);
  }

  [[nodiscard]] bool are_done() const { return active_.empty(); }

  // One of the sessions that have transactions left.
  std::uint32_t draw(Random& random) {
    turn_ = random.below(active_.size());
    return active_[turn_];
  }

  // The session that was drawn last has finished a transaction.
  void finish_transaction() {
    if (--remaining_[active_[turn_]] > 0) return;
    active_[turn_] = active_.back();
    active_.pop_back();
  }

 private:
  std::vector<std::uint32_t> active_;
  std::vector<std::uint32_t> remaining_;  // by session
  std::size_t turn_ = 0;                  // index into active_
};

}  // namespace isomer::history::simulate
