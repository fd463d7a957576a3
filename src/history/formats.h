// SPDX-License-Identifier: MIT
// Histories in files: one table of formats, one entry function to read and one to write.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "history/history.h"

namespace isomer::history {

struct Format {
  std::string_view name;   // as in --format and --to
  std::string_view title;  // one line for help
  bool is_writable;
  bool is_directory;  // Cobra: a directory of logs
};

// Every format, in the order of help.
std::span<const Format> formats();

struct ReadOptions {
  std::string format;  // empty: detected from the content
};

struct ReadResult {
  History history;
  std::string format;                 // the one that was used
  std::vector<std::string> warnings;  // what a person may want to know, one sentence each
};

// Reads a file, a directory (Cobra), or "-" for standard input.  .gz and .zst are unpacked,
// recognised by their first bytes.
Expected<ReadResult> read_history(const std::string& path, const ReadOptions& options);

// The same; absent if the budget runs out.
Expected<std::optional<ReadResult>> read_history_within(const Budget& budget,
                                                        const std::string& path,
                                                        const ReadOptions& options);

// The same for bytes in memory; `name` is used in diagnostics.
Expected<ReadResult> parse_history(std::string_view bytes, std::string_view name,
                                   const ReadOptions& options);

struct WriteResult {
  std::string bytes;
  std::vector<std::string> warnings;  // what this format cannot say, one sentence each
};

// Diagnostics if the format is unknown, cannot be written, or cannot say what is in the
// history.
Expected<WriteResult> write_history(const History& history, std::string_view format);

}  // namespace isomer::history
