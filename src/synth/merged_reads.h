// SPDX-License-Identifier: MIT
// A history with all reads of each transaction merged into one.
//
// Levels that speak of single reads need the event-level encoding (open_history.h), where a
// transaction has a sequence of reads: large, and hard for a solver.  Merging forgets the
// sequence: each transaction has one read, from everybody that it reads from, and that read
// comes before itself in po.  Every pair of rf and po is still there, so terms built from
// them without negation only gain, and an axiom such as `empty rf[y] ; po ; rf[x]^-1` that
// is broken stays broken.
//
// So if no merged history satisfies the allowed levels (without their axioms about reads)
// and breaks the forbidden ones (in axioms that stay broken), no history does.  That takes
// the time of the abstract encoding.  The converse is false: then nothing is known.
#pragma once

#include "level/level.h"

namespace isomer::synth {

// The term says the same of a history and of the merged one.
bool is_free_of_reads(const level::Level& level, level::TermId term);

// The formula, if false of a history, is false of the merged one.
bool stays_false_merged(const level::Level& level, level::TermId formula);

}  // namespace isomer::synth
