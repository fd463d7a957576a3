// SPDX-License-Identifier: MIT
// A solver looks for an execution of the history that satisfies the level's text.  What it
// finds is evaluated by the text itself before anybody sees it.
//
// If there is none, the history is cut down.  Not every level is closed under taking parts
// (a level may demand that something exists), so each part that is kept has been shown to
// have no execution either.  The built-in levels are quick to name a few suspicious
// transactions; if these have no execution, the cutting starts there.  Else it starts from
// the whole, by halves and smaller pieces down to single transactions (delta debugging,
// Zeller & Hildebrandt 2002).  What is left has a minimal set of axioms that exclude each
// other.
//
// The cycle that a built-in level found in the same transactions tells the story only if it
// is the level's own: without any one of the reads that the cycle rests on there must be an
// execution.  (A level that allows each key one writer forbids a lost update, but not
// because of what was read.)
#include "check/generic/generic.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.h"
#include "check/decide.h"
#include "check/explain.h"
#include "check/generic/search.h"

namespace isomer::check {
namespace {

using history::ProblemKind;
using level::Part;

class Explainer {
 public:
  Explainer(const History& history, const level::Level& level, const Budget& budget,
            Stats& stats)
      : h_(history), level_(level), budget_(budget), stats_(stats) {}

  Violated run(std::vector<TxnId> all) {
    core_ = std::move(all);
    if (const auto* problem = guilty_problem()) {
      Violated result = explain(h_, *problem);
      result.axioms = axioms({problem->reader});
      return result;
    }
    std::optional<Violated> story = suspicion();
    const std::vector<TxnId> suspects = core_;
    const bool is_minimal = minimize();
    Violated result;
    if (story && suspects == core_ && rests_on_reads(story->cycle)) {
      result = std::move(*story);
    } else {
      result.transactions = core_.empty() ? std::vector{init} : core_;
    }
    result.is_minimal = is_minimal;
    result.axioms = axioms(core_);
    if (result.anomaly.empty())
      result.anomaly =
          fmt::format("no execution satisfies {}", fmt::join(result.axioms, " and "));
    return result;
  }

 private:
  bool has_no_execution(const std::vector<TxnId>& transactions) {
    ++stats_.solver_calls;
    const Found found =
        find_execution(level::part(h_, level_, transactions), level_, budget_);
    is_out_of_budget_ |= found.kind == Found::Kind::Unknown;
    return found.kind == Found::Kind::None;
  }

  // A read that is wrong by itself, if the level minds.
  const history::Problem* guilty_problem() {
    for (const history::Problem& problem : h_.problems())
      if (has_no_execution({problem.reader})) return &problem;
    return nullptr;
  }

  // What the weakest built-in level that is broken would show, if that is without an
  // execution too.  Then the core is made of it.
  std::optional<Violated> suspicion() {
    if (!h_.problems().empty()) return std::nullopt;
    for (const Level level : all_levels) {
      const Budget brief = budget_.within(seconds_of_suspicion);
      const Decision decision = decide(Selection(h_), level, {brief});
      if (decision.kind != Decision::Kind::Violated) continue;
      Violated story = explain(h_, level, decision.support, brief);
      std::vector<TxnId> suspects = story.transactions;
      std::erase(suspects, init);
      if (!has_no_execution(suspects)) continue;
      core_ = std::move(suspects);
      if (story.cycle.empty()) return std::nullopt;
      story.cycle_of = level;
      return story;
    }
    return std::nullopt;
  }

  using Reads = std::vector<ReadId>;

