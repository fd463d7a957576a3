// SPDX-License-Identifier: MIT
// Agreements about what else an observed run could have been.
#include <array>
#include <sstream>

#include <fmt/format.h>

#include "base/random.h"
#include "differential/subject.h"
#include "history/formats.h"
#include "support/files.h"
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
  std::string settings = fmt::format("boundary {}\n", predict::name(observed.boundary));
  for (const check::AskedLevel& level : observed.levels)
    settings += fmt::format("level {}\n", level.name);
  out.files = {{"case", settings}, {"run.hist", predict::text(observed.trace)}};
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

Answer ask_explore(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program) return skip();
  predict::Compared compared =
      predict::compared_with_explore({.program = *program,
                                      .litmus = litmus_text(subject),
                                      .seed = subject.seed,
                                      .level = *subject.level.built_in,
                                      .granularity = subject.granularity});
  const bool is_question = compared.found + compared.validated > 0;
  return compared.why.empty() && !is_question ? skip() : answer(std::move(compared.why));
}

Evidence program_evidence(const Subject& subject) {
  std::vector<std::string> commands;
  for (const predict::Strategy strategy : predict::strategies)
    commands.push_back(fmt::format("predict {} --seed {} --strategy {} --validate --run",
                                   level_options(subject), subject.seed,
                                   predict::name(strategy)));
  commands.push_back(
      fmt::format("explore {} --histories histories", level_options(subject)));
  return evidence_of(subject, commands);
}

Subject random_program(std::uint64_t seed) {
  static constexpr std::array levels = {
      check::Level::SI, check::Level::SI, check::Level::PSI, check::Level::PC,
      check::Level::CC, check::Level::RA, check::Level::RC};
  Random random(seed);
  Subject out;
  if (random.chance(0.2))
    out = random_application(random.next());
  else
    out.draft = explore::random_rewriting_draft(random.next());
  out.level = levels[random.below(levels.size())];
  out.seed = random.below(100);
  return out;
}

constexpr Question<Subject> of_explore{ask_explore, smaller, program_evidence};

constexpr Question<Observed> of_brute_force{ask_brute_force, less_observed,
                                            observed_evidence};

Case read_observed(const std::filesystem::path& folder) {
  const auto read = history::read_history(folder / "run.hist", {});
  Observed out{.trace = predict::trace_of(read->history), .levels = {}};
  std::istringstream settings(test::contents(folder / "case"));
  for (std::string name, value; settings >> name >> value;) {
    if (name == "boundary") out.boundary = *predict::boundary_named(value);
    if (name != "level") continue;
    for (const check::AskedLevel& level : predict::levels())
      if (level.name == value) out.levels.push_back(level);
  }
  return case_of(std::move(out), of_brute_force);
}

}  // namespace

std::vector<Agreement> run_agreements() {
  return {
      {"predict-brute", "Predict finds the predictions that trying everything finds.",
       [](std::uint64_t seed) { return case_of(random_observed(seed), of_brute_force); },
       read_observed},
      {"predict-explore",
       "Histories that explore finds begin as predicted, with the same values.",
       [](std::uint64_t seed) { return case_of(random_program(seed), of_explore); },
       kept_case<of_explore>}};
}

}  // namespace isomer::differential
