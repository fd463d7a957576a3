// SPDX-License-Identifier: MIT
// A level that a history is to be checked against: one of the built-in ones, which have
// checkers of their own, or one that is decided from its text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "check/level.h"
#include "level/level.h"

namespace isomer::check {

struct AskedLevel {
  // NOLINTNEXTLINE(google-explicit-constructor): a built-in level is one to ask for
  AskedLevel(Level level);
  // `name` is what the person called it.  Levels of the standard library that are known to
  // allow the same histories as a built-in one are taken as that.
  AskedLevel(std::string name, level::Level definition);

  std::string name;
  std::string title;              // "snapshot isolation"; the name if it has none
  std::optional<Level> built_in;  // whose checker decides
  std::optional<level::Level>
      definition;  // the text that decides, unless built_in is there

  friend bool operator==(const AskedLevel& a, const AskedLevel& b) {
    return a.name == b.name;
  }
};

// A level of the standard library that allows the same histories as a built-in one.
struct TextOfBuiltIn {
  std::string_view name;  // "cerone:SI"
  Level level;
};

std::span<const TextOfBuiltIn> texts_of_built_ins();

// Every history that `strong` allows, `weak` is known to allow too.
bool is_stronger_or_equal(const AskedLevel& strong, const AskedLevel& weak);

}  // namespace isomer::check
