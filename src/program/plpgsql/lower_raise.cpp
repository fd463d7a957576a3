// SPDX-License-Identifier: MIT
// RAISE.  The values of its message are evaluated first, then its options in their order;
// an option that is null, that is given twice, or an ERRCODE that nobody knows is an error
// of its own.  A notice does all that, too.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "program/plpgsql/conditions.h"
#include "program/plpgsql/lowering.h"

namespace isomer::program {
namespace {

// What cannot fail and reads nothing.
bool is_idle(const Expression& value) {
  if (value.kind == Expression::Kind::Cast && value.type.kind == TypeKind::Text)
    return is_idle(*value.arguments[0]);
  if (value.kind == Expression::Kind::Call && value.function == Function::Coalesce)
    return std::all_of(value.arguments.begin(), value.arguments.end(),
                       [](const ExpressionPtr& part) { return is_idle(*part); });
  return value.kind == Expression::Kind::Constant ||
         value.kind == Expression::Kind::Variable;
}

Statement failure(Span at, std::string_view sqlstate, std::string text) {
  Statement out;
  out.kind = Statement::Kind::Raise;
  out.at = at;
  out.sqlstate = sqlstate;
  out.text = std::move(text);
  return out;
}

Statement failure_if_null(const ExpressionPtr& value, Span at) {
  Statement out;
  out.kind = Statement::Kind::If;
  out.at = at;
  out.value = make_call(Function::IsNull, {value}, TypeKind::Bool, at);
  out.body.push_back(failure(at, "22004", "RAISE statement option cannot be null"));
  return out;
}

}  // namespace

// 'no % left of %': the values stand for %, and %% for itself; what is null is <NULL>.
// Absent after a complaint.
std::optional<std::vector<ExpressionPtr>> Lowering::message_parts(const PlStatement& s) {
  const Type text = type(TypeKind::Text);
  const std::string& format = *s.text;
  std::vector<ExpressionPtr> parts;
  std::string literal;
  std::size_t used = 0;
  const auto add_literal = [&] {
    if (!literal.empty()) parts.push_back(make_constant(Value::text(literal), text, s.at));
    literal.clear();
  };
  const auto complain = [&](std::string_view which) {
    fail(s.at, fmt::format("RAISE has too {} values for its message", which));
    return std::nullopt;
  };
  for (std::size_t i = 0; i < format.size(); ++i) {
    const bool is_doubled = format[i] == '%' && format.substr(i + 1, 1) == "%";
    if (format[i] != '%' || is_doubled) {
      literal += format[i];
      i += is_doubled ? 1 : 0;
      continue;
    }
    if (used == s.values.size()) return complain("few");
    add_literal();
    const ExpressionPtr value = expression(s.values[used++], text);
    if (!value) return std::nullopt;
    parts.push_back(make_call(Function::Coalesce,
                              {value, make_constant(Value::text("<NULL>"), text, s.at)},
                              TypeKind::Text, value->at));
  }
  if (used != s.values.size()) return complain("many");
  add_literal();
  return parts;
}

// The constant that an ERRCODE is; complains of any other.
std::optional<Value> Lowering::error_code(const PlOption& option) {
  const ExpressionPtr value = expression(option.value, type(TypeKind::Text));
  if (!value || is_broken(*value)) return std::nullopt;
  if (value->kind == Expression::Kind::Constant) return value->value;
  fail(option.at, "an ERRCODE that is not a constant is not supported");
  return std::nullopt;
}

// Sets the code of the RAISE; false if it fails for another reason, or after a complaint.
bool Lowering::give_error_code(const PlOption& option, Statement& raise, Block& out) {
  const auto value = error_code(option);
  if (!value) return false;
  if (value->is_null()) {
    out.push_back(failure(option.at, "22004", "RAISE statement option cannot be null"));
    return false;
  }
  const std::string& code = *value->get_if<std::string>();
  raise.sqlstate = is_sqlstate(code) ? code : sqlstate_of(code);
  if (raise.sqlstate == "00000") raise.sqlstate = "P0001";
  if (!raise.sqlstate.empty()) return true;
  out.push_back(failure(option.at, "42704",
                        fmt::format("unrecognized exception condition \"{}\"", code)));
  return false;
}

bool Lowering::give_option(const PlOption& option, Statement& raise, Block& out) {
  if (option.name == "errcode") return give_error_code(option, raise, out);
  ExpressionPtr value = expression(option.value, type(TypeKind::Text));
  if (!value || is_broken(*value)) return false;
  if (contains_query(*value)) value = asked_once(value, out);
  if (value->kind != Expression::Kind::Constant || value->value.is_null())
    out.push_back(failure_if_null(value, option.at));
  if (option.name != "message") return true;
  raise.value = value;
  if (value->kind != Expression::Kind::Constant || value->value.is_null()) return true;
  raise.value = nullptr;
  raise.text = *value->value.get_if<std::string>();
  return true;
}

void Lowering::lower_raise(const PlStatement& s, Block& out) {
  const bool is_notice = s.kind == PlStatement::Kind::Notice;
  if (s.raises_again) return lower_raise_again(s, out);
  Statement raise = statement(Statement::Kind::Raise, s.at);
  raise.sqlstate = s.sqlstate.empty() ? "P0001" : s.sqlstate;
  raise.text = s.condition;
  if (s.text && !give_message(s, raise, out)) return;
  std::set<std::string> given;
  if (s.text) given.insert("message");
  if (!s.sqlstate.empty()) given.insert("errcode");
  for (const PlOption& option : s.options) {
    const bool is_new = given.insert(option.name).second;
    Statement dropped = raise;
    if (!give_option(option, is_new ? raise : dropped, out)) return;
    if (is_new) continue;
    std::string name = option.name;
    for (char& c : name)
      c = static_cast<char>(c - 'a' + 'A');
    return out.push_back(failure(option.at, "42601",
                                 fmt::format("RAISE option already specified: {}", name)));
  }
  if (!is_notice) out.push_back(std::move(raise));
}

void Lowering::lower_raise_again(const PlStatement& s, Block& out) {
  Statement raise =
      failure(s.at, "0Z002",
              "RAISE without parameters cannot be used outside an exception handler");
  raise.raises_again = handlers_around > 0;
  out.push_back(std::move(raise));
}

// The message of a RAISE: computed before its options if those could fail, or if it is all
// that a notice does.
bool Lowering::give_message(const PlStatement& s, Statement& raise, Block& out) {
  auto parts = message_parts(s);
  if (!parts) return false;
  if (s.values.empty()) {
    raise.text = parts->empty() ? "" : *parts->front()->value.get_if<std::string>();
    return true;
  }
  const Type text = type(TypeKind::Text);
  bool does_nothing = true;
  for (const ExpressionPtr& part : *parts)
    does_nothing = does_nothing && is_idle(*part);
  raise.text.clear();
  raise.value = parts->size() == 1
                    ? parts->front()
                    : make_call(Function::Concat, std::move(*parts), text, s.at);
  const bool comes_first = s.kind == PlStatement::Kind::Notice || !s.options.empty();
  if (!comes_first || does_nothing) return true;
  raise.value = asked_once(raise.value, out);
  return true;
}

// A variable with the value, so that it is evaluated here and not again.
ExpressionPtr Lowering::asked_once(const ExpressionPtr& value, Block& out) {
  Statement assign = statement(Statement::Kind::Assign, value->at);
  assign.variable = routine.names.add_hidden("message", value->type, value->at);
  assign.value = value;
  out.push_back(std::move(assign));
  return make_variable(routine.names, {.variable = out.back().variable, .field = {}},
                       value->at);
}

}  // namespace isomer::program
