// SPDX-License-Identifier: MIT
// What a machine on a server asks for, in its order, and what becomes of it when statements
// fail: handlers, inside loops and each other, and scripts.
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/machine/evaluate.h"
#include "program/machine/machine.h"
#include "program/print/print.h"
#include "program/scenario/scenario.h"
#include "program/sql/script.h"

namespace isomer::program {
namespace {

using Steps = std::vector<std::string>;

const std::string folder = ISOMER_SOURCE_DIR "/examples/apps/simple_bank/";

std::string text_of(const Program& program, const TransactionType& type,
                    const AsksServer& asked) {
  const PrintNames names{.program = program, .variables = &type.variables};
  switch (asked.kind) {
    case AsksServer::Kind::Savepoint:
      return "savepoint " + asked.savepoint;
    case AsksServer::Kind::Release:
      return "release " + asked.savepoint;
    case AsksServer::Kind::RollbackTo:
      return "rollback to " + asked.savepoint;
    case AsksServer::Kind::Value:
      return "value " + to_text(names, *asked.expression);
    case AsksServer::Kind::Statement:
      break;
  }
  std::string out = to_text(names, Block{*asked.statement}, 0);
  return out.substr(0, out.find('\n'));
}

// Runs the type; statements fail by their number, from 1, with these codes.
Steps run(const Program& program, std::uint32_t type,
          const std::map<int, std::string>& failures) {
  Call call;
  call.type = type;
  Machine machine = Machine::on_server(program, call, {});
  Steps out;
  int statements = 0;
  while (out.size() < 60) {
    const Step step = machine.next();
    if (const auto* commits = std::get_if<Commits>(&step)) {
      out.push_back("commits " + to_text(commits->result));
      return out;
    }
    if (const auto* aborts = std::get_if<Aborts>(&step)) {
      out.push_back(fmt::format("aborts {} {}", aborts->sqlstate, aborts->reason));
      return out;
    }
    const auto& asked = std::get<AsksServer>(step);
    out.push_back(text_of(program, program.types[type], asked));
    const bool is_statement = asked.kind == AsksServer::Kind::Statement;
    const auto failure = failures.find(is_statement ? ++statements : 0);
    if (failure != failures.end())
      machine.fail({.reason = "it failed", .sqlstate = failure->second, .at = {}});
    else
      machine.answer(StatementAnswer{.rows = {{Value::boolean(true)}}, .count = 1});
  }
  return out;
}

Steps run(std::string_view body, const std::map<int, std::string>& failures) {
  const auto program = parse_sql(
      "p.sql", fmt::format("CREATE TABLE t (id int PRIMARY KEY);\n"
                           "CREATE FUNCTION f() RETURNS text LANGUAGE plpgsql AS $$\n"
                           "DECLARE s text := 'none';\n{}\n$$;",
                           body));
  EXPECT_TRUE(program) << render(program.error());
  return program ? run(*program, 0, failures) : Steps{};
}

constexpr std::string_view retried = R"(
BEGIN
  LOOP
    BEGIN
      DELETE FROM t;
      EXIT;
    EXCEPTION WHEN unique_violation OR deadlock_detected THEN
      s := SQLSTATE || ' ' || SQLERRM;
    END;
  END LOOP;
  RETURN s;
END)";

TEST(Handlers, are_left_by_exit_and_tried_again_in_a_loop) {
  EXPECT_EQ(run(retried, {}), (Steps{"savepoint exception 2", "DELETE FROM t",
                                     "release exception 2", "commits none"}));
  EXPECT_EQ(run(retried, {{1, "23505"}}),
            (Steps{"savepoint exception 2", "DELETE FROM t", "rollback to exception 2",
                   "release exception 2", "savepoint exception 2", "DELETE FROM t",
                   "release exception 2", "commits 23505 it failed"}));
  EXPECT_EQ(run(retried, {{1, "40001"}}),
            (Steps{"savepoint exception 2", "DELETE FROM t", "aborts 40001 it failed"}));
}

constexpr std::string_view nested = R"(
BEGIN
  BEGIN
    DELETE FROM t WHERE id = 1;
  EXCEPTION
    WHEN integrity_constraint_violation THEN
      BEGIN
        DELETE FROM t WHERE id = 2;
      EXCEPTION WHEN OTHERS THEN
        s := SQLSTATE;
      END;
      s := s || SQLSTATE;
      RAISE;
    WHEN OTHERS THEN
      RETURN 'inner ' || SQLSTATE;
  END;
  RETURN s;
EXCEPTION WHEN SQLSTATE '23505' THEN
  RETURN 'outer ' || s;
END)";

