// SPDX-License-Identifier: MIT
// What MariaDB is told, and what it cannot be told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/print/dialect.h"
#include "program/sql/script.h"

namespace isomer::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view tables = R"(
CREATE TABLE t (id int PRIMARY KEY, v int, u int UNIQUE, w varchar(5), c char(3), d date,
                n numeric(8, 2), b boolean);
CREATE INDEX ON t (v);
CREATE TABLE g (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE k (id int PRIMARY KEY, t_id int REFERENCES t ON DELETE CASCADE);
)";

Program program_with(const std::string& statement) {
  const auto out = parse_sql(
      "a.sql", fmt::format("{}CREATE FUNCTION f(x int) RETURNS int LANGUAGE plpgsql AS $$ "
                           "DECLARE y int; BEGIN {}; RETURN y; END $$;",
                           tables, statement));
  EXPECT_TRUE(out) << render(out.error());
  return out.value();
}

// With 7 for x.
std::string told(const std::string& statement) {
  const Program program = program_with(statement);
  EXPECT_THAT(obstacles(program, Dialect::MariaDb), IsEmpty()) << statement;
  const std::vector<Value> variables = {Value::integer(7), Value()};
  const Bindings bindings{.variables = variables};
  const PrintNames names{
      .program = program, .bindings = &bindings, .dialect = Dialect::MariaDb};
  const Statement& first = program.types[0].body.at(0);
  return server_text(names, {.statement = &first, .at = first.at});
}

std::string obstacle(const std::string& statement) {
  const Diagnostics found = obstacles(program_with(statement), Dialect::MariaDb);
  return found.empty() ? "" : found[0].message;
}

TEST(MariadbText, changes) {
  EXPECT_EQ(told("UPDATE t SET v = u, u = v WHERE id = x"),
            "UPDATE `t` SET `t`.`v` = `t`.`u`, `t`.`u` = `t`.`v` WHERE `t`.`id` = 7");
  EXPECT_EQ(
      told("UPDATE t a SET v = g.n FROM g WHERE g.id = a.id"),
      "UPDATE `g` CROSS JOIN `t` `a` SET `a`.`v` = `g`.`n` WHERE `g`.`id` = `a`.`id`");
  EXPECT_EQ(told("DELETE FROM t USING g WHERE g.id = t.id"),
            "DELETE `t` FROM `g` CROSS JOIN `t` WHERE `g`.`id` = `t`.`id`");
  EXPECT_EQ(told("DELETE FROM t WHERE id = 1 RETURNING v INTO y"),
            "DELETE FROM `t` WHERE `t`.`id` = 1 RETURNING `t`.`v`");
  EXPECT_EQ(told("INSERT INTO g VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET n = g.n + "
                 "excluded.n"),
            "INSERT INTO `g` (`id`, `n`) VALUES (1, 2) ON DUPLICATE KEY UPDATE `n` = "
            "`g`.`n` + VALUES(`n`)");
  EXPECT_EQ(told("INSERT INTO g (id) VALUES (1)"),
            "INSERT INTO `g` (`id`, `n`) VALUES (1, NULL)");
}

// INSERT IGNORE would put something else into the place of a value that does not fit.
TEST(MariadbText, ignores_duplicates_and_no_other_errors) {
  EXPECT_EQ(told("INSERT INTO g VALUES (1, x) ON CONFLICT DO NOTHING"),
            "INSERT IGNORE INTO `g` (`id`, `n`) VALUES (1, 7)");
  EXPECT_EQ(told("INSERT INTO g VALUES (1, y) ON CONFLICT DO NOTHING"),
            "INSERT INTO `g` (`id`, `n`) VALUES (1, NULL)");
  EXPECT_EQ(told("INSERT INTO t (id, w) VALUES (1, 'sixsix') ON CONFLICT DO NOTHING"),
            "INSERT INTO `t` (`id`, `w`) VALUES (1, 'sixsix')");
}

TEST(MariadbText, queries) {
  EXPECT_EQ(told("SELECT v INTO y FROM t ORDER BY v, id DESC"),
            "SELECT `t`.`v` FROM `t` ORDER BY (`t`.`v`) IS NULL, `t`.`v`, `t`.`id` DESC "
            "LIMIT 1");
  EXPECT_EQ(told("PERFORM v FROM t ORDER BY v DESC NULLS LAST LIMIT x OFFSET 1 FOR SHARE "
                 "SKIP LOCKED"),
            "SELECT `t`.`v` FROM `t` ORDER BY `t`.`v` DESC LIMIT 7 OFFSET 1 LOCK IN SHARE "
            "MODE SKIP LOCKED");
  EXPECT_EQ(told("PERFORM 1 FROM t WHERE v IS DISTINCT FROM u AND v / 2 = 1 AND w || v = "
                 "'a' AND w LIKE 'a%'"),
            "SELECT 1 FROM `t` WHERE (NOT ((`t`.`v`) <=> (`t`.`u`))) AND (((`t`.`v`) DIV "
            "(2)) = 1) AND ((concat(`t`.`w`, CAST((`t`.`v`) AS CHAR))) = 'a') AND "
            "((`t`.`w`) LIKE ('a%') ESCAPE '\\')");
  EXPECT_EQ(told("PERFORM greatest(v, u), d + 3 FROM t"),
            "SELECT greatest(coalesce(`t`.`v`, `t`.`u`), coalesce(`t`.`u`, `t`.`v`)), "
            "date_add((`t`.`d`), INTERVAL (3) DAY) FROM `t`");
}

