// SPDX-License-Identifier: MIT
#include "explore/search.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::explore {
namespace {

constexpr std::uint32_t steps_between_looks = 256;

// Of the runs of transactions; what is over is forgotten and done again when needed.
constexpr std::size_t bytes_max = std::size_t{64} << 20;

}  // namespace

template <std::size_t Words>
bool Search<Words>::explore(Branch<Words> branch) {
  history_ = std::move(branch.history);
  history_.replay(runs_);
  is_settled_ = branch.is_settled;
  weight_ = branch.weight;
  path_ = std::move(branch.path);
  depth_ = 0;
  while (true) {
    if (++steps_ % steps_between_looks == 0 && !look_around()) return false;
    switch (extend()) {
      case Outcome::Extended:
        break;
      case Outcome::Stopped:
        return false;
      case Outcome::DeadEnd:
        done_ += weight_;
        if (!backtrack()) return true;
    }
  }
}

template <std::size_t Words>
auto Search<Words>::extend() -> Outcome {
  if (history_.has_pending()) return choose_writer();
  if (!is_settled_) {
    is_settled_ = true;
    if (history_.last().node->kind == Node::Kind::Commits) exploreSwaps();
  }
  const std::optional<TxnNumber> next = explore_ce_.Next(history_);
  if (!next) {
    ++counts_.end_states;
    return hooks_.on_end(history_, path_) ? Outcome::DeadEnd : Outcome::Stopped;
  }
  history_.begin(*next, runs_.start(*next));
  is_settled_ = false;
  ++counts_.explored;
  return Outcome::Extended;
}

template <std::size_t Words>
auto Search<Words>::choose_writer() -> Outcome {
  explore_ce_.ValidWrites(history_, writers_);
  if (writers_.empty()) {
    ++counts_.blocked;
    return Outcome::DeadEnd;
  }
  if (writers_.size() > 1) {
    Frame& frame = push_frame(writers_.size());
    frame.writers = writers_;
  }
  const bool is_fixed = !history_.past(history_.last().number).contains(writers_.front());
  explore_ce_.read_from(history_, writers_.front());
  ++counts_.explored;
  if (is_fixed && hooks_.is_hopeless && hooks_.is_hopeless(history_)) {
    ++counts_.pruned;
    return Outcome::DeadEnd;
  }
  return Outcome::Extended;
}

template <std::size_t Words>
void Search<Words>::exploreSwaps() {
  ++counts_.explored;
  Reorderings swaps = explore_ce_.ComputeReorderings(history_);
  std::erase_if(swaps,
                [&](ReadPlace read) { return !explore_ce_.Optimality(history_, read); });
  if (!swaps.empty()) push_frame(swaps.size() + 1).swaps = std::move(swaps);
}

// For the current history, of which the first alternative is taken at once.
template <std::size_t Words>
auto Search<Words>::push_frame(std::size_t alternatives) -> Frame& {
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_++];
  frame.history = history_;
  frame.writers.clear();
  frame.swaps.clear();
  frame.next = 1;
  weight_ /= static_cast<double>(alternatives);
  frame.weight = weight_;
  frame.path_size = path_.size();
  path_.push_back(0);
  return frame;
}

// False if nothing can come of it.
template <std::size_t Words>
bool Search<Words>::take(Frame& frame, std::size_t alternative, History& history) {
  ++counts_.explored;
  bool is_fixed = true;
  if (!frame.writers.empty()) {
    const TxnNumber writer = frame.writers[alternative];
    history = frame.history;
    is_fixed = !history.past(history.last().number).contains(writer);
    explore_ce_.read_from(history, writer);
  } else {
    explore_ce_.Swap(frame.history, frame.swaps[alternative - 1], history);
  }
  if (!is_fixed || !hooks_.is_hopeless || !hooks_.is_hopeless(history)) return true;
  ++counts_.pruned;
  return false;
}

// False if there is nowhere to go back to.
template <std::size_t Words>
bool Search<Words>::backtrack() {
  while (depth_ > 0) {
    Frame& frame = frames_[depth_ - 1];
    if (frame.next == frame.count()) {
      --depth_;
      continue;
    }
    const std::size_t alternative = frame.next++;
    path_.resize(frame.path_size);
    path_.push_back(static_cast<std::uint32_t>(alternative));
    weight_ = frame.weight;
    is_settled_ = false;
    if (take(frame, alternative, history_)) return true;
    done_ += weight_;
  }
  return false;
}

// The last alternative of the oldest choice: the largest part.
template <std::size_t Words>
void Search<Words>::give_away() {
  for (std::size_t i = 0; i < depth_; ++i) {
    Frame& frame = frames_[i];
    if (frame.next == frame.count()) continue;
    Branch<Words> branch;
    const std::size_t alternative = frame.count() - 1;
    branch.path.assign(path_.begin(),
                       path_.begin() + static_cast<std::ptrdiff_t>(frame.path_size));
    branch.path.push_back(static_cast<std::uint32_t>(alternative));
    branch.weight = frame.weight;
    branch.is_settled = false;
    const bool is_hopeful = take(frame, alternative, branch.history);
    if (frame.writers.empty())
      frame.swaps.pop_back();
    else
      frame.writers.pop_back();
    if (is_hopeful)
      hooks_.give_work(std::move(branch));
    else
      done_ += branch.weight;
    return;
  }
}

template <std::size_t Words>
bool Search<Words>::look_around() {
  if (hooks_.is_work_wanted && hooks_.is_work_wanted()) give_away();
  if (runs_.bytes() > bytes_max) {
    runs_.forget();
    if (hooks_.on_forget) hooks_.on_forget();
    history_.replay(runs_);
    for (std::size_t i = 0; i < depth_; ++i)
      frames_[i].history.replay(runs_);
  }
  const double done = done_;
  done_ = 0;
  return hooks_.goes_on(done);
}

template class Search<1>;
template class Search<4>;

}  // namespace isomer::explore
