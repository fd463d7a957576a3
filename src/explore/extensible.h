// SPDX-License-Identifier: MIT
// Can a level be the base of an exploration?  Theorem 5.1 of the paper wants two things of
// it:
//
//   prefix-closed        it allows every prefix of a history that it allows
//   (definition 3.1) causally extensible  in a history that it allows, a transaction on
//   which nobody depends
//                        may write, and may read any key from somebody on whom it depends
//                        already (definition 3.3)
//
// A level that lacks one of these has a smallest history that shows it, mostly a very small
// one.  So all histories are tried, those with fewest reads and writes first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "check/asked_level.h"
#include "history/history.h"

namespace isomer::explore {

enum class Gap : std::uint8_t { Prefix, Begin, Read, Write };

// A history that the level allows, and what the level forbids although it should not: the
// history without its last event; or with one more, the read from whomever it depends on.
// What they say was certified.
struct NotExtensible {
  Gap gap = Gap::Prefix;
  history::History allowed;
  std::vector<history::History> forbidden;
  std::string event;  // "b/1 reads x"; empty for a prefix
};

struct Extensibility {
  std::optional<NotExtensible> counterexample;
  std::uint32_t events = 0;  // all histories with up to so many reads and writes were tried
  std::uint64_t histories = 0;  // how many that were
};

inline constexpr std::uint32_t extensibility_events_max = 4;

Extensibility extensibility_of(const check::AskedLevel& level, const Budget& budget,
                               std::uint32_t events_max = extensibility_events_max);

// Levels that are known to have both properties, as texts; the argument is in
// docs/engines/explore.md.  A level that allows the same histories as one of them has them
// too.
std::string_view extensible_levels();

}  // namespace isomer::explore
