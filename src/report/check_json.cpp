// SPDX-License-Identifier: MIT
// The machine-readable result.  docs/schema/check.schema.json describes it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "report/check_report.h"
#include "report/diagnostics_json.h"
#include "report/finding.h"
#include "report/wording.h"

namespace isomer::report {
namespace {

using check::Consistent;
using check::Edge;
using check::Level;
using check::LevelResult;
using check::TxnId;
using check::Unknown;
using check::Violated;
using history::History;
using Json = nlohmann::ordered_json;
using Pairs = std::vector<std::pair<TxnId, TxnId>>;

Json names(const History& history, std::span<const TxnId> txns) {
  Json out = Json::array();
  for (const TxnId t : txns)
    out.push_back(history.txn_name(t));
  return out;
}

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

Json pairs(const History& history, const Pairs& list) {
  Json out = Json::array();
  for (const auto& [from, to] : list)
    out.push_back({history.txn_name(from), history.txn_name(to)});
  return out;
}

Json relations(const History& history, const Consistent& consistent) {
  Json out = Json::array();
  for (const check::WitnessRelation& relation : consistent.relations) {
    Json item{{"name", relation.name}, {"key", nullptr}};
    if (!relation.key.is_none()) item["key"] = history.key_name(relation.key);
    if (relation.is_order)
      item["order"] = names(history, relation.order);
    else
      item["pairs"] = pairs(history, relation.pairs);
    out.push_back(std::move(item));
  }
  return out;
}

Json witness(const History& history, const check::AskedLevel& level,
             const Consistent& consistent) {
  Json out;
  if (!level.built_in) {
    out["relations"] = relations(history, consistent);
    out["taken_as_committed"] = names(history, consistent.taken);
  } else if (level.built_in == Level::PSI) {
    out["arbitration"] = names(history, consistent.commit_order);
    out["visibility"] = pairs(history, visibility(history, consistent));
  } else {
    out["commit_order"] = names(history, consistent.commit_order);
  }
  Json choices = Json::array();
  for (const check::Choice& choice : consistent.choices) {
    const history::Read& read = history.all_reads()[choice.read.index];
    choices.push_back({{"transaction", history.txn_name(history.reader(choice.read))},
                       {"key", history.key_name(read.key)},
                       {"operation", operation_text(history, read.op)},
                       {"writer", history.txn_name(choice.writer)}});
  }
  out["choices"] = std::move(choices);
  return out;
}

Json violation(const History& history, const Violated& violated) {
  Json out{{"verdict", "violation"},
           {"anomaly", violated.anomaly},
           {"axiom", fmt::format("{}", fmt::join(violated.axioms, ", "))},
           {"axioms", violated.axioms},
           {"summary", violated.summary},
           {"transactions", names(history, violated.transactions)},
           {"minimal", violated.is_minimal},
           {"edges", edges(history, violated.cycle)}};
  if (violated.problem) out["problem"] = problem(history, *violated.problem);
  return out;
}

Json one_level(const History& history, const LevelResult& result,
               const JsonOptions& options) {
  Json out;
  if (const auto* consistent = std::get_if<Consistent>(&result.verdict)) {
    out["verdict"] = "ok";
    if (options.witness) out["witness"] = witness(history, result.level, *consistent);
  } else if (const auto* violated = std::get_if<Violated>(&result.verdict)) {
    out = violation(history, *violated);
  } else {
    out["verdict"] = "unknown";
    out["reason"] = std::get<Unknown>(result.verdict).reason;
  }
  out["seconds"] = result.seconds;
  out["stats"] = {{"known_edges", result.stats.known_edges},
                  {"solver_calls", result.stats.solver_calls},
                  {"learned_clauses", result.stats.learned_clauses}};
  return out;
}

// Bytes of the input that are not UTF-8 become U+FFFD.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

// A document inside a document; its strings have no line ends.
std::string indented(std::string_view text, std::size_t columns) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out.append(columns, ' ');
  }
  return out;
}

}  // namespace

std::string check_json_part(const Checked& checked, const JsonOptions& options) {
  const Size size = size_of(checked.history);
  Json out{{"file", checked.file},
           {"sessions", size.sessions},
           {"transactions", size.transactions},
           {"operations", size.operations},
           {"keys", checked.history.key_count()},
           {"committed", size.committed},
           {"aborted", size.aborted},
           {"unknown", size.unknown},
           {"ambiguous_reads", size.ambiguous_reads}};
  Json strongest = Json::array();
  for (const check::AskedLevel& level : check::strongest_allowed(checked.result))
    strongest.push_back(level.name);
  out["strongest"] = std::move(strongest);
  Json levels = Json::object();
  for (const LevelResult& level : checked.result.levels)
    levels[level.level.name] = one_level(checked.history, level, options);
  out["levels"] = std::move(levels);
  return dump(out);
}

std::string check_json(std::span<const std::string> parts, const Diagnostics& errors) {
  std::string out = "{\n  \"histories\": [";
  for (const std::string& part : parts) {
    out += &part == parts.data() ? "\n    " : ",\n    ";
    out += indented(part, 4);
  }
  out += parts.empty() ? "]" : "\n  ]";
  if (!errors.empty())
    out += ",\n  \"errors\": " + indented(dump(diagnostics_json(errors)), 2);
  return out + "\n}\n";
}

}  // namespace isomer::report
