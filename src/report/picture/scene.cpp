// SPDX-License-Identifier: MIT
#include "report/picture/scene.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/check/wording.h"

namespace isomer::report {
namespace {

using check::Edge;
using check::EdgeKind;
using history::History;
using history::KeyId;
using history::TxnId;

constexpr std::size_t lines_max = 12;  // of one box
constexpr std::size_t keys_in_label_max = 3;
constexpr std::size_t label_width_max = 24;
constexpr std::size_t supported_boxes_max = 9;  // of a cycle with its justifications

// Collects boxes and arrows; an arrow that is already there is not drawn again.
class Painter {
 public:
  Painter(const History& history, Scene& scene) : history_(history), scene_(scene) {}

  void add_boxes(std::vector<TxnId> txns, const std::vector<KeyId>& keys) {
    std::sort(txns.begin(), txns.end());
    txns.erase(std::unique(txns.begin(), txns.end()), txns.end());
    for (const TxnId t : txns) {
      index_[t] = scene_.boxes.size();
      const Excerpt shown = excerpt(history_, t, keys, lines_max);
      Box box{.txn = t,
              .title = txn_text(history_, t),
              .place = place(t),
              .lines = lines_of(shown),
              .number = {}};
      scene_.boxes.push_back(std::move(box));
    }
  }

  // Drawn as it is already, or plainly.
  void mark(const Edge& edge) {
    add(edge, Role::Support);
    for (Arrow& arrow : scene_.arrows)
      if (is_of(arrow, edge)) arrow.is_marked = true;
  }

  void add(const Edge& edge, Role role) {
    const auto from = index_.find(edge.from);
    const auto to = index_.find(edge.to);
    if (from == index_.end() || to == index_.end() || is_there(edge)) return;
    scene_.arrows.push_back(
        {.from = from->second,
         .to = to->second,
         .kind = edge.kind,
         .role = role,
         .is_inferred = !edge.because.empty(),
         .label = printable(label(history_, edge), label_width_max),
         .tooltip = arrow(history_, edge) + "\n" + reason(history_, edge),
         .anchor = anchor(edge),
         .is_marked = false});
  }

  // What was seen between the transactions shown: session order, and reads of these keys.
  void add_context(const std::vector<KeyId>& keys) {
    for (std::size_t i = 0; i + 1 < scene_.boxes.size(); ++i) {
      const TxnId t1 = scene_.boxes[i].txn;
      const TxnId t2 = scene_.boxes[i + 1].txn;
      if (t1 != check::init && history_.so(t1, t2))
        add({t1, t2, EdgeKind::So, {}, {}, {}}, Role::Context);
    }
    for (const Box& box : scene_.boxes)
      add_reads(box.txn, keys);
  }

 private:
  [[nodiscard]] std::string place(TxnId t) const {
    std::string out;
    if (history_.line(t) != 0) out = fmt::format("line {}", history_.line(t));
    if (history_.status(t) == history::Status::Committed) return out;
    if (!out.empty()) out += ", ";
    return out +
           (history_.status(t) == history::Status::Aborted ? "aborted" : "outcome unknown");
  }

  // Several keys read from one transaction make one arrow.
  void add_reads(TxnId reader, const std::vector<KeyId>& keys) {
    std::map<TxnId, std::vector<Edge>> by_writer;
    std::set<std::pair<TxnId, KeyId>> seen;
    for (const history::Read& read : history_.reads(reader)) {
      const Edge edge{read.writer, reader, EdgeKind::Wr, read.key, {}, {}};
      if (!read.writer.is_none() && !is_there(edge) &&
          std::binary_search(keys.begin(), keys.end(), read.key) &&
          seen.emplace(read.writer, read.key).second)
        by_writer[read.writer].push_back(edge);
    }
    for (const auto& [writer, edges] : by_writer) {
      if (edges.empty()) continue;
      const std::size_t before = scene_.arrows.size();
      add(edges.front(), Role::Context);
      if (scene_.arrows.size() == before) continue;
      Arrow& arrow = scene_.arrows.back();
      for (std::size_t i = 1; i < edges.size(); ++i) {
        if (i < keys_in_label_max)
          arrow.label += fmt::format(", {}", key_text(history_, edges[i].key));
        if (i == keys_in_label_max) arrow.label += ", ...";
        arrow.tooltip += fmt::format("\n{}", reason(history_, edges[i]));
      }
    }
  }

  [[nodiscard]] bool is_of(const Arrow& arrow, const Edge& edge) const {
    return scene_.boxes[arrow.from].txn == edge.from &&
           scene_.boxes[arrow.to].txn == edge.to &&
           arrow.label == printable(label(history_, edge), label_width_max);
  }

  [[nodiscard]] bool is_there(const Edge& edge) const {
    return std::ranges::any_of(scene_.arrows,
                               [&](const Arrow& arrow) { return is_of(arrow, edge); });
  }

