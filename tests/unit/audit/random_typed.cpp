// SPDX-License-Identifier: MIT
// Texts that lose their blanks, numbers that are rounded, timestamps that become dates:
// two values that differ where they come from may be equal where they arrive.
#include <vector>

#include <fmt/format.h>

#include "unit/audit/random_application.h"

namespace isomer::test {
namespace {

class TypedAuthor {
 public:
  explicit TypedAuthor(Random& random) : random_(random) {}

  std::string block(int depth, std::uint64_t most) {
    std::string out;
    const std::uint64_t count = 1 + random_.below(most);
    for (std::uint64_t i = 0; i < count; ++i)
      out += statement(depth);
    return out;
  }

 private:
  std::string pick(const std::vector<std::string>& words) {
    return words[random_.below(words.size())];
  }

  std::string text() {
    return pick({"x", "x", "t", "c", "v", "'a'", "'a '", "'b'", "'b  '", "c || ' '",
                 "coalesce(t, 'a ')", "x::varchar", "x::char(3)", "x::varchar(1)"});
  }

  std::string number() {
    return pick({"y", "y", "n", "m", "u", "0.1", "0.05", "1", "y::numeric(4,1)", "y + 0.04",
                 "coalesce(m, 0)"});
  }

  std::string day() {
    return pick({"z", "z", "d", "s", "z::date", "date '2000-01-02'",
                 "timestamp '2000-01-02 10:00:00'"});
  }

  // Of one row of the table.
  std::string key() {
    return fmt::format("code = {}",
                       pick({text(), text(), text() + "::char(3)", text() + "::varchar"}));
  }

  // Of any.
  std::string condition() {
    return pick(
        {key(), key(), fmt::format("label = {}", text()),
         fmt::format("amount = {}", number()), fmt::format("amount > {}", number()),
         fmt::format("day = {}", day()), fmt::format("code IN ({}, {})", text(), text()),
         fmt::format("code <> {}", text()), "amount IS NULL", "flag", "flag IS NOT TRUE"});
  }

  std::string assignment() {
    return pick({"c := " + text(), "v := " + text(), "t := " + text(), "n := " + number(),
                 "m := " + number(), "u := " + number(), "d := " + day(), "s := " + day()});
  }

  std::string change() {
    return pick({"amount = " + number(), "amount = amount + 1", "label = " + text(),
                 "day = " + day(), "flag = NOT flag", "flag = (m = n)",
                 "code = " + text()});
  }

  std::string test() {
    return pick({"t = c", "v = c", "t = v", "x = t", "x <> 'a '", "m = n", "u = m", "y = n",
                 "d = s", "d = z", "m IS NULL", "FOUND",
                 fmt::format("EXISTS (SELECT 1 FROM tag WHERE {})", condition())});
  }

  std::string statement(int depth) {
    switch (random_.below(depth > 0 ? 12 : 10)) {
      case 0:
      case 1:
        return assignment() + ";\n";
      case 2:
        return fmt::format("SELECT amount INTO {} FROM tag WHERE {};\n",
                           pick({"m", "n", "u"}), key());
      case 3:
        return fmt::format("SELECT label INTO {} FROM tag WHERE {};\n",
                           pick({"t", "c", "v"}), key());
      case 4:
        return fmt::format("SELECT {} INTO {} FROM tag WHERE {};\n",
                           pick({"count(*)", "max(amount)", "sum(amount)"}),
                           pick({"m", "u"}), condition());
      case 5:
        return fmt::format("SELECT {} INTO {} FROM tag WHERE {};\n",
                           pick({"max(code)", "min(label)"}), pick({"t", "c", "v"}),
                           condition());
      case 6:
      case 7:
        return fmt::format("UPDATE tag SET {} WHERE {};\n", change(), condition());
      case 8:
        return fmt::format(
            "INSERT INTO tag VALUES ({}, {}, {}, {}, true) ON CONFLICT DO NOTHING;\n",
            text(), text(), number(), day());
      case 9:
        return fmt::format("DELETE FROM tag WHERE {};\n", condition());
      default:
        return fmt::format("IF {} THEN\n{}END IF;\n", test(), block(depth - 1, 2));
    }
  }

  Random& random_;
};

}  // namespace

std::string random_typed_invariants(Random& random) {
  const auto pick = [&](const std::vector<std::string>& words) {
    return words[random.below(words.size())];
  };
  std::string out = "[invariant]\n";
  const std::uint64_t count = 1 + random.below(3);
  for (std::uint64_t i = 0; i < count; ++i)
    out += fmt::format(
        "i{} = \"SELECT {}\"\n", i,
        pick({"count(*) < 3 FROM tag", "coalesce(sum(amount), 0) <> 1.1 FROM tag",
              "NOT EXISTS (SELECT 1 FROM tag WHERE label = 'a ')",
              "NOT EXISTS (SELECT 1 FROM tag WHERE label = 'a' AND amount = 0.1)",
              "count(*) = 0 FROM tag WHERE code = 'b  ' AND flag",
              "count(*) = count(day) FROM tag", "bool_and(amount > 0.05) FROM tag",
              "NOT EXISTS (SELECT 1 FROM tag a JOIN tag b ON a.label = b.code "
              "WHERE a.code <> b.code)",
              "coalesce(max(day), date '2000-01-01') < timestamp '2000-01-02 10:00:00' "
              "FROM tag",
              "(SELECT label FROM tag WHERE code = 'a') IS NOT NULL",
              "coalesce((SELECT amount FROM tag WHERE code = 'a'), 0) <> 1"}));
  return out;
}

RandomApplication random_typed_application(Random& random) {
  const auto pick = [&](const std::vector<std::string>& words) {
    return words[random.below(words.size())];
  };
  RandomApplication out;
  out.sql =
      "CREATE TABLE tag (code char(3) PRIMARY KEY, label varchar(2), "
      "amount numeric(5,1), day date, flag boolean);\n";
  const std::uint64_t types = 1 + random.below(2);
  for (std::uint64_t i = 0; i < types; ++i)
    out.sql += fmt::format(
        "CREATE PROCEDURE p{}(x text, y numeric, z timestamp) LANGUAGE plpgsql AS $$\n"
        "DECLARE\nc char(3);\nv varchar(2);\nt text;\nn numeric(4,1);\nm numeric;\n"
        "u int;\nd date;\ns timestamp;\nBEGIN\n{}END $$;\n",
        i, TypedAuthor(random).block(1, 4));
  out.scenario = "[init]\nsql = \"\"\"\n";
  for (const char* code : {"'a'", "'b '"})
    if (random.below(4) != 0)
      out.scenario += fmt::format(
          "INSERT INTO tag VALUES ({}, {}, {}, {}, {});\n", code,
          pick({"'a'", "'a '", "'b'", "NULL"}), pick({"0.1", "1", "0.05", "NULL"}),
          pick({"date '2000-01-02'", "NULL"}), pick({"true", "false", "NULL"}));
  out.scenario += "\"\"\"\n";
  const std::uint64_t sessions = 2 + random.below(2);
  for (std::uint64_t i = 0; i < sessions; ++i)
    out.scenario += fmt::format(
        "[[session]]\ncalls = [\"p{}({}, {}, {})\"]\n", random.below(types),
        pick({"'a'", "'a '", "'b'", "'b   '", "NULL"}), pick({"0.05", "0.1", "1", "NULL"}),
        pick({"timestamp '2000-01-02 10:00:00'", "timestamp '2000-01-02'", "NULL"}));
  return out;
}

}  // namespace isomer::test
