// SPDX-License-Identifier: MIT
// The cheapest levels by type, the fewest serial pairs at the cheapest level, and the
// cheapest mixture of levels and serial pairs.
//
// The price of an assignment of levels is the number of types that do not have the first
// level of the offer, then the sum over all types of the place of their level in it.  That
// of serial pairs is their number.  In a mixture a serial pair is one change more, and
// costs 1 like the second level of the offer.
//
// All are searched in the same way (audit/cheapest.h): the cheapest candidate that is not
// excluded is audited; if it has an anomaly, then so has every assignment that is weaker in
// each place, for raising a level or making a pair serial only takes executions away.  The
// promises of the standard levels to one transaction imply each other as the levels do; of
// other levels nothing is assumed but that each is as strong as itself.  To exclude more
// than the candidate, it is made stronger as long as the anomalies stay: first every type
// that the anomaly does without gets the dearest level, then its own types are raised one
// by one.  Each step is audited, so that what is excluded is certain to have an anomaly.
//
// Minimality is that of the audit: no cheaper assignment has been found free of cycles up
// to the bound.  Where the solver gave up on a cheaper one, the result says so.
//
// --assume-counters helps the audit only where all types have one level, so that it may
// find a spurious anomaly at levels that are stronger than one that it found clean.
// Therefore the levels for all types are tried first, and whatever is stronger than
// something clean is taken as clean, which it is.
#include "audit/advise.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "audit/confirm/confirm.h"
#include "base/assert.h"
#include "base/budget.h"
#include "base/matrix.h"
#include "check/asked_level.h"

namespace isomer::audit {
namespace {

bool is_clean(const Result& result) {
  return result.verdict == Verdict::Serializable || result.verdict == Verdict::NoCycle;
}

// What can be chosen, and what it means.
struct Space {
  std::vector<std::uint32_t> option_counts;  // by place
  Cheapest::Order is_covered;
  std::function<Plan(const Assignment&)> plan_of;
  // Of a place: a type, or the two of a pair.
  std::function<std::vector<std::uint32_t>(std::size_t)> types_at;
};

struct Known {
  Assignment assignment;
  Result result;
};

class Search {
 public:
  Search(const Program& program, const Options& options, Space space, AdviseResult& out)
      : program_(program),
        options_(options),
        space_(std::move(space)),
        cheapest_(space_.option_counts, space_.is_covered),
        out_(out) {}

  // What is found out about an assignment for another reason.
  void learn(const Assignment& assignment, const Result& result) {
    (is_clean(result) ? clean_ : bad_).push_back({assignment, result});
  }

  // Only what is cheaper than the limit, if there is one.
  std::optional<Advice> run(const std::optional<Price>& limit = std::nullopt) {
    for (const Known& known : bad_)
      exclude_all_like(known.assignment, known.result);
    while (const std::optional<Assignment> candidate = cheapest_.next(options_.budget)) {
      if (limit && price_of(*candidate) >= *limit) return std::nullopt;
      if (const Known* clean = weaker_clean(*candidate))
        return advice(*candidate, clean->result);
      const Result result = audited(*candidate, options_.prove);
      if (is_clean(result)) return advice(*candidate, result);
      exclude_all_like(*candidate, result);
    }
    if (options_.budget.is_exhausted()) out_.unknown = options_.budget.reason();
    return std::nullopt;
  }

  // Of nothing cheaper than what was found it is unknown whether it is enough.
  [[nodiscard]] bool is_cheapest() const { return is_cheapest_; }

 private:
  Result audited(const Assignment& assignment, bool prove) {
    ++out_.plans;
    Options asked = options_;
    asked.prove = prove;
    asked.stop_at_first = true;
    return audit(program_, space_.plan_of(assignment), asked);
  }

  [[nodiscard]] const Known* weaker_clean(const Assignment& assignment) const {
    const auto found = std::find_if(clean_.begin(), clean_.end(), [&](const Known& known) {
      return cheapest_.covers(assignment, known.assignment);
    });
    return found == clean_.end() ? nullptr : &*found;
  }

  void exclude(const Assignment& bad, const Anomaly& anomaly) {
    cheapest_.exclude(bad, reasons_.size());
    reasons_.push_back(anomaly);
  }

  void exclude_all_like(const Assignment& assignment, const Result& result) {
    if (result.anomalies.empty())
      give_up(assignment, result.unknown);
    else
      exclude_stronger(assignment, result.anomalies.front());
  }

  // Nothing is known of the assignment, and it is not advised.
  void give_up(const Assignment& assignment, const std::string& why) {
    out_.unknown = why;
    is_cheapest_ = false;
    exclude(assignment, {});
  }

  // --- a bad assignment made stronger ---

