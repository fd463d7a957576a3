// SPDX-License-Identifier: MIT
// Precedence climbing.  The depth of what is built is bounded, whether it comes from
// brackets or from a long chain of operators, so that everything that walks an expression
// may recurse.
#include "program/litmus/parser.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"

namespace isomer::program {
namespace {

using Kind = LitmusToken::Kind;

constexpr int depth_max = 500;

struct Operator {
  std::string_view sign;
  Function function;
  int precedence;
};

constexpr std::array<Operator, 10> operators = {{
    {"||", Function::Or, 1},
    {"&&", Function::And, 2},
    {"==", Function::Equal, 3},
    {"!=", Function::NotEqual, 3},
    {"<", Function::Less, 3},
    {"<=", Function::LessEqual, 3},
    {">", Function::Greater, 3},
    {">=", Function::GreaterEqual, 3},
    {"+", Function::Add, 4},
    {"-", Function::Subtract, 4},
}};

struct Callable {
  std::string_view name;
  Function function;
  std::size_t arguments_min;
  std::size_t arguments_max;
};

constexpr std::array<Callable, 11> callables = {{
    {"append", Function::Append, 2, 2},
    {"remove", Function::Remove, 2, 2},
    {"contains", Function::Contains, 2, 2},
    {"size", Function::Size, 1, 1},
    {"get", Function::Get, 2, 2},
    {"set", Function::Set, 3, 3},
    {"cat", Function::Concat, 1, 1000},
    {"startswith", Function::StartsWith, 2, 2},
    {"endswith", Function::EndsWith, 2, 2},
    {"part", Function::Part, 2, 2},
    {"max", Function::Greatest, 2, 2},
}};

struct Built {
  ExpressionPtr node;  // null after a complaint
  int depth = 1;
};

struct Parser {
  LitmusTokens& tokens;
  const LitmusNames& names;
  int brackets = 0;

  Built fail_depth(Span at) {
    tokens.fail(
        at, fmt::format("this expression is nested more than {} levels deep", depth_max));
    return {};
  }

  Built call(Function function, Span at, std::vector<Built> arguments) {
    auto node = std::make_shared<Expression>();
    node->kind = Expression::Kind::Call;
    node->function = function;
    node->at = at;
    int depth = 0;
    for (Built& argument : arguments) {
      if (!argument.node) return {};
      depth = std::max(depth, argument.depth);
      node->arguments.push_back(std::move(argument.node));
    }
    if (depth >= depth_max) return fail_depth(at);
    return {.node = std::move(node), .depth = depth + 1};
  }

  Built constant(Span at, Value value) {
    auto node = std::make_shared<Expression>();
    node->value = std::move(value);
    node->at = at;
    return {.node = std::move(node)};
  }

  [[nodiscard]] const Operator* operator_here(int precedence_min) const {
    for (const Operator& known : operators)
      if (known.precedence >= precedence_min && tokens.peek().is(known.sign)) return &known;
    return nullptr;
  }

  Built binary(int precedence_min) {
    Built left = unary();
    while (left.node) {
      const Operator* found = operator_here(precedence_min);
      if (found == nullptr) break;
      tokens.next();
      Built right = binary(found->precedence + 1);
      const Span at{left.node->at.first, tokens.last_end()};
      left = call(found->function, at, {std::move(left), std::move(right)});
    }
    return left;
  }

  Built unary() {
    const Span at = tokens.peek().at;
    if (tokens.peek().is("-") && tokens.peek(1).kind == Kind::Integer) {
      tokens.next();
      return integer(at);
    }
    const bool is_not = tokens.peek().is("!");
    if (!is_not && !tokens.peek().is("-")) return primary();
    tokens.next();
    if (++brackets > depth_max) return fail_depth(at);
    Built operand = unary();
    --brackets;
    return call(is_not ? Function::Not : Function::Negate, {at.first, tokens.last_end()},
                {std::move(operand)});
  }

  Built integer(Span first) {
    const LitmusToken& token = tokens.next();
    const Span at{first.first, token.at.last};
    std::string digits = first.first == token.at.first ? "" : "-";
    digits += token.text;
    std::int64_t number = 0;
    const auto parsed =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (parsed.ec == std::errc()) return constant(at, Value::integer(number));
    tokens.fail(at, fmt::format("{} does not fit into 64 bits", digits));
    return {};
  }

