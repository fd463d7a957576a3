// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "database/schedule.h"
#include "postgres/server.h"
#include "program/load.h"
#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "program/print/print.h"
#include "server/postgresql_server.h"

namespace isomer::test {
namespace {

using namespace database;

TEST(Scratch, cases) {
  const char* const path = std::getenv("SCENARIO");
  if (path == nullptr) GTEST_SKIP();
  ASSERT_EQ(test::server().problem(), "");
  auto program = program::load_program(path);
  ASSERT_TRUE(program) << render(program.error());
  server::PostgresqlOptions options{.address = "host=" + test::server().socket_folder() +
                                               " user=postgres dbname=postgres"};
  if (std::getenv("SETTING")) options.settings = {std::getenv("SETTING")};
  auto server = server::PostgresqlServer::connect(*program, options);
  ASSERT_TRUE(server) << server.error();
  for (const auto level : {IsolationLevel::ReadCommitted, IsolationLevel::RepeatableRead,
                           IsolationLevel::Serializable}) {
    const Scenario scenario{
        .program = *program,
        .begin = std::vector<BeginOptions>(program->types.size(), {.level = level})};
    std::map<std::string, int> ends;
    std::map<std::string, int> broken;
    const auto start = std::chrono::steady_clock::now();
    bool is_first = std::getenv("SHOW") != nullptr;
    const auto all = every_schedule(
        scenario,
        [&]() -> database::Server& {
          EXPECT_EQ((*server)->reset(), "");
          return **server;
        },
        [&](const ScheduleRun& run) {
          if (is_first)
            for (const auto& step : run.steps())
              fmt::print("  {} {} -> {} {} waited {}\n", step.session, step.text,
                         static_cast<int>(step.reply.kind), step.reply.fault.sqlstate,
                         fmt::join(step.waited_for, ","));
          if (is_first) fmt::print("\n");
          for (const auto& calls : run.calls())
            for (const auto& call : calls)
              ++ends[call.kind == CallEnd::Kind::Committed ? "ok" : call.fault.sqlstate];
          program::Database rows;
          const auto tables = run.committed_rows();
          for (std::size_t i = 0; i < tables.size(); ++i)
            for (const auto& row : tables[i])
              rows[program::row_key(program->tables[i],
                                    program::primary_key_of(program->tables[i], row))] =
                  program::Value::list(row);
          for (const auto& invariant : program->invariants) {
            const auto answer = program::query_database(*program, *invariant.query, rows);
            const auto& found = std::get<0>(answer);
            broken[invariant.name] +=
                !found.empty() && found[0][0] == program::Value::boolean(true) ? 0 : 1;
          }
          return true;
        },
        {.schedules_max = 3000, .choose = [&](const ScheduleRun& run) {
           const auto runnable = run.runnable();
           if (std::getenv("FINE")) return runnable;
           for (const SessionIndex session : runnable) {
             const auto next = run.next(session);
             const bool is_note = next.kind == ScheduleStep::Kind::Rollback ||
                                  next.text.starts_with("INSERT INTO seen") ||
                                  next.text.starts_with("INSERT INTO done");
             if (is_note) return std::vector<SessionIndex>{session};
           }
           return runnable;
         }});
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::string sql;
    for (const auto& [state, count] : ends)
      sql += fmt::format("{}{}:{}", sql.empty() ? "" : " ", state, count);
    const char* names[] = {"", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"};
    for (const auto& [name, count] : broken)
      fmt::print("{},{},{},{},{},{},{},{}\n", std::filesystem::path(path).stem().string(),
                 name, names[static_cast<int>(level)], count ? "yes" : "no", count,
                 all.schedules, all.is_complete && all.lost == 0 ? "all" : "sample", sql);
    fmt::print(stderr, "{:.2f} s for {} schedules, lost {}\n", seconds, all.schedules,
               all.lost);
  }
}

}  // namespace
}  // namespace isomer::test
