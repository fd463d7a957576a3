// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/explore/report.h"
#include "report/failing_history/failing_history.h"
#include "report/picture/dot.h"

namespace isomer::report {

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
