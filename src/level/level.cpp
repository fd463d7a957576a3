// SPDX-License-Identifier: MIT
#include "level/level.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/assert.h"

namespace isomer::level {
namespace {

// A variable is known by the depth of its quantifier only.
std::string variable_name(const Term& term) {
  constexpr std::array<std::string_view, 4> by_sort{"t", "x", "v", "r"};
  const std::string_view name = by_sort[static_cast<std::size_t>(term.type.first)];
  return term.number == 0 ? std::string(name) : fmt::format("{}{}", name, term.number + 1);
}

std::string_view flaw_name(std::uint32_t flaw) {
  constexpr std::array<std::string_view, flaw_count> names{
      "thin_air",    "aborted_read",       "intermediate_read",
      "future_read", "not_own_last_write", "own_write_ignored"};
  return names[flaw];
}

// A quote in the name is written twice.
std::string type_text(std::string_view name) {
  std::string out = "type \"";
  for (const char c : name)
    out += std::string(c == '"' ? 2 : 1, c);
  return out + '"';
}

class Printer {
 public:
  explicit Printer(const Level& level) : level_(level) {}

  [[nodiscard]] std::string print(TermId id) const {
    const Term& term = level_.terms[id];
    const auto [a, b, c] = term.argument_ids;
    switch (term.op) {
      case Op::Variable:
        return variable_name(term);
      case Op::Init:
        return "init";
      case Op::Domain:
        return sort_name(term.type.first);
      case Op::Writers:
        return indexed("W", term);
      case Op::Readers:
        return indexed("R", term);
      case Op::TypeNamed:
        return type_text(level_.type_names[term.number]);
      case Op::Flawed:
        return std::string(flaw_name(term.number));
      case Op::Singleton:
        return print(a);
      case Op::So:
        return "so";
      case Op::Po:
        return "po";
      case Op::Wr:
        return indexed("wr", term);
      case Op::Rf:
        return indexed("rf", term);
      case Op::Witness:
        return indexed(level_.witnesses[term.number].name, term);
      case Op::Identity:
        return is_whole_txn(a) ? "id" : fmt::format("[{}]", print(a));
      case Op::Product:
        return binary(a, "*", b);
      case Op::Empty:
        return "0";
      case Op::Union:
        return binary(a, "|", b, Op::Union);
      case Op::Intersection:
        return binary(a, "&", b, Op::Intersection);
      case Op::Difference:
        return binary(a, "\\", b);
      case Op::UnionOfKeys:
        return fmt::format("(for some x: {})", print(a));
      case Op::Compose:
        return binary(a, ";", b, Op::Compose);
      case Op::Inverse:
        return inner(a) + "^-1";
      case Op::Plus:
        return inner(a) + "+";
      case Op::Star:
        return inner(a) + "*";
      case Op::Optional:
        return inner(a) + "?";
      default:
        return formula(term);
    }
  }

 private:
  [[nodiscard]] std::string formula(const Term& term) const {
    const auto [a, b, c] = term.argument_ids;
    switch (term.op) {
      case Op::In:
        return fmt::format("{} in {}", print(a), print(b));
      case Op::Equal:
        return fmt::format("{} = {}", print(a), print(b));
      case Op::IsEmpty:
        return "empty " + inner(a);
      case Op::Acyclic:
        return "acyclic " + inner(a);
      case Op::Irreflexive:
        return "irreflexive " + inner(a);
      case Op::Transitive:
        return "transitive " + inner(a);
      case Op::Total:
        return fmt::format("total {} on {}", inner(a), inner(b));
      case Op::TotalOrder:
        return fmt::format("total_order {} on {}", inner(a), inner(b));
      default:
        return "a formula";
    }
  }

  static std::string sort_name(Sort sort) {
    constexpr std::array<std::string_view, 4> names{"Txn", "Key", "Val", "Read"};
    return std::string(names[static_cast<std::size_t>(sort)]);
  }

  [[nodiscard]] bool is_whole_txn(TermId id) const {
    const Term& term = level_.terms[id];
    return term.op == Op::Domain && term.type.first == Sort::Txn;
  }

  [[nodiscard]] std::string indexed(std::string_view name, const Term& term) const {
    return term.argument_count == 0
               ? std::string(name)
               : fmt::format("{}[{}]", name, print(term.argument_ids[0]));
  }

  // In brackets if it is made with an infix operator other than `around`.
  [[nodiscard]] std::string inner(TermId id, Op around = Op::True) const {
    const Op op = level_.terms[id].op;
    const bool is_infix = op == Op::Product || op == Op::Union || op == Op::Intersection ||
                          op == Op::Difference || op == Op::Compose;
    return is_infix && op != around ? fmt::format("({})", print(id)) : print(id);
  }

  [[nodiscard]] std::string binary(TermId left, std::string_view op, TermId right,
                                   Op around = Op::True) const {
    return fmt::format("{} {} {}", inner(left, around), op, inner(right, around));
  }

  const Level& level_;
};

}  // namespace

std::string text_of(const Level& level, TermId id) {
  return Printer(level).print(id);
}

}  // namespace isomer::level
