// SPDX-License-Identifier: MIT
#include "database_differential/second_family.h"

#include <array>

#include <fmt/format.h>

namespace isomer::test {
namespace {

constexpr std::array actions = {"NO ACTION", "RESTRICT", "CASCADE", "SET NULL",
                                "SET DEFAULT"};

template <std::size_t N>
std::string pick(Random& random, const std::array<const char*, N>& texts) {
  return texts[random.below(N)];
}

std::string one_of(Random& random, std::uint64_t first, std::uint64_t last) {
  return fmt::format("{}", first + random.below(last - first + 1));
}

std::string reference(Random& random, std::string_view to) {
  return fmt::format("REFERENCES {} ON DELETE {} ON UPDATE {}", to, pick(random, actions),
                     pick(random, actions));
}

std::string condition(Random& random) {
  static constexpr std::array texts = {
      "up IS NULL OR m > (SELECT min(v) FROM t)",
      "NOT EXISTS (SELECT 1 FROM t WHERE t.u = d.tu)",
      "EXISTS (SELECT 1 FROM d x WHERE x.up = d.id)",
      "tu IN (SELECT u FROM t WHERE v > 0)",
      "m = CASE WHEN up IS NULL THEN 1 ELSE 2 END",
      "(SELECT count(*) FROM d x WHERE x.tu = d.tu) > 1 OR id = 2",
      "id = 1 AND m < 3",
      "id = 2 AND up IS NOT NULL",
      "up = 1",
      "tu = 2",
      "id >= 2",
  };
  return random.chance(0.4) ? "id = " + one_of(random, 1, 3) : pick(random, texts);
}

std::string change(Random& random) {
  static constexpr std::array texts = {
      "m = m + 1",
      "m = CASE WHEN m > 1 THEN m - 1 ELSE m + 1 END",
      "m = (SELECT count(*) FROM d x WHERE x.up = d.id) + 1",
      "up = NULL",
      "tu = NULL, m = 1",
      "m = NULL",
      "id = id + 1",
  };
  switch (random.below(6)) {
    case 0:
      return "up = " + one_of(random, 1, 3);
    case 1:
      return "tu = " + one_of(random, 1, 4);
    default:
      return pick(random, texts);
  }
}

std::string row(Random& random) {
  return fmt::format("({}, {}, {}, {})", one_of(random, 1, 4),
                     random.chance(0.4) ? "NULL" : one_of(random, 1, 3),
                     random.chance(0.3) ? "NULL" : one_of(random, 1, 3),
                     one_of(random, 1, 2));
}

std::string insert(Random& random) {
  static constexpr std::array conflicts = {
      "",
      "",
      " ON CONFLICT DO NOTHING",
      " ON CONFLICT (tu, m) DO NOTHING",
      " ON CONFLICT (id) DO UPDATE SET m = d.m + excluded.m",
      " ON CONFLICT (id) DO UPDATE SET tu = excluded.tu WHERE EXISTS (SELECT 1 FROM t "
      "WHERE "
      "t.u = d.tu)",
      " ON CONFLICT (tu, m) DO UPDATE SET up = excluded.up",
      " ON CONFLICT (id) DO UPDATE SET id = d.id + 1",
  };
  if (random.chance(0.2))
    return fmt::format("INSERT INTO d (id, up) VALUES ({}, NULL)", one_of(random, 1, 4));
  const std::string more = random.chance(0.25) ? ", " + row(random) : std::string();
  return fmt::format("INSERT INTO d VALUES {}{}{}", row(random), more,
                     pick(random, conflicts));
}

std::string parents(Random& random) {
  static constexpr std::array texts = {
      "UPDATE t SET u = u + 1",
      "UPDATE t SET u = NULL WHERE id = 1",
      "UPDATE t SET u = 5 - u WHERE u IN (2, 3)",
      "DELETE FROM t WHERE u = 1",
      "DELETE FROM t WHERE u = 2",
      "UPDATE t SET v = v + 1 WHERE u = 2",
      "UPDATE t SET v = v + 1 WHERE id = 1 AND v < 2",
      "UPDATE t SET u = 2 WHERE id = 1",
      "INSERT INTO t VALUES (4, 0, 2)",
  };
  return pick(random, texts);
}

std::string lock(Random& random, bool is_script) {
  static constexpr std::array locks = {"KEY SHARE", "SHARE", "NO KEY UPDATE", "UPDATE"};
  static constexpr std::array waits = {"", "", "", " NOWAIT", " SKIP LOCKED"};
  static constexpr std::array modes = {"ROW SHARE", "SHARE UPDATE EXCLUSIVE", "SHARE",
                                       "EXCLUSIVE"};
  const std::string first = is_script ? "SELECT" : "PERFORM";
  switch (random.below(7)) {
    case 0:
      return fmt::format(
          "{} d.m FROM d LEFT JOIN t ON t.u = d.tu ORDER BY d.id FOR {} OF d{}", first,
          pick(random, locks), pick(random, waits));
    case 1:
      return fmt::format("{} m FROM d ORDER BY id DESC LIMIT 1 OFFSET 1 FOR {}{}", first,
                         pick(random, locks), pick(random, waits));
    case 2:
      return fmt::format("{} t.v FROM d JOIN t ON t.u = d.tu WHERE d.m > 0 FOR {} OF t",
                         first, pick(random, locks));
    case 3:
      return fmt::format("LOCK TABLE d IN {} MODE{}", pick(random, modes),
                         random.chance(0.3) ? " NOWAIT" : "");
    case 4:
      return fmt::format("{} pg_{}(7)", first,
                         random.chance(0.5) ? "advisory_lock" : "advisory_unlock");
    default:
      return fmt::format("{} m FROM d WHERE {} FOR {}{}", first, condition(random),
                         pick(random, locks), pick(random, waits));
  }
}

std::string read(Random& random, bool is_script) {
  static constexpr std::array texts = {
      "count(*) {}FROM d WHERE up IS NULL OR m > 1",
      "sum(m) {}FROM d LEFT JOIN t ON t.u = d.tu WHERE t.v IS NULL OR t.v > 0",
      "max(id) {}FROM d WHERE EXISTS (SELECT 1 FROM d x WHERE x.up = d.id)",
      "count(*) {}FROM d JOIN d y ON y.up = d.id",
  };
  std::string text = pick(random, texts);
  text.replace(text.find("{}"), 2, is_script ? "" : "INTO x ");
  return "SELECT " + text;
}

}  // namespace

std::string family_table(Random& random) {
  return fmt::format(
      "CREATE TABLE d (id int PRIMARY KEY, up int DEFAULT 1 {}, tu int DEFAULT 2 {}, m int "
      "NOT NULL DEFAULT 1 CHECK (m < 4), UNIQUE (tu, m));\n",
      reference(random, "d"), reference(random, "t (u)"));
}

std::vector<std::string> family_rows(Random& random) {
  // The second one needs the first one.
  static constexpr std::array texts = {
      "INSERT INTO d VALUES (1, NULL, NULL, 1)",
      "INSERT INTO d VALUES (1, NULL, NULL, 1); INSERT INTO d SELECT 2, 1, max(u), 2 FROM "
      "t",
      "INSERT INTO d VALUES (1, NULL, NULL, 1); INSERT INTO d SELECT 2, 1, min(u), 1 FROM "
      "t",
  };
  if (random.chance(0.2)) return {};
  return {pick(random, texts)};
}

std::string family_statement(Random& random, bool is_script) {
  const auto roll = random.below(100);
  if (roll < 12) return read(random, is_script);
  if (roll < 36)
    return fmt::format("UPDATE d SET {} WHERE {}", change(random), condition(random));
  if (roll < 56) return insert(random);
  if (roll < 66) return "DELETE FROM d WHERE " + condition(random);
  if (roll < 82) return parents(random);
  return lock(random, is_script);
}

}  // namespace isomer::test
