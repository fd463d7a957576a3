// SPDX-License-Identifier: MIT
#include "database/every_way.h"

#include "database/model.h"

namespace isomer::database {
namespace {

// Which of so many?  Each round answers the same questions alike up to the last one that
// has another answer left.
class Answers {
 public:
  std::size_t next(std::size_t count) {
    if (place_ == given_.size()) given_.push_back({.count = count});
    return given_[place_++].answer;
  }

  // False after the last round.
  bool next_round() {
    place_ = 0;
    while (!given_.empty() && given_.back().answer + 1 == given_.back().count)
      given_.pop_back();
    if (given_.empty()) return false;
    ++given_.back().answer;
    return true;
  }

 private:
  struct Given {
    std::size_t answer = 0;
    std::size_t count = 1;
  };

  std::vector<Given> given_;
  std::size_t place_ = 0;
};

}  // namespace

EveryWay every_way(const Scenario& scenario, const std::vector<SessionIndex>& schedule,
                   const std::function<bool(const ScheduleRun&)>& visit,
                   std::uint64_t ways_max) {
  EveryWay out;
  Answers answers;
  do {
    if (out.ways + out.impossible >= ways_max) return out;
    Model model(
        scenario.server, scenario.program, scenario.program.sessions.size(),
        [&](std::span<const SessionIndex> victims) { return answers.next(victims.size()); },
        [&](SessionIndex, std::size_t choices) { return answers.next(choices); },
        [&](std::span<const SessionIndex> ready) { return answers.next(ready.size()); });
    ScheduleRun run(scenario, model);
    if (!follow(run, schedule)) {
      ++out.impossible;
      continue;
    }
    ++out.ways;
    if (!visit(run)) return out;
  } while (answers.next_round());
  out.is_complete = true;
  return out;
}

}  // namespace isomer::database
