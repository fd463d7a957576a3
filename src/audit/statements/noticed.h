// SPDX-License-Identifier: MIT
// Which statements of a transaction could be left out, and nobody would notice?
//
// A statement is noticed if it changes the database, ends the transaction or goes round for
// an unknown number of times, if it may fail, or if something that it computes gets into a
// statement that is noticed.  What callers get is the value of a RETURN, which is noticed.
// Variables are not told apart by place: one that is used anywhere counts as used
// everywhere, so that fewer statements are left out, never too many.
//
// What is not noticed reads only.  A transaction without these statements writes the same,
// gives its caller the same and commits if and only if the whole one does, wherever the
// rest reads the same.
#pragma once

#include <set>

#include "program/ir.h"

namespace isomer::audit {

// In inner blocks too.  Of a branch, the condition is what is not noticed; its statements
// are then among them.
std::set<const program::Statement*> unnoticed_statements(
    const program::TransactionType& type);

}  // namespace isomer::audit
