// SPDX-License-Identifier: MIT
// A run on PostgreSQL as SQL for people and for PostgreSQL's own tester.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "reproduce/script.h"

namespace isomer::report {

struct ScriptShown {
  const program::Program& program;  // whose sessions made the run
  const reproduce::Run& run;
  const reproduce::Script& script;
  std::string title;  // "examples/withdraw.toml at pg:RR"
};

// Steps for terminals with psql: who does what, one after the other, and what is answered.
std::string terminal_script(const ScriptShown& shown);

// A spec that isolationtester plays: setup, sessions, steps and one permutation.  Otherwise
// why it cannot be written.
tl::expected<std::string, std::string> isolation_spec(const ScriptShown& shown);

}  // namespace isomer::report
