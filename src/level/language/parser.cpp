// SPDX-License-Identifier: MIT
// Definitions: include, let, framework and level, and the statements of their blocks.
//
// After a mistake the parser goes on at the next statement: the next line of the block that
// begins outside all braces opened since, its '}', or the next definition.
#include "level/language/parser.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "level/language/formula_parser.h"
#include "level/language/token_reader.h"
#include "level/language/vocabulary.h"

namespace isomer::level {
namespace {

class DefinitionParser {
 public:
  DefinitionParser(Program& program, std::uint32_t source, Diagnostics& errors)
      : program_(program), errors_(errors), reader_(program, source, errors) {}

  std::vector<Include> parse() {
    while (reader_.peek().kind != TokenKind::End && errors_.size() < errors_max) {
      const std::size_t start = reader_.position();
      if (!definition()) recover_outside(start);
    }
    return std::move(includes_);
  }

 private:
  bool definition() {
    const Token& token = reader_.peek();
    if (token.is("include")) return include();
    if (token.is("framework")) return framework();
    if (token.is("level")) return level();
    if (token.is("let")) return let(program_.lets);
    return fail_unknown_definition(token);
  }

  bool fail_unknown_definition(const Token& token) {
    static const std::vector<std::string> known = {"framework", "level", "let", "include"};
    const auto meant =
        token.kind == TokenKind::Word ? nearest(token.text, known) : std::nullopt;
    if (meant)
      return reader_.fail_at(
          token,
          fmt::format("unknown definition '{}'; did you mean '{}'?", token.text, *meant));
    if (token.is("axiom") || token.is("witness"))
      return reader_.fail_at(token, fmt::format("'{}' stands in a framework{}", token.text,
                                                token.is("axiom") ? " or a level" : ""));
    return reader_.fail_expected("'framework', 'level', 'let' or 'include'");
  }

  bool include() {
    reader_.next();
    const Token path = reader_.peek();
    if (path.kind != TokenKind::String)
      return reader_.fail_expected("the name of a file in quotes after 'include'");
    reader_.next();
    includes_.push_back({std::string(path.text), reader_.place_of(path)});
    return true;
  }

  bool framework() {
    Block block;
    const Token start = reader_.next();
    const std::optional<Token> name = reader_.expect_name("the name of the framework");
    if (!name) return false;
    block.name = name->text;
    block.place = reader_.place_of(*name);
    if (!title(block) || !body(block, Where::Framework)) return false;
    block.extent = extent_from(start);
    program_.frameworks.push_back(std::move(block));
    return true;
  }

  bool level() {
    Block block;
    const Token start = reader_.next();
    block.place = reader_.place_of(reader_.peek());
    const std::optional<std::string_view> name = parse_level_name(reader_);
    if (!name) return false;
    block.name = *name;
    if (!title(block)) return false;
    if (!reader_.expect(":", "and a framework after the name of the level")) return false;
    const std::optional<Token> of = reader_.expect_name("the name of a framework");
    if (!of) return false;
    block.framework = of->text;
    block.framework_place = reader_.place_of(*of);
    if (!body(block, Where::Level)) return false;
    block.extent = extent_from(start);
    program_.levels.push_back(std::move(block));
    return true;
  }

  bool title(Block& block) {
    if (reader_.peek().kind == TokenKind::String)
      block.title = std::string(reader_.next().text);
    return reader_.peek().kind != TokenKind::Bad || reader_.fail_at(reader_.peek(), "");
  }

  enum class Where { Framework, Level };

  // Complains of statements one by one; false only if the block has no end.
  bool body(Block& block, Where where) {
    const Token open = reader_.peek();
    const std::size_t errors_before = errors_.size();
    if (!reader_.expect("{", "before the axioms")) return false;
    while (!reader_.accept("}")) {
      if (begins_definition(reader_.peek())) {
        reader_.fail_at(open, "this '{' is not closed");
        reader_.add_note(reader_.place_of(reader_.peek()), "before this");
        return true;
      }
      if (reader_.peek().kind == TokenKind::End)
        return errors_.size() == errors_before &&
               reader_.fail_at(open, "this '{' is not closed");
      const std::size_t start = reader_.position();
      if (!statement(block, where)) recover_inside(start);
      if (errors_.size() >= errors_max) return false;
    }
    return true;
  }

  bool statement(Block& block, Where where) {
    const Token& token = reader_.peek();
    if (token.is("let")) return let(block.lets) && ends_formula(reader_);
    if (token.is("witness") && where == Where::Framework) return witness(block);
    if (token.is("witness"))
      return reader_.fail_at(token, "a level has no witness of its own: its framework has");
    Statement out;
    if (reader_.accept("axiom")) {
      const std::optional<Token> name = reader_.expect_name("the name of the axiom");
      if (!name || !reader_.expect(":", "after the name of the axiom")) return false;
      out.name = name->text;
    }
    const std::optional<NodeId> formula = parse_formula(reader_);
    if (!formula || !ends_formula(reader_)) return false;
    out.formula = *formula;
    block.statements.push_back(out);
    return true;
  }

