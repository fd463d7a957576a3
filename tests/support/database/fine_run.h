// SPDX-License-Identifier: MIT
// A scenario on the model of PostgreSQL, step by step.  A value: copy it to go on in two
// ways.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "database/postgresql/backends.h"
#include "program/machine/machine.h"

namespace isomer::test {

class FineRun {
 public:
  using SessionIndex = database::SessionIndex;

  // All transactions at the levels that their types name.
  explicit FineRun(const program::Program& program);

  // Those that can do a step, and those that wait for others.
  [[nodiscard]] std::vector<SessionIndex> enabled() const;
  [[nodiscard]] std::vector<SessionIndex> blocked() const;

  database::Footprint step(SessionIndex session);
  void sleep(SessionIndex session);
  // A deadlock ends with an error for this session.
  void fail(SessionIndex session);
  // To the end: the first session that can go on does so; of a circle, its first one fails.
  void finish();

  [[nodiscard]] const database::postgresql::Backends& backends() const { return backends_; }

  // By session: the replies so far.
  [[nodiscard]] const std::vector<std::vector<std::string>>& replies() const {
    return replies_;
  }

  // The rows that are committed, by table, each table sorted.
  [[nodiscard]] std::vector<std::vector<std::string>> committed_rows() const;

 private:
  struct Place {
    std::size_t call = 0;
    std::optional<program::Machine> machine{};
    program::Step next{};
  };

  void start_call(SessionIndex session);
  // Up to something that needs a step.
  void prepare(SessionIndex session);
  void receive(SessionIndex session, const database::Reply& reply);

  const program::Program* program_;
  database::postgresql::Backends backends_;
  std::vector<Place> places_;
  std::vector<std::vector<std::string>> replies_;
};

}  // namespace isomer::test
