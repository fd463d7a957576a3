// SPDX-License-Identifier: MIT
#include "history/simulate/workload.h"

namespace isomer::history::simulate {

bool takes_effect(Fate fate) {
  return fate == Fate::Commit || fate == Fate::UnknownApplied;
}

Status status(Fate fate) {
  switch (fate) {
    case Fate::Commit:
      return Status::Committed;
    case Fate::Abort:
      return Status::Aborted;
    case Fate::UnknownApplied:
    case Fate::UnknownLost:
      return Status::Unknown;
  }
  return Status::Committed;
}

Workload::Workload(const GenerateOptions& options)
    : random(options.seed),
      options_(options),
      sampler_(options.skew, options.keys),
      written_(options.keys, 0),
      last_write_(options.keys, Step::no_step) {}

Fate Workload::draw_fate() {
  const double roll = random.unit();
  if (roll < options_.aborts) return Fate::Abort;
  if (roll >= options_.aborts + options_.unknowns) return Fate::Commit;
  return random.below(2) == 0 ? Fate::UnknownApplied : Fate::UnknownLost;
}

void Workload::draw(Transaction& txn) {
  txn.fate = draw_fate();
  txn.steps.clear();
  txn.values.clear();
  for (std::uint32_t i = 0; i < options_.operations; ++i) {
    const OpKind kind = random.chance(options_.reads) ? OpKind::Read : OpKind::Write;
    const std::uint32_t key = sampler_.draw(random);
    const std::uint32_t own_write = last_write_[key];
    txn.steps.push_back({key, own_write, kind, kind == OpKind::Write});
    if (kind == OpKind::Read) continue;
    if (own_write != Step::no_step) txn.steps[own_write].is_last_write = false;
    last_write_[key] = i;
  }
  for (const Step& step : txn.steps)
    last_write_[step.key] = Step::no_step;
}

std::int64_t Workload::fresh_value(std::uint32_t key) {
  if (options_.values == 0) return ++written_[key];
  return static_cast<std::int64_t>(random.below(options_.values)) + 1;
}

}  // namespace isomer::history::simulate
