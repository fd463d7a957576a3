// SPDX-License-Identifier: MIT
// Recursive descent over the statements, which recovers at the end of a statement, so that
// one file can be told of up to 20 mistakes.  A name is known if its transaction assigns it
// somewhere; the labels of final asserts are resolved once all sessions are read.
//
// Here: the file, its initial keys, sessions and transactions.
#include "program/litmus/litmus.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "program/litmus/parser.h"
#include "program/machine/evaluate.h"

namespace isomer::program {

namespace {

using Kind = LitmusToken::Kind;

}  // namespace

void LitmusParser::file() {
  if (header()) {
    if (tokens.peek().is("init")) init();
  } else {
    tokens.recover();
  }
  while (tokens.peek().kind != Kind::End && !tokens.is_full())
    if (!item()) skip_to_item();
  check_mentions();
}

bool LitmusParser::header() {
  if (!tokens.expect("program", "and its name at the start of the file")) return false;
  if (tokens.peek().kind != Kind::String)
    return tokens.fail_expected("the name of the program, a string");
  program.name = tokens.next().content;
  return true;
}

bool LitmusParser::item() {
  if (tokens.peek().is("session")) return session();
  if (tokens.peek().is("assert")) return final_assert();
  if (tokens.peek().is("init") && program.sessions.empty()) return init();
  return tokens.fail_expected(program.sessions.empty() ? "'init', 'session' or 'assert'"
                                                       : "'session' or 'assert'");
}

void LitmusParser::skip_to_item() {
  do
    tokens.next();
  while (tokens.peek().kind != Kind::End && !tokens.peek().is("session") &&
         !tokens.peek().is("assert"));
}

bool LitmusParser::init() {
  tokens.next();
  if (!tokens.expect("{", "after 'init'")) return false;
  while (!tokens.peek().is("}")) {
    if (tokens.peek().kind == Kind::End || tokens.is_full())
      return tokens.fail_expected("a key or '}' in init");
    if (initial_key()) continue;
    tokens.recover();
    if (tokens.peek().is("session") || tokens.peek().is("begin") ||
        tokens.peek().is("commit"))
      return true;  // init is not closed: the complaint is there
  }
  tokens.next();
  return true;
}

bool LitmusParser::initial_key() {
  const LitmusToken& key = tokens.peek();
  if (key.kind != Kind::String)
    return tokens.fail_expected("a key (a string) or '}' in init");
  tokens.next();
  if (!tokens.expect("=", "after the key")) return false;
  const ExpressionPtr value = constant_expression();
  if (!value || !tokens.expect(";", "after the initial value")) return false;
  const auto [first, is_new] = init_keys.emplace(key.content, key.at);
  if (!is_new) {
    tokens.fail(key.at, fmt::format("the key {} has two initial values", key.text));
    tokens.add_note(first->second, "the first one is here");
    return true;
  }
  Context context;
  Value result = evaluate(*value, nullptr, context);
  if (context.fault) return tokens.fail(value->at, context.fault->reason) || true;
  program.initial_keys.emplace_back(key.content, std::move(result));
  return true;
}

bool LitmusParser::session() {
  const Span opened = tokens.next().at;
  Session out;
  out.name = fmt::format("s{}", program.sessions.size() + 1);
  if (tokens.peek().kind == Kind::String) out.name = tokens.next().content;
  for (const Session& other : program.sessions)
    if (other.name == out.name)
      tokens.fail(opened, fmt::format("there are two sessions named '{}'", out.name));
  if (!tokens.expect("{", "after 'session'")) return false;
  while (!tokens.accept("}")) {
    if (!tokens.peek().is("begin")) {
      tokens.fail_expected("'begin' or '}'");
      tokens.add_note(opened, "the session was opened here");
      return false;
    }
    if (!transaction(out)) return false;
  }
  program.sessions.push_back(std::move(out));
  return true;
}

bool LitmusParser::transaction(Session& session) {
  const Span opened = tokens.next().at;
  TransactionType type;
  type.name = fmt::format("{}/{}", session.name, session.calls.size() + 1);
  if (tokens.peek().kind == Kind::String) type.name = tokens.next().content;
  current = &type;
  locals.clear();
  type.body = statements();
  type.at = {opened.first, tokens.peek().at.last};
  check_locals(type);
  current = nullptr;
  if (!tokens.accept("commit")) {
    if (tokens.is_full()) return false;
    tokens.fail_expected("a statement or 'commit'");
    tokens.add_note(opened, fmt::format("transaction '{}' begins here", type.name));
    return false;
  }
  if (!tokens.expect(";", "after 'commit'")) return false;
  Call call;
  call.type = static_cast<std::uint32_t>(program.types.size());
  call.text = type.name;
  call.at = type.at;
  session.calls.push_back(std::move(call));
  program.types.push_back(std::move(type));
  return true;
}

void LitmusParser::check_locals(const TransactionType& type) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < locals.size(); ++i)
    if (locals[i].is_assigned) known.push_back(type.variables[i].name);
  for (std::size_t i = 0; i < locals.size(); ++i) {
    if (locals[i].is_assigned) continue;
    const std::string& name = type.variables[i].name;
    const auto near = nearest(name, known);
    tokens.fail(locals[i].first_use,
                fmt::format("transaction '{}' gives '{}' no value{}", type.name, name,
                            near ? fmt::format("; did you mean '{}'?", *near) : ""));
  }
}

ExpressionPtr LitmusParser::constant_expression() {
  LitmusNames names;
  names.local = [&](const LitmusToken& name) {
    tokens.fail(name.at,
                fmt::format("expected a constant: init knows no name '{}'", name.text));
    return ExpressionPtr();
  };
  names.final = [&](const LitmusToken& label, const LitmusToken&) {
    return names.local(label);
  };
  return parse_litmus_expression(tokens, names);
}

Expected<Program> parse_litmus(std::string_view file, std::string_view text) {
  if (text.size() > UINT32_MAX / 2)
    return tl::unexpected(Diagnostics{diagnostic_of_file(file, "the file is too large")});
  LitmusParser parser{.tokens = LitmusTokens(file, text)};
  parser.file();
  Diagnostics errors = parser.tokens.take_errors();
  if (!errors.empty()) {
    std::stable_sort(errors.begin(), errors.end(), [](const auto& a, const auto& b) {
      return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
    });
    return tl::unexpected(std::move(errors));
  }
  parser.program.file = file;
  parser.program.source = text;
  return std::move(parser.program);
}

}  // namespace isomer::program
