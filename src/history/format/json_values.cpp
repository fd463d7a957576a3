// SPDX-License-Identifier: MIT
// The one file that knows simdjson.  Its on-demand interface walks the text once; every
// value is visited, so that every mistake is found, and put into a tree with its offset.
#include "history/format/json_values.h"

#include <algorithm>

#include <fmt/core.h>
#include <simdjson.h>

#include "history/format/cursor.h"

namespace isomer::history {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

std::string_view message_of(error_code error) {
  switch (error) {
    case simdjson::DEPTH_ERROR:
      return "this JSON is nested too deeply";
    case simdjson::STRING_ERROR:
    case simdjson::UNESCAPED_CHARS:
      return "malformed string in JSON";
    case simdjson::UNCLOSED_STRING:
      return "a string in this JSON is not closed";
    case simdjson::NUMBER_ERROR:
    case simdjson::NUMBER_OUT_OF_RANGE:
      return "malformed number in JSON";
    case simdjson::UTF8_ERROR:
      return "this JSON is not UTF-8 text";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
    case simdjson::EMPTY:
      return "this JSON ends too early";
    case simdjson::TRAILING_CONTENT:
      return "expected the end of the JSON document";
    case simdjson::SCALAR_DOCUMENT_AS_VALUE:
      return "expected a JSON object or array";
    case simdjson::CAPACITY:
    case simdjson::MEMALLOC:
      return "this JSON document is too large";
    default:
      return "malformed JSON: a comma, a bracket or a field name is missing or misplaced";
  }
}

// Fills a tree from simdjson's values, and remembers how far it came.
class TreeMaker {
 public:
  TreeMaker(DatumTree& tree, const char* buffer, std::size_t first, Patience& patience)
      : tree_(tree), buffer_(buffer), first_(first), last_(first), patience_(patience) {}

  error_code add(ondemand::value value, std::size_t depth);

  [[nodiscard]] std::size_t last_offset() const { return last_; }

 private:
  std::size_t offset_of(std::string_view token) {
    last_ = first_ + static_cast<std::size_t>(token.data() - buffer_);
    return last_;
  }

  error_code add_array(ondemand::array array, std::uint32_t node, std::size_t depth);
  error_code add_object(ondemand::object object, std::uint32_t node, std::size_t depth);
  error_code add_number(ondemand::value value, std::size_t offset);

  DatumTree& tree_;
  const char* buffer_;
  std::size_t first_;
  std::size_t last_;
  Patience& patience_;
};

error_code TreeMaker::add_array(ondemand::array array, std::uint32_t node,
                                std::size_t depth) {
  for (auto element : array) {
    ondemand::value value;
    if (const error_code error = std::move(element).get(value)) return error;
    if (const error_code error = add(value, depth + 1)) return error;
  }
  tree_.close(node);
  return simdjson::SUCCESS;
}

error_code TreeMaker::add_object(ondemand::object object, std::uint32_t node,
                                 std::size_t depth) {
  for (auto entry : object) {
    ondemand::field field;
    if (const error_code error = std::move(entry).get(field)) return error;
    const char* const raw = field.key().raw();
    const std::size_t offset = offset_of({raw, 1});
    std::string_view key;
    if (const error_code error = field.unescaped_key().get(key)) return error;
    tree_.add_text(DatumKind::Text, offset, key);
    if (const error_code error = add(field.value(), depth + 1)) return error;
  }
  tree_.close(node);
  return simdjson::SUCCESS;
}

error_code TreeMaker::add_number(ondemand::value value, std::size_t offset) {
  std::int64_t number = 0;
  const error_code error = value.get_int64().get(number);
  if (!error) {
    tree_.add_integer(offset, number);
    return error;
  }
  // Not a 64-bit integer: keep its text, if it is a number at all.
  const std::string_view token = value.raw_json_token();
  const auto end = std::find_if_not(token.begin(), token.end(), [](char c) {
    return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
  });
  const std::string_view text(token.begin(), end);
  const std::string_view after(end, token.end());
  const bool is_clean = after.find_first_not_of(" \t\r\n") == std::string_view::npos;
  double real = 0;
  if (!is_integer(text) && value.get_double().get(real)) return simdjson::NUMBER_ERROR;
  if (!is_clean) return simdjson::NUMBER_ERROR;
  tree_.add_text(DatumKind::Text, offset, tree_.keep(std::string(text)));
  return simdjson::SUCCESS;
}

error_code TreeMaker::add(ondemand::value value, std::size_t depth) {
  if (depth > nesting_max) return simdjson::DEPTH_ERROR;
  if (patience_.is_over()) return simdjson::UNINITIALIZED;  // nobody will look at it
  const std::size_t offset = offset_of(value.raw_json_token());
  ondemand::json_type type{};
  if (const error_code error = value.type().get(type)) return error;
  switch (type) {
    case ondemand::json_type::array: {
      ondemand::array array;
      if (const error_code error = value.get_array().get(array)) return error;
      return add_array(array, tree_.add(DatumKind::List, offset), depth);
    }
    case ondemand::json_type::object: {
      ondemand::object object;
      if (const error_code error = value.get_object().get(object)) return error;
      return add_object(object, tree_.add(DatumKind::Map, offset), depth);
    }
    case ondemand::json_type::number:
      return add_number(value, offset);
    case ondemand::json_type::string: {
      std::string_view text;
      if (const error_code error = value.get_string().get(text)) return error;
      tree_.add_text(DatumKind::Text, offset, text);
      return simdjson::SUCCESS;
    }
    case ondemand::json_type::boolean: {
      bool is_true = false;
      if (const error_code error = value.get_bool().get(is_true)) return error;
      tree_.add_text(DatumKind::Text, offset, is_true ? "true" : "false");
      return simdjson::SUCCESS;
    }
    case ondemand::json_type::null: {
      bool is_null = false;
      if (const error_code error = value.is_null().get(is_null)) return error;
      if (!is_null) return simdjson::N_ATOM_ERROR;
      tree_.add(DatumKind::Nil, offset);
      return simdjson::SUCCESS;
    }
  }
  return simdjson::TAPE_ERROR;
}

}  // namespace

