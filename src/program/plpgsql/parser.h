// SPDX-License-Identifier: MIT
// The parser of one PL/pgSQL body: private to the files pars*.cpp.  Functions that
// return bool are false after a complaint.
#pragma once

#include <fmt/format.h>

#include "program/plpgsql/syntax.h"
#include "program/plpgsql/tokens.h"

namespace isomer::program {

class PlParser {
 public:
  explicit PlParser(PlTokens tokens) : tokens_(std::move(tokens)) {}

  PlStatement parse_body();

 private:
  bool refuse(Span at, std::string_view construct) {
    tokens_.reporter.fail(at, fmt::format("{} is not supported", construct));
    return false;
  }

  bool expect_semicolon(std::string_view where) { return tokens_.expect(";", where); }

  // --- blocks (parser.cpp) ---

  // After this mistake it is unclear which END closes what: nothing more is said.
  bool lose();
  // Statements up to END, ELSE or the like; after a mistake, from the next one on.
  PlBlock parse_statements(std::initializer_list<std::string_view> enders);
  bool parse_labelled(PlStatement& out);
  bool parse_block(PlStatement& out);
  void accept_end_label();
  void skip_declaration();
  bool parse_declaration(PlStatement& out);

  // --- control flow (parse_flow.cpp) ---

  bool parse_loop_body(PlStatement& out);
  bool parse_loop(PlStatement& out);
  bool parse_while(PlStatement& out);
  bool parse_for(PlStatement& out);
  bool parse_foreach(PlStatement& out);
  bool parse_range(PlStatement& out);
  bool parse_if(PlStatement& out);
  bool parse_otherwise(PlStatement& out, std::string_view closing);
  bool parse_case(PlStatement& out);
  bool parse_leave(PlStatement& out);

  // --- statements (parse_statement.cpp) ---

  bool parse_name(PlName& out, std::string_view where);
  bool parse_targets(PlStatement& out, std::string_view where);
  bool parse_statement(PlStatement& out);
  [[nodiscard]] bool is_assignment() const;
  bool parse_assignment(PlStatement& out);
  // Up to and with ';'.
  bool parse_value(Span& out, std::string_view what);
  bool parse_return(PlStatement& out);
  bool parse_perform(PlStatement& out);
  bool parse_call(PlStatement& out);
  bool parse_diagnostics(PlStatement& out);
  bool parse_assert(PlStatement& out);
  bool parse_sql(PlStatement& out);

  // --- EXCEPTION (parse_raise.cpp) ---

  bool parse_handlers(PlStatement& out);
  bool parse_handled(PlHandler& out);

  // --- RAISE (parse_raise.cpp) ---

  bool parse_raise(PlStatement& out);
  bool parse_raised(PlStatement& out);
  // The code in quotes behind SQLSTATE; absent after a complaint.
  std::optional<std::string> parse_sqlstate();
  // The name of an error condition, of which there must be one.
  bool parse_condition(std::string& name);
  bool parse_raise_option(PlStatement& out);

  PlTokens tokens_;
  std::size_t depth_ = 0;
  bool is_lost_ = false;
  bool is_behind_sql_ = false;  // the statement before was SQL or PERFORM
};

}  // namespace isomer::program
