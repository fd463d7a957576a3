// SPDX-License-Identifier: MIT
#include "database/model.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::database {

Model::Model(const ServerKind& kind, const program::Program& program, std::size_t sessions,
             VictimChoice victim_choice, StepChoice step_choice, WakeChoice wake_choice)
    : Model(stepped_server(kind, program, sessions), std::move(victim_choice),
            std::move(step_choice), std::move(wake_choice)) {}

Model::Model(std::unique_ptr<SteppedServer> server, VictimChoice victim_choice,
             StepChoice step_choice, WakeChoice wake_choice)
    : state_(std::move(server)),
      victim_choice_(std::move(victim_choice)),
      step_choice_(std::move(step_choice)),
      wake_choice_(std::move(wake_choice)) {}

Reply Model::begin(SessionIndex session, const BeginOptions& options) {
  state_->begin(session, options);
  return {};
}

Reply Model::ask(SessionIndex session, const program::AsksServer& what,
                 const program::Bindings& bindings) {
  return go(session, {.kind = Task::Kind::Ask,
                      .what = what,
                      .variables = {bindings.variables.begin(), bindings.variables.end()},
                      .found = bindings.found,
                      .row_count = bindings.row_count});
}

Reply Model::commit(SessionIndex session) {
  return go(session, {.kind = Task::Kind::Commit});
}

Reply Model::rollback(SessionIndex session) {
  return go(session, {.kind = Task::Kind::RollBack});
}

Model Model::deciding(std::unique_ptr<SteppedServer> server, const Choice& choose) {
  const auto among = [choose](std::span<const SessionIndex> all) {
    return choose(all.size());
  };
  return Model(
      std::move(server), among,
      [choose](SessionIndex, std::size_t choices) { return choose(choices); }, among);
}

Reply Model::go(SessionIndex session, Task task) {
  auto reply = state_->start(session, std::move(task));
  if (!reply) reply = run_or_sleep(session);
  Reply out =
      reply ? std::move(*reply)
            : Reply{.kind = Reply::Kind::Waits, .waits_for = state_->blockers(session)};
  settle();
  // Who was in its way has fallen, and somebody else is.
  if (out.kind == Reply::Kind::Waits && out.waits_for.empty() &&
      state_->breaks_circles_at_once())
    out.waits_for = state_->blockers(session);
  return out;
}

std::optional<Reply> Model::run(SessionIndex session) {
  do {
    const std::size_t choices = state_->choices(session);
    if (choices > 1)
      state_->choose(session, step_choice_ ? step_choice_(session, choices) : 0);
    if (auto reply = state_->run(session)) return reply;
  } while (state_->blockers(session).empty());
  return std::nullopt;
}

SessionIndex Model::chosen_victim(std::span<const SessionIndex> circle) const {
  const auto victims = state_->victims_of(circle);
  const std::size_t chosen =
      victim_choice_ && victims.size() > 1 ? victim_choice_(victims) : 0;
  ISOMER_ASSERT(chosen < victims.size());
  return victims[chosen];
}

// A wait that closes a circle ends with an error for one of its members.
std::optional<Reply> Model::run_or_sleep(SessionIndex session) {
  Footprint touched;
  do {
    if (auto reply = run(session)) return reply;
    state_->sleep(session, touched);
    // It may have been let ahead of others, and has nobody to wait for then.
  } while (state_->blockers(session).empty());
  for (auto circle = state_->circle_of(session); !circle.empty();
       circle = state_->circle_of(session)) {
    const SessionIndex victim = chosen_victim(circle);
    Reply failure = state_->fail_as_victim(victim, touched);
    if (victim == session) return failure;
    woken_.emplace_back(victim, std::move(failure));
  }
  return std::nullopt;
}

bool Model::wakes_one() {
  std::vector<SessionIndex> ready = state_->sleepers();
  std::erase_if(ready,
                [&](SessionIndex session) { return !state_->blockers(session).empty(); });
  if (ready.empty()) return false;
  const std::size_t chosen = wake_choice_ && ready.size() > 1 ? wake_choice_(ready) : 0;
  ISOMER_ASSERT(chosen < ready.size());
  const SessionIndex session = ready[chosen];
  if (auto reply = run_or_sleep(session)) woken_.emplace_back(session, std::move(*reply));
  return true;
}

// A sleeper that waits for several, one after the other, may close a circle without waking.
std::vector<SessionIndex> Model::circle_of_who_waits_anew() {
  for (const SessionIndex session : state_->sleepers()) {
    if (waits_.size() <= session) waits_.resize(session + 1);
    auto waits = state_->blockers(session);
    if (waits == waits_[session]) continue;
    waits_[session] = std::move(waits);
    if (auto circle = state_->circle_of(session); !circle.empty()) return circle;
  }
  return {};
}

bool Model::breaks_circle() {
  const auto circle =
      state_->breaks_circles_at_once() ? state_->any_circle() : circle_of_who_waits_anew();
  if (circle.empty()) return false;
  Footprint touched;
  const SessionIndex victim = chosen_victim(circle);
  woken_.emplace_back(victim, state_->fail_as_victim(victim, touched));
  return true;
}

void Model::settle() {
  while (breaks_circle() || wakes_one()) {
  }
}

std::vector<std::pair<SessionIndex, Reply>> Model::woken() {
  return std::exchange(woken_, {});
}

std::vector<std::vector<std::vector<program::Value>>> Model::committed_rows() {
  return state_->committed_rows();
}

}  // namespace isomer::database
