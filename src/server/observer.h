// SPDX-License-Identifier: MIT
// Who waits for whom, as the server says it, seen from a connection of its own.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/connection.h"

namespace isomer::server {

struct Wait {
  std::set<int> for_whom;   // processes of the server
  std::string since;        // two looks that see the same moment see the same wait
  bool is_checked = false;  // it is older than deadlock_timeout
  friend bool operator==(const Wait&, const Wait&) = default;
};

// By process: those that wait.
using Waits = std::map<int, Wait>;

class Observer {
 public:
  // A wait is checked for a deadlock when it is that old.
  Observer(Connection& connection, std::chrono::milliseconds deadlock_timeout);

  // Which of these processes wait right now.
  Waits look(const std::vector<int>& processes);

 private:
  Connection& connection_;
  std::chrono::milliseconds deadlock_timeout_;
};

// Do all of these wait, each in the end for somebody who does not, and for nobody else?
// Then none goes on by itself.
bool stand_still(const Waits& waits, const std::vector<int>& pending,
                 const std::set<int>& ours);

}  // namespace isomer::server
