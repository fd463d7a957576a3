// SPDX-License-Identifier: MIT
#include "support/verify/hostile_application.h"

#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.h"

namespace isomer {
namespace {

struct TableText {
  std::string name;                  // as it is written
  std::vector<std::string> columns;  // all are integers
  std::size_t key_size = 1;          // the first so many are the primary key
};

const std::vector<TableText>& tables() {
  static const std::vector<TableText> all{{"t", {"k", "a", "b"}, 1},
                                          {"u", {"k", "a", "of_t"}, 1},
                                          {"\"W 2\"", {"k", "\"L\"", "a"}, 2}};
  return all;
}

// What may be named in an expression: alias.column, or a variable.
using Names = std::vector<std::string>;

class HostileMaker {
 public:
  HostileMaker(std::uint64_t seed, Openness openness)
      : random_(seed), openness_(openness), is_by_key_(random_.below(2) == 0) {}

  RandomApplication make() {
    std::string sql = schema();
    const std::uint64_t types = 1 + random_.below(3);
    for (std::uint64_t i = 0; i < types; ++i)
      sql += procedure(i);
    std::string scenario = "app = \"app.sql\"\n[init]\n";
    if (openness_ == Openness::State) scenario += "assume = [\"i0\"]\n";
    scenario += "sql = \"\"\"\n" + initial_rows() + "\"\"\"\n";
    scenario += sessions(types);
    if (symbols_ > 0 && chance(3)) scenario += "[assume]\n" + assumptions();
    scenario += "[invariant]\n";
    const std::uint64_t count = openness_ == Openness::State ? 1 + random_.below(2) : 1;
    for (std::uint64_t i = 0; i < count; ++i)
      scenario += fmt::format("i{} = '''SELECT {}'''\n", i, invariant());
    return {std::move(sql), std::move(scenario)};
  }

 private:
  bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }

  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[random_.below(from.size())];
  }

  std::string word(const std::vector<std::string>& from) { return pick(from); }

  // --- expressions ---

  std::string constant() {
    return chance(5) ? "NULL::int" : std::to_string(random_.below(4));
  }

  std::string alias() { return fmt::format("x{}", ++aliases_); }

  // A FROM with its rows, whose columns join the names around it.
  std::string source(const Names& around, Names& inside, int depth) {
    inside = around;
    const TableText& first = pick(tables());
    const std::string name = alias();
    std::string out = fmt::format("{} {}", first.name, name);
    add_columns(first, name, inside);
    if (depth < 1 || !chance(4)) return out;
    const TableText& second = pick(tables());
    const std::string other = alias();
    const std::string join = word({"JOIN", "LEFT JOIN"});
    Names both = inside;
    add_columns(second, other, both);
    out += fmt::format(" {} {} {} ON {}", join, second.name, other,
                       condition(both, depth - 1));
    inside = std::move(both);
    return out;
  }

  static void add_columns(const TableText& table, const std::string& alias, Names& to) {
    for (const std::string& column : table.columns)
      to.push_back(fmt::format("{}.{}", alias, column));
  }

  std::string where(const Names& inside, int depth) {
    return chance(3) ? "" : " WHERE " + condition(inside, depth);
  }

  std::string aggregate(const Names& inside) {
    switch (random_.below(5)) {
      case 0:
        return "count(*)";
      case 1:
        return fmt::format("count({})", number(inside, 0));
      case 2:
        return fmt::format("sum({})", number(inside, 0));
      default:
        return fmt::format("{}({})", word({"min", "max"}), number(inside, 0));
    }
  }

  std::string number(const Names& names, int depth) {
    if (depth <= 0) return names.empty() || chance(3) ? constant() : pick(names);
    switch (random_.below(10)) {
      case 0:
        return constant();
      case 1:
        return fmt::format("({} {} {})", number(names, depth - 1), word({"+", "-"}),
                           number(names, depth - 1));
      case 2:
        return fmt::format("coalesce({}, {})", number(names, depth - 1),
                           number(names, depth - 1));
      case 3:
        return fmt::format("CASE WHEN {} THEN {} ELSE {} END", condition(names, depth - 1),
                           number(names, depth - 1), number(names, depth - 1));
      case 4:
        return fmt::format("{}({}, {})", word({"nullif", "greatest", "least"}),
                           number(names, depth - 1), number(names, depth - 1));
      case 5:
      case 6:
      case 7:
        return query(names, depth - 1);
      default:
        return number(names, 0);
    }
  }

