// SPDX-License-Identifier: MIT
// What SHOW ENGINE INNODB STATUS says of transactions: the one place where a server tells
// at once who waits.  INNODB_LOCK_WAITS is a copy that is made again only after nobody has
// read it for a tenth of a second.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace isomer::server {

// A lock of rows on one page of an index, held or waited for.
struct RowLocks {
  std::string page;              // "5 3": its tablespace and number
  std::set<std::uint32_t> rows;  // by their places in the heap of the page
  bool is_exclusive = false;
  bool is_of_gap = false;     // alone, without the row
  bool is_of_row = false;     // alone, without the gap
  bool is_of_insert = false;  // into the gap
  friend bool operator==(const RowLocks&, const RowLocks&) = default;
};

struct TransactionLocks {
  bool waits = false;
  bool is_complete = true;  // not too many to be shown
  RowLocks awaited;         // if it waits
  std::vector<RowLocks> all;
};

struct InnodbStatus {
  std::map<std::uint64_t, TransactionLocks> by_thread;
  bool purges = false;  // deleted rows are being removed for good
};

InnodbStatus parse_innodb_status(std::string_view text);

// Those whose locks the thread waits for, locks that are waited for included; nobody if
// that is not to be seen here.
std::set<std::uint64_t> blockers(const InnodbStatus& status, std::uint64_t thread);

}  // namespace isomer::server
