// SPDX-License-Identifier: MIT
// A run on PostgreSQL as the SQL that its sessions send, with the values of their
// variables: what a person types into terminals, or a tester plays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "database/schedule.h"
#include "reproduce/reproduce.h"

namespace isomer::reproduce {

// What a session sends in one step of the schedule; BEGIN goes with the first one of its
// transaction, as savepoints and rollbacks do.
struct ScriptStep {
  database::SessionIndex session = 0;
  std::vector<std::string> statements;  // without semicolons
};

struct Script {
  std::vector<std::string> tables;  // CREATE TABLE .., ALTER TABLE ..
  std::vector<std::string> rows;    // INSERT ..
  std::vector<ScriptStep> steps;    // one a step of the run

  // The SELECT of each invariant that asks for nothing but tables: true where it holds.
  struct Question {
    std::string name;
    std::string query;
  };

  std::vector<Question> questions;
};

// The sessions do what they did in the run.
Script script_of(const database::Scenario& scenario, const Run& run);

}  // namespace isomer::reproduce
