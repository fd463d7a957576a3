// SPDX-License-Identifier: MIT
// The machine-readable result.  docs/schema/check.schema.json describes it.
#include <fmt/format.h>

#include "report/check/finding.h"
#include "report/check/report.h"
#include "report/check/verdicts.h"
#include "report/check/wording.h"
#include "report/json.h"

namespace isomer::report {
namespace {

using check::Consistent;
using check::Level;
using check::LevelResult;
using check::Unknown;
using check::Violated;
using history::History;
using history::TxnId;
using Pairs = std::vector<std::pair<TxnId, TxnId>>;

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
      item["order"] = names_json(history, relation.order);
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
    out["taken_as_committed"] = names_json(history, consistent.taken);
  } else if (level.built_in == Level::PSI) {
    out["arbitration"] = names_json(history, consistent.commit_order);
    out["visibility"] = pairs(history, visibility(history, consistent));
  } else {
    out["commit_order"] = names_json(history, consistent.commit_order);
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

Json one_level(const History& history, const LevelResult& result,
               const JsonOptions& options) {
  Json out;
  if (const auto* consistent = std::get_if<Consistent>(&result.verdict)) {
    out["verdict"] = "ok";
    if (options.witness) out["witness"] = witness(history, result.level, *consistent);
  } else if (const auto* violated = std::get_if<Violated>(&result.verdict)) {
    out = violation_json(history, *violated);
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
  for (const LevelResult& level : checked.result->levels)
    levels[level.level.name] = one_level(checked.history, level, options);
  out["levels"] = std::move(levels);
  if (Json library = library_json(checked.result); !library.is_null())
    out["library"] = std::move(library);
  return dump(out);
}

std::string check_json(std::span<const std::string> parts, const Unanswered& unanswered) {
  const auto member = [](std::string_view name, const Json& value) {
    return fmt::format(",\n  \"{}\": {}", name, indented(dump(value), 2));
  };
  std::string out = "{\n  \"histories\": [";
  for (const std::string& part : parts) {
    out += &part == parts.data() ? "\n    " : ",\n    ";
    out += indented(part, 4);
  }
  out += parts.empty() ? "]" : "\n  ]";
  if (!unanswered.errors.empty())
    out += member("errors", diagnostics_json(unanswered.errors));
  if (!unanswered.not_checked.empty()) out += member("not_checked", unanswered.not_checked);
  if (unanswered.undecided)
    out += member("undecided", undecided_json_part(*unanswered.undecided));
  return out + "\n}\n";
}

}  // namespace isomer::report
