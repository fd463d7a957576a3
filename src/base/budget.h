// SPDX-License-Identifier: MIT
// How long a search may go on: a deadline, and a flag that a signal handler may raise.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>

namespace isomer {

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  Budget() = default;

  // No limit when `seconds` is absent.  `interrupted` may be null; it must outlive the
  // budget.
  explicit Budget(std::optional<double> seconds,
                  const std::atomic<bool>* interrupted = nullptr)
      : interrupted_(interrupted) {
    if (seconds)
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(*seconds));
  }

  // The same, but at most `seconds` from now.
  [[nodiscard]] Budget within(double seconds) const {
    Budget result(seconds, interrupted_);
    if (deadline_) result.deadline_ = std::min(*deadline_, *result.deadline_);
    return result;
  }

  [[nodiscard]] bool is_interrupted() const {
    return interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed);
  }

  [[nodiscard]] bool is_exhausted() const {
    return is_interrupted() || (deadline_ && Clock::now() >= *deadline_);
  }

  [[nodiscard]] std::string reason() const {
    return is_interrupted() ? "interrupted" : "timeout";
  }

 private:
  std::optional<Clock::time_point> deadline_;
  const std::atomic<bool>* interrupted_ = nullptr;
};

}  // namespace isomer
