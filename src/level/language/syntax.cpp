// SPDX-License-Identifier: MIT
#include "level/language/syntax.h"

namespace isomer::level {

Diagnostic diagnostic_at(const Program& program, Place place, std::string message) {
  const Source& source = program.sources[place.source];
  return isomer::diagnostic_at(source.file, source.text, place.offset, std::move(message));
}

Note note_at(const Program& program, Place place, std::string message) {
  const Source& source = program.sources[place.source];
  return {.at = position_of(source.text, place.offset),
          .message = std::move(message),
          .file = source.file};
}

}  // namespace isomer::level
