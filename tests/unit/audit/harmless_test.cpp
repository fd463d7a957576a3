// SPDX-License-Identifier: MIT
// What is called harmless does no harm, and what may do harm is not called so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audit/audit.h"
#include "audit/statements/noticed.h"
#include "level/library.h"
#include "support/audit/harm.h"
#include "support/effort.h"
#include "support/small_application.h"

namespace isomer::test {
namespace {

using audit::Harm;

constexpr const char* tables =
    "CREATE TABLE t (id int PRIMARY KEY, g int, v int);\n"
    "CREATE TABLE u (id int PRIMARY KEY, g int, v int);\n";

std::string routine(const std::string& body, const std::string& result = "") {
  return fmt::format(
      "{}CREATE {} p0(i int, j int) {} LANGUAGE plpgsql AS $$\n"
      "DECLARE n int; m int; b boolean; r record; BEGIN\n{}\nEND $$;\n",
      tables, result.empty() ? "PROCEDURE" : "FUNCTION", result, body);
}

audit::Result audited(const program::Program& program, const std::string& level,
                      audit::Reads reads = audit::Reads::Relevant,
                      program::Granularity granularity = program::Granularity::Field) {
  audit::Options options;
  options.cycle_max = 3;
  options.confirm = false;
  options.reads = reads;
  options.granularity = granularity;
  return audit::audit(program, audit::uniform_plan(program, *level::standard_level(level)),
                      options);
}

// --- one by one ---

constexpr const char* write = "UPDATE t SET v = 5 WHERE id = i;\n";

// Reads all other rows, and writes one: a write skew under SI.
bool is_harmless(const std::string& read, const std::string& end = write,
                 const std::string& result = "") {
  const program::Program program = small_application(routine(read + end, result));
  const audit::Result found = audited(program, "cerone:SI");
  EXPECT_FALSE(found.anomalies.empty()) << read;
  return std::all_of(
      found.anomalies.begin(), found.anomalies.end(),
      [](const audit::Anomaly& anomaly) { return anomaly.harm == Harm::ProvedNone; });
}

TEST(Harmless, is_what_is_read_for_nothing) {
  EXPECT_TRUE(is_harmless("PERFORM 1 FROM t WHERE v = 1;\n"));
  EXPECT_TRUE(is_harmless("SELECT max(v) INTO n FROM t WHERE id <> i;\n"));
  EXPECT_TRUE(is_harmless("b := EXISTS (SELECT 1 FROM t WHERE v = 1);\n"));
  EXPECT_TRUE(is_harmless("SELECT max(v) INTO n FROM t WHERE id <> i;\nm := n;\n"));
  EXPECT_TRUE(
      is_harmless("IF EXISTS (SELECT 1 FROM t WHERE v = 1) THEN n := 1; END IF;\n"));
  EXPECT_TRUE(is_harmless("FOR r IN SELECT id, v FROM t LOOP n := r.v; END LOOP;\n"));
  EXPECT_TRUE(is_harmless("SELECT max(v) INTO n FROM t WHERE id <> i;\n",
                          std::string(write) + "RETURN i;\n", "RETURNS int"));
}

TEST(Harmless, is_not_what_gets_into_a_write_a_condition_or_a_result) {
  const std::string read = "SELECT max(v) INTO n FROM t WHERE id <> i;\n";
  EXPECT_FALSE(is_harmless(read, "UPDATE t SET v = n WHERE id = i;\n"));
  EXPECT_FALSE(is_harmless(read + "m := n;\n", "UPDATE t SET v = m WHERE id = i;\n"));
  EXPECT_FALSE(is_harmless(read + "IF n = 1 THEN RETURN; END IF;\n"));
  EXPECT_FALSE(is_harmless(read + "IF n = 1 THEN\n", std::string(write) + "END IF;\n"));
  EXPECT_FALSE(is_harmless(read, std::string(write) + "RETURN n;\n", "RETURNS int"));
  EXPECT_FALSE(is_harmless(read + "IF n = 1 THEN RAISE EXCEPTION 'x'; END IF;\n"));
  EXPECT_FALSE(is_harmless("PERFORM 1 FROM t WHERE v = 1;\nIF FOUND THEN\n",
                           std::string(write) + "END IF;\n"));
  EXPECT_FALSE(is_harmless("FOR r IN SELECT id, v FROM t LOOP n := r.v; END LOOP;\n",
                           "UPDATE t SET v = n WHERE id = i;\n"));
  EXPECT_FALSE(
      is_harmless("FOR r IN SELECT id, v FROM t LOOP NULL; END LOOP;\n"
                  "IF FOUND THEN\n",
                  std::string(write) + "END IF;\n"));
}

// Whether it fails is told to the caller.
TEST(Harmless, is_not_what_may_fail) {
  EXPECT_FALSE(is_harmless("SELECT v INTO STRICT n FROM t WHERE v = 1;\n"));
  EXPECT_FALSE(is_harmless("n := (SELECT v FROM t WHERE g = 1);\n"));
  EXPECT_FALSE(is_harmless("SELECT max(1 / v) INTO n FROM t WHERE id <> i;\n"));
  EXPECT_FALSE(is_harmless("SELECT max(v) + 1 INTO n FROM t WHERE id <> i;\n"));
  EXPECT_FALSE(
      is_harmless("WHILE EXISTS (SELECT 1 FROM t WHERE v = 1) LOOP NULL;\n"
                  "END LOOP;\n"));
}

// --- at random ---

struct Count {
  int proved = 0;   // some anomaly is called harmless
  int harmful = 0;  // of the other cases with anomalies: harm was found
  int open = 0;
};

class HarmlessAtRandom : public testing::Test {
 protected:
  void try_one(std::uint64_t seed) {
    Random random(seed);
    const std::string sql = random_readers(random);
    const auto granularity =
        random.below(2) == 0 ? program::Granularity::Row : program::Granularity::Field;
    const std::vector<std::string> levels{"EC", "CC", "PSI", "SI", "SI"};
    const std::string level = "cerone:" + levels[random.below(levels.size())];
    const program::Program program = small_application(sql);
    const audit::Result result = audited(
        program, level,
        random.below(4) == 0 ? audit::Reads::Scanned : audit::Reads::Relevant, granularity);
    if (!result.unknown.empty()) return;
    bool all_are_harmless = true;
    bool is_proved = false;
    for (const audit::Anomaly& anomaly : result.anomalies) {
      const bool is_harmless = anomaly.harm == Harm::ProvedNone;
      all_are_harmless = all_are_harmless && is_harmless;
      is_proved = is_proved || is_harmless;
    }
    count_.proved += is_proved ? 1 : 0;
    bool is_harmful = false;
    for (int i = 0; i < 6; ++i) {
      std::vector<std::uint32_t> types(2 + random.below(2));
      for (std::uint32_t& type : types)
        type = static_cast<std::uint32_t>(random.below(program.types.size()));
      const std::string scenario = random_readers_scenario(random, types);
      const Outcomes outcomes =
          compared_with_serial(small_application(sql, scenario),
                               {level, *level::standard_level(level)}, granularity);
      if (!outcomes.harm) continue;
      is_harmful = true;
      EXPECT_FALSE(all_are_harmless) << "seed " << seed << ", " << level << "\n"
                                     << sql << scenario << *outcomes.harm;
    }
    if (!all_are_harmless) (is_harmful ? count_.harmful : count_.open) += 1;
  }

  Count count_;
};

TEST_F(HarmlessAtRandom, does_no_harm_in_anything_that_explore_finds) {
  const int count = effort(400, 160, 40);
  for (int seed = 1; seed <= count && !HasFailure(); ++seed)
    try_one(static_cast<std::uint64_t>(seed));
  RecordProperty("proved", count_.proved);
  RecordProperty("harmful", count_.harmful);
  RecordProperty("open", count_.open);
  if (is_slow_build) return;  // too few for that
  EXPECT_GT(count_.proved, count / 20);
  EXPECT_GE(count_.harmful, count / 40);
}

}  // namespace
}  // namespace isomer::test
