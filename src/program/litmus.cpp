// SPDX-License-Identifier: MIT
// Recursive descent over the statements, which recovers at the end of a statement, so that
// one file can be told of up to 20 mistakes.  A name is known if its transaction assigns it
// somewhere; the labels of final asserts are resolved once all sessions are read.
#include "program/litmus.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/suggest.h"
#include "program/evaluate.h"
#include "program/litmus_expression.h"

namespace isomer::program {
namespace {

using Kind = LitmusToken::Kind;

constexpr int blocks_max = 200;

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

struct Parser {
  LitmusTokens tokens;
  Program program{};
  std::map<std::string, Span, std::less<>> init_keys{};
  TransactionType* current = nullptr;  // the transaction that is being read
  std::vector<Local> locals{};         // by VariableId
  std::vector<Mention> mentions{};
  int blocks = 0;

  // --- names ---

  VariableId variable(const LitmusToken& name) {
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

  VariableId assigned(const LitmusToken& name) {
    const VariableId out = variable(name);
    locals[out.index].is_assigned = true;
    return out;
  }

  ExpressionPtr expression() {
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

  ExpressionPtr final_expression() {
    LitmusNames names;
    names.local = [&](const LitmusToken& name) {
      tokens.fail(name.at, fmt::format("expected 'label.{}', the local of a labelled "
                                       "transaction",
                                       name.text));
      return ExpressionPtr();
    };
    names.final = [&](const LitmusToken& label, const LitmusToken& name) {
      auto out = std::make_shared<Expression>();
      out->kind = Expression::Kind::FinalLocal;
      out->at = {label.at.first, name.at.last};
      out->label = label.text;
      out->name = name.text;
      mentions.push_back({out->label, label.at, out->name, name.at});
      return out;
    };
    return parse_litmus_expression(tokens, names);
  }

  ExpressionPtr constant_expression() {
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

  // --- the file ---

  void file() {
    if (header()) {
      if (tokens.peek().is("init")) init();
    } else {
      tokens.recover();
    }
    while (tokens.peek().kind != Kind::End && !tokens.is_full())
      if (!item()) skip_to_item();
    check_mentions();
  }

  bool header() {
    if (!tokens.expect("program", "and its name at the start of the file")) return false;
    if (tokens.peek().kind != Kind::String)
      return tokens.fail_expected("the name of the program, a string");
    program.name = tokens.next().content;
    return true;
  }

  bool item() {
    if (tokens.peek().is("session")) return session();
    if (tokens.peek().is("assert")) return final_assert();
    if (tokens.peek().is("init") && program.sessions.empty()) return init();
    return tokens.fail_expected(program.sessions.empty() ? "'init', 'session' or 'assert'"
                                                         : "'session' or 'assert'");
  }

  void skip_to_item() {
    do
      tokens.next();
    while (tokens.peek().kind != Kind::End && !tokens.peek().is("session") &&
           !tokens.peek().is("assert"));
  }

  bool init() {
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

  bool initial_key() {
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

  bool session() {
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

  // --- transactions ---

  bool transaction(Session& session) {
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

  void check_locals(const TransactionType& type) {
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

  [[nodiscard]] bool at_block_end() const {
    const LitmusToken& token = tokens.peek();
    return token.kind == Kind::End || token.is("}") || token.is("commit") ||
           token.is("begin") || token.is("session");
  }

  Block statements() {
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

  bool parse(Statement& out) {
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
      return tokens.fail(token.at,
                         "the value read needs a name, as in 'a := read(\"x\");'");
    if (token.kind == Kind::Word && !is_litmus_keyword(token.text))
      return parse_assignment(out);
    return tokens.fail_expected("a statement or 'commit'");
  }

  bool parse_assignment(Statement& out) {
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

  bool parse_write(Statement& out) {
    tokens.next();
    out.kind = Statement::Kind::WriteKey;
    if (!tokens.expect("(", "after 'write'")) return false;
    out.key = expression();
    if (!out.key || !tokens.expect(",", "and the value after the key to write"))
      return false;
    out.value = expression();
    return out.value && tokens.expect(")", "after the value to write") &&
           tokens.expect(";", "after the write");
  }

  bool parse_assert(Statement& out) {
    tokens.next();
    out.kind = Statement::Kind::Assert;
    out.value = expression();
    if (!out.value) return false;
    out.text = tokens.source(out.value->at);
    return tokens.expect(";", "after the assertion");
  }

  bool parse_if(Statement& out) {
    tokens.next();
    out.kind = Statement::Kind::If;
    if (!tokens.expect("(", "after 'if'")) return false;
    out.value = expression();
    if (!out.value || !tokens.expect(")", "after the condition")) return false;
    if (!parse_block(out.body, "after the condition")) return false;
    return !tokens.accept("else") || parse_block(out.otherwise, "after 'else'");
  }

  bool parse_foreach(Statement& out) {
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

  bool parse_block(Block& out, std::string_view where) {
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

  // --- final asserts ---

  bool final_assert() {
    tokens.next();
    Invariant out;
    out.assert = final_expression();
    if (!out.assert) return false;
    out.text = tokens.source(out.assert->at);
    out.name = out.text;
    if (!tokens.expect(";", "after the assertion")) return false;
    program.invariants.push_back(std::move(out));
    return true;
  }

  void check_mentions() {
    for (const Mention& mention : mentions)
      check_mention(mention);
  }

  void check_mention(const Mention& mention) {
    std::vector<const TransactionType*> found;
    std::vector<std::string> known;
    for (const TransactionType& type : program.types) {
      known.push_back(type.name);
      if (type.name == mention.label) found.push_back(&type);
    }
    if (found.empty()) {
      const auto near = nearest(mention.label, known);
      tokens.fail(mention.label_at,
                  fmt::format("no transaction is labelled '{}'{}", mention.label,
                              near ? fmt::format("; did you mean '{}'?", *near) : ""));
      return;
    }
    if (found.size() > 1) {
      tokens.fail(
          mention.label_at,
          fmt::format("{} transactions are labelled '{}'; a label in an assert must "
                      "be unique",
                      found.size(), mention.label));
      for (const TransactionType* type : found)
        tokens.add_note(type->at, "one of them begins here");
      return;
    }
    check_local(mention, *found.front());
  }

  void check_local(const Mention& mention, const TransactionType& type) {
    std::vector<std::string> known;
    for (const Variable& variable : type.variables)
      known.push_back(variable.name);
    if (std::find(known.begin(), known.end(), mention.name) != known.end()) return;
    const auto near = nearest(mention.name, known);
    tokens.fail(
        mention.name_at,
        fmt::format("transaction '{}' has no local '{}'{}", mention.label, mention.name,
                    near ? fmt::format("; did you mean '{}'?", *near) : ""));
    tokens.add_note(type.at, "it begins here");
  }
};

}  // namespace

Expected<Program> parse_litmus(std::string_view file, std::string_view text) {
  if (text.size() > UINT32_MAX / 2)
    return tl::unexpected(Diagnostics{diagnostic_of_file(file, "the file is too large")});
  Parser parser{.tokens = LitmusTokens(file, text)};
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
