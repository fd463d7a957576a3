// SPDX-License-Identifier: MIT
#include "cli/input.h"

#include <fmt/format.h>

#include "base/inspection.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "program/load.h"
#include "report/no_answer.h"

namespace isomer::cli {

Expected<history::ReadResult> read_history(const Budget& budget, const std::string& file,
                                           const std::string& format) {
  const Progress progress(budget,
                          fmt::format("reading {}", file == "-" ? stdin_name : file));
  Expected<history::ReadResult> result = history::read_history(file, {.format = format});
  if (result) {
    count(budget, "transactions read", result->history.txn_count() - 1);
    count(budget, "operations read", result->history.operations().size());
  }
  return result;
}

Expected<program::Program> read_program(const Budget& budget, const std::string& file) {
  const Progress progress(budget, fmt::format("reading {}", file));
  return program::load_program(file);
}

int refuse_input(const Diagnostics& errors, const DocumentFiles& files) {
  if (files.json) write_bytes("-", report::errors_json(errors));
  fmt::print(stderr, "{}", render(errors));
  return status_bad_input;
}

}  // namespace isomer::cli
