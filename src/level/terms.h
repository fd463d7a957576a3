// SPDX-License-Identifier: MIT
// The checked form of a level text: typed terms, each stored once.
//
// Names, `let` and `include` are gone: a term mentions only the vocabulary of histories,
// the framework's witness relations and variables.  Equal terms are the same term, so
// whoever evaluates them can remember results by id (and by the values of the free
// variables).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/id.h"

namespace isomer::level {

enum class Sort : std::uint8_t { Txn, Key, Val, Read };

enum class Kind : std::uint8_t { Formula, Element, Set, Relation };

// Element and Set have one sort, Relation two, Formula none.
struct Type {
  Kind kind = Kind::Formula;
  Sort first = Sort::Txn;
  Sort second = Sort::Txn;

  friend bool operator==(Type, Type) = default;
};

using TermId = Id<struct TermTag>;

// What can be wrong with a single read; these sets of transactions are given by the
// history.
enum class Flaw : std::uint8_t {
  ThinAir,
  AbortedRead,
  IntermediateRead,
  FutureRead,
  NotOwnLastWrite,
  OwnWriteIgnored,
};

inline constexpr std::size_t flaw_count = 6;

// The comment gives the notation and, after a colon, the arguments.
enum class Op : std::uint8_t {
  // elements
  Variable,  // t; number is the variable's
  Init,      // init
  // sets
  Domain,     // Txn, Key, Val, Read
  Writers,    // W[x]: x; W: none (of any key)
  Readers,    // R[x]: x; R: none
  TypeNamed,  // type "Name"; number is an index into Level::type_names
  Flawed,     // thin_air, ...; number is the Flaw
  Singleton,  // an element where a set is expected: t
  // relations
  So,        // so
  Po,        // po
  Wr,        // wr[x]: x; wr: none (by any key)
  Rf,        // rf[x]: x; rf: none
  Witness,   // co, vo[x]; number is an index into Level::witnesses: x if indexed, else none
             // (the union over all keys, if the witness is keyed)
  Identity,  // [S]: S; id is [Txn]
  Product,   // S * T: S, T
  // sets or relations of equal type
  Empty,         // 0
  Union,         // r | s: r, s
  Intersection,  // r & s: r, s
  Difference,    // r \ s: r, s
  UnionOfKeys,   // rw, after `let rw[x: Key] = r`: r.  The union of r over all keys x;
                 // number is the variable's
  // relations
  Compose,   // r ; s: r, s
  Inverse,   // r^-1: r
  Plus,      // r+: r
  Star,      // r*: r (reflexive on the whole sort)
  Optional,  // r?: r
  // formulas
  True,
  False,
  In,           // r in s: r, s (relations or sets)
  Equal,        // r = s: r, s (relations or sets)
  IsEmpty,      // empty r: r (relation or set)
  Acyclic,      // acyclic r: r
  Irreflexive,  // irreflexive r: r
  Transitive,   // transitive r: r
  Total,        // total r on S: r, S.  For all t != u in S: (t, u) or (u, t) in r
  TotalOrder,  // total_order r on S: r, S.  r in S * S, irreflexive, transitive, total on S
  Member,      // t in S: t, S
  Related,     // (t, u) in r: t, u, r
  Same,        // t = u: t, u
  Writes,      // writes(t, x, v): t, x, v.  The last value that t wrote to x
  Reads,       // reads(t, x, v): t, x, v.  A value that t read from x externally
  Not,         // not f: f
  And,         // f and g: f, g
  Or,          // f or g: f, g
  Implies,     // f implies g: f, g
  Iff,         // f iff g: f, g
  Forall,      // forall t: Txn { f }: f; number is the variable's, type.first its sort
  Exists,      // exists t: Txn { f }: f; likewise
};

struct Term {
  Op op = Op::True;
  Type type;
  std::uint32_t number = 0;
  std::uint8_t argument_count = 0;
  std::array<TermId, 3> argument_ids{};
  std::uint64_t free_variables = 0;  // a bit for each variable number

  [[nodiscard]] std::span<const TermId> arguments() const {
    return std::span(argument_ids).first(argument_count);
  }

  friend bool operator==(const Term&, const Term&) = default;
};

class Terms {
 public:
  // Variables are numbered by the depth of their quantifier, from 0.
  static constexpr std::uint32_t variable_count_max = 64;

  // The term, new or as it is.  Its free variables are found from its arguments.
  TermId make(Op op, Type type, std::uint32_t number, std::span<const TermId> arguments);

  [[nodiscard]] const Term& operator[](TermId id) const { return terms_[id.index]; }

  [[nodiscard]] std::size_t size() const { return terms_.size(); }

 private:
  std::vector<Term> terms_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;
};

}  // namespace isomer::level
