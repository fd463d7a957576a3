// SPDX-License-Identifier: MIT
// Reads arbitrary bytes as a SQL application.
#include "program/sql/script.h"
#include "support/exercise.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isomer::program;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto program = parse_sql("input.sql", text);
  if (program)
    exercise(*program, size);
  else
    require_message(program.error());
  return 0;
}