TEST(MariadbText, tables) {
  EXPECT_THAT(
      table_definitions(program_with("y := 1"), Dialect::MariaDb),
      ElementsAre(
          "CREATE TABLE `t` (`id` integer NOT NULL, `v` integer, `u` integer, `w` "
          "varchar(5), `c` char(3), `d` date, `n` decimal(8, 2), `b` boolean, PRIMARY KEY "
          "(`id`), UNIQUE (`u`), INDEX (`v`)) ENGINE=InnoDB STATS_PERSISTENT=1 "
          "STATS_AUTO_RECALC=0",
          HasSubstr("`n` integer NOT NULL"),
          HasSubstr("FOREIGN KEY (`t_id`) REFERENCES `t` (`id`) ON DELETE CASCADE")));
}

TEST(MariadbObstacles, of_statements) {
  EXPECT_THAT(obstacle("UPDATE t SET v = 1 RETURNING id INTO y"), HasSubstr("RETURNING"));
  EXPECT_THAT(
      obstacle("INSERT INTO t (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET v = 1"),
      HasSubstr("any key counts"));
  EXPECT_THAT(obstacle("INSERT INTO g VALUES (1, 1), (1, 2) ON CONFLICT (id) DO UPDATE SET "
                       "n = 1"),
              HasSubstr("one row"));
  EXPECT_THAT(obstacle("INSERT INTO g VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET n = 1 "
                       "WHERE g.n = 2"),
              HasSubstr("no WHERE behind DO UPDATE"));
  EXPECT_THAT(obstacle("INSERT INTO k VALUES (1, 1) ON CONFLICT DO NOTHING"),
              HasSubstr("INSERT IGNORE"));
  EXPECT_THAT(obstacle("PERFORM 1 FROM t JOIN g ON g.id = t.id FOR UPDATE OF t"),
              HasSubstr("without OF"));
  EXPECT_THAT(obstacle("PERFORM 1 FROM t FOR KEY SHARE"), HasSubstr("no FOR KEY SHARE"));
  EXPECT_THAT(obstacle("LOCK TABLE t"), HasSubstr("LOCK TABLES ends the transaction"));
  EXPECT_THAT(obstacle("PERFORM 1 FROM t WHERE id IN (SELECT id FROM g LIMIT 1)"),
              HasSubstr("IN without LIMIT"));
}

TEST(MariadbObstacles, of_expressions) {
  EXPECT_THAT(obstacle("PERFORM v / u FROM t"), HasSubstr("division by zero is NULL"));
  EXPECT_THAT(obstacle("PERFORM v % 0 FROM t"), HasSubstr("division by zero is NULL"));
  EXPECT_THAT(obstacle("PERFORM n / 2 FROM t"), HasSubstr("computes it otherwise"));
  EXPECT_THAT(obstacle("PERFORM avg(v) FROM t"), HasSubstr("no avg"));
  EXPECT_THAT(obstacle("PERFORM lower(w) FROM t"), HasSubstr("no lower"));
  EXPECT_THAT(obstacle("PERFORM w::int FROM t"), HasSubstr("no cast from"));
  EXPECT_THAT(obstacle("PERFORM d + v FROM t"), HasSubstr("a hundred years"));
  EXPECT_THAT(obstacle("PERFORM coalesce(n, 0.125) FROM t"), HasSubstr("decimals"));
  EXPECT_THAT(obstacle("PERFORM 1 FROM t WHERE w LIKE 'a\\'"), HasSubstr("last \\"));
  EXPECT_THAT(obstacle("PERFORM substring(w, v) FROM t"), HasSubstr("no substring"));
}

TEST(MariadbObstacles, of_tables) {
  const auto first = [](const std::string& definitions) {
    const auto program = parse_sql("a.sql", definitions);
    EXPECT_TRUE(program) << render(program.error());
    const Diagnostics found = obstacles(*program, Dialect::MariaDb);
    return found.empty() ? "" : found[0].message;
  };
  const std::string parent = "CREATE TABLE p (id int PRIMARY KEY);";
  EXPECT_THAT(first("CREATE TABLE a (id int PRIMARY KEY, n numeric);"),
              HasSubstr("numeric(p, s)"));
  EXPECT_THAT(first("CREATE TABLE a (id varchar(800) PRIMARY KEY);"),
              HasSubstr("at most 3072"));
  EXPECT_THAT(first("CREATE TABLE a (id int PRIMARY KEY, x int, \"X\" int);"),
              HasSubstr("upper and lower"));
  EXPECT_THAT(first(parent + "CREATE TABLE a (id bigint PRIMARY KEY REFERENCES p);"),
              HasSubstr("of one type"));
  EXPECT_THAT(
      first(parent + "CREATE TABLE a (id int PRIMARY KEY, p int DEFAULT 1 REFERENCES "
                     "p ON DELETE SET DEFAULT);"),
      HasSubstr("SET DEFAULT"));
  EXPECT_THAT(
      first(parent + "CREATE TABLE a (id int PRIMARY KEY, p int NOT NULL REFERENCES "
                     "p ON DELETE SET NULL);"),
      HasSubstr("NOT NULL"));
  EXPECT_THAT(first(parent + "CREATE TABLE a (id int PRIMARY KEY, p int REFERENCES p ON "
                             "UPDATE CASCADE, CHECK (p > 1));"),
              HasSubstr("no CHECK"));
  EXPECT_THAT(first("CREATE TABLE a (id int PRIMARY KEY, p int REFERENCES a ON UPDATE "
                    "CASCADE);"),
              HasSubstr("refers to itself"));
}

}  // namespace
}  // namespace isomer::program
