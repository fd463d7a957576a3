// SPDX-License-Identifier: MIT
// A parser of PL/pgSQL over PostgreSQL's tokens.  Like PostgreSQL's own, it knows no SQL:
// an expression reaches to the keyword that must follow it (THEN, LOOP, ';'), and a
// statement that starts with no keyword of PL/pgSQL is SQL.  libpg_query has a parser of
// its own, but that gives lines, not columns, and cannot read assignments to record fields.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/plpgsql_syntax.h"
#include "program/plpgsql_tokens.h"

namespace isomer::program {
namespace {

constexpr std::size_t depth_max = 100;

struct Refusal {
  std::string_view word;
  std::string_view construct;
};

constexpr std::array refused_statements = {
    Refusal{"execute", "EXECUTE (dynamic SQL)"},
    Refusal{"call", "CALL"},
    Refusal{"get", "GET DIAGNOSTICS"},
    Refusal{"open", "OPEN (cursors)"},
    Refusal{"fetch", "FETCH (cursors)"},
    Refusal{"move", "MOVE (cursors)"},
    Refusal{"close", "CLOSE (cursors)"},
    Refusal{"foreach", "FOREACH"},
    Refusal{"commit", "COMMIT inside a procedure"},
    Refusal{"rollback", "ROLLBACK inside a procedure"},
    Refusal{"merge", "MERGE"},
    Refusal{"with", "WITH"},
    Refusal{"do", "DO"},
};

constexpr std::array<std::string_view, 4> sql_statements = {"select", "insert", "update",
                                                            "delete"};

class Parser {
 public:
  explicit Parser(PlTokens tokens) : tokens_(std::move(tokens)) {}

