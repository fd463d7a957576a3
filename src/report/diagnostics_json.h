// SPDX-License-Identifier: MIT
// "errors", as every JSON document of ours has them.
#pragma once

#include "base/diagnostic.h"
#include "report/json.h"

namespace isomer::report {

inline Json diagnostics_json(const Diagnostics& errors) {
  auto list = Json::array();
  for (const Diagnostic& error : errors)
    list.push_back({{"file", error.file},
                    {"line", error.at.line},
                    {"column", error.at.column},
                    {"message", error.message}});
  return list;
}

}  // namespace isomer::report
