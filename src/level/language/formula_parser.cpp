// SPDX-License-Identifier: MIT
// Formulas, by precedence climbing.  From tightest to loosest: the postfix signs
// ^-1 + * ?, then ; * & \ | and then in = !=, not, and, or, implies, iff.  The words
// empty, acyclic, ... take everything up to the next word.
//
// Two signs are settled by what stands around them.  A '[' is an index only directly behind
// a name.  A '*' is the product of two sets if an operand follows, else the closure; if the
// operand is on the next line, it is the beginning of the next formula, unless a space
// before the star says otherwise.
#include "level/language/formula_parser.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "level/language/vocabulary.h"

namespace isomer::level {
namespace {

constexpr std::uint32_t nesting_max = 150;
constexpr std::uint32_t depth_max = 500;

struct Infix {
  std::string_view sign;
  NodeKind kind;
  int strength;
};

constexpr int strength_not = 5;
constexpr int strength_compare = 6;
constexpr int strength_union = 7;

constexpr std::array<Infix, 12> infix_signs = {{
    {"iff", NodeKind::Iff, 1},
    {"implies", NodeKind::Implies, 2},
    {"or", NodeKind::Or, 3},
    {"and", NodeKind::And, 4},
    {"in", NodeKind::In, strength_compare},
    {"=", NodeKind::Equal, strength_compare},
    {"!=", NodeKind::Unequal, strength_compare},
    {"|", NodeKind::Union, strength_union},
    {"\\", NodeKind::Difference, 8},
    {"&", NodeKind::Intersection, 9},
    {"*", NodeKind::Product, 10},
    {";", NodeKind::Compose, 11},
}};

struct Prefix {
  std::string_view word;
  NodeKind kind;
  bool takes_on;
};

constexpr std::array<Prefix, 6> prefix_words = {{
    {"empty", NodeKind::Empty, false},
    {"acyclic", NodeKind::Acyclic, false},
    {"irreflexive", NodeKind::Irreflexive, false},
    {"transitive", NodeKind::Transitive, false},
    {"total", NodeKind::Total, true},
    {"total_order", NodeKind::TotalOrder, true},
}};

using Parsed = std::optional<NodeId>;

class FormulaParser {
 public:
  explicit FormulaParser(TokenReader& reader) : reader_(reader) {}

  Parsed parse() { return climb(0); }

 private:
  Parsed climb(int strength_min) {
    if (nesting_ >= nesting_max) return too_deep(reader_.peek());
    ++nesting_;
    Parsed out = operand();
    while (out) {
      const Infix* infix = next_infix();
      if (infix == nullptr || infix->strength < strength_min) break;
      out = infix_with(*out, *infix);
    }
    --nesting_;
    return out;
  }

  [[nodiscard]] const Infix* next_infix() const {
    for (const Infix& infix : infix_signs)
      if (reader_.peek().is(infix.sign)) return &infix;
    return nullptr;
  }

  Parsed infix_with(NodeId left, const Infix& infix) {
    const Token sign = reader_.next();
    const bool joins_right = infix.kind == NodeKind::Implies;
    const Parsed right = climb(joins_right ? infix.strength : infix.strength + 1);
    if (!right) return std::nullopt;
    if (infix.strength == strength_compare)
      if (const Infix* again = next_infix();
          again != nullptr && again->strength == strength_compare) {
        reader_.fail_at(reader_.peek(),
                        fmt::format("'{}' cannot follow '{}': join two formulas by 'and'",
                                    again->sign, infix.sign));
        return std::nullopt;
      }
    return node(infix.kind, sign, {left, *right});
  }

  Parsed operand() {
    const Token& token = reader_.peek();
    if (token.is("not")) return negation();
    if (token.is("forall") || token.is("exists")) return quantifier();
    for (const Prefix& prefix : prefix_words)
      if (token.is(prefix.word)) return prefixed(prefix);
    Parsed out = primary();
    while (out) {
      const Parsed more = postfix(*out);
      if (!more) break;
      out = more;
    }
    if (out && reader_.depth_of(*out) > depth_max) return too_deep(reader_.peek());
    return out;
  }

  Parsed negation() {
    const Token word = reader_.next();
    const Parsed inner = climb(strength_not);
    return inner ? node(NodeKind::Not, word, {*inner}) : std::nullopt;
  }

