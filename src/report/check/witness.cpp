// SPDX-License-Identifier: MIT
// The visibility relation that a PSI witness implies: so, wr, and for each key the versions
// in arbitration order.  Consecutive pairs suffice, since visibility is transitive.
#include <algorithm>
#include <map>
#include <utility>

#include "report/check/report.h"

namespace isomer::report {
namespace {

using history::History;
using history::TxnId;
using Pairs = std::vector<std::pair<TxnId, TxnId>>;

void add_session_order(const History& history, const std::vector<bool>& is_in, Pairs& vis) {
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    TxnId last = history::init;
    const TxnId end = history.end_txn({s});
    for (TxnId t = history.first_txn({s}); t < end; ++t.index) {
      if (!is_in[t.index]) continue;
      vis.emplace_back(last, t);
      last = t;
    }
  }
}

void add_reads(const History& history, const check::Consistent& witness, Pairs& vis) {
  std::map<history::ReadId, TxnId> chosen;
  for (const check::Choice& choice : witness.choices)
    chosen[choice.read] = choice.writer;
  const auto offsets = history.read_offsets();
  for (const TxnId t : witness.commit_order) {
    const auto reads = history.reads(t);
    for (std::uint32_t i = 0; i < reads.size(); ++i) {
      TxnId writer = reads[i].writer;
      if (writer.is_none()) {
        const auto choice = chosen.find({offsets[t.index] + i});
        if (choice == chosen.end()) continue;
        writer = choice->second;
      }
      vis.emplace_back(writer, t);
    }
  }
}

void add_versions(const History& history, const check::Consistent& witness, Pairs& vis) {
  std::vector<TxnId> last_writer(history.key_count(), history::init);
  for (const TxnId t : witness.commit_order)
    for (const history::KeyId key : history.writes(t))
      vis.emplace_back(std::exchange(last_writer[key.index], t), t);
}

}  // namespace

Pairs visibility(const History& history, const check::Consistent& witness) {
  std::vector<bool> is_in(history.txn_count(), false);
  for (const TxnId t : witness.commit_order)
    is_in[t.index] = true;
  Pairs vis;
  add_session_order(history, is_in, vis);
  add_reads(history, witness, vis);
  add_versions(history, witness, vis);
  std::erase_if(vis, [](const auto& pair) {
    return pair.first == history::init || pair.first == pair.second;
  });
  std::sort(vis.begin(), vis.end());
  vis.erase(std::unique(vis.begin(), vis.end()), vis.end());
  return vis;
}

}  // namespace isomer::report
