// SPDX-License-Identifier: MIT
#include "verify/symmetry.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "verify/symbols.h"

namespace isomer::verify {
namespace {

using program::Expression;
using program::ExpressionPtr;
using program::Program;

using Renaming = std::map<std::string, std::string>;  // of symbols; absent: itself

const std::string& renamed(const Renaming& renaming, const std::string& name) {
  const auto found = renaming.find(name);
  return found == renaming.end() ? name : found->second;
}

bool is_same_type(const program::Type& a, const program::Type& b) {
  const auto parts = [](const program::Type& type) {
    return std::tie(type.kind, type.precision, type.scale, type.length_max, type.is_padded,
                    type.is_varying, type.element);
  };
  return parts(a) == parts(b);
}

bool is_commutative(program::Function function) {
  using program::Function;
  return function == Function::Equal || function == Function::NotEqual ||
         function == Function::IsDistinct || function == Function::And ||
         function == Function::Or;
}

// Expressions of scenarios: without tables.  What is not known to be the same is not.
// `same_symbol(a, b)` decides of symbols.
template <class SameSymbol>
bool is_same_expression(const Expression& a, const Expression& b,
                        const SameSymbol& same_symbol) {
  if (a.kind != b.kind || !is_same_type(a.type, b.type) || a.function != b.function ||
      a.arguments.size() != b.arguments.size() || a.query || b.query)
    return false;
  if (a.kind == Expression::Kind::Symbol) return same_symbol(a.name, b.name);
  if (a.kind == Expression::Kind::Constant)
    return a.value == b.value && to_text(a.value) == to_text(b.value);  // 1.5 and 1.50
  if (a.kind != Expression::Kind::Call && a.kind != Expression::Kind::Case &&
      a.kind != Expression::Kind::Cast && a.kind != Expression::Kind::InList)
    return false;
  for (std::size_t i = 0; i < a.arguments.size(); ++i)
    if (!is_same_expression(*a.arguments[i], *b.arguments[i], same_symbol)) return false;
  return true;
}

IsSymbol one_of(const Renaming& renaming) {
  return [&renaming](const std::string& name) { return renaming.contains(name); };
}

// Both sides may be turned at the top: ?a <> ?b.
bool is_same_condition(const Expression& a, const Expression& b, const Renaming& renaming) {
  const auto same_symbol = [&](const std::string& x, const std::string& y) {
    return renamed(renaming, x) == y;
  };
  if (is_same_expression(a, b, same_symbol)) return true;
  return a.kind == Expression::Kind::Call && b.kind == a.kind && a.function == b.function &&
         is_commutative(a.function) && a.arguments.size() == 2 && b.arguments.size() == 2 &&
         is_same_expression(*a.arguments[0], *b.arguments[1], same_symbol) &&
         is_same_expression(*a.arguments[1], *b.arguments[0], same_symbol);
}

class Swap {
 public:
  Swap(const Program& program, std::uint32_t a, std::uint32_t b)
      : program_(program), a_(a), b_(b) {}

  bool is_automorphism() {
    return swaps_calls() && keeps_types() && keeps_others() && keeps_assumptions() &&
           keeps_invariants();
  }

 private:
  // Finds what is renamed.
  bool swaps_calls() {
    const auto& a = program_.sessions[a_].calls;
    const auto& b = program_.sessions[b_].calls;
    const auto same_symbol = [&](const std::string& x, const std::string& y) {
      return renames(x, y) && renames(y, x);
    };
    const auto is_same = [&](const program::Call& x, const program::Call& y) {
      return x.type == y.type &&
             std::ranges::equal(x.arguments, y.arguments,
                                [&](const ExpressionPtr& p, const ExpressionPtr& q) {
                                  return is_same_expression(*p, *q, same_symbol);
                                });
    };
    if (!std::ranges::equal(a, b, is_same)) return false;
    std::erase_if(renaming_, [](const auto& pair) { return pair.first == pair.second; });
    return true;
  }

  bool renames(const std::string& from, const std::string& to) {
    return renaming_.try_emplace(from, to).first->second == to;
  }

  bool keeps_types() const {
    return std::ranges::all_of(renaming_, [this](const auto& pair) {
      return is_same_type(type_of(pair.first), type_of(pair.second));
    });
  }

  const program::Type& type_of(const std::string& name) const {
    return std::ranges::find(program_.symbols, name, &program::Symbol::name)->type;
  }

  bool keeps_others() const {
    for (std::uint32_t s = 0; s < program_.sessions.size(); ++s)
      for (const program::Call& call : program_.sessions[s].calls)
        for (const ExpressionPtr& argument : call.arguments)
          if (s != a_ && s != b_ && mentions(*argument, one_of(renaming_))) return false;
    return true;
  }

  // As a set: each is renamed to one of them.
  bool keeps_assumptions() const {
    const auto& all = program_.assumptions;
    return std::ranges::all_of(all, [&](const program::Assumption& one) {
      return !mentions(*one.condition, one_of(renaming_)) ||
             std::ranges::any_of(all, [&](const program::Assumption& other) {
               return is_same_condition(*one.condition, *other.condition, renaming_);
             });
    });
  }

  bool keeps_invariants() const {
    return std::ranges::none_of(
        program_.invariants, [this](const program::Invariant& invariant) {
          return invariant.query && mentions(*invariant.query, one_of(renaming_));
        });
  }

  const Program& program_;
  std::uint32_t a_;
  std::uint32_t b_;
  Renaming renaming_;
};

const Matrix<Term>* total_order(const ExecutionTerms& execution) {
  const auto found = std::ranges::find(execution.witnesses, execution.total_order,
                                       &std::pair<std::string, Matrix<Term>>::first);
  return found == execution.witnesses.end() ? nullptr : &found->second;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> interchangeable_sessions(const Program& program) {
  std::vector<std::vector<std::uint32_t>> out;
  for (std::uint32_t s = 0; s < program.sessions.size(); ++s) {
    if (program.sessions[s].calls.empty()) continue;
    const auto fits = [&](const std::vector<std::uint32_t>& some) {
      return Swap(program, some.front(), s).is_automorphism();
    };
    const auto found = std::ranges::find_if(out, fits);
    if (found == out.end())
      out.push_back({s});
    else
      found->push_back(s);
  }
  std::erase_if(out, [](const auto& some) { return some.size() == 1; });
  return out;
}

std::vector<Term> ordered_sessions(const SymbolicProgram& symbolic,
                                   const ExecutionTerms& execution) {
  std::vector<Term> out;
  const Matrix<Term>* order = total_order(execution);
  if (order == nullptr) return out;
  std::map<std::uint32_t, std::size_t> first;  // transaction of each session
  for (std::size_t t = symbolic.transactions.size(); t > 0; --t)
    first[symbolic.transactions[t - 1].place.first] = t;
  for (const auto& some : interchangeable_sessions(symbolic.program))
    for (std::size_t i = 0; i < some.size(); ++i)
      for (std::size_t j = i + 1; j < some.size(); ++j)
        out.push_back((*order)(first.at(some[i]), first.at(some[j])));
  return out;
}

}  // namespace isomer::verify