  Parsed prefixed(const Prefix& prefix) {
    const Token word = reader_.next();
    const Parsed inner = climb(strength_union);
    if (!inner) return std::nullopt;
    std::vector<NodeId> children{*inner};
    if (prefix.takes_on && reader_.accept("on")) {
      const Parsed on = climb(strength_union);
      if (!on) return std::nullopt;
      children.push_back(*on);
    }
    return node(prefix.kind, word, std::move(children));
  }

  Parsed quantifier() {
    const Token word = reader_.next();
    auto variables = parse_variables(reader_, Sorts::Needed);
    if (!variables) return std::nullopt;
    const Token open = reader_.peek();
    if (!reader_.expect("{", "before the quantified formula")) return std::nullopt;
    const Parsed body = conjunction(open);
    if (!body) return std::nullopt;
    const Parsed out =
        node(word.is("forall") ? NodeKind::Forall : NodeKind::Exists, word, {*body});
    if (out) reader_.node(*out).variables = std::move(*variables);
    return out;
  }

  // The formulas of a block up to its '}'.
  Parsed conjunction(const Token& open) {
    Parsed all;
    do {
      const Token first = reader_.peek();
      const Parsed formula = climb(0);
      if (!formula) return std::nullopt;
      all = all ? node(NodeKind::And, first, {*all, *formula}) : formula;
      if (!all) return std::nullopt;
      if (reader_.peek().kind == TokenKind::End) {
        reader_.fail_at(open, "this '{' is not closed");
        return std::nullopt;
      }
      if (!ends_formula(reader_)) return std::nullopt;
    } while (!reader_.accept("}"));
    return all;
  }

  // Absent without a complaint if there is no further sign.
  Parsed postfix(NodeId inner) {
    const Token& token = reader_.peek();
    NodeKind kind = NodeKind::Inverse;
    if (token.is("+"))
      kind = NodeKind::Plus;
    else if (token.is("?"))
      kind = NodeKind::Optional;
    else if (token.is("*") && !is_product())
      kind = NodeKind::Star;
    else if (!token.is("^-1"))
      return std::nullopt;
    const Token sign = reader_.next();
    return reader_.add({.kind = kind,
                        .place = reader_.place_of(sign),
                        .text = sign.text,
                        .second_text = {},
                        .depth = 1,
                        .children = {inner},
                        .variables = {}});
  }

  [[nodiscard]] bool is_product() const {
    const Token& star = reader_.peek();
    const Token& after = reader_.peek(1);
    const bool begins_operand =
        after.kind == TokenKind::Number || after.is("(") || after.is("[") ||
        (after.kind == TokenKind::Word && (!is_keyword(after.text) || after.is("type")));
    return begins_operand && (star.follows_space || !after.begins_line);
  }

  Parsed primary() {
    const Token token = reader_.peek();
    if (token.kind == TokenKind::Number) return leaf(NodeKind::Zero);
    if (token.is("true")) return leaf(NodeKind::True);
    if (token.is("false")) return leaf(NodeKind::False);
    if (token.is("(")) return parenthesis();
    if (token.is("[")) return bracket();
    if (token.is("type")) return type_name();
    if (token.is("writes") || token.is("reads")) return call();
    if (token.kind == TokenKind::Word && !is_keyword(token.text)) return name();
    reader_.fail_expected("a formula or a relation");
    return std::nullopt;
  }

  Parsed leaf(NodeKind kind) { return node(kind, reader_.next(), {}); }

  Parsed parenthesis() {
    const Token open = reader_.next();
    auto inside = list(")", "after what stands in parentheses");
    if (!inside) return std::nullopt;
    if (inside->size() == 1) return inside->front();
    if (inside->size() == 2) return node(NodeKind::Pair, open, std::move(*inside));
    reader_.fail_at(open, fmt::format("a pair has two parts, this has {}", inside->size()));
    return std::nullopt;
  }

  Parsed bracket() {
    const Token open = reader_.next();
    const Parsed inside = climb(0);
    if (!inside || !reader_.expect("]", "after the set in brackets")) return std::nullopt;
    return node(NodeKind::Bracket, open, {*inside});
  }

  Parsed type_name() {
    const Token word = reader_.next();
    const Token name = reader_.peek();
    if (name.kind != TokenKind::String) {
      reader_.fail_expected("a transaction type in quotes after 'type'");
      return std::nullopt;
    }
    reader_.next();
    const Parsed out = node(NodeKind::Type, word, {});
    reader_.node(*out).text = name.text;
    return out;
  }

