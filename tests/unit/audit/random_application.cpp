// SPDX-License-Identifier: MIT
#include "unit/audit/random_application.h"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isomer::test {
namespace {

class Author {
 public:
  explicit Author(Random& random) : random_(random) {}

  std::string block(int depth, int most) {
    std::string out;
    const auto count = 1 + random_.below(static_cast<std::uint64_t>(most));
    for (std::uint64_t i = 0; i < count; ++i)
      out += statement(depth);
    return out;
  }

 private:
  std::string pick(const std::vector<std::string>& words) {
    return words[random_.below(words.size())];
  }

  // A value for a key.
  std::string key() {
    return has_row_ && random_.below(2) == 0 ? "r.n" : pick({"x", "x", "y", "1", "2", "u"});
  }

  std::string value() { return pick({"u + 1", "y", "x + 1", "0", "u", "7"}); }

  std::string condition() {
    return pick({"u > y", "u IS NULL", "x = y", "u >= 1",
                 fmt::format("EXISTS (SELECT 1 FROM log WHERE id = {})", key()),
                 fmt::format("x IN (SELECT n FROM log WHERE id = {})", key()), "FOUND"});
  }

  // Conditions that pin one side, the other, or both, by keys or by other columns.
  std::string joined(const std::string& k) {
    const std::string from =
        pick({"item i JOIN log l ON l.n = i.id", "log l JOIN item i ON i.id = l.id",
              "log l JOIN item i ON i.a = l.v", "item i JOIN log l ON l.id = i.b",
              "item i LEFT JOIN log l ON l.id = i.id AND l.n = 1"});
    const std::string where =
        pick({fmt::format("i.id = {}", k), fmt::format("l.id = {}", k),
              fmt::format("l.id = {} AND i.id = {}", k, key()), fmt::format("i.a = {}", k),
              fmt::format("l.n = {} AND i.b = {}", k, key())});
    return fmt::format("SELECT {} INTO u FROM {} WHERE {};\n",
                       pick({"count(*)", "max(l.v)", "sum(i.a)"}), from, where);
  }

  // About the variable keys, an array.
  std::string array_statement(int depth) {
    const std::string k = key();
    switch (random_.below(depth > 0 ? 9 : 8)) {
      case 0:
        return fmt::format("keys := ARRAY(SELECT n FROM log WHERE id = {}{});\n", k,
                           pick({"", " ORDER BY n DESC", " ORDER BY n LIMIT 1"}));
      case 1:
        return fmt::format("SELECT array_agg(id{}) INTO keys FROM item WHERE {} = {};\n",
                           pick({"", " ORDER BY a"}), pick({"a", "b", "id"}), k);
      case 2:
        return fmt::format("UPDATE item SET {} WHERE id {} (keys);\n",
                           pick({"a = a + 1", "b = 3"}), pick({"= ANY", "<> ALL"}));
      case 3:
        return fmt::format("SELECT sum(a) INTO u FROM item WHERE id {} (keys);\n",
                           pick({"= ANY", "<> ALL", "> ANY"}));
      case 4:
        return fmt::format("DELETE FROM log WHERE id = {} AND n = ANY (keys);\n", k);
      case 5:
        return pick({"keys := keys || u;\n", "keys := array_remove(keys, x);\n",
                     "keys := '{1}';\n", "keys := ARRAY[x, y];\n"});
      case 6:
        return pick({"u := keys[1];\n", "u := cardinality(keys);\n",
                     "u := array_position(keys, x);\n"});
      case 7:
        return fmt::format("IF {} = ANY (keys) THEN\n{}END IF;\n", k, block(0, 1));
      default:
        return fmt::format("FOREACH u IN ARRAY {} LOOP\n{}END LOOP;\n",
                           pick({"keys", "coalesce(keys, '{}')", "ARRAY[x, y]"}),
                           block(0, 1));
    }
  }

