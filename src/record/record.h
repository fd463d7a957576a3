// SPDX-License-Identifier: MIT
// The front door: runs the sessions of a scenario on a real PostgreSQL, all at once, and
// tells the run as a history: who wrote each version that was read, in which order the
// transactions committed, and what became of those that did not.
//
// The server itself says all of it (live_run.h): its snapshots which commits a statement
// saw, and triggers which versions a change replaced.  Nothing rests on values or clocks.
// A run that does not add up is none: then `problem` says what the server told that cannot
// be.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "history/history.h"
#include "record/live_run.h"

namespace isomer::record {

struct Recording {
  history::History history;
  std::uint64_t committed = 0;
  std::uint64_t unknown = 0;
  // Transactions that were rolled back, by SQLSTATE; of the program itself "P0001".
  std::map<std::string, std::uint64_t> rolled_back;
  std::uint64_t statements = 0;
  // Statements that saw more than one moment: at READ COMMITTED a statement that waited for
  // a row goes on with its newest version, beside older ones.
  std::uint64_t mixed = 0;
  // Rows that came, at REPEATABLE READ or SERIALIZABLE, under a key that somebody else gave
  // up after the snapshot: PostgreSQL looks whether a key is free in what is committed now.
  std::uint64_t reused_keys = 0;
  // Statements whose answer is not what we compute from what they saw: their reads are left
  // out, but for rows that they changed or locked.
  std::uint64_t unexplained = 0;
  std::string first_unexplained;  // its place, "bank.sql:12"
  // Rows of which the server has another version at the end than the record says, as
  // "account/1": a commit was lost, or somebody else has written.
  std::vector<std::string> different;
  bool has_final_rows = false;
  double seconds = 0;
  std::uint32_t losses = 0;       // of connections
  std::vector<double> latencies;  // of committed transactions, in seconds, sorted
};

// Otherwise what the server has against it, or what does not add up.
tl::expected<Recording, std::string> record(const database::Scenario& scenario,
                                            const LiveOptions& options);

// What the run of this scenario is as a history.
tl::expected<Recording, std::string> recording_of(const database::Scenario& scenario,
                                                  LiveRun run);

}  // namespace isomer::record
