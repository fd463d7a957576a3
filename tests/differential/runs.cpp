// SPDX-License-Identifier: MIT
// Agreements about what else an observed run could have been.
#include <fmt/format.h>

#include "base/random.h"
#include "differential/agreement.h"
#include "support/predict/against_brute_force.h"

namespace isomer::differential {
namespace {

using predict::Boundary;
using predict::Trace;

struct Observed {
  Trace trace;
  Boundary boundary = Boundary::Closed;
  std::vector<check::AskedLevel> levels;
};

Answer ask_brute_force(const Observed& observed) {
  predict::Tried tried;
  std::string wrong =
      predict::try_all(observed.trace, observed.boundary, observed.levels, tried);
  return tried.asked == 0 ? skip() : answer(std::move(wrong));
}

std::vector<Observed> less_observed(const Observed& observed) {
  std::vector<Observed> out;
  for (Trace& trace : predict::smaller(observed.trace))
    out.push_back({std::move(trace), observed.boundary, observed.levels});
  return out;
}

Evidence observed_evidence(const Observed& observed) {
  Evidence out;
  out.files.push_back({"trace.txt", predict::text(observed.trace)});
  for (const check::AskedLevel& level : observed.levels)
    for (const predict::Strategy strategy : predict::strategies)
      out.commands.push_back(fmt::format(
          "isomer predict --level {} --strategy {} --boundary {} trace.txt", level.name,
          predict::name(strategy), predict::name(observed.boundary)));
  return out;
}

Observed random_observed(std::uint64_t seed) {
  Random random(seed);
  const auto& levels = predict::levels();
  return {predict::random_trace(random),
          predict::boundaries[random.below(predict::boundaries.size())],
          {levels[random.below(levels.size())], levels[random.below(2)]}};
}

constexpr Question<Observed> of_brute_force{ask_brute_force, less_observed,
                                            observed_evidence};

}  // namespace

std::vector<Agreement> run_agreements() {
  return {
      {"predict-brute", "Predict finds the predictions that trying everything finds.",
       [](std::uint64_t seed) { return case_of(random_observed(seed), of_brute_force); }}};
}

}  // namespace isomer::differential