TEST(Handlers, raise_again_what_they_were_called_for) {
  EXPECT_EQ(
      run(nested, {{1, "23505"}, {2, "40P01"}}),
      (Steps{"savepoint exception 1", "savepoint exception 2", "DELETE FROM t WHERE id = 1",
             "rollback to exception 2", "release exception 2", "savepoint exception 3",
             "DELETE FROM t WHERE id = 2", "rollback to exception 3", "release exception 3",
             "rollback to exception 1", "release exception 1",
             "commits outer 40P0123505"}));
  EXPECT_EQ(
      run(nested, {{1, "40001"}}),
      (Steps{"savepoint exception 1", "savepoint exception 2", "DELETE FROM t WHERE id = 1",
             "rollback to exception 2", "release exception 2", "commits inner 40001"}));
  EXPECT_EQ(run(nested, {{1, "23514"}}).back(), "aborts 23514 it failed");
}

TEST(Handlers, catch_neither_asserts_nor_cancelled_queries_as_others) {
  constexpr std::string_view others =
      "BEGIN BEGIN DELETE FROM t; EXCEPTION WHEN OTHERS THEN RETURN 'caught'; END; RETURN "
      "s; "
      "END";
  EXPECT_EQ(run(others, {{1, "22012"}}).back(), "commits caught");
  EXPECT_EQ(run(others, {{1, "57014"}}).back(), "aborts 57014 it failed");
  constexpr std::string_view both =
      "BEGIN BEGIN DELETE FROM t; EXCEPTION WHEN OTHERS OR query_canceled THEN RETURN "
      "'caught'; END; RETURN s; END";
  EXPECT_EQ(run(both, {{1, "57014"}}).back(), "commits caught");
  EXPECT_EQ(run(both, {{1, "22012"}}).back(), "commits caught");
}

TEST(Handlers, know_that_a_name_may_have_two_codes) {
  constexpr std::string_view named =
      "BEGIN BEGIN DELETE FROM t; EXCEPTION WHEN null_value_not_allowed THEN RETURN "
      "'caught'; END; RETURN s; END";
  EXPECT_EQ(run(named, {{1, "22004"}}).back(), "commits caught");
  EXPECT_EQ(run(named, {{1, "39004"}}).back(), "commits caught");
  EXPECT_EQ(run(named, {{1, "22005"}}).back(), "aborts 22005 it failed");
}

TEST(Handlers, are_not_there_for_the_declarations_of_their_block) {
  const Steps steps =
      run("BEGIN DECLARE n int := 1 / 0; BEGIN RETURN s; EXCEPTION WHEN OTHERS THEN RETURN "
          "'inner'; END; EXCEPTION WHEN OTHERS THEN RETURN 'outer'; END",
          {});
  EXPECT_EQ(steps.back(), "commits outer");
}

TEST(Raise, alone_is_an_error_outside_of_handlers) {
  EXPECT_EQ(run("BEGIN RAISE; END", {}),
            (Steps{"aborts 0Z002 RAISE without parameters cannot be used outside an "
                   "exception handler"}));
}