  std::string statement(int depth) {
    if (random_.below(8) == 0) return array_statement(depth);
    const std::string k = key();
    switch (random_.below(depth > 0 ? 38 : 33)) {
      case 0:
        return fmt::format("SELECT a INTO u FROM item WHERE id = {};\n", k);
      case 1:
        return fmt::format("SELECT sum(a) INTO u FROM item WHERE b = {};\n", k);
      case 2:
        return fmt::format("SELECT count(*) INTO u FROM log WHERE id = {};\n", k);
      case 3:
        return fmt::format("SELECT max(n) INTO u FROM log WHERE id = {};\n", k);
      case 4:
        return fmt::format("SELECT n INTO u FROM log WHERE id = {} ORDER BY n LIMIT 1;\n",
                           k);
      case 5:
        return fmt::format("UPDATE item SET a = {} WHERE id = {};\n",
                           pick({value(), "a + 1", "coalesce(u, 0)"}), k);
      case 6:
        return fmt::format("UPDATE item SET b = {} WHERE a = {};\n", pick({"3", "b + 1"}),
                           k);
      case 7:
        return fmt::format("INSERT INTO log VALUES ({}, {}, {});\n", k, key(), value());
      case 8:
        return fmt::format("INSERT INTO log VALUES ({}, {}, {}) ON CONFLICT {};\n", k,
                           key(), value(),
                           pick({"DO NOTHING", "(id, n) DO UPDATE SET v = 5",
                                 "(id, n) DO UPDATE SET v = log.v + 1"}));
      case 9:
        return fmt::format("DELETE FROM log WHERE id = {} AND n = {};\n", k, key());
      case 10:
        return fmt::format("DELETE FROM log WHERE id = {};\n", k);
      case 11:
        return fmt::format("INSERT INTO item VALUES ({}, 1, 1) ON CONFLICT DO NOTHING;\n",
                           k);
      case 12:
        return fmt::format("SELECT b INTO u FROM item WHERE id = {} FOR UPDATE;\n", k);
      case 13:
        return fmt::format(
            "SELECT i.a INTO u FROM item i JOIN log l ON l.n = i.id WHERE l.id = {};\n", k);
      case 14:
        return fmt::format(
            "UPDATE log SET v = v + 1 WHERE id = {} AND n = {} "
            "RETURNING v INTO u;\n",
            k, key());
      case 15:
        return fmt::format("u := {};\n", value());
      case 16:
      case 17:
        return joined(k);
      case 18:
        return fmt::format("DELETE FROM item WHERE id = {};\n", k);
      case 19:
        return fmt::format("DELETE FROM item WHERE a = {};\n", k);
      case 20:
        return fmt::format("INSERT INTO part VALUES ({}, {}, {}){};\n", k, key(), key(),
                           pick({"", " ON CONFLICT DO NOTHING",
                                 " ON CONFLICT (code) DO UPDATE SET item = 1"}));
      case 21:
        return fmt::format("UPDATE part SET item = {} WHERE id = {};\n", key(), k);
      case 22:
        return fmt::format("UPDATE part SET code = {} WHERE item = {};\n",
                           pick({"code + 1", "y"}), k);
      case 23:
        return fmt::format("DELETE FROM part WHERE code = {};\n", k);
      case 24:
        return fmt::format("SELECT {} INTO u FROM part WHERE item = {};\n",
                           pick({"min(code)", "count(*)", "max(id)"}), k);
      case 25:
        return fmt::format(
            "SELECT n INTO u FROM log WHERE id = {} ORDER BY n DESC LIMIT 1;\n", k);
      case 26:
        return fmt::format("SELECT min(n) INTO u FROM log WHERE id = {} AND v = 0;\n", k);
      case 27:
        return fmt::format(
            "INSERT INTO log SELECT id, 3, a FROM item WHERE id = {} "
            "ON CONFLICT DO NOTHING;\n",
            k);
      case 28:
        return fmt::format(
            "UPDATE item SET a = (SELECT count(*) FROM log WHERE id = {}) "
            "WHERE id = {};\n",
            key(), k);
      case 29:
        return fmt::format("UPDATE log SET n = n + 2 WHERE id = {} AND n = {};\n", k,
                           key());
      case 30:
        return fmt::format("SELECT a INTO STRICT u FROM item WHERE id = {};\n", k);
      case 31:
        return fmt::format(
            "UPDATE item SET a = l.v FROM log l WHERE l.id = item.id "
            "AND l.n = {} AND item.b = {};\n",
            k, key());
      case 32:
        return fmt::format("DELETE FROM log WHERE v = {} AND id = {} RETURNING n INTO u;\n",
                           key(), k);
      case 33:
        return fmt::format("IF {} THEN\n{}ELSE\n{}END IF;\n", condition(),
                           block(depth - 1, 2), block(depth - 1, 1));
      case 34:
        return fmt::format("IF {} THEN\n{}{}END IF;\n", condition(), block(depth - 1, 1),
                           pick({"", "RETURN;\n"}));
      case 35:
        return fmt::format("FOR i IN 1..2 LOOP\n{}u := i;\n{}END LOOP;\n",
                           pick({"CONTINUE WHEN x = i;\n", "EXIT WHEN u > 1;\n", ""}),
                           block(depth - 1, 2));
      case 36:
        return fmt::format(
            "WHILE EXISTS (SELECT 1 FROM log WHERE id = x AND n = coalesce(u, 0) + 1) "
            "LOOP\n"
            "{}u := coalesce(u, 0) + 1;\nEXIT WHEN u > 2;\nEND LOOP;\n",
            block(0, 1));
      default: {
        const bool outer = has_row_;
        has_row_ = true;
        const std::string body = block(0, 2);
        has_row_ = outer;
        return fmt::format("FOR r IN SELECT n FROM log WHERE id = {} LOOP\n{}END LOOP;\n",
                           outer ? "x" : k, body);
      }
    }
  }