  // A scalar query.
  std::string query(const Names& around, int depth) {
    Names inside;
    const std::string from = source(around, inside, depth);
    switch (random_.below(6)) {
      case 0: {
        // By its key, or by a part of it: then it may have two rows, which is an error.
        const TableText& table = pick(tables());
        const std::string name = alias();
        return fmt::format("(SELECT {0}.{1} FROM {2} {0} WHERE {0}.k = {3}{4})", name,
                           table.columns.back(), table.name, number(around, 0),
                           table.key_size == 2 && !chance(3)
                               ? fmt::format(" AND {}.\"L\" = {}", name, number(around, 0))
                               : "");
      }
      case 1:
        return fmt::format("(SELECT {} FROM {}{} ORDER BY 1 {} LIMIT 1)", number(inside, 0),
                           from, where(inside, depth), word({"", "DESC", "NULLS FIRST"}));
      case 2:
        return fmt::format("(SELECT {} FROM {}{} HAVING {} {} {})", aggregate(inside), from,
                           where(inside, depth), aggregate(inside), comparison(),
                           number(around, 0));
      default:
        return fmt::format("(SELECT {} FROM {}{})", aggregate(inside), from,
                           where(inside, depth));
    }
  }

  std::string comparison() { return word({"=", "<>", "<", "<=", ">", ">="}); }

  std::string exists(const Names& around, int depth) {
    Names inside;
    const std::string from = source(around, inside, depth);
    if (!chance(4))
      return fmt::format("EXISTS (SELECT 1 FROM {}{})", from, where(inside, depth));
    const std::string by = inside.back();
    return fmt::format("EXISTS (SELECT {0} FROM {1}{2} GROUP BY {0} HAVING {3} {4} {5})",
                       by, from, where(inside, depth), aggregate(inside), comparison(),
                       number(around, 0));
  }

  std::string condition(const Names& names, int depth) {
    const std::string no = chance(3) ? "NOT " : "";
    if (depth <= 0) return simple(names);
    switch (random_.below(13)) {
      case 0:
      case 1:
        return fmt::format("({} AND {})", condition(names, depth - 1),
                           condition(names, depth - 1));
      case 2:
      case 3:
        return fmt::format("({} OR {})", condition(names, depth - 1),
                           condition(names, depth - 1));
      case 4:
        return fmt::format("CASE WHEN {} THEN {} ELSE {} END", condition(names, depth - 1),
                           condition(names, depth - 1), condition(names, depth - 1));
      case 5:
        return fmt::format("coalesce({}, {})", condition(names, depth - 1),
                           condition(names, depth - 1));
      case 6:
        return fmt::format("NOT ({})", condition(names, depth - 1));
      case 7:
      case 8:
        return no + exists(names, depth - 1);
      case 9: {
        Names inside;
        const std::string from = source(names, inside, depth - 1);
        return fmt::format("{} {}IN (SELECT {} FROM {}{})", number(names, 0), no,
                           number(inside, 0), from, where(inside, depth - 1));
      }
      case 10:
        return fmt::format("{} {}IN ({}, {})", number(names, 0), no,
                           number(names, depth - 1), number(names, depth - 1));
      default:
        return fmt::format("{} {} {}", number(names, depth - 1), comparison(),
                           number(names, depth - 1));
    }
  }

  std::string simple(const Names& names) {
    switch (random_.below(6)) {
      case 0:
        return fmt::format("{} IS {}NULL", number(names, 0), word({"", "NOT "}));
      case 1:
        return fmt::format("{} IS {}DISTINCT FROM {}", number(names, 0), word({"", "NOT "}),
                           number(names, 0));
      default:
        return fmt::format("{} {} {}", number(names, 0), comparison(), number(names, 0));
    }
  }

  // --- tables ---

  std::string schema() {
    std::string out = "CREATE TABLE t (k int PRIMARY KEY, a int, b int";
    out += chance(3) ? " NOT NULL" : "";
    out += !is_by_key_ && chance(4) ? " UNIQUE" : "";
    out += chance(5) ? " CHECK (a + b >= 0)" : "";
    has_unique_ = out.find("UNIQUE") != std::string::npos;
    out += ");\nCREATE TABLE u (k int PRIMARY KEY, a int, of_t int";
    if (!is_by_key_ && chance(3))
      out += " REFERENCES t (k)";
    else if (has_unique_ && chance(2))
      out += " REFERENCES t (b)";
    has_reference_ = out.find("REFERENCES") != std::string::npos;
    out += ");\nCREATE TABLE \"W 2\" (k int, \"L\" int, a int";
    out += chance(4) ? " NOT NULL" : "";
    return out + ", PRIMARY KEY (k, \"L\"));\n";
  }

