// SPDX-License-Identifier: MIT
// The failing history as a picture: numbers for its commit order, and the cycle that the
// weakest level to forbid it has against it.
#include <algorithm>

#include <fmt/format.h>

#include "report/check/finding.h"
#include "report/check/wording.h"
#include "report/failing_history/failing_history.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

// Where the box of a transaction says more than its operations do.
std::string remark(const FailingHistory& f, const store::TransactionOutcome& outcome) {
  if (outcome.is_committed) return {};
  const std::string place = short_place_text(f.program, outcome.at);
  return fmt::format("{}{}", outcome.has_failed_assert ? "assertion fails" : "rolled back",
                     place.empty() ? "" : fmt::format(", {}", place));
}

}  // namespace

Scene failing_history_scene(const FailingHistory& f) {
  const explore::Failure& failure = f.failure;
  const std::vector<ToldTransaction> told = told_transactions(f.program, f.failure);
  const std::vector<history::TxnId> order = commit_order(f, told);
  const std::vector<Finding> found = findings(failure.levels);
  std::string title = fmt::format("{}\nallowed by {}{}", headline(f.program, f.failure),
                                  level_name(f.level),
                                  order.empty() ? "" : " (the numbers are a commit order)");
  if (!found.empty())
    title += fmt::format(", forbidden by {}: {}", list(found[0].levels),
                         finding_title(failure.judged, found[0]));
  Scene scene = whole_scene(failure.judged, std::move(title), written_keys(failure.judged),
                            order, found.empty() ? nullptr : found.data());
  for (Box& box : scene.boxes) {
    const auto transaction = std::ranges::find(told, box.txn, &ToldTransaction::txn);
    if (transaction != told.end()) box.place = remark(f, transaction->outcome);
  }
  return scene;
}

}  // namespace isomer::report
