// SPDX-License-Identifier: MIT
#include "database/model.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::database {

Model::Model(const ServerKind& kind, const program::Program& program, std::size_t sessions,
             VictimChoice choice)
    : Model(stepped_server(kind, program, sessions), std::move(choice)) {}

Model::Model(std::unique_ptr<SteppedServer> server, VictimChoice choice)
    : state_(std::move(server)), choice_(std::move(choice)) {}

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

Reply Model::go(SessionIndex session, Task task) {
  auto reply = state_->start(session, std::move(task));
  if (!reply) reply = run_or_sleep(session);
  Reply out =
      reply ? std::move(*reply)
            : Reply{.kind = Reply::Kind::Waits, .waits_for = state_->blockers(session)};
  settle();
  return out;
}

// A wait that closes a circle ends with an error for one of its members.
std::optional<Reply> Model::run_or_sleep(SessionIndex session) {
  Footprint touched;
  do {
    if (auto reply = state_->run(session)) return reply;
    state_->sleep(session, touched);
    // It may have been let ahead of others, and has nobody to wait for then.
  } while (state_->blockers(session).empty());
  for (auto circle = state_->circle_of(session); !circle.empty();
       circle = state_->circle_of(session)) {
    const auto victims = state_->victims_of(circle);
    const std::size_t chosen = choice_ ? choice_(victims) : 0;
    ISOMER_ASSERT(chosen < victims.size());
    const SessionIndex victim = victims[chosen];
    Reply failure = state_->fail_as_victim(victim, touched);
    if (victim == session) return failure;
    woken_.emplace_back(victim, std::move(failure));
  }
  return std::nullopt;
}

bool Model::wakes_one() {
  for (const SessionIndex session : state_->sleepers()) {
    if (!state_->blockers(session).empty()) continue;
    if (auto reply = run_or_sleep(session)) woken_.emplace_back(session, std::move(*reply));
    return true;
  }
  return false;
}

void Model::settle() {
  while (wakes_one()) {
  }
}

std::vector<std::pair<SessionIndex, Reply>> Model::woken() {
  return std::exchange(woken_, {});
}

std::vector<std::vector<std::vector<program::Value>>> Model::committed_rows() {
  return state_->committed_rows();
}

}  // namespace isomer::database
