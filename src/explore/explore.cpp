// SPDX-License-Identifier: MIT
#include "explore/explore.h"

#include "check/certify/certify.h"
#include "explore/certify.h"
#include "explore/exploration.h"
#include "explore/minimise.h"

namespace isomer::explore {
namespace {

constexpr std::pair<Base, std::string_view> bases[] = {
    {Base::True, "true"}, {Base::RC, "RC"}, {Base::RA, "RA"}, {Base::CC, "CC"}};

}  // namespace

std::string_view name(Base base) {
  return bases[static_cast<std::size_t>(base)].second;
}

std::optional<Base> base_named(std::string_view name) {
  for (const auto& [base, base_name] : bases)
    if (base_name == name) return base;
  return std::nullopt;
}

Result explore(const Program& program, const Options& options) {
  auto [result, failure] = explore_once(program, options, {});
  if (failure && options.minimise)
    failure = minimised(program, options, std::move(*failure));
  if (failure)
    result.failure = check::or_contradiction(
        certify(std::move(*failure), options.level, options.budget));
  return result;
}

}  // namespace isomer::explore
