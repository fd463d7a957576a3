// SPDX-License-Identifier: MIT
#include "cli/shared_options.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "base/memory.h"
#include "report/check/wording.h"

namespace isomer::cli {
namespace {

constexpr std::uint64_t memory_mib_max = std::uint64_t{1} << 32U;
constexpr double memory_share = 0.8;  // of what is there, without --memory

std::vector<std::string> log_names() {
  return {"error", "warn", "info", "debug"};  // as LogLevel
}

constexpr Option table[] = {
    {.name = "--timeout",
     .argument = "S",
     .help = "Give up after so many seconds, in whatever phase."},
    {.name = "--memory",
     .argument = "MIB",
     .help = "Give up when so many MiB of memory are taken. Without it, four fifths of "
             "what is there."},
    {.name = "--stats",
     .takes = Takes::Nothing,
     .help = "Tell at the end, on standard error: the phases and their times, what solvers "
             "were asked and how hard it was, and the memory."},
    {.name = "--dump",
     .argument = "DIR",
     .help = "Keep what solvers are asked in this folder: circuits as DIMACS, formulas as "
             "SMT-LIB, and in index.txt in words which question each file is.",
     .completes = Completes::Files},
    {.name = "--log",
     .argument = "LEVEL",
     .help = "Tell what is done, on standard error: 'info' the phases, 'debug' each "
             "question to a solver.",
     .completes = Completes::Choices,
     .choices = log_names},
};

void print_line(std::string_view line) {
  fmt::print(stderr, "{}", line);
}

std::string dump_folder_in(const Arguments& arguments, OptionReader& reader) {
  const std::string folder = arguments.value("--dump");
  if (!arguments.has("--dump")) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    reader.fail(fmt::format("--dump: cannot make the folder '{}'{}{}",
                            report::printable(folder), error ? ": " : "",
                            error ? error.message() : ""));
  return folder;
}

constexpr std::int64_t scope_max = 20;  // of each number but the initial value
constexpr std::int64_t initial_value_max = 1'000'000;

// Empty if something else is there.
std::vector<std::int64_t> numbers_between_commas(const std::string& text) {
  std::vector<std::int64_t> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (stop != end && *stop != ',')) return {};
    out.push_back(number);
    if (stop == end) return out;
    at = stop + 1;
  }
}

}  // namespace

std::span<const Option> common_options() {
  return table;
}

std::vector<Option> options_of(const Command& command) {
  std::vector<Option> out(command.options.begin(), command.options.end());
  out.insert(out.end(), std::begin(table), std::end(table));
  return out;
}

Limits limits_in(OptionReader& reader) {
  const auto share = static_cast<std::uint64_t>(
      memory_share * static_cast<double>(memory_available_bytes()) / bytes_per_mib);
  return {
      .seconds = reader.seconds("--timeout"),
      .memory_bytes = bytes_per_mib * reader.integer("--memory", share, 1, memory_mib_max)};
}

Inspection::Wishes wishes_in(const Arguments& arguments, OptionReader& reader) {
  return {.log = static_cast<LogLevel>(reader.choice("--log", log_names(), 0)),
          .dump_folder = dump_folder_in(arguments, reader),
          .print = print_line};
}

std::string stats_text(const Inspection& inspection, const Stopwatch& since_start) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Inspection::PhaseTime& phase : inspection.phases())
    rows.emplace_back(
        fmt::format("{:{}}{}{}", "", 2 * phase.depth, phase.name,
                    phase.times == 1 ? "" : fmt::format(" ({} times)", phase.times)),
        fmt::format("{:.3f} s", phase.seconds));
  rows.emplace_back("in all", fmt::format("{:.3f} s", since_start.seconds()));
  for (const auto& [name, number] : inspection.counters())
    rows.emplace_back(name, fmt::format("{}", number));
  rows.emplace_back("memory at most",
                    fmt::format("{} MiB", 1 + memory_peak_bytes() / bytes_per_mib));
  std::size_t width = 0;
  for (const auto& [name, value] : rows)
    width = std::max(width, name.size());
  std::string out = "isomer: what was done\n";
  for (const auto& [name, value] : rows)
    out += fmt::format("  {:<{}}  {}\n", name, width, value);
  return out;
}

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

std::optional<synth::Scope> scope_in(const Arguments& arguments, OptionReader& reader) {
  if (!arguments.has("--scope")) return std::nullopt;
  const std::string text = arguments.value("--scope");
  const std::vector<std::int64_t> numbers = numbers_between_commas(text);
  const auto is_size = [](std::int64_t n) { return n >= 1 && n <= scope_max; };
  const std::size_t sizes = std::min<std::size_t>(numbers.size(), 4);
  if (numbers.size() < 3 || numbers.size() > 5 ||
      !std::all_of(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(sizes),
                   is_size) ||
      (numbers.size() == 5 && std::abs(numbers[4]) > initial_value_max)) {
    reader.fail(
        fmt::format("--scope: expected T,K,V, the numbers of transactions, keys and "
                    "values, each from 1 to {0}, and perhaps O, that of operations in a "
                    "transaction, and I, the initial value, found '{1}'",
                    scope_max, report::printable(text)));
    return std::nullopt;
  }
  synth::Scope scope{.transactions = static_cast<std::uint32_t>(numbers[0]),
                     .keys = static_cast<std::uint32_t>(numbers[1]),
                     .values = static_cast<std::uint32_t>(numbers[2])};
  if (numbers.size() > 3) scope.operations = static_cast<std::uint32_t>(numbers[3]);
  if (numbers.size() > 4) scope.initial_value = numbers[4];
  return scope;
}

}  // namespace isomer::cli
