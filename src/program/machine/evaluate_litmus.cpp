// SPDX-License-Identifier: MIT
// The functions of litmus programs.  A value of the wrong kind aborts the transaction.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "program/machine/functions.h"

namespace isomer::program {
namespace {

constexpr std::size_t items_max = 1'000'000;
constexpr int nesting_max = 500;

std::string shown(const Value& value) {
  if (value.is_null()) return "null";
  if (const auto* text = value.get_if<std::string>())
    return text->size() > 40 ? fmt::format("\"{}..\"", text->substr(0, 40))
                             : fmt::format("\"{}\"", *text);
  if (value.get_if<List>() != nullptr) return "a list";
  return to_text(value);
}

// Counts the items inside a value, up to a limit; lists share parts, so the count can be
// far larger than the memory.
std::size_t count_items(const Value& value, std::size_t limit, int nesting) {
  if (nesting > nesting_max) return limit;
  std::size_t out = 1;
  for (const Value& item : value.items()) {
    if (out >= limit) return limit;
    out += item.get_if<List>() == nullptr ? 1 : count_items(item, limit - out, nesting + 1);
  }
  return out;
}

struct LitmusCall {
  Function function;
  std::span<const Value> arguments;
  Context& context;

  Value fail_kind(std::size_t i, std::string_view wanted) const {
    static constexpr std::string_view named[] = {"first", "second", "third"};
    return context.fail("", fmt::format("the {} operand of '{}' must be {}, but is {}",
                                        named[std::min<std::size_t>(i, 2)],
                                        function == Function::Concat     ? "cat"
                                        : function == Function::Greatest ? "max"
                                                                         : name(function),
                                        wanted, shown(arguments[i])));
  }

  [[nodiscard]] std::optional<std::int64_t> integer(std::size_t i) const {
    if (const auto* number = arguments[i].get_if<std::int64_t>()) return *number;
    fail_kind(i, "an integer");
    return std::nullopt;
  }

  [[nodiscard]] const std::vector<Value>* list(std::size_t i) const {
    if (const auto* items = arguments[i].get_if<List>()) return items->get();
    fail_kind(i, "a list");
    return nullptr;
  }

  [[nodiscard]] std::optional<std::string> text(std::size_t i) const {
    if (const auto* found = arguments[i].get_if<std::string>()) return *found;
    if (arguments[i].get_if<std::int64_t>() != nullptr) return to_text(arguments[i]);
    fail_kind(i, "a string or an integer");
    return std::nullopt;
  }

  [[nodiscard]] Value checked_list(std::vector<Value> items) const {
    Value out = Value::list(std::move(items));
    if (count_items(out, items_max, 0) < items_max) return out;
    return context.fail(
        "",
        fmt::format("a list has more than {} items or is nested too deeply", items_max));
  }

  [[nodiscard]] Value arithmetic() const {
    const auto a = integer(0);
    if (!a) return {};
    const auto b = function == Function::Negate ? a : integer(1);
    if (!b) return {};
    std::int64_t out = 0;
    const bool overflows = function == Function::Add ? __builtin_add_overflow(*a, *b, &out)
                           : function == Function::Subtract
                               ? __builtin_sub_overflow(*a, *b, &out)
                               : __builtin_sub_overflow(0, *a, &out);
    if (overflows) return context.fail("", "the result does not fit into 64 bits");
    return Value::integer(out);
  }

  [[nodiscard]] Value comparison() const {
    const auto& a = arguments[0];
    const auto& b = arguments[1];
    const bool is_text =
        a.get_if<std::string>() != nullptr && b.get_if<std::string>() != nullptr;
    if (!is_text && (!integer(0) || !integer(1))) return {};
    const auto order = a <=> b;
    const bool out = function == Function::Less        ? order < 0
                     : function == Function::LessEqual ? order <= 0
                     : function == Function::Greater   ? order > 0
                                                       : order >= 0;
    return Value::integer(out ? 1 : 0);
  }

  [[nodiscard]] Value greatest() const {
    if (!integer(0) || !integer(1)) return {};
    return std::max(arguments[0], arguments[1]);
  }