  // witness vis, ar : Txn * Txn      witness vo[x: Key] : Txn * Txn
  bool witness(Block& block) {
    reader_.next();
    const std::size_t first = block.witnesses.size();
    do {
      const std::optional<Token> name = reader_.expect_name("the name of a witness");
      if (!name) return false;
      WitnessSyntax out;
      out.name = name->text;
      out.place = reader_.place_of(*name);
      if (reader_.accept("[")) {
        auto keys = parse_variables(reader_, Sorts::Needed);
        if (!keys || !reader_.expect("]", "after the key of the witness")) return false;
        out.keys = std::move(*keys);
      }
      block.witnesses.push_back(out);
    } while (reader_.accept(","));
    if (!reader_.expect(":", "and 'Txn * Txn' after the witness")) return false;
    const std::optional<Token> from = reader_.expect_name("a sort");
    if (!from || !reader_.expect("*", "between the sorts of the witness")) return false;
    const std::optional<Token> to = reader_.expect_name("a sort");
    if (!to) return false;
    for (std::size_t i = first; i < block.witnesses.size(); ++i) {
      WitnessSyntax& out = block.witnesses[i];
      out.first_sort = from->text;
      out.second_sort = to->text;
      out.first_place = reader_.place_of(*from);
      out.second_place = reader_.place_of(*to);
    }
    return ends_formula(reader_);
  }

  bool let(std::vector<Let>& lets) {
    const Token start = reader_.next();
    const std::optional<Token> name = reader_.expect_name("a name after 'let'");
    if (!name) return false;
    Let out;
    out.name = name->text;
    out.place = reader_.place_of(*name);
    if (reader_.accept("[")) {
      auto parameters = parse_variables(reader_, Sorts::Optional);
      if (!parameters || !reader_.expect("]", "after the parameters")) return false;
      out.parameters = std::move(*parameters);
    }
    if (!reader_.expect("=", fmt::format("after 'let {}'", out.name))) return false;
    const std::optional<NodeId> body = parse_formula(reader_);
    if (!body) return false;
    out.body = *body;
    out.extent = extent_from(start);
    lets.push_back(std::move(out));
    return true;
  }

  // From the comment directly above the token to the end of the token read last.
  [[nodiscard]] Extent extent_from(const Token& start) const {
    const std::string_view text = reader_.text();
    std::size_t begin = start.offset;
    if (start.begins_line)
      for (std::size_t line = begin_of_line(text, begin); line > 0;) {
        const std::size_t end = line - 1;
        line = begin_of_line(text, end);
        const std::size_t word = std::min(text.find_first_not_of(" \t", line), end);
        if (text.substr(word, 2) != "//") break;
        begin = word;
      }
    return {reader_.source(), static_cast<std::uint32_t>(begin), reader_.last().end};
  }

  static std::size_t begin_of_line(std::string_view text, std::size_t offset) {
    const std::size_t newline =
        offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    return newline == std::string_view::npos ? 0 : newline + 1;
  }

  static bool begins_definition(const Token& token) {
    return token.begins_line &&
           (token.is("level") || token.is("framework") || token.is("include"));
  }

  void recover_outside(std::size_t start) {
    reader_.go_to(std::max(reader_.position(), start + 1));
    while (reader_.peek().kind != TokenKind::End && !begins_definition(reader_.peek()) &&
           !(reader_.peek().begins_line && reader_.peek().is("let")))
      reader_.next();
  }

  // Counts braces alone: a parenthesis may be what is missing.
  void recover_inside(std::size_t start) {
    const std::size_t failed = reader_.position();
    reader_.go_to(start);
    std::size_t depth = 0;
    for (; reader_.peek().kind != TokenKind::End; reader_.next()) {
      const Token& token = reader_.peek();
      const bool beyond = reader_.position() > start && reader_.position() >= failed;
      const bool begins_statement = token.begins_line && (token.kind == TokenKind::Word ||
                                                          token.is("(") || token.is("["));
      if (begins_definition(token)) return;
      if (beyond && depth == 0 && (token.is("}") || begins_statement)) return;
      if (token.is("{")) ++depth;
      if (token.is("}") && depth > 0) --depth;
    }
  }

  Program& program_;
  Diagnostics& errors_;
  TokenReader reader_;
  std::vector<Include> includes_;
};

}  // namespace

std::vector<Include> parse_source(Program& program, std::uint32_t source,
                                  Diagnostics& errors) {
  return DefinitionParser(program, source, errors).parse();
}

}  // namespace isomer::level
