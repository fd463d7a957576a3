// SPDX-License-Identifier: MIT
#include "record/commit_order.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/random.h"

namespace isomer::record {
namespace {

using Number = std::pair<std::uint32_t, std::uint64_t>;  // start, number

class Ordering {
 public:
  Ordering(std::span<const Writer> writers, std::span<const Snapshot> snapshots)
      : writers_(writers.begin(), writers.end()), snapshots_(snapshots) {
    for (const Writer& writer : writers)
      numbers_.emplace_back(writer.start, writer.number);
    std::sort(numbers_.begin(), numbers_.end());
  }

  CommitOrder run() {
    CommitOrder out;
    if (std::adjacent_find(numbers_.begin(), numbers_.end()) != numbers_.end()) {
      out.problem = "the server gave one number to two transactions";
      return out;
    }
    for (const Snapshot& snapshot : snapshots_)
      out.seen.push_back(seen_by(snapshot));
    sort_snapshots(out.seen);
    rank_writers();
    place_writers(out);
    if (out.problem.empty() && !are_prefixes(out))
      out.problem = "the snapshots of the server are not those of one order of commits";
    return out;
  }

 private:
  [[nodiscard]] bool is_writer(const Number& number) const {
    return std::binary_search(numbers_.begin(), numbers_.end(), number);
  }

  [[nodiscard]] std::uint32_t seen_by(const Snapshot& snapshot) const {
    const auto end = std::lower_bound(numbers_.begin(), numbers_.end(),
                                      Number(snapshot.start, snapshot.next));
    const auto hidden = std::count_if(
        snapshot.running.begin(), snapshot.running.end(),
        [&](std::uint64_t number) { return is_writer({snapshot.start, number}); });
    return static_cast<std::uint32_t>(end - numbers_.begin() - hidden);
  }

  static bool sees(const Snapshot& snapshot, const Writer& writer) {
    if (writer.start != snapshot.start) return writer.start < snapshot.start;
    if (writer.number >= snapshot.next) return false;
    return writer.number < snapshot.first_running ||
           !std::binary_search(snapshot.running.begin(), snapshot.running.end(),
                               writer.number);
  }

  void sort_snapshots(const std::vector<std::uint32_t>& seen) {
    by_seen_.resize(snapshots_.size());
    std::iota(by_seen_.begin(), by_seen_.end(), std::size_t{0});
    std::stable_sort(by_seen_.begin(), by_seen_.end(),
                     [&](std::size_t a, std::size_t b) { return seen[a] < seen[b]; });
  }

  // The first snapshot that sees it, in their order.
  void rank_writers() {
    for (const Writer& writer : writers_) {
      const auto first =
          std::partition_point(by_seen_.begin(), by_seen_.end(),
                               [&](std::size_t i) { return !sees(snapshots_[i], writer); });
      rank_.push_back(static_cast<std::size_t>(first - by_seen_.begin()));
    }
  }

  // A sum that stands for a set of writers.
  [[nodiscard]] static std::uint64_t mark_of(const Number& number) {
    return Random(number.second * 31 + number.first).next();
  }

  [[nodiscard]] std::uint64_t sum_seen_by(const Snapshot& snapshot) const {
    const auto end = std::lower_bound(numbers_.begin(), numbers_.end(),
                                      Number(snapshot.start, snapshot.next));
    std::uint64_t out = sums_[static_cast<std::size_t>(end - numbers_.begin())];
    for (const std::uint64_t number : snapshot.running)
      if (is_writer({snapshot.start, number})) out -= mark_of({snapshot.start, number});
    return out;
  }

  // Does each snapshot see the first ones, and no other?
  [[nodiscard]] bool are_prefixes(const CommitOrder& order) {
    sums_ = {0};
    for (const Number& number : numbers_)
      sums_.push_back(sums_.back() + mark_of(number));
    std::vector<std::uint64_t> in_order(writers_.size());
    for (std::size_t i = 0; i < writers_.size(); ++i)
      in_order[order.place[i] - 1] = mark_of({writers_[i].start, writers_[i].number});
    std::vector<std::uint64_t> sums = {0};
    for (const std::uint64_t mark : in_order)
      sums.push_back(sums.back() + mark);
    for (std::size_t i = 0; i < snapshots_.size(); ++i)
      if (sum_seen_by(snapshots_[i]) != sums[order.seen[i]]) return false;
    return true;
  }

