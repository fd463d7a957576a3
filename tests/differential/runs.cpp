// SPDX-License-Identifier: MIT
// Agreements about what else an observed run could have been.
#include <fmt/format.h>

#include "base/random.h"
#include "differential/agreement.h"
#include "support/predict/against_brute_force.h"
#include "support/predict/against_explore.h"

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
  out.files.push_back({"run.hist", predict::text(observed.trace)});
  for (const check::AskedLevel& level : observed.levels)
    for (const predict::Strategy strategy : predict::strategies)
      out.commands.push_back(fmt::format(
          "isomer predict --level {} --strategy {} --boundary {} run.hist", level.name,
          predict::name(strategy), predict::name(observed.boundary)));
  return out;
}

Observed random_observed(std::uint64_t seed) {
  Random random(seed);
  const auto& levels = predict::levels();
  return {predict::random_trace_with_aborts(random),
          predict::boundaries[random.below(predict::boundaries.size())],
          {levels[random.below(levels.size())], levels[random.below(2)]}};
}

using predict::AskedOfProgram;

Answer ask_explore(const AskedOfProgram& asked) {
  predict::Compared compared = predict::compared_with_explore(asked);
  const bool is_question = compared.found + compared.validated > 0;
  return compared.why.empty() && !is_question ? skip() : answer(std::move(compared.why));
}

std::vector<AskedOfProgram> less_asked(const AskedOfProgram& asked) {
  std::vector<AskedOfProgram> out;
  for (explore::Draft& less : smaller(asked.draft))
    out.push_back({std::move(less), asked.seed, asked.level});
  return out;
}

Evidence program_evidence(const AskedOfProgram& asked) {
  const std::string level(check::info(asked.level).name);
  Evidence out{.files = {{"program.txn", text(asked.draft)}}, .commands = {}};
  for (const predict::Strategy strategy : predict::strategies)
    out.commands.push_back(fmt::format(
        "isomer predict --run program.txn --seed {} --level {} --strategy {} --validate",
        asked.seed, level, predict::name(strategy)));
  out.commands.push_back(
      fmt::format("isomer explore --level {} --histories histories program.txn", level));
  return out;
}

AskedOfProgram random_program(std::uint64_t seed) {
  static constexpr std::array levels = {
      check::Level::SI, check::Level::SI, check::Level::PSI, check::Level::PC,
      check::Level::CC, check::Level::RA, check::Level::RC};
  Random random(seed);
  return {explore::random_rewriting_draft(random.next()), random.below(100),
          levels[random.below(levels.size())]};
}

constexpr Question<AskedOfProgram> of_explore{ask_explore, less_asked, program_evidence};

constexpr Question<Observed> of_brute_force{ask_brute_force, less_observed,
                                            observed_evidence};

}  // namespace

std::vector<Agreement> run_agreements() {
  return {
      {"predict-brute", "Predict finds the predictions that trying everything finds.",
       [](std::uint64_t seed) { return case_of(random_observed(seed), of_brute_force); }},
      {"predict-explore",
       "Histories that explore finds begin as predicted, with the same values.",
       [](std::uint64_t seed) { return case_of(random_program(seed), of_explore); }}};
}

}  // namespace isomer::differential
