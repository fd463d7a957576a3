// SPDX-License-Identifier: MIT
// What a level still allows of a run that is going on.
//
// The question is put to `check` each time, but for the built-in levels of a history that
// has only what matters: a key that nobody but the initial transaction has written leaves a
// reader no choice and binds nobody, since their axioms speak of two writers of a key.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "check/asked_level.h"

namespace isomer::store {

// Transactions are numbered as they ran, from 1; 0 is the initial one.
struct RunTransaction {
  std::uint32_t session = 0;
  std::string_view type;  // its name, for levels that tell types apart

  struct Read {
    std::uint32_t key;
    std::uint32_t writer;
  };

  std::vector<Read> reads;
  std::vector<std::uint32_t> writes;  // keys, each once
};

// Whether the level allows these transactions, in this order within each session; nothing
// if there is not the time or the memory to tell.
std::optional<bool> is_allowed(const std::vector<RunTransaction>& transactions,
                               const check::AskedLevel& level, const Budget& budget);

// The run with an observer, who has seen every transaction that wrote something, and reads
// keys from these writers.  If the level allows that, these may be the last versions
// (final_states.h says why).
std::vector<RunTransaction> observed(std::vector<RunTransaction> transactions,
                                     const std::vector<RunTransaction::Read>& reads);

}  // namespace isomer::store
