// SPDX-License-Identifier: MIT
#include "support/random_sql/random_array.h"

#include <fmt/format.h>

namespace isomer::test {

const std::string_view array_callees = R"(
CREATE FUNCTION odd_ones(all_of int[], INOUT few int[]) LANGUAGE plpgsql AS $$
DECLARE
  x int;
BEGIN
  FOREACH x IN ARRAY all_of LOOP
    CONTINUE WHEN x % 2 = 0;
    few := few || x;
  END LOOP;
END $$;
CREATE FUNCTION ids_of(ids int[]) RETURNS int[] LANGUAGE sql AS $$
  SELECT array_agg(id ORDER BY id DESC) FROM t WHERE id = ANY (ids);
$$;
)";

namespace {

template <std::size_t N>
using Texts = std::array<std::string_view, N>;

constexpr Texts<6> comparisons{"=", "<>", "<", "<=", ">", ">="};

// As PostgreSQL reads arrays, and as it does not.
constexpr Texts<26> literals{"'{}'",
                             "' { } '",
                             "'{1}'",
                             "'{1,2}'",
                             "' { 1 , 2 } '",
                             "'{NULL,1}'",
                             "'{null , NULL}'",
                             "'{\"NULL\"}'",
                             "'{nullx}'",
                             "'{\"\"}'",
                             "'{a b , c  }'",
                             "'{\"a\\\"b\",\"c\\\\\"}'",
                             "'{a\\,b, \\{ }'",
                             "'{\\NULL}'",
                             "'{a\\ }'",
                             "'{a,}'",
                             "'{,a}'",
                             "'{a'",
                             "'a}'",
                             "''",
                             "'{a}b'",
                             "'{a\"b\"}'",
                             "'{\"a\"b}'",
                             "'{\"a\" }'",
                             "'{2147483648}'",
                             "'{a\\'"};

// Other digits are no moments to Isomer, which says so.
constexpr Texts<4> moments{"'{2024-02-29,NULL}'", "'{}'", "'{\"2024-02-29 10:30:00\"}'",
                           "'{a}'"};

class Arrays {
 public:
  explicit Arrays(Random& random)
      : random_(random),
        expressions_(random),
        type_(expressions_.any_type()),
        name_(name_of(type_)) {}

  FunctionText function() {
    switch (random_.below(10)) {
      case 0:
        return {"text", loop()};
      case 1:
        return {"text", grouped()};
      case 2:
        return {"text", changes()};
      case 3:
        return {name_, declared() + fmt::format("  RETURN {};\nEND", element(2))};
      case 4:
        return {"int", declared() + fmt::format("  RETURN {};\nEND", measure(2))};
      case 5:
      case 6:
        return {"boolean", declared() + fmt::format("  RETURN {};\nEND", truth(2))};
      case 7:
        return {"text", read()};
      default:
        return {name_ + "[]", declared() + fmt::format("  RETURN {};\nEND", array(3))};
    }
  }

 private:
  template <std::size_t N>
  std::string pick(const std::array<std::string_view, N>& texts) {
    return std::string(texts[random_.below(N)]);
  }

  bool coin() { return random_.chance(0.5); }

  // With its type: a literal beside an array would be one, too.
  std::string constant() {
    return fmt::format("{}::{}", expressions_.constant(type_), name_);
  }

  // A column of t: no char(n), whose blanks an array does not keep.
  std::string column() { return type_ == Type::Text ? "s" : expressions_.column(type_); }

  std::string direction() {
    return pick(Texts<4>{"", " DESC", " NULLS FIRST", " DESC NULLS LAST"});
  }

  // Variables many and more are arrays, one is an element, i a place.
  std::string declared() {
    return fmt::format(
        "DECLARE\n  many {0}[] := {1};\n  more {0}[] := {2};\n  one {0} := {3};\n  i int "
        ":= {4};\n"
        "BEGIN\n{5}",
        name_, fixed(), fixed(), constant(), static_cast<int>(random_.below(5)) - 1,
        coin() ? fmt::format("  many := {};\n", array(2)) : taken());
  }

  std::string taken() {
    switch (random_.below(4)) {
      case 0:
        return fmt::format(
            "  SELECT array_agg({} ORDER BY id{}) INTO many FROM t WHERE id < {};\n",
            column(), direction(), random_.below(10));
      case 1:
        return fmt::format("  SELECT {}, {} INTO many, one FROM t WHERE id = {};\n",
                           array(1), column(), random_.below(10));
      case 2:
        return fmt::format("  more := many;\n  many := array_append(many, one);\n");
      default:
        return "";
    }
  }

