// SPDX-License-Identifier: MIT
#include "server/mariadb_connection.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/innodb_status.h"

namespace isomer::server {
namespace {

std::string parts_of(std::string_view url) {
  const auto address = parse_mariadb_address(url);
  if (!address) return "wrong: " + address.error();
  return fmt::format("{}|{}|{}|{}|{}|{}", address->user, address->password, address->host,
                     address->port, address->database, address->socket);
}

TEST(MariadbAddress, has_the_parts_of_its_url) {
  EXPECT_EQ(parts_of("mariadb://ann:secret@db.example.com:3307/shop"),
            "ann|secret|db.example.com|3307|shop|");
  EXPECT_EQ(parts_of("mysql://db"), "||db|0||");
  EXPECT_EQ(parts_of("mariadb://ann@db/"), "ann||db|0||");
  EXPECT_EQ(parts_of("mariadb://a%40b:%3a%2F@localhost/x%20y"), "a@b|:/|localhost|0|x y|");
  EXPECT_EQ(parts_of("mariadb://root@/?socket=/tmp/a%20b"), "root|||0||/tmp/a b");
}

TEST(MariadbAddress, says_what_is_wrong) {
  EXPECT_EQ(parts_of("mariadb://ann:sec@ret@db"),
            "wrong: an @ that should be %40 in the address");
  EXPECT_EQ(parts_of("postgresql://db"),
            "wrong: expected mariadb://user:password@host:port/database");
  EXPECT_EQ(parts_of("mariadb://db:port"), "wrong: no number for the port in the address");
  EXPECT_EQ(parts_of("mariadb://db:70000"), "wrong: no number for the port in the address");
  EXPECT_EQ(parts_of("mariadb://a%4@db"),
            "wrong: expected two digits behind % in the address");
  EXPECT_EQ(parts_of("mariadb://db?ssl=1"),
            "wrong: expected socket= behind ? in the address");
}

// As MariaDB 10.11 writes it, shortened.
constexpr std::string_view status_text = R"(
------------------------
LATEST DETECTED DEADLOCK
------------------------
MariaDB thread id 9, OS thread handle 1, query id 1 localhost root
RECORD LOCKS space id 5 page no 3 n bits 320 index PRIMARY of table `x`.`t` trx id 24 lock_mode X
Record lock, heap no 2 PHYSICAL RECORD: n_fields 4; compact format; info bits 0
TRANSACTIONS
------------
Trx id counter 30
Purge done for trx's n:o < 23 undo n:o < 0 state: running
History list length 1
LIST OF TRANSACTIONS FOR EACH SESSION:
---TRANSACTION (0x7f3920fbcc80), not started
0 lock struct(s), heap size 1128, 0 row lock(s)
---TRANSACTION 24, ACTIVE 0 sec starting index read
LOCK WAIT 2 lock struct(s), heap size 1128, 1 row lock(s)
MariaDB thread id 5, OS thread handle 140676600239808, query id 12 localhost root Updating
update t set v=4 where id=1
------- TRX HAS BEEN WAITING 303976 us FOR THIS LOCK TO BE GRANTED:
RECORD LOCKS space id 5 page no 3 n bits 320 index PRIMARY of table `x`.`t` trx id 24 lock_mode X locks gap before rec insert intention waiting
Record lock, heap no 2 PHYSICAL RECORD: n_fields 4; compact format; info bits 0
------------------
TABLE LOCK table `x`.`t` trx id 24 lock mode IX
---TRANSACTION 23, ACTIVE 0 sec
MariaDB thread id 4, OS thread handle 140676600547008, query id 10 localhost root
RECORD LOCKS space id 5 page no 3 n bits 320 index PRIMARY of table `x`.`t` trx id 23 lock mode S locks gap before rec
Record lock, heap no 2 PHYSICAL RECORD: n_fields 4; compact format; info bits 0
---TRANSACTION 22, ACTIVE 0 sec
MariaDB thread id 3, OS thread handle 140676600547008, query id 10 localhost root
RECORD LOCKS space id 5 page no 3 n bits 320 index PRIMARY of table `x`.`t` trx id 22 lock mode S locks rec but not gap
Record lock, heap no 2 PHYSICAL RECORD: n_fields 4; compact format; info bits 0
)";

TEST(InnodbStatus, tells_who_waits_for_whom) {
  const InnodbStatus status = parse_innodb_status(status_text);
  EXPECT_TRUE(status.purges);
  EXPECT_EQ(status.by_thread.size(), 3U);
  EXPECT_TRUE(status.by_thread.at(5).waits);
  EXPECT_FALSE(status.by_thread.at(4).waits);
  // Into a gap: only who has locked the gap is in the way.
  EXPECT_EQ(blockers(status, 5), (std::set<std::uint64_t>{4}));
  EXPECT_TRUE(blockers(status, 4).empty());
}

TEST(InnodbStatus, says_nothing_where_locks_are_left_out) {
  std::string text(status_text);
  text += "10 LOCKS PRINTED FOR THIS TRX: SUPPRESSING FURTHER PRINTS\n";
  EXPECT_TRUE(blockers(parse_innodb_status(text), 5).empty());
}

}  // namespace
}  // namespace isomer::server