  Random& random_;
  bool has_row_ = false;
};

}  // namespace

RandomApplication random_application(Random& random) {
  RandomApplication out;
  out.sql =
      "CREATE TABLE item (id int PRIMARY KEY, a int NOT NULL, b int NOT NULL);\n"
      "CREATE TABLE log (id int, n int, v int, PRIMARY KEY (id, n));\n"
      "CREATE TABLE part (id int PRIMARY KEY, item int REFERENCES item (id), "
      "code int UNIQUE);\n";
  // In small applications each rule matters; large ones go wrong in many ways at once.
  const bool is_small = random.below(4) != 0;
  const std::uint64_t types = 1 + random.below(is_small ? 2 : 3);
  for (std::uint64_t i = 0; i < types; ++i)
    out.sql += fmt::format(
        "CREATE PROCEDURE p{}(x int, y int) LANGUAGE plpgsql AS $$\n"
        "DECLARE\nu int;\nr record;\nkeys int[] := '{{1,2}}';\nBEGIN\n{}END $$;\n",
        i, is_small ? Author(random).block(1, 2) : Author(random).block(2, 4));
  out.scenario = "[init]\nsql = \"\"\"\n";
  for (int id = 1; id <= 2; ++id) {
    if (random.below(4) == 0) continue;
    out.scenario += fmt::format("INSERT INTO item VALUES ({}, {}, {});\n", id,
                                random.below(3), random.below(3));
    if (random.below(2) == 0)
      out.scenario += fmt::format("INSERT INTO part VALUES ({0}, {0}, {0});\n", id);
  }
  for (int id = 1; id <= 2; ++id)
    for (int n = 1; n <= 2; ++n)
      if (random.below(2) != 0)
        out.scenario += fmt::format("INSERT INTO log VALUES ({}, {}, 0);\n", id, n);
  out.scenario += "\"\"\"\n";
  const std::uint64_t sessions = 2 + random.below(2);
  for (std::uint64_t i = 0; i < sessions; ++i)
    out.scenario +=
        fmt::format("[[session]]\ncalls = [\"p{}({}, {})\"]\n", random.below(types),
                    1 + random.below(2), 1 + random.below(2));
  return out;
}

}  // namespace isomer::test
