// SPDX-License-Identifier: MIT
// What the sessions of a simulated database ask for: transactions drawn at random, and what
// becomes of them.  The simulations decide only what the reads return.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "history/generate.h"
#include "history/simulate/key_sampler.h"

namespace isomer::history::simulate {

// One operation of a planned transaction.
struct Step {
  static constexpr std::uint32_t no_step = 0xffffffffU;

  std::uint32_t key;
  std::uint32_t own_write;  // the latest earlier step that writes the key, or no_step
  OpKind kind;
  bool is_last_write;  // a write that no later step overwrites
};

enum class Fate : std::uint8_t { Commit, Abort, UnknownApplied, UnknownLost };

[[nodiscard]] bool takes_effect(Fate fate);
[[nodiscard]] Status status(Fate fate);

// A transaction on its way: `values` has what its first steps read or wrote.
struct Transaction {
  Fate fate = Fate::Commit;
  std::vector<Step> steps;
  std::vector<std::int64_t> values;

  [[nodiscard]] bool is_done() const { return values.size() == steps.size(); }

  [[nodiscard]] const Step& next_step() const { return steps[values.size()]; }
};

class Workload {
 public:
  explicit Workload(const GenerateOptions& options);

  // The next transaction; `txn` is overwritten.
  void draw(Transaction& txn);

  std::int64_t fresh_value(std::uint32_t key);

  // Executes the next step.  `read` tells what an external read of a key returns.
  template <class Read>
  void execute(Transaction& txn, Read read) {
    const Step& step = txn.next_step();
    if (step.kind == OpKind::Write)
      txn.values.push_back(fresh_value(step.key));
    else if (step.own_write != Step::no_step)
      txn.values.push_back(txn.values[step.own_write]);
    else
      txn.values.push_back(read(step.key));
  }

  Random random;

 private:
  Fate draw_fate();

  GenerateOptions options_;
  KeySampler sampler_;
  std::vector<std::uint32_t> written_;     // by key: values handed out so far
  std::vector<std::uint32_t> last_write_;  // by key: scratch of draw()
};

// Calls install(key, value) for each key that a finished transaction leaves changed.
template <class Install>
void for_each_last_write(const Transaction& txn, Install install) {
  for (std::size_t i = 0; i < txn.steps.size(); ++i)
    if (txn.steps[i].is_last_write) install(txn.steps[i].key, txn.values[i]);
}

}  // namespace isomer::history::simulate