  std::string row(const TableText& table) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const bool refers = table.columns[i] == "of_t" && has_reference_;
      out.push_back(i < table.key_size ? std::to_string(1 + random_.below(2))
                    : refers           ? "NULL"
                                       : constant());
    }
    return fmt::format("INSERT INTO {} VALUES ({});\n", table.name, fmt::join(out, ", "));
  }

  // Half of the tables are empty.
  std::string initial_rows() {
    std::string out;
    for (const TableText& table : tables())
      if (chance(2)) out += row(table);
    return out;
  }

  // --- transactions ---

  Names variables() const { return {"p", "q", "v"}; }

  std::string key_value() { return word({"1", "2", "3", "p", "p", "q", "v"}); }

  Names with_row(const TableText& table) const {
    Names out = variables();
    add_columns(table, table.name, out);
    return out;
  }

  // Often one row by its key.
  std::string where_of(const TableText& table) {
    if (!is_by_key_ && chance(4)) return "";
    if (!is_by_key_ && chance(2)) return " WHERE " + condition(with_row(table), 2);
    std::string out = fmt::format(" WHERE {}.k = {}", table.name, key_value());
    if (table.key_size == 2)
      out += fmt::format(" AND {}.\"L\" = {}", table.name, key_value());
    return out;
  }

  std::string insert() {
    const TableText& table = pick(tables());
    std::vector<std::string> values;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      values.push_back(i < table.key_size ? key_value()
                                          : number(variables(), is_by_key_ ? 0 : 1));
    std::string out =
        fmt::format("INSERT INTO {} VALUES ({})", table.name, fmt::join(values, ", "));
    if (chance(3))
      out += " ON CONFLICT DO NOTHING";
    else if (table.key_size == 1 && chance(3))
      out +=
          fmt::format(" ON CONFLICT (k) DO UPDATE SET a = {}", number(with_row(table), 1));
    return out + ";";
  }

  std::string insert_query() {
    const TableText& table = pick(tables());
    Names inside;
    const std::string from = source(variables(), inside, 0);
    return fmt::format("INSERT INTO {} SELECT {}, {}, {} FROM {}{} ON CONFLICT DO NOTHING;",
                       table.name, number(inside, 0), number(inside, 0), number(inside, 0),
                       from, where(inside, 1));
  }

  std::string statement(int depth) {
    const std::string pad(static_cast<std::size_t>(2 * depth), ' ');
    const TableText& table = pick(tables());
    const int inner = is_by_key_ ? 0 : 2;
    switch (random_.below(depth < 3 ? 12 : 8)) {
      case 0:
      case 1:
        return fmt::format("{}{}\n", pad, insert());
      case 2:
      case 3:
        return fmt::format("{}UPDATE {} SET {} = {}{};\n", pad, table.name,
                           chance(8) ? "k" : "a", number(with_row(table), inner),
                           where_of(table));
      case 4:
        return fmt::format("{}DELETE FROM {}{};\n", pad, table.name, where_of(table));
      case 5:
        return fmt::format("{}v := {};\n", pad,
                           is_by_key_ ? number(variables(), 0) : query(variables(), 1));
      case 6:
        return fmt::format("{}{}\n", pad, is_by_key_ ? insert() : insert_query());
      case 7:
        return fmt::format("{}PERFORM 1 FROM {}{}{};\n", pad, table.name, where_of(table),
                           word({"", " FOR UPDATE"}));
      case 8:
        return fmt::format("{}IF ({}) THEN RAISE EXCEPTION 'no'; END IF;\n", pad,
                           condition(variables(), inner));
      default: {
        std::string out = fmt::format("{}IF ({}) THEN\n{}", pad,
                                      condition(variables(), inner), statement(depth + 1));
        if (chance(2)) out += fmt::format("{}ELSE\n{}", pad, statement(depth + 1));
        return out + pad + "END IF;\n";
      }
    }
  }

  std::string procedure(std::uint64_t number) {
    std::string body;
    for (std::uint64_t i = 1 + random_.below(3); i > 0; --i)
      body += statement(1);
    return fmt::format(
        "CREATE PROCEDURE f{}(p int, q int) LANGUAGE plpgsql AS $$\n"
        "DECLARE v int;\nBEGIN\n{}END $$;\n",
        number, body);
  }

  // --- the scenario ---

  std::string argument() {
    if (openness_ != Openness::Closed && chance(2))
      return fmt::format("?p{}", symbols_ < 2 ? symbols_++ : random_.below(2));
    return chance(4) ? "NULL" : std::to_string(random_.below(4));
  }

  std::string sessions(std::uint64_t types) {
    std::string out;
    const std::uint64_t count = 1 + random_.below(3);
    for (std::uint64_t s = 0; s < count; ++s) {
      out += "[[session]]\ncalls = [";
      const std::uint64_t calls = count == 1 && chance(2) ? 2 : 1;
      for (std::uint64_t i = 0; i < calls; ++i) {
        const std::uint64_t type = random_.below(types);
        const std::string first = argument();
        out += fmt::format("\"f{}({}, {})\", ", type, first, argument());
      }
      out += "]\n";
    }
    return out;
  }

  std::string assumptions() {
    std::string out;
    for (std::uint64_t i = 0; i < symbols_; ++i)
      if (chance(2))
        out += fmt::format("a{0} = \"?p{0} {1}\"\n", i,
                           word({"IS NOT NULL", "IS NULL", "> 1", "<> 2", "IN (1, 3)"}));
    return out;
  }

  // True of a row each, of aggregates, or of queries alone.
  std::string invariant() {
    if (chance(3)) {
      Names inside;
      const std::string from = source({}, inside, 0);
      return fmt::format("{} {} {} FROM {}{}", aggregate(inside), comparison(), constant(),
                         from, where(inside, 2));
    }
    if (chance(4)) {
      Names inside;
      const std::string from = source({}, inside, 0);
      return fmt::format("{} FROM {} WHERE {} = 1 LIMIT 1", condition(inside, 2), from,
                         fmt::format("x{}.k", aliases_));
    }
    if (chance(3)) return condition({}, 3);
    return guarded();
  }

  // A query that is needed only if a row has some value, or is there at all.
  std::string guarded() {
    const std::string guard =
        chance(2)
            ? exists({}, 0)
            : fmt::format("(SELECT t.{} FROM t WHERE t.k = {}) {} {}", word({"a", "b"}),
                          1 + random_.below(2), comparison(), constant());
    const std::string rest = condition({}, 2);
    switch (random_.below(6)) {
      case 0:
      case 1:
        return fmt::format("{} OR {}", guard, rest);
      case 2:
        return fmt::format("NOT ({} AND {})", guard, rest);
      case 3:
        return fmt::format("CASE WHEN {} THEN {} ELSE {} END", guard, rest,
                           word({"true", "true", "false", "NULL::boolean"}));
      case 4:
        return fmt::format("coalesce(nullif({}, false), {})", guard, rest);
      default: {
        Names inside;
        const std::string from = source({}, inside, 0);
        return fmt::format("NOT EXISTS (SELECT 1 FROM {} WHERE {} AND {})", from,
                           simple(inside), condition(inside, 2));
      }
    }
  }

  Random random_;
  Openness openness_;
  std::uint64_t aliases_ = 0;
  std::uint64_t symbols_ = 0;
  // Transactions look at rows by their keys alone: then invariants are the first to scan.
  bool is_by_key_;
  bool has_unique_ = false;
  bool has_reference_ = false;
};

