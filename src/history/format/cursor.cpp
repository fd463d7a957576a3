// SPDX-License-Identifier: MIT
#include "history/format/cursor.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/core.h>

namespace isomer::history {
namespace {

constexpr std::size_t found_max = 24;  // bytes of the input that a message quotes

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | (code >> 6));
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | (code >> 18));
    byte(0x80 | ((code >> 12) & 0x3f));
    byte(0x80 | ((code >> 6) & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

std::optional<std::uint32_t> take_hex4(Cursor& cursor) {
  const std::string_view digits = cursor.rest().substr(0, 4);
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (error != std::errc() || digits.size() != 4 || end != digits.data() + 4) return {};
  cursor.advance(4);
  return code;
}

// After "\u": four hexadecimal digits, or two surrogates that make one character.
std::optional<std::uint32_t> take_code_point(Cursor& cursor) {
  const auto high = take_hex4(cursor);
  if (!high || *high < 0xd800 || *high > 0xdfff) return high;
  if (*high > 0xdbff || !cursor.take("\\u")) return {};
  const auto low = take_hex4(cursor);
  if (!low || *low < 0xdc00 || *low > 0xdfff) return {};
  return 0x10000 + ((*high - 0xd800) << 10) + (*low - 0xdc00);
}

// The character an escape stands for, after its backslash; false if there is no such
// escape.
bool take_escape(Cursor& cursor, std::string& out) {
  const char c = cursor.peek();
  cursor.advance();
  switch (c) {
    case '"':
    case '\\':
    case '/':
      out.push_back(c);
      return true;
    case 'n':
      out.push_back('\n');
      return true;
    case 't':
      out.push_back('\t');
      return true;
    case 'r':
      out.push_back('\r');
      return true;
    case 'b':
      out.push_back('\b');
      return true;
    case 'f':
      out.push_back('\f');
      return true;
    case 'u': {
      const auto code = take_code_point(cursor);
      if (code) append_utf8(out, *code);
      return code.has_value();
    }
    default:
      return false;
  }
}

bool is_word_byte(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == ':';
}

}  // namespace

void Cursor::skip_line() {
  const std::size_t newline = text_.find('\n', offset_);
  offset_ = newline == std::string_view::npos ? text_.size() : newline;
}

std::uint32_t LineCounter::line_of(std::size_t offset) {
  if (offset < counted_) {
    counted_ = 0;
    line_ = 1;
  }
  const auto first = text_.begin() + static_cast<std::ptrdiff_t>(counted_);
  const auto last = text_.begin() + static_cast<std::ptrdiff_t>(offset);
  line_ += static_cast<std::uint32_t>(std::count(first, last, '\n'));
  counted_ = offset;
  return line_;
}

std::string found_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "end of file";
  const std::string_view rest = text.substr(offset);
  if (rest[0] == '\n' || rest.starts_with("\r\n")) return "end of line";
  if (static_cast<unsigned char>(rest[0]) < 0x20 || rest[0] == 0x7f)
    return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(rest[0]));
  if (!is_word_byte(rest[0]))
    return fmt::format("'{}'",
                       rest.substr(0, std::max<std::size_t>(1, character_length(rest))));
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_word_byte);
  const auto length = static_cast<std::size_t>(end - rest.begin());
  return length <= found_max ? fmt::format("'{}'", rest.substr(0, length))
                             : fmt::format("'{}...'", rest.substr(0, found_max));
}

Diagnostic expected_at(const Source& source, std::size_t offset, std::string_view what) {
  return source.at(
      offset, fmt::format("expected {}, found {}", what, found_at(source.text, offset)));
}

std::optional<std::int64_t> integer_of(std::string_view digits) {
  std::int64_t number = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, number);
  if (error != std::errc() || end != last) return {};
  return number;
}

bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

Value value_of_word(HistoryBuilder& builder, std::string_view word) {
  if (const auto number = integer_of(word)) return Value::integer(*number);
  return builder.string_value(word);
}

tl::expected<std::string, Diagnostic> quoted_string(Cursor& cursor, const Source& source) {
  const std::size_t opened = cursor.offset();
  cursor.advance();
  std::string out;
  while (true) {
    out += cursor.take_while([](char c) { return c != '"' && c != '\\' && c != '\n'; });
    if (cursor.take("\"")) return out;
    const std::size_t here = cursor.offset();
    if (!cursor.take("\\"))
      return tl::unexpected(source.at(opened, "this string is not closed on its line"));
    if (!take_escape(cursor, out))
      return tl::unexpected(source.at(here, "unknown escape in a string"));
  }
}

void append_quoted(std::string& out, std::string_view text) {
  out.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

std::optional<std::size_t> invalid_utf8(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    std::uint64_t eight = 0;
    if (offset + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + offset, sizeof eight);
      if ((eight & 0x8080808080808080ULL) == 0) {
        offset += sizeof eight;
        continue;
      }
    }
    const std::size_t length = character_length(text.substr(offset));
    if (length == 0) return offset;
    offset += length;
  }
  return {};
}

}  // namespace isomer::history
