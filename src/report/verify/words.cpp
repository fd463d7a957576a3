// SPDX-License-Identifier: MIT
#include "report/verify/report.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/wording.h"

namespace isomer::report {
namespace {

using check::AskedLevel;
using verify::Answer;
using verify::Counterexample;
using verify::Verdict;

bool is_strictly_stronger(const AskedLevel& a, const AskedLevel& b) {
  return check::is_stronger_or_equal(a, b) && !check::is_stronger_or_equal(b, a);
}

template <class Predicate>
std::vector<AskedLevel> weakest(const Verified& v, const Predicate& suffices) {
  std::vector<AskedLevel> good;
  for (std::size_t i = 0; i < v.result.levels.size(); ++i)
    if (suffices(v.result.levels[i].answers)) good.push_back(v.options.levels[i]);
  std::vector<AskedLevel> out;
  for (const AskedLevel& level : good)
    if (std::ranges::none_of(good, [&](const AskedLevel& other) {
          return is_strictly_stronger(level, other);
        }))
      out.push_back(level);
  return out;
}

// What the solver chooses; [values] are for commands that run the program.
std::string open_values(const program::Program& program) {
  constexpr std::size_t names_max = 6;
  std::vector<std::string> names;
  for (const program::Symbol& symbol : program.symbols)
    names.push_back(fmt::format("?{}", printable(symbol.name)));
  std::string out;
  if (names.size() > names_max)
    out = fmt::format(", any {}", counted(names.size(), "value"));
  else if (!names.empty())
    out = fmt::format(", any {}", fmt::join(names, ", "));
  if (program.has_open_state) out += ", any initial rows";
  return out;
}

std::string name_of(const Counterexample& example, const store::Place& place) {
  return fmt::format("{}/{}", printable(example.program.sessions[place.first].name),
                     place.second + 1);
}

}  // namespace

std::vector<Violation> violations_in(const verify::Options& options,
                                     const verify::Result& result) {
  std::vector<Violation> out;
  for (std::size_t i = 0; i < result.levels.size(); ++i)
    for (const Answer& answer : result.levels[i].answers)
      if (answer.counterexample)
        out.push_back({.level = options.levels[i], .answer = answer});
  return out;
}

const Violation* told_violation(const Verified& v) {
  const Violation* out = nullptr;
  for (const Violation& violation : v.violations)
    if (out == nullptr || !check::is_stronger_or_equal(out->level, violation.level))
      out = &violation;
  return out;
}

FailingHistory failing_history(const Violation& violation) {
  const Counterexample& example = *violation.answer.counterexample;
  return {.program = example.program, .failure = example.failure, .level = violation.level};
}

std::vector<AskedLevel> weakest_sufficient(const Verified& v) {
  return weakest(v, [](const std::vector<Answer>& answers) {
    return std::ranges::all_of(
        answers, [](const Answer& answer) { return answer.verdict == Verdict::Holds; });
  });
}

std::vector<AskedLevel> weakest_sufficient(const Verified& v,
                                           const std::string& invariant) {
  return weakest(v, [&](const std::vector<Answer>& answers) {
    return std::ranges::any_of(answers, [&](const Answer& answer) {
      return answer.invariant == invariant && answer.verdict == Verdict::Holds;
    });
  });
}

std::vector<std::string> invariants_of(const verify::Result& result) {
  std::vector<std::string> out;
  for (const verify::LevelAnswer& level : result.levels)
    for (const Answer& answer : level.answers)
      if (std::ranges::find(out, answer.invariant) == out.end())
        out.push_back(answer.invariant);
  return out;
}

std::vector<std::string> visibility_sentences(const Counterexample& example) {
  std::vector<std::string> out;
  for (const auto& [place, seen] : example.sees) {
    std::vector<std::string> names;
    for (const store::Place& other : seen)
      names.push_back(name_of(example, other));
    out.push_back(fmt::format(
        "{} sees {}", name_of(example, place),
        names.empty() ? "nobody else" : fmt::format("{}", fmt::join(names, ", "))));
  }
  return out;
}

std::string_view verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return "holds";
    case Verdict::Violated:
      return "VIOLATED";
    case Verdict::Unknown:
      return "undecided";
  }
  return {};
}

std::string question_text(const Verified& v) {
  const verify::Options& options = v.options;
  std::string calls;
  if (options.instances) {
    calls = fmt::format("any {} at once of {}, with any parameters and initial rows",
                        counted(*options.instances, "transaction"),
                        counted(v.program.types.size(), "type"));
  } else {
    std::size_t count = 0;
    for (const program::Session& session : v.program.sessions)
      count += session.calls.size();
    calls = fmt::format("{}, {}{}", counted(v.program.sessions.size(), "session"),
                        counted(count, "transaction"), open_values(v.program));
  }
  return fmt::format(
      "{}; {} at {}{}", calls, counted(invariants_of(v.result).size(), "invariant"),
      counted(v.result.levels.size(), "level"),
      options.encoding == verify::Encoding::Paper ? ", in the paper's encoding" : "");
}

std::string sufficiency_text(const Verified& v) {
  const std::vector<AskedLevel> weakest = weakest_sufficient(v);
  if (weakest.empty())
    return v.options.levels.size() == 1
               ? fmt::format("{} {} suffice", list(v.options.levels),
                             v.violations.empty() ? "is not known to" : "does not")
               : fmt::format("none of these levels {}",
                             v.violations.empty() ? "is known to suffice" : "suffices");
  return fmt::format("the weakest {}: {}",
                     weakest.size() == 1 ? "level that suffices" : "levels that suffice",
                     list(weakest));
}

std::string violation_headline(const Violation& violation) {
  const Counterexample& example = *violation.answer.counterexample;
  return fmt::format("{}: {}", printable(violation.level.name, level_width_max),
                     headline(example.program, example.failure));
}

}  // namespace isomer::report
