// SPDX-License-Identifier: MIT
// A parser of PL/pgSQL over PostgreSQL's tokens.  Like PostgreSQL's own, it knows no SQL:
// an expression reaches to the keyword that must follow it (THEN, LOOP, ';'), and a
// statement that starts with no keyword of PL/pgSQL is SQL.  libpg_query has a parser of
// its own, but that gives lines, not columns, and cannot read assignments to record fields.
//
// Here: blocks and declarations.
#include "program/plpgsql/parser.h"

#include <algorithm>

namespace isomer::program {

namespace {

constexpr std::size_t depth_max = 100;

}  // namespace

PlStatement PlParser::parse_body() {
  PlStatement out;
  if (tokens_.is("#")) {
    tokens_.reporter.fail(tokens_.place(), "# directives are not supported");
    return out;
  }
  if (!parse_labelled(out)) return out;
  tokens_.accept(";");
  if (!is_lost_ && !tokens_.at_end())
    tokens_.fail_expected("nothing", "after the last END");
  return out;
}

bool PlParser::lose() {
  is_lost_ = true;
  while (!tokens_.at_end())
    tokens_.next();
  return false;
}

PlBlock PlParser::parse_statements(std::initializer_list<std::string_view> enders) {
  PlBlock out;
  if (++depth_ > depth_max) {
    refuse(tokens_.place(), "nesting blocks this deeply");
    while (!tokens_.at_end())
      tokens_.next();
  }
  const auto is_ender = [&](std::string_view word) { return tokens_.is(word); };
  while (!tokens_.at_end() && !std::any_of(enders.begin(), enders.end(), is_ender)) {
    PlStatement statement;
    statement.at = tokens_.place();
    const std::size_t start = tokens_.position();
    is_behind_sql_ = !out.empty() && (out.back().kind == PlStatement::Kind::Sql ||
                                      out.back().kind == PlStatement::Kind::Perform);
    const bool is_fine = parse_labelled(statement);
    statement.at.last = tokens_.last_place().last;
    if (is_fine) {
      out.push_back(std::move(statement));
      continue;
    }
    if (is_lost_ || tokens_.reporter.is_full()) break;
    tokens_.skip_statement();
    if (tokens_.position() == start) tokens_.next();
  }
  --depth_;
  return out;
}

bool PlParser::parse_labelled(PlStatement& out) {
  out.at = tokens_.place();
  if (tokens_.accept("<<")) {
    if (!tokens_.is_name()) return tokens_.fail_expected("a label", "after <<");
    out.label = folded(tokens_.peek());
    tokens_.next();
    if (!tokens_.expect(">>", "after the label")) return false;
  }
  if (tokens_.is("declare") || tokens_.is("begin")) return parse_block(out);
  if (tokens_.is("loop")) return parse_loop(out);
  if (tokens_.is("while")) return parse_while(out);
  if (tokens_.is("for")) return parse_for(out);
  if (tokens_.is("foreach")) return parse_foreach(out);
  if (!out.label.empty())
    return tokens_.fail_expected("a loop or a block", "after the label");
  return parse_statement(out);
}

bool PlParser::parse_block(PlStatement& out) {
  out.kind = PlStatement::Kind::Begin;
  const bool declares = tokens_.accept("declare");
  while (declares && !tokens_.at_end() && !tokens_.is("begin")) {
    if (tokens_.accept("declare")) continue;
    if (!parse_declaration(out)) skip_declaration();
  }
  if (!tokens_.expect("begin", "to start a block")) return lose();
  out.body = parse_statements({"end", "exception"});
  if (is_lost_) return false;
  if (tokens_.accept("exception") && !parse_handlers(out)) return lose();
  if (!tokens_.expect("end", "to close the block")) return lose();
  accept_end_label();
  if (depth_ == 0) return true;
  return expect_semicolon("after END");
}

void PlParser::accept_end_label() {
  if (tokens_.is_name() && !tokens_.is(";")) tokens_.next();
}

void PlParser::skip_declaration() {
  while (!tokens_.at_end() && !tokens_.is("begin") && !tokens_.accept(";"))
    tokens_.next();
}

bool PlParser::parse_declaration(PlStatement& out) {
  PlDeclaration declaration;
  declaration.at = tokens_.place();
  if (!tokens_.is_name()) return tokens_.fail_expected("a variable", "in DECLARE");
  declaration.name = folded(tokens_.peek());
  tokens_.next();
  if (tokens_.is("alias")) return refuse(tokens_.place(), "ALIAS FOR");
  if (tokens_.is("cursor") || tokens_.is("scroll") || tokens_.is("no"))
    return refuse(tokens_.place(), "a cursor");
  declaration.is_constant = tokens_.accept("constant");
  const auto type =
      tokens_.until({":=", "=", "default", "not", "collate", ";"}, "the variable's type");
  if (!type) return false;
  declaration.type = *type;
  if (tokens_.is("not")) return refuse(tokens_.place(), "NOT NULL of a variable");
  if (tokens_.is("collate")) return refuse(tokens_.place(), "COLLATE");
  if (!tokens_.is(";")) {
    tokens_.next();
    const auto initial = tokens_.until({";"}, "the variable's value");
    if (!initial) return false;
    declaration.initial = *initial;
  }
  tokens_.next();
  out.declarations.push_back(std::move(declaration));
  return true;
}

PlStatement parse_plpgsql(std::string_view source, Span body, Reporter& reporter) {
  const std::size_t errors_before = reporter.count();
  PlTokens tokens(source, body, reporter);
  if (reporter.count() != errors_before) return {};
  return PlParser(std::move(tokens)).parse_body();
}

}  // namespace isomer::program
