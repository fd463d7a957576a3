// SPDX-License-Identifier: MIT
// The result as a page that needs nothing but itself: what was explored, the failing
// history as a picture and step by step, and the program with the lines that it ran.  The
// same picture in DOT.
#include <fmt/format.h>

#include "report/check/wording.h"
#include "report/database/report.h"
#include "report/explore/report.h"
#include "report/failing_history/failing_history.h"
#include "report/page/page.h"
#include "report/picture/picture.h"

namespace isomer::report {
namespace {

std::string facts(const Explored& e) {
  const explore::Result& result = e.result;
  std::string out = fmt::format(
      "{} {} that {} allows, {} failing; {} end states under {}, {} states, {:.2f} s, "
      "{:.0f} MiB",
      result.histories, result.histories == 1 ? "history" : "histories",
      escape_html(level_name(e.options.level)), result.assertion_failures,
      result.end_states, result.base_name, result.explored, result.seconds,
      result.peak_mib);
  if (!result.is_complete)
    out += fmt::format("; stopped before the end ({})", escape_html(result.unknown));
  return fmt::format("<p class=\"facts\">{}</p>\n", out);
}

}  // namespace

std::string explore_html(const Explored& e) {
  std::string out = fmt::format("<section>\n<h1>{}</h1>\n{}",
                                escape_html(printable(e.program.file, 400)), facts(e));
  if (e.result.failure)
    out += lead(Tone::Bad, fmt::format("{}, in a history that {} allows",
                                       headline(e.program, *e.result.failure),
                                       level_name(e.options.level))) +
           failing_history_html(failing_history(e), "The first history that fails") +
           tried_section(e.there);
  else
    out += lead(e.result.is_complete ? Tone::Good : Tone::Unknown, all_clear_text(e));
  out += "</section>\n";
  return page("isomer explore",
              "every history that a level allows, and the first that fails",
              std::span(&out, 1));
}

std::string explore_dot(const Explored& e) {
  std::string part;
  if (e.result.failure) {
    const Scene scene = failing_history_scene(failing_history(e));
    part = dot_cluster(scene, "h", scene.title);
  } else {
    part = fmt::format(
        "  none [shape=note, label=\"{}\"];\n",
        dot_quoted(fmt::format("nothing found in {}",
                               e.result.histories == 1
                                   ? "1 history"
                                   : fmt::format("{} histories", e.result.histories))));
  }
  return dot_document(std::span(&part, 1));
}

}  // namespace isomer::report
