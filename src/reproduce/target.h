// SPDX-License-Identifier: MIT
// Where findings are tried: the server of --on, or one that is started for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "server/local_server.h"
#include "server/real_server.h"

namespace isomer::reproduce {

struct Target {
  server::ServerAddress address;
  std::string title;  // "PostgreSQL 15.18"
  server::RealServerOptions options;
  // What others left behind there and could not be removed, and how to do that.
  std::vector<std::string> left_behind;
  // Of --local; ends with this.
  std::unique_ptr<server::LocalServer> local{};
};

// Both look whether the server is there, and whether tables may be made in it; otherwise
// what it has against it.
tl::expected<Target, std::string> target_at(const server::ServerAddress& address,
                                            const server::RealServerOptions& options);
tl::expected<Target, std::string> local_target(database::Database database,
                                               const server::RealServerOptions& options);

}  // namespace isomer::reproduce
