// SPDX-License-Identifier: MIT
#include "report/check/finding.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/wording.h"

namespace isomer::report {
namespace {

using check::Edge;
using check::Violated;
using history::History;
using history::TxnId;

constexpr std::size_t operations_shown = 12;  // of one transaction
constexpr std::size_t leading_shown = 40;
constexpr std::size_t supporting_shown = 12;
constexpr std::size_t reasons_shown = 12;  // indented lines under one edge
constexpr std::size_t arrow_width_max = 48;

// The transactions of the evidence: first those on the cycle, then those that only justify
// its edges.
struct Cast {
  std::vector<TxnId> leading;
  std::vector<TxnId> supporting;
};

Cast cast_of(const Violated& violation) {
  std::set<TxnId> on_cycle;
  for (const Edge& edge : violation.cycle)
    on_cycle.insert(edge.from);
  Cast out;
  for (const TxnId t : violation.transactions)
    (on_cycle.empty() || t == check::init || on_cycle.contains(t) ? out.leading
                                                                  : out.supporting)
        .push_back(t);
  return out;
}

// Lines such as "  a/1  line 3   r(balance)=60  w(balance)=10", in columns.  If it is known
// where the program made the operations, each gets a line of its own.
class TransactionTable {
 public:
  TransactionTable(const History& history, const Violated& violation)
      : history_(history), keys_(keys_that_matter(history, violation)) {
    for (const TxnId t : violation.transactions) {
      name_width_ = std::max(name_width_, txn_text(history, t).size());
      line_width_ = std::max(line_width_, place(t).size());
    }
  }

  [[nodiscard]] std::string rows(const std::vector<TxnId>& txns,
                                 std::size_t count_max) const {
    std::string out;
    for (std::size_t i = 0; i < std::min(txns.size(), count_max); ++i)
      out += row(txns[i]) + "\n";
    if (txns.size() > count_max)
      out +=
          fmt::format("  ... {}\n", counted(txns.size() - count_max, "more transaction"));
    return out;
  }

 private:
  [[nodiscard]] std::string place(TxnId t) const {
    return history_.line(t) == 0 ? std::string() : fmt::format("line {}", history_.line(t));
  }

  [[nodiscard]] std::string row(TxnId t) const {
    std::string out = fmt::format("  {:<{}}  ", txn_text(history_, t), name_width_);
    if (line_width_ != 0) out += fmt::format("{:<{}}  ", place(t), line_width_);
    const Excerpt shown = excerpt(history_, t, keys_, operations_shown);
    if (!shown.places.empty()) {
      out.erase(out.find_last_not_of(' ') + 1);
      return fmt::format("{}\n      {}", out, fmt::join(lines_of(shown), "\n      "));
    }
    for (const std::string& operation : shown.operations)
      out += fmt::format(" {} ", operation);
    if (shown.left_out != 0) out += fmt::format(" {}", remainder(shown));
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  }

  const History& history_;
  std::vector<history::KeyId> keys_;
  std::size_t name_width_ = 0;
  std::size_t line_width_ = 0;
};

std::string transactions(const History& history, const Violated& violation) {
  const TransactionTable table(history, violation);
  const Cast cast = cast_of(violation);
  std::string out = table.rows(cast.leading, leading_shown);
  if (cast.supporting.empty()) return out;
  return out + "others, which fix the order:\n" +
         table.rows(cast.supporting, supporting_shown);
}

std::size_t arrow_width(const History& history, const std::vector<Edge>& edges) {
  std::size_t width = 0;
  for (const Edge& edge : edges)
    width = std::max(width, arrow(history, edge).size());
  return std::min(width, arrow_width_max);
}

// The edge and its reason, which goes to a line of its own if the names are long.
std::string line_of(const History& history, const Edge& edge, std::size_t width,
                    std::size_t indent, const Ink& ink) {
  const std::size_t drawn = arrow(history, edge).size();
  const std::string gap = drawn > arrow_width_max
                              ? fmt::format("\n{}", std::string(indent, ' '))
                              : std::string(width - std::min(width, drawn) + 3, ' ');
  return fmt::format("{} {} {}{}{}", txn_text(history, edge.from),
                     ink.shade(shade_of(edge.kind), shaft(history, edge)),
                     txn_text(history, edge.to), gap, reason(history, edge));
}

// Justifications, each level of them indented under the edge it holds up.
void add_because(const History& history, const Edge& edge, std::size_t depth,
                 std::vector<std::string>& lines) {
  const std::size_t width = arrow_width(history, edge.because);
  for (const Edge& step : edge.because) {
    const std::size_t indent = 8 * depth - 2;
    lines.push_back(fmt::format("{}{} {}", std::string(indent, ' '),
                                &step == edge.because.data() ? "because" : "    and",
                                line_of(history, step, width, indent + 12, Ink(false))));
    add_because(history, step, depth + 1, lines);
  }
}

std::string cycle(const History& history, const Violated& violation, const Ink& ink) {
  const std::vector<Edge> edges = told(violation.cycle);
  const std::size_t width = arrow_width(history, edges);
  std::string out;
  for (const Edge& edge : edges) {
    out += fmt::format("  {}\n", line_of(history, edge, width, 6, ink));
    std::vector<std::string> lines;
    add_because(history, edge, 1, lines);
    const std::size_t shown = std::min(lines.size(), reasons_shown);
    for (std::size_t i = 0; i < shown; ++i)
      out += ink.dim(lines[i]) + "\n";
    if (shown < lines.size())
      out += ink.dim(fmt::format("      ... {} (all are in --json)\n",
                                 counted(lines.size() - shown, "more step")));
  }
  return out;
}

std::string no_order(const Violated& violation, const check::AskedLevel& level) {
  const auto count =
      std::count_if(violation.transactions.begin(), violation.transactions.end(),
                    [](TxnId t) { return t != check::init; });
  return fmt::format(
      "No {} of {} satisfies {}.\n", level.built_in ? "order" : "execution",
      count == 1 ? "this transaction" : fmt::format("these {} transactions", count),
      printable(level.name, level_width_max));
}

}  // namespace

std::string finding_title(const History& history, const Finding& finding) {
  const std::vector<history::KeyId> keys = keys_that_matter(history, *finding.violation);
  const std::string& anomaly = finding.violation->anomaly;
  return keys.size() == 1 ? fmt::format("{} on {}", anomaly, key_noun(history, keys[0]))
                          : anomaly;
}

std::string finding_reasons(const History& history, const Finding& finding,
                            const Ink& ink) {
  const Violated& violation = *finding.violation;
  std::string out = cycle(history, violation, ink);
  if (violation.problem)
    out += sentence(history, *violation.problem) + "\n";
  else if (violation.cycle.empty())
    out += no_order(violation, finding.levels[0]);
  if (!violation.problem && !violation.summary.empty()) out += violation.summary + "\n";
  if (!violation.is_minimal)
    out += "Fewer transactions may show the same: time ran out while leaving out more.\n";
  return out;
}

std::string finding_text(const History& history, const Finding& finding, const Ink& ink) {
  return fmt::format("\n{}        (breaks {}; {})\n",
                     ink.bold(finding_title(history, finding)), list(finding.levels),
                     axioms_text(*finding.violation)) +
         transactions(history, *finding.violation) + finding_reasons(history, finding, ink);
}

}  // namespace isomer::report
