// SPDX-License-Identifier: MIT
// JSON with the members of an object in the order they were added.
#pragma once

#include <nlohmann/json.hpp>

namespace isomer::report {

using Json = nlohmann::ordered_json;

}  // namespace isomer::report
