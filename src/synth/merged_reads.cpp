// SPDX-License-Identifier: MIT
#include "synth/merged_reads.h"

#include <algorithm>

namespace isomer::synth {
namespace {

using level::Kind;
using level::Level;
using level::Op;
using level::Sort;
using level::Term;
using level::TermId;

bool is_of_reads(const Term& t) {
  const bool is_pair = t.type.kind == Kind::Relation;
  const bool has_sort =
      t.type.kind != Kind::Formula || t.op == Op::Forall || t.op == Op::Exists;
  return has_sort &&
         (t.type.first == Sort::Read || (is_pair && t.type.second == Sort::Read));
}

template <class Predicate>
bool all_arguments(const Term& t, const Predicate& predicate) {
  return std::ranges::all_of(t.arguments(), predicate);
}

// Whoever is in the set or relation of a history is in that of the merged one.  On the
// right of a difference there may be nothing that gains.  Two reads become one, so that
// `\ id` between reads loses pairs; it is no term free of reads.
bool only_gains(const Level& level, TermId id) {
  if (is_free_of_reads(level, id)) return true;
  const Term& t = level.terms[id];
  switch (t.op) {
    case Op::Domain:
    case Op::Po:
    case Op::Rf:
    case Op::Empty:
      return true;
    case Op::Identity:
    case Op::Product:
    case Op::Union:
    case Op::Intersection:
    case Op::UnionOfKeys:
    case Op::Compose:
    case Op::Inverse:
    case Op::Plus:
    case Op::Star:
    case Op::Optional:
      return all_arguments(t, [&](TermId a) { return only_gains(level, a); });
    case Op::Difference:
      return only_gains(level, t.arguments()[0]) &&
             is_free_of_reads(level, t.arguments()[1]);
    default:
      return false;
  }
}

// The formula, if true of a history, is true of the merged one.
bool stays_true_merged(const Level& level, TermId id) {
  if (is_free_of_reads(level, id)) return true;
  const Term& t = level.terms[id];
  const auto stays_true = [&](TermId a) { return stays_true_merged(level, a); };
  switch (t.op) {
    case Op::In:
      return is_free_of_reads(level, t.arguments()[0]) &&
             only_gains(level, t.arguments()[1]);
    case Op::Not:
      return stays_false_merged(level, t.arguments()[0]);
    case Op::Implies:
      return stays_false_merged(level, t.arguments()[0]) && stays_true(t.arguments()[1]);
    case Op::And:
    case Op::Or:
      return all_arguments(t, stays_true);
    case Op::Forall:
    case Op::Exists:
      return t.type.first != Sort::Read && stays_true(t.arguments()[0]);
    default:
      return false;
  }
}

}  // namespace

bool is_free_of_reads(const Level& level, TermId id) {
  const Term& t = level.terms[id];
  return t.op != Op::Po && t.op != Op::Rf && !is_of_reads(t) &&
         all_arguments(t, [&](TermId a) { return is_free_of_reads(level, a); });
}

bool stays_false_merged(const Level& level, TermId id) {
  if (is_free_of_reads(level, id)) return true;
  const Term& t = level.terms[id];
  const auto stays_false = [&](TermId a) { return stays_false_merged(level, a); };
  switch (t.op) {
    case Op::In:
      return only_gains(level, t.arguments()[0]) &&
             is_free_of_reads(level, t.arguments()[1]);
    case Op::IsEmpty:
    case Op::Acyclic:
    case Op::Irreflexive:
      return only_gains(level, t.arguments()[0]);
    case Op::Not:
      return stays_true_merged(level, t.arguments()[0]);
    case Op::Implies:
      return stays_true_merged(level, t.arguments()[0]) && stays_false(t.arguments()[1]);
    case Op::And:
    case Op::Or:
      return all_arguments(t, stays_false);
    case Op::Forall:
    case Op::Exists:
      return t.type.first != Sort::Read && stays_false(t.arguments()[0]);
    default:
      return false;
  }
}

}  // namespace isomer::synth
