// SPDX-License-Identifier: MIT
#include "support/random_sql/random_sql.h"

#include <array>

#include <fmt/format.h>

#include "support/random_sql/random_array.h"
#include "support/random_sql/random_computed.h"
#include "support/random_sql/random_control.h"

namespace isomer::test {
namespace {

constexpr std::string_view tables = R"(
CREATE TABLE t (
  id int PRIMARY KEY,
  a  int CHECK (a <> 13),
  b  bigint UNIQUE,
  n  numeric(10, 2),
  m  numeric,
  s  text,
  v  varchar(5),
  d  date,
  ts timestamp,
  f  boolean,
  c  int NOT NULL DEFAULT 7,
  c4 char(4),
  c6 char(6),
  vc varchar
);
CREATE TABLE u (
  k    int,
  j    int,
  t_id int REFERENCES t (id),
  w    text,
  PRIMARY KEY (k, j)
);
)";

constexpr std::string_view fill = R"(
CREATE PROCEDURE fill() LANGUAGE plpgsql AS $$
BEGIN
INSERT INTO t (id, a, b, n, m, s, v, d, ts, f) VALUES
  (1, 5, 50, 12.50, 3.1415, 'ann', 'ann', '2024-02-29', '2024-02-29 10:30:00', true),
  (2, -7, -9223372036854775807, -0.01, 0.0001, 'Bob', 'BOB', '1999-12-31', '1999-12-31 23:59:59', false),
  (3, 2147483647, 9223372036854775807, 99999999.99, 1000.5, '', '', '2000-01-01', '2000-01-01 00:00:00', NULL),
  (4, -2147483648, 0, 0.00, -2.75, 'a%b_c', 'a_', NULL, NULL, true),
  (5, NULL, NULL, NULL, NULL, NULL, NULL, '2024-02-29', '2024-03-01 00:00:00.125', false),
  (6, 0, 1, 1.005, 100.00, 'été', 'zz', '2030-06-15', NULL, NULL),
  (7, 5, 7, -12.50, 0, 'ann', 'b', NULL, '2024-02-29 10:30:00', true),
  (8, 100, NULL, 7.00, 2.5, 'zoe', NULL, '1970-01-01', '1970-01-01 12:00:00', false);
UPDATE t SET c4 = 'b', c6 = 'b ', vc = 'b  ' WHERE id = 1;
UPDATE t SET c4 = 'B', c6 = 'b', vc = 'B' WHERE id = 2;
UPDATE t SET c4 = '', c6 = '', vc = '  ' WHERE id = 3;
UPDATE t SET c4 = 'b', vc = 'b' WHERE id = 4;
UPDATE t SET c6 = 'été', vc = 'été ' WHERE id = 6;
UPDATE t SET c4 = 'abcd', c6 = 'abcdef', vc = 'abcd' WHERE id = 7;
UPDATE t SET c4 = ' b', c6 = 'ann' WHERE id = 8;
INSERT INTO u VALUES
  (1, 1, 1, 'x'), (1, 2, 2, NULL), (1, 3, 1, 'y'), (2, 1, NULL, 'b'), (2, 2, 4, ''), (3, 1, 8, 'b  ');
END $$;
)";

