// SPDX-License-Identifier: MIT
#include "base/diagnostic.h"

#include <algorithm>

#include <fmt/core.h>

namespace isomer {
namespace {

constexpr std::size_t excerpt_width = 80;

}  // namespace

std::string printable(std::string_view bytes) {
  std::string out(bytes);
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) c = '.';
  }
  return out;
}

Position position_of(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const auto newlines = std::count(before.begin(), before.end(), '\n');
  const std::size_t last = before.rfind('\n');
  const std::size_t start = last == std::string_view::npos ? 0 : last + 1;
  return {.line = static_cast<std::uint64_t>(newlines) + 1, .column = offset - start + 1};
}

Diagnostic diagnostic_at(std::string_view file, std::string_view text, std::size_t offset,
                         std::string message) {
  offset = std::min(offset, text.size());
  const Position at = position_of(text, offset);
  const std::size_t start = offset - (at.column - 1);
  std::size_t end = text.find('\n', offset);
  if (end == std::string_view::npos) end = text.size();
  if (end > start && text[end - 1] == '\r') --end;
  const std::size_t first =
      offset - start > excerpt_width / 2 && end - start > excerpt_width
          ? offset - excerpt_width / 2
          : start;
  const std::size_t last = std::max(first, std::min(end, first + excerpt_width));
  return {.file = std::string(file),
          .at = at,
          .message = std::move(message),
          .source_line = printable(text.substr(first, last - first)),
          .caret = offset - first + 1,
          .notes = {}};
}

Diagnostic diagnostic_of_file(std::string_view file, std::string message) {
  return {.file = std::string(file),
          .at = {},
          .message = std::move(message),
          .source_line = {},
          .caret = 0,
          .notes = {}};
}

std::string render(const Diagnostic& d) {
  const auto place = [](const std::string& file, Position at) {
    return at.line == 0 ? file : fmt::format("{}:{}:{}", file, at.line, at.column);
  };
  std::string out = fmt::format("{}: error: {}\n", place(d.file, d.at), d.message);
  if (!d.source_line.empty()) out += fmt::format("  {}\n", d.source_line);
  if (!d.source_line.empty() && d.caret != 0)
    out += fmt::format("  {}^\n", std::string(d.caret - 1, ' '));
  for (const Note& note : d.notes)
    out +=
        fmt::format("{}: note: {}\n",
                    place(note.file.empty() ? d.file : note.file, note.at), note.message);
  return out;
}

std::string render(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics)
    out += render(d);
  return out;
}

}  // namespace isomer
