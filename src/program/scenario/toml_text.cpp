// SPDX-License-Identifier: MIT
// toml++ keeps tables sorted by name and counts columns in characters; here entries stand
// in the order of the text, and places are bytes.
#include "program/scenario/toml_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/text.h"

namespace isomer::program {

bool whole_number(const TomlValue& value, std::uint32_t& out) {
  const char* end = value.text.data() + value.text.size();
  const auto read = std::from_chars(value.text.data(), end, out);
  return value.kind == TomlValue::Kind::Literal && !value.text.empty() && read.ptr == end &&
         read.ec == std::errc{};
}

const TomlValue* TomlValue::find(std::string_view key) const {
  for (const TomlEntry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

namespace {

class Converter {
 public:
  explicit Converter(std::string_view text) : text_(text) {
    lines_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') lines_.push_back(i + 1);
  }

  [[nodiscard]] std::size_t offset(const toml::source_position& place) const {
    if (place.line == 0 || place.line > lines_.size()) return 0;
    std::size_t at = lines_[place.line - 1];
    for (std::size_t column = 1; column < place.column && at < text_.size(); ++column)
      at = character_end(text_, at);
    return std::min(at, text_.size());
  }

  [[nodiscard]] Span span(const toml::source_region& region) const {
    return {.first = static_cast<std::uint32_t>(offset(region.begin)),
            .last = static_cast<std::uint32_t>(offset(region.end))};
  }

  TomlValue value(const toml::node& node) {
    TomlValue out;
    out.at = span(node.source());
    if (const toml::table* table = node.as_table()) {
      out.kind = TomlValue::Kind::Table;
      out.entries = entries(*table);
    } else if (const toml::array* array = node.as_array()) {
      out.kind = TomlValue::Kind::Array;
      for (const toml::node& item : *array)
        out.items.push_back(value(item));
    } else if (const auto* string = node.as_string()) {
      out.kind = TomlValue::Kind::String;
      out.text = string->get();
      out.inside = inside(out);
    } else {
      out.kind = TomlValue::Kind::Literal;
      out.text = written(out.at);
    }
    return out;
  }

 private:
  std::vector<TomlEntry> entries(const toml::table& table) {
    std::vector<TomlEntry> out;
    for (const auto& [key, node] : table)
      out.push_back(
          {.key = std::string(key.str()), .at = span(key.source()), .value = value(node)});
    std::stable_sort(out.begin(), out.end(), [](const TomlEntry& a, const TomlEntry& b) {
      return a.at.first < b.at.first;
    });
    return out;
  }

  // Where the text between the quotes stands, if it says what is written.
  [[nodiscard]] Span inside(const TomlValue& string) const {
    const char quote = string.at.first < text_.size() ? text_[string.at.first] : '\0';
    std::size_t first = string.at.first + 1;
    if (text_.substr(string.at.first, 3) == std::string(3, quote)) {
      first += 2;
      if (text_.substr(first, 2) == "\r\n") ++first;
      if (text_.substr(first, 1) == "\n") ++first;
    }
    if (text_.substr(first, string.text.size()) != string.text) return {};
    return {.first = static_cast<std::uint32_t>(first),
            .last = static_cast<std::uint32_t>(first + string.text.size())};
  }

  [[nodiscard]] std::string written(Span at) const {
    std::string out(text_.substr(at.first, at.last - at.first));
    std::erase(out, '_');
    while (!out.empty() && std::isspace(static_cast<unsigned char>(out.back())) != 0)
      out.pop_back();
    return out;
  }

  std::string_view text_;
  std::vector<std::size_t> lines_;
};

// toml++ makes a table for each part of a dotted key, and then walks them recursively; no
// scenario needs more than a few.  This finds keys and values that nest too deeply before
// it sees them.
class DepthCheck {
 public:
  static constexpr std::size_t parts_max = 16;     // of a key
  static constexpr std::size_t brackets_max = 32;  // around a value

  explicit DepthCheck(std::string_view text) : text_(text) {}

  std::optional<TomlError> complaint() {
    while (at_ < text_.size()) {
      const std::size_t place = at_;
      step();
      if (parts_ > parts_max)
        return TomlError{place, fmt::format("a key has more than {} parts", parts_max)};
      if (brackets_ > brackets_max)
        return TomlError{place,
                         fmt::format("values are nested more than {} deep", brackets_max)};
    }
    return std::nullopt;
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return skip_string(c);
    ++at_;
    if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    if (c == '.') ++parts_;
    if (c == '\n' || c == '=' || c == ',' || c == '[' || c == '{') parts_ = 1;
    if (c == '[' || c == '{') ++brackets_;
    if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
  }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool is_long = text_.substr(at_, 3) == triple;
    at_ += is_long ? 3 : 1;
    while (at_ < text_.size()) {
      if (text_[at_] == '\\' && quote == '"') {
        at_ += 2;
      } else if (is_long ? text_.substr(at_, 3) == triple : text_[at_] == quote) {
        at_ += is_long ? 3 : 1;
        return;
      } else if (!is_long && text_[at_] == '\n') {
        return;  // a mistake, which toml++ will find
      } else {
        ++at_;
      }
    }
    at_ = text_.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t parts_ = 1;
  std::size_t brackets_ = 0;
};

}  // namespace

tl::expected<TomlValue, TomlError> parse_toml(std::string_view text) {
  if (const auto complaint = DepthCheck(text).complaint())
    return tl::unexpected(*complaint);
  Converter converter(text);
  try {
    const toml::table table = toml::parse(text);
    return converter.value(table);
  } catch (const toml::parse_error& error) {
    std::string message(error.description());
    if (message.starts_with("Error while"))
      message.erase(0, std::string_view("Error ").size());
    if (message.starts_with("Encountered")) message.front() = 'e';
    while (message.ends_with('.'))
      message.pop_back();
    return tl::unexpected(TomlError{converter.offset(error.source().begin), message});
  }
}

}  // namespace isomer::program
