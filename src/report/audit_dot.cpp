// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/audit_report.h"
#include "report/dot.h"
#include "report/program_text.h"

namespace isomer::report {
namespace {

std::string cycle_dot(const Audited& audited, const audit::Anomaly& anomaly,
                      const std::string& level, std::size_t number) {
  std::string out = fmt::format("  subgraph cluster_{0} {{\n    label=\"{1}: {2}\";\n",
                                number, dot_quoted(level), dot_quoted(anomaly.kind));
  for (std::size_t i = 0; i < anomaly.transactions.size(); ++i)
    out += fmt::format("    a{}t{} [label=\"{}\"];\n", number, i,
                       dot_quoted(call_text(audited.program, anomaly.transactions[i])));
  for (const audit::Dependency& edge : anomaly.dependencies)
    out +=
        fmt::format("    a{0}t{1} -> a{0}t{2} [label=\"{3} {4}({5})\\n{6}, {7}\"];\n",
                    number, edge.from, edge.to, audit::name(edge.kind),
                    audited.program.tables[edge.table.index].name,
                    dot_quoted(fmt::format("{}", fmt::join(edge.key, ", "))),
                    dot_quoted(short_place_text(audited.program, edge.from_statement->at)),
                    dot_quoted(short_place_text(audited.program, edge.to_statement->at)));
  return fmt::format("{}  }}\n", out);
}

}  // namespace

std::string audit_dot(const Audited& audited) {
  std::string out = "digraph audit {\n  node [shape=box];\n";
  std::size_t number = 0;
  for (const AuditedLevel& level : audited.levels)
    for (const audit::Anomaly& anomaly : level.result.anomalies)
      out += cycle_dot(audited, anomaly, level.plan.name, number++);
  return fmt::format("{}}}\n", out);
}

}  // namespace isomer::report
