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

std::string output_format_in(const Arguments& arguments, OptionReader& reader) {
  const std::vector<std::string> formats = writable_format_names();
  const std::size_t format = reader.choice("--to", formats, 0);
  if (!arguments.has("--to")) return format_of_ending(arguments.value("--output"));
  if (!arguments.has("--output"))
    reader.fail("--to is the format of --output, which is missing");
  return formats[format];
}

std::vector<std::string> workload_names() {
  return {"small", "large"};  // as program::WorkloadSize
}

std::optional<program::WorkloadSize> workload_in(const Arguments& arguments,
                                                 OptionReader& reader) {
  if (!arguments.has("--workload")) return std::nullopt;
  return static_cast<program::WorkloadSize>(
      reader.choice("--workload", workload_names(), 0));
}

program::Granularity granularity_in(OptionReader& reader) {
  return static_cast<program::Granularity>(
      reader.choice("--granularity", granularity_names(), 0));
}

}  // namespace isomer::cli