  PlStatement parse_body() {
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

 private:
  bool refuse(Span at, std::string_view construct) {
    tokens_.reporter.fail(at, fmt::format("{} is not supported", construct));
    return false;
  }

  bool expect_semicolon(std::string_view where) { return tokens_.expect(";", where); }

  // After this mistake it is unclear which END closes what: nothing more is said.
  bool lose() {
    is_lost_ = true;
    while (!tokens_.at_end())
      tokens_.next();
    return false;
  }

  // --- blocks ---

  // Statements up to END, ELSE or the like; after a mistake, from the next one on.
  PlBlock parse_statements(std::initializer_list<std::string_view> enders) {
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

  bool parse_labelled(PlStatement& out) {
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
    if (!out.label.empty())
      return tokens_.fail_expected("a loop or a block", "after the label");
    return parse_statement(out);
  }

  bool parse_block(PlStatement& out) {
    out.kind = PlStatement::Kind::Begin;
    const bool declares = tokens_.accept("declare");
    while (declares && !tokens_.at_end() && !tokens_.is("begin")) {
      if (tokens_.accept("declare")) continue;
      if (!parse_declaration(out)) skip_declaration();
    }
    if (!tokens_.expect("begin", "to start a block")) return lose();
    out.body = parse_statements({"end", "exception"});
    if (is_lost_) return false;
    if (tokens_.is("exception")) {
      refuse(tokens_.place(), "EXCEPTION (catching errors)");
      return lose();
    }
    if (!tokens_.expect("end", "to close the block")) return lose();
    accept_end_label();
    if (depth_ == 0) return true;
    return expect_semicolon("after END");
  }

  void accept_end_label() {
    if (tokens_.is_name() && !tokens_.is(";")) tokens_.next();
  }

  void skip_declaration() {
    while (!tokens_.at_end() && !tokens_.is("begin") && !tokens_.accept(";"))
      tokens_.next();
  }

  bool parse_declaration(PlStatement& out) {
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

  // --- loops ---

  bool parse_loop_body(PlStatement& out) {
    if (!tokens_.expect("loop", "to start the loop")) return lose();
    out.body = parse_statements({"end"});
    if (is_lost_) return false;
    if (!tokens_.expect("end", "to close the loop")) return lose();
    if (!tokens_.expect("loop", "after END")) return lose();
    accept_end_label();
    return expect_semicolon("after END LOOP");
  }

  bool parse_loop(PlStatement& out) {
    out.kind = PlStatement::Kind::Loop;
    return parse_loop_body(out);
  }

  bool parse_while(PlStatement& out) {
    out.kind = PlStatement::Kind::While;
    tokens_.next();
    const auto condition = tokens_.until({"loop"}, "the condition of WHILE");
    if (!condition) return lose();
    out.value = *condition;
    return parse_loop_body(out);
  }

  bool parse_for(PlStatement& out) {
    tokens_.next();
    if (!parse_targets(out, "after FOR")) return false;
    if (!tokens_.expect("in", "after the loop variable")) return false;
    if (tokens_.is("execute")) return refuse(tokens_.place(), "EXECUTE (dynamic SQL)");
    out.is_reverse = tokens_.accept("reverse");
    const auto first = tokens_.until({"loop", ".."}, "what the loop goes through");
    if (!first) return lose();
    out.value = *first;
    out.kind = PlStatement::Kind::ForQuery;
    if (tokens_.accept("..") && !parse_range(out)) return false;
    return parse_loop_body(out);
  }

  bool parse_range(PlStatement& out) {
    out.kind = PlStatement::Kind::ForRange;
    const auto limit = tokens_.until({"loop", "by"}, "the end of the range");
    if (!limit) return false;
    out.limit = *limit;
    if (!tokens_.accept("by")) return true;
    const auto step = tokens_.until({"loop"}, "the step of the range");
    if (step) out.step = *step;
    return step.has_value();
  }

  // --- names ---

  bool parse_name(PlName& out, std::string_view where) {
    out.at = tokens_.place();
    do {
      if (!tokens_.is_name()) return tokens_.fail_expected("a variable", where);
      out.words.push_back(folded(tokens_.peek()));
      out.at.last = tokens_.place().last;
      tokens_.next();
    } while (tokens_.accept("."));
    if (tokens_.is("[")) return refuse(tokens_.place(), "a subscript");
    return true;
  }

  bool parse_targets(PlStatement& out, std::string_view where) {
    do {
      out.targets.emplace_back();
      if (!parse_name(out.targets.back(), where)) return false;
    } while (tokens_.accept(","));
    return true;
  }

  // --- statements ---

  bool parse_statement(PlStatement& out) {
    if (tokens_.is("if")) return parse_if(out);
    if (tokens_.is("case")) return parse_case(out);
    if (tokens_.is("exit") || tokens_.is("continue")) return parse_leave(out);
    if (tokens_.is("return")) return parse_return(out);
    if (tokens_.is("raise")) return parse_raise(out);
    if (tokens_.is("assert")) return parse_assert(out);
    if (tokens_.is("null") && tokens_.is(";", 1)) {
      out.kind = PlStatement::Kind::Null;
      tokens_.next();
      tokens_.next();
      return true;
    }
    if (tokens_.is("perform")) return parse_perform(out);
    if (is_assignment()) return parse_assignment(out);
    for (const Refusal& refusal : refused_statements)
      if (tokens_.is(refusal.word)) return refuse(tokens_.place(), refusal.construct);
    for (const std::string_view word : sql_statements)
      if (tokens_.is(word)) return parse_sql(out);
    return tokens_.fail_expected("a statement", "here");
  }

  [[nodiscard]] bool is_assignment() const {
    std::size_t ahead = 0;
    while (tokens_.is_name(ahead) && tokens_.is(".", ahead + 1))
      ahead += 2;
    return tokens_.is_name(ahead) &&
           (tokens_.is(":=", ahead + 1) || tokens_.is("=", ahead + 1) ||
            tokens_.is("[", ahead + 1));
  }

  bool parse_assignment(PlStatement& out) {
    out.kind = PlStatement::Kind::Assign;
    out.targets.emplace_back();
    if (!parse_name(out.targets.back(), "before :=")) return false;
    tokens_.next();
    return parse_value(out.value, "the value");
  }

  // Up to and with ';'.
  bool parse_value(Span& out, std::string_view what) {
    const auto value = tokens_.until({";"}, what);
    if (!value) return false;
    out = *value;
    tokens_.next();
    return true;
  }

  bool parse_if(PlStatement& out) {
    out.kind = PlStatement::Kind::If;
    do {
      tokens_.next();
      const auto condition = tokens_.until({"then"}, "the condition of IF");
      if (!condition) return lose();
      tokens_.next();
      PlBranch branch{.conditions = {*condition}, .body = {}};
      branch.body = parse_statements({"elsif", "elseif", "else", "end"});
      out.branches.push_back(std::move(branch));
    } while (tokens_.is("elsif") || tokens_.is("elseif"));
    return parse_otherwise(out, "if");
  }

  bool parse_otherwise(PlStatement& out, std::string_view closing) {
    out.has_otherwise = tokens_.accept("else");
    if (out.has_otherwise) out.otherwise = parse_statements({"end"});
    if (is_lost_) return false;
    const bool is_closed =
        tokens_.expect("end", closing == "if" ? "to close IF" : "to close CASE") &&
        tokens_.expect(closing, "after END");
    return is_closed ? expect_semicolon("after END") : lose();
  }

  bool parse_case(PlStatement& out) {
    out.kind = PlStatement::Kind::Case;
    tokens_.next();
    if (!tokens_.is("when")) {
      const auto operand = tokens_.until({"when"}, "the operand of CASE");
      if (!operand) return false;
      out.value = *operand;
    }
    while (tokens_.accept("when")) {
      PlBranch branch;
      while (true) {
        // Without an operand a comma cannot separate conditions.
        const auto condition = is_empty(out.value)
                                   ? tokens_.until({"then"}, "the condition of WHEN")
                                   : tokens_.until({"then", ","}, "the value of WHEN");
        if (!condition) return lose();
        branch.conditions.push_back(*condition);
        if (!tokens_.accept(",")) break;
      }
      tokens_.next();
      branch.body = parse_statements({"when", "else", "end"});
      out.branches.push_back(std::move(branch));
    }
    return parse_otherwise(out, "case");
  }

  bool parse_leave(PlStatement& out) {
    out.kind = tokens_.is("exit") ? PlStatement::Kind::Exit : PlStatement::Kind::Continue;
    tokens_.next();
    if (tokens_.is_name() && !tokens_.is("when")) {
      out.label = folded(tokens_.peek());
      tokens_.next();
    }
    if (!tokens_.accept("when")) return expect_semicolon("after EXIT or CONTINUE");
    return parse_value(out.value, "the condition of WHEN");
  }

  bool parse_return(PlStatement& out) {
    out.kind = PlStatement::Kind::Return;
    tokens_.next();
    if (tokens_.is("query") || tokens_.is("next"))
      return refuse(tokens_.place(), tokens_.is("query") ? "RETURN QUERY" : "RETURN NEXT");
    if (tokens_.accept(";")) return true;
    return parse_value(out.value, "the value of RETURN");
  }

  bool parse_perform(PlStatement& out) {
    out.kind = PlStatement::Kind::Perform;
    tokens_.next();
    return parse_value(out.value, "the query of PERFORM");
  }

  bool parse_assert(PlStatement& out) {
    out.kind = PlStatement::Kind::Assert;
    tokens_.next();
    const auto condition = tokens_.until({";", ","}, "the condition of ASSERT");
    if (!condition) return false;
    out.value = *condition;
    if (tokens_.accept(",")) {
      const auto message = tokens_.until({";"}, "the message of ASSERT");
      if (!message) return false;
      out.values.push_back(*message);
    }
    tokens_.next();
    return true;
  }

  bool parse_raise(PlStatement& out);
  bool parse_raise_option(PlStatement& out);
  bool parse_sql(PlStatement& out);

  PlTokens tokens_;
  std::size_t depth_ = 0;
  bool is_lost_ = false;
};

// RAISE [level] 'format' [, value ..] [USING option = value, ..]; or a bare SQLSTATE or
// condition name.
bool Parser::parse_raise(PlStatement& out) {
  constexpr std::array<std::string_view, 5> quiet = {"debug", "log", "info", "notice",
                                                     "warning"};
  tokens_.next();
  const bool is_quiet = std::any_of(
      quiet.begin(), quiet.end(), [&](std::string_view word) { return tokens_.is(word); });
  out.kind = is_quiet ? PlStatement::Kind::Notice : PlStatement::Kind::Raise;
  out.sqlstate = "P0001";
  if (is_quiet || tokens_.is("exception")) tokens_.next();
  if (tokens_.is(";") && !is_quiet) return refuse(out.at, "RAISE without a message");
  if (tokens_.kind() == SqlToken::Kind::String) {
    const auto format = string_constant(tokens_.peek());
    if (!format) return refuse(tokens_.place(), "this kind of string");
    out.text = *format;
    tokens_.next();
  } else if (tokens_.accept("sqlstate")) {
    out.sqlstate = string_constant(tokens_.peek()).value_or("");
    out.text = out.sqlstate;
    tokens_.next();
  } else if (tokens_.is_name() && !tokens_.is("using")) {
    out.text = folded(tokens_.peek());
    tokens_.next();
  }
  while (tokens_.accept(",")) {
    const auto value = tokens_.until({",", ";", "using"}, "a value of RAISE");
    if (!value) return false;
    out.values.push_back(*value);
  }
  if (tokens_.accept("using")) {
    do {
      if (!parse_raise_option(out)) return false;
    } while (tokens_.accept(","));
  }
  return expect_semicolon("after RAISE");
}

bool Parser::parse_raise_option(PlStatement& out) {
  const std::string option = folded(tokens_.peek());
  const Span at = tokens_.place();
  tokens_.next();
  if (!tokens_.accept("=") && !tokens_.expect(":=", "after the option of RAISE"))
    return false;
  const std::size_t start = tokens_.position();
  const auto value = tokens_.until({",", ";"}, "the option of RAISE");
  if (!value) return false;
  if (option == "errcode") {
    const std::size_t end = tokens_.position();
    tokens_.go_to(start);
    const auto code = tokens_.kind() == SqlToken::Kind::String
                          ? string_constant(tokens_.peek())
                          : std::nullopt;
    if (!code || end != start + 1) return refuse(at, "an ERRCODE that is not a constant");
    out.sqlstate = *code;
    tokens_.go_to(end);
    return true;
  }
  if (option == "message") {
    out.text = std::string("%");
    out.values = {*value};
    return true;
  }
  constexpr std::array<std::string_view, 7> harmless = {
      "detail", "hint", "column", "constraint", "datatype", "table", "schema"};
  if (std::find(harmless.begin(), harmless.end(), option) != harmless.end()) return true;
  return refuse(at, fmt::format("option {} of RAISE", option));
}

// SQL up to ';', with the first INTO that is not INSERT INTO taken out of it.
bool Parser::parse_sql(PlStatement& out) {
  out.kind = PlStatement::Kind::Sql;
  const Span first = tokens_.place();
  bool was_insert = false;
  for (; !tokens_.at_end() && !tokens_.is(";"); tokens_.next()) {
    if (tokens_.is("into") && !was_insert) {
      if (!is_empty(out.into)) {
        tokens_.reporter.fail(tokens_.place(), "INTO is given twice");
        return false;
      }
      out.into = tokens_.place();
      tokens_.next();
      out.is_strict = tokens_.accept("strict");
      if (!parse_targets(out, "after INTO")) return false;
      out.into.last = tokens_.last_place().last;
      if (tokens_.is(";")) break;
    }
    was_insert = tokens_.is("insert");
  }
  out.value = {.first = first.first, .last = tokens_.last_place().last};
  return expect_semicolon("after the SQL statement");
}

}  // namespace

PlStatement parse_plpgsql(std::string_view source, Span body, Reporter& reporter) {
  const std::size_t errors_before = reporter.count();
  PlTokens tokens(source, body, reporter);
  if (reporter.count() != errors_before) return {};
  return Parser(std::move(tokens)).parse_body();
}

std::optional<std::string> string_constant(std::string_view quoted) {
  if (quoted.size() >= 2 && quoted.front() == '$') {
    const std::size_t tag = quoted.find('$', 1) + 1;
    return std::string(quoted.substr(tag, quoted.size() - 2 * tag));
  }
  if (quoted.size() < 2 || quoted.front() != '\'') return std::nullopt;
  std::string out;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    out += quoted[i];
    if (quoted[i] == '\'') ++i;
  }
  return out;
}

}  // namespace isomer::program
