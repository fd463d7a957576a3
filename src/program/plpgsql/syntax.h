// SPDX-License-Identifier: MIT
// PL/pgSQL as it is written: statements, and the places of the SQL inside them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/ir.h"
#include "program/sql/text.h"

namespace isomer::program {

// a, r.x or label.r.x
struct PlName {
  std::vector<std::string> words;
  Span at;
};

struct PlDeclaration {
  std::string name;
  Span at;
  Span type;     // int, numeric(10,2), t.c%TYPE, t%ROWTYPE, record
  Span initial;  // empty: none
  bool is_constant = false;
};

// RAISE .. USING name = value
struct PlOption {
  std::string name;
  Span at;
  Span value;
};

struct PlStatement;
using PlBlock = std::vector<PlStatement>;

// WHEN conditions THEN body; for IF, one condition.
struct PlBranch {
  std::vector<Span> conditions;
  PlBlock body;
};

// WHEN conditions THEN body, behind EXCEPTION.
struct PlHandler {
  std::vector<std::string> sqlstates;
  bool catches_others = false;
  PlBlock body;
};

struct PlStatement {
  enum class Kind : std::uint8_t {
    Begin,     // declarations, body, handlers
    Assign,    // target := value
    If,        // branches, otherwise
    Case,      // value (empty: conditions stand alone), branches, otherwise
    Loop,      // body
    While,     // value, body
    ForRange,  // target in value .. limit by step, body
    ForQuery,  // targets in value, body
    ForEach,   // target in value, an array; body
    Exit,      // label, when value
    Continue,
    Return,    // value
    Raise,     // text with values, or a condition that is sqlstate; options; or all again
    Notice,    // RAISE of a lower level: likewise, but it goes on
    Assert,    // value, message in values
    Perform,   // value
    Sql,       // value with `into` blanked out, targets
    Call,      // value: p(a, b)
    RowCount,  // GET DIAGNOSTICS target = ROW_COUNT
    Null,
  };

  Kind kind = Kind::Null;
  Span at;
  std::string label;  // of a block or loop; of the one to leave
  std::vector<PlDeclaration> declarations;
  std::vector<PlName> targets;
  Span value;
  Span limit;
  Span step;
  Span into;
  std::vector<Span> values;
  std::vector<PlOption> options;
  std::optional<std::string> text;  // of RAISE: its format
  std::string condition;            // of RAISE: unique_violation, or a code
  std::string sqlstate;             // its code
  bool raises_again = false;
  bool is_reverse = false;
  bool is_strict = false;
  bool has_otherwise = false;
  std::vector<PlBranch> branches;
  std::vector<PlHandler> handlers;
  PlBlock body;
  PlBlock otherwise;
};

inline bool is_empty(Span span) {
  return span.first == span.last;
}

// The body of a function: bytes [first, last) of the source.  Complains of what is wrong.
PlStatement parse_plpgsql(std::string_view source, Span body, Reporter& reporter);

// The text of a constant 'it''s' or E'..'; absent if it has escapes that are not supported.
std::optional<std::string> string_constant(std::string_view quoted);

}  // namespace isomer::program
