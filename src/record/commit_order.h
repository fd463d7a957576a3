// SPDX-License-Identifier: MIT
// In which order the transactions of a run on PostgreSQL committed, from what its snapshots
// saw.
//
// A snapshot says which transactions were running; everybody with a smaller number, and not
// among them, is seen by it if it committed.  PostgreSQL takes snapshots while nobody
// commits, so what one snapshot sees is a part of what the next one sees.  Sorted by how
// many writers they see, the snapshots are prefixes of the one order of commits.  Writers
// between two of them nobody has told apart; there, who overwrote a version comes behind
// its writer, who inserted a row behind who had deleted one with its key, and otherwise the
// client's order counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isomer::record {

// Numbers of transactions mean something from one start of the server to the next: after a
// crash, those that had left no trace are given again.
struct Snapshot {
  std::uint32_t start = 0;
  std::uint64_t first_running = 0;  // all below have ended
  std::uint64_t next = 0;           // all from here on had not begun
  std::vector<std::uint64_t> running{};
};

// "740:745:741,743", as pg_current_snapshot writes it.
std::optional<Snapshot> parse_snapshot(std::string_view text, std::uint32_t start);

// A transaction does not count itself as running, though it has not committed.
void add_running(Snapshot& to, std::uint64_t number);

// A transaction that committed and has written something.
struct Writer {
  std::uint32_t start = 0;
  std::uint64_t number = 0;          // of the transaction, in the server
  std::uint64_t acknowledged = 0;    // its place in the order in which the client heard
  std::vector<std::size_t> after{};  // writers whose versions it overwrote
  // Keys, by any number, whose rows it deleted, and those under which it inserted rows.
  std::vector<std::uint64_t> frees{};
  std::vector<std::uint64_t> takes{};
};

struct CommitOrder {
  std::vector<std::uint32_t> place;  // of each writer, from 1
  std::vector<std::uint32_t> seen;   // by each snapshot: so many of the first writers
  std::string problem;               // not empty: there is no such order
};

CommitOrder order_commits(std::span<const Writer> writers,
                          std::span<const Snapshot> snapshots);

}  // namespace isomer::record