TEST(AdvisoryLocks, set_found_only_as_statements) {
  EXPECT_EQ(
      run("BEGIN IF pg_try_advisory_lock(1) THEN RETURN FOUND::text; END IF; END", {}),
      (Steps{"SELECT pg_try_advisory_lock(1) INTO .pg_try_advisory_lock 1",
             "commits false"}));
  EXPECT_EQ(run("BEGIN PERFORM pg_advisory_lock(1, 2); RETURN FOUND::text; END", {}),
            (Steps{"SELECT pg_advisory_lock(1, 2)", "commits true"}));
}

// What is shown of a statement of SQL is SQL again.
TEST(Statements, are_shown_as_they_can_be_read) {
  const std::string script = R"(
SELECT a.id FROM account a, account b WHERE a.id = b.id FOR UPDATE OF a NOWAIT FOR KEY SHARE OF b SKIP LOCKED
SELECT id FROM account WHERE id = 1 FOR NO KEY UPDATE
SELECT a.id FROM account a LEFT JOIN account b ON b.id = a.id FOR SHARE OF a NOWAIT
LOCK TABLE account IN SHARE UPDATE EXCLUSIVE MODE NOWAIT
LOCK TABLE account IN ACCESS SHARE MODE
SELECT pg_advisory_xact_lock_shared(1, 2)
SELECT pg_try_advisory_lock(-5)
SELECT pg_advisory_unlock_all()
SAVEPOINT "a ""b"""
ROLLBACK TO SAVEPOINT a
RELEASE SAVEPOINT "A"
)";
  std::string statements;
  for (const char c : script)
    statements += c == '\n' ? ";\n" : std::string(1, c);
  const auto program = parse_scenario(
      folder + "s.toml", "app = \"simple_bank.sql\"\n[[session]]\nscript = '''BEGIN" +
                             statements + "COMMIT'''\n");
  ASSERT_TRUE(program) << render(program.error());
  const PrintNames names{.program = *program};
  EXPECT_EQ("\n" + to_text(names, program->types.back().body, 0), script);
}

// Of a session's script, the transaction at this place.
Steps run_script(const std::string& script, std::uint32_t transaction,
                 const std::map<int, std::string>& failures) {
  const auto program =
      parse_scenario(folder + "s.toml",
                     "app = \"simple_bank.sql\"\n[[session]]\nname = \"ann\"\nscript = "
                     "'''" +
                         script + "'''\n");
  EXPECT_TRUE(program) << render(program.error());
  if (!program) return {};
  return run(*program, program->sessions[0].calls[transaction].type, failures);
}

constexpr const char* savepoints =
    "BEGIN; SAVEPOINT a; DELETE FROM account WHERE id = 1; DELETE FROM account WHERE id = "
    "2; "
    "ROLLBACK TO a; DELETE FROM account WHERE id = 3; ROLLBACK TO \"A\"; COMMIT; "
    "SELECT id FROM account; BEGIN; DELETE FROM account; ROLLBACK;";

TEST(Scripts, pass_over_what_follows_an_error_until_rollback_to) {
  EXPECT_EQ(run_script(savepoints, 0, {{1, "40001"}, {2, "40001"}}),
            (Steps{"savepoint a", "DELETE FROM account WHERE id = 1", "rollback to a",
                   "DELETE FROM account WHERE id = 3", "aborts 40001 it failed"}));
}

TEST(Scripts, know_their_savepoints_by_name) {
  EXPECT_EQ(run_script(savepoints, 0, {}),
            (Steps{"savepoint a", "DELETE FROM account WHERE id = 1",
                   "DELETE FROM account WHERE id = 2", "rollback to a",
                   "DELETE FROM account WHERE id = 3",
                   "aborts 3B001 savepoint \"A\" does not exist"}));
}

TEST(Scripts, have_transactions_of_one_statement_and_such_that_roll_back) {
  EXPECT_EQ(run_script(savepoints, 1, {}),
            (Steps{"SELECT id FROM account", "commits NULL"}));
  EXPECT_EQ(run_script(savepoints, 2, {}),
            (Steps{"DELETE FROM account", "aborts  the transaction aborts itself"}));
}

}  // namespace
}  // namespace isomer::program
