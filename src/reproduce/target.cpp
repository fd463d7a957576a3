// SPDX-License-Identifier: MIT
#include "reproduce/target.h"

#include <utility>

namespace isomer::reproduce {

tl::expected<Target, std::string> target_at(const server::ServerAddress& address,
                                            const server::RealServerOptions& options) {
  auto title = server::look_at_server(address);
  if (!title) return tl::unexpected(std::move(title.error()));
  // Nothing is kept of what is only to be seen.
  const program::Program nothing;
  server::RealServerOptions looking = options;
  looking.keeps = false;
  if (const auto made =
          server::connect(address, nothing, {.database = address.database}, looking);
      !made)
    return tl::unexpected(made.error());
  return Target{.address = address,
                .title = std::move(title->name),
                .options = options,
                .left_behind = std::move(title->left_behind)};
}

// SQLite needs no server, and its file stands among temporary ones.
tl::expected<Target, std::string> local_target(database::Database database,
                                               const server::RealServerOptions& options) {
  server::RealServerOptions own = options;
  own.is_ours = true;
  if (database == database::Database::Sqlite) return target_at({.database = database}, own);
  auto local = server::LocalServer::start(database, options.budget);
  if (!local) return tl::unexpected(std::move(local.error()));
  auto out = target_at((*local)->address(), own);
  if (out) out->local = *std::move(local);
  return out;
}

}  // namespace isomer::reproduce