  // '(' .. ')' and '[' .. ']', and the arguments of a call: up to the closing sign.
  std::optional<std::vector<Built>> list(std::string_view close, std::string_view where) {
    std::vector<Built> out;
    if (tokens.accept(close)) return out;
    if (++brackets > depth_max) {
      fail_depth(tokens.peek().at);
      return std::nullopt;
    }
    do {
      out.push_back(binary(1));
      if (!out.back().node) return std::nullopt;
    } while (tokens.accept(","));
    --brackets;
    if (!tokens.accept(close)) {
      tokens.fail_expected(fmt::format("',' or '{}' {}", close, where));
      return std::nullopt;
    }
    return out;
  }

  Built primary() {
    const LitmusToken& token = tokens.peek();
    if (token.kind == Kind::Integer) return integer(token.at);
    if (token.kind == Kind::String) {
      tokens.next();
      return constant(token.at, Value::text(token.content));
    }
    if (token.is("(")) return parenthesis();
    if (tokens.accept("[")) {
      auto items = list("]", "in the list");
      if (!items) return {};
      return call(Function::MakeList, {token.at.first, tokens.last_end()},
                  std::move(*items));
    }
    if (token.kind == Kind::Word) return word();
    tokens.fail_expected("an expression");
    return {};
  }

  Built parenthesis() {
    const Span at = tokens.next().at;
    if (++brackets > depth_max) return fail_depth(at);
    Built out = binary(1);
    --brackets;
    if (!out.node) return {};
    if (tokens.accept(")")) return out;
    tokens.fail_expected("an operator or ')'");
    tokens.add_note(at, "the parenthesis was opened here");
    return {};
  }

  Built word() {
    const LitmusToken& token = tokens.peek();
    if (token.is("null") || token.is("true") || token.is("false")) {
      tokens.next();
      return constant(
          token.at, token.is("null") ? Value() : Value::integer(token.is("true") ? 1 : 0));
    }
    if (tokens.peek(1).is("(")) return function_call();
    if (is_litmus_keyword(token.text)) {
      tokens.fail_expected("an expression");
      return {};
    }
    tokens.next();
    if (!tokens.accept(".")) return {.node = names.local(token)};
    if (tokens.peek().kind == Kind::Word)
      return {.node = names.final(token, tokens.next())};
    tokens.fail_expected("the name of a local after '.'");
    return {};
  }

  Built function_call() {
    const LitmusToken& token = tokens.next();
    const auto* found =
        std::find_if(callables.begin(), callables.end(),
                     [&](const Callable& known) { return known.name == token.text; });
    if (found == callables.end()) {
      unknown_function(token);
      return {};
    }
    tokens.next();
    auto arguments = list(")", fmt::format("in the call of '{}'", token.text));
    if (!arguments) return {};
    if (arguments->size() < found->arguments_min ||
        arguments->size() > found->arguments_max) {
      tokens.fail(token.at, fmt::format("'{}' takes {} argument{}, found {}", token.text,
                                        arity(*found), found->arguments_min == 1 ? "" : "s",
                                        arguments->size()));
      return {};
    }
    return call(found->function, {token.at.first, tokens.last_end()},
                std::move(*arguments));
  }

  static std::string arity(const Callable& function) {
    return function.arguments_min == function.arguments_max
               ? fmt::to_string(function.arguments_min)
               : fmt::format("at least {}", function.arguments_min);
  }

  void unknown_function(const LitmusToken& token) {
    if (token.is("read")) {
      tokens.fail(token.at,
                  "a read stands alone on the right of ':=', as in 'a := read(\"x\");'");
      return;
    }
    std::vector<std::string> known;
    for (const Callable& callable : callables)
      known.emplace_back(callable.name);
    const auto near = nearest(token.text, known);
    tokens.fail(token.at, near
                              ? fmt::format("there is no function '{}'; did you mean '{}'?",
                                            token.text, *near)
                              : fmt::format("there is no function '{}'; there are {}",
                                            token.text, fmt::join(known, ", ")));
  }
};

}  // namespace

ExpressionPtr parse_litmus_expression(LitmusTokens& tokens, const LitmusNames& names) {
  return Parser{.tokens = tokens, .names = names}.binary(1).node;
}

bool is_litmus_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 16> keywords = {
      "program", "init", "session", "begin", "commit", "abort", "if",   "else",
      "foreach", "in",   "assert",  "read",  "write",  "null",  "true", "false"};
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

}  // namespace isomer::program
