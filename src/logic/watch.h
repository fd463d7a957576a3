// SPDX-License-Identifier: MIT
// A thread that watches a budget on behalf of a library that does not ask whether to go on.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "base/budget.h"

namespace isomer::logic {

// Once the budget is exhausted, `interrupt` is called from the other thread again and
// again: a library may forget an interrupt that comes between two of its phases.
class Watch {
 public:
  Watch(const Budget& budget, std::function<void()> interrupt)
      : thread_([this, &budget, interrupt = std::move(interrupt)] {
          run(budget, interrupt);
        }) {}

  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_one();
    thread_.join();
  }

  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  void run(const Budget& budget, const std::function<void()>& interrupt) {
    std::unique_lock lock(mutex_);
    while (!over_.wait_for(lock, std::chrono::milliseconds(5), [this] { return is_over_; }))
      if (budget.is_exhausted()) interrupt();
  }

  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace isomer::logic