struct JsonParser::State {
  ondemand::parser parser;
  simdjson::padded_string copy;

  error_code run(simdjson::padded_string_view text, std::size_t first, DatumTree& tree,
                 std::size_t& last, Patience& patience);
};

error_code JsonParser::State::run(simdjson::padded_string_view text, std::size_t first,
                                  DatumTree& tree, std::size_t& last, Patience& patience) {
  TreeMaker maker(tree, text.data(), first, patience);
  last = first;
  ondemand::document document;
  if (const error_code error = parser.iterate(text).get(document)) return error;
  ondemand::value root;
  error_code error = document.get_value().get(root);
  if (!error) error = maker.add(root, 0);
  last = maker.last_offset();
  // Where simdjson stands: at the mistake, or after the document; an error at the very end.
  const char* here = nullptr;
  const bool is_at_end = document.current_location().get(here) != simdjson::SUCCESS;
  if (!is_at_end)
    last = first + std::min(static_cast<std::size_t>(here - text.data()), text.size());
  if (error) return error;
  return is_at_end ? simdjson::SUCCESS : simdjson::TRAILING_CONTENT;
}

JsonParser::JsonParser() : state_(std::make_unique<State>()) {}

JsonParser::~JsonParser() = default;

tl::expected<void, Diagnostic> JsonParser::parse(const Source& source, std::size_t first,
                                                 std::size_t end, DatumTree& tree) {
  tree.clear();
  const std::string_view text = source.text.substr(first, end - first);
  // simdjson reads a little beyond the end: what follows in the file serves, else a copy.
  const std::size_t room = source.text.size() - first;
  simdjson::padded_string_view padded(text.data(), text.size(), room);
  if (room - text.size() < simdjson::SIMDJSON_PADDING) {
    state_->copy = simdjson::padded_string(text);
    padded = state_->copy;
  }
  std::size_t last = first;
  Patience patience(source.budget);
  const error_code error = state_->run(padded, first, tree, last, patience);
  if (!error) return {};
  const std::size_t content_end = text.find_last_not_of(" \t\r\n") + 1;
  if (error == simdjson::TAPE_ERROR && last >= first + content_end)
    return tl::unexpected(
        source.at(last, std::string(message_of(simdjson::INCOMPLETE_ARRAY_OR_OBJECT))));
  return tl::unexpected(source.at(last, std::string(message_of(error))));
}

bool has_json_field(std::string_view text, std::string_view name) {
  constexpr std::size_t head_max = 1 << 16;
  text = text.substr(0, head_max);
  int depth = 0;
  bool is_key = false;  // the next string in the outermost object is a field name
  bool is_string = false;
  std::size_t opened = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        is_string = false;
        if (is_key && depth == 1 && text.substr(opened, i - opened) == name) return true;
      }
    } else if (c == '"') {
      is_string = true;
      opened = i + 1;
    } else if (c == '{') {
      is_key = ++depth == 1;
    } else if (c == '[') {
      if (depth > 0) ++depth;  // an array around the first object does not count
    } else if (c == '}' || c == ']') {
      if (--depth <= 0) return false;
    } else if (depth == 1 && (c == ',' || c == ':')) {
      is_key = c == ',';
    }
  }
  return false;
}

}  // namespace isomer::history
