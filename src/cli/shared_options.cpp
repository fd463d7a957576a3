// SPDX-License-Identifier: MIT
#include "cli/shared_options.h"

namespace isomer::cli {

std::string format_of_ending(const std::string& path) {
  if (path.ends_with(".jsonl")) return "jsonl";
  return path.ends_with(".json") ? "json" : "hist";
}

std::vector<std::string> granularity_names() {
  return {"row", "table", "field"};  // as program::Granularity
}

program::Granularity granularity_in(OptionReader& reader) {
  return static_cast<program::Granularity>(
      reader.choice("--granularity", granularity_names(), 0));
}

}  // namespace isomer::cli
