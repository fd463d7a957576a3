// SPDX-License-Identifier: MIT
// What commands read.  Reading is a phase, so that a terminal, --log and the message about
// a limit tell which file it was.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "cli/documents.h"
#include "history/formats.h"
#include "program/ir.h"
#include "report/json.h"

namespace isomer::cli {

// How standard input is called in what we print.
inline constexpr const char* stdin_name = "<stdin>";

// Why there is no input.
struct Unread {
  Diagnostics errors;
  std::optional<report::Undecided> limit;  // ended the reading; then there are no errors
};

// "-" is standard input; an empty format is detected from the content.
tl::expected<history::ReadResult, Unread> read_history(const Budget& budget,
                                                       const std::string& file,
                                                       const std::string& format);

Expected<program::Program> read_program(const Budget& budget, const std::string& file);

// Tells what is wrong with the input, with --json also as a document; gives status 2.
int refuse_input(const Diagnostics& errors, const DocumentFiles& files);

// The same; a limit gives status 3.
int refuse_input(std::string_view command, const Unread& unread,
                 const DocumentFiles& files);

// On stderr: "isomer check: undecided: the time limit ended while reading bank.hist".
void print_undecided(std::string_view command, const report::Undecided& undecided);

}  // namespace isomer::cli
