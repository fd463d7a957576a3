// SPDX-License-Identifier: MIT
#include "report/check/finding.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/check/wording.h"

namespace isomer::report {
namespace {

using check::Edge;
using check::Violated;
using history::History;
using history::KeyId;
using history::Operation;
using history::OpKind;
using history::TxnId;

// Built-in levels imply each other, so one axiom speaks for all that it breaks; texts need
// not even mean the same by a name.
bool is_same_story(const Finding& a, const Finding& b) {
  return a.violation->anomaly == b.violation->anomaly &&
         a.violation->transactions == b.violation->transactions &&
         ((a.levels[0].built_in && b.levels[0].built_in) ||
          a.violation->axioms == b.violation->axioms);
}

void add_keys(const std::vector<Edge>& edges, std::vector<KeyId>& keys) {
  for (const Edge& edge : edges) {
    if (!edge.key.is_none()) keys.push_back(edge.key);
    add_keys(edge.because, keys);
  }
}

std::vector<KeyId> contended_keys(const History& history, const Violated& violation) {
  struct Use {
    TxnId first_user;
    bool is_shared = false;
    bool is_written = false;
  };

  std::map<KeyId, Use> uses;
  for (const TxnId txn : violation.transactions)
    for (const Operation& operation : history.operations(txn)) {
      Use& use = uses.try_emplace(operation.key, Use{.first_user = txn}).first->second;
      use.is_shared = use.is_shared || use.first_user != txn;
      use.is_written = use.is_written || operation.kind == OpKind::Write;
    }
  std::vector<KeyId> keys;
  for (const auto& [key, use] : uses)
    if (use.is_shared && use.is_written) keys.push_back(key);
  return keys;
}

Excerpt excerpt_of_init(const History& history, const std::vector<KeyId>& keys,
                        std::size_t count_max) {
  Excerpt out;
  for (const KeyId key : keys) {
    const std::optional<history::Value> value = history.initial_value(key);
    if (!value) continue;
    if (out.operations.size() == count_max)
      ++out.left_out;
    else
      out.operations.push_back(
          fmt::format("w({})={}", key_text(history, key), printable(history.text(*value))));
  }
  return out;
}

}  // namespace

std::vector<Finding> findings(const check::Result& result) {
  std::vector<Finding> out;
  for (const check::LevelResult& level : result.levels) {
    const auto* violation = std::get_if<Violated>(&level.verdict);
    if (violation == nullptr) continue;
    const Finding found{.levels = {level.level}, .violation = violation};
    const auto same = std::find_if(out.begin(), out.end(), [&](const Finding& finding) {
      return is_same_story(finding, found);
    });
    if (same == out.end())
      out.push_back(found);
    else
      same->levels.push_back(level.level);
  }
  return out;
}

std::vector<Edge> told(const std::vector<Edge>& cycle) {
  std::vector<Edge> out;
  for (const Edge& edge : cycle) {
    const Edge* shown = &edge;
    while (shown->because.size() == 1 && shown->because[0].from == edge.from &&
           shown->because[0].to == edge.to && shown->because[0].key == edge.key)
      shown = shown->because.data();
    out.push_back(*shown);
  }
  return out;
}

std::vector<KeyId> keys_that_matter(const History& history, const Violated& violation) {
  std::vector<KeyId> keys;
  if (violation.problem) keys.push_back(violation.problem->key);
  add_keys(violation.cycle, keys);
  if (keys.empty()) keys = contended_keys(history, violation);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

Excerpt excerpt(const History& history, TxnId txn, const std::vector<KeyId>& keys,
                std::size_t count_max) {
  if (txn == history::init) return excerpt_of_init(history, keys, count_max);
  Excerpt out;
  const std::uint32_t first = history.first_op(txn);
  const auto operations = history.operations(txn);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const bool matters = std::binary_search(keys.begin(), keys.end(), operations[i].key);
    if (!matters || out.operations.size() >= count_max) {
      ++out.left_out;
      continue;
    }
    out.operations.push_back(operation_text(history, first + i));
    if (history.has_places()) out.places.push_back(place_text(history, first + i));
  }
  return out;
}

std::vector<std::string> lines_of(const Excerpt& excerpt) {
  std::size_t width = 0;
  for (const std::string& operation : excerpt.operations)
    width = std::max(width, operation.size());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < excerpt.operations.size(); ++i) {
    const bool has_place = i < excerpt.places.size() && !excerpt.places[i].empty();
    out.push_back(has_place ? fmt::format("{:<{}}  {}", excerpt.operations[i], width,
                                          excerpt.places[i])
                            : excerpt.operations[i]);
  }
  if (excerpt.left_out != 0) out.push_back(remainder(excerpt));
  return out;
}

EdgeEnds ends_of(const History& history, const Edge& edge) {
  const auto write = [&](TxnId txn) {
    std::optional<std::uint32_t> last;
    const auto operations = history.operations(txn);
    for (std::uint32_t i = 0; i < operations.size(); ++i)
      if (operations[i].kind == OpKind::Write && operations[i].key == edge.key)
        last = history.first_op(txn) + i;
    return last;
  };
  const auto read_of = [&](TxnId txn, TxnId writer) -> std::optional<std::uint32_t> {
    for (const history::Read& read : history.reads(txn))
      if (read.key == edge.key && (read.writer == writer || read.writer.is_none()))
        return read.op;
    return std::nullopt;
  };
  switch (edge.kind) {
    case check::EdgeKind::So:
      return {};
    case check::EdgeKind::Wr:
      return {.from = write(edge.from), .to = read_of(edge.to, edge.from)};
    case check::EdgeKind::Ww:
      return {.from = write(edge.from), .to = write(edge.to)};
    case check::EdgeKind::Rw:
      return {.from = read_of(edge.from, edge.via), .to = write(edge.to)};
  }
  return {};
}

std::string remainder(const Excerpt& excerpt) {
  if (excerpt.left_out == 0) return {};
  return fmt::format("... {}", counted(excerpt.left_out, "more operation"));
}

Size size_of(const History& history) {
  Size size{
      .sessions = history.session_count(),
      .transactions = history.txn_count() - 1,
      .operations = history.operations().size() - history.operations(history::init).size(),
      .ambiguous_reads = history.ambiguous_reads().size()};
  for (std::uint32_t t = 1; t < history.txn_count(); ++t) {
    switch (history.status({t})) {
      case history::Status::Committed:
        ++size.committed;
        break;
      case history::Status::Aborted:
        ++size.aborted;
        break;
      case history::Status::Unknown:
        ++size.unknown;
        break;
    }
  }
  return size;
}

}  // namespace isomer::report
