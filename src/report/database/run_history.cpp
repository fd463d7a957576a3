// SPDX-License-Identifier: MIT
// What the levels of the papers say of a run on a database, told as a history.
#include <algorithm>

#include <fmt/format.h>

#include "report/check/finding.h"
#include "report/check/verdicts.h"
#include "report/check/wording.h"
#include "report/database/report.h"
#include "report/failing_history/failing_history.h"
#include "report/page/page.h"
#include "report/picture/picture.h"

namespace isomer::report {
namespace {

constexpr std::string_view picture_id = "h";

const check::Verdict* verdict_of(const check::Result& levels, check::Level level) {
  for (const check::LevelResult& of : levels.levels)
    if (of.level.built_in == level) return &of.verdict;
  return nullptr;
}

// "the strongest levels that allow it: RC, RA"
std::string allowing(const check::Result& levels) {
  const auto strongest = check::strongest_allowed(levels);
  if (strongest.empty())
    return is_any_undecided(levels) ? "no level is known to allow it"
                                    : "none of the seven levels allows it";
  return fmt::format("the strongest level{} that allow{}{}: {}",
                     strongest.size() == 1 ? "" : "s", strongest.size() == 1 ? "s" : "",
                     " it", list(strongest));
}

std::string judgement(const explore::RunHistory& run) {
  const check::Verdict* const serializable = verdict_of(run.levels, check::Level::SER);
  if (serializable != nullptr && std::holds_alternative<check::Consistent>(*serializable))
    return "serializable, so every level allows it";
  const std::vector<Finding> found = findings(run.levels);
  if (found.empty()) return "not decided in time";
  return fmt::format("{}; {}", finding_title(run.history, found[0]), allowing(run.levels));
}

Scene scene_of_run(const explore::RunHistory& run, std::string title) {
  const std::vector<Finding> found = findings(run.levels);
  std::vector<history::TxnId> order;
  for (const check::LevelResult& level : run.levels.levels)
    if (const auto* witness = std::get_if<check::Consistent>(&level.verdict))
      order = witness->commit_order;  // of the strongest, which comes last
  std::erase_if(order, [&](history::TxnId t) {
    return t == history::init || run.history.status(t) != history::Status::Committed;
  });
  return whole_scene(run.history, std::move(title), written_keys(run.history), order,
                     found.empty() ? nullptr : found.data());
}

}  // namespace

std::string run_history_text(const explore::RunHistory& run) {
  return fmt::format("as a history: {}", judgement(run));
}

bool is_unserializable(const explore::RunHistory& run) {
  const check::Verdict* const serializable = verdict_of(run.levels, check::Level::SER);
  return serializable != nullptr && std::holds_alternative<check::Violated>(*serializable);
}

void add_history(Json& out, const explore::RunHistory& run) {
  out["levels"] = verdicts_json(run.levels);
  out["history"] = history_json(run.history);
}

std::string run_history_section(const explore::RunHistory& run) {
  std::string out =
      fmt::format("<h2>As a history</h2>\n{}<p>{}</p>\n", verdict_table_html(run.levels),
                  escape_html(judgement(run)));
  if (run.history.txn_count() - 1 > whole_history_max) return out;
  out += figure(run.history, scene_of_run(run, run_history_text(run)), picture_id);
  const std::vector<Finding> found = findings(run.levels);
  if (found.empty() || found[0].violation->cycle.empty()) return out;
  return out + fmt::format(
                   "<ol class=\"reasons\">\n{}</ol>\n",
                   reasons_list(run.history, told(found[0].violation->cycle), picture_id));
}

std::string run_history_dot(const explore::RunHistory& run, std::string title) {
  const Scene scene = scene_of_run(run, std::move(title));
  return dot_cluster(scene, picture_id, scene.title);
}

}  // namespace isomer::report
