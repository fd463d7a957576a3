// SPDX-License-Identifier: MIT
// The rules of the encoding one by one.
//
// Each application has two types, `left` and `right`, that skew if nothing keeps them from
// it: each reads what the other one writes.  What is in front of that, or what a third type
// changes, decides whether they can; so one rule that is too strong loses the anomaly, and
// one that is too weak makes it up.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audit/audit.h"
#include "level/library.h"
#include "support/small_application.h"

namespace isomer::test {
namespace {

using audit::Reads;
using program::Granularity;

constexpr const char* tables = R"(
CREATE TABLE item (id int PRIMARY KEY, state int NOT NULL, note int NOT NULL);
CREATE TABLE other (id int PRIMARY KEY, a int NOT NULL, b int NOT NULL);
CREATE TABLE flag (id int PRIMARY KEY);
CREATE TABLE log (id int, n int, v int NOT NULL, PRIMARY KEY (id, n));
CREATE TABLE part (id int PRIMARY KEY, code int UNIQUE, v int NOT NULL, w int NOT NULL);
CREATE TABLE owner (id int PRIMARY KEY);
CREATE TABLE owned (id int PRIMARY KEY, owner int REFERENCES owner (id));
)";

struct Asked {
  std::string level = "SI";
  Reads reads = Reads::Relevant;
  Granularity granularity = Granularity::Field;
};

std::string procedure(const std::string& name, const std::string& body) {
  return fmt::format(
      "CREATE PROCEDURE {}(x int, y int) LANGUAGE plpgsql AS $$\n"
      "DECLARE u int; BEGIN\n{}\nEND $$;\n",
      name, body);
}

class Rule : public testing::Test {
 protected:
  [[nodiscard]] static program::Program load(const std::string& procedures) {
    return small_application(tables + procedures);
  }

  [[nodiscard]] static audit::Result audited(const program::Program& program,
                                             const Asked& asked) {
    audit::Options options;
    options.cycle_max = 2;
    options.reads = asked.reads;
    options.granularity = asked.granularity;
    options.confirm = false;
    const audit::Result result = audit::audit(
        program,
        audit::uniform_plan(program, *level::standard_level("cerone:" + asked.level)),
        options);
    EXPECT_NE(result.verdict, audit::Verdict::Unknown) << result.unknown;
    return result;
  }

  // One depends on the other, by not seeing what that writes in the table, in an anomaly of
  // the two.
  [[nodiscard]] bool misses(const std::string& table, const std::string& left,
                            const std::string& right, const std::string& third = "",
                            const Asked& asked = {}) const {
    std::string procedures = procedure("left_one", left) + procedure("right_one", right);
    if (!third.empty()) procedures += procedure("third", third);
    const program::Program program = load(procedures);
    const audit::Result result = audited(program, asked);
    const auto is_missed = [&](const audit::Dependency& edge) {
      return edge.kind == audit::DependencyKind::ReadWrite &&
             program.tables[edge.table.index].name == table;
    };
    return std::any_of(result.anomalies.begin(), result.anomalies.end(),
                       [&](const audit::Anomaly& anomaly) {
                         const auto& of = anomaly.transactions;
                         return of.size() == 2 && of[0].type + of[1].type == 1 &&
                                std::any_of(anomaly.dependencies.begin(),
                                            anomaly.dependencies.end(), is_missed);
                       });
  }

  // They skew on a row of `other`, each after its own beginning.
  [[nodiscard]] bool skews(const std::string& left, const std::string& right,
                           const std::string& third = "", const Asked& asked = {}) const {
    return misses("other", left + "\nUPDATE other SET a = b + 1 WHERE id = x;",
                  right + "\nUPDATE other SET b = a + 1 WHERE id = x;", third, asked);
  }

