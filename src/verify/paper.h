// SPDX-License-Identifier: MIT
// The executions of the paper's section 3, formula by formula under its names, to compare
// with verify/exact.h.  It has no sessions, and two gaps that docs/engines/verify.md shows
// with a program each: a transaction reads the output state of one earlier transaction or
// the state after a prefix of the arbitration, so it cannot see two concurrent transactions
// without a third; and NoConflict says nothing of a transaction that reads a prefix.
#pragma once

#include <optional>
#include <string_view>

#include "verify/exact.h"

namespace isomer::verify {

enum class PaperLevel : std::uint8_t { CC, PSI, PC, SI, SER };

std::optional<PaperLevel> paper_level_named(std::string_view name);

ExecutionTerms encode_paper(SymbolicProgram& symbolic, PaperLevel level);

}  // namespace isomer::verify