// What random functions call.
constexpr std::string_view callees = R"(
CREATE FUNCTION a_of(key int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  x int := 3;
BEGIN
  SELECT a INTO x FROM t WHERE id = key;
  IF FOUND THEN
    RETURN x;
  END IF;
  FOR i IN 1..3 LOOP
    IF i > key THEN
      RETURN i * 7;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE PROCEDURE put(key int, other int, INOUT x int) LANGUAGE plpgsql AS $$
BEGIN
  x := a_of(key);
  IF x IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO u VALUES (key, other, key, 'put') ON CONFLICT (k, j) DO UPDATE SET w = u.w || '!';
  x := x % 100 + other;
END $$;
CREATE FUNCTION left_of(p text, q text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF p < q THEN
    RETURN p || '.';
  END IF;
  RETURN q;
END $$;
)";

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed), expressions_(random_) {}

  FunctionText function() {
    switch (random_.below(23)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        return expression_of_row();
      case 5:
        return expression_of_variables();
      case 6:
      case 7:
        return query();
      case 8:
        return join();
      case 9:
        return aggregate();
      case 10:
        return grouped();
      case 11:
      case 12:
        return insert();
      case 13:
        return upsert();
      case 14:
        return update();
      case 15:
        return distinct();
      case 16:
        return correlated();
      case 17:
        return {"int", random_control(random_)};
      case 18:
        return update_from();
      case 19:
        return delete_using();
      case 20:
        return call();
      case 21:
        return small();
      default:
        return removal();
    }
  }

 private:
  template <std::size_t N>
  std::string pick(const std::array<std::string_view, N>& texts) {
    return std::string(texts[random_.below(N)]);
  }

  bool coin() { return random_.chance(0.5); }

  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }

  std::string where(std::string_view prefix = "") {
    expressions_.use_columns(prefix);
    return expressions_.condition(2);
  }

  std::string direction() {
    return pick(
        std::array<std::string_view, 4>{"", " DESC", " NULLS FIRST", " DESC NULLS LAST"});
  }

  std::string limit() {
    if (coin()) return "";
    return fmt::format(" LIMIT {}{}", below(5),
                       coin() ? fmt::format(" OFFSET {}", below(4)) : "");
  }

  // Gives the rows of a query with `columns` columns c1, c2, .. as text.
  static FunctionText loop(const std::string& query, int columns) {
    std::string line;
    for (int i = 1; i <= columns; ++i)
      line += fmt::format(" || coalesce(r.c{}::text, 'NULL') || '|'", i);
    return {"text",
            fmt::format("DECLARE\n  r record;\n  result text := '';\nBEGIN\n  FOR r IN\n   "
                        " {}\n  LOOP\n"
                        "    result := result{};\n  END LOOP;\n  RETURN result;\nEND",
                        query, line)};
  }

  FunctionText expression_of_row() {
    const Type type = expressions_.any_type();
    expressions_.use_columns("");
    return {
        std::string(name_of(type)),
        fmt::format("DECLARE\n  x {};\nBEGIN\n  SELECT {} INTO{} x FROM t WHERE id = {};\n"
                    "  RETURN x;\nEND",
                    name_of(type), expressions_.expression(type, 3),
                    coin() ? " STRICT" : "", below(9) + 1)};
  }

  FunctionText expression_of_variables() {
    const Type type = expressions_.any_type();
    expressions_.use_columns("");
    const std::string expression = expressions_.expression(type, 3);
    return {
        std::string(name_of(type)),
        fmt::format(
            "DECLARE\n  a int := {};\n  b bigint := {};\n  n numeric(10, 2) := {};\n"
            "  m numeric := {};\n  s text := {};\n  v varchar(5) := {};\n  d date := {};\n"
            "  ts timestamp := {};\n  f boolean := {};\n  c4 char(4) := {};\n"
            "  c6 char(6) := {};\n  vc varchar := {};\nBEGIN\n  RETURN {};\nEND",
            constant(Type::Int), constant(Type::Big), constant(Type::Numeric),
            constant(Type::Numeric), constant(Type::Text), coin() ? "'pqr'" : "NULL",
            constant(Type::Date), constant(Type::Timestamp), constant(Type::Bool),
            blank_text(), blank_text(), blank_text(), expression)};
  }

  std::string blank_text() {
    return pick(std::array<std::string_view, 5>{"'b '", "'b'", "NULL", "''", "'ab  '"});
  }

  std::string constant(Type type) { return expressions_.constant(type); }

  FunctionText query() {
    const std::string condition = where();
    const Type type = expressions_.any_type();
    // Texts that are no date or time fail in two ways, and which row comes first is open.
    const bool is_moment = type == Type::Date || type == Type::Timestamp;
    const std::string value =
        is_moment ? expressions_.column(type) : expressions_.expression(type, 1);
    const std::string distinct = coin() ? "" : "id, ";
    return loop(
        fmt::format("SELECT id AS c1, {} AS c2, {} AS c3 FROM t WHERE {} ORDER BY "
                    "{}{}, {}id{}",
                    value, column_of(Type::Text), condition,
                    column_of(expressions_.any_type()), direction(), distinct, limit()),
        3);
  }

  FunctionText distinct() {
    const std::string condition = where();
    const std::string first = column_of(expressions_.any_type());
    const std::string text = column_of(Type::Text);
    return loop(
        fmt::format("SELECT DISTINCT {0} AS c1, {1} AS c2 FROM t WHERE {2} ORDER BY "
                    "{0}{3}, {1}{4}",
                    first, text, condition, direction(), limit()),
        2);
  }

  FunctionText correlated() {
    static constexpr std::array<std::string_view, 5> values{
        "(SELECT count(*) FROM u WHERE u.t_id = x.id)",
        "(SELECT max(w) FROM u WHERE u.t_id = x.id AND u.k > 1)",
        "(SELECT sum(u.k + u.j) FROM u WHERE u.t_id = x.id)",
        "(SELECT w FROM u WHERE u.t_id = x.id ORDER BY k, j LIMIT 1)",
        "(SELECT j FROM u WHERE u.k = x.id)"};
    static constexpr std::array<std::string_view, 5> conditions{
        "EXISTS (SELECT 1 FROM u WHERE u.t_id = x.id)",
        "NOT EXISTS (SELECT 1 FROM u WHERE u.t_id = x.id AND u.w = x.s)",
        "x.id IN (SELECT t_id FROM u WHERE u.k < x.id)",
        "x.id NOT IN (SELECT t_id FROM u WHERE u.j = x.a)", "x.a > (SELECT avg(k) FROM u)"};
    return loop(fmt::format("SELECT x.id AS c1, {} AS c2, {} AS c3 FROM t x WHERE {} ORDER "
                            "BY x.id{}",
                            pick(values), pick(values), pick(conditions), direction()),
                3);
  }

  std::string column_of(Type type) { return expressions_.column(type); }

  FunctionText join() {
    const std::string kind = coin() ? "JOIN" : "LEFT JOIN";
    const std::string on = pick(std::array<std::string_view, 4>{
        "y.t_id = x.id", "y.t_id = x.id AND y.k > 1", "y.w = x.s", "y.j = x.id"});
    return loop(fmt::format("SELECT x.id AS c1, y.k AS c2, y.w AS c3 FROM t x {} u y ON {} "
                            "WHERE {} ORDER BY x.id{}, y.k, y.j{}",
                            kind, on, where("x."), direction(), limit()),
                3);
  }

  FunctionText aggregate() {
    static constexpr std::array<std::string_view, 18> aggregates{
        "min(c4)",
        "max(c6)",
        "count(DISTINCT c4)",
        "concat(max(c4), min(c6), min(vc))",
        "count(*)",
        "count(a)",
        "count(DISTINCT a)",
        "sum(a)",
        "sum(n)",
        "min(s)",
        "max(d)",
        "min(ts)",
        "max(v)",
        "avg(a)",
        "sum(m)",
        "max(b)",
        "avg(n)",
        "count(f)"};
    const std::string condition = coin() ? where() : where() + " AND id > 100";
    return loop(
        fmt::format("SELECT {} AS c1, {} AS c2, {} AS c3 FROM t WHERE {}", pick(aggregates),
                    pick(aggregates), pick(aggregates), condition),
        3);
  }

  FunctionText grouped() {
    static constexpr std::array<std::string_view, 4> keys{"f", "a", "s", "d"};
    static constexpr std::array<std::string_view, 5> aggregates{
        "sum(c)", "min(n)", "max(id)", "count(b)", "count(DISTINCT s)"};
    static constexpr std::array<std::string_view, 4> havings{
        "", " HAVING count(*) > 1", " HAVING min(id) < 5", " HAVING sum(n) IS NOT NULL"};
    const std::string key = pick(keys);
    return loop(fmt::format("SELECT {0} AS c1, count(*) AS c2, {1} AS c3 FROM t WHERE {2} "
                            "GROUP BY {0}{3} ORDER BY {0}{4}",
                            key, pick(aggregates), where(), pick(havings), direction()),
                3);
  }

  // After a change: whether it found something, and what RETURNING gave.
  static FunctionText change(const std::string& statement) {
    return {"text",
            fmt::format(
                "DECLARE\n  x int;\nBEGIN\n  {};\n  IF FOUND THEN\n    RETURN 'found ' || "
                "coalesce(x, 0);\n  END IF;\n  RETURN 'none';\nEND",
                statement)};
  }

  std::string new_id() { return fmt::to_string(below(20) + 1); }

  std::string some_text() {
    return pick(std::array<std::string_view, 6>{"'abc'", "''", "NULL", "'sixsix'",
                                                "'abcde'", "'q'"});
  }

  std::string row() {
    return fmt::format("({}, {}, {}, {}, {}, {}, {})", new_id(), constant(Type::Int),
                       coin() ? "NULL" : fmt::to_string(below(60)), constant(Type::Numeric),
                       some_text(), constant(Type::Date),
                       pick(std::array<std::string_view, 4>{"1", "2", "NULL", "DEFAULT"}));
  }

  std::string child() {
    return fmt::format("({}, {}, {}, {})", below(4) + 1, below(4) + 1,
                       coin() ? "NULL" : new_id(), some_text());
  }

  FunctionText insert() {
    expressions_.use_columns("");
    switch (below(6)) {
      case 5:
        return change(
            "INSERT INTO t (id, v, c4, b) SELECT t.id + x.id, x.c4 || t.s, x.vc, t.b FROM "
            "t "
            "JOIN t x ON x.id = t.id + " +
            fmt::to_string(below(3)) + " WHERE " + where("x.") + " ORDER BY t.id");
      case 0:
        return change("INSERT INTO u VALUES " + child());
      case 1:
        return change("INSERT INTO u VALUES " + child() + ", " + child());
      case 2:
        return change(fmt::format("INSERT INTO u SELECT id, {}, id, s FROM t WHERE {}",
                                  below(6) + 1, where()));
      default:
        return change(
            "INSERT INTO t (id, a, b, n, v, d, c) VALUES " + row() +
            pick(std::array<std::string_view, 3>{"", " RETURNING id INTO x",
                                                 " RETURNING id, a / (a - 5) INTO x"}));
    }
  }

  FunctionText upsert() {
    static constexpr std::array<std::string_view, 6> actions{
        " ON CONFLICT DO NOTHING",
        " ON CONFLICT (id) DO NOTHING",
        " ON CONFLICT (b) DO UPDATE SET a = excluded.a",
        " ON CONFLICT (id) DO UPDATE SET a = t.c + excluded.c, v = excluded.v",
        " ON CONFLICT (id) DO UPDATE SET n = excluded.n WHERE t.f",
        " ON CONFLICT (id) DO UPDATE SET b = NULL, d = excluded.d RETURNING c INTO x"};
    if (below(3) == 0)
      return change("INSERT INTO u VALUES " + child() +
                    " ON CONFLICT (k, j) DO UPDATE SET w = u.w || excluded.w");
    return change("INSERT INTO t (id, a, b, n, v, d, c) VALUES " + row() + pick(actions));
  }

  std::string assignment() {
    expressions_.use_columns("");
    switch (below(13)) {
      case 8:
        return "c4 = vc, vc = c4";
      case 9:
        return "c6 = c4 || v";
      case 10:
        return "c4 = " + blank_text() + ", c6 = coalesce(c4, vc)";
      case 11:
        return "v = c6, vc = concat(c4, c6)";
      case 7:
        return "a = (SELECT max(k) FROM u WHERE u.t_id = t.id)";
      case 0:
        return "n = n * 10";
      case 1:
        return "v = coalesce(v, '') || 'abc'";
      case 2:
        return "a = " + constant(Type::Int);
      case 3:
        return "a = a + 1, n = a";
      case 4:
        return "c = a";
      case 5:
        return "s = s || v, f = NOT f";
      case 6:
        return "d = " + constant(Type::Date) + ", ts = " + constant(Type::Timestamp);
      default:
        return "m = " + expressions_.column(Type::Numeric);
    }
  }

  FunctionText update() {
    switch (below(6)) {
      case 0:
        return change(
            fmt::format("UPDATE t SET b = {} WHERE id = {}", below(60), new_id()));
      case 1:
        return change(
            fmt::format("UPDATE t SET id = {} WHERE id = {}", new_id(), new_id()));
      case 2:
        return change(
            fmt::format("UPDATE u SET w = w || '+', t_id = {} WHERE k = {} AND j = {}",
                        new_id(), below(4), below(4)));
      case 3:
        return change(fmt::format("UPDATE t SET {} WHERE {}", assignment(), where()));
      default:
        return change(fmt::format("UPDATE t SET {} WHERE id = {} RETURNING c INTO x",
                                  assignment(), new_id()));
    }
  }

  FunctionText removal() {
    switch (below(5)) {
      case 4:
        return change(fmt::format(
            "DELETE FROM t WHERE id IN (SELECT j FROM u WHERE k = {})", below(4)));
      case 0:
        return change(fmt::format("DELETE FROM t WHERE id = {}", new_id()));
      case 1:
        return change(fmt::format("DELETE FROM t WHERE id = {} AND {}", new_id(), where()));
      case 2:
        return change(
            fmt::format("DELETE FROM u WHERE k = {} AND j = {} RETURNING t_id INTO x",
                        below(4), below(4)));
      default:
        return change(
            fmt::format("DELETE FROM u WHERE w = {} OR t_id > {}", some_text(), below(40)));
    }
  }

  // At most one row of u matches, so that it is clear which one counts.
  FunctionText update_from() {
    static constexpr std::array<std::string_view, 5> statements{
        "UPDATE t SET a = y.k + t.c FROM u y WHERE y.t_id = t.id AND y.j = 2 AND y.k = 1",
        "UPDATE t SET s = y.w, c = y.j FROM u y WHERE t.id = y.k * 2 AND y.j = 1",
        "UPDATE u SET w = x.s, j = u.j + 10 FROM t x WHERE x.id = u.t_id AND x.a > u.k AND "
        "u.j = 2",
        "UPDATE u SET w = x.v FROM t x JOIN t z ON z.id = x.id + 1 WHERE x.id = u.t_id",
        "UPDATE u SET w = z.v FROM t x LEFT JOIN t z ON z.a = x.id WHERE x.id = u.k AND "
        "z.id IS NULL"};
    return change(counted(pick(statements)));
  }

  FunctionText delete_using() {
    static constexpr std::array<std::string_view, 4> statements{
        "DELETE FROM u USING t WHERE t.id = u.t_id AND t.f",
        "DELETE FROM u y USING t x, t z WHERE x.id = y.t_id AND z.id = y.k AND x.a < z.a",
        "DELETE FROM t USING u WHERE u.k = t.id AND u.w IS NULL",
        "DELETE FROM u USING t x LEFT JOIN t z ON z.id = x.c WHERE x.id = u.j AND z.f"};
    return change(counted(pick(statements)));
  }

  static std::string counted(const std::string& statement) {
    return statement + ";\n  GET DIAGNOSTICS x = ROW_COUNT";
  }

  FunctionText call() {
    const std::string argument = fmt::to_string(below(12));
    switch (below(5)) {
      case 0:
        return change(fmt::format("CALL put({}, {}, x)", argument, below(5)));
      case 1:
        return change(fmt::format("x := a_of({0}) + a_of(a_of({0}))", argument));
      case 2:
        return change(
            fmt::format("WHILE a_of({}) % 1000 > coalesce(x, 0) LOOP x := coalesce(x, 0) + "
                        "50; END LOOP",
                        argument));
      case 3:
        return change(
            fmt::format("PERFORM 1 FROM u WHERE k = {}; x := a_of({}); CALL put({}, 1, x)",
                        below(5), argument, argument));
      default:
        return change(fmt::format(
            "IF a_of({}) = 5 THEN x := 1; ELSIF a_of(x) IS NULL THEN x := 2; END IF",
            argument));
    }
  }

  FunctionText small() {
    static constexpr std::array<std::string_view, 6> assignments{
        "i := i * j",         "i := i + j + 30000", "p := v || 'x '",
        "p := left_of(p, q)", "j := length(p) - i", "q := p"};
    std::string body;
    for (std::uint64_t i = below(4) + 1; i > 0; --i)
      body += "  " + pick(assignments) + ";\n";
    return {
        "text",
        fmt::format("DECLARE\n  i smallint := {};\n  j smallint := {};\n  p char(4) := "
                    "{};\n  q char(6) := 'a ';\n  v varchar(4) := 'a  ';\nBEGIN\n{}  "
                    "RETURN i || '|' || j || '|' || p || '|' || q || (p = q) || (p < v) "
                    "|| (q IN ('a  ', 'b'));\nEND",
                    constant(Type::Int), below(400), some_text(), body)};
  }

  Random random_;
  RandomExpressions expressions_;
};

}  // namespace

RandomSql random_sql(std::uint64_t seed, int statements) {
  Generator generator(seed);
  RandomSql result{std::string(tables).append(fill).append(callees).append(array_callees),
                   {"fill()"}};
  Random random(seed);
  const int all = statements + statements / 4;
  for (int i = 1; i <= all; ++i) {
    const FunctionText function =
        i <= statements ? generator.function() : random_array_function(random);
    result.sql +=
        fmt::format("CREATE FUNCTION s{}() RETURNS {} LANGUAGE plpgsql AS $$\n{} $$;\n", i,
                    function.result, function.body);
    result.calls.push_back(fmt::format("s{}()", i));
  }
  return result;
}

RandomSql random_computed_sql(std::uint64_t seed, int statements) {
  RandomSql result{std::string(tables).append(fill), {"fill()"}};
  Random random(seed);
  for (int i = 1; i <= statements; ++i) {
    const FunctionText function = random_computed_function(random);
    result.sql +=
        fmt::format("CREATE FUNCTION s{}() RETURNS {} LANGUAGE plpgsql AS $$\n{} $$;\n", i,
                    function.result, function.body);
    result.calls.push_back(fmt::format("s{}()", i));
  }
  return result;
}

}  // namespace isomer::test
