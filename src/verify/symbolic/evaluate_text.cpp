// SPDX-License-Identifier: MIT
// Functions of text.  All that terms know of texts is their order, so a function of one is
// any function, the same for the same arguments; what makes it fail is said where it is a
// matter of numbers or of a known pattern.
#include <algorithm>

#include <fmt/format.h>

#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

using Kind = Approximation::Kind;

std::string shown_name(Function function) {
  if (function == Function::Concat) return "||";
  if (function == Function::Like) return "LIKE";
  return fmt::format("{}()", program::name(function));
}

Cell any_result_of(const Expression& call, std::span<const Cell> arguments, Term runs,
                   Evaluation& evaluation) {
  approximate(Kind::Uninterpreted, runs, shown_name(call.function), call.at, evaluation);
  const std::string name =
      fmt::format("{}/{}", program::name(call.function), arguments.size());
  return value_cell(evaluation.terms, call.type,
                    any_function(name, arguments, sort_of(call.type), evaluation));
}

// x || '' is x.
Cell joined(const Expression& call, std::span<const Cell> arguments, Term runs,
            Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  std::vector<Cell> parts;
  for (const Cell& argument : arguments) {
    const Cell part =
        converted(argument, call.type, Conversion::Cast, runs, call.at, evaluation);
    if (part.data != terms.text("")) parts.push_back(part);
  }
  if (parts.empty()) return value_cell(terms, call.type, terms.text(""));
  if (parts.size() == 1) return value_cell(terms, call.type, parts[0].data);
  return any_result_of(call, parts, runs, evaluation);
}

bool ends_in_escape(std::string_view pattern) {
  const std::size_t last = pattern.find_last_not_of('\\');
  const std::size_t escapes =
      pattern.size() - (last == std::string_view::npos ? 0 : last + 1);
  return escapes % 2 == 1;
}

// A pattern that ends in an escape is a fault if the match comes to its end.
void check_pattern(const Expression& call, std::span<const Cell> arguments, Term runs,
                   Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const auto pattern = known_value(terms, arguments[1]);
  if (pattern && !ends_in_escape(*pattern->get_if<std::string>())) return;
  const Term is_bad =
      any_function("like.reaches_escape", arguments, TermSort::Bool, evaluation);
  evaluation.fail(terms.both(runs, is_bad), "22025",
                  "LIKE pattern must not end with escape character", call.at);
}

// A pattern without wildcards is compared.
Cell like(const Expression& call, std::span<const Cell> arguments, Term runs,
          Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  check_pattern(call, arguments, runs, evaluation);
  const auto pattern = known_value(terms, arguments[1]);
  const bool is_plain =
      pattern && pattern->get_if<std::string>()->find_first_of("%_\\") == std::string::npos;
  if (is_plain)
    return value_cell(terms, call.type, terms.same(arguments[0].data, arguments[1].data));
  return any_result_of(call, arguments, runs, evaluation);
}

}  // namespace

Cell call_text(const Expression& call, std::span<const Cell> arguments, Term runs,
               Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const Term zero = terms.integer(0);
  switch (call.function) {
    case Function::Concat:
      return joined(call, arguments, runs, evaluation);
    case Function::Like:
      return like(call, arguments, runs, evaluation);
    case Function::Substring:
      if (arguments.size() > 2)
        evaluation.fail(terms.both(runs, terms.less(arguments[2].data, zero)), "22011",
                        "negative substring length not allowed", call.at);
      break;
    case Function::SplitPart:
      evaluation.fail(terms.both(runs, terms.same(arguments[2].data, zero)), "22023",
                      "field position must not be zero", call.at);
      break;
    case Function::Length:
    case Function::Lower:
    case Function::Upper:
    case Function::Position:
    case Function::StartsWith:
    case Function::EndsWith:
      break;
    default:
      evaluation.refuse(call.at, fmt::format("'{}'", program::name(call.function)));
      return null_cell(terms, call.type);
  }
  return any_result_of(call, arguments, runs, evaluation);
}

}  // namespace isomer::verify
