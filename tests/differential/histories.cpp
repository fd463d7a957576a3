// SPDX-License-Identifier: MIT
// Agreements about small recorded histories.
#include <fmt/format.h>

#include "check/uncertified.h"
#include "differential/agreement.h"
#include "history/formats.h"
#include "level/library.h"
#include "support/check/faults.h"
#include "support/check/three_ways.h"

namespace isomer::differential {
namespace {

using check::Log;
using check::Profile;
using history::History;

Profile profile_of(std::uint64_t seed) {
  return check::all_profiles[seed % check::all_profiles.size()];
}

// Seeds of one agreement are far enough apart that samplers do not meet.
Log sampled_log(std::uint64_t seed, int txns_max) {
  return check::Sampler(profile_of(seed), seed * 64, txns_max).next().log;
}

Evidence log_evidence(const Log& log) {
  Evidence out;
  const auto written = history::write_history(check::history_of(log), "hist");
  out.files.push_back({"history.hist", written ? written->bytes : check::text(log)});
  out.commands.emplace_back("isomer check --certify history.hist");
  return out;
}

Answer ask_oracle(const Log& log) {
  return answer(check::faults(log, check::verdicts(log)));
}

Answer ask_texts(const Log& log) {
  return answer(check::disagreements(check::history_of(log), true));
}

// A level of its own makes the case.
struct LogAndLevel {
  Log log;
  std::string level;
  std::uint64_t seed = 0;
};

Answer ask_three_ways(const LogAndLevel& asked) {
  const auto levels = level::parse_levels("random.level", asked.level);
  if (!levels) return answer(render(levels.error()));
  Random random(asked.seed);
  const auto outcome =
      check::three_ways(check::history_of(asked.log), levels->front(), random);
  if (!outcome.fault.empty()) return answer(outcome.fault);
  return outcome.exists ? Answer{} : skip();
}

std::vector<LogAndLevel> less_log(const LogAndLevel& asked) {
  std::vector<LogAndLevel> out;
  for (Log& log : check::smaller(asked.log))
    out.push_back({std::move(log), asked.level, asked.seed});
  return out;
}

Evidence log_and_level_evidence(const LogAndLevel& asked) {
  Evidence out = log_evidence(asked.log);
  out.files.push_back({"random.level", asked.level});
  out.commands = {"isomer check --certify --level random.level history.hist"};
  return out;
}

std::string verdicts_text(const History& history) {
  std::string out;
  for (const auto& level :
       check::uncertified_answers(history, {.budget = Budget(60.0), .explain = false})
           .levels)
    out += fmt::format("{}{} ", level.level.name, "+-?"[level.verdict.index()]);
  return out;
}

// Through a format and back.  A format that cannot say everything warns; nobody needs to
// keep what tells nothing, such as the reads of aborted transactions.
std::string round_trip(const History& history, const std::string& verdicts,
                       std::string_view format) {
  const auto written = history::write_history(history, format);
  if (!written || !written->warnings.empty()) return "";
  const auto read =
      history::parse_history(written->bytes, "history", {.format = std::string(format)});
  if (!read) return fmt::format("{}: {}", format, render(read.error()));
  if (const std::string found = verdicts_text(read->history); found != verdicts)
    return fmt::format("{}: {}became {}", format, verdicts, found);
  return "";
}

Answer ask_formats(const Log& log) {
  const History history = check::history_of(log);
  const std::string verdicts = verdicts_text(history);
  for (const history::Format& format : history::formats()) {
    if (!format.is_writable || format.is_directory) continue;
    const std::string why = round_trip(history, verdicts, format.name);
    if (!why.empty()) return answer(why);
  }
  return {};
}

constexpr Question<Log> against_oracle{ask_oracle, check::smaller, log_evidence};
constexpr Question<Log> against_texts{ask_texts, check::smaller, log_evidence};
constexpr Question<Log> against_formats{ask_formats, check::smaller, log_evidence};
constexpr Question<LogAndLevel> against_trying{ask_three_ways, less_log,
                                               log_and_level_evidence};

LogAndLevel random_log_and_level(std::uint64_t seed) {
  return {check::random_log(profile_of(seed), seed, seed % 3 == 0 ? 3 : 2),
          check::random_level_text(seed), seed};
}

}  // namespace

std::vector<Agreement> history_agreements() {
  return {
      {"check-oracle", "The checkers allow what the definitions allow.",
       [](std::uint64_t seed) {
         const int txns_max = seed % 4 == 0 ? check::medium_log : check::small_log;
         return case_of(sampled_log(seed, txns_max), against_oracle);
       }},
      {"check-generic", "The checkers allow what the texts of the levels allow.",
       [](std::uint64_t seed) {
         return case_of(sampled_log(seed, check::small_log), against_texts);
       }},
      {"level-trying",
       "A random level allows a history if some execution satisfies its text.",
       [](std::uint64_t seed) {
         return case_of(random_log_and_level(seed), against_trying);
       }},
      {"check-formats", "Written in any format and read again, a history means the same.",
       [](std::uint64_t seed) {
         return case_of(check::random_log(profile_of(seed), seed), against_formats);
       }},
  };
}

}  // namespace isomer::differential