  // Without variables.
  std::string fixed() {
    switch (random_.below(6)) {
      case 0:
        return "'{}'";
      case 1:
        return coin() ? fmt::format("NULL::{}[]", name_) : "NULL";
      case 2:
        return fmt::format("ARRAY[{}]", constant());
      case 3:
        return fmt::format("ARRAY[{}, {}, {}]::{}[]", constant(), constant(), constant(),
                           name_);
      default:
        return fmt::format("ARRAY[{}, {}]", constant(), constant());
    }
  }

  std::string condition() {
    if (coin()) return expressions_.condition(1);
    return fmt::format("{} {} {} ({})", column(), pick(comparisons),
                       pick(Texts<2>{"ANY", "ALL"}), coin() ? "many" : "more");
  }

  std::string of_query() {
    const std::string condition = this->condition();
    switch (random_.below(4)) {
      case 0:
        return fmt::format("ARRAY(SELECT {} FROM t WHERE {} ORDER BY id{})", column(),
                           condition, direction());
      case 1:
        return fmt::format("(SELECT array_agg({} ORDER BY {}{}, id) FROM t WHERE {})::{}[]",
                           column(), column(), direction(), condition, name_);
      case 2: {
        const std::string what = column();
        return fmt::format("(SELECT array_agg(DISTINCT {0}{1}) FROM t WHERE {2})::{3}[]",
                           what,
                           coin() ? fmt::format(" ORDER BY {}{}", what, direction()) : "",
                           condition, name_);
      }
      default:
        return fmt::format(
            "ARRAY(SELECT DISTINCT {0} FROM t WHERE {1} ORDER BY {0}{2} LIMIT "
            "{3})",
            column(), condition, direction(), random_.below(4));
    }
  }

  std::string array(int depth) {
    if (depth <= 0 || random_.chance(0.2)) return pick(Texts<2>{"many", "more"});
    const std::string first = array(depth - 1);
    switch (random_.below(11)) {
      case 0:
        return fmt::format("({} || {})", first, array(depth - 1));
      case 1:
        return fmt::format("({} || {})", first, element(depth - 1));
      case 2:
        return fmt::format("({} || {})", element(depth - 1), first);
      case 3:
        return fmt::format("array_append({}, {})", first, element(depth - 1));
      case 4:
        return fmt::format("array_prepend({}, {})", element(depth - 1), first);
      case 5:
        return fmt::format("array_remove({}, {})", first, element(depth - 1));
      case 6:
        return fmt::format("array_cat({}, {})", first, array(depth - 1));
      case 7:
        return fmt::format("(CASE WHEN {} THEN {} ELSE {} END)", truth(depth - 1), first,
                           array(depth - 1));
      case 8:
        return fmt::format("{}({}, {})", pick(Texts<2>{"coalesce", "nullif"}), first,
                           array(depth - 1));
      case 9:
        return fmt::format("ARRAY[{}, {}]", element(depth - 1), element(depth - 1));
      default:
        return of_query();
    }
  }

  std::string element(int depth) {
    if (depth <= 0 || random_.chance(0.3)) return coin() ? "one" : constant();
    switch (random_.below(3)) {
      case 0:
        return fmt::format("({})[{}]", array(depth - 1), measure(depth - 1));
      case 1:
        return fmt::format("many[{}]", measure(depth - 1));
      default:
        return fmt::format("coalesce(many[{}], one)",
                           static_cast<int>(random_.below(5)) - 1);
    }
  }

  std::string measure(int depth) {
    if (depth <= 0 || random_.chance(0.2)) return "i";
    const std::string of = array(depth - 1);
    switch (random_.below(6)) {
      case 0:
        return fmt::format("array_length({}, {})", of,
                           pick(Texts<5>{"1", "1", "1", "2", "i"}));
      case 1:
        return fmt::format("cardinality({})", of);
      case 2:
        return fmt::format("array_position({}, {})", of, element(depth - 1));
      case 3:
        return fmt::format("array_upper({}, 1)", of);
      case 4:
        return fmt::format("array_lower({}, 1)", of);
      default:
        return fmt::format("(i + cardinality({}))", of);
    }
  }

