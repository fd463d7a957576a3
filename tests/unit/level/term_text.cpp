// SPDX-License-Identifier: MIT
#include "unit/level/term_text.h"

#include <fmt/format.h>

#include "level/language/vocabulary.h"

namespace isomer::level {
namespace {

std::string head(const Level& level, const Term& term) {
  switch (term.op) {
    case Op::Variable:
      return fmt::format("v{}", term.number);
    case Op::Init:
      return "init";
    case Op::Domain:
      return std::string(name_of(term.type.first));
    case Op::Writers:
      return "W";
    case Op::Readers:
      return "R";
    case Op::TypeNamed:
      return fmt::format("type:{}", level.type_names[term.number]);
    case Op::Flawed:
      return fmt::format("flaw:{}", term.number);
    case Op::Singleton:
      return "{}";
    case Op::So:
      return "so";
    case Op::Po:
      return "po";
    case Op::Wr:
      return "wr";
    case Op::Rf:
      return "rf";
    case Op::Witness:
      return level.witnesses[term.number].name;
    case Op::Identity:
      return "[]";
    case Op::Product:
      return "x";
    case Op::Empty:
      return fmt::format("0:{}", description(term.type));
    case Op::Union:
      return "|";
    case Op::Intersection:
      return "&";
    case Op::Difference:
      return "\\";
    case Op::UnionOfKeys:
      return fmt::format("union v{}", term.number);
    case Op::Compose:
      return ";";
    case Op::Inverse:
      return "^-1";
    case Op::Plus:
      return "+";
    case Op::Star:
      return "*";
    case Op::Optional:
      return "?";
    case Op::True:
      return "true";
    case Op::False:
      return "false";
    case Op::In:
      return "in";
    case Op::Equal:
      return "=";
    case Op::IsEmpty:
      return "empty";
    case Op::Acyclic:
      return "acyclic";
    case Op::Irreflexive:
      return "irreflexive";
    case Op::Transitive:
      return "transitive";
    case Op::Total:
      return "total";
    case Op::TotalOrder:
      return "total_order";
    case Op::Member:
      return "member";
    case Op::Related:
      return "related";
    case Op::Same:
      return "same";
    case Op::Writes:
      return "writes";
    case Op::Reads:
      return "reads";
    case Op::Not:
      return "not";
    case Op::And:
      return "and";
    case Op::Or:
      return "or";
    case Op::Implies:
      return "implies";
    case Op::Iff:
      return "iff";
    case Op::Forall:
      return fmt::format("forall v{}:{}", term.number, name_of(term.type.first));
    case Op::Exists:
      return fmt::format("exists v{}:{}", term.number, name_of(term.type.first));
  }
  return "?";
}

}  // namespace

std::string term_text(const Level& level, TermId id) {
  const Term& term = level.terms[id];
  if (term.argument_count == 0) return head(level, term);
  std::string out = fmt::format("({}", head(level, term));
  for (const TermId argument : term.arguments())
    out += fmt::format(" {}", term_text(level, argument));
  return out + ")";
}

}  // namespace isomer::level
