// SPDX-License-Identifier: MIT
// What a person reads: what was asked, which invariants hold where, the weakest levels that
// suffice and what a proof rests on; then one violation with its values, step by step.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/print/print.h"
#include "report/check/wording.h"
#include "report/database/report.h"
#include "report/program/report.h"
#include "report/verify/report.h"

namespace isomer::report {
namespace {

using verify::Answer;
using verify::Counterexample;
using verify::Verdict;

constexpr std::size_t name_width_max = 60;
constexpr std::size_t column_width_max = 24;

std::string heading(const Verified& v) {
  return fmt::format("{}: {}\n\n", printable(v.program.file, 80), question_text(v));
}

std::string coloured(const Answer& answer, const Ink& ink) {
  const std::string word = fmt::format("{:<9}", verdict_word(answer.verdict));
  if (answer.verdict == Verdict::Holds) return ink.good(word);
  return answer.verdict == Verdict::Violated ? ink.bad(word) : ink.doubtful(word);
}

constexpr std::size_t cell_width = 18;  // "VIOLATED   12.34 s"

std::string cell(const verify::LevelAnswer& level, const std::string& invariant,
                 const Ink& ink) {
  const auto answer = std::ranges::find(level.answers, invariant, &Answer::invariant);
  if (answer == level.answers.end()) return std::string(cell_width, ' ');
  return fmt::format("{}{:>7.2f} s", coloured(*answer, ink), answer->seconds);
}

std::string without_spaces_at_end(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

// Levels as rows, invariants as columns.
std::string table(const Verified& v, const Ink& ink) {
  const std::vector<std::string> invariants = invariants_of(v.result);
  std::size_t level_width = 0;
  for (const verify::LevelAnswer& level : v.result.levels)
    level_width = std::max(level_width, printable(level.level, level_width_max).size());
  std::string head = fmt::format("  {:{}}", "", level_width);
  for (const std::string& invariant : invariants)
    head += fmt::format("  {:<{}}", printable(invariant, column_width_max), cell_width);
  std::string out = fmt::format("{}\n", without_spaces_at_end(head));
  for (const verify::LevelAnswer& level : v.result.levels) {
    std::string line =
        fmt::format("  {:{}}", printable(level.level, level_width_max), level_width);
    for (const std::string& invariant : invariants) {
      const std::size_t width = printable(invariant, column_width_max).size();
      line += fmt::format("  {}{:{}}", cell(level, invariant, ink), "",
                          std::max(width, cell_width) - cell_width);
    }
    out += fmt::format("{}\n", without_spaces_at_end(line));
  }
  return out;
}

std::string undecided(const Verified& v, const Ink& ink) {
  std::string out;
  for (const verify::LevelAnswer& level : v.result.levels)
    for (const Answer& answer : level.answers)
      if (answer.verdict == Verdict::Unknown)
        out += ink.doubtful(fmt::format(
            "{} is undecided at {}: {}\n", printable(answer.invariant, name_width_max),
            printable(level.level, level_width_max), printable(answer.unknown, 200)));
  return out;
}

std::string sufficient(const Verified& v, const Ink& ink) {
  const std::vector<std::string> invariants = invariants_of(v.result);
  std::string out = fmt::format("{}\n", ink.bold(sufficiency_text(v)));
  if (invariants.size() < 2) return out;
  TextTable rows;
  for (const std::string& invariant : invariants) {
    const std::vector<check::AskedLevel> levels = weakest_sufficient(v, invariant);
    rows.push_back({printable(invariant, name_width_max),
                    levels.empty() ? "none of these" : list(levels)});
  }
  return out + aligned(rows);
}

std::string proof(const Verified& v, const Ink& ink) {
  const bool is_anything_proved =
      std::ranges::any_of(v.result.levels, [](const verify::LevelAnswer& level) {
        return std::ranges::any_of(level.answers, [](const Answer& answer) {
          return answer.verdict == Verdict::Holds;
        });
      });
  if (!is_anything_proved || v.result.bounds.empty()) return {};
  return ink.dim(
      fmt::format("\"holds\" is proved for {}\n", fmt::join(v.result.bounds, "; ")));
}

std::string values(const Counterexample& example) {
  std::vector<std::string> out;
  for (const auto& [name, value] : example.symbols)
    out.push_back(fmt::format("?{} = {}", printable(name),
                              printable(program::to_literal(value), 40)));
  return out.empty() ? "" : fmt::format("  with {}\n", fmt::join(out, ", "));
}

std::string start(const Counterexample& example, const Ink& ink) {
  const store::FinalState& state = example.initial_state;
  if (state.empty()) return "\nit starts with empty tables\n";
  return fmt::format("\nit starts with\n{}",
                     state_text(example.program, state, program::Granularity::Row,
                                EmptyTables::Hide, ink));
}

std::string told(const Violation& violation, const Ink& ink) {
  const Counterexample& example = *violation.answer.counterexample;
  const FailingHistory failing = failing_history(violation);
  std::string out =
      fmt::format("\n{}\n{}", ink.bad(violation_headline(violation)), values(example));
  if (!example.gap.empty())
    out +=
        fmt::format("  a gap of the paper's encoding: {}\n", printable(example.gap, 200));
  out += start(example, ink) + "\nthen\n" + transactions_text(failing, ink);
  for (const std::string& sentence : visibility_sentences(example))
    out += fmt::format("  {}\n", sentence);
  return out + end_text(failing, ink) + judgement_text(failing, ink);
}

std::string next_step(const Verified& v, const std::string& command) {
  if (command.empty()) return {};
  std::string out = fmt::format(
      "See it:   {0} --html violation.html\nKeep it:  {0} -o violation.hist\n", command);
  if (v.violations.size() > 1)
    out += "Others:   --level L tells the one at L, --json all of them\n";
  return out;
}

}  // namespace

std::string verify_text(const Verified& v, const VerifyTextOptions& options) {
  const Ink ink(options.colour);
  if (invariants_of(v.result).empty())
    return fmt::format("{}{}\n", heading(v), nothing_to_verify);
  std::string out = heading(v) + table(v, ink) + "\n" + sufficient(v, ink) +
                    undecided(v, ink) + proof(v, ink);
  const Violation* violation = told_violation(v);
  if (violation == nullptr) return out;
  return out + told(*violation, ink) + tried_text(v.there, options.width, ink) +
         next_step(v, options.command);
}

}  // namespace isomer::report
