// SPDX-License-Identifier: MIT
#include "support/audit/random_reads.h"

#include <optional>

#include <fmt/format.h>

namespace isomer::test {
namespace {

class Author {
 public:
  explicit Author(Random& random) : random_(random) {}

  std::string routine(std::uint32_t number) {
    returns_ = random_.below(4) == 0;
    declared_.clear();
    std::string body = start() + read() + middle() + write();
    if (random_.below(3) == 0) body = guarded(body);
    if (random_.below(6) == 0) body += read();
    const std::string result =
        returns_ ? fmt::format("RETURN {};\n", pick({"0", "0", "i", "n", "b"})) : "";
    // A function gives an int, so a truth value is counted.
    const std::string counted =
        result == "RETURN b;\n" ? "RETURN CASE WHEN b THEN 1 ELSE 0 END;\n" : result;
    return fmt::format(
        "CREATE {} p{}(i int, j int){} LANGUAGE plpgsql AS $$\n"
        "DECLARE\nn int{};\nm int;\nb boolean;\nr record;\nBEGIN\n{}{}END $$;\n",
        returns_ ? "FUNCTION" : "PROCEDURE", number, returns_ ? " RETURNS int" : "",
        declared_, body, counted);
  }

 private:
  std::string pick(const std::vector<std::string>& words) {
    return words[random_.below(words.size())];
  }

  std::string table() { return pick({"t", "t", "u"}); }

  std::string where() {
    return pick({"id = j", "id <> i", "id <> i", "g = 1", "g = j", "v IS NULL", "v > 0",
                 "id <> i AND v > 0", "id = 1"});
  }

  std::string query(const std::string& what) {
    return fmt::format("SELECT {} FROM {} WHERE {}", what, table(), where());
  }

  // Sometimes the read is in the declaration.
  std::string start() {
    if (random_.below(8) == 0)
      declared_ = fmt::format(" := ({})", query(pick({"count(*)", "max(v)", "min(id)"})));
    return {};
  }

  std::string read() {
    switch (random_.below(9)) {
      case 0:
        return fmt::format("PERFORM {};\n", query("1").substr(7));
      case 1:
        return fmt::format("b := EXISTS ({});\n", query("1"));
      case 2:
        return fmt::format("SELECT v INTO n FROM {} WHERE {} ORDER BY id LIMIT 1;\n",
                           table(), where());
      case 3:
        return fmt::format("SELECT {} INTO n FROM {} WHERE {};\n",
                           pick({"min(v)", "max(v)", "max(id)"}), table(), where());
      case 4:
        return fmt::format("SELECT {} INTO m FROM {} WHERE {};\n",
                           pick({"count(*)", "min(v)", "sum(v)"}), table(), where());
      case 5:
        return fmt::format("FOR r IN {} LOOP\n{}END LOOP;\n", query("id, v"),
                           pick({"m := r.v;\n", "n := r.v;\n", "NULL;\n"}));
      case 6:
        return fmt::format("IF EXISTS ({}) THEN\n{}END IF;\n", query("1"),
                           pick({"m := 1;\n", "n := 1;\n", "NULL;\n"}));
      case 7:
        return fmt::format("SELECT id, v INTO r FROM {} WHERE {} ORDER BY id LIMIT 1;\n",
                           table(), where());
      default:
        return fmt::format("SELECT v, g INTO n, m FROM {} WHERE {} ORDER BY id LIMIT 1;\n",
                           table(), where());
    }
  }

  // What becomes of it before the write.
  std::string middle() {
    switch (random_.below(12)) {
      case 0:
        return "m := n;\n";
      case 1:
        return "n := m;\n";
      case 2:
        return "b := n > 0;\n";
      case 3:
        return fmt::format("IF {} THEN\nRAISE EXCEPTION 'no';\nEND IF;\n",
                           pick({"n > 1", "b", "NOT FOUND", "m IS NULL"}));
      case 4:
        return fmt::format("IF {} THEN\nRETURN{};\nEND IF;\n",
                           pick({"n > 1", "b", "NOT FOUND", "j = 17"}),
                           returns_ ? pick({" 1", " n"}) : "");
      case 5:
        return read();
      default:
        return {};
    }
  }

  std::string write() {
    const std::string value = pick({"5", "5", "i", "j", "n", "m", "n", "NULL"});
    std::string out;
    switch (random_.below(7)) {
      case 0:
        out = fmt::format("INSERT INTO {} VALUES (i, 1, {}) ON CONFLICT DO NOTHING;\n",
                          table(), value);
        break;
      case 1:
        out = fmt::format("INSERT INTO {} VALUES (i, {}, 0);\n", table(), value);
        break;
      case 2:
        out = fmt::format("DELETE FROM {} WHERE id = i;\n", table());
        break;
      case 3:
        out = fmt::format("UPDATE {} SET g = {} WHERE id = i;\n", table(), value);
        break;
      default:
        out = fmt::format("UPDATE {} SET v = {} WHERE id = i;\n", table(), value);
    }
    return random_.below(3) == 0
               ? fmt::format("IF {} THEN\n{}END IF;\n",
                             pick({"b", "n > 0", "n IS NULL", "FOUND", "j = 17", "m = 0",
                                   "n IS NULL OR j IS NULL"}),
                             out)
               : out;
  }

  std::string guarded(const std::string& body) {
    return fmt::format("IF {} THEN\n{}END IF;\n",
                       pick({"j = 17", "j IS NULL", "i <> 1", "j > 0"}), body);
  }

  Random& random_;
  bool returns_ = false;
  std::string declared_;
};

std::string small_value(Random& random) {
  const std::vector<std::string> values{"NULL", "0", "1", "1", "2", "3", "17"};
  return values[random.below(values.size())];
}

}  // namespace

std::string random_readers(Random& random) {
  std::string out =
      "CREATE TABLE t (id int PRIMARY KEY, g int, v int);\n"
      "CREATE TABLE u (id int PRIMARY KEY, g int, v int);\n";
  const std::uint64_t count = 1 + random.below(3) / 2;
  for (std::uint32_t i = 0; i < count; ++i)
    out += Author(random).routine(i);
  return out;
}

std::string random_readers_scenario(Random& random,
                                    const std::vector<std::uint32_t>& types) {
  std::string rows;
  for (const char* table : {"t", "u"})
    for (int id = 1; id <= 3; ++id)
      if (random.below(4) < 3)
        rows += fmt::format("INSERT INTO {} VALUES ({}, {}, {});\n", table, id,
                            small_value(random), small_value(random));
  std::string out = fmt::format("[init]\nsql = \"\"\"\n{}\"\"\"\n", rows);
  // What needs one argument needs it of all.
  const std::optional<std::string> common =
      random.below(2) == 0 ? std::optional(small_value(random)) : std::nullopt;
  for (const std::uint32_t type : types)
    out += fmt::format("[[session]]\ncalls = [\"p{}({}, {})\"]\n", type,
                       1 + random.below(3), common ? *common : small_value(random));
  return out;
}

}  // namespace isomer::test
