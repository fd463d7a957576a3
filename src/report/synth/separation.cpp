// SPDX-License-Identifier: MIT
#include "report/synth/separation.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/finding.h"
#include "report/check/wording.h"

namespace isomer::report {
namespace {

using history::History;
using history::TxnId;

constexpr std::size_t operations_shown = 40;  // of one transaction

// One line a transaction, those of a session one below the other.
std::string table(const History& history) {
  const std::vector<history::KeyId> keys = all_keys(history);
  std::vector<history::KeyId> by_name = keys;
  std::ranges::sort(by_name, {}, [&](history::KeyId x) { return history.key_name(x); });
  std::size_t width = 0;
  for (TxnId t{0}; t.index < history.txn_count(); ++t.index)
    width = std::max(width, txn_text(history, t).size());
  std::string out;
  for (TxnId t{0}; t.index < history.txn_count(); ++t.index) {
    const Excerpt shown =
        excerpt(history, t, t == history::init ? by_name : keys, operations_shown);
    out += fmt::format("  {:<{}}   {}\n", txn_text(history, t), width,
                       fmt::join(shown.operations, "  "));
  }
  return out;
}

std::string pairs_text(const History& history,
                       const std::vector<std::pair<TxnId, TxnId>>& pairs) {
  std::vector<std::string> arrows;
  for (const auto& [from, to] : pairs)
    if (from != history::init)
      arrows.push_back(
          fmt::format("{} -> {}", txn_text(history, from), txn_text(history, to)));
  return arrows.empty() ? "nothing beyond init"
                        : fmt::format("{}", fmt::join(arrows, ", "));
}

std::string_view word_of(std::string_view relation) {
  if (relation == "co") return "commit order";
  if (relation == "ar") return "arbitration order";
  if (relation == "vis") return "visibility";
  return relation;
}

std::string allowed_text(const Separation& separation) {
  std::string out;
  for (std::size_t i = 0; i < separation.found->allowed.size(); ++i) {
    const synth::Allowed& allowed = separation.found->allowed[i];
    out += fmt::format("{} allows it{}\n", separation.allow[i],
                       allowed.relations.empty() ? ": all its axioms hold" : "");
    for (const synth::ShownRelation& relation : allowed.relations)
      out += fmt::format("  {}\n", relation_text(separation.found, relation));
  }
  return out;
}

std::string forbidden_text(const Separation& separation, const Ink& ink) {
  const History& history = separation.found->history;
  std::string out;
  for (const Finding& finding : shown_findings(separation)) {
    std::vector<std::string> levels;
    for (const std::size_t i : forbidden_by(separation, finding))
      levels.push_back(fmt::format("{} ({})", separation.forbid[i],
                                   axioms_of(separation.found->forbidden[i])));
    out += fmt::format("{} {} it: {}\n", names_text(levels),
                       levels.size() == 1 ? "forbids" : "forbid",
                       ink.bold(finding_title(history, finding)));
    out += finding_reasons(history, finding, ink);
  }
  for (const std::size_t i : unexplained(separation))
    out += fmt::format("{} forbids it: {}\n", separation.forbid[i],
                       axioms_sentence(separation.found->forbidden[i]));
  return out;
}

}  // namespace

std::string size_text(const synth::Found& found) {
  return fmt::format("{}, {}, {}", counted(found.history.txn_count() - 1, "transaction"),
                     counted(found.operations, "operation"),
                     counted(found.history.key_count(), "key"));
}

std::string scope_text(const synth::Scope& scope) {
  const std::string out =
      fmt::format("up to {}, {} and {}", counted(scope.transactions, "transaction"),
                  counted(scope.keys, "key"), counted(scope.values, "value"));
  if (!scope.operations) return out;
  return fmt::format("{}, with at most {} in a transaction", out,
                     counted(*scope.operations, "operation"));
}

std::string names_text(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names[0];
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "),
                     names.back());
}

std::string session_order_text(const synth::Found& found) {
  if (found.so.empty()) return {};
  return fmt::format("session order: {}", pairs_text(found.history, found.so));
}

std::string relation_text(const synth::Found& found, const synth::ShownRelation& relation) {
  if (!relation.is_order)
    return fmt::format("{}: {}", word_of(relation.name),
                       pairs_text(found.history, relation.pairs));
  std::vector<std::string> names;
  for (const TxnId t : relation.order)
    names.push_back(txn_text(found.history, t));
  return fmt::format("{}: {}", word_of(relation.name), fmt::join(names, " < "));
}

std::string axioms_of(const synth::Forbidden& forbidden) {
  if (forbidden.axioms.empty()) return "its axioms";
  return fmt::format("{} {}", forbidden.axioms.size() == 1 ? "axiom" : "axioms",
                     names_text(forbidden.axioms));
}

std::string axioms_sentence(const synth::Forbidden& forbidden) {
  return fmt::format("no execution satisfies {}{}", axioms_of(forbidden),
                     forbidden.axioms.size() > 1 ? " together" : "");
}

std::vector<std::size_t> forbidden_by(const Separation& separation,
                                      const Finding& finding) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < separation.found->forbidden.size(); ++i)
    if (std::ranges::find(finding.levels, separation.found->forbidden[i].level,
                          &check::AskedLevel::name) != finding.levels.end())
      out.push_back(i);
  return out;
}

std::vector<Finding> shown_findings(const Separation& separation) {
  std::vector<Finding> out = findings(separation.found->levels);
  std::erase_if(out, [](const Finding& finding) {
    return finding.violation->cycle.empty() && !finding.violation->problem;
  });
  return out;
}

std::vector<std::size_t> unexplained(const Separation& separation) {
  std::vector<bool> is_explained(separation.found->forbidden.size(), false);
  for (const Finding& finding : shown_findings(separation))
    for (const std::size_t i : forbidden_by(separation, finding))
      is_explained[i] = true;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < is_explained.size(); ++i)
    if (!is_explained[i]) out.push_back(i);
  return out;
}

std::string separation_text(const Separation& separation, const Ink& ink) {
  std::string out = table(separation.found->history);
  const std::string order = session_order_text(separation.found);
  if (!order.empty()) out += fmt::format("  {}\n", order);
  return fmt::format("{}\n{}{}", out, allowed_text(separation),
                     forbidden_text(separation, ink));
}

std::optional<ShownOrder> shown_order(const synth::Found& found) {
  for (std::size_t i = 0; i < found.allowed.size(); ++i)
    for (const synth::ShownRelation& relation : found.allowed[i].relations)
      if (relation.is_order && relation.order.size() + 1 >= found.history.txn_count())
        return ShownOrder{i, relation.order};
  return std::nullopt;
}

Scene separation_scene(const Separation& separation) {
  const std::vector<Finding> found = shown_findings(separation);
  const std::optional<ShownOrder> order = shown_order(separation.found);
  std::string title = fmt::format(
      "allowed by {}{},\nforbidden by {}", names_text(separation.allow),
      order ? " (the numbers are an order)" : "", names_text(separation.forbid));
  if (!found.empty())
    title += fmt::format(": {}", finding_title(separation.found->history, found[0]));
  return whole_scene(
      separation.found->history, std::move(title), all_keys(separation.found->history),
      order ? order->txns : std::vector<TxnId>(), found.empty() ? nullptr : found.data());
}

}  // namespace isomer::report