 private:
};

// --- what changes ---

// Whether one can see state 0 and the other one state 1 of the same item.
class SeenState : public Rule {
 protected:
  [[nodiscard]] bool differs(const std::string& third, const Asked& asked = {}) const {
    const std::string read = "SELECT state INTO STRICT u FROM item WHERE id = x;\n";
    return skews(read + "IF u <> 0 THEN RETURN; END IF;",
                 read + "IF u <> 1 THEN RETURN; END IF;", third, asked);
  }
};

TEST_F(SeenState, is_the_same_to_all_if_nobody_changes_it) {
  EXPECT_FALSE(differs(""));
  EXPECT_FALSE(differs("UPDATE item SET note = 1 WHERE id = x;"));
  EXPECT_FALSE(differs("DELETE FROM item WHERE id = x;"));
  EXPECT_FALSE(differs("INSERT INTO item VALUES (x, y, 0);"));
  EXPECT_FALSE(differs(
      "INSERT INTO item VALUES (x, y, 0) ON CONFLICT (id) DO UPDATE SET note = 1;"));
}

TEST_F(SeenState, differs_after_each_kind_of_change) {
  const std::string update = "UPDATE item SET state = 1 WHERE id = x;";
  for (const std::string& change :
       {update, std::string("UPDATE item SET note = 1, state = 1 WHERE id = x;"),
        std::string("UPDATE item SET state = 1, note = 1 WHERE id = x;"),
        fmt::format("IF y > 0 THEN {} END IF;", update),
        fmt::format("IF y > 0 THEN u := 1; ELSE {} END IF;", update),
        fmt::format("FOR i IN 1..2 LOOP {} END LOOP;", update),
        std::string("INSERT INTO item VALUES (x, 0, 0) "
                    "ON CONFLICT (id) DO UPDATE SET state = 1;"),
        std::string("UPDATE item SET id = y WHERE id = x;"),
        std::string("DELETE FROM item WHERE id = x; INSERT INTO item VALUES (x, y, 0);")})
    EXPECT_TRUE(differs(change)) << change;
}

TEST_F(SeenState, differs_where_inserts_do_not_meet) {
  EXPECT_TRUE(differs("INSERT INTO item VALUES (x, y, 0);", {.level = "EC"}));
}

TEST_F(SeenState, does_not_exclude_what_others_may_bring_in) {
  const std::string counts =
      "SELECT count(*) INTO u FROM item WHERE state = 0;\n"
      "UPDATE other SET a = u WHERE id = 1;";
  const std::string reads = "SELECT a INTO u FROM other WHERE id = 1;\n";
  EXPECT_TRUE(misses("item", counts,
                     reads + "UPDATE item SET state = u WHERE id = x AND state = 1;"));
  EXPECT_TRUE(misses("item", counts, reads + "INSERT INTO item VALUES (x, 0, u);"));
  EXPECT_FALSE(misses("item", counts, reads + "INSERT INTO item VALUES (x, 1, u);"));
}

// --- what is in an array ---

// Whether one changes what the other reads of items in state 1.
class ArrayOfKeys : public Rule {
 protected:
  [[nodiscard]] bool reaches(const std::string& array, const std::string& change) const {
    return misses("item",
                  fmt::format("SELECT note INTO u FROM item WHERE id = x AND state = 1;\n"
                              "UPDATE other SET a = u WHERE id = x;"),
                  fmt::format("DECLARE v int[]; one int; BEGIN\n"
                              "SELECT a INTO u FROM other WHERE id = x;\n{}\n{}\nEND;",
                              array, change));
  }
};

constexpr const char* change_any = "UPDATE item SET note = u WHERE id = ANY (v);";

TEST_F(ArrayOfKeys, has_the_rows_of_its_query) {
  for (const char* array :
       {"v := ARRAY(SELECT id FROM item WHERE state = {});",
        "v := ARRAY(SELECT id FROM item WHERE state = {} ORDER BY id LIMIT 3);",
        "SELECT array_agg(id) INTO v FROM item WHERE state = {};"})
    for (const char* change :
         {change_any, "UPDATE item SET note = u WHERE NOT id <> ALL (v);",
          "FOREACH one IN ARRAY v LOOP UPDATE item SET note = u WHERE id = one; END "
          "LOOP;"}) {
      EXPECT_FALSE(reaches(fmt::format(fmt::runtime(array), 0), change)) << array << change;
      EXPECT_TRUE(reaches(fmt::format(fmt::runtime(array), 1), change)) << array << change;
    }
}

TEST_F(ArrayOfKeys, is_not_known_otherwise) {
  const std::string array = "v := ARRAY(SELECT id FROM item WHERE state = 0);\n";
  for (const char* other : {"v := v || x;", "v := ARRAY[x];", "v := array_remove(v, y);",
                            "IF x > y THEN v := '{1}'; END IF;"})
    EXPECT_TRUE(reaches(array + other, change_any)) << other;
  EXPECT_TRUE(reaches("v := ARRAY(SELECT note FROM item WHERE state = 0);", change_any));
}

TEST_F(ArrayOfKeys, lacks_what_the_query_did_not_find) {
  const std::string array = "v := ARRAY(SELECT id FROM item WHERE state = 1);\n";
  const std::string others = "UPDATE item SET note = u WHERE id <> ALL (v);";
  EXPECT_FALSE(reaches(array, others));
  EXPECT_TRUE(reaches("v := ARRAY(SELECT id FROM item WHERE state = 1 LIMIT 2);", others));
}

// --- what is not there ---

constexpr const char* look = "SELECT note INTO u FROM item WHERE id = x;\n";
constexpr const char* if_found = "IF NOT FOUND THEN RETURN; END IF;\n";
constexpr const char* if_missing = "IF FOUND THEN RETURN; END IF;\n";
constexpr const char* write_other = "UPDATE other SET a = 1 WHERE id = x;";
constexpr const char* read_other = "SELECT a INTO u FROM other WHERE id = x;\n";
constexpr const char* insert_item = "INSERT INTO item VALUES (x, 0, 0);";

std::string after_looking(const std::string& how, const std::string& condition) {
  return how + condition + write_other;
}

std::string after_other(const std::string& change) {
  return read_other + change;
}

using Absence = Rule;

TEST_F(Absence, is_known_of_the_record_that_was_looked_for) {
  const std::string update = after_other("UPDATE item SET note = u WHERE id = x;");
  const std::string add = "UPDATE item SET note = note + 1 WHERE id = x;\n";
  EXPECT_TRUE(misses("item", after_looking(look, if_found), update));
  EXPECT_FALSE(misses("item", after_looking(look, if_missing), update));
  EXPECT_TRUE(misses("item", after_looking(add, if_found), update, "", {.level = "EC"}));
  EXPECT_FALSE(misses("item", after_looking(add, if_missing), update));
  EXPECT_FALSE(
      misses("other", after_looking(add, if_missing), update, "", {.level = "EC"}));
  const std::string erase = "DELETE FROM item WHERE id = x;\n";
  EXPECT_FALSE(misses("other", after_looking(erase, if_missing), after_other(erase), "",
                      {.level = "EC"}));
  EXPECT_FALSE(
      misses("item",
             after_looking("SELECT note INTO u FROM item WHERE id = x GROUP BY note;\n",
                           if_missing),
             update));
}

TEST_F(Absence, is_not_known_of_rows_that_a_query_leaves_out) {
  const std::string update = after_other("UPDATE item SET note = u WHERE id = x;");
  EXPECT_TRUE(misses("item",
                     after_looking("SELECT state INTO u FROM item WHERE id = x "
                                   "GROUP BY state HAVING sum(note) > 5;\n",
                                   if_missing),
                     update));
  for (const char* part : {"OFFSET 1", "LIMIT 0"})
    EXPECT_TRUE(misses(
        "item",
        fmt::format("SELECT id INTO u FROM item WHERE id = x {};\n{}", part, if_missing) +
            after_looking(look, if_found),
        update))
        << part;
}

TEST_F(Absence, ends_when_a_column_gets_the_value_that_was_looked_for) {
  EXPECT_TRUE(misses(
      "item", after_looking("SELECT note INTO u FROM item WHERE state = 0;\n", if_missing),
      after_other("UPDATE item SET state = 0 WHERE id = x;")));
}

TEST_F(Absence, is_what_an_insert_ends_and_a_delete_begins) {
  const std::string insert = after_other(insert_item);
  const std::string erase = after_other("DELETE FROM item WHERE id = x;");
  EXPECT_TRUE(misses("item", after_looking(look, if_missing), insert));
  EXPECT_FALSE(misses("item", after_looking(look, if_found), insert));
  EXPECT_TRUE(misses("item", after_looking(look, if_found), erase));
  EXPECT_FALSE(misses("item", after_looking(look, if_missing), erase));
  const std::string leave = "DELETE FROM item WHERE id = x AND note = 0;\n";
  EXPECT_TRUE(misses("item", after_looking(leave, if_missing), insert));
  EXPECT_FALSE(
      misses("item", after_looking("DELETE FROM item WHERE id = x;\n", if_missing), erase));
}

TEST_F(Absence, is_not_known_where_a_subquery_decides) {
  EXPECT_TRUE(misses("item",
                     after_looking("SELECT note INTO u FROM item "
                                   "WHERE id = x AND note > (SELECT count(*) FROM flag);\n",
                                   if_missing),
                     after_other("UPDATE item SET note = u WHERE id = x;")));
}

// A reader who scans reads that there is no such row, which is a version before that of
// every write; if only relevant reads count, it depends on the insert in between.
TEST_F(Absence, is_read_before_all_later_changes_by_who_scans) {
  const std::string missing = after_looking(look, if_missing);
  const std::string update = after_other("UPDATE item SET note = u WHERE id = x;");
  const Asked scanned{.reads = Reads::Scanned, .granularity = Granularity::Row};
  const Asked relevant{.granularity = Granularity::Row};
  EXPECT_TRUE(misses("item", missing, update, insert_item, scanned));
  EXPECT_FALSE(misses("item", missing, update, insert_item, relevant));
  EXPECT_FALSE(misses("item", missing, update, "", scanned));
}

TEST_F(Absence, ends_for_who_scans_and_saw_an_earlier_row) {
  const std::string found = after_looking(look, if_found);
  const std::string insert = after_other(insert_item);
  const std::string erase = "DELETE FROM item WHERE id = x;";
  EXPECT_TRUE(misses("item", found, insert, erase, {.reads = Reads::Scanned}));
  EXPECT_FALSE(misses("item", found, insert, erase));
  EXPECT_TRUE(misses("item", found, insert, insert_item, {.level = "EC"}));
  EXPECT_FALSE(misses("item", found, insert, insert_item));
}

TEST_F(Absence, is_not_the_same_to_all_where_rows_come_or_go) {
  const std::string missing = after_looking(look, if_missing);
  const std::string update = after_other("UPDATE item SET note = u WHERE id = x;");
  const Asked weak{.level = "EC", .reads = Reads::Scanned, .granularity = Granularity::Row};
  EXPECT_TRUE(misses("item", missing, update, "DELETE FROM item WHERE id = x;", weak));
  EXPECT_TRUE(
      misses("item", missing, update, "UPDATE item SET id = y WHERE id = x;", weak));
  EXPECT_FALSE(misses("item", missing, update, "", weak));
}

// --- joins ---

using JoinedRead = Rule;

TEST_F(JoinedRead, scans_without_the_conditions_on_later_tables) {
  const std::string write = "UPDATE other SET a = u WHERE id = 1;";
  const std::string log_first =
      "SELECT sum(l.v) INTO u FROM log l JOIN item i ON i.id = l.id WHERE i.id = 1;\n";
  const std::string log_last =
      "SELECT sum(l.v) INTO u FROM item i JOIN log l ON i.id = l.id WHERE i.id = 1;\n";
  const std::string right =
      "SELECT a INTO u FROM other WHERE id = 1;\nUPDATE log SET v = u WHERE id = 2;";
  EXPECT_TRUE(misses("log", log_first + write, right, "", {.reads = Reads::Scanned}));
  EXPECT_FALSE(misses("log", log_last + write, right, "", {.reads = Reads::Scanned}));
  EXPECT_FALSE(misses("log", log_first + write, right));
  EXPECT_FALSE(misses("log", log_last + write, right));
}

TEST_F(JoinedRead, finds_nothing_where_the_outer_row_is_missing) {
  const std::string left =
      "SELECT count(*) INTO u FROM item i LEFT JOIN log l ON l.id = i.id AND l.n = 1 "
      "WHERE l.v IS NULL;\nUPDATE other SET a = u WHERE id = x;";
  EXPECT_TRUE(misses("item", left, after_other(insert_item)));
  EXPECT_TRUE(misses("log", left, after_other("INSERT INTO log VALUES (x, 1, 1);")));
  EXPECT_FALSE(misses("log", left, after_other("INSERT INTO log VALUES (x, 2, 1);")));
}

using ScannedRead = Rule;

// Only conditions on the primary key keep rows from being scanned, and a row that is looked
// up by its key is read whatever else is asked of it.
TEST_F(ScannedRead, is_of_each_row_that_the_key_does_not_exclude) {
  const Asked scanned{.reads = Reads::Scanned};
  const auto reading = [](const std::string& where) {
    return fmt::format("SELECT sum(note) INTO u FROM item WHERE {};\n{}", where,
                       write_other);
  };
  const std::string of_state_one =
      after_other("UPDATE item SET note = u WHERE id = x AND state = 1;");
  EXPECT_TRUE(misses("item", reading("state = 0"), of_state_one, "", scanned));
  EXPECT_FALSE(misses("item", reading("state = 0"), of_state_one));
  const std::string of_one = after_other("UPDATE item SET note = u WHERE id = 1;");
  EXPECT_TRUE(misses("item", reading("id = 1 AND id > 5"), of_one, "", scanned));
  EXPECT_FALSE(misses("item", reading("id = 1 AND id > 5"), of_one));
  EXPECT_FALSE(misses("item", reading("id > 5"), of_one, "", scanned));
}

// --- what is certainly written ---

// Who certainly writes what the other one writes does not skew with it under SI.
class CertainWrite : public Rule {
 protected:
  [[nodiscard]] bool meets(const std::string& left, const std::string& right) const {
    return !skews(left, right);
  }