// Every ?p with its value: the same in all places.
std::string with_values(const std::string& scenario, Random& random) {
  std::vector<std::string> values;
  for (int i = 0; i < 2; ++i)
    values.push_back(random.below(4) == 0 ? "NULL" : std::to_string(random.below(4)));
  std::string out;
  for (std::size_t i = 0; i < scenario.size(); ++i)
    if (scenario.compare(i, 2, "?p") == 0) {
      out += values[static_cast<std::size_t>(scenario[i + 2] - '0') % values.size()];
      i += 2;
    } else {
      out += scenario[i];
    }
  return out;
}

std::string more_rows(Random& random) {
  std::string out;
  for (const TableText& table : tables())
    for (std::uint64_t i = random.below(3); i > 0; --i) {
      std::vector<std::string> values;
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        values.push_back(c >= table.key_size && random.below(4) == 0
                             ? "NULL"
                             : std::to_string(random.below(4)));
      out +=
          fmt::format("INSERT INTO {} VALUES ({});\n", table.name, fmt::join(values, ", "));
    }
  return out;
}

}  // namespace

RandomApplication hostile_application(std::uint64_t seed, Openness openness) {
  return HostileMaker(seed, openness).make();
}

std::string random_instance(const std::string& scenario, std::uint64_t seed) {
  Random random(seed);
  std::string out = with_values(scenario, random);
  const std::string rows = "sql = \"\"\"\n";
  if (const std::size_t at = out.find(rows);
      out.find("\nassume = ") != std::string::npos && at != std::string::npos)
    out.insert(at + rows.size(), more_rows(random));
  return out;
}

}  // namespace isomer
