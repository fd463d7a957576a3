// SPDX-License-Identifier: MIT
// What a real server made of a finding: `--on URL`.
#include <fmt/format.h>

#include "report/check/wording.h"
#include "report/database/told_schedule.h"
#include "report/page/page.h"
#include "report/picture/picture.h"

namespace isomer::report {
namespace {

using reproduce::Reproduction;
using reproduce::Result;
using reproduce::Run;

ScheduledRun scheduled(const program::Program& program, const Run& run) {
  return {.program = program,
          .steps = run.steps,
          .order = {},
          .calls = run.calls,
          .rows = run.rows,
          .invariants = run.invariants};
}

std::string where(const Reproduction& there) {
  return fmt::format("{} at {}", there.server, there.level);
}

// "ann's COMMIT".
std::string step_words(const program::Program& program,
                       const database::ScheduleStep& step) {
  return fmt::format("{}'s {}", printable(program.sessions[step.session].name, 20),
                     printable(step.text, 60));
}

// What one of the two did at the step; empty if it did not come to it.
std::string side(const program::Program& program, const Run& run, std::size_t step) {
  if (step >= run.steps.size()) return "has come to the end";
  return fmt::format("{} {}", step_words(program, run.steps[step]),
                     told_reply(scheduled(program, run), run.steps[step]));
}

std::string difference(const program::Program& program, const Run& found,
                       const Reproduction& there) {
  if (!there.step) return {};
  return fmt::format("step {}: there, {}; in the model, {}", *there.step + 1,
                     side(program, there.run, *there.step),
                     side(program, found, *there.step));
}

std::string headline(const Reproduction& there) {
  const std::string tried =
      there.tried > 1 ? fmt::format(" ({} tried)", counted(there.tried, "schedule")) : "";
  switch (there.result) {
    case Result::Reproduced:
      return fmt::format("reproduced on {}{}", where(there), tried);
    case Result::Refuted:
      return fmt::format("refuted on {}{}", where(there), tried);
    case Result::Error:
      return fmt::format("not tried to the end on {}: {}", where(there),
                         printable(there.problem, 400));
  }
  return {};
}

std::string run_text(const program::Program& program, const Run& run, std::size_t width,
                     const Ink& ink) {
  const ScheduledRun shown = scheduled(program, run);
  return fmt::format("{}\n{}", schedule_table(shown, width, ink),
                     schedule_end_text(shown, ink));
}

// What else is to be said.
std::string remarks(const program::Program& program, const Run& found,
                    const Reproduction& there) {
  std::string out;
  if (there.step && there.result != Result::Error && there.tried <= 1)
    out += fmt::format("{}\n", difference(program, found, there));
  if (there.result == Result::Refuted && there.is_by_finer_steps)
    return out +
           "by schedules of whole statements: the one above needs others in the midst of a "
           "statement,\nwhich nobody can time from outside\n";
  if (there.result == Result::Refuted && !there.step && !found.steps.empty())
    out += "every step went as in the model, and the end is another one\n";
  if (there.result == Result::Reproduced && there.is_by_finer_steps)
    out += "by a schedule of whole statements\n";
  else if (there.result == Result::Reproduced && there.tried > 1 && !found.steps.empty())
    out += "by another schedule than the one above: it is a choice of the server's\n";
  if (!there.kept.empty()) out += fmt::format("the tables are kept in {}\n", there.kept);
  return out;
}

}  // namespace

std::string on_server_text(const program::Program& program, const Run& found,
                           const Reproduction& there, std::size_t width, const Ink& ink,
                           bool is_found_shown) {
  std::string out;
  const std::string head = headline(there);
  out += (there.result == Result::Reproduced ? ink.bad(head) : ink.doubtful(head)) + "\n";
  out += remarks(program, found, there);
  if (there.run.steps.empty()) return out;
  const std::string answered = run_text(program, there.run, width, ink);
  if (is_found_shown && answered == run_text(program, found, width, ink))
    return out + "the table above is what it answered, step by step\n";
  return out + "\n" + answered;
}

std::string on_server_section(const program::Program& program, const Run& found,
                              const Reproduction& there) {
  std::string out = fmt::format(
      "<h2>On a real server</h2>\n{}<p>{}</p>\n",
      lead(there.result == Result::Reproduced ? Tone::Bad : Tone::Unknown, headline(there)),
      escape_html(remarks(program, found, there)));
  if (there.run.steps.empty()) return out;
  return out + schedule_section(scheduled(program, there.run), where(there));
}

namespace {

// What stands above has no schedule.
std::string_view no_schedule(const reproduce::Tried& tried) {
  return tried.has_tried_all
             ? "in the model of this server, no schedule of these calls breaks the "
               "invariant there"
             : "in the model of this server, none of the schedules tried breaks the "
               "invariant there; not all were";
}

bool is_unknown_to_the_model(const reproduce::Tried& tried) {
  return tried.found.steps.empty() && tried.there.result != Result::Error;
}

}  // namespace

std::string tried_text(const reproduce::Tried* tried, std::size_t width, const Ink& ink) {
  if (tried == nullptr) return {};
  return fmt::format(
      "\n{}{}\n",
      on_server_text(tried->program, tried->found, tried->there, width, ink, false),
      is_unknown_to_the_model(*tried) ? fmt::format("\n{}\n", no_schedule(*tried)) : "");
}

std::string tried_section(const reproduce::Tried* tried) {
  if (tried == nullptr) return {};
  return on_server_section(tried->program, tried->found, tried->there) +
         (is_unknown_to_the_model(*tried) ? fmt::format("<p>{}</p>\n", no_schedule(*tried))
                                          : "");
}

Json on_server_json(const program::Program& program, const Reproduction& there) {
  Json out{{"server", there.server},
           {"level", there.level},
           {"result", std::string(reproduce::name(there.result))},
           {"step", there.step ? Json(*there.step + 1) : Json(nullptr)},
           {"schedules_tried", there.tried}};
  if (!there.problem.empty()) out["problem"] = there.problem;
  if (!there.kept.empty()) out["kept"] = there.kept;
  if (!there.run.steps.empty()) out["run"] = schedule_json(scheduled(program, there.run));
  return out;
}

}  // namespace isomer::report
