// SPDX-License-Identifier: MIT
// The statements of a litmus transaction, and the locals that they name.
#include <fmt/format.h>

#include "program/litmus/parser.h"

namespace isomer::program {

namespace {

using Kind = LitmusToken::Kind;

constexpr int blocks_max = 200;

}  // namespace

VariableId LitmusParser::variable(const LitmusToken& name) {
  auto& variables = current->variables;
  for (std::uint32_t i = 0; i < variables.size(); ++i)
    if (variables[i].name == name.text) return {i};
  Variable out;
  out.name = name.text;
  out.at = name.at;
  variables.push_back(std::move(out));
  locals.push_back({.first_use = name.at});
  return {static_cast<std::uint32_t>(variables.size() - 1)};
}

VariableId LitmusParser::assigned(const LitmusToken& name) {
  const VariableId out = variable(name);
  locals[out.index].is_assigned = true;
  return out;
}

ExpressionPtr LitmusParser::expression() {
  LitmusNames names;
  names.local = [&](const LitmusToken& name) {
    auto out = std::make_shared<Expression>();
    out->kind = Expression::Kind::Variable;
    out->at = name.at;
    out->variable = variable(name);
    return out;
  };
  names.final = [&](const LitmusToken& label, const LitmusToken&) {
    tokens.fail(label.at, "locals of other transactions may stand in final asserts only");
    return ExpressionPtr();
  };
  return parse_litmus_expression(tokens, names);
}

bool LitmusParser::at_block_end() const {
  const LitmusToken& token = tokens.peek();
  return token.kind == Kind::End || token.is("}") || token.is("commit") ||
         token.is("begin") || token.is("session");
}

Block LitmusParser::statements() {
  Block out;
  while (!at_block_end() && !tokens.is_full()) {
    Statement statement;
    statement.at.first = tokens.peek().at.first;
    if (parse(statement)) {
      statement.at.last = tokens.last_end();
      out.push_back(std::move(statement));
    } else {
      tokens.recover();
    }
  }
  return out;
}

bool LitmusParser::parse(Statement& out) {
  const LitmusToken& token = tokens.peek();
  if (token.is("if")) return parse_if(out);
  if (token.is("foreach")) return parse_foreach(out);
  if (token.is("write")) return parse_write(out);
  if (token.is("assert")) return parse_assert(out);
  if (tokens.accept("abort")) {
    out.kind = Statement::Kind::Abort;
    return tokens.expect(";", "after 'abort'");
  }
  if (token.is("read") && tokens.peek(1).is("("))
    return tokens.fail(token.at, "the value read needs a name, as in 'a := read(\"x\");'");
  if (token.kind == Kind::Word && !is_litmus_keyword(token.text))
    return parse_assignment(out);
  return tokens.fail_expected("a statement or 'commit'");
}

bool LitmusParser::parse_assignment(Statement& out) {
  const LitmusToken& name = tokens.next();
  if (!tokens.expect(":=", fmt::format("after '{}'", name.text))) return false;
  const bool is_read = tokens.peek().is("read") && tokens.peek(1).is("(");
  if (is_read) {
    tokens.next();
    tokens.next();
    out.kind = Statement::Kind::ReadKey;
    out.key = expression();
    if (!out.key || !tokens.expect(")", "after the key to read")) return false;
  } else {
    out.kind = Statement::Kind::Assign;
    out.value = expression();
    if (!out.value) return false;
  }
  out.variable = assigned(name);
  return tokens.expect(";", is_read ? "after the read" : "after the assignment");
}

bool LitmusParser::parse_write(Statement& out) {
  tokens.next();
  out.kind = Statement::Kind::WriteKey;
  if (!tokens.expect("(", "after 'write'")) return false;
  out.key = expression();
  if (!out.key || !tokens.expect(",", "and the value after the key to write")) return false;
  out.value = expression();
  return out.value && tokens.expect(")", "after the value to write") &&
         tokens.expect(";", "after the write");
}

bool LitmusParser::parse_assert(Statement& out) {
  tokens.next();
  out.kind = Statement::Kind::Assert;
  out.value = expression();
  if (!out.value) return false;
  out.text = tokens.source(out.value->at);
  return tokens.expect(";", "after the assertion");
}

bool LitmusParser::parse_if(Statement& out) {
  tokens.next();
  out.kind = Statement::Kind::If;
  if (!tokens.expect("(", "after 'if'")) return false;
  out.value = expression();
  if (!out.value || !tokens.expect(")", "after the condition")) return false;
  if (!parse_block(out.body, "after the condition")) return false;
  return !tokens.accept("else") || parse_block(out.otherwise, "after 'else'");
}

bool LitmusParser::parse_foreach(Statement& out) {
  tokens.next();
  out.kind = Statement::Kind::ForEach;
  const LitmusToken& name = tokens.peek();
  if (name.kind != Kind::Word || is_litmus_keyword(name.text))
    return tokens.fail_expected("the name of the element after 'foreach'");
  out.variable = assigned(tokens.next());
  if (!tokens.expect("in", "after the name of the element")) return false;
  out.value = expression();
  return out.value && parse_block(out.body, "after the list");
}

bool LitmusParser::parse_block(Block& out, std::string_view where) {
  const Span opened = tokens.peek().at;
  if (!tokens.expect("{", where)) return false;
  if (++blocks > blocks_max) {
    --blocks;
    return tokens.fail(
        opened, fmt::format("blocks are nested more than {} levels deep", blocks_max));
  }
  out = statements();
  --blocks;
  if (tokens.accept("}")) return true;
  if (!tokens.is_full()) {
    tokens.fail_expected("a statement or '}'");
    tokens.add_note(opened, "the block was opened here");
  }
  return false;
}

}  // namespace isomer::program