  const History& history_;
  Scene& scene_;
  std::map<TxnId, std::size_t> index_;
};

void add_support(Painter& painter, const Edge& edge) {
  for (const Edge& step : edge.because) {
    painter.add(step, Role::Support);
    add_support(painter, step);
  }
}

void add_evidence(Painter& painter, const check::Violated& violation) {
  const std::vector<Edge> cycle = told(violation.cycle);
  for (const Edge& edge : cycle)
    painter.add(edge, Role::Cycle);
  if (violation.problem && !violation.problem->other.is_none() &&
      violation.problem->other != violation.problem->reader)
    painter.add({violation.problem->other,
                 violation.problem->reader,
                 EdgeKind::Wr,
                 violation.problem->key,
                 {},
                 {}},
                Role::Cycle);
  for (const Edge& edge : cycle)
    add_support(painter, edge);
}

// The transactions that the evidence names, also those that only justify an edge.
void add_named(const std::vector<Edge>& edges, std::vector<TxnId>& txns) {
  for (const Edge& edge : edges) {
    txns.push_back(edge.from);
    txns.push_back(edge.to);
    if (!edge.via.is_none()) txns.push_back(edge.via);
    add_named(edge.because, txns);
  }
}

// The transactions to show: all that the evidence names if they are few, else only those on
// the cycle and those they read from.
std::vector<TxnId> txns_of(const check::Violated& violation,
                           const std::vector<Edge>& cycle) {
  std::vector<TxnId> all = violation.transactions;
  add_named(cycle, all);
  if (violation.problem && !violation.problem->other.is_none())
    all.push_back(violation.problem->other);
  if (std::set<TxnId>(all.begin(), all.end()).size() <= supported_boxes_max ||
      cycle.empty())
    return all;
  std::vector<TxnId> out;
  for (const Edge& edge : cycle) {
    out.push_back(edge.from);
    if (!edge.via.is_none()) out.push_back(edge.via);
  }
  return out;
}

// The strongest level that allows the history, with its witness.
const check::LevelResult* strongest(const Checked& checked) {
  const std::vector<check::AskedLevel> allowed = check::strongest_allowed(checked.result);
  for (const check::LevelResult& level : checked.result->levels)
    if (!allowed.empty() && level.level == allowed.back()) return &level;
  return nullptr;
}

}  // namespace

std::vector<KeyId> all_keys(const History& history) {
  std::vector<KeyId> keys(history.key_count());
  for (std::uint32_t i = 0; i < keys.size(); ++i)
    keys[i] = {i};
  return keys;
}

std::string anchor(const Edge& edge) {
  const std::string key = edge.key.is_none() ? "" : fmt::format("-{}", edge.key.index);
  return fmt::format("{}-{}-{}{}", edge.from.index, edge.to.index, check::name(edge.kind),
                     key);
}

std::vector<TxnId> shown_txns(const check::Violated& violation) {
  return txns_of(violation, told(violation.cycle));
}

Scene part_scene(const History& history, std::string title, std::vector<TxnId> txns,
                 const std::vector<KeyId>& keys, const Finding* finding,
                 std::span<const Edge> marked) {
  Scene scene{.title = std::move(title), .boxes = {}, .arrows = {}};
  Painter painter(history, scene);
  painter.add_boxes(std::move(txns), keys);
  if (finding != nullptr) add_evidence(painter, *finding->violation);
  for (const Edge& edge : marked)
    painter.mark(edge);
  painter.add_context(keys);
  const bool has_init = !scene.boxes.empty() && scene.boxes[0].txn == check::init;
  scene.left_out = history.txn_count() - 1 - (scene.boxes.size() - (has_init ? 1 : 0));
  return scene;
}

Scene scene_of(const History& history, const Finding& finding) {
  const check::Violated& violation = *finding.violation;
  return part_scene(
      history, fmt::format("{} (breaks {})", violation.anomaly, list(finding.levels)),
      shown_txns(violation), keys_that_matter(history, violation), &finding, {});
}

Scene whole_scene(const History& history, std::string title, const std::vector<KeyId>& keys,
                  std::span<const TxnId> order, const Finding* finding) {
  Scene scene{.title = std::move(title), .boxes = {}, .arrows = {}};
  std::vector<TxnId> txns;
  if (finding != nullptr)
    txns = txns_of(*finding->violation, told(finding->violation->cycle));
  for (std::uint32_t t = 1; t < history.txn_count(); ++t)
    txns.push_back({t});
  Painter painter(history, scene);
  painter.add_boxes(std::move(txns), keys);
  if (finding != nullptr) add_evidence(painter, *finding->violation);
  painter.add_context(keys);
  std::map<TxnId, std::size_t> numbers;
  for (const TxnId t : order)
    if (t != check::init) numbers.emplace(t, numbers.size() + 1);
  for (Box& box : scene.boxes)
    if (const auto number = numbers.find(box.txn); number != numbers.end())
      box.number = number->second;
  return scene;
}

std::optional<Scene> whole_scene(const Checked& checked) {
  const check::LevelResult* const level = strongest(checked);
  if (level == nullptr || checked.history.txn_count() - 1 > whole_history_max)
    return std::nullopt;
  const auto& order = std::get<check::Consistent>(level->verdict).commit_order;
  return whole_scene(
      checked.history,
      fmt::format("{} allows it{}", printable(level->level.name, level_width_max),
                  order.empty() ? "" : ": the numbers are a commit order"),
      all_keys(checked.history), order, nullptr);
}

std::vector<Scene> scenes(const Checked& checked) {
  std::vector<Scene> out;
  for (const Finding& finding : findings(checked.result))
    out.push_back(scene_of(checked.history, finding));
  if (out.empty())
    if (std::optional<Scene> whole = whole_scene(checked)) out.push_back(std::move(*whole));
  return out;
}

}  // namespace isomer::report
