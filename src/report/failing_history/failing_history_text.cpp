// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/finding.h"
#include "report/check/verdicts.h"
#include "report/check/wording.h"
#include "report/failing_history/failing_history.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using explore::Failure;
using explore::FailureKind;
using history::KeyId;

std::string transaction_text(const FailingHistory& f,
                             const std::vector<ToldTransaction>& all,
                             const ToldTransaction& told, const std::vector<KeyId>& keys,
                             const Ink& ink) {
  std::string out =
      fmt::format("  {}  {}  {}\n", ink.bold(told.name), printable(told.call, 60),
                  fate_text(f.program, told.outcome, ink));
  const ToldExcerpt shown = told_excerpt(told, keys);
  TextTable rows;
  for (const ToldOperation& operation : shown.operations) {
    rows.push_back(
        {short_place_text(f.program, operation.at),
         fmt::format("{} {} = {}", operation.is_read ? "reads" : "writes",
                     key_text(f.failure->history, operation.key), operation.value)});
    if (operation.is_read)
      rows.back().push_back(fmt::format("from {}", writer_text(all, operation.writer)));
  }
  out += aligned(rows);
  if (shown.left_out > 0)
    out += ink.dim(fmt::format("    ... {} that {} nothing to it\n",
                               counted(shown.left_out, "operation"),
                               shown.left_out == 1 ? "adds" : "add"));
  return out;
}

}  // namespace

std::string transactions_text(const FailingHistory& f, const Ink& ink) {
  const std::vector<ToldTransaction> told = told_transactions(f.program, f.failure);
  const std::vector<KeyId> keys = written_keys(f.failure->history);
  std::string out;
  for (const ToldTransaction& transaction : told)
    out += transaction_text(f, told, transaction, keys, ink);
  std::vector<std::string> order;
  for (const history::TxnId t : commit_order(f, told))
    order.push_back(writer_text(told, t));
  if (order.size() > 1) out += fmt::format("  commit order: {}\n", fmt::join(order, " < "));
  return out;
}

std::string end_text(const FailingHistory& f, const Ink& ink) {
  const Failure& failure = f.failure;
  std::string out;
  if (const std::string state = told_state_text(f, ink);
      failure.kind == FailureKind::Invariant && !state.empty())
    out += fmt::format("\nin the end\n{}", state);
  if (!failure.invariants.empty())
    out += fmt::format("\ninvariants\n{}", invariants_text(failure.invariants, 1, ink));
  return out;
}

std::string judgement_text(const FailingHistory& f, const Ink& ink) {
  const explore::Failure& failure = f.failure;
  std::string out = fmt::format("\n{}", verdict_table_text(failure.levels, ink));
  const std::vector<Finding> found = findings(failure.levels);
  if (!found.empty())
    out += fmt::format("\n{}        (breaks {}; {})\n{}",
                       ink.bold(finding_title(failure.judged, found[0])),
                       list(found[0].levels), axioms_text(*found[0].violation),
                       finding_reasons(failure.judged, found[0], ink));
  const std::string prevented = prevention(f);
  return prevented.empty() ? out : fmt::format("{}{}\n", out, ink.bold(prevented));
}

}  // namespace isomer::report
