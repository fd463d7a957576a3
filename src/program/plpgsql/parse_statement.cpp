// SPDX-License-Identifier: MIT
// Statements by their first word: assignments, RETURN, PERFORM, ASSERT, SQL; and what is
// refused.
#include <array>

#include <fmt/format.h>

#include "program/plpgsql/parser.h"

namespace isomer::program {

namespace {

struct Refusal {
  std::string_view word;
  std::string_view construct;
};

constexpr std::array refused_statements = {
    Refusal{"execute", "EXECUTE (dynamic SQL)"},
    Refusal{"open", "OPEN (cursors)"},
    Refusal{"fetch", "FETCH (cursors)"},
    Refusal{"move", "MOVE (cursors)"},
    Refusal{"close", "CLOSE (cursors)"},
    Refusal{"commit", "COMMIT inside a procedure"},
    Refusal{"rollback", "ROLLBACK inside a procedure"},
    Refusal{"savepoint", "SAVEPOINT inside a procedure (a block with EXCEPTION is one)"},
    Refusal{"release", "RELEASE inside a procedure"},
    Refusal{"do", "DO"},
};

constexpr std::array<std::string_view, 7> sql_statements = {
    "select", "insert", "update", "delete", "lock", "merge", "with"};

}  // namespace

bool PlParser::parse_name(PlName& out, std::string_view where) {
  out.at = tokens_.place();
  do {
    if (!tokens_.is_name()) return tokens_.fail_expected("a variable", where);
    out.words.push_back(folded(tokens_.peek()));
    out.at.last = tokens_.place().last;
    tokens_.next();
  } while (tokens_.accept("."));
  if (tokens_.is("["))
    return refuse(tokens_.place(), "assignment to an element of an array");
  return true;
}

bool PlParser::parse_targets(PlStatement& out, std::string_view where) {
  do {
    out.targets.emplace_back();
    if (!parse_name(out.targets.back(), where)) return false;
  } while (tokens_.accept(","));
  return true;
}

bool PlParser::parse_statement(PlStatement& out) {
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
  if (tokens_.is("call") && tokens_.is_name(1)) return parse_call(out);
  if (tokens_.is("get") && (tokens_.is("diagnostics", 1) || tokens_.is_name(1)) &&
      !is_assignment())
    return parse_diagnostics(out);
  if (is_assignment()) return parse_assignment(out);
  for (const Refusal& refusal : refused_statements)
    if (tokens_.is(refusal.word)) return refuse(tokens_.place(), refusal.construct);
  for (const std::string_view word : sql_statements)
    if (tokens_.is(word)) return parse_sql(out);
  if (tokens_.is("set") && tokens_.is("constraints", 1)) return parse_sql(out);
  return tokens_.fail_expected("a statement", "here");
}

bool PlParser::is_assignment() const {
  std::size_t ahead = 0;
  while (tokens_.is_name(ahead) && tokens_.is(".", ahead + 1))
    ahead += 2;
  return tokens_.is_name(ahead) &&
         (tokens_.is(":=", ahead + 1) || tokens_.is("=", ahead + 1) ||
          tokens_.is("[", ahead + 1));
}

bool PlParser::parse_assignment(PlStatement& out) {
  out.kind = PlStatement::Kind::Assign;
  out.targets.emplace_back();
  if (!parse_name(out.targets.back(), "before :=")) return false;
  tokens_.next();
  return parse_value(out.value, "the value");
}

bool PlParser::parse_value(Span& out, std::string_view what) {
  const auto value = tokens_.until({";"}, what);
  if (!value) return false;
  out = *value;
  tokens_.next();
  return true;
}

bool PlParser::parse_return(PlStatement& out) {
  out.kind = PlStatement::Kind::Return;
  tokens_.next();
  if (tokens_.is("query") || tokens_.is("next"))
    return refuse(tokens_.place(), tokens_.is("query") ? "RETURN QUERY" : "RETURN NEXT");
  if (tokens_.accept(";")) return true;
  return parse_value(out.value, "the value of RETURN");
}

bool PlParser::parse_perform(PlStatement& out) {
  out.kind = PlStatement::Kind::Perform;
  tokens_.next();
  return parse_value(out.value, "the query of PERFORM");
}

bool PlParser::parse_call(PlStatement& out) {
  out.kind = PlStatement::Kind::Call;
  tokens_.next();
  return parse_value(out.value, "the call");
}

// Only right behind the statement that it asks about: later it is too easily another's.
bool PlParser::parse_diagnostics(PlStatement& out) {
  out.kind = PlStatement::Kind::RowCount;
  tokens_.next();
  if (tokens_.is("stacked")) return refuse(tokens_.place(), "GET STACKED DIAGNOSTICS");
  tokens_.accept("current");
  if (!tokens_.expect("diagnostics", "after GET")) return false;
  if (!is_behind_sql_)
    return refuse(out.at, "GET DIAGNOSTICS anywhere but right behind a SQL statement");
  out.targets.emplace_back();
  if (!parse_name(out.targets.back(), "after GET DIAGNOSTICS")) return false;
  if (!tokens_.accept("=") && !tokens_.expect(":=", "after the variable")) return false;
  if (!tokens_.is("row_count"))
    return refuse(tokens_.place(),
                  fmt::format("{} of GET DIAGNOSTICS", folded(tokens_.peek())));
  tokens_.next();
  if (tokens_.is(",")) return refuse(tokens_.place(), "GET DIAGNOSTICS of several items");
  return expect_semicolon("after GET DIAGNOSTICS");
}

bool PlParser::parse_assert(PlStatement& out) {
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

// SQL up to ';', with the first INTO that is not INSERT INTO or MERGE INTO taken out of it.
bool PlParser::parse_sql(PlStatement& out) {
  out.kind = PlStatement::Kind::Sql;
  const Span first = tokens_.place();
  bool was_change = false;
  for (; !tokens_.at_end() && !tokens_.is(";"); tokens_.next()) {
    if (tokens_.is("into") && !was_change) {
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
    was_change = tokens_.is("insert") || tokens_.is("merge");
  }
  out.value = {.first = first.first, .last = tokens_.last_place().last};
  return expect_semicolon("after the SQL statement");
}

}  // namespace isomer::program
