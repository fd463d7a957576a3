// SPDX-License-Identifier: MIT
// A history that tells levels apart, as synth and compare show it: what happens in it, how
// some levels explain it, and why others cannot.  Page and JSON have files of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/ink.h"
#include "report/json.h"
#include "report/picture/scene.h"
#include "synth/synth.h"

namespace isomer::report {

struct Separation {
  const check::Certified<synth::Found>& found;
  std::vector<std::string> allow;  // as the person called the levels
  std::vector<std::string> forbid;
};

// "2 transactions, 4 operations, 1 key".
std::string size_text(const synth::Found& found);

// "up to 5 transactions, 3 keys and 6 values".
std::string scope_text(const synth::Scope& scope);

// "CC and RA".
std::string names_text(const std::vector<std::string>& names);

std::string separation_text(const Separation& separation, const Ink& ink);

// The history, how each allowed level explains it, and why each forbidden one cannot.
Json separation_json(const Separation& separation);

// {"transactions": n, "keys": n, "values": n}, and what else was asked for
Json scope_json(const synth::Scope& scope);

// One picture: numbers for the order that an allowed level explains it with, and the cycle
// that a forbidden one has against it.
Scene separation_scene(const Separation& separation);

// Picture and explanations; `id` keeps several on one page apart.
std::string separation_html(const Separation& separation, std::string_view id);

// The order of all transactions that an allowed level explains the history with.
struct ShownOrder {
  std::size_t level;  // its place in found.allowed
  std::vector<history::TxnId> txns;
};

std::optional<ShownOrder> shown_order(const synth::Found& found);

// --- the words that text and page share ---

// "session order: a/1 -> b/1" where the sessions do not say it; else empty.
std::string session_order_text(const synth::Found& found);

// "commit order: init < a/1 < b/1".
std::string relation_text(const synth::Found& found, const synth::ShownRelation& relation);

// "axiom Conflict", "axioms Ext and NoConflict".
std::string axioms_of(const synth::Forbidden& forbidden);

// The evidence that shows something beyond axioms: a cycle, or a read that cannot be.
std::vector<Finding> shown_findings(const Separation& separation);

// What the levels of a finding have against the history, by their own texts: the places in
// found.forbidden.
std::vector<std::size_t> forbidden_by(const Separation& separation, const Finding& finding);

// "no execution satisfies axiom Conflict".
std::string axioms_sentence(const synth::Forbidden& forbidden);

// The forbidden levels of no shown finding, by place in found.forbidden.
std::vector<std::size_t> unexplained(const Separation& separation);

}  // namespace isomer::report
