// SPDX-License-Identifier: MIT
// What no swap can undo.
//
// A swap deletes or changes only reads that read from the latest writer of their causal
// past (Optimality).  So a read whose writer is not in the past that it had without this
// read is there to stay; and so is everything that it depends on: were any of that deleted
// or changed, the read itself would be deleted too.  Its own past never changes, so this
// stays true.  The events that such reads depend on are thus a prefix of every history that
// the search reaches from here.  If a level that is closed under prefixes forbids them, it
// forbids all those histories, and the branch can be left.
#pragma once

#include "explore/consistency.h"

namespace isomer::explore {

template <std::size_t Words>
std::vector<Part> fixed_part(const OrderedHistory<Words>& history) {
  using Set = TxnSet<Words>;
  Set whole;
  std::vector<std::uint32_t> read_ends(history.transactions().size(), 0);
  for (std::uint32_t position = 0; position < read_ends.size(); ++position) {
    const OrderedTxn& txn = history.transactions()[position];
    Set past = history.session_past(txn.number);
    for (std::uint32_t i = txn.first_read; i < history.read_end(position); ++i) {
      const TxnNumber writer = history.reads()[i].writer;
      const bool is_fixed = !past.contains(writer);
      past |= history.past(writer);
      past.insert(writer);
      if (!is_fixed) continue;
      read_ends[position] = i + 1;
      whole |= past;
    }
  }
  std::vector<Part> out;
  for (std::uint32_t position = 0; position < read_ends.size(); ++position)
    if (whole.contains(history.transactions()[position].number))
      out.push_back({position, history.read_end(position), true});
    else if (read_ends[position] != 0)
      out.push_back({position, read_ends[position], false});
  return out;
}

}  // namespace isomer::explore
