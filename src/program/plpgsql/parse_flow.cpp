// SPDX-License-Identifier: MIT
// Loops, IF, CASE, EXIT and CONTINUE.
#include "program/plpgsql/parser.h"

namespace isomer::program {

bool PlParser::parse_loop_body(PlStatement& out) {
  if (!tokens_.expect("loop", "to start the loop")) return lose();
  out.body = parse_statements({"end"});
  if (is_lost_) return false;
  if (!tokens_.expect("end", "to close the loop")) return lose();
  if (!tokens_.expect("loop", "after END")) return lose();
  accept_end_label();
  return expect_semicolon("after END LOOP");
}

bool PlParser::parse_loop(PlStatement& out) {
  out.kind = PlStatement::Kind::Loop;
  return parse_loop_body(out);
}

bool PlParser::parse_while(PlStatement& out) {
  out.kind = PlStatement::Kind::While;
  tokens_.next();
  const auto condition = tokens_.until({"loop"}, "the condition of WHILE");
  if (!condition) return lose();
  out.value = *condition;
  return parse_loop_body(out);
}

bool PlParser::parse_for(PlStatement& out) {
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

bool PlParser::parse_foreach(PlStatement& out) {
  out.kind = PlStatement::Kind::ForEach;
  tokens_.next();
  if (!parse_targets(out, "after FOREACH")) return false;
  if (tokens_.is("slice")) return refuse(tokens_.place(), "SLICE");
  if (!tokens_.expect("in", "after the loop variable") ||
      !tokens_.expect("array", "after IN"))
    return false;
  const auto array = tokens_.until({"loop"}, "what the loop goes through");
  if (!array) return lose();
  out.value = *array;
  return parse_loop_body(out);
}

bool PlParser::parse_range(PlStatement& out) {
  out.kind = PlStatement::Kind::ForRange;
  const auto limit = tokens_.until({"loop", "by"}, "the end of the range");
  if (!limit) return false;
  out.limit = *limit;
  if (!tokens_.accept("by")) return true;
  const auto step = tokens_.until({"loop"}, "the step of the range");
  if (step) out.step = *step;
  return step.has_value();
}

bool PlParser::parse_if(PlStatement& out) {
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

bool PlParser::parse_otherwise(PlStatement& out, std::string_view closing) {
  out.has_otherwise = tokens_.accept("else");
  if (out.has_otherwise) out.otherwise = parse_statements({"end"});
  if (is_lost_) return false;
  const bool is_closed =
      tokens_.expect("end", closing == "if" ? "to close IF" : "to close CASE") &&
      tokens_.expect(closing, "after END");
  return is_closed ? expect_semicolon("after END") : lose();
}

bool PlParser::parse_case(PlStatement& out) {
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

bool PlParser::parse_leave(PlStatement& out) {
  out.kind = tokens_.is("exit") ? PlStatement::Kind::Exit : PlStatement::Kind::Continue;
  tokens_.next();
  if (tokens_.is_name() && !tokens_.is("when")) {
    out.label = folded(tokens_.peek());
    tokens_.next();
  }
  if (!tokens_.accept("when")) return expect_semicolon("after EXIT or CONTINUE");
  return parse_value(out.value, "the condition of WHEN");
}

}  // namespace isomer::program
