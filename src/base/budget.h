// SPDX-License-Identifier: MIT
// How long work may go on: until a deadline, until a signal handler says that a person has
// had enough, until whoever watches memory says that there is no more, or until whoever
// asked has what it wanted.
//
// Once a budget is exhausted it stays so, and whoever saw that answers "unknown", unless it
// had its answer before.
//
// Everything that takes long has a budget, so it also carries the way to whoever looks on
// (base/inspection.h).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace isomer {

class Inspection;

// Seconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  Budget() = default;

  // No limit when `seconds` is absent.  `interrupted` may be null; it must outlive the
  // budget.
  explicit Budget(std::optional<double> seconds,
                  const std::atomic<bool>* interrupted = nullptr)
      : interrupted_(interrupted) {
    if (seconds) deadline_ = from_now(*seconds);
  }

  // The same, but it also ends when this flag is raised: there is no more memory.  The flag
  // must outlive the budget.
  [[nodiscard]] Budget with_memory_flag(const std::atomic<bool>& is_used_up) const {
    Budget result = *this;
    result.is_memory_used_up_ = &is_used_up;
    return result;
  }

  // The same, but it also ends when this flag is raised: whoever asked has what it wanted.
  // A budget has one such flag, which must outlive it.
  [[nodiscard]] Budget until(const std::atomic<bool>& is_enough) const {
    Budget result = *this;
    result.is_enough_ = &is_enough;
    return result;
  }

  // The same, but it is interrupted once somebody has looked at it so many times.  Tests
  // strike so at any place that looks, and at the same one each time.  The count must
  // outlive the budget.
  [[nodiscard]] Budget with_looks(std::atomic<std::int64_t>& looks_left) const {
    Budget result = *this;
    result.looks_left_ = &looks_left;
    return result;
  }

  // The same, but what is done with it is told to `inspection`, which must outlive it.
  [[nodiscard]] Budget inspected_by(Inspection& inspection) const {
    Budget result = *this;
    result.inspection_ = &inspection;
    return result;
  }

  // The same, but at most `seconds` from now.
  [[nodiscard]] Budget within(double seconds) const {
    Budget result = *this;
    result.deadline_ = from_now(seconds);
    if (deadline_) result.deadline_ = std::min(*deadline_, *result.deadline_);
    return result;
  }

  // To look once more at what was found when the time was over or a person had enough: at
  // most `seconds` from now, whatever else was said, as long as there is memory.
  [[nodiscard]] Budget last_moment(double seconds) const {
    Budget result = *this;
    result.interrupted_ = nullptr;
    result.is_enough_ = nullptr;
    result.looks_left_ = nullptr;
    result.deadline_ = from_now(seconds);
    return result;
  }

  [[nodiscard]] bool counts_looks() const { return looks_left_ != nullptr; }

  [[nodiscard]] bool is_interrupted() const {
    return is_raised(interrupted_) ||
           (looks_left_ != nullptr && looks_left_->load(std::memory_order_relaxed) <= 0);
  }

  [[nodiscard]] bool is_out_of_memory() const { return is_raised(is_memory_used_up_); }

  [[nodiscard]] bool is_exhausted() const {
    if (looks_left_ != nullptr) looks_left_->fetch_sub(1, std::memory_order_relaxed);
    return is_interrupted() || is_out_of_memory() || is_raised(is_enough_) ||
           (deadline_ && Clock::now() >= *deadline_);
  }

  // Once it is exhausted: "interrupted", "memory", "enough" or "timeout".
  [[nodiscard]] std::string reason() const {
    if (is_interrupted()) return "interrupted";
    if (is_out_of_memory()) return "memory";
    return is_raised(is_enough_) ? "enough" : "timeout";
  }

  // Null if nobody looks on.
  [[nodiscard]] Inspection* inspection() const { return inspection_; }

 private:
  static Clock::time_point from_now(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(seconds));
  }

  static bool is_raised(const std::atomic<bool>* flag) {
    return flag != nullptr && flag->load(std::memory_order_relaxed);
  }

  std::optional<Clock::time_point> deadline_;
  const std::atomic<bool>* interrupted_ = nullptr;
  const std::atomic<bool>* is_memory_used_up_ = nullptr;
  const std::atomic<bool>* is_enough_ = nullptr;
  std::atomic<std::int64_t>* looks_left_ = nullptr;
  Inspection* inspection_ = nullptr;
};

// Whether a budget has run out, asked in a tight loop: the clock is looked at only now and
// then.
class Patience {
 public:
  explicit Patience(const Budget& budget) : budget_(budget) {}

  [[nodiscard]] bool is_over() {
    const std::uint32_t interval = budget_.counts_looks() ? 1 : 256;
    if (++asked_ % interval == 0 && !is_over_) is_over_ = budget_.is_exhausted();
    return is_over_;
  }

 private:
  Budget budget_;
  std::uint32_t asked_ = 0;
  bool is_over_ = false;
};

}  // namespace isomer
