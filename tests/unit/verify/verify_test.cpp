// SPDX-License-Identifier: MIT
// What verify can be asked, on programs small enough to know the answer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "level/library.h"
#include "support/small_application.h"
#include "verify/verify.h"

namespace isomer::verify {
namespace {

using check::Level;

class VerifyTest : public testing::Test {
 protected:
  Result ask(const std::string& sql, const std::string& scenario) {
    const auto result = verify(test::small_application(sql, scenario), options);
    EXPECT_TRUE(result);
    for (const LevelAnswer& level : result->levels)
      for (const Answer& answer : level.answers)
        EXPECT_EQ(answer.contradiction, "") << level.level << " " << answer.invariant;
    return *result;
  }

  // A letter for each level and invariant: h, v or ?.
  std::string letters(const std::string& sql, const std::string& scenario) {
    std::string out;
    for (const LevelAnswer& level : ask(sql, scenario).levels)
      for (const Answer& answer : level.answers)
        out += answer.verdict == Verdict::Holds      ? 'h'
               : answer.verdict == Verdict::Violated ? 'v'
                                                     : '?';
    return out;
  }

  static std::string session(const std::string& call) {
    return fmt::format("[[session]]\ncalls = [\"{}\"]\n", call);
  }

  Options options;
};

constexpr const char* counter =
    "CREATE TABLE c (id int PRIMARY KEY, n int NOT NULL);\n"
    "CREATE TABLE log (id int PRIMARY KEY);\n"
    "CREATE PROCEDURE add(k int, x int) LANGUAGE plpgsql AS $$ BEGIN\n"
    "  UPDATE c SET n = n + x WHERE id = k; END $$;\n"
    "CREATE PROCEDURE note(k int, x int) LANGUAGE plpgsql AS $$ BEGIN\n"
    "  UPDATE c SET n = n + x WHERE id = k; INSERT INTO log VALUES (k); END $$;\n"
    "CREATE PROCEDURE twice(k int) LANGUAGE plpgsql AS $$ DECLARE a int; b int; BEGIN\n"
    "  SELECT n INTO a FROM c WHERE id = k; SELECT n INTO b FROM c WHERE id = k;\n"
    "  ASSERT a IS NOT DISTINCT FROM b; END $$;\n";

TEST_F(VerifyTest, finds_lost_updates_of_open_rows) {
  options.levels = {Level::PC, Level::PSI};
  options.no_lost_updates = true;
  options.instances = 2;
  EXPECT_EQ(letters(counter, ""), "vhhh");  // and no ASSERT fails
}

// An open row that does not exist may have any key, also that of one that does.
TEST_F(VerifyTest, inserts_no_row_that_a_scan_has_seen) {
  options.levels = {Level::RC, Level::SER};
  for (const std::uint32_t count : {1U, 2U}) {
    options.instances = count;
    EXPECT_EQ(letters("CREATE TABLE log (id int PRIMARY KEY);\n"
                      "CREATE PROCEDURE add(k int) LANGUAGE plpgsql AS $$ BEGIN\n"
                      "  INSERT INTO log VALUES (k); END $$;\n",
                      "[invariant]\nfew = \"SELECT count(*) < 2 FROM log\"\n"),
              "vv");
  }
}

TEST_F(VerifyTest, has_any_number_of_rows_where_tables_are_accessed_by_key) {
  options.levels = {Level::SER};
  options.instances = 2;
  const std::vector<std::string> bounds = ask(counter, "").bounds;
  EXPECT_EQ(bounds, std::vector<std::string>{"integers that do not overflow"});
}

TEST_F(VerifyTest, reads_again_in_each_statement_if_the_level_allows_it) {
  options.levels = {Level::RC, Level::RA};
  const std::string scenario = "[init]\nsql = \"INSERT INTO c VALUES (1, 0);\"\n" +
                               session("add(1, ?x)") + session("twice(1)");
  EXPECT_EQ(letters(counter, scenario), "vh");
}

// Also if it comes to the row by two keys that need not be equal.
TEST_F(VerifyTest, one_statement_reads_one_version_of_a_row) {
  options.levels = {Level::RC};
  const std::string scenario = "[init]\nsql = \"INSERT INTO c VALUES (1, 0);\"\n" +
                               session("add(1, ?x)") + session("pair(?i, ?j)");
  EXPECT_EQ(letters(std::string(counter) +
                        "CREATE PROCEDURE pair(i int, j int) LANGUAGE plpgsql AS $$\n"
                        "DECLARE a int; b int; BEGIN\n"
                        "  SELECT p.n, q.n INTO a, b FROM c p JOIN c q ON q.id = j\n"
                        "  WHERE p.id = i; ASSERT i <> j OR a IS NOT DISTINCT FROM b;\n"
                        "END $$;\n",
                    scenario),
            "h");
}

TEST_F(VerifyTest, open_rows_keep_to_unique_columns) {
  options.levels = {Level::SER};
  const auto verdict = [&](const std::string& constraint) {
    return letters("CREATE TABLE u (id int PRIMARY KEY, name int NOT NULL " + constraint +
                       ");\n"
                       "CREATE PROCEDURE find(x int) LANGUAGE plpgsql AS $$\n"
                       "DECLARE s bigint; BEGIN\n"
                       "  SELECT count(*) INTO s FROM u WHERE name = x; ASSERT s < 2;\n"
                       "END $$;\n",
                   session("find(?x)") +
                       "[init]\nassume = [\"any\"]\n"
                       "[invariant]\nany = \"SELECT count(*) >= 0 FROM u\"\n");
  };
  EXPECT_EQ(verdict(""), "hv");
  EXPECT_EQ(verdict("UNIQUE"), "hh");
}

// Two readers see two writes in different orders.
TEST_F(VerifyTest, no_encoding_has_a_long_fork_of_prefixes) {
  const std::string sql =
      "CREATE TABLE c (id int PRIMARY KEY, n int NOT NULL);\n"
      "CREATE TABLE seen (id int PRIMARY KEY, a int, b int);\n"
      "CREATE PROCEDURE set(k int) LANGUAGE plpgsql AS $$ BEGIN\n"
      "  UPDATE c SET n = 1 WHERE id = k; END $$;\n"
      "CREATE PROCEDURE look(k int) LANGUAGE plpgsql AS $$ DECLARE a int; b int; BEGIN\n"
      "  SELECT n INTO a FROM c WHERE id = 1; SELECT n INTO b FROM c WHERE id = 2;\n"
      "  INSERT INTO seen VALUES (k, a, b); END $$;\n";
  const std::string scenario =
      "[init]\nsql = \"INSERT INTO c VALUES (1, 0), (2, 0);\"\n" + session("set(1)") +
      session("set(2)") + session("look(1)") + session("look(2)") +
      "[invariant]\nalike = \"SELECT NOT EXISTS (SELECT 1 FROM seen s JOIN seen t "
      "ON t.id = 2 WHERE s.id = 1 AND s.a > t.a AND s.b < t.b)\"\n";
  options.levels = {Level::CC, Level::PC};
  for (const Encoding encoding : {Encoding::Exact, Encoding::Paper}) {
    options.encoding = encoding;
    EXPECT_EQ(letters(sql, scenario), "vh");
  }
}

TEST_F(VerifyTest, integers_overflow_if_asked) {
  options.levels = {Level::SER};
  const std::string scenario = "[init]\nsql = \"INSERT INTO c VALUES (1, 5);\"\n" +
                               session("note(1, ?x)") +
                               "[assume]\ngiven = \"?x IS NOT NULL\"\n"
                               "[invariant]\nnoted = \"SELECT count(*) = 1 FROM log\"\n";
  EXPECT_EQ(letters(counter, scenario), "h");
  options.has_overflow = true;
  EXPECT_EQ(letters(counter, scenario), "v");
}

TEST_F(VerifyTest, open_states_satisfy_what_is_assumed) {
  options.levels = {Level::SI, Level::SER};
  const std::string sql =
      "CREATE TABLE a (id int PRIMARY KEY, n int NOT NULL CHECK (n >= -100));\n"
      "CREATE PROCEDURE take(k int, x int) LANGUAGE plpgsql AS $$ DECLARE s bigint; BEGIN\n"
      "  SELECT sum(n) INTO s FROM a;\n"
      "  IF s >= x THEN UPDATE a SET n = n - x WHERE id = k; END IF; END $$;\n";
  const std::string scenario =
      session("take(?i, ?x)") + session("take(?j, ?y)") +
      "[invariant]\npositive = \"SELECT coalesce(sum(n), 0) >= 0 FROM a\"\n";
  const Result closed = ask(sql, scenario);
  EXPECT_EQ(closed.levels[0].answers[0].verdict, Verdict::Holds);  // there are no rows
  const Result open = ask(sql, "[init]\nassume = [\"positive\"]\n" + scenario);
  ASSERT_EQ(open.levels[0].answers[0].verdict, Verdict::Violated);
  EXPECT_EQ(open.levels[1].answers[0].verdict, Verdict::Holds);
  std::int64_t sum = 0;
  const Counterexample& example = *open.levels[0].answers[0].counterexample;
  for (const auto& [key, row] : example.initial_state) {
    const std::int64_t n = *row.items()[1].get_if<std::int64_t>();
    EXPECT_GE(n, -100);
    sum += n;
  }
  EXPECT_GE(example.initial_state.size(), 2U);
  EXPECT_GE(sum, 0);
  EXPECT_FALSE(example.failure->is_serializable);
}

TEST_F(VerifyTest, constraints_may_be_broken_below_serializability) {
  options.levels = {Level::SI, Level::SER};
  options.constraints = true;
  const std::string sql =
      "CREATE TABLE p (id int PRIMARY KEY, name int UNIQUE);\n"
      "CREATE TABLE q (id int PRIMARY KEY, p_id int REFERENCES p (id));\n"
      "CREATE PROCEDURE new_p(k int, m int) LANGUAGE plpgsql AS $$ BEGIN\n"
      "  INSERT INTO p VALUES (k, m); END $$;\n"
      "CREATE PROCEDURE new_q(k int, m int) LANGUAGE plpgsql AS $$ BEGIN\n"
      "  INSERT INTO q VALUES (k, m); END $$;\n"
      "CREATE PROCEDURE drop_p(k int) LANGUAGE plpgsql AS $$ BEGIN\n"
      "  DELETE FROM p WHERE id = k; END $$;\n";
  const std::string rows = "[init]\nsql = \"INSERT INTO p VALUES (1, 1);\"\n";
  EXPECT_EQ(letters(sql, rows + session("new_p(?i, ?m)") + session("new_p(?j, ?n)")),
            "vhhh");
  EXPECT_EQ(letters(sql, rows + session("new_q(?i, ?m)") + session("drop_p(?j)")), "hvhh");
}

// The interpreter also looks for references to the second row, which the model does
// without.
TEST_F(VerifyTest, shows_runs_with_a_statement_that_fails_at_its_first_row) {
  options.levels = {Level::SER};
  const std::string sql =
      "CREATE TABLE p (id int PRIMARY KEY);\n"
      "CREATE TABLE q (a int REFERENCES p (id), b int, PRIMARY KEY (a, b));\n"
      "CREATE PROCEDURE fill(k int) LANGUAGE plpgsql AS $$ BEGIN\n"
      "  INSERT INTO q SELECT id, k FROM p; END $$;\n"
      "CREATE PROCEDURE clear() LANGUAGE plpgsql AS $$ BEGIN\n"
      "  DELETE FROM p; END $$;\n";
  const std::string scenario =
      "[init]\nsql = \"INSERT INTO p VALUES (2); INSERT INTO p VALUES (3);\"\n" +
      session("fill(3)") + session("clear()") +
      "[invariant]\nempty = \"SELECT count(*) = 0 FROM p\"\n";
  EXPECT_EQ(letters(sql, scenario), "v");
}

TEST_F(VerifyTest, is_undecided_without_time) {
  options.levels = {Level::SI, Level::SER};
  options.budget = Budget(0);
  const std::string scenario =
      session("add(1, ?x)") + "[invariant]\nnone = \"SELECT count(*) = 0 FROM c\"\n";
  EXPECT_EQ(letters(counter, scenario), "??");
}

// A row whose CHECK would fail of an overflow cannot be there, also where it is first
// looked up by the invariant.
TEST_F(VerifyTest, rows_that_overflow_in_a_check_are_not_there) {
  const std::string sql =
      "CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL, b int CHECK (a + b >= 0));\n"
      "CREATE TABLE other (k int PRIMARY KEY);\n"
      "CREATE PROCEDURE add(k int) LANGUAGE plpgsql AS $$ BEGIN\n"
      "  INSERT INTO other VALUES (k); END $$;\n";
  const std::string scenario =
      "[init]\nassume = []\n" + session("add(1)") +
      "[invariant]\nnone = \"SELECT coalesce((SELECT a < 2147483647 OR b < 1 FROM t "
      "WHERE t.k = 1), true)\"\n";
  options.levels = {Level::SER};
  options.has_overflow = true;
  EXPECT_EQ(letters(sql, scenario), "h");
  options.has_overflow = false;
  EXPECT_EQ(letters(sql, scenario), "v");
}

// Arrays are what the queries gave: two that take the first free one may take the same.
TEST_F(VerifyTest, arrays_are_exact) {
  const std::string sql =
      "CREATE TABLE seat (id int PRIMARY KEY, taken int);\n"
      "CREATE TABLE got (who int PRIMARY KEY, seat int);\n"
      "CREATE PROCEDURE take(who int, few int[]) LANGUAGE plpgsql AS $$\n"
      "DECLARE free int[]; one int; BEGIN\n"
      "  SELECT array_agg(id ORDER BY id DESC) INTO free FROM seat\n"
      "    WHERE taken IS NULL AND id = ANY (few);\n"
      "  IF free IS NULL THEN RETURN; END IF;\n"
      "  UPDATE seat SET taken = who WHERE id = free[1];\n"
      "  FOREACH one IN ARRAY free[1] || ARRAY(SELECT seat FROM got) LOOP\n"
      "    INSERT INTO got VALUES (who, one) ON CONFLICT DO NOTHING;\n"
      "  END LOOP; END $$;\n";
  const std::string scenario =
      "[init]\nsql = \"INSERT INTO seat VALUES (1, NULL), (2, NULL), (3, NULL);\"\n" +
      session("take(10, '{1,2,NULL}')") + session("take(11, ARRAY[1, 2])") +
      "[invariant]\n"
      "one_each = \"SELECT count(DISTINCT seat) = count(*) FROM got\"\n"
      "never_3 = \"SELECT 3 <> ALL (ARRAY(SELECT seat FROM got))\"\n"
      "first_2 = \"SELECT 2 = ANY (ARRAY(SELECT seat FROM got))\"\n";
  options.levels = {Level::CC, Level::SI, Level::SER};
  EXPECT_EQ(letters(sql, scenario), "vhhhhhhhh");
  Options asked;
  asked.levels = {Level::SI};
  asked.instances = 2;
  const auto open = verify(
      test::small_application(
          sql,
          "[init]\nassume = []\n[invariant]\nnobody = \"SELECT count(*) = 0 FROM got\"\n"),
      asked);
  ASSERT_FALSE(open);
  EXPECT_NE(open.error()[0].message.find("array arguments"), std::string::npos);
}

TEST_F(VerifyTest, a_level_of_ones_own_decides_by_its_text) {
  const std::string sql =
      "CREATE TABLE c (id int PRIMARY KEY, n int NOT NULL);\n"
      "CREATE PROCEDURE add(k int) LANGUAGE plpgsql AS $$ BEGIN\n"
      "  UPDATE c SET n = n + 1 WHERE id = k; END $$;\n";
  const std::string scenario = "[init]\nsql = \"INSERT INTO c VALUES (1, 0);\"\n" +
                               session("add(1)") + session("add(1)") +
                               "[invariant]\nboth = \"SELECT n = 2 FROM c WHERE id = 1\"\n";
  for (const auto& [text, expected] :
       {std::pair{"level Weak : biswas { RA }", "v"},
        std::pair{"level Strong : cerone { axiom All: ar in vis }", "h"}}) {
    const auto levels = level::parse_levels("mine.level", text);
    ASSERT_TRUE(levels);
    options.levels = {check::AskedLevel("mine", levels->front())};
    EXPECT_EQ(letters(sql, scenario), expected) << text;
  }
}

}  // namespace
}  // namespace isomer::verify
