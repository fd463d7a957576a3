// SPDX-License-Identifier: MIT
#include "database/stepped_server.h"

#include <algorithm>

#include "base/assert.h"
#include "database/innodb/engine.h"
#include "database/postgresql/backends.h"
#include "database/recorded_server.h"
#include "database/sqlite/connections.h"

namespace isomer::database {

std::unique_ptr<SteppedServer> stepped_server(const ServerKind& kind,
                                              const program::Program& program,
                                              std::size_t sessions) {
  if (kind.database == Database::Sqlite)
    return std::make_unique<sqlite::Connections>(kind, program, sessions);
  if (kind.database == Database::MariaDb)
    return std::make_unique<innodb::Engine>(kind, program, sessions);
  return std::make_unique<postgresql::Backends>(program, sessions);
}

std::unique_ptr<SteppedServer> recorded_server(const ServerKind& kind,
                                               const program::Program& program,
                                               std::size_t sessions) {
  return std::make_unique<RecordedServer>(stepped_server(kind, program, sessions),
                                          sessions);
}

std::optional<Reply> SteppedServer::run(SessionIndex session) {
  Footprint touched;
  while (blockers(session).empty()) {
    if (auto reply = step(session, touched)) return reply;
    if (choices(session) > 1) return std::nullopt;
  }
  return std::nullopt;
}

bool SteppedServer::is_asleep(SessionIndex session) const {
  const auto asleep = sleepers();
  return std::find(asleep.begin(), asleep.end(), session) != asleep.end();
}

namespace {

struct CycleSearch {
  const SteppedServer& server;
  SessionIndex start;
  std::vector<SessionIndex> path{};
  std::vector<SessionIndex> seen{};

  bool finds(SessionIndex session) {
    if (!server.is_asleep(session)) return false;
    path.push_back(session);
    for (const SessionIndex next : server.circle_steps(session)) {
      if (next == start) return true;
      if (std::find(seen.begin(), seen.end(), next) != seen.end()) continue;
      seen.push_back(next);
      if (finds(next)) return true;
    }
    path.pop_back();
    return false;
  }
};

}  // namespace

std::vector<SessionIndex> SteppedServer::circle_of(SessionIndex session) const {
  CycleSearch search{.server = *this, .start = session};
  search.finds(session);
  return search.path;
}

std::vector<SessionIndex> SteppedServer::any_circle() const {
  for (const SessionIndex session : sleepers())
    if (auto circle = circle_of(session); !circle.empty()) return circle;
  return {};
}

}  // namespace isomer::database
