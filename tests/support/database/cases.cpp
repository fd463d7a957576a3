// SPDX-License-Identifier: MIT
#include "support/database/cases.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/load.h"
#include "support/database/transcript.h"

namespace isomer::test {
namespace {

using namespace database;

const std::filesystem::path folder = ISOMER_SOURCE_DIR "/tests/corpus/database/cases";

struct Expected {
  std::string invariant;
  IsolationLevel level = IsolationLevel::ReadCommitted;
  std::string is_broken;  // yes, no
  std::string broken;
  std::string schedules;
  bool is_complete = false;
  std::string ends;
};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');)
    out.push_back(field);
  return out;
}

// By case.
std::map<std::string, std::vector<Expected>> expectations() {
  static const std::map<std::string, IsolationLevel> levels = {
      {"READ COMMITTED", IsolationLevel::ReadCommitted},
      {"REPEATABLE READ", IsolationLevel::RepeatableRead},
      {"SERIALIZABLE", IsolationLevel::Serializable}};
  std::map<std::string, std::vector<Expected>> out;
  std::ifstream in(folder / "expected.csv");
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const auto fields = fields_of(line);
    out[fields.at(0)].push_back({.invariant = fields.at(1),
                                 .level = levels.at(fields.at(2)),
                                 .is_broken = fields.at(3),
                                 .broken = fields.at(4),
                                 .schedules = fields.at(5),
                                 .is_complete = fields.at(6) == "all",
                                 .ends = fields.at(7)});
  }
  return out;
}

std::vector<SessionIndex> with_notes_at_once(const ScheduleRun& run) {
  const auto all = run.runnable();
  for (const SessionIndex session : all) {
    const ScheduleStep next = run.next(session);
    if (next.kind == ScheduleStep::Kind::Rollback ||
        next.text.starts_with("INSERT INTO seen") ||
        next.text.starts_with("INSERT INTO done"))
      return {session};
  }
  return all;
}

// What all schedules of a case at a level came to.
struct Counts {
  std::map<std::string, std::uint64_t> broken;  // by invariant
  std::map<std::string, std::uint64_t> ends;
  std::uint64_t schedules = 0;

  void count(const program::Program& program, const ScheduleRun& run) {
    ++schedules;
    for (const auto& session : run.calls())
      for (const CallEnd& call : session)
        ++ends[call.kind == CallEnd::Kind::Committed ? "ok" : call.fault.sqlstate];
    const auto rows = run.committed_rows();
    for (const program::Invariant& invariant : program.invariants)
      broken[invariant.name] += holds(program, invariant, rows) ? 0U : 1U;
  }

  [[nodiscard]] std::string ends_text() const {
    std::vector<std::string> out;
    for (const auto& [how, count] : ends)
      out.push_back(fmt::format("{}:{}", how, count));
    return fmt::format("{}", fmt::join(out, " "));
  }
};

void compare(const Expected& expected, const Counts& counts) {
  const std::uint64_t broken = counts.broken.at(expected.invariant);
  EXPECT_EQ(broken > 0 ? "yes" : "no", expected.is_broken);
  if (!expected.is_complete) return;
  EXPECT_EQ(fmt::format("{}", broken), expected.broken);
  EXPECT_EQ(fmt::format("{}", counts.schedules), expected.schedules);
  EXPECT_EQ(counts.ends_text(), expected.ends);
}

Counts run_case(const program::Program& program, const Expected& expected,
                CaseServer& server, int sampled) {
  const Scenario scenario = at_level(program, expected.level);
  const auto fresh = [&]() -> Server& { return server.fresh(); };
  Counts counts;
  if (expected.is_complete) {
    const auto all = every_schedule(scenario, fresh,
                                    [&](const ScheduleRun& run) {
                                      counts.count(program, run);
                                      return true;
                                    },
                                    {.choose = with_notes_at_once});
    EXPECT_TRUE(all.is_complete);
    EXPECT_EQ(all.lost, 0U);
    return counts;
  }
  Random random(1);
  for (int i = 0; i < sampled; ++i) {
    ScheduleRun run(scenario, fresh());
    run_randomly(run, random);
    counts.count(program, run);
  }
  return counts;
}

}  // namespace

std::size_t compare_cases(
    const std::function<std::unique_ptr<CaseServer>(const program::Program&)>& connect,
    int sampled) {
  std::size_t checked = 0;
  for (const auto& [name, rows] : expectations()) {
    const auto program = program::load_program((folder / (name + ".toml")).string());
    EXPECT_TRUE(program) << render(program.error());
    if (!program) return checked;
    const auto server = connect(*program);
    std::map<IsolationLevel, Counts> by_level;
    for (const Expected& expected : rows) {
      SCOPED_TRACE(fmt::format("{}, {}, level {}", name, expected.invariant,
                               static_cast<int>(expected.level)));
      const auto [counts, is_new] = by_level.try_emplace(expected.level);
      if (is_new) counts->second = run_case(*program, expected, *server, sampled);
      compare(expected, counts->second);
      ++checked;
    }
  }
  return checked;
}

}  // namespace isomer::test
