// SPDX-License-Identifier: MIT
// What one format offers to the table in formats.cpp: a guess, a reader, a writer.  Each
// format_*.cpp defines its row; a new format is such a file and one line in the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "history/formats.h"
#include "history/history.h"

namespace isomer::history {

// Parsers stop after this many errors in one file.
inline constexpr std::size_t errors_max = 20;

// The bytes of one file, and what to call it in diagnostics.  A reader whose budget runs
// out stops where it is; what it returns then is looked at by nobody.
struct Source {
  std::string_view name;
  std::string_view text;
  Budget budget = {};

  [[nodiscard]] Diagnostic at(std::size_t offset, std::string message) const {
    return diagnostic_at(name, text, offset, std::move(message));
  }

  // For binary files, where lines and columns mean nothing.
  [[nodiscard]] Diagnostic at_byte(std::size_t offset, std::string_view message) const;
};

struct Parsed {
  History history;
  std::vector<std::string> warnings;
};

// What is still written if it is empty.
enum class Keeps : std::uint8_t { EmptySessions, EmptyTransactions, Operations };

struct FormatRow {
  Format format;
  bool is_text;       // must be UTF-8
  bool keeps_places;  // of operations, when it is written
  Keeps keeps;
  bool (*looks_like)(std::string_view text);
  Expected<Parsed> (*read)(const Source& source);
  // One source a file of the directory, in natural order of names; null if the format is
  // one file.
  Expected<Parsed> (*read_directory)(std::span<const Source> files);
  Expected<WriteResult> (*write)(const History& history);  // null: read only
};

extern const FormatRow hist_format;
extern const FormatRow jsonl_format;
extern const FormatRow json_format;
extern const FormatRow plume_format;
extern const FormatRow awdit_format;
extern const FormatRow dbcop_format;
extern const FormatRow dbcop_text_format;
extern const FormatRow dbcop_yaml_format;
extern const FormatRow dbcop_bincode_format;
extern const FormatRow elle_format;
extern const FormatRow elle_json_format;
extern const FormatRow isopredict_format;
extern const FormatRow cobra_format;

// A failure with one cause.
inline tl::unexpected<Diagnostics> failure(Diagnostic diagnostic) {
  return tl::unexpected(Diagnostics{std::move(diagnostic)});
}

}  // namespace isomer::history
