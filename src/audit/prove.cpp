// SPDX-License-Identifier: MIT
// Sections 5.2 and 5.3 of the paper: from bounded cycles to executions of any length.
//
// Induction (lemma 11): if every dependency that starts at a transaction of T' goes forward
// in arbitration, and of every two dependencies in a row the end is arbitrated after the
// start or after the middle, then every path from T' goes forward, so no transaction of T'
// is on a cycle; then the same for the rest.  Only the types that are left need to be
// looked at.  T' is found by trying: the types whose dependencies all go forward are the
// largest candidate, since both conditions get easier with fewer other types and the second
// one does not depend on T'.
//
// Shortest paths: if every path of k dependencies has a shortcut, then a cycle longer than
// k has one too, and so there is a cycle of at most k.
#include "audit/prove.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isomer::audit {
namespace {

using logic::SatAnswer;
using Types = std::vector<std::uint32_t>;

class Prover {
 public:
  Prover(const Application& application, const Plan& plan, const Options& options,
         Effort& effort)
      : application_(application), plan_(plan), options_(options), effort_(effort) {}

  // The sets T', one after the other; nothing if induction fails.
  std::optional<std::vector<std::vector<std::string>>> induction() {
    std::vector<std::vector<std::string>> out;
    Types rest(application_.program().types.size());
    for (std::uint32_t i = 0; i < rest.size(); ++i)
      rest[i] = i;
    while (depend(rest)) {
      if (options_.budget.is_exhausted()) return std::nullopt;
      const Types forward = forward_types(rest);
      if (forward.empty()) {
        why_ = "no type has only dependencies that go forward in arbitration";
        return std::nullopt;
      }
      if (!goes_on(rest)) return std::nullopt;
      std::vector<std::string> names;
      Types left;
      for (const std::uint32_t type : rest) {
        if (std::find(forward.begin(), forward.end(), type) == forward.end())
          left.push_back(type);
        else if (depends(type, rest))
          names.push_back(application_.program().types[type].name);
      }
      out.push_back(std::move(names));
      rest = std::move(left);
    }
    return out;
  }

  // The length from which on every path has a shortcut; nothing if there is none up to the
  // bound.
  std::optional<std::uint32_t> shortest_path() {
    Types all(application_.program().types.size());
    for (std::uint32_t i = 0; i < all.size(); ++i)
      all[i] = i;
    std::vector<Types> paths;  // that have no shortcut
    for (const std::uint32_t type : all)
      paths.push_back({type});
    for (std::uint32_t length = 1; length <= options_.path_max; ++length) {
      paths = extended(paths, all);
      if (paths.empty()) return length;
      if (options_.budget.is_exhausted() || paths.size() > paths_max) return std::nullopt;
    }
    return std::nullopt;
  }

  // Why induction failed.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  static constexpr std::size_t paths_max = 400;

  [[nodiscard]] const std::string& name_of(std::uint32_t type) const {
    return application_.program().types[type].name;
  }

  [[nodiscard]] bool depends(std::uint32_t a, std::uint32_t b) const {
    return !application_.pairs(a, b).empty() || !application_.pairs(b, a).empty();
  }

  [[nodiscard]] bool depends(std::uint32_t type, const Types& types) const {
    return std::any_of(types.begin(), types.end(),
                       [&](std::uint32_t other) { return depends(type, other); });
  }

  [[nodiscard]] bool depend(const Types& types) const {
    return std::any_of(types.begin(), types.end(),
                       [&](std::uint32_t type) { return depends(type, types); });
  }

  bool is_impossible(const Types& types,
                     const std::function<void(Chain&, Question&)>& add) {
    for (std::size_t i = 0; i + 1 < types.size(); ++i)
      if (application_.pairs(types[i], types[i + 1]).empty()) return true;
    Chain chain(application_, plan_, types, path_slots(types.size()));
    Question question(chain, options_, effort_);
    add(chain, question);
    return question.ask() == SatAnswer::Unsatisfiable;
  }

  // The types whose every dependency on one of `types` is arbitrated forward.
  Types forward_types(const Types& types) {
    Types out;
    for (const std::uint32_t from : types)
      if (std::all_of(types.begin(), types.end(), [&](std::uint32_t to) {
            return is_impossible({from, to}, [](Chain& chain, Question& question) {
              question.require(chain.execution().ar(1, 0));
            });
          }))
        out.push_back(from);
    return out;
  }

  bool goes_on(const Types& types) {
    for (const std::uint32_t a : types)
      for (const std::uint32_t b : types)
        for (const std::uint32_t c : types)
          if (!is_impossible({a, b, c}, [](Chain& chain, Question& question) {
                question.require(chain.execution().ar(2, 0));
                question.require(chain.execution().ar(2, 1));
              })) {
            why_ = fmt::format("{}, {} and {} may go back in arbitration", name_of(a),
                               name_of(b), name_of(c));
            return false;
          }
    return true;
  }

  // Paths with one more transaction that have no shortcut, as far as can be told.
  std::vector<Types> extended(const std::vector<Types>& paths, const Types& all) {
    std::vector<Types> out;
    for (const Types& path : paths)
      for (const std::uint32_t next : all) {
        if (options_.budget.is_exhausted()) return out.empty() ? paths : out;
        Types types = path;
        types.push_back(next);
        if (!is_impossible(types, forbid_shortcuts)) out.push_back(std::move(types));
      }
    return out;
  }

  static void forbid_shortcuts(Chain& chain, Question& question) {
    const std::size_t count = chain.instance_count();
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 2; j < count; ++j) {
        question.require(chain.terms().negation(chain.depends_directly(i, j)));
        if (j > i + 2) question.require(chain.terms().negation(chain.depends_nearly(i, j)));
      }
  }

  const Application& application_;
  const Plan& plan_;
  const Options& options_;
  Effort& effort_;
  std::string why_;
};

std::string induction_text(const std::vector<std::vector<std::string>>& sets) {
  if (sets.empty()) return "no transaction depends on another";
  std::vector<std::string> texts;
  for (const auto& names : sets)
    texts.push_back(fmt::format("{{{}}}", fmt::join(names, ", ")));
  return fmt::format("by induction on {}", fmt::join(texts, ", then "));
}

}  // namespace

void prove(const Application& application, const Plan& plan, const Options& options,
           Result& result, Effort& effort) {
  // Watched transactions are rolled back by what the rest of the cycle does, which these
  // arguments do not see; without that they prove more than is needed.
  Prover prover(application, plan, options, effort);
  if (const auto sets = prover.induction()) {
    result.verdict = Verdict::Serializable;
    result.proof = induction_text(*sets);
    return;
  }
  const std::optional<std::uint32_t> bound = prover.shortest_path();
  if (!bound) {
    result.unknown = options.budget.is_exhausted()
                         ? options.budget.reason()
                         : fmt::format(
                               "induction fails: {}; and paths without shortcut are "
                               "too many or too long",
                               prover.why());
    return;
  }
  if (*bound > result.cycle_max) {
    Options longer = options;
    longer.cycle_max = *bound;
    Result more;
    find_cycles(application, plan, longer, more, effort);
    if (!more.anomalies.empty() || !more.unknown.empty()) {
      result.anomalies = std::move(more.anomalies);
      result.unknown = more.unknown;
      if (!result.anomalies.empty()) result.verdict = Verdict::Anomalies;
      return;
    }
    result.cycle_max = *bound;
  }
  result.verdict = Verdict::Serializable;
  result.proof = fmt::format(
      "by shortest paths: every path of {0} dependencies has a shortcut, and there is no "
      "cycle of length at most {0}",
      *bound);
}

}  // namespace isomer::audit
