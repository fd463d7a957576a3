// SPDX-License-Identifier: MIT
// What a few clients recorded, as plainly as can be: the input of the oracle.  Keys and
// values are small numbers; every key is 0 (or the empty list) at first.  Their ids in the
// History are the same numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "history/history.h"

namespace isomer::check {

inline constexpr int key_count = 3;  // x, y, z

struct Op {
  bool is_write = false;
  int key = 0;
  int value = 0;          // of list-append reads: not used
  std::vector<int> list;  // of list-append reads
};

struct LoggedTxn {
  history::Status outcome = history::Status::Committed;
  std::vector<Op> ops;
};

struct Log {
  bool is_list_append = false;
  std::vector<std::vector<LoggedTxn>> sessions;

  // All transactions session by session; so their numbers, from 1, are ids of the History.
  [[nodiscard]] std::vector<const LoggedTxn*> txns() const;
};

history::History history_of(const Log& log);

// As people write histories down: "s1: { w(x,1) r(y,0) } { r(x,1) } abort".
std::string text(const Log& log);

// Every log that lacks one session, one transaction or one operation of this one.
std::vector<Log> smaller(const Log& log);

// The kinds of random logs.
enum class Profile : std::uint8_t {
  Arbitrary,   // reads return any value that somebody wrote
  Ambiguous,   // the same, with few values, the initial one among them
  Simulated,   // transactions work on snapshots, some of them old
  Outcomes,    // the same, with many aborts and unknown outcomes
  ListAppend,  // the same, with lists
};

inline constexpr std::array all_profiles = {Profile::Arbitrary, Profile::Ambiguous,
                                            Profile::Simulated, Profile::Outcomes,
                                            Profile::ListAppend};

std::string name(Profile profile);

// The oracle can take six transactions; the exhaustive search twice as many.
inline constexpr int small_log = 6;
inline constexpr int medium_log = 12;

Log random_log(Profile profile, std::uint64_t seed, int txns_max = small_log);

}  // namespace isomer::check
