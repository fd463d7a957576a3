// SPDX-License-Identifier: MIT
// Levels are lowered type by type: at the start all types have the cheapest level that is
// enough for all; then each type in turn, those in the fewest anomalies first, gets the
// cheapest level with which there is still no anomaly.  Making a level weaker can only add
// executions, so the result is minimal: no single type can be lowered further.  (The
// cheapest of all assignments would take trying exponentially many.)
//
// Serial pairs are found from what goes wrong: while there is an anomaly, a pair of types
// between which it has an anti-dependency becomes serial, one that many anomalies have; at
// the end, pairs that are not needed are taken back.
#include "audit/advise.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/stopwatch.h"

namespace isomer::audit {
namespace {

using Pair = std::vector<std::uint32_t>;  // two types, the smaller first

class Adviser {
 public:
  Adviser(const Program& program, const Offer& offer, const Options& options,
          AdviseResult& out)
      : program_(program), offer_(offer), options_(options), out_(out) {
    options_.confirm = false;
  }

  void run() {
    out_.unchanged = audited(plan_of(all_at(0)));
    options_.stop_at_first = true;
    for (std::uint32_t i = 0; i < offer_.levels.size() && !out_.uniform; ++i)
      if (is_clean(i == 0 ? out_.unchanged : audited(plan_of(all_at(i))))) out_.uniform = i;
    if (out_.uniform && *out_.uniform > 0) lower();
    if (!offer_.is_postgresql && !is_clean(out_.unchanged)) add_pairs();
  }

 private:
  using Assignment = std::vector<std::uint32_t>;

  [[nodiscard]] Assignment all_at(std::uint32_t level) const {
    return Assignment(program_.types.size(), level);
  }

  // Watched transactions have the level below, and are watched.
  [[nodiscard]] Plan plan_of(const Assignment& levels) const {
    Plan out = uniform_plan(program_, offer_.levels.front());
    out.levels = offer_.levels;
    out.level_of = levels;
    if (offer_.is_postgresql) {
      const auto last = static_cast<std::uint32_t>(offer_.levels.size() - 1);
      out.levels.pop_back();
      out.is_watched.assign(levels.size(), false);
      for (std::size_t i = 0; i < levels.size(); ++i)
        if (levels[i] == last) {
          out.is_watched[i] = true;
          out.level_of[i] = last - 1;
        }
    }
    drop_unused(out);
    return out;
  }

  static void drop_unused(Plan& plan) {
    std::vector<level::Level> used;
    std::map<std::uint32_t, std::uint32_t> places;
    for (std::uint32_t& level : plan.level_of) {
      const auto [place, is_new] =
          places.emplace(level, static_cast<std::uint32_t>(used.size()));
      if (is_new) used.push_back(plan.levels[level]);
      level = place->second;
    }
    plan.levels = std::move(used);
  }

  Result audited(const Plan& plan) {
    ++out_.plans;
    Result result = audit(program_, plan, options_);
    if (!result.unknown.empty() && result.verdict == Verdict::Unknown)
      out_.unknown = result.unknown;
    return result;
  }

  static bool is_clean(const Result& result) {
    return result.verdict == Verdict::Serializable || result.verdict == Verdict::NoCycle;
  }

  void lower() {
    Assignment levels = all_at(*out_.uniform);
    Result best = audited(plan_of(levels));
    for (const std::uint32_t type : least_involved_first())
      for (std::uint32_t level = 0; level < *out_.uniform; ++level) {
        if (options_.budget.is_exhausted()) {
          out_.unknown = options_.budget.reason();
          return;
        }
        Assignment tried = levels;
        tried[type] = level;
        Result result = audited(plan_of(tried));
        if (!is_clean(result)) continue;
        levels = std::move(tried);
        best = std::move(result);
        break;
      }
    Advice advice{.plan = plan_of(levels), .result = std::move(best), .names = {}};
    for (const std::uint32_t level : levels)
      advice.names.push_back(offer_.names[level]);
    out_.by_type = std::move(advice);
  }

  // Types by the number of anomalies that they take part in if nothing is changed.
  [[nodiscard]] std::vector<std::uint32_t> least_involved_first() const {
    std::vector<std::size_t> counts(program_.types.size());
    for (const Anomaly& anomaly : out_.unchanged.anomalies)
      for (const AnomalyTransaction& transaction : anomaly.transactions)
        ++counts[transaction.type];
    std::vector<std::uint32_t> out(counts.size());
    for (std::uint32_t i = 0; i < out.size(); ++i)
      out[i] = i;
    std::stable_sort(out.begin(), out.end(), [&](std::uint32_t a, std::uint32_t b) {
      return counts[a] < counts[b];
    });
    return out;
  }

  // --- pairs ---

  // The pair of types with an anti-dependency that the most anomalies have.
  static std::optional<Pair> worst_pair(const Result& result,
                                        const std::vector<Pair>& known) {
    std::map<Pair, std::size_t> counts;
    for (const Anomaly& anomaly : result.anomalies)
      for (const Dependency& edge : anomaly.dependencies) {
        if (edge.kind != DependencyKind::ReadWrite) continue;
        Pair pair{anomaly.transactions[edge.from].type, anomaly.transactions[edge.to].type};
        std::sort(pair.begin(), pair.end());
        if (std::find(known.begin(), known.end(), pair) == known.end()) ++counts[pair];
      }
    const auto best =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return best == counts.end() ? std::nullopt : std::optional(best->first);
  }

  void add_pairs() {
    Plan plan = plan_of(all_at(0));
    Result result = out_.unchanged;
    while (!is_clean(result)) {
      const std::optional<Pair> pair = worst_pair(result, plan.serial);
      if (!pair || options_.budget.is_exhausted()) return;
      plan.serial.push_back(*pair);
      result = audited(plan);
    }
    for (std::size_t i = 0; i < plan.serial.size();) {
      Plan tried = plan;
      tried.serial.erase(tried.serial.begin() + static_cast<std::ptrdiff_t>(i));
      Result without = audited(tried);
      if (!is_clean(without)) {
        ++i;
        continue;
      }
      plan = std::move(tried);
      result = std::move(without);
    }
    out_.by_serial_pairs = Advice{
        .plan = plan,
        .result = std::move(result),
        .names = std::vector<std::string>(program_.types.size(), offer_.names.front())};
  }

  const Program& program_;
  const Offer& offer_;
  Options options_;
  AdviseResult& out_;
};

}  // namespace

AdviseResult advise(const Program& program, const Offer& offer, const Options& options) {
  const Stopwatch stopwatch;
  AdviseResult out;
  Adviser(program, offer, options, out).run();
  out.seconds = stopwatch.seconds();
  return out;
}

}  // namespace isomer::audit
