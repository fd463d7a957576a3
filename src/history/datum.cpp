// SPDX-License-Identifier: MIT
#include "history/datum.h"

#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "base/assert.h"

namespace isomer::history {

void DatumTree::clear() {
  nodes_.clear();
  texts_.clear();
}

Datum DatumTree::root() const {
  ISOMER_ASSERT(!nodes_.empty());
  return {*this, 0};
}

std::uint32_t DatumTree::add(DatumKind kind, std::size_t offset) {
  const std::uint32_t index = size();
  nodes_.push_back(
      {.kind = kind, .next = index + 1, .offset = offset, .number = 0, .text = {}});
  return index;
}

void DatumTree::add_integer(std::size_t offset, std::int64_t number) {
  nodes_[add(DatumKind::Integer, offset)].number = number;
}

void DatumTree::add_text(DatumKind kind, std::size_t offset, std::string_view text) {
  nodes_[add(kind, offset)].text = text;
}

void DatumTree::close(std::uint32_t node) {
  nodes_[node].next = size();
}

std::string_view DatumTree::keep(std::string text) {
  return texts_.emplace_back(std::move(text));
}

std::optional<Datum> Datum::find(std::string_view key) const {
  if (!is(DatumKind::Map)) return {};
  for (Iterator i = begin(); i != end(); ++i) {
    const bool is_found = (*i).is_word(key);
    ++i;
    if (is_found) return *i;
  }
  return {};
}

std::size_t Datum::size() const {
  std::size_t count = 0;
  for (Iterator i = begin(); i != end(); ++i)
    ++count;
  return count;
}

Datum Datum::child(std::size_t i) const {
  Iterator at = begin();
  for (; i > 0; --i)
    ++at;
  ISOMER_ASSERT(at != end());
  return *at;
}

std::string describe(const Datum& datum) {
  switch (datum.kind()) {
    case DatumKind::Nil:
      return "nil";
    case DatumKind::Integer:
      return fmt::format("the number {}", datum.number());
    case DatumKind::Text:
      return fmt::format("'{}'", datum.text().substr(0, 30));
    case DatumKind::Keyword:
      return fmt::format("':{}'", datum.text().substr(0, 30));
    case DatumKind::List:
      return "a list";
    case DatumKind::Map:
      return "a map";
  }
  return {};
}

Diagnostic unexpected_datum(const Source& source, const Datum& datum,
                            std::string_view what) {
  return source.at(datum.offset(),
                   fmt::format("expected {}, found {}", what, describe(datum)));
}

tl::expected<KeyId, Diagnostic> key_of(HistoryBuilder& builder, const Source& source,
                                       const Datum& datum) {
  switch (datum.kind()) {
    case DatumKind::Integer:
      return builder.key(datum.number());
    case DatumKind::Text:
    case DatumKind::Keyword:
      return builder.key(datum.text());
    case DatumKind::Nil:
    case DatumKind::List:
    case DatumKind::Map:
      break;
  }
  return tl::unexpected(unexpected_datum(source, datum, "a key (a number or a text)"));
}

tl::expected<Value, Diagnostic> value_of(HistoryBuilder& builder, const Source& source,
                                         const Datum& datum) {
  switch (datum.kind()) {
    case DatumKind::Nil:
      return Value::none();
    case DatumKind::Integer:
      return Value::integer(datum.number());
    case DatumKind::Text:
    case DatumKind::Keyword:
      return builder.string_value(datum.text());
    case DatumKind::List:
    case DatumKind::Map:
      break;
  }
  return tl::unexpected(
      unexpected_datum(source, datum, "a value (a number, a text or nothing)"));
}

tl::expected<std::vector<Value>, Diagnostic> list_of(HistoryBuilder& builder,
                                                     const Source& source,
                                                     const Datum& datum) {
  std::vector<Value> values;
  for (const Datum element : datum) {
    const auto value = value_of(builder, source, element);
    if (!value) return tl::unexpected(value.error());
    values.push_back(*value);
  }
  return values;
}

}  // namespace isomer::history
