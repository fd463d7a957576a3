// SPDX-License-Identifier: MIT
#include "support/audit/serial_outcomes.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "explore/explore.h"
#include "history/formats.h"
#include "store/store.h"

namespace isomer::test {
namespace {

using program::Program;

// What one can see of a run: what each session was told, and the state in the end.
struct Seen {
  std::vector<std::string> told;  // by session; empty: rolled back
  store::FinalState state;

  friend auto operator<=>(const Seen&, const Seen&) = default;
};

Seen seen(const Program& scenario, const store::Run& run,
          const std::vector<std::size_t>* order) {
  Seen out;
  out.told.resize(scenario.sessions.size());
  for (const store::TransactionOutcome& outcome : run.transactions) {
    const std::size_t session =
        order == nullptr ? outcome.session : (*order)[outcome.index];
    if (outcome.is_committed) out.told[session] = "gives " + to_text(outcome.result);
  }
  out.state = run.final_state;
  return out;
}

// Every order of every subset of the calls that all commit.
std::set<Seen> serial_outcomes(const Program& scenario, program::Granularity granularity) {
  std::set<Seen> out;
  Program one = scenario;
  one.sessions.assign(1, {.name = "serial", .calls = {}});
  const std::size_t count = scenario.sessions.size();
  for (std::size_t subset = 0; subset < (std::size_t{1} << count); ++subset) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count; ++i)
      if ((subset >> i & 1U) != 0) order.push_back(i);
    do {
      one.sessions[0].calls.clear();
      for (const std::size_t i : order)
        one.sessions[0].calls.push_back(scenario.sessions[i].calls.front());
      store::Options options;
      options.granularity = granularity;
      const Seen end = seen(scenario, store::Store(one).run(options), &order);
      const bool all_commit = std::all_of(
          order.begin(), order.end(), [&](std::size_t i) { return !end.told[i].empty(); });
      if (all_commit) out.insert(end);
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return out;
}

}  // namespace

Outcomes compared_with_serial(const Program& scenario, const check::AskedLevel& level,
                              program::Granularity granularity) {
  const std::set<Seen> serial = serial_outcomes(scenario, granularity);
  Outcomes out;
  std::atomic<bool> is_done = false;
  explore::Options options;
  options.level = level;
  if (!level.built_in) options.base = explore::Base::RA;
  options.granularity = granularity;
  options.budget = Budget(10, &is_done);
  options.on_history = [&](const history::History& history) {
    ++out.histories;
    store::Options scripted;
    scripted.policy = store::Policy::Script;
    scripted.script = &history;
    scripted.level = level;
    scripted.granularity = granularity;
    const store::Run run = store::Store(scenario).run(scripted);
    if (run.divergence || !run.unknown.empty() || !run.is_allowed) return;
    if (serial.contains(seen(scenario, run, nullptr))) return;
    out.harm = history::write_history(history, "hist").value().bytes;
    is_done = true;
  };
  out.is_complete = explore::explore(scenario, options).is_complete;
  return out;
}

}  // namespace isomer::test
