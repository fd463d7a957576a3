// SPDX-License-Identifier: MIT
// The cycle of an anomaly as a scene: a column for each transaction, in its box the lines
// that make the dependencies.
#include <set>

#include <fmt/format.h>

#include "history/builder.h"
#include "report/audit/words.h"
#include "report/check/wording.h"
#include "report/picture/picture.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using audit::Anomaly;
using audit::Dependency;
using audit::DependencyKind;
using check::EdgeKind;

constexpr std::size_t call_width_max = 40;
constexpr std::size_t label_width_max = 30;

EdgeKind edge_kind(DependencyKind kind) {
  switch (kind) {
    case DependencyKind::WriteRead:
      return EdgeKind::Wr;
    case DependencyKind::ReadWrite:
      return EdgeKind::Rw;
    case DependencyKind::WriteWrite:
      return EdgeKind::Ww;
  }
  return EdgeKind::So;
}

// One transaction a session, without operations.
history::History bare_history(std::size_t count) {
  history::HistoryBuilder builder;
  for (std::size_t i = 0; i < count; ++i)
    builder.begin(builder.session(transaction_name(i)));
  return builder.build();
}

// "16 reads account(2).balance", in the order of the program.
std::vector<std::string> box_lines(const program::Program& program, const Anomaly& anomaly,
                                   std::size_t transaction) {
  std::set<std::pair<std::size_t, std::string>> lines;
  const auto add = [&](std::string_view verb, const Dependency& edge,
                       const program::Span& at) {
    const std::string place = short_place_text(program, at);
    lines.emplace(at.first,
                  fmt::format("{} {} {}", place.substr(place.rfind(':') + 1), verb,
                              printable(record_text(program, edge), label_width_max)));
  };
  for (const Dependency& edge : anomaly.dependencies) {
    if (edge.from == transaction) add(from_verb(edge.kind), edge, edge.from_statement->at);
    if (edge.to == transaction) add(to_verb(edge.kind), edge, edge.to_statement->at);
  }
  std::vector<std::string> out;
  for (const auto& [place, line] : lines)
    out.push_back(line);
  return out;
}

}  // namespace

AnomalyPicture anomaly_picture(const program::Program& program, const Anomaly& anomaly) {
  AnomalyPicture out{.history = bare_history(anomaly.transactions.size()), .scene = {}};
  out.scene.title = title_text(program, anomaly);
  for (std::size_t i = 0; i < anomaly.transactions.size(); ++i)
    out.scene.boxes.push_back(
        {.txn = history::TxnId{static_cast<std::uint32_t>(i + 1)},
         .title = printable(call_text(program, anomaly.transactions[i]), call_width_max),
         .place = "",
         .lines = box_lines(program, anomaly, i),
         .number = {}});
  for (std::size_t i = 0; i < anomaly.dependencies.size(); ++i) {
    const Dependency& edge = anomaly.dependencies[i];
    out.scene.arrows.push_back(
        {.from = edge.from,
         .to = edge.to,
         .kind = edge_kind(edge.kind),
         .role = Role::Cycle,
         .is_inferred = false,
         .label = fmt::format(
             "{} {}", audit::name(edge.kind),
             edge.field.empty() ? program.tables[edge.table.index].name : edge.field),
         .tooltip =
             fmt::format("{}: {}", record_text(program, edge), dependency_sentence(edge)),
         .anchor = fmt::format("e{}", i)});
  }
  return out;
}

std::string audit_dot(const Audited& audited, const AuditTextOptions& options) {
  std::vector<std::string> parts;
  for (const AuditedLevel& level : audited.levels)
    for (const Anomaly& anomaly : level.result.anomalies) {
      if (!counts(anomaly, options.ignore_harmless)) continue;
      const Scene scene = anomaly_picture(audited.program, anomaly).scene;
      parts.push_back(dot_cluster(scene, fmt::format("a{}", parts.size() + 1),
                                  fmt::format("{}: {}", level.plan.name, scene.title)));
    }
  if (parts.empty())
    parts.emplace_back("  none [shape=note, label=\"no anomaly was found\"];\n");
  return dot_document(parts);
}

}  // namespace isomer::report
