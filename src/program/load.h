// SPDX-License-Identifier: MIT
// The front door: programs from files.
#pragma once

#include <string>
#include <string_view>

#include "program/ir.h"

namespace isomer::program {

// By the end of its name: .sql (an application: tables and transaction types only), .toml
// (a scenario: what to run of an application), .txn (a litmus program).
Expected<Program> load_program(const std::string& path);

// The text of a file, refused if it is too large for a program.
Expected<std::string> read_program_file(const std::string& path);

}  // namespace isomer::program
