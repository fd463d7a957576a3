// SPDX-License-Identifier: MIT
// A litmus program as a tree of text, easy to make at random and to cut down; and one with
// all its histories.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/explore/brute_force.h"

namespace isomer::explore {

struct Draft {
  // "a := read("x");", or the head of a block "if (a == 0)" with what stands in it.
  struct Statement {
    std::string head;
    bool has_body = false;
    std::vector<Statement> body = {};
    std::vector<Statement> otherwise = {};
  };

  struct Transaction {
    std::string label;
    std::vector<Statement> body;
  };

  std::vector<std::string> initial;                // "x" = 0
  std::vector<std::vector<Transaction>> sessions;  // none is empty
  std::vector<std::string> asserts;                // expressions
};

std::string text(const Draft& draft);

// Two or three sessions of up to six transactions, now and then seven or eight tiny ones,
// on one to three keys.
Draft random_draft(std::uint64_t seed);

// Up to four transactions that write keys they have written before, before reads and behind
// them, mostly without branches.
Draft random_rewriting_draft(std::uint64_t seed);

// Without one transaction, statement, assert or initial value, or with a block by what
// stands in it.  Some are no programs.
std::vector<Draft> smaller(const Draft& draft);

struct RandomSpace {
  Draft draft;
  std::shared_ptr<const Program> program;
  Space space;
};

// Programs with more histories than that are passed over for another of the same seed, and
// most of those with very few.
RandomSpace random_space(std::uint64_t seed, std::size_t histories_max);

}  // namespace isomer::explore
