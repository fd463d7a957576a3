// SPDX-License-Identifier: MIT
// JSON documents as trees, by simdjson.
#pragma once

#include <cstddef>
#include <memory>

#include "history/datum.h"
#include "history/format/format.h"

namespace isomer::history {

class JsonParser {
 public:
  JsonParser();
  ~JsonParser();

  // The one document in source.text[first, end).  The tree's texts live until the next call
  // or the end of the parser.
  tl::expected<void, Diagnostic> parse(const Source& source, std::size_t first,
                                       std::size_t end, DatumTree& tree);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The names of the outermost object's fields, as far as the first bytes show them; for an
// array, of its first element.  A guess for looks_like(): malformed JSON gives some answer.
bool has_json_field(std::string_view text, std::string_view name);

}  // namespace isomer::history