  Parsed call() {
    const Token word = reader_.next();
    if (!reader_.expect("(", fmt::format("after '{}'", word.text))) return std::nullopt;
    auto arguments = list(")", "after the arguments");
    if (!arguments) return std::nullopt;
    if (arguments->size() == 3) return node(NodeKind::Call, word, std::move(*arguments));
    reader_.fail_at(word, fmt::format("'{}' takes a transaction, a key and a value, not {} "
                                      "arguments",
                                      word.text, arguments->size()));
    return std::nullopt;
  }

  Parsed name() {
    const Token word = reader_.next();
    if (reader_.peek().is(":")) return level_name(word);
    std::vector<NodeId> indices;
    if (reader_.peek().is("[") && !reader_.peek().follows_space) {
      reader_.next();
      auto inside = list("]", fmt::format("after the indices of '{}'", word.text));
      if (!inside) return std::nullopt;
      indices = std::move(*inside);
    }
    return node(NodeKind::Name, word, std::move(indices));
  }

  Parsed level_name(const Token& framework) {
    reader_.next();
    const std::optional<std::string_view> level = parse_level_name(reader_);
    if (!level) return std::nullopt;
    const Parsed out = node(NodeKind::LevelName, framework, {});
    reader_.node(*out).second_text = *level;
    return out;
  }

  std::optional<std::vector<NodeId>> list(std::string_view close, std::string_view where) {
    std::vector<NodeId> out;
    do {
      const Parsed item = climb(0);
      if (!item) return std::nullopt;
      out.push_back(*item);
    } while (reader_.accept(","));
    if (!reader_.expect(close, where)) return std::nullopt;
    return out;
  }

  Parsed node(NodeKind kind, const Token& token, std::vector<NodeId> children) {
    const NodeId out = reader_.add({.kind = kind,
                                    .place = reader_.place_of(token),
                                    .text = token.text,
                                    .second_text = {},
                                    .depth = 1,
                                    .children = std::move(children),
                                    .variables = {}});
    if (reader_.depth_of(out) > depth_max) return too_deep(token);
    return out;
  }

  Parsed too_deep(const Token& token) {
    reader_.fail_at(token, "this is nested too deeply; name its parts with 'let'");
    return std::nullopt;
  }

  TokenReader& reader_;
  std::uint32_t nesting_ = 0;
};

// A keyword that the word is near to, if the word is long enough to tell.
std::optional<std::string> misspelt_keyword(const Token& word) {
  if (word.kind != TokenKind::Word || word.text.size() < 3 || is_keyword(word.text))
    return std::nullopt;
  return nearest(word.text, keywords());
}

}  // namespace

std::optional<NodeId> parse_formula(TokenReader& reader) {
  return FormulaParser(reader).parse();
}

bool ends_formula(TokenReader& reader) {
  const Token& token = reader.peek();
  if (token.is("}") || token.begins_line) return true;
  for (const Token& word : {reader.last(), token})
    if (const auto meant = misspelt_keyword(word))
      return reader.fail_at(
          word, fmt::format("unknown word '{}'; did you mean '{}'?", word.text, *meant));
  return reader.fail_expected("'and', a new line or '}' after the formula");
}

std::optional<std::string_view> parse_level_name(TokenReader& reader) {
  const std::optional<Token> word = reader.expect_name("the name of a level");
  if (!word) return std::nullopt;
  std::uint32_t end = word->end;
  if (reader.peek().is("+") && !reader.peek().follows_space) end = reader.next().end;
  return reader.text().substr(word->offset, end - word->offset);
}

std::optional<std::vector<Variable>> parse_variables(TokenReader& reader, Sorts sorts) {
  std::vector<Variable> out;
  std::size_t without_sort = 0;
  do {
    const std::optional<Token> name = reader.expect_name("the name of a variable");
    if (!name) return std::nullopt;
    out.push_back({.name = name->text,
                   .sort = {},
                   .place = reader.place_of(*name),
                   .sort_place = {}});
    if (!reader.accept(":")) continue;
    const std::optional<Token> sort = reader.expect_name("a sort");
    if (!sort) return std::nullopt;
    for (; without_sort < out.size(); ++without_sort) {
      out[without_sort].sort = sort->text;
      out[without_sort].sort_place = reader.place_of(*sort);
    }
  } while (reader.accept(","));
  if (sorts == Sorts::Needed && without_sort < out.size()) {
    reader.fail_expected(
        fmt::format("':' and a sort after the variable '{}'", out.back().name));
    return std::nullopt;
  }
  return out;
}

}  // namespace isomer::level
