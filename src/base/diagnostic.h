// SPDX-License-Identifier: MIT
// What we tell a person about their input: where, what was expected, what was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace isomer {

// Lines and columns count from 1; columns count bytes.  Line 0: the file as a whole.
struct Position {
  std::uint64_t line = 0;
  std::uint64_t column = 0;
};

struct Note {
  Position at;
  std::string message;
  std::string file{};  // empty: that of the diagnostic
};

struct Diagnostic {
  std::string file;
  Position at;
  std::string message;  // lower case, no full stop
  std::string
      source_line;  // the offending line (an excerpt of it if it is long); may be empty
  std::uint64_t caret = 0;  // where in `source_line` the caret goes, from 1; 0: no caret
  std::vector<Note> notes;
};

using Diagnostics = std::vector<Diagnostic>;

template <class T>
using Expected = tl::expected<T, Diagnostics>;

// A diagnostic at byte `offset` of `text`, with its line, column and an excerpt of that
// line (at most 80 bytes around the place, unprintable bytes shown as '.').
Diagnostic diagnostic_at(std::string_view file, std::string_view text, std::size_t offset,
                         std::string message);

// A diagnostic about the file as a whole.
Diagnostic diagnostic_of_file(std::string_view file, std::string message);

// "file:line:col: error: message", then the line and a caret, then the notes.  Ends in
// '\n'.
std::string render(const Diagnostic& diagnostic);
std::string render(const Diagnostics& diagnostics);

// The bytes with unprintable ones shown as '.', for quoting input in a message.
std::string printable(std::string_view bytes);

// The position of byte `offset` in `text`.
Position position_of(std::string_view text, std::size_t offset);

}  // namespace isomer
