// SPDX-License-Identifier: MIT
// EDN, Clojure's notation for data: one form after another as trees.  Commas are blanks,
// ';' begins a comment, #_ discards the next form, and the tag of a tagged form is ignored,
// so that #jepsen.history.Op{...} is a map.
#pragma once

#include "history/datum.h"
#include "history/format/cursor.h"
#include "history/format/format.h"

namespace isomer::history {

class EdnParser {
 public:
  explicit EdnParser(const Source& source) : source_(source), cursor_(source.text) {}

  // The next form of the file; false at its end.  One list or vector around all forms is
  // taken off.
  tl::expected<bool, Diagnostic> next(DatumTree& tree);

 private:
  using Done = tl::expected<void, Diagnostic>;

  void skip_blanks();
  Done skip_ignored(DatumTree& tree, std::size_t depth);
  // The cursor stands on the form.
  Done form(DatumTree& tree, std::size_t depth);
  Done hash_form(DatumTree& tree, std::size_t depth);
  Done sequence(DatumTree& tree, DatumKind kind, char closer, std::size_t depth);
  Done text(DatumTree& tree);
  Done atom(DatumTree& tree);
  [[nodiscard]] Diagnostic expected(std::string_view what) const;

  const Source& source_;
  Cursor cursor_;
  bool is_begun_ = false;
  char closer_ = 0;  // of the list around all forms, if there is one
  std::size_t opened_ = 0;
};

// The offset of the first form, after blanks, comments and tags.  For looks_like().
std::size_t first_edn_form(std::string_view text);

}  // namespace isomer::history
