// SPDX-License-Identifier: MIT
// What a transaction did when it ran.  Every engine that finds a run of a program tells it
// in this form: it runs each transaction again, with what its reads return decided before,
// and records all of them as a history.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "history/history.h"
#include "store/store.h"

namespace isomer::store {

// Every key that exists or may come to exist, for scans; the values do not count.
using KeyUniverse = std::map<KeyName, Value>;

// One access as it happened.
struct Access {
  bool is_write = false;
  KeyName key;
  Value value;
  std::uint32_t writer = 0;  // of a read: which committed transaction, from 1; 0: init
  // Of a read: how often its writer wrote the key again behind what was read.
  std::uint32_t later_writes = 0;
  program::Span at;
};

struct RanTransaction {
  TransactionOutcome outcome;
  std::string_view type;  // its name, in the program
  std::vector<Access> accesses;
  std::map<std::string, Value, std::less<>> locals;  // for litmus asserts
};

// What a read returns: a version, and who wrote it (as Access::writer has it).
struct ReadAnswer {
  std::uint32_t writer = 0;
  Value value;
};

RanTransaction rerun(const Program& program, Place place, std::vector<Value> arguments,
                     program::Granularity granularity, const KeyUniverse& universe,
                     const std::function<ReadAnswer(const KeyName&)>& answer);

// Values are shown as text.  If a transaction writes a value that its key has had before,
// the text gets a number ("60 #2"), so that it stays clear who read from whom.  Operations
// have places, "bank.sql:12".
history::History record(const Program& program, program::Granularity granularity,
                        const std::vector<RanTransaction>& transactions);

}  // namespace isomer::store
