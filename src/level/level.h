// SPDX-License-Identifier: MIT
// An isolation level as every engine reads it: the witness relations of its framework, and
// named axioms over them and the history.  A history is allowed if there is an execution
// (the history with witness relations) that satisfies every axiom.
#pragma once

#include <string>
#include <vector>

#include "level/terms.h"

namespace isomer::level {

// A relation Txn * Txn that the database chose, or one for each key.
struct Witness {
  std::string name;
  bool is_keyed = false;
  // The framework says `total_order`: a strict total order on the set `on` (in which
  // variable 0 stands for the key, if the witness is keyed), and empty outside it.
  bool is_total_order = false;
  TermId on;
};

struct Axiom {
  std::string name;  // "NoConflict"; for an unnamed one that of its level or framework
  TermId formula;
  bool is_base = false;   // the framework's own
  bool is_shape = false;  // only repeats Witness::is_total_order as a formula
};

struct Level {
  std::string name;       // "SI"
  std::string framework;  // "cerone"
  std::string title;      // "snapshot isolation"; may be empty
  std::string text;       // the definition as written
  std::string context;    // the lets, the framework and the levels that it uses, as written
  std::string file;       // where it is from; empty for the standard library
  Terms terms;
  std::vector<Witness> witnesses;
  std::vector<Axiom> axioms;            // the framework's first
  std::vector<std::string> type_names;  // of Op::TypeNamed
  bool uses_events = false;             // rf, po or Read appears
  bool uses_values = false;             // writes(), reads() or Val appears

  [[nodiscard]] std::string qualified_name() const { return framework + ":" + name; }
};

// In the notation of level texts, for people: a set, a relation, an element, or an atomic
// formula over them.
std::string text_of(const Level& level, TermId id);

}  // namespace isomer::level
