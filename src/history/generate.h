// SPDX-License-Identifier: MIT
// Random histories, for tests and benchmarks.  Same options, same history.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "history/history.h"

namespace isomer::history {

enum class Mode : std::uint8_t {
  Serial,         // one transaction after another
  Snapshot,       // concurrent, first committer wins
  Causal,         // replicas that receive each other's transactions late, in causal order
  ReadCommitted,  // each read sees some committed state, later reads later ones
  Broken,         // serial, with one injected violation of fresh keys
};

enum class Skew : std::uint8_t { Uniform, Zipf, Hotspot };

// What a broken history has in it, and which levels do not allow that.  Weaker levels than
// those named do; for example, a lost update is no problem for RC, RA, CC and PC.
enum class Injection : std::uint8_t {
  // Every level.
  ThinAirRead,       // of a value that nobody wrote
  AbortedRead,       // of a value that an aborted transaction wrote
  IntermediateRead,  // of a value that its writer overwrote
  FutureRead,        // of the transaction's own later write
  NotOwnLastWrite,   // of an own write, after another own write
  OwnWriteIgnored,   // of the initial value, after an own write
  NonMonotonicRead,  // of a version older than the transaction has read before
  WrCycle,           // two transactions that read from each other
  // RA and stronger.
  NonRepeatableRead,  // of two versions, the older one first
  FracturedRead,      // of a key before, of another one after the same transaction
  ReadYourWrites,     // the session's own earlier write is missing
  // CC and stronger.
  MonotonicReads,      // a later transaction of the session reads an older version
  MonotonicWrites,     // of two writes of a session, only the second is seen
  WritesFollowReads,   // a write is seen, but not what its session had read before it
  CausalityViolation,  // an overwritten version is read after one that depends on the new
  OrderCycle,          // two readers, each of whom tells another order of two writes
  // PC, SI and SER; not PSI.
  LongFork,  // two readers, each of whom sees another one of two writes first
  // PSI, SI and SER; not PC.
  LostUpdate,  // two updates of the same version
  // SER only.
  WriteSkew,        // two transactions that each overwrite what the other one read
  ReadOnlyAnomaly,  // the like, which only a third, reading transaction reveals
};

struct GenerateOptions {
  Mode mode = Mode::Snapshot;
  std::uint32_t sessions = 10;
  std::uint32_t transactions = 1000;  // in all sessions together, aborted ones included
  std::uint32_t operations = 8;       // a transaction
  std::uint32_t keys = 1000;
  double reads = 0.5;  // the fraction of operations that read
  Skew skew = Skew::Uniform;
  double aborts = 0;    // the fraction of transactions that abort
  double unknowns = 0;  // the fraction whose outcome is not recorded; half took effect
  std::uint32_t values =
      0;  // 0: every write is unique; else values are 1..values (ambiguous)
  std::optional<Injection> injection;  // Broken only; absent: drawn from the seed
  std::uint64_t seed = 1;
};

// Sessions and keys are numbered from 0, and every key is initially 0.  Transactions are
// begun in the order in which they committed.  A number of sessions, keys or operations
// that is 0 is taken as 1; time and memory grow with transactions * operations + keys.
History generate(const GenerateOptions& options);

// Every injection, in the order of the enumeration.
std::span<const Injection> injections();

std::optional<Injection> injection_named(std::string_view name);  // "lost-update"
std::string_view name(Injection injection);

}  // namespace isomer::history
