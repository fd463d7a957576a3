// SPDX-License-Identifier: MIT
// What `isomer audit` and `isomer advise` share: levels of visibility and arbitration, for
// which bare names stand here, how far to search, and what conflicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "cli/arguments.h"
#include "cli/command.h"

namespace isomer::cli {

// "EC", "anode:PSI": what completion offers.
std::vector<std::string> audit_level_names();

// A level that can be audited; complains otherwise.
std::optional<level::Level> audit_level(const std::string& word, OptionReader& reader);

// One plan for each level named; without any, the scenario's [levels], or each of EC, CC,
// PC, PSI, SI and SER.
std::vector<audit::Plan> plans_in(const std::vector<std::string>& words,
                                  const program::Program& program, OptionReader& reader);

inline constexpr Option cycle_max_option = {
    .name = "--max-cycle",
    .argument = "K",
    .help = "Look for cycles of up to K transactions (4)."};

inline constexpr Option assume_counters_option = {
    .name = "--assume-counters",
    .takes = Takes::Nothing,
    .help =
        "Records that are numbered by a counter, as orders are, have lower numbers than "
        "the counter at the start."};

// --granularity, in which fields come first here.
std::vector<std::string> conflict_granularity_names();

inline constexpr Option conflict_granularity_option = {
    .name = "--granularity",
    .argument = "G",
    .help = "What two transactions conflict on: a field of a row (the default), or a row.",
    .completes = Completes::Choices,
    .choices = conflict_granularity_names};

// What these three, --prove and --timeout say.
audit::Options shared_audit_options_in(const Arguments& arguments, OptionReader& reader);

// The name of a level as part of a file's name.
std::string file_name(const std::string& level);

}  // namespace isomer::cli
