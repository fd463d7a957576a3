// SPDX-License-Identifier: MIT
#include "report/finding_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/wording.h"

namespace isomer::report {
namespace {

using check::Edge;
using check::TxnId;
using check::Violated;
using history::History;

constexpr std::size_t operations_shown = 12;  // of one transaction
constexpr std::size_t transactions_shown = 40;
constexpr std::size_t reasons_shown = 40;  // indented lines under one cycle
constexpr std::size_t arrow_width_max = 48;

// "  a/1  line 3   r(balance)=60  w(balance)=10", columns aligned over all transactions.
std::string transactions(const History& history, const Violated& violation) {
  std::size_t name_width = 0;
  std::size_t line_width = 0;
  const auto line_of = [&](TxnId t) {
    return history.line(t) == 0 ? std::string() : fmt::format("line {}", history.line(t));
  };
  for (const TxnId t : violation.transactions) {
    name_width = std::max(name_width, txn_text(history, t).size());
    line_width = std::max(line_width, line_of(t).size());
  }
  const std::vector<history::KeyId> keys = keys_that_matter(history, violation);
  std::string out;
  std::size_t count = 0;
  for (const TxnId t : violation.transactions) {
    if (count++ == transactions_shown) {
      out += fmt::format(
          "  ... {}\n",
          counted(violation.transactions.size() - transactions_shown, "more transaction"));
      break;
    }
    std::string line = fmt::format("  {:<{}}  ", txn_text(history, t), name_width);
    if (line_width != 0) line += fmt::format("{:<{}}  ", line_of(t), line_width);
    const Excerpt shown = excerpt(history, t, keys, operations_shown);
    for (const std::string& operation : shown.operations)
      line += fmt::format(" {} ", operation);
    if (shown.left_out != 0) line += fmt::format(" {}", remainder(shown));
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::size_t arrow_width(const History& history, const std::vector<Edge>& edges) {
  std::size_t width = 0;
  for (const Edge& edge : edges)
    width = std::max(width, arrow(history, edge).size());
  return std::min(width, arrow_width_max);
}

// Justifications, each level of them indented under the edge it holds up.
void add_because(const History& history, const Edge& edge, std::size_t depth,
                 std::vector<std::string>& lines) {
  const std::size_t width = arrow_width(history, edge.because);
  for (const Edge& step : edge.because) {
    lines.push_back(fmt::format("{}{} {:<{}}   {}", std::string(4 * depth + 2, ' '),
                                &step == edge.because.data() ? "because" : "    and",
                                arrow(history, step), width, reason(history, step)));
    add_because(history, step, depth + 1, lines);
  }
}

std::string cycle(const History& history, const Violated& violation, const Ink& ink) {
  const std::size_t width = arrow_width(history, violation.cycle);
  std::string out;
  std::size_t reasons_left = reasons_shown;
  for (const Edge& edge : violation.cycle) {
    out +=
        fmt::format("  {:<{}}   {}\n", arrow(history, edge), width, reason(history, edge));
    std::vector<std::string> lines;
    add_because(history, edge, 1, lines);
    const std::size_t shown = std::min(lines.size(), reasons_left);
    for (std::size_t i = 0; i < shown; ++i)
      out += ink.dim(lines[i]) + "\n";
    if (shown < lines.size())
      out += ink.dim(fmt::format("      ... {} (all are in --json)\n",
                                 counted(lines.size() - shown, "more step")));
    reasons_left -= shown;
  }
  return out;
}

}  // namespace

std::string finding_text(const History& history, const Finding& finding, const Ink& ink) {
  const Violated& violation = *finding.violation;
  const std::vector<history::KeyId> keys = keys_that_matter(history, violation);
  std::string title = violation.anomaly;
  if (keys.size() == 1) title += " on " + key_text(history, keys[0]);
  std::string out = fmt::format("\n{}        (breaks {}; axiom {})\n", ink.bold(title),
                                list(finding.levels), violation.axiom);
  out += transactions(history, violation);
  out += cycle(history, violation, ink);
  if (violation.problem)
    out += sentence(history, *violation.problem) + "\n";
  else if (violation.cycle.empty())
    out += fmt::format(
        "No order of {} satisfies {}.\n",
        violation.transactions.size() == 1
            ? "this transaction"
            : fmt::format("these {} transactions", violation.transactions.size()),
        check::info(finding.levels[0]).name);
  if (!violation.problem && !violation.summary.empty()) out += violation.summary + "\n";
  if (!violation.is_minimal)
    out += "Fewer transactions may show the same: time ran out while leaving out more.\n";
  return out;
}

}  // namespace isomer::report
