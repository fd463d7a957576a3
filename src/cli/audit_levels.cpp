// SPDX-License-Identifier: MIT
#include "cli/audit_levels.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/level_argument.h"
#include "cli/output.h"
#include "database/level_name.h"
#include "level/library.h"
#include "report/check/wording.h"

namespace isomer::cli {
namespace {

using audit::Plan;

constexpr std::array usual_names{"EC", "CC", "PC", "PSI", "SI", "SER"};
constexpr std::uint64_t cycle_max_max = 12;

bool is_bare(const std::string& word) {
  return word.find(':') == std::string::npos && !names_level_file(word);
}

program::Granularity conflict_granularity_in(OptionReader& reader) {
  return reader.choice("--granularity", conflict_granularity_names(), 0) == 0
             ? program::Granularity::Field
             : program::Granularity::Row;
}

// "RC", "read committed", "biswas:RC".
bool means_read_committed(const std::string& word) {
  std::string plain;
  for (const char c : word.substr(word.find(':') + 1))  // npos + 1 is 0
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return !names_level_file(word) && !database::names_database(word) &&
         (plain == "rc" || plain == "readcommitted");
}

constexpr std::string_view about_read_committed =
    "READ COMMITTED cannot be audited: the statements of one transaction do not share one "
    "snapshot, and the levels of audit say which whole transactions see which; take EC, "
    "CC, PC, PSI, SI or SER, or run a scenario with 'isomer explore --level RC'";

// [levels] of the scenario.
std::optional<Plan> scenario_plan(const program::Program& program, OptionReader& reader) {
  const program::LevelAssignment& given = program.levels;
  if (given.by_default.empty() && given.types.empty() && given.serial.empty())
    return std::nullopt;
  std::vector<std::string> words(program.types.size(),
                                 given.by_default.empty() ? "EC" : given.by_default);
  for (const auto& [type, word] : given.types)
    words[type] = word;
  Plan out{.name = "as the scenario says",
           .type_names = {},
           .levels = {},
           .level_of = {},
           .serial = given.serial,
           .is_watched = {}};
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out.type_names.push_back(program.types[i].name);
    const auto found = std::find(seen.begin(), seen.end(), words[i]);
    out.level_of.push_back(static_cast<std::uint32_t>(found - seen.begin()));
    if (found != seen.end()) continue;
    const std::optional<level::Level> level = audit_level(words[i], reader);
    if (!level) return std::nullopt;
    seen.push_back(words[i]);
    out.levels.push_back(*level);
  }
  return out;
}

}  // namespace

std::vector<std::string> audit_level_names() {
  std::vector<std::string> out(usual_names.begin(), usual_names.end());
  for (const level::Level& level : level::standard_levels())
    if (audit::obstacle(level).empty()) out.push_back(level.qualified_name());
  return out;
}

std::optional<level::Level> audit_level(const std::string& word, OptionReader& reader) {
  if (means_read_committed(word)) {
    reader.fail(std::string(about_read_committed));
    return std::nullopt;
  }
  const level::Level* cerone =
      is_bare(word) ? level::standard_level("cerone:" + word) : nullptr;
  level::Level out;
  if (cerone != nullptr) {
    out = *cerone;
  } else {
    const auto named = named_levels({word}, reader);
    if (named.size() != 1) return std::nullopt;
    out = named.front().level;
  }
  const std::string why = audit::obstacle(out);
  if (why.empty()) return out;
  reader.fail(why);
  return std::nullopt;
}

std::vector<Plan> plans_in(const std::vector<std::string>& words,
                           const program::Program& program, OptionReader& reader) {
  std::vector<std::string> asked = split_at_commas(words);
  if (asked.empty()) {
    if (const auto plan = scenario_plan(program, reader)) return {*plan};
    if (reader.error()) return {};
    asked.assign(usual_names.begin(), usual_names.end());
  }
  std::vector<Plan> out;
  for (const std::string& word : asked) {
    const std::optional<level::Level> level = audit_level(word, reader);
    if (!level) return {};
    out.push_back(audit::uniform_plan(program, *level));
    out.back().name = report::printable(word);
  }
  return out;
}

std::vector<std::string> conflict_granularity_names() {
  return {"field", "row"};
}

audit::Options shared_audit_options_in(const Arguments& arguments, OptionReader& reader) {
  audit::Options out;
  out.cycle_max =
      static_cast<std::uint32_t>(reader.integer("--max-cycle", 4, 2, cycle_max_max));
  out.prove = arguments.has("--prove");
  out.assume_counters = arguments.has("--assume-counters");
  out.granularity = conflict_granularity_in(reader);
  out.budget = arguments.budget();
  return out;
}

std::string file_name(const std::string& level) {
  std::string out = level;
  for (char& c : out)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  return out;
}

}  // namespace isomer::cli
