// SPDX-License-Identifier: MIT
#include "support/check/sample.h"

#include <algorithm>

#include "check/exhaustive.h"
#include "support/check/oracle.h"
#include "support/check/oracle_reads.h"

namespace isomer::check {
namespace {

// The oracle takes too long beyond.
constexpr std::size_t choices_max = 40;

bool is_quick(const Log& log) {
  std::size_t choices = 1;
  if (const auto open = open_reads(log))
    for (const OpenRead& read : *open)
      choices = std::min(choices * read.writers.size(), choices_max + 1);
  return choices <= choices_max;
}

// One log in how many like this is taken: all that tell the middle levels apart, and fewer
// of those that are easier to come by.
std::uint64_t share(const AllowedLevels& allows) {
  const auto at = [&](Level level) { return allows[static_cast<std::size_t>(level)]; };
  if (at(Level::RA) != at(Level::CC) || at(Level::CC) != at(Level::PC)) return 1;
  if (at(Level::PC) != at(Level::PSI) || at(Level::PSI) != at(Level::SI)) return 1;
  if (at(Level::RC) != at(Level::SER)) return 2;
  return 6;
}

}  // namespace

bool is_allowed_by_search(const Log& log, Level level) {
  const history::History history = history_of(log);
  if (!history.problems().empty()) return false;
  std::vector<history::TxnId> all;
  for (std::uint32_t t = 1; t < history.txn_count(); ++t)
    if (history.status({t}) != history::Status::Aborted) all.push_back({t});
  const auto small = restriction(history, all, UnknownOutcomes::SeenByAnybody);
  const auto answer = exists_order(small, level, std::uint64_t{1} << 40);
  return answer.value();
}

AllowedLevels verdicts(const Log& log) {
  AllowedLevels result{};
  if (log.txns().size() > small_log) {
    for (const Level level : all_levels)
      result[static_cast<std::size_t>(level)] = is_allowed_by_search(log, level);
    return result;
  }
  const Oracle oracle(log);
  for (const Level level : all_levels)
    result[static_cast<std::size_t>(level)] = oracle.witness(level).has_value();
  return result;
}

Sample Sampler::next() {
  for (;; ++next_seed_) {
    Log log = random_log(profile_, next_seed_, txns_max_);
    if (!is_quick(log)) continue;
    const AllowedLevels is_allowed = verdicts(log);
    if (next_seed_ % share(is_allowed) == 0)
      return {next_seed_++, std::move(log), is_allowed};
  }
}

}  // namespace isomer::check