  void place_writers(CommitOrder& out) {
    std::vector<std::size_t> order(writers_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(rank_[a], writers_[a].acknowledged) <
             std::pair(rank_[b], writers_[b].acknowledged);
    });
    out.place.resize(writers_.size());
    for (auto first = order.begin(); first != order.end();) {
      const auto last = std::find_if(first, order.end(), [&](std::size_t writer) {
        return rank_[writer] != rank_[*first];
      });
      order_keys({first, last});
      for (; first != last; ++first)
        place(*first, out);
    }
  }

  // Who inserts a row waits until whoever deletes one with its key has committed.
  void order_keys(std::span<const std::size_t> group) {
    std::multimap<std::uint64_t, std::size_t> freed;
    for (const std::size_t writer : group)
      for (const std::uint64_t key : writers_[writer].frees)
        freed.emplace(key, writer);
    for (const std::size_t writer : group)
      for (const std::uint64_t key : writers_[writer].takes) {
        const auto [first, last] = freed.equal_range(key);
        for (auto by = first; by != last; ++by)
          if (by->second != writer && !comes_after(by->second, writer))
            writers_[writer].after.push_back(by->second);
      }
  }

  // Through writers of its own rank: the row that was inserted is the one that was deleted.
  [[nodiscard]] bool comes_after(std::size_t writer, std::size_t other) const {
    std::vector<std::size_t> open = {writer};
    std::set<std::size_t> known = {writer};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (at == other) return true;
      for (const std::size_t before : writers_[at].after)
        if (rank_[before] == rank_[writer] && known.insert(before).second)
          open.push_back(before);
    }
    return false;
  }

  // Behind those whose versions it overwrote.
  void place(std::size_t from, CommitOrder& out) {
    std::vector<std::pair<std::size_t, std::size_t>> path = {{from, 0}};
    while (!path.empty()) {
      auto& [writer, next] = path.back();
      if (out.place[writer] != 0) {
        path.pop_back();
      } else if (next < writers_[writer].after.size()) {
        const std::size_t before = writers_[writer].after[next++];
        if (before == writer || out.place[before] != 0) continue;
        if (rank_[before] > rank_[writer] || path.size() > writers_.size()) {
          out.problem = "a version was overwritten before it was committed";
          return;
        }
        path.emplace_back(before, 0);
      } else {
        out.place[writer] = ++placed_;
        path.pop_back();
      }
    }
  }

  std::vector<Writer> writers_;
  std::span<const Snapshot> snapshots_;
  std::vector<Number> numbers_;
  std::vector<std::uint64_t> sums_;
  std::vector<std::size_t> by_seen_;
  std::vector<std::size_t> rank_;
  std::uint32_t placed_ = 0;
};

}  // namespace

std::optional<Snapshot> parse_snapshot(std::string_view text, std::uint32_t start) {
  Snapshot out{.start = start};
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](std::uint64_t& to, char behind) {
    const auto [stop, error] = std::from_chars(at, end, to);
    if (error != std::errc() || (stop != end && *stop != behind)) return false;
    at = stop == end ? stop : stop + 1;
    return true;
  };
  if (!number(out.first_running, ':') || !number(out.next, ':')) return std::nullopt;
  while (at != end) {
    std::uint64_t running = 0;
    if (!number(running, ',')) return std::nullopt;
    out.running.push_back(running);
  }
  return out;
}

void add_running(Snapshot& to, std::uint64_t number) {
  if (number >= to.next) return;
  const auto place = std::lower_bound(to.running.begin(), to.running.end(), number);
  if (place == to.running.end() || *place != number) to.running.insert(place, number);
  to.first_running = std::min(to.first_running, number);
}

CommitOrder order_commits(std::span<const Writer> writers,
                          std::span<const Snapshot> snapshots) {
  return Ordering(writers, snapshots).run();
}

}  // namespace isomer::record
