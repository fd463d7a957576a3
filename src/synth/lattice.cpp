// SPDX-License-Identifier: MIT
// The order of many levels.  Each history found is put to every level, and refutes all
// implications from a level that allows it to one that does not; each implication found
// extends by transitivity.  So few of the n^2 pairs are searched.
#include <algorithm>

#include "base/assert.h"
#include "base/budget.h"
#include "level/least.h"
#include "level/part_tables.h"
#include "synth/compare.h"
#include "synth/execution.h"

namespace isomer::synth {
namespace {

enum class Known : std::uint8_t { Open, Implies, Refuted, Undecided };

class Builder {
 public:
  Builder(std::span<const Level> levels, const CompareOptions& options)
      : levels_(levels),
        search_options_(options.search),
        known_(levels.size(), levels.size(), Known::Open) {
    // One open history for all, or the answers might not fit together.
    search_options_.has_events = true;
    for (const Level& level : levels)
      forms_.push_back(level::least_form(level));
  }

  Lattice build() {
    const Stopwatch watch;
    out_.scope = search_options_.scope.value_or(scope_default);
    for (std::size_t i = 0; i < levels_.size(); ++i)
      known_(i, i) = Known::Implies;
    for (std::size_t i = 0; i < levels_.size(); ++i)
      for (std::size_t j = 0; j < levels_.size(); ++j)
        if (known_(i, j) == Known::Open) ask(i, j);
    find_classes();
    find_edges();
    out_.stats.seconds = watch.seconds();
    return std::move(out_);
  }

 private:
  void ask(std::size_t i, std::size_t j) {
    const Result result = search(i, j);
    switch (result.outcome) {
      case Outcome::Found:
        put_to_every_level(result.found.front());
        // The search and the history as recorded must agree, if there is time to ask.
        if (known_(i, j) == Known::Refuted) break;
        ISOMER_ASSERT(search_options_.budget.is_exhausted());
        leave_open(i, j);
        break;
      case Outcome::None:
        known_(i, j) = Known::Implies;
        close();
        break;
      case Outcome::Unknown:
        leave_open(i, j);
        break;
    }
  }

  void leave_open(std::size_t i, std::size_t j) {
    known_(i, j) = Known::Undecided;
    out_.is_complete = false;
    out_.undecided.push_back(levels_[i].qualified_name() + " => " +
                             levels_[j].qualified_name());
  }

  Result search(std::size_t i, std::size_t j) {
    const Result result =
        synth(levels_.subspan(i, 1), levels_.subspan(j, 1), search_options_);
    out_.stats.candidates += result.stats.candidates;
    out_.stats.clauses += result.stats.clauses;
    return result;
  }

  void put_to_every_level(const Found& found) {
    std::vector<std::size_t> allow;
    std::vector<std::size_t> forbid;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const level::Part part = level::whole(found.history, levels_[i]);
      const ExecutionAnswer answer = find_execution(
          forms_[i], level::history_tables(part, {}), search_options_.budget, false);
      if (std::holds_alternative<NoExecution>(answer)) forbid.push_back(i);
      if (std::holds_alternative<Execution<Truth>>(answer)) allow.push_back(i);
    }
    for (const std::size_t i : allow)
      for (const std::size_t j : forbid) {
        ISOMER_ASSERT(known_(i, j) != Known::Implies);
        known_(i, j) = Known::Refuted;
      }
  }

  void close() {
    const std::size_t size = levels_.size();
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
          if (known_(i, k) == Known::Implies && known_(k, j) == Known::Implies)
            known_(i, j) = Known::Implies;
  }

  [[nodiscard]] bool implies(std::size_t i, std::size_t j) const {
    return known_(i, j) == Known::Implies;
  }

  void find_classes() {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const auto same = [&](std::size_t first) {
        return implies(i, first) && implies(first, i);
      };
      const auto found = std::ranges::find_if(first_of_class_, same);
      const auto index = static_cast<std::size_t>(found - first_of_class_.begin());
      if (found == first_of_class_.end()) {
        first_of_class_.push_back(i);
        out_.classes.emplace_back();
      }
      out_.classes[index].push_back(levels_[i].qualified_name());
    }
  }

  [[nodiscard]] bool is_stronger(std::size_t a, std::size_t b) const {
    return a != b && implies(first_of_class_[a], first_of_class_[b]);
  }

  // Covering pairs, each with its own smallest history.
  void find_edges() {
    for (std::size_t a = 0; a < first_of_class_.size(); ++a)
      for (std::size_t b = 0; b < first_of_class_.size(); ++b) {
        if (!is_stronger(a, b)) continue;
        bool is_covered = false;
        for (std::size_t c = 0; c < first_of_class_.size(); ++c)
          is_covered |= is_stronger(a, c) && is_stronger(c, b);
        if (!is_covered) add_edge(a, b);
      }
  }

  void add_edge(std::size_t strong, std::size_t weak) {
    Result result = search(first_of_class_[weak], first_of_class_[strong]);
    if (result.outcome != Outcome::Found) {
      out_.is_complete = false;
      return;
    }
    out_.edges.push_back({static_cast<std::uint32_t>(strong),
                          static_cast<std::uint32_t>(weak),
                          static_cast<std::uint32_t>(out_.histories.size())});
    out_.histories.push_back(std::move(result.found.front()));
  }

  std::span<const Level> levels_;
  Options search_options_;
  std::vector<level::LeastForm> forms_;
  Matrix<Known> known_;
  std::vector<std::size_t> first_of_class_;
  Lattice out_;
};

}  // namespace

Lattice lattice(std::span<const Level> levels, const CompareOptions& options) {
  return Builder(levels, options).build();
}

}  // namespace isomer::synth
