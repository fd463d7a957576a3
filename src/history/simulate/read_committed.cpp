// SPDX-License-Identifier: MIT
// Transactions of all sessions interleave operation by operation, and each read returns the
// value that was committed last.  So whatever a transaction has read from, its later reads
// return that version or one committed after it: read committed as in Biswas & Enea, with
// the order of commits as the commit order.
#include "history/simulate/recorder.h"
#include "history/simulate/sessions.h"
#include "history/simulate/simulate.h"

namespace isomer::history::simulate {

History read_committed(const GenerateOptions& options) {
  Workload workload(options);
  Recorder recorder(options);
  Sessions sessions(options);
  std::vector<Transaction> running(options.sessions);
  std::vector<std::int64_t> committed(options.keys);

  while (!sessions.are_done()) {
    const std::uint32_t session = sessions.draw(workload.random);
    Transaction& txn = running[session];
    if (txn.steps.empty()) workload.draw(txn);
    workload.execute(txn, [&](std::uint32_t key) { return committed[key]; });
    if (!txn.is_done()) continue;

    recorder.record(session, txn);
    if (takes_effect(txn.fate))
      for_each_last_write(
          txn, [&](std::uint32_t key, std::int64_t value) { committed[key] = value; });
    txn.steps.clear();
    sessions.finish_transaction();
  }
  return recorder.history();
}

}  // namespace isomer::history::simulate
