// SPDX-License-Identifier: MIT
// A real MariaDB for tests: its own data in a temporary folder and a private socket,
// nothing on disk is flushed, and it ends with the test program, however that ends.
#pragma once

#include <string>

#include <sys/types.h>

#include "server/mariadb_connection.h"
#include "support/command.h"

namespace isomer::test {

class MariadbProcess {
 public:
  MariadbProcess();
  ~MariadbProcess();
  MariadbProcess(const MariadbProcess&) = delete;
  MariadbProcess& operator=(const MariadbProcess&) = delete;

  // Why it does not run; empty if it does.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  [[nodiscard]] server::MariadbAddress address() const;

 private:
  Scratch scratch_;
  pid_t process_ = 0;
  std::string problem_;
};

// The one server of the test program, started when it is first asked for.
const MariadbProcess& mariadb();

}  // namespace isomer::test
