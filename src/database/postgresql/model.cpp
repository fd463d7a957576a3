// SPDX-License-Identifier: MIT
#include "database/postgresql/model.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::database::postgresql {

Model::Model(const program::Program& program, std::size_t sessions, VictimChoice choice)
    : backends_(program, sessions), choice_(std::move(choice)) {}

Reply Model::begin(SessionIndex session, const BeginOptions& options) {
  backends_.begin(session, options);
  return {};
}

Reply Model::ask(SessionIndex session, const program::AsksServer& what,
                 const program::Bindings& bindings) {
  return go(session, {.kind = Work::Kind::Ask,
                      .what = what,
                      .variables = {bindings.variables.begin(), bindings.variables.end()},
                      .found = bindings.found,
                      .row_count = bindings.row_count});
}

Reply Model::commit(SessionIndex session) {
  return go(session, {.kind = Work::Kind::Commit});
}

Reply Model::rollback(SessionIndex session) {
  return go(session, {.kind = Work::Kind::RollBack});
}

Reply Model::go(SessionIndex session, Work work) {
  auto reply = backends_.start(session, std::move(work));
  if (!reply) reply = run_or_sleep(session);
  Reply out =
      reply ? std::move(*reply)
            : Reply{.kind = Reply::Kind::Waits, .waits_for = backends_.blockers(session)};
  settle();
  return out;
}

// A wait that closes a circle ends with an error for one of its members.
std::optional<Reply> Model::run_or_sleep(SessionIndex session) {
  if (auto reply = backends_.run(session)) return reply;
  backends_.sleep(session);
  for (auto circle = backends_.deadlock_of(session); !circle.empty();
       circle = backends_.deadlock_of(session)) {
    const std::size_t chosen = choice_ ? choice_(circle) : 0;
    ISOMER_ASSERT(chosen < circle.size());
    const SessionIndex victim = circle[chosen];
    Footprint touched;
    Reply failure = backends_.fail(victim, deadlock_detected(), touched);
    if (victim == session) return failure;
    woken_.emplace_back(victim, std::move(failure));
  }
  return std::nullopt;
}

bool Model::wakes_one() {
  for (const SessionIndex session : backends_.sleepers()) {
    if (!backends_.blockers(session).empty()) continue;
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
  const State& state = backends_.state();
  const Snapshot all{.commits = state.commits};
  std::vector<std::vector<std::vector<program::Value>>> out;
  for (std::uint32_t table = 0; table < state.heaps.size(); ++table) {
    auto& rows = out.emplace_back();
    for (const Version& version : state.heap({table})) {
      if (!state.is_visible(version, all)) continue;
      const auto columns =
          version.values.items().first(state.table({table}).columns.size());
      rows.emplace_back(columns.begin(), columns.end());
    }
    std::sort(rows.begin(), rows.end());
  }
  return out;
}

}  // namespace isomer::database::postgresql
