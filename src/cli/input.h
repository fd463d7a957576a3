// SPDX-License-Identifier: MIT
// What commands read.  Reading is a phase, so that a terminal, --log and the message about
// a limit tell which file it was.
#pragma once

#include <string>

#include "base/budget.h"
#include "cli/documents.h"
#include "history/formats.h"
#include "program/ir.h"

namespace isomer::cli {

// How standard input is called in what we print.
inline constexpr const char* stdin_name = "<stdin>";

// "-" is standard input; an empty format is detected from the content.
Expected<history::ReadResult> read_history(const Budget& budget, const std::string& file,
                                           const std::string& format);

Expected<program::Program> read_program(const Budget& budget, const std::string& file);

// Tells what is wrong with the input, with --json also as a document; gives status 2.
int refuse_input(const Diagnostics& errors, const DocumentFiles& files);

}  // namespace isomer::cli
