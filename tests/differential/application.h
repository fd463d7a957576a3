// SPDX-License-Identifier: MIT
// SQL applications with a scenario, as texts that can be cut down.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "differential/agreement.h"
#include "program/ir.h"

namespace isomer::differential {

struct Application {
  std::string sql;
  std::string scenario;  // of a file beside app.sql
};

// Goes through files in $SCRATCH, since a scenario names its application's file.
Expected<program::Program> loaded(const Application& application);

// Without a line, a block of lines or a call.  Many are no programs.
std::vector<Application> smaller(const Application& application);

std::vector<Evidence::File> files_of(const Application& application);

}  // namespace isomer::differential