  [[nodiscard]] Value concatenation() const {
    std::string out;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto piece = text(i);
      if (!piece) return {};
      out += *piece;
    }
    return checked_text(std::move(out), context);
  }

  [[nodiscard]] Value affix() const {
    const auto whole = text(0);
    if (!whole) return {};
    const auto piece = text(1);
    if (!piece) return {};
    const bool out = function == Function::StartsWith ? whole->starts_with(*piece)
                                                      : whole->ends_with(*piece);
    return Value::integer(out ? 1 : 0);
  }

  [[nodiscard]] Value part() const {
    const auto whole = text(0);
    if (!whole) return {};
    const auto index = integer(1);
    if (!index) return {};
    std::string_view rest = *whole;
    for (std::int64_t i = 0; i < *index; ++i) {
      const std::size_t colon = rest.find(':');
      if (colon == std::string_view::npos)
        return context.fail("", fmt::format("\"{}\" has no part {}", *whole, *index));
      rest.remove_prefix(colon + 1);
    }
    if (*index < 0) return context.fail("", fmt::format("there is no part {}", *index));
    rest = rest.substr(0, rest.find(':'));
    std::int64_t number = 0;
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (parsed.ec == std::errc() && parsed.ptr == rest.data() + rest.size())
      return Value::integer(number);
    return Value::text(std::string(rest));
  }

  // The place in the list that the second operand names.
  [[nodiscard]] std::optional<std::size_t> index(const std::vector<Value>& items) const {
    const auto wanted = integer(1);
    if (!wanted) return std::nullopt;
    if (*wanted >= 0 && static_cast<std::uint64_t>(*wanted) < items.size())
      return static_cast<std::size_t>(*wanted);
    context.fail("",
                 fmt::format("a list of {} items has no item {}", items.size(), *wanted));
    return std::nullopt;
  }

  [[nodiscard]] Value changed_list() const {
    const std::vector<Value>* items = list(0);
    if (items == nullptr) return {};
    std::vector<Value> out = *items;
    if (function == Function::Append) {
      out.push_back(arguments[1]);
    } else if (function == Function::Remove) {
      const auto found = std::find(out.begin(), out.end(), arguments[1]);
      if (found != out.end()) out.erase(found);
    } else {
      const auto at = index(out);
      if (!at) return {};
      out[*at] = arguments[2];
    }
    return checked_list(std::move(out));
  }

  [[nodiscard]] Value list_answer() const {
    const std::vector<Value>* items = list(0);
    if (items == nullptr) return {};
    if (function == Function::Size)
      return Value::integer(static_cast<std::int64_t>(items->size()));
    if (function == Function::Contains) {
      const bool found =
          std::find(items->begin(), items->end(), arguments[1]) != items->end();
      return Value::integer(found ? 1 : 0);
    }
    const auto at = index(*items);
    return at ? (*items)[*at] : Value();
  }
};

}  // namespace

Value call_litmus(Function function, std::span<const Value> arguments, Context& context) {
  const LitmusCall call{.function = function, .arguments = arguments, .context = context};
  switch (function) {
    case Function::Equal:
      return Value::integer(arguments[0] == arguments[1] ? 1 : 0);
    case Function::NotEqual:
      return Value::integer(arguments[0] == arguments[1] ? 0 : 1);
    case Function::Less:
    case Function::LessEqual:
    case Function::Greater:
    case Function::GreaterEqual:
      return call.comparison();
    case Function::Add:
    case Function::Subtract:
    case Function::Negate:
      return call.arithmetic();
    case Function::Greatest:
      return call.greatest();
    case Function::Concat:
      return call.concatenation();
    case Function::StartsWith:
    case Function::EndsWith:
      return call.affix();
    case Function::Part:
      return call.part();
    case Function::MakeList:
      return call.checked_list({arguments.begin(), arguments.end()});
    case Function::Append:
    case Function::Remove:
    case Function::Set:
      return call.changed_list();
    case Function::Contains:
    case Function::Size:
    case Function::Get:
      return call.list_answer();
    default:
      return context.fail("", fmt::format("litmus programs have no '{}'", name(function)));
  }
}

}  // namespace isomer::program
