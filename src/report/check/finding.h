// SPDX-License-Identifier: MIT
// What is worth telling about a check result: each distinct violation once, with all levels
// it breaks, and of each transaction only the operations that matter.  finding_text.cpp
// tells it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "report/ink.h"

namespace isomer::report {

struct Finding {
  std::vector<check::AskedLevel> levels;  // in the order asked
  const check::Violated* violation;       // the evidence for the first of them
};

// Levels are grouped if their evidence names the same anomaly and the same transactions.
std::vector<Finding> findings(const check::Result& result);

// The cycle as it is told to people: an edge that rests on a single other edge between the
// same two transactions about the same key is told as that one.
std::vector<check::Edge> told(const std::vector<check::Edge>& cycle);

// The keys that the evidence speaks of, by id.  Where each order fails in its own way:
// every key that one of the transactions writes and another one touches.
std::vector<history::KeyId> keys_that_matter(const history::History& history,
                                             const check::Violated& violation);

// Some operations of a transaction as text, and how many were left out.
struct Excerpt {
  std::vector<std::string> operations;
  std::vector<std::string> places;  // of each operation; none if the history has none
  std::size_t left_out = 0;
};

Excerpt excerpt(const history::History& history, history::TxnId txn,
                const std::vector<history::KeyId>& keys, std::size_t count_max);

// The operations, each with its place if it has one, and what was left out: a line each.
std::vector<std::string> lines_of(const Excerpt& excerpt);

// The operations that an edge of kind wr, ww or rw connects.
struct EdgeEnds {
  std::optional<std::uint32_t> from;  // absent: so, or the initial transaction
  std::optional<std::uint32_t> to;
};

EdgeEnds ends_of(const history::History& history, const check::Edge& edge);

// "... 12 more operations"; empty if nothing was left out.
std::string remainder(const Excerpt& excerpt);

// What was read, without the initial transaction.
struct Size {
  std::uint64_t sessions = 0;
  std::uint64_t transactions = 0;  // of every status
  std::uint64_t committed = 0;
  std::uint64_t aborted = 0;
  std::uint64_t unknown = 0;
  std::uint64_t operations = 0;
  std::uint64_t ambiguous_reads = 0;
};

Size size_of(const history::History& history);

// One violation for people: who is involved, the cycle edge by edge, and what it means.
std::string finding_text(const history::History& history, const Finding& finding,
                         const Ink& ink);

// Its parts: "lost update on x", and why, without who is involved.
std::string finding_title(const history::History& history, const Finding& finding);
std::string finding_reasons(const history::History& history, const Finding& finding,
                            const Ink& ink);

}  // namespace isomer::report
