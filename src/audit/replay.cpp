// SPDX-License-Identifier: MIT
#include "audit/replay.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "program/scenario.h"

namespace isomer::audit {
namespace {

constexpr double replay_seconds = 10;
constexpr double opinion_seconds = 5;

}  // namespace

std::optional<Replay> replay(const Program& program, const Plan& plan,
                             const Options& options, const Anomaly& anomaly) {
  if (anomaly.scenario.empty()) return std::nullopt;
  const std::uint32_t number = plan.level_of[anomaly.transactions.front().type];
  const bool is_one_level =
      std::ranges::all_of(anomaly.transactions, [&](const AnomalyTransaction& transaction) {
        return plan.level_of[transaction.type] == number;
      });
  if (!is_one_level) return std::nullopt;
  const std::filesystem::path file = application_file(program);
  const Expected<Program> scenario = program::parse_scenario(
      (file.parent_path() / "anomaly.toml").string(),
      fmt::format("app = \"{}\"\n{}", file.filename().string(), anomaly.scenario));
  if (!scenario) return std::nullopt;
  const level::Level& level = plan.levels[number];
  check::AskedLevel asked(level.qualified_name(), level);
  if (asked.built_in) asked = check::AskedLevel(*asked.built_in);
  explore::Options exploring;
  exploring.level = asked;
  exploring.find = explore::Find::Unserializable;
  exploring.granularity = options.granularity;
  exploring.budget = options.budget.within(replay_seconds);
  explore::Result result = explore::explore(*scenario, exploring);
  if (!result.failure) return std::nullopt;
  explore::Opinion opinion = explore::second_opinion(
      *result.failure, asked, options.budget.within(opinion_seconds));
  return Replay{*scenario, asked, std::move(result), std::move(opinion)};
}

}  // namespace isomer::audit
