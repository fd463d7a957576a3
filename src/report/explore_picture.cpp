// SPDX-License-Identifier: MIT
// The failing history as a picture: numbers for its commit order, and the cycle that the
// weakest level to forbid it has against it.
#include "report/explore_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/dot.h"
#include "report/failing_history.h"
#include "report/finding_text.h"
#include "report/program_text.h"
#include "report/wording.h"

namespace isomer::report {
namespace {

// Where the box of a transaction says more than its operations do.
std::string remark(const Explored& e, const store::TransactionOutcome& outcome) {
  if (outcome.is_committed) return {};
  const std::string place = short_place_text(e.program, outcome.at);
  return fmt::format("{}{}", outcome.has_failed_assert ? "assertion fails" : "rolled back",
                     place.empty() ? "" : fmt::format(", {}", place));
}

}  // namespace

Scene explore_scene(const Explored& e) {
  const explore::Opinion& opinion = *e.opinion;
  const std::vector<ToldTransaction> told = told_transactions(e.program, *e.result.failure);
  const std::vector<history::TxnId> order = commit_order(e, told);
  const std::vector<Finding> found = findings(opinion.levels);
  std::string title =
      fmt::format("{}\nallowed by {}{}", headline(e.program, *e.result.failure),
                  level_name(e), order.empty() ? "" : " (the numbers are a commit order)");
  if (!found.empty())
    title += fmt::format(", forbidden by {}: {}", list(found[0].levels),
                         finding_title(opinion.history, found[0]));
  Scene scene =
      whole_scene(opinion.history, std::move(title), written_keys(opinion.history), order,
                  found.empty() ? nullptr : found.data());
  for (Box& box : scene.boxes) {
    const auto transaction = std::ranges::find(told, box.txn, &ToldTransaction::txn);
    if (transaction != told.end()) box.place = remark(e, transaction->outcome);
  }
  return scene;
}

std::string explore_dot(const Explored& e) {
  std::string part;
  if (e.result.failure) {
    const Scene scene = explore_scene(e);
    part = dot_cluster(scene, "h", scene.title);
  } else {
    part = fmt::format(
        "  none [shape=note, label=\"{}\"];\n",
        dot_quoted(fmt::format("nothing found in {}",
                               e.result.histories == 1
                                   ? "1 history"
                                   : fmt::format("{} histories", e.result.histories))));
  }
  return dot_document(std::span(&part, 1));
}

}  // namespace isomer::report
