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
// Otherwise a bound is looked for beyond which there are no cycles unless there are shorter
// ones (paths.cpp), and the cycles up to it are searched.
#include "audit/prove.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audit/paths.h"
#include "audit/statements/noticed.h"

namespace isomer::audit {
namespace {

using Types = PathQuestions::Types;

class Induction {
 public:
  explicit Induction(PathQuestions& questions)
      : questions_(questions), application_(questions.application()) {}

  // The sets T', one after the other; nothing if induction fails.
  std::optional<std::vector<std::vector<std::string>>> run() {
    std::vector<std::vector<std::string>> out;
    Types rest = questions_.all_types();
    while (depend(rest)) {
      if (questions_.options().budget.is_exhausted()) return std::nullopt;
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

  // Why it failed.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
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

  // The types whose every dependency on one of `types` is arbitrated forward.
  Types forward_types(const Types& types) {
    Types out;
    for (const std::uint32_t from : types)
      if (std::all_of(types.begin(), types.end(), [&](std::uint32_t to) {
            return questions_.is_impossible({from, to},
                                            [](Chain& chain, Question& question) {
                                              question.require(chain.visibility().ar(1, 0));
                                            });
          }))
        out.push_back(from);
    return out;
  }

  bool goes_on(const Types& types) {
    for (const std::uint32_t a : types)
      for (const std::uint32_t b : types)
        for (const std::uint32_t c : types)
          if (!questions_.is_impossible({a, b, c}, [](Chain& chain, Question& question) {
                question.require(chain.visibility().ar(2, 0));
                question.require(chain.visibility().ar(2, 1));
              })) {
            why_ = fmt::format("{}, {} and {} may go back in arbitration", name_of(a),
                               name_of(b), name_of(c));
            return false;
          }
    return true;
  }

  PathQuestions& questions_;
  const Application& application_;
  std::string why_;
};

std::string induction_text(const std::vector<std::vector<std::string>>& sets) {
  if (sets.empty()) return "no transaction depends on another";
  std::vector<std::string> texts;
  for (const auto& names : sets)
    texts.push_back(fmt::format("{{{}}}", fmt::join(names, ", ")));
  return fmt::format("by induction on {}", fmt::join(texts, ", then "));
}

// The cycles up to the bound that have not been searched yet; false if there are some, or
// it is not known.
bool has_no_cycles(const Application& application, const Plan& plan, const Options& options,
                   std::uint32_t bound, Result& result, Effort& effort) {
  if (bound <= result.cycle_max) return true;
  Options longer = options;
  longer.cycle_max = bound;
  Result more;
  find_cycles(application, plan, longer, more, effort);
  if (more.anomalies.empty() && more.unknown.empty()) {
    result.cycle_max = bound;
    return true;
  }
  result.anomalies = std::move(more.anomalies);
  result.unknown = more.unknown;
  if (!result.anomalies.empty()) result.verdict = Verdict::Anomalies;
  return false;
}

}  // namespace

void prove(const Application& application, const Plan& plan, const Options& options,
           Result& result, Effort& effort) {
  PathQuestions questions(application, plan, options, effort);
  const auto tell = [&](const std::string& how) {
    result.verdict = Verdict::Serializable;
    result.proof = how;
  };
  Induction induction(questions);
  if (const auto sets = induction.run()) return tell(induction_text(*sets));
  // Watched transactions are rolled back for the first of the cycle, of which a path knows
  // nothing.
  const bool is_watched = !plan.is_watched.empty();
  if (const auto bound = is_watched ? std::nullopt : shortest_path_bound(questions)) {
    if (has_no_cycles(application, plan, options, *bound, result, effort))
      tell(
          fmt::format("by shortest paths: every path of {0} dependencies has a shortcut, "
                      "and there is no cycle of length at most {0}",
                      *bound));
    return;
  }
  if (const auto bound = shortest_cycle_bound(questions)) {
    if (has_no_cycles(application, plan, options, *bound, result, effort))
      tell(fmt::format(
          "by shortest paths through the first transaction of a cycle: every path of {0} "
          "dependencies there has a shortcut{1}, and there is no cycle of length at most "
          "{0}",
          *bound, is_watched ? " or is rolled back" : ""));
    return;
  }
  result.unknown = options.budget.is_exhausted()
                       ? options.budget.reason()
                       : fmt::format(
                             "induction fails: {}; and paths without shortcut are too many "
                             "or too long",
                             induction.why());
}

namespace {

using Types = std::vector<std::uint32_t>;

Types sorted_types(const Anomaly& anomaly) {
  Types out;
  for (const AnomalyTransaction& transaction : anomaly.transactions)
    out.push_back(transaction.type);
  std::sort(out.begin(), out.end());
  return out;
}

// Is there anything to leave out?
bool has_unnoticed_reads(const Program& program, Reads reads) {
  return reads == Reads::Scanned ||
         std::any_of(program.types.begin(), program.types.end(),
                     [](const auto& type) { return !unnoticed_statements(type).empty(); });
}

// The cycles without the reads that nobody notices.
Result without_unnoticed(const Application& application, const Plan& plan,
                         const Options& options, Effort& effort) {
  Result out;
  find_cycles(application, plan, options, out, effort);
  if (out.anomalies.empty() && out.unknown.empty()) {
    out.verdict = Verdict::NoCycle;
    if (options.prove) prove(application, plan, options, out, effort);
  }
  return out;
}

}  // namespace

void prove_harmless(const Application& application, const Plan& plan,
                    const Options& options, Result& result, Effort& effort) {
  const Program& program = application.program();
  if (result.anomalies.empty() || !has_unnoticed_reads(program, options.reads)) return;
  Model model = application.model();
  model.reads = Reads::Noticed;
  const Application noticed(program, model, options.budget);
  Result found = without_unnoticed(noticed, plan, options, effort);
  const bool is_searched = found.cycle_max >= options.cycle_max &&
                           (found.unknown.empty() || found.verdict == Verdict::NoCycle);
  if (!is_searched) return;
  std::set<Types> known;
  for (Anomaly& anomaly : result.anomalies) {
    const Types types = sorted_types(anomaly);
    known.insert(types);
    const bool is_harmless =
        std::none_of(found.anomalies.begin(), found.anomalies.end(), [&](const Anomaly& a) {
          const Types part = sorted_types(a);
          return std::includes(types.begin(), types.end(), part.begin(), part.end());
        });
    if (is_harmless) anomaly.harm = Harm::ProvedNone;
  }
  for (Anomaly& anomaly : found.anomalies)
    if (!known.contains(sorted_types(anomaly)))
      result.anomalies.push_back(std::move(anomaly));
  result.harmless_proof = found.proof;
}

}  // namespace isomer::audit