  // The reads that each edge stands on; those of one key from one writer go together.
  void add_reads(const std::vector<Edge>& edges, std::set<Reads>& out) const {
    const auto add = [&](TxnId reader, KeyId key, TxnId writer) {
      Reads reads;
      for (std::uint32_t r = h_.read_offsets()[reader.index];
           r < h_.read_offsets()[reader.index + 1]; ++r)
        if (h_.all_reads()[r].key == key && h_.all_reads()[r].writer == writer)
          reads.push_back({r});
      if (!reads.empty()) out.insert(std::move(reads));
    };
    for (const Edge& edge : edges) {
      if (edge.kind == EdgeKind::Wr) add(edge.to, edge.key, edge.from);
      if (edge.kind == EdgeKind::Rw) add(edge.from, edge.key, edge.via);
      if (edge.kind == EdgeKind::Ww && !edge.via.is_none())
        add(edge.via, edge.key, edge.to);
      add_reads(edge.because, out);
    }
  }

  bool rests_on_reads(const std::vector<Edge>& cycle) {
    std::set<Reads> needed;
    add_reads(cycle, needed);
    return !needed.empty() &&
           std::all_of(needed.begin(), needed.end(), [&](const Reads& reads) {
             ++stats_.solver_calls;
             const Part less = level::part(h_, level_, core_, reads);
             return find_execution(less, level_, budget_).kind == Found::Kind::Execution;
           });
  }

  // Leaves out pieces, ever smaller ones, until no single transaction can be left out.
  bool minimize() {
    for (std::size_t piece = std::max<std::size_t>(core_.size() / 2, 1);;) {
      const std::size_t size = core_.size();
      for (std::size_t end = size; end > 0 && core_.size() > 1;) {
        const std::size_t first = end > piece ? end - piece : 0;
        std::vector<TxnId> rest = core_;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(first),
                   rest.begin() + static_cast<std::ptrdiff_t>(end));
        if (has_no_execution(rest)) core_ = std::move(rest);
        if (is_out_of_budget_ || budget_.is_exhausted()) return false;
        end = first;
      }
      if (piece == 1 && core_.size() == size) return true;
      piece = std::max<std::size_t>(piece / 2, 1);
    }
  }

  std::vector<std::string> axioms(const std::vector<TxnId>& transactions) {
    const auto conflicting =
        conflicting_axioms(level::part(h_, level_, transactions), level_, budget_);
    if (!conflicting) return {level_.name};
    if (conflicting->empty()) return {"order of versions"};
    std::vector<std::string> names;
    for (const std::size_t i : *conflicting)
      if (std::find(names.begin(), names.end(), level_.axioms[i].name) == names.end())
        names.push_back(level_.axioms[i].name);
    return names;
  }

  static constexpr double seconds_of_suspicion = 5;

  const History& h_;
  const level::Level& level_;
  const Budget& budget_;
  Stats& stats_;
  std::vector<TxnId> core_;
  bool is_out_of_budget_ = false;
};

Violated explained(const Part& whole, const level::Level& level, const TextEffort& options,
                   Stats& stats) {
  if (!options.explain) return {};
  constexpr double seconds_max = 20;
  const Budget budget = options.budget.within(seconds_max);
  std::vector<TxnId> all(whole.index.txns.begin() + 1, whole.index.txns.end());
  return Explainer(whole.history, level, budget, stats).run(std::move(all));
}

}  // namespace

bool is_beyond_levels(const history::Problem& problem) {
  return problem.kind == ProblemKind::IncompatibleOrder ||
         problem.kind == ProblemKind::DuplicateElement;
}

Verdict answer_from_text(const History& history, const level::Level& level,
                         const TextEffort& options, Stats& stats) {
  for (const history::Problem& problem : history.problems())
    if (is_beyond_levels(problem)) return explain(history, problem);
  const Part whole = level::whole(history, level);
  ++stats.solver_calls;
  Found found = find_execution(whole, level, options.budget);
  switch (found.kind) {
    case Found::Kind::Unknown:
      return Unknown{found.reason};
    case Found::Kind::None:
      return explained(whole, level, options, stats);
    case Found::Kind::Execution:
      break;
  }
  Consistent witness =
      witness_of(whole, level, {std::move(found.choices), std::move(found.execution)});
  ISOMER_ASSERT(!refute_text(history, level, witness));
  return witness;
}

}  // namespace isomer::check
