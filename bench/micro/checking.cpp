// SPDX-License-Identifier: MIT
// How fast each level is decided on generated histories that it allows.
#include <array>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "check/uncertified.h"
#include "history/generate.h"

namespace isomer::check {
namespace {

void check_level(benchmark::State& state, Level level, history::Mode mode) {
  history::GenerateOptions generation;
  generation.mode = mode;
  generation.sessions = 50;
  generation.transactions = static_cast<std::uint32_t>(state.range(0));
  generation.keys = 10000;
  const History h = history::generate(generation);
  Question options;
  options.levels = {level};
  for (auto _ : state) {
    const Result result = uncertified_answers(h, options);
    if (!std::holds_alternative<Consistent>(result.levels[0].verdict))
      state.SkipWithError("the level does not allow the history");
  }
  state.SetComplexityN(state.range(0));
  state.SetItemsProcessed(state.range(0) * static_cast<std::int64_t>(state.iterations()));
}

constexpr std::array<std::pair<Level, history::Mode>, level_count> levels = {{
    {Level::RC, history::Mode::ReadCommitted},
    {Level::RA, history::Mode::Snapshot},
    {Level::CC, history::Mode::Causal},
    {Level::PC, history::Mode::Snapshot},
    {Level::PSI, history::Mode::Snapshot},
    {Level::SI, history::Mode::Snapshot},
    {Level::SER, history::Mode::Serial},
}};

[[maybe_unused]] const bool is_registered = [] {
  for (const auto& [level, mode] : levels) {
    const std::string name = "check_" + std::string(info(level).name);
    benchmark::RegisterBenchmark(name.c_str(), check_level, level, mode)
        ->RangeMultiplier(10)
        ->Range(10'000, 100'000)
        ->Unit(benchmark::kMillisecond)
        ->Complexity();
  }
  return true;
}();

}  // namespace
}  // namespace isomer::check
