// SPDX-License-Identifier: MIT
// How terms are stored: private to logic/term*.cpp.
#pragma once

#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "logic/term.h"

namespace isomer::logic {

struct Terms::State {
  struct Node {
    TermKind kind;
    TermSort sort;
    // Of a constant 1, of a Choose with nothing but constants below the number of paths to
    // them; 0 for other terms, and beyond leaves_max.
    std::uint16_t leaves;
    std::uint32_t payload;  // into one of the vectors below
    std::span<const Term> arguments;
    Term negation;  // none if it was not made yet
  };

  static constexpr std::size_t leaves_max = 256;

  struct Number {
    std::optional<Rational> value;
    std::string text;
  };

  struct Function {
    std::string name;
    std::vector<TermSort> arguments;
    TermSort result;
  };

  struct Hash {
    const State* state;
    std::size_t operator()(std::uint32_t index) const;
  };

  struct Equal {
    const State* state;
    bool operator()(std::uint32_t a, std::uint32_t b) const;
  };

  std::vector<Node> nodes;
  std::deque<std::vector<Term>> blocks;  // of arguments; blocks never move
  std::unordered_set<std::uint32_t, Hash, Equal> known{64, Hash{this}, Equal{this}};
  std::vector<Number> numbers;
  std::unordered_map<std::string, std::uint32_t> number_index;
  std::vector<std::string> texts;
  std::unordered_map<std::string, std::uint32_t> text_index;
  std::vector<std::string> variables;
  std::vector<Function> functions;
  std::map<std::tuple<std::string, std::vector<TermSort>, TermSort>, TermFunction>
      shared_functions;

  Term add(TermKind kind, TermSort sort, std::uint32_t payload,
           std::span<const Term> arguments = {});
  std::span<const Term> stored(std::span<const Term> arguments);

  [[nodiscard]] const Node& operator[](Term term) const { return nodes[term.index]; }
};

// The sum of the parts, each a term times its factor (not 0), and a constant.
struct Terms::Linear {
  std::vector<std::pair<Term, Rational>> parts;  // by term
  Rational constant;
};

}  // namespace isomer::logic