  void exclude_stronger(Assignment bad, Anomaly anomaly) {
    const auto replace = [&](const Assignment& stronger) {
      std::optional<Anomaly> other = anomaly_of(stronger);
      if (!other) return;
      bad = stronger;
      anomaly = std::move(*other);
    };
    const std::vector<bool> is_involved = involved(anomaly);
    Assignment stronger = bad;
    for (std::size_t i = 0; i < bad.size(); ++i)
      if (!is_involved[i] && space_.is_covered(i, bad[i], space_.option_counts[i] - 1))
        stronger[i] = space_.option_counts[i] - 1;
    if (stronger != bad) replace(stronger);
    for (std::size_t i = 0; i < bad.size(); ++i)
      for (std::uint32_t option = 0; option < space_.option_counts[i]; ++option) {
        if (options_.budget.is_exhausted()) break;
        if (bad[i] == option || !space_.is_covered(i, bad[i], option)) continue;
        stronger = bad;
        stronger[i] = option;
        replace(stronger);
      }
    exclude(bad, anomaly);
  }

  // By place: are all its types among those of the anomaly?
  [[nodiscard]] std::vector<bool> involved(const Anomaly& anomaly) const {
    std::set<std::uint32_t> types;
    for (const AnomalyTransaction& transaction : anomaly.transactions)
      types.insert(transaction.type);
    std::vector<bool> out(space_.option_counts.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::vector<std::uint32_t> at = space_.types_at(i);
      out[i] = std::all_of(at.begin(), at.end(),
                           [&](std::uint32_t type) { return types.contains(type); });
    }
    return out;
  }

  // One that the assignment is known to have.
  std::optional<Anomaly> anomaly_of(const Assignment& assignment) {
    if (weaker_clean(assignment) != nullptr) return std::nullopt;
    const Result result = audited(assignment, false);
    if (is_clean(result)) clean_.push_back({assignment, result});
    if (result.anomalies.empty()) return std::nullopt;
    return result.anomalies.front();
  }

  // --- the answer ---

  Advice advice(const Assignment& assignment, const Result& result) const {
    Advice out{.plan = space_.plan_of(assignment),
               .result = result,
               .choice = assignment,
               .names = {},
               .price = price_of(assignment),
               .is_cheapest = is_cheapest_,
               .changes = {}};
    for (std::size_t i = 0; i < assignment.size(); ++i) {
      if (assignment[i] == 0) continue;
      Assignment without = assignment;
      --without[i];
      const std::optional<std::size_t> reason = cheapest_.reason_against(without);
      ISOMER_ASSERT(reason);  // it is cheaper
      out.changes.push_back({space_.types_at(i), reasons_[*reason]});
    }
    return out;
  }

  const Program& program_;
  const Options& options_;
  Space space_;
  Cheapest cheapest_;
  std::vector<Anomaly> reasons_;
  std::vector<Known> clean_;
  std::vector<Known> bad_;  // not yet excluded
  bool is_cheapest_ = true;
  AdviseResult& out_;
};

class Adviser {
 public:
  Adviser(const Program& program, const Offer& offer, const Options& options,
          AdviseResult& out)
      : program_(program), offer_(offer), options_(options), out_(out) {
    options_.confirm = false;
  }

  void run() {
    Search by_type(program_, options_, level_space(), out_);
    for (std::uint32_t i = 0; i < offer_.levels.size(); ++i)
      if (!is_above_uniform(i)) try_for_all(i, by_type);
    if (is_clean(out_.unchanged)) return;
    if (!out_.uniform) find_shortfalls();
    if (options_.budget.is_exhausted()) {
      out_.unknown = options_.budget.reason();
      return;
    }
    out_.by_type = by_type.run();
    if (out_.by_type)
      for (const std::uint32_t level : out_.by_type->choice)
        out_.by_type->names.push_back(offer_.names[level]);
    if (offer_.is_postgresql) return;
    add_pairs();
    if (!options_.budget.is_exhausted()) add_mixture();
  }

 private:
  // --- one level for all ---

  [[nodiscard]] bool is_above_uniform(std::uint32_t level) const {
    return out_.uniform && is_stronger_or_equal(*out_.uniform, level);
  }

  void try_for_all(std::uint32_t level, Search& by_type) {
    const Assignment all(program_.types.size(), level);
    Options asked = options_;
    asked.stop_at_first = level > 0;
    ++out_.plans;
    Result result = audit(program_, plan_of(all), asked);
    if (result.verdict == Verdict::Unknown) out_.unknown = result.unknown;
    by_type.learn(all, result);
    if (is_clean(result) && !out_.uniform) {
      out_.uniform = level;
      out_.uniform_result = result;
    }
    if (level == 0) out_.unchanged = std::move(result);
  }

  // Runs what is wrong with the strongest levels.
  void find_shortfalls() {
    const auto count = static_cast<std::uint32_t>(offer_.levels.size());
    for (std::uint32_t level = 0; level < count; ++level) {
      bool is_strongest = true;
      for (std::uint32_t other = 0; other < count; ++other)
        if (other != level && is_stronger_or_equal(level, other) &&
            !(other < level && is_stronger_or_equal(other, level)))
          is_strongest = false;
      if (is_strongest) find_shortfall(level);
    }
  }

