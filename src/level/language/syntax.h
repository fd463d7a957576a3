// SPDX-License-Identifier: MIT
// A level text as it was written: definitions and formulas, each with its place.  Nothing
// is looked up yet; the names are looked up in names.h, the sorts in elaborator.h.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/id.h"

namespace isomer::level {

// The texts are kept as long as the syntax is: names are views into them.
struct Source {
  std::string file;
  std::string text;
  bool is_standard = false;  // of the library, not of a user
};

struct Place {
  std::uint32_t source = 0;  // index into Program::sources
  std::uint32_t offset = 0;
};

using NodeId = Id<struct NodeTag>;

// The comment gives the children.
enum class NodeKind : std::uint8_t {
  Name,       // r, r[a, b]: the indices; text is the name
  LevelName,  // adya:PL-1; text is the framework's, second_text the level's
  Zero,       // 0
  Type,       // type "Name"; text is the name
  Call,       // writes(t, x, v), reads(t, x, v): the arguments; text is the name
  Pair,       // (t, u): t, u
  Bracket,    // [S]: S
  True,
  False,
  // postfix: the operand
  Inverse,
  Plus,
  Star,
  Optional,
  // infix: both sides
  Compose,
  Product,
  Intersection,
  Difference,
  Union,
  In,
  Equal,
  Unequal,
  And,
  Or,
  Implies,
  Iff,
  // prefix: the operand; Total and TotalOrder also what follows `on`, if it is there
  Empty,
  Acyclic,
  Irreflexive,
  Transitive,
  Total,
  TotalOrder,
  Not,
  // the body; variables say what is bound
  Forall,
  Exists,
};

struct Variable {
  std::string_view name;
  std::string_view sort;  // empty: a parameter without one
  Place place;
  Place sort_place;
};

struct Node {
  NodeKind kind = NodeKind::True;
  Place place;  // of the name, or of the operator
  std::string_view text;
  std::string_view second_text;
  std::uint32_t depth = 1;  // of the tree below
  std::vector<NodeId> children;
  std::vector<Variable> variables;
};

// A definition's words from `begin` to `end`, with the comment directly above it.
struct Extent {
  std::uint32_t source = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Let {
  std::string_view name;
  Place place;
  Extent extent;
  std::vector<Variable> parameters;
  NodeId body;
};

struct Statement {
  std::string_view name;  // of the axiom; empty if it has none
  NodeId formula;
};

struct WitnessSyntax {
  std::string_view name;
  Place place;
  std::vector<Variable> keys;  // none or one
  std::string_view first_sort;
  std::string_view second_sort;
  Place first_place;
  Place second_place;
};

// A framework, or a level of one.
struct Block {
  std::string_view name;
  Place place;
  Extent extent;
  std::string title;
  std::string_view framework;  // of a level
  Place framework_place;
  std::vector<WitnessSyntax> witnesses;
  std::vector<Let> lets;
  std::vector<Statement> statements;
};

struct Include {
  std::string path;
  Place place;
};

// All texts that are read together: the standard library, the user's file and what it
// includes.
struct Program {
  std::deque<Source> sources;
  std::vector<Node> nodes;
  std::vector<Let> lets;
  std::vector<Block> frameworks;
  std::vector<Block> levels;

  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes[id.index]; }

  [[nodiscard]] bool is_standard(Place place) const {
    return sources[place.source].is_standard;
  }
};

constexpr std::size_t errors_max = 20;

inline Diagnostic diagnostic_at(const Program& program, Place place, std::string message) {
  const Source& source = program.sources[place.source];
  return isomer::diagnostic_at(source.file, source.text, place.offset, std::move(message));
}

inline Note note_at(const Program& program, Place place, std::string message) {
  const Source& source = program.sources[place.source];
  return {.at = position_of(source.text, place.offset),
          .message = std::move(message),
          .file = source.file};
}

}  // namespace isomer::level
