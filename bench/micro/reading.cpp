// SPDX-License-Identifier: MIT
// How fast histories are made: from Plume text, and by generate().
#include <cstdlib>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "history/formats.h"
#include "history/generate.h"

namespace isomer::history {
namespace {

GenerateOptions snapshot_options(std::int64_t transactions) {
  GenerateOptions options;
  options.sessions = 50;
  options.transactions = static_cast<std::uint32_t>(transactions);
  options.keys = 10000;
  return options;
}

// The file that the environment names, for tools/bench.
void read_file(benchmark::State& state) {
  const char* path = std::getenv("ISOMER_BENCH_FILE");
  if (path == nullptr) {
    state.SkipWithError("ISOMER_BENCH_FILE names no file");
    return;
  }
  for (auto _ : state) {
    const auto read = read_history(path, {.format = "plume"});
    if (!read) state.SkipWithError("the file cannot be read");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(std::filesystem::file_size(path)) *
                          static_cast<std::int64_t>(state.iterations()));
}

BENCHMARK(read_file)->Iterations(2)->Unit(benchmark::kMillisecond);

void read_plume(benchmark::State& state) {
  const auto written = write_history(generate(snapshot_options(state.range(0))), "plume");
  for (auto _ : state) {
    const auto read = parse_history(written->bytes, "bench", {.format = "plume"});
    if (!read) state.SkipWithError("the text cannot be read");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(written->bytes.size()) *
                          static_cast<std::int64_t>(state.iterations()));
}

BENCHMARK(read_plume)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void generate_snapshot(benchmark::State& state) {
  const GenerateOptions options = snapshot_options(state.range(0));
  for (auto _ : state)
    benchmark::DoNotOptimize(generate(options));
  state.SetItemsProcessed(state.range(0) * static_cast<std::int64_t>(state.iterations()));
}

BENCHMARK(generate_snapshot)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace isomer::history