  [[nodiscard]] bool meets(const std::string& both) const { return meets(both, both); }
};

constexpr const char* item_is_there = "SELECT id INTO STRICT u FROM item WHERE id = x;\n";
constexpr const char* update_item = "UPDATE item SET note = 1 WHERE id = x;";

TEST_F(CertainWrite, is_one_of_all_rows_that_the_conditions_find) {
  const auto meets_there = [&](const std::string& change) {
    return meets(item_is_there + std::string(update_item), item_is_there + change);
  };
  EXPECT_TRUE(meets_there(update_item));
  EXPECT_TRUE(meets_there("UPDATE item SET note = note + 1;"));
  EXPECT_TRUE(meets_there("SELECT note INTO u FROM item WHERE id = x FOR UPDATE;"));
  EXPECT_FALSE(meets_there("UPDATE item SET state = 1 WHERE id = x;"));
  EXPECT_FALSE(meets_there("UPDATE item SET note = 1 WHERE id = x AND y = 1;"));
  EXPECT_FALSE(meets_there("IF y = 1 THEN UPDATE item SET note = 1 WHERE id = x; END IF;"));
  EXPECT_FALSE(
      meets_there("UPDATE item SET note = 1 WHERE id = x AND EXISTS (SELECT 1 FROM flag "
                  "WHERE id = x);"));
  EXPECT_FALSE(
      meets_there("UPDATE item SET note = 1 FROM flag WHERE item.id = x AND flag.id = x;"));
  EXPECT_FALSE(meets_there("UPDATE item SET note = 1 FROM flag WHERE item.id = x;"));
  EXPECT_TRUE(meets(item_is_there + std::string("DELETE FROM item WHERE id = x;")));
  EXPECT_FALSE(meets(update_item));
}

TEST_F(CertainWrite, is_an_insert_of_a_row_that_is_not_there) {
  const std::string is_new =
      "PERFORM 1 FROM log WHERE id = x AND n = 1;\n"
      "IF FOUND THEN RETURN; END IF;\n";
  const std::string insert = "INSERT INTO log VALUES (x, 1, 1)";
  EXPECT_TRUE(meets(insert + ";"));
  EXPECT_FALSE(meets(insert + " ON CONFLICT DO NOTHING;"));
  EXPECT_TRUE(meets(is_new + insert + " ON CONFLICT DO NOTHING;"));
  EXPECT_TRUE(meets(insert + " ON CONFLICT (id, n) DO UPDATE SET v = 1;"));
  EXPECT_FALSE(meets(insert + " ON CONFLICT (id, n) DO UPDATE SET v = 1 WHERE log.v > 5;"));
}

TEST_F(CertainWrite, is_none_where_another_unique_column_decides) {
  const std::string is_new =
      "PERFORM 1 FROM part WHERE id = x;\n"
      "IF FOUND THEN RETURN; END IF;\n";
  const std::string is_old =
      "PERFORM 1 FROM part WHERE id = x;\n"
      "IF NOT FOUND THEN RETURN; END IF;\n";
  const std::string insert = "INSERT INTO part VALUES (x, y, 1, 1)";
  EXPECT_TRUE(meets(is_new + insert + ";"));
  EXPECT_FALSE(meets(is_new + insert + " ON CONFLICT DO NOTHING;"));
  EXPECT_FALSE(meets(is_new + insert + " ON CONFLICT (code) DO UPDATE SET v = 1;"));
  EXPECT_FALSE(meets(is_old + insert + " ON CONFLICT (code) DO UPDATE SET v = 1;"));
  EXPECT_TRUE(meets(is_new + insert + " ON CONFLICT (id) DO NOTHING;"));
  EXPECT_TRUE(meets(insert + " ON CONFLICT (id) DO UPDATE SET v = 1;"));
}

// What is kept out leaves no trace: another row of that key may have another content.
TEST_F(CertainWrite, is_none_of_a_row_that_is_kept_out) {
  const std::string is_new =
      "PERFORM 1 FROM part WHERE id = x;\n"
      "IF FOUND THEN RETURN; END IF;\n";
  EXPECT_TRUE(skews(is_new + "INSERT INTO part VALUES (x, 1, 1, 0) ON CONFLICT DO NOTHING;",
                    "INSERT INTO part VALUES (x, 2, 2, 0);"));
  const std::string no_log =
      "PERFORM 1 FROM log WHERE id = x;\n"
      "IF FOUND THEN RETURN; END IF;\n";
  const std::string twice =
      no_log +
      "INSERT INTO log VALUES (x, 1, 1), (x, y, 2) ON CONFLICT DO NOTHING;\n"
      "IF y <> 1 THEN RETURN; END IF;";
  EXPECT_TRUE(skews(twice, "INSERT INTO log VALUES (x, y, 1);"));
}

// --- upserts ---

using Upsert = Rule;

TEST_F(Upsert, reads_and_writes_the_row_that_is_in_its_way) {
  const std::string upsert =
      "INSERT INTO part VALUES (1, 5, 0, 0) ON CONFLICT (code) DO UPDATE SET v = part.w;\n";
  EXPECT_TRUE(misses("part",
                     "SELECT v INTO u FROM part WHERE id = 7;\n" + std::string(write_other),
                     read_other + upsert));
  EXPECT_TRUE(misses("part", upsert + write_other,
                     after_other("UPDATE part SET w = u WHERE id = 7;")));
}

TEST_F(Upsert, looks_at_what_it_refers_to) {
  EXPECT_TRUE(misses("owner",
                     std::string("INSERT INTO owned VALUES (x, 1) ON CONFLICT (id) "
                                 "DO UPDATE SET owner = 2;\n") +
                         write_other,
                     after_other("DELETE FROM owner WHERE id = 2;")));
}

TEST_F(Upsert, moves_a_row) {
  EXPECT_TRUE(misses(
      "log",
      "SELECT v INTO u FROM log WHERE id = 7 AND n = 1;\n" + std::string(write_other),
      read_other + std::string("INSERT INTO log VALUES (1, 1, 1) "
                               "ON CONFLICT (id, n) DO UPDATE SET id = 7;")));
}

TEST_F(CertainWrite, is_no_lock_of_one_row_among_many) {
  const auto skew = [&](const std::string& left, const std::string& right) {
    return misses("item", left + "UPDATE item SET state = note + 1 WHERE id = x;",
                  right + "UPDATE item SET note = state + 1 WHERE id = x;");
  };
  const std::string lock = "SELECT id INTO u FROM item ORDER BY id";
  EXPECT_TRUE(skew("", ""));
  EXPECT_FALSE(skew(lock + " FOR UPDATE;\n", lock + " FOR UPDATE;\n"));
  EXPECT_TRUE(
      skew(lock + " LIMIT 1 FOR UPDATE;\n", lock + " LIMIT 1 OFFSET 1 FOR UPDATE;\n"));
  EXPECT_TRUE(skew(lock + " FOR UPDATE;\n", lock + " OFFSET 5 FOR UPDATE;\n"));
  const std::string own = "SELECT id INTO STRICT u FROM item WHERE id = x FOR UPDATE;\n";
  EXPECT_FALSE(skew(lock + " FOR UPDATE;\n", own));
  EXPECT_TRUE(skew(lock + " LIMIT 1 FOR UPDATE;\n", own));
  EXPECT_TRUE(
      skew("PERFORM 1 FROM flag WHERE flag.id IN "
           "(SELECT id FROM item WHERE id = x FOR UPDATE);\n",
           own));
  EXPECT_TRUE(
      skew("u := CASE WHEN y = 1 THEN "
           "(SELECT id FROM item WHERE id = x FOR UPDATE) ELSE 0 END;\n",
           own));
}

// What a transaction has certainly written itself it does not read from others.
TEST_F(CertainWrite, hides_what_others_wrote) {
  const auto is_hidden = [&](const std::string& change) {
    return !misses(
        "item", change + "\nSELECT note INTO u FROM item WHERE id = x;\n" + write_other,
        after_other("UPDATE item SET note = u WHERE id = x;"), "", {.level = "EC"});
  };
  EXPECT_TRUE(is_hidden(update_item));
  EXPECT_FALSE(is_hidden("UPDATE item SET state = 1 WHERE id = x;"));
  EXPECT_FALSE(is_hidden("UPDATE item SET note = 1 WHERE id = x AND y = 1;"));
  EXPECT_FALSE(is_hidden("UPDATE item SET note = 1 WHERE id = y;"));
  EXPECT_FALSE(
      is_hidden("UPDATE item SET note = 1 WHERE id = x AND EXISTS (SELECT 1 FROM flag "
                "WHERE id = x);"));
}

}  // namespace
}  // namespace isomer::test
