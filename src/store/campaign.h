// SPDX-License-Identifier: MIT
// Many runs of a program, one for each seed, and what they came to.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/store.h"

namespace isomer::store {

struct Tally {
  std::uint64_t held = 0;
  std::uint64_t broken = 0;
};

// A run fails if it breaks an invariant or an ASSERT of the program.
bool is_failing(const Run& run);

struct Campaign {
  std::uint64_t runs = 0;  // completed
  std::uint64_t failing = 0;
  std::uint64_t unserializable = 0;
  std::uint64_t rolled_back = 0;  // transactions, of all runs
  std::uint64_t transactions = 0;
  std::map<std::string, Tally> invariants;
  std::optional<std::uint64_t> first_failing_seed;
  std::optional<std::uint64_t> first_unserializable_seed;
  std::string unknown;  // not empty: the time ran out, or a limit of ours was met
};

// The program that a seed stands for, ready to run.  It must stay where it is until the
// next call.  Null: there is none, and the campaign ends.
using StoreOfSeed = std::function<const Store*(std::uint64_t seed)>;

// Seeds options.seed, options.seed + 1, ...
Campaign run_many(const StoreOfSeed& store, const Options& options, std::uint64_t runs);

// Whether a run is one that serializability allows; absent if the time ran out.
// Certified; what a campaign counts is not.
std::optional<bool> is_serializable(const Run& run, const Budget& budget);

}  // namespace isomer::store
