// SPDX-License-Identifier: MIT
// Paths of dependencies that have no shortcut: section 5.2 of the paper, and a sharper form
// of it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "audit/search.h"

namespace isomer::audit {

// Asks the solver about paths of dependencies through transactions of given types.
class PathQuestions {
 public:
  using Types = std::vector<std::uint32_t>;
  using Requirement = std::function<void(Chain&, Question&)>;

  PathQuestions(const Application& application, const Plan& plan, const Options& options,
                Effort& effort)
      : application_(application), plan_(plan), options_(options), effort_(effort) {}

  // No execution has such a path that meets the requirement.
  bool is_impossible(const Types& types, const Requirement& requirement);

  [[nodiscard]] const Application& application() const { return application_; }

  [[nodiscard]] const Plan& plan() const { return plan_; }

  [[nodiscard]] const Options& options() const { return options_; }

  [[nodiscard]] Types all_types() const;

 private:
  const Application& application_;
  const Plan& plan_;
  const Options& options_;
  Effort& effort_;
};

// A path of dependencies that is part of a cycle.
struct Window {
  PathQuestions::Types types;
  std::size_t first = 0;  // the place of the transaction arbitrated before all of the cycle

  [[nodiscard]] Window longer(std::uint32_t type, bool in_front) const;
};

using Windows = std::vector<Window>;

// The parts of each length that the shortest cycle of an execution may have, through its
// first transaction.  A cycle has a part of every length up to its own, so where there is
// none, no shortest cycle has that length or more.
class CycleParts {
 public:
  using Exclusion = std::function<bool(const PathQuestions::Types&)>;

  // `is_excluded`: no cycle with a part of these types is asked for.
  CycleParts(PathQuestions& questions, Exclusion is_excluded);

  // Parts of one more transaction.  False, and nothing has changed, if they are too many or
  // the budget ends before they are known.
  bool grow();

  [[nodiscard]] const Windows& windows() const { return windows_; }

  // The number of transactions of each.
  [[nodiscard]] std::size_t length() const { return length_; }

 private:
  [[nodiscard]] bool is_possible(const Window& window) const;

  PathQuestions& questions_;
  Exclusion is_excluded_;
  Windows windows_;
  std::size_t length_ = 1;
};

// The cycle, of all transactions of the chain, is a shortest one of its execution: no
// dependency or path of two that is certain leads from one transaction to another faster
// than the cycle does.
void require_shortest_cycle(Chain& chain, Question& question);

// The least k, up to Options::path_max, for which every path of k dependencies has a
// shortcut; nothing if none was found.
std::optional<std::uint32_t> shortest_path_bound(PathQuestions& questions);

// The same of the paths that run through the first transaction, by arbitration, of a
// shortest cycle.
std::optional<std::uint32_t> shortest_cycle_bound(PathQuestions& questions);

}  // namespace isomer::audit
