// SPDX-License-Identifier: MIT
// The parser of one litmus program: private to this folder.  Functions that return bool are
// false after a complaint.
#pragma once

#include <functional>
#include <map>

#include "program/litmus/tokens.h"

namespace isomer::program {

// --- expressions (expression.cpp) ---

// What a name stands for depends on where the expression is: a local of a transaction, or
// label.local in a final assert, or nothing in init.
struct LitmusNames {
  // The expression for a name; null after a complaint.
  std::function<ExpressionPtr(const LitmusToken& name)> local;
  std::function<ExpressionPtr(const LitmusToken& label, const LitmusToken& name)> final;
};

// Null after a complaint.
ExpressionPtr parse_litmus_expression(LitmusTokens& tokens, const LitmusNames& names);

// Words that cannot be names.
bool is_litmus_keyword(std::string_view word);

struct LitmusParser {
  // A local of the transaction that is being read.
  struct Local {
    Span first_use;
    bool is_assigned = false;
  };

  // label.local in a final assert.
  struct Mention {
    std::string label;
    Span label_at;
    std::string name;
    Span name_at;
  };

  LitmusTokens tokens;
  Program program{};
  std::map<std::string, Span, std::less<>> init_keys{};
  TransactionType* current = nullptr;  // the transaction that is being read
  std::vector<Local> locals{};         // by VariableId
  std::vector<Mention> mentions{};
  int blocks = 0;

  // --- the file (litmus.cpp) ---

  void file();
  bool header();
  bool item();
  void skip_to_item();
  bool init();
  bool initial_key();
  bool session();
  bool transaction(Session& session);
  void check_locals(const TransactionType& type);
  ExpressionPtr constant_expression();

  // --- statements (statement.cpp) ---

  VariableId variable(const LitmusToken& name);
  VariableId assigned(const LitmusToken& name);
  ExpressionPtr expression();
  [[nodiscard]] bool at_block_end() const;
  Block statements();
  bool parse(Statement& out);
  bool parse_assignment(Statement& out);
  bool parse_write(Statement& out);
  bool parse_assert(Statement& out);
  bool parse_if(Statement& out);
  bool parse_foreach(Statement& out);
  bool parse_block(Block& out, std::string_view where);

  // --- final asserts (assert.cpp) ---

  ExpressionPtr final_expression();
  bool final_assert();
  void check_mentions();
  void check_mention(const Mention& mention);
  void check_local(const Mention& mention, const TransactionType& type);
};

}  // namespace isomer::program
