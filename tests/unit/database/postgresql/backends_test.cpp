// SPDX-License-Identifier: MIT
#include "database/postgresql/backends.h"

#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "program/scenario/scenario.h"
#include "support/database/fine_run.h"

namespace isomer::database::postgresql {
namespace {

using test::FineRun;

program::Program scenario(const std::vector<std::string>& scripts) {
  std::string text =
      "app = \"tables.sql\"\n[init]\nsql = \"\"\"\n"
      "INSERT INTO stock VALUES (1, 10, 1), (2, 20, 2);\n"
      "INSERT INTO guard VALUES (1, 0);\n"
      "INSERT INTO parent VALUES (1, 0, 1), (2, 0, 2);\n"
      "INSERT INTO dependent VALUES (1, 0, 1);\n\"\"\"\n";
  for (std::size_t i = 0; i < scripts.size(); ++i)
    text += fmt::format("[[session]]\nname = \"s{}\"\nscript = \"\"\"\n{}\n\"\"\"\n", i,
                        scripts[i]);
  const auto file = std::filesystem::path(ISOMER_SOURCE_DIR) /
                    "tests/corpus/database/postgresql/steps.toml";
  auto program = program::parse_scenario(file.string(), text);
  EXPECT_TRUE(program) << program.error()[0].message << "\n" << text;
  return *program;
}

// A statement's snapshot and its locks are steps of their own: what is committed between
// them is seen by the second look, and not by subqueries.
TEST(Backends, let_a_commit_fall_between_snapshot_and_lock) {
  const auto program = scenario(
      {"BEGIN; UPDATE stock SET n = n + (SELECT n FROM guard) WHERE id = 1 RETURNING n; "
       "COMMIT;",
       "BEGIN; UPDATE stock SET n = 100 WHERE id = 1; UPDATE guard SET n = 7; COMMIT;"});
  FineRun run(program);
  ASSERT_EQ(run.backends().wanted(0)->kind, Request::Kind::Read);
  run.step(0);
  ASSERT_EQ(run.backends().wanted(0)->kind, Request::Kind::LockRow);
  while (run.backends().wanted(1) != nullptr)
    run.step(1);
  run.finish();
  EXPECT_EQ(run.replies()[0][0], "1 (100)");
}

TEST(Backends, wait_and_tell_for_whom) {
  const auto program = scenario({"BEGIN; DELETE FROM parent WHERE id = 2; COMMIT;",
                                 "BEGIN; UPDATE parent SET n = 1; ROLLBACK;"});
  FineRun run(program);
  run.step(1);
  run.step(1);
  run.step(1);
  run.step(0);
  EXPECT_EQ(run.backends().blockers(0), std::vector<SessionIndex>{1});
  EXPECT_TRUE(run.backends().circle_of(0).empty());
  EXPECT_EQ(run.enabled(), std::vector<SessionIndex>{1});
  run.finish();
  EXPECT_EQ(run.replies()[0][0], "1");
}

TEST(Backends, name_every_member_of_a_circle) {
  const auto program = scenario(
      {"BEGIN; UPDATE stock SET n = 1 WHERE id = 1; UPDATE stock SET n = 1 WHERE id = 2; "
       "COMMIT;",
       "BEGIN; UPDATE stock SET n = 2 WHERE id = 2; UPDATE stock SET n = 2 WHERE id = 1; "
       "COMMIT;"});
  for (const SessionIndex victim : {0U, 1U}) {
    FineRun run(program);
    for (const SessionIndex session : {0U, 0U, 1U, 1U, 0U, 1U})
      run.step(session);
    EXPECT_TRUE(run.enabled().empty());
    EXPECT_TRUE(run.backends().circle_of(0).empty());
    run.sleep(0);
    run.sleep(1);
    EXPECT_EQ(run.backends().circle_of(0), (std::vector<SessionIndex>{0, 1}));
    run.fail(victim);
    run.finish();
    EXPECT_EQ(run.replies()[victim].at(1), "40P01");
    EXPECT_EQ(run.replies()[1 - victim].at(1), "1");
  }
}

// --- footprints ---

constexpr std::array statements{
    "SELECT n FROM stock WHERE id = 1",
    "SELECT sum(n) FROM stock",
    "SELECT n FROM guard",
    "UPDATE stock SET n = n + 1 WHERE id = 1",
    "UPDATE stock SET n = n + (SELECT n FROM guard) WHERE id = 2",
    "UPDATE guard SET n = (SELECT sum(n) FROM stock)",
    "UPDATE stock SET code = 7 WHERE id = 1",
    "UPDATE stock SET id = 5 WHERE id = 2",
    "DELETE FROM stock WHERE n > 10",
    "INSERT INTO stock VALUES (3, 5, 7)",
    "INSERT INTO stock VALUES (5, 5, 8) ON CONFLICT DO NOTHING",
    "INSERT INTO stock VALUES (2, 5, 9) ON CONFLICT (id) DO UPDATE SET n = stock.n + 1",
    "SELECT n FROM stock ORDER BY id LIMIT 1 FOR UPDATE",
    "SELECT n FROM stock ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED",
    "SELECT n FROM stock WHERE id = 2 FOR KEY SHARE NOWAIT",
    "SELECT n FROM parent FOR SHARE",
    "INSERT INTO child VALUES (1, 1, 0)",
    "INSERT INTO dependent VALUES (2, 0, 2)",
    "UPDATE parent SET n = 1",
    "DELETE FROM parent WHERE id = 1",
    "SELECT pg_advisory_xact_lock(1)",
    "SAVEPOINT s",
};

std::string random_script(Random& random) {
  constexpr std::array levels{"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"};
  std::string out =
      fmt::format("BEGIN ISOLATION LEVEL {};\n", levels[random.below(levels.size())]);
  bool has_savepoint = false;
  for (auto count = 1 + random.below(3); count-- > 0;) {
    std::string statement = statements[random.below(statements.size())];
    if (statement == "SAVEPOINT s" && std::exchange(has_savepoint, true))
      statement = "ROLLBACK TO s";
    out += statement + ";\n";
  }
  return out + (random.below(5) == 0 ? "ROLLBACK;" : "COMMIT;");
}

bool end_alike(FineRun a, FineRun b) {
  a.finish();
  b.finish();
  return a.replies() == b.replies() && a.committed_rows() == b.committed_rows();
}

// If two steps do not conflict, neither makes the other wait, and the order in which they
// are done is never noticed.
TEST(Footprints, of_steps_that_commute_do_not_conflict) {
  std::size_t commuting = 0;
  std::size_t conflicting = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    Random random(seed);
    std::vector<std::string> scripts;
    for (auto count = 2 + random.below(2); count-- > 0;)
      scripts.push_back(random_script(random));
    const auto program = scenario(scripts);
    FineRun run(program);
    for (auto able = run.enabled(); !able.empty(); able = run.enabled()) {
      for (const SessionIndex a : able)
        for (const SessionIndex b : able) {
          if (a >= b) continue;
          FineRun ab = run;
          FineRun ba = run;
          const Footprint first = ab.step(a);
          const Footprint second = ba.step(b);
          const bool is_conflict = conflict(first, second);
          ++(is_conflict ? conflicting : commuting);
          if (is_conflict) continue;
          EXPECT_TRUE(ab.backends().blockers(b).empty());
          EXPECT_TRUE(ba.backends().blockers(a).empty());
          ab.step(b);
          ba.step(a);
          EXPECT_TRUE(end_alike(ab, ba)) << "seed " << seed << ", " << a << " and " << b;
        }
      if (HasFailure()) return;
      run.step(able[random.below(able.size())]);
    }
  }
  EXPECT_GT(commuting, 1000U);
  EXPECT_GT(conflicting, 300U);
}

}  // namespace
}  // namespace isomer::database::postgresql
