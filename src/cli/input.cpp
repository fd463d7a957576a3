// SPDX-License-Identifier: MIT
#include "cli/input.h"

#include <fmt/format.h>

#include "base/inspection.h"
#include "cli/command.h"
#include "cli/output.h"
#include "database/level_name.h"
#include "database/server_settings.h"
#include "program/load.h"
#include "report/json.h"

namespace isomer::cli {

tl::expected<history::ReadResult, Unread> read_history(const Budget& budget,
                                                       const std::string& file,
                                                       const std::string& format) {
  const Stopwatch stopwatch;
  const std::string activity = fmt::format("reading {}", file == "-" ? stdin_name : file);
  const Progress progress(budget, activity);
  Expected<std::optional<history::ReadResult>> result =
      history::read_history_within(budget, file, {.format = format});
  if (!result) return tl::unexpected(Unread{.errors = result.error(), .limit = {}});
  if (!*result)
    return tl::unexpected(
        Unread{.errors = {},
               .limit = report::Undecided{.reason = budget.reason(),
                                          .activity = activity,
                                          .seconds = stopwatch.seconds()}});
  count(budget, "transactions read", (*result)->history.txn_count() - 1);
  count(budget, "operations read", (*result)->history.operations().size());
  return std::move(**result);
}

Expected<program::Program> read_program(const Budget& budget, const std::string& file) {
  const Progress progress(budget, fmt::format("reading {}", file));
  Expected<program::Program> program = program::load_program(file);
  if (!program) return program;
  if (Diagnostics mistakes = database::mistakes_in_levels(*program); !mistakes.empty())
    return tl::unexpected(std::move(mistakes));
  if (Diagnostics mistakes = database::mistakes_in_settings(*program); !mistakes.empty())
    return tl::unexpected(std::move(mistakes));
  return program;
}

int refuse_input(const Diagnostics& errors, const DocumentFiles& files) {
  if (files.json) write_bytes("-", report::errors_json(errors));
  fmt::print(stderr, "{}", render(errors));
  return status_bad_input;
}

int refuse_input(std::string_view command, const Unread& unread,
                 const DocumentFiles& files) {
  if (!unread.limit) return refuse_input(unread.errors, files);
  if (files.json) write_bytes("-", report::undecided_json(command, *unread.limit));
  print_undecided(command, *unread.limit);
  return status_undecided;
}

void print_undecided(std::string_view command, const report::Undecided& undecided) {
  fmt::print(stderr, "isomer {}: undecided: {}\n", command,
             report::undecided_text(undecided));
}

}  // namespace isomer::cli
