// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/check/report.h"
#include "report/check/wording.h"
#include "report/picture/dot.h"

namespace isomer::report {

std::string check_dot_part(const Checked& checked, std::size_t index) {
  const std::string file = printable(checked.file, 200);
  std::string out;
  std::size_t number = 0;
  for (const Scene& scene : scenes(checked))
    out += dot_cluster(scene, fmt::format("h{}_{}", index, number++),
                       fmt::format("{}: {}", file, scene.title));
  if (!out.empty()) return out;
  return fmt::format("  h{} [shape=note, label=\"{}: nothing to draw ({})\"];\n", index,
                     dot_quoted(file),
                     counted(size_of(checked.history).transactions, "transaction"));
}

std::string check_dot(std::span<const std::string> parts) {
  return dot_document(parts);
}

}  // namespace isomer::report
