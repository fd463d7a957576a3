// SPDX-License-Identifier: MIT
// One look is several, since the server has no moment at which it answers for all: a wait
// that was seen may be over when the next one is looked at.  But a wait has a beginning
// (pg_locks.waitstart).  If two looks see the same waits with the same beginnings, all of
// them were there between the looks, so nobody was running then, and nobody can have woken
// anybody.  Only the search for deadlocks still ends a wait: each waiter does it once, when
// it has waited for deadlock_timeout.  If all in a circle but the last have done theirs,
// the last is always the victim; therefore a wait counts only once it is older than that.
#include "server/observer.h"

#include <charconv>

#include <fmt/format.h>

namespace isomer::server {
namespace {

// {12,34}
std::set<int> processes_in(std::string_view list) {
  std::set<int> out;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at != end) {
    int process = 0;
    const auto read = std::from_chars(at, end, process);
    if (read.ec == std::errc()) out.insert(process);
    at = read.ec == std::errc() ? read.ptr : at + 1;
  }
  return out;
}

// Does a path of waits lead from here back to itself?
bool is_in_circle(const Waits& waits, int process) {
  std::set<int> seen;
  std::vector<int> open = {process};
  while (!open.empty()) {
    const auto at = waits.find(open.back());
    open.pop_back();
    if (at == waits.end()) continue;
    for (const int other : at->second.for_whom) {
      if (other == process) return true;
      if (seen.insert(other).second) open.push_back(other);
    }
  }
  return false;
}

}  // namespace

Observer::Observer(Connection& connection, std::chrono::milliseconds deadlock_timeout)
    : connection_(connection), deadlock_timeout_(deadlock_timeout) {}

// A transaction that waits for a safe snapshot waits for no lock.
Waits Observer::look(const std::vector<int>& processes) {
  const StatementResult result = connection_.run(fmt::format(
      "SELECT p, pg_blocking_pids(p)::text || pg_safe_snapshot_blocking_pids(p)::text, "
      "coalesce(l.waitstart::text, ''), "
      "coalesce(clock_timestamp() - l.waitstart > interval '{} ms', l IS NULL) "
      "FROM unnest('{{{}}}'::int[]) p LEFT JOIN pg_locks l ON l.pid = p AND NOT l.granted",
      deadlock_timeout_.count() + 1, fmt::join(processes, ",")));
  Waits out;
  for (const auto& row : result.rows) {
    Wait wait = {.for_whom = processes_in(*row[1].get_if<std::string>()),
                 .since = *row[2].get_if<std::string>(),
                 .is_checked = *row[3].get_if<bool>()};
    if (!wait.for_whom.empty())
      out[static_cast<int>(*row[0].get_if<std::int64_t>())] = std::move(wait);
  }
  return out;
}

bool stand_still(const Waits& waits, const std::vector<int>& pending,
                 const std::set<int>& ours) {
  for (const int process : pending) {
    const auto wait = waits.find(process);
    if (wait == waits.end() || !wait->second.is_checked) return false;
    for (const int other : wait->second.for_whom)
      if (!ours.contains(other)) return false;
    if (is_in_circle(waits, process)) return false;
  }
  return true;
}

}  // namespace isomer::server