  std::string truth(int depth) {
    const std::string of = array(depth - 1);
    switch (random_.below(9)) {
      case 0:
      case 1:
        return fmt::format("({} {} ANY ({}))", element(depth - 1), pick(comparisons), of);
      case 2:
        return fmt::format("({} {} ALL ({}))", element(depth - 1), pick(comparisons), of);
      case 3:
        return fmt::format("({} {}IN (SELECT unnest({})))", element(depth - 1),
                           coin() ? "NOT " : "", of);
      case 4:
        return fmt::format("({} {} {})", of, pick(Texts<2>{"=", "<>"}), array(depth - 1));
      case 5:
        return fmt::format("({} IS {}DISTINCT FROM {})", of, coin() ? "NOT " : "",
                           array(depth - 1));
      case 6:
        return fmt::format("({} {} {})", of, pick(Texts<3>{"@>", "<@", "&&"}),
                           array(depth - 1));
      case 7:
        return fmt::format("({} {} {} (SELECT {} FROM t WHERE id < {}))",
                           element(depth - 1), pick(comparisons),
                           pick(Texts<2>{"ANY", "ALL"}), column(), random_.below(6));
      default:
        return fmt::format("({} IS {}NULL)", of, coin() ? "NOT " : "");
    }
  }

  std::string loop() {
    std::string out = declared();
    out.insert(out.find("BEGIN"), "  r text := '';\n");
    return out +
           fmt::format(
               "  FOREACH one IN ARRAY {} LOOP\n    r := r || coalesce(one::text, 'NULL') "
               "|| "
               "'|';\n{}    many := many || one;\n  END LOOP;\n  RETURN r || FOUND || "
               "coalesce(one::text, '-') || coalesce(many::text, '-');\nEND",
               array(2),
               coin() ? ""
                      : fmt::format("    {} WHEN {};\n", pick(Texts<2>{"EXIT", "CONTINUE"}),
                                    truth(1)));
  }

  std::string grouped() {
    return fmt::format(
        "DECLARE\n  r record;\n  result text := '';\nBEGIN\n  FOR r IN\n    SELECT {0} AS "
        "c1, array_agg({1} ORDER BY id{2}) AS c2, {3} AS c3 FROM t WHERE {4} GROUP BY {0} "
        "ORDER BY {0}\n  LOOP\n    result := result || coalesce(r.c1::text, '-') || "
        "coalesce(r.c2::text, '-') || coalesce(r.c3::text, '-') || cardinality(r.c2);\n  "
        "END LOOP;\n  RETURN result;\nEND",
        pick(Texts<3>{"f", "a", "s"}), column(), direction(),
        pick(
            Texts<3>{"array_agg(DISTINCT c)", "max(id)", "array_length(array_agg(id), 1)"}),
        expressions_.condition(1));
  }

  // Statements whose rows an array names, and routines that take arrays.
  std::string changes() {
    static constexpr Texts<10> statements{
        "UPDATE t SET c = c + 1 WHERE id = ANY (many)",
        "UPDATE t SET c = cardinality(many) WHERE id <> ALL (many) AND id < 5",
        "DELETE FROM u WHERE k = ANY (many) AND j > 2",
        "INSERT INTO u SELECT id, cardinality(many), id, many::text FROM t WHERE id = ANY "
        "(many) ON "
        "CONFLICT DO NOTHING",
        "UPDATE u SET w = (many || j)::text WHERE k = many[1]",
        "many := odd_ones(many, '{9}')",
        "many := ids_of(many)",
        "SELECT array_agg(DISTINCT y.id) INTO many FROM t y JOIN u ON y.id = u.t_id WHERE "
        "y.id "
        "= ANY (many)",
        "many := ARRAY(SELECT t_id FROM u WHERE k = ANY (many) ORDER BY k, j)",
        "many := array_remove(many, many[2])"};
    std::string body =
        fmt::format("DECLARE\n  many int[] := {};\n  n int := 0;\nBEGIN\n",
                    pick(Texts<6>{"'{1,2}'", "ARRAY[3, NULL, 7]", "'{}'", "NULL",
                                  "'{4,4,5}'", "ARRAY(SELECT k FROM u ORDER BY k, j)"}));
    for (std::uint64_t i = random_.below(3) + 1; i > 0; --i)
      body += "  " + pick(statements) + ";\n  n := n * 2 + FOUND::int;\n";
    return body + "  RETURN coalesce(many::text, '-') || n;\nEND";
  }

  // What PostgreSQL reads when the function runs.
  std::string read() {
    return fmt::format(
        "DECLARE\n  s text := {0};\n  many {1}[];\nBEGIN\n  many := s::{1}[];\n  RETURN "
        "many::text || coalesce(array_length(many, 1), 0);\nEND",
        type_ == Type::Date || type_ == Type::Timestamp ? pick(moments) : pick(literals),
        name_);
  }

  Random& random_;
  RandomExpressions expressions_;
  Type type_;
  std::string name_;
};

}  // namespace

FunctionText random_array_function(Random& random) {
  return Arrays(random).function();
}

}  // namespace isomer::test
