// SPDX-License-Identifier: MIT
// Experiments on a database server: what each session does, one statement after the other,
// and what it should see.  A file has many (tests/corpus/database/postgresql):
//
//   = UPDATE goes on from the newest version
//   levels A RC, B RC
//   rows INSERT INTO stock VALUES (7, 0)
//   A: UPDATE stock SET n = n + 1 WHERE id = 1
//   B: UPDATE stock SET n = n + 2 WHERE id = 1 -> waits for A
//   A: COMMIT
//   B wakes -> 1 row
//
// Levels are RC, RR and SER, with READ ONLY and DEFERRABLE behind them.
// A session with a level is in a transaction from its first statement on, one without is
// not.  Behind the arrow stands a SQLSTATE, the rows "(1, ann) (2, bob)" or "no rows", how
// many there are ("1 row", "2 rows"), or who is waited for.  Nothing there: it goes well.
// Whoever is woken says so in the next line.
//
// For MariaDB (tests/corpus/database/mariadb) every session is in a transaction, and goes
// on in it after an error.  X and Y commit after each statement.  Z, at READ COMMITTED,
// looks at what has become of everything.
//
//   = what two levels have in common
//   at RC RR, A READ ONLY
//
// is run at each of these levels: RU, RC, RR, SER, and with innodb_snapshot_isolation SI,
// SI-RC and SI-SER.  An error is a number, "1213 | 1 row" one of two things, and rows in
// front of all experiments are for all of them.
// For SQLite (tests/corpus/database/sqlite) sessions are the same.  "at J W" says with
// which journal it is run, the rollback journal or the write-ahead log; J+ and W+ have a
// busy timeout.  "levels A IMMEDIATE" names those that do not begin with BEGIN alone.  An
// error is the name of SQLite's result code, without SQLITE_: BUSY.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "database/schedule.h"
#include "program/ir.h"

namespace isomer::test {

struct ExperimentStep {
  std::size_t line = 0;
  database::SessionIndex session = 0;
  bool is_wake = false;
  std::string sql;
  std::string expected;
};

struct Experiment {
  std::string name;
  std::string file;
  std::size_t line = 0;
  std::string scenario{};  // as a TOML scenario
  std::vector<std::string> sessions{};
  std::vector<ExperimentStep> steps{};
  std::string problem{};  // why it cannot be read
  database::ServerKind kind{};
  // MariaDB, by session: PostgreSQL's levels stand in the scenario.
  std::vector<database::BeginOptions> begin{};
};

bool commits_each(const std::string& session);

// All experiments of a file, one for each level; the tables are those of tables.sql beside
// it, the database is that of its folder.
std::vector<Experiment> read_experiments(const std::string& path);

Expected<program::Program> program_of(const Experiment& experiment);

// What BEGIN says for a transaction of a script.
database::BeginOptions begin_options(const program::TransactionType& type);

// What went otherwise than expected, one line each.
std::vector<std::string> surprises(const Experiment& experiment,
                                   const program::Program& program,
                                   database::Server& server);

}  // namespace isomer::test
