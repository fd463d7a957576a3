// SPDX-License-Identifier: MIT
#include "audit/harm.h"

#include <algorithm>
#include <numeric>

#include "store/store.h"

namespace isomer::audit {
namespace {

constexpr double replay_seconds = 5;

// The same calls in one session, in this order.
Program serial_program(const Program& program, const std::vector<std::size_t>& order) {
  Program out = program;
  program::Session session{.name = "serial", .calls = {}};
  for (const std::size_t i : order)
    session.calls.push_back(program.sessions[i].calls.front());
  out.sessions = {std::move(session)};
  return out;
}

using Results = std::vector<std::string>;  // by call of the scenario

std::string told(const store::TransactionOutcome& outcome) {
  return outcome.is_committed ? to_text(outcome.result) : "rolled back";
}

}  // namespace

std::optional<bool> has_serial_outcome(const Program& scenario,
                                       const history::History& history,
                                       const Options& options,
                                       const check::AskedLevel& level) {
  store::Options scripted;
  scripted.policy = store::Policy::Script;
  scripted.script = &history;
  scripted.level = level;
  scripted.granularity = options.granularity;
  scripted.budget = options.budget.within(replay_seconds);
  const store::Run run = store::Store(scenario).run(scripted);
  if (run.divergence || !run.unknown.empty() || !run.is_allowed) return std::nullopt;
  Results results(scenario.sessions.size());
  for (const store::TransactionOutcome& outcome : run.transactions)
    results[outcome.session] = told(outcome);
  std::vector<std::size_t> order(scenario.sessions.size());
  std::iota(order.begin(), order.end(), 0);
  store::Options serial;
  serial.granularity = options.granularity;
  do {
    const Program one = serial_program(scenario, order);
    const store::Run other = store::Store(one).run(serial);
    Results others(order.size());
    for (const store::TransactionOutcome& outcome : other.transactions)
      others[order[outcome.index]] = told(outcome);
    if (others == results && other.final_state == run.final_state) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

}  // namespace isomer::audit
