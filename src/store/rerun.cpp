// SPDX-License-Identifier: MIT
#include "store/rerun.h"

#include "program/machine/keys.h"

namespace isomer::store {
namespace {

class Rerun {
 public:
  Rerun(const Program& program, Place place, std::vector<Value> arguments,
        program::Granularity granularity, const KeyUniverse& universe)
      : program_(program),
        call_(program.sessions[place.first].calls[place.second]),
        universe_(universe),
        machine_(program, call_, std::move(arguments), granularity) {
    ran_.outcome.session = place.first;
    ran_.outcome.index = place.second;
  }

  RanTransaction run(const std::function<ReadAnswer(const KeyName&)>& answer) {
    while (step(answer)) {
    }
    for (const program::Variable& variable : program_.types[call_.type].variables)
      ran_.locals.emplace(variable.name, machine_.local(variable.name));
    return std::move(ran_);
  }

 private:
  // False at the end.
  bool step(const std::function<ReadAnswer(const KeyName&)>& answer) {
    program::Step step = machine_.next();
    if (const auto* wants = std::get_if<program::WantsRead>(&step)) {
      ReadAnswer version = answer(wants->key);
      ran_.accesses.push_back({.is_write = false,
                               .key = wants->key,
                               .value = version.value,
                               .writer = version.writer,
                               .at = wants->at});
      machine_.answer(std::move(version.value));
      return true;
    }
    if (const auto* scans = std::get_if<program::WantsUniverse>(&step)) {
      machine_.answer(program::universe_of(scans->prefix, universe_));
      return true;
    }
    if (const auto* writes = std::get_if<program::WritesKey>(&step)) {
      ran_.accesses.push_back({.is_write = true,
                               .key = writes->key,
                               .value = writes->value,
                               .writer = 0,
                               .at = writes->at});
      return true;
    }
    end(step);
    return false;
  }

  void end(const program::Step& step) {
    TransactionOutcome& outcome = ran_.outcome;
    if (const auto* commits = std::get_if<program::Commits>(&step)) {
      outcome.is_committed = true;
      outcome.result = commits->result;
    } else if (const auto* aborts = std::get_if<program::Aborts>(&step)) {
      outcome.reason = aborts->reason;
      outcome.sqlstate = aborts->sqlstate;
      outcome.at = aborts->at;
    } else if (const auto* fails = std::get_if<program::FailsAssert>(&step)) {
      outcome.has_failed_assert = true;
      outcome.sqlstate = "P0004";
      outcome.reason = fails->message;
      outcome.at = fails->at;
    }
  }

  const Program& program_;
  const program::Call& call_;
  const KeyUniverse& universe_;
  program::Machine machine_;
  RanTransaction ran_;
};

}  // namespace

RanTransaction rerun(const Program& program, Place place, std::vector<Value> arguments,
                     program::Granularity granularity, const KeyUniverse& universe,
                     const std::function<ReadAnswer(const KeyName&)>& answer) {
  return Rerun(program, place, std::move(arguments), granularity, universe).run(answer);
}

}  // namespace isomer::store