  void find_shortfall(std::uint32_t level) {
    Options asked = options_;
    asked.prove = false;
    asked.confirm = true;
    Result result =
        audit(program_, plan_of(Assignment(program_.types.size(), level)), asked);
    if (result.anomalies.empty()) return;
    const auto best = std::max_element(
        result.anomalies.begin(), result.anomalies.end(),
        [](const Anomaly& a, const Anomaly& b) { return evidence_of(a) < evidence_of(b); });
    if (best->confirmation != Confirmation::Confirmed && out_.unknown.empty())
      out_.unknown =
          fmt::format("no anomaly could be confirmed with {}", offer_.names[level]);
    out_.shortfalls.push_back({level, std::move(*best)});
  }

  // --- a level for each type ---

  // A promise to one transaction of the level `strong` includes that of `weak`.
  [[nodiscard]] bool is_stronger_or_equal(std::uint32_t weak, std::uint32_t strong) const {
    if (weak == strong) return true;
    const level::Level& a = offer_.levels[weak];
    const level::Level& b = offer_.levels[strong];
    return check::is_stronger_or_equal(check::AskedLevel(b.qualified_name(), b),
                                       check::AskedLevel(a.qualified_name(), a));
  }

  [[nodiscard]] Space level_space() const {
    const auto count = static_cast<std::uint32_t>(offer_.levels.size());
    Matrix<char> order(count, count, 0);
    for (std::uint32_t weak = 0; weak < count; ++weak)
      for (std::uint32_t strong = 0; strong < count; ++strong)
        order(weak, strong) = is_stronger_or_equal(weak, strong) ? 1 : 0;
    return {.option_counts = std::vector(program_.types.size(), count),
            .is_covered = [order = std::move(order)](
                              std::size_t, std::uint32_t weak,
                              std::uint32_t strong) { return order(weak, strong) != 0; },
            .plan_of = [this](const Assignment& levels) { return plan_of(levels); },
            .types_at =
                [](std::size_t place) {
                  return std::vector{static_cast<std::uint32_t>(place)};
                }};
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

  // --- serial pairs ---

  using Pairs = std::vector<std::vector<std::uint32_t>>;

  [[nodiscard]] Pairs all_pairs() const {
    const auto count = static_cast<std::uint32_t>(program_.types.size());
    Pairs out;
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a; b < count; ++b)
        out.push_back({a, b});
    return out;
  }

  void add_pairs() {
    const Pairs pairs = all_pairs();
    const Space space{.option_counts = std::vector<std::uint32_t>(pairs.size(), 2),
                      .is_covered = [](std::size_t, std::uint32_t weak,
                                       std::uint32_t strong) { return weak <= strong; },
                      .plan_of =
                          [&](const Assignment& chosen) {
                            Assignment all(program_.types.size(), 0);
                            all.insert(all.end(), chosen.begin(), chosen.end());
                            return mixed_plan_of(all, pairs);
                          },
                      .types_at = [&](std::size_t place) { return pairs[place]; }};
    Search search(program_, options_, space, out_);
    search.learn(Assignment(pairs.size(), 0), out_.unchanged);
    out_.by_serial_pairs = search.run();
    if (out_.by_serial_pairs)
      out_.by_serial_pairs->names.assign(program_.types.size(), offer_.names.front());
  }

  // --- both ---

  // First the levels of all types, then which pairs are serial.
  [[nodiscard]] Plan mixed_plan_of(const Assignment& chosen, const Pairs& pairs) const {
    const auto levels_end =
        chosen.begin() + static_cast<std::ptrdiff_t>(program_.types.size());
    Plan out = plan_of(Assignment(chosen.begin(), levels_end));
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (levels_end[static_cast<std::ptrdiff_t>(i)] == 1) out.serial.push_back(pairs[i]);
    return out;
  }

  // What costs as much as levels or pairs alone is not worth the two.
  [[nodiscard]] std::optional<Price> price_to_beat() const {
    std::optional<Price> out;
    for (const auto* advice : {&out_.by_type, &out_.by_serial_pairs})
      if (*advice && (!out || (*advice)->price < *out)) out = (*advice)->price;
    return out;
  }

  void add_mixture() {
    const Pairs pairs = all_pairs();
    const std::size_t type_count = program_.types.size();
    const Space levels = level_space();
    Space space{
        .option_counts = levels.option_counts,
        .is_covered =
            [&](std::size_t place, std::uint32_t weak, std::uint32_t strong) {
              return place < type_count ? levels.is_covered(place, weak, strong)
                                        : weak <= strong;
            },
        .plan_of = [&](const Assignment& chosen) { return mixed_plan_of(chosen, pairs); },
        .types_at =
            [&](std::size_t place) {
              return place < type_count ? levels.types_at(place)
                                        : pairs[place - type_count];
            }};
    space.option_counts.resize(type_count + pairs.size(), 2);
    Search search(program_, options_, space, out_);
    search.learn(Assignment(space.option_counts.size(), 0), out_.unchanged);
    out_.mixture = search.run(price_to_beat());
    out_.is_mixture_known = search.is_cheapest() && !options_.budget.is_exhausted();
    if (!out_.mixture) return;
    for (std::size_t type = 0; type < type_count; ++type)
      out_.mixture->names.push_back(offer_.names[out_.mixture->choice[type]]);
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
