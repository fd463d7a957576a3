// SPDX-License-Identifier: MIT
#include "level/language/vocabulary.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace isomer::level {
namespace {

constexpr Type element{Kind::Element, Sort::Txn, Sort::Txn};
constexpr Type set{Kind::Set, Sort::Txn, Sort::Txn};
constexpr Type relation{Kind::Relation, Sort::Txn, Sort::Txn};

constexpr std::uint32_t number_of(Flaw flaw) {
  return static_cast<std::uint32_t>(flaw);
}

constexpr Type domain(Sort sort) {
  return {Kind::Set, sort, Sort::Txn};
}

constexpr std::array<GivenName, 18> given = {{
    {"init", Op::Init, element},
    {"so", Op::So, relation},
    {"po", Op::Po, {Kind::Relation, Sort::Read, Sort::Read}},
    {"W", Op::Writers, set, 0, true},
    {"R", Op::Readers, set, 0, true},
    {"wr", Op::Wr, relation, 0, true},
    {"rf", Op::Rf, {Kind::Relation, Sort::Txn, Sort::Read}, 0, true},
    {"id", Op::Identity, relation},
    {"Txn", Op::Domain, domain(Sort::Txn)},
    {"Key", Op::Domain, domain(Sort::Key)},
    {"Val", Op::Domain, domain(Sort::Val)},
    {"Read", Op::Domain, domain(Sort::Read)},
    {"thin_air", Op::Flawed, set, number_of(Flaw::ThinAir)},
    {"aborted_read", Op::Flawed, set, number_of(Flaw::AbortedRead)},
    {"intermediate_read", Op::Flawed, set, number_of(Flaw::IntermediateRead)},
    {"future_read", Op::Flawed, set, number_of(Flaw::FutureRead)},
    {"not_own_last_write", Op::Flawed, set, number_of(Flaw::NotOwnLastWrite)},
    {"own_write_ignored", Op::Flawed, set, number_of(Flaw::OwnWriteIgnored)},
}};

}  // namespace

const std::vector<std::string>& keywords() {
  static const std::vector<std::string> words = {
      "framework", "witness",     "level", "let",     "axiom",       "include",
      "forall",    "exists",      "not",   "and",     "or",          "implies",
      "iff",       "in",          "empty", "acyclic", "irreflexive", "transitive",
      "total",     "total_order", "on",    "true",    "false",       "type",
      "writes",    "reads"};
  return words;
}

bool is_keyword(std::string_view word) {
  return std::find(keywords().begin(), keywords().end(), word) != keywords().end();
}

std::string_view name_of(Sort sort) {
  switch (sort) {
    case Sort::Txn:
      return "Txn";
    case Sort::Key:
      return "Key";
    case Sort::Val:
      return "Val";
    case Sort::Read:
      return "Read";
  }
  return "";
}

std::optional<Sort> sort_named(std::string_view name) {
  for (const Sort sort : {Sort::Txn, Sort::Key, Sort::Val, Sort::Read})
    if (name_of(sort) == name) return sort;
  return std::nullopt;
}

const GivenName* given_named(std::string_view name) {
  const auto found = std::find_if(given.begin(), given.end(),
                                  [&](const GivenName& row) { return row.name == name; });
  return found == given.end() ? nullptr : &*found;
}

std::vector<std::string_view> given_names() {
  std::vector<std::string_view> out;
  for (const GivenName& row : given)
    out.emplace_back(row.name);
  return out;
}

std::string description(Type type) {
  switch (type.kind) {
    case Kind::Formula:
      return "a formula";
    case Kind::Element:
      return fmt::format("an element of {}", name_of(type.first));
    case Kind::Set:
      return fmt::format("a set of {}", name_of(type.first));
    case Kind::Relation:
      return fmt::format("a relation {} * {}", name_of(type.first), name_of(type.second));
  }
  return "";
}

}  // namespace isomer::level
