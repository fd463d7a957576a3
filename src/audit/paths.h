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

// The least k, up to Options::path_max, for which every path of k dependencies has a
// shortcut; nothing if none was found.
std::optional<std::uint32_t> shortest_path_bound(PathQuestions& questions);

// The same of the paths that run through the first transaction, by arbitration, of a
// shortest cycle.
std::optional<std::uint32_t> shortest_cycle_bound(PathQuestions& questions);

}  // namespace isomer::audit
