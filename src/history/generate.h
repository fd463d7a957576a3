// SPDX-License-Identifier: MIT
// Random histories, for tests and benchmarks.  Same options, same history.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "history/history.h"

namespace isomer::history {

enum class Mode : std::uint8_t {
  Serial,         // one transaction after another
  Snapshot,       // concurrent, first committer wins
  Causal,         // replicas that receive each other's transactions late, in causal order
  ReadCommitted,  // each read sees some committed state, later reads later ones
  Broken,         // serial, with one injected violation
};

enum class Skew : std::uint8_t { Uniform, Zipf, Hotspot };

enum class Injection : std::uint8_t {
  AbortedRead,
  IntermediateRead,
  ThinAirRead,
  FutureRead,
  NotOwnLastWrite,
  NonMonotonicRead,
  NonRepeatableRead,
  FracturedRead,
  ReadYourWrites,
  CausalityViolation,
  LongFork,
  LostUpdate,
  WriteSkew,
  ReadOnlyAnomaly,
  WrCycle,
};

struct GenerateOptions {
  Mode mode = Mode::Snapshot;
  std::uint32_t sessions = 10;
  std::uint32_t transactions = 1000;  // in all sessions together
  std::uint32_t operations = 8;       // a transaction
  std::uint32_t keys = 1000;
  double reads = 0.5;  // the fraction of operations that read
  Skew skew = Skew::Uniform;
  double aborts = 0;    // the fraction of transactions that abort
  double unknowns = 0;  // the fraction whose outcome is not recorded
  std::uint32_t values =
      0;  // 0: every write is unique; else values are 1..values (ambiguous)
  std::optional<Injection> injection;  // Broken only; absent: drawn from the seed
  std::uint64_t seed = 1;
};

History generate(const GenerateOptions& options);

std::optional<Injection> injection_named(std::string_view name);  // "lost-update"
std::string_view name(Injection injection);

}  // namespace isomer::history
