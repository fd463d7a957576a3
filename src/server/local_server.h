// SPDX-License-Identifier: MIT
// A PostgreSQL or MariaDB of our own, from the packages that are installed here: in a
// temporary folder, on a socket there, with nothing flushed to disk.  It is gone
// afterwards, however we end.  A small process watches: when we are gone, it ends the
// server and removes the folder.  If even that is killed, the server goes with it, and the
// folder with the next one who starts a server here.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <sys/types.h>
#include <tl/expected.hpp>

#include "base/budget.h"
#include "server/own_folder.h"
#include "server/real_server.h"

namespace isomer::server {

class LocalServer {
 public:
  // Otherwise why there is none.
  static tl::expected<std::unique_ptr<LocalServer>, std::string> start(
      database::Database database, const Budget& budget);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  [[nodiscard]] const ServerAddress& address() const { return address_; }

  // Where everything of it stands.
  [[nodiscard]] std::string folder() const { return folder_->path().string(); }

 private:
  LocalServer() = default;
  std::string await(const Budget& budget);
  [[nodiscard]] std::string last_words() const;

  std::optional<OwnFolder> folder_;
  ServerAddress address_;
  pid_t watcher_ = 0;
  int life_ = -1;   // open as long as we live
  int words_ = -1;  // what the watcher says when it cannot start the server
};

}  // namespace isomer::server
