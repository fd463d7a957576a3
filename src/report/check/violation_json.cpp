// SPDX-License-Identifier: MIT
#include "report/check/violation_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/finding.h"
#include "report/check/wording.h"

namespace isomer::report {
namespace {

using check::Edge;
using check::Violated;
using history::History;
using history::TxnId;

void add_place(Json& item, const char* name, const History& history,
               std::optional<std::uint32_t> op) {
  if (op && !history.place(*op).empty()) item[name] = history.place(*op);
}

void add_places(Json& item, const History& history, const Edge& edge) {
  if (!history.has_places()) return;
  const EdgeEnds ends = ends_of(history, edge);
  add_place(item, "from_place", history, ends.from);
  add_place(item, "to_place", history, ends.to);
}

Json edges(const History& history, const std::vector<Edge>& list) {
  Json out = Json::array();
  for (const Edge& edge : list) {
    Json item{{"from", history.txn_name(edge.from)},
              {"to", history.txn_name(edge.to)},
              {"kind", check::name(edge.kind)},
              {"key", nullptr}};
    if (!edge.key.is_none()) item["key"] = history.key_name(edge.key);
    if (!edge.via.is_none()) item["via"] = history.txn_name(edge.via);
    add_places(item, history, edge);
    item["reason"] = reason(history, edge);
    if (!edge.because.empty()) item["because"] = edges(history, edge.because);
    out.push_back(std::move(item));
  }
  return out;
}

Json problem(const History& history, const history::Problem& problem) {
  Json out{{"kind", name(problem.kind)},
           {"reader", history.txn_name(problem.reader)},
           {"key", history.key_name(problem.key)},
           {"operation", operation_text(history, problem.op)},
           {"sentence", sentence(history, problem)}};
  if (!problem.other.is_none()) out["other"] = history.txn_name(problem.other);
  add_place(out, "place", history, problem.op);
  return out;
}

}  // namespace

Json names_json(const History& history, std::span<const TxnId> txns) {
  Json out = Json::array();
  for (const TxnId t : txns)
    out.push_back(history.txn_name(t));
  return out;
}

Json violation_json(const History& history, const Violated& violated) {
  Json out{{"verdict", "violation"},
           {"anomaly", violated.anomaly},
           {"axiom", fmt::format("{}", fmt::join(violated.axioms, ", "))},
           {"axioms", violated.axioms},
           {"summary", violated.summary},
           {"transactions", names_json(history, violated.transactions)},
           {"minimal", violated.is_minimal},
           {"edges", edges(history, violated.cycle)}};
  if (violated.problem) out["problem"] = problem(history, *violated.problem);
  return out;
}

}  // namespace isomer::report
