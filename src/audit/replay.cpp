// SPDX-License-Identifier: MIT
#include "audit/replay.h"

#include <filesystem>

#include <fmt/format.h>

#include "level/library.h"
#include "program/scenario/scenario.h"
#include "program/scenario/write.h"

namespace isomer::audit {
namespace {

constexpr double replay_seconds = 10;

// The level that it was confirmed at.
std::optional<check::AskedLevel> level_of(const Plan& plan, const Anomaly& anomaly) {
  if (!anomaly.level.empty()) {
    const auto levels = level::parse_levels("anomaly.level", anomaly.level);
    if (!levels || levels->empty()) return std::nullopt;
    return check::AskedLevel(levels->back().name, levels->back());
  }
  const level::Level& level = plan.levels[plan.level_of[anomaly.transactions.front().type]];
  check::AskedLevel out(level.qualified_name(), level);
  return out.built_in ? check::AskedLevel(*out.built_in) : out;
}

}  // namespace

std::optional<Replay> replay(const Program& program, const Plan& plan,
                             const Options& options, const Anomaly& anomaly) {
  if (anomaly.scenario.empty()) return std::nullopt;
  const std::optional<check::AskedLevel> asked = level_of(plan, anomaly);
  const std::filesystem::path file = application_file(program);
  const Expected<Program> scenario = program::parse_scenario(
      (file.parent_path() / "anomaly.toml").string(),
      fmt::format("app = {}\n{}", program::toml_string(file.filename().string()),
                  anomaly.scenario));
  if (!asked || !scenario) return std::nullopt;
  explore::Options exploring;
  exploring.level = asked;
  if (!asked->built_in) exploring.base = explore::Base::RA;
  exploring.find = explore::Find::Unserializable;
  exploring.granularity = options.granularity;
  exploring.budget = options.budget.within(replay_seconds);
  explore::Result result = explore::explore(*scenario, exploring);
  if (!result.failure) return std::nullopt;
  return Replay{*scenario, *asked, std::move(*result.failure)};
}

}  // namespace isomer::audit
