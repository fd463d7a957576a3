// SPDX-License-Identifier: MIT
// "errors", as every JSON document of ours has them.
#pragma once

#include <nlohmann/json.hpp>

#include "base/diagnostic.h"

namespace isomer::report {

inline nlohmann::ordered_json diagnostics_json(const Diagnostics& errors) {
  auto list = nlohmann::ordered_json::array();
  for (const Diagnostic& error : errors)
    list.push_back({{"file", error.file},
                    {"line", error.at.line},
                    {"column", error.at.column},
                    {"message", error.message}});
  return list;
}

}  // namespace isomer::report
