// SPDX-License-Identifier: MIT
// Servers that the test program starts with Isomer's own means, one a database.
#pragma once

#include <gtest/gtest.h>

#include "reproduce/target.h"

namespace isomer::test {

inline const tl::expected<reproduce::Target, std::string>& target(
    database::Database database) {
  static const auto postgresql =
      reproduce::local_target(database::Database::PostgreSql, {});
  static const auto mariadb = reproduce::local_target(database::Database::MariaDb, {});
  static const auto sqlite = reproduce::local_target(database::Database::Sqlite, {});
  return database == database::Database::PostgreSql ? postgresql
         : database == database::Database::MariaDb  ? mariadb
                                                    : sqlite;
}

// As --on has it.
inline std::string url_of(database::Database database) {
  const auto& found = target(database);
  EXPECT_TRUE(found) << found.error();
  if (!found) return {};
  if (database == database::Database::MariaDb)
    return "mariadb://root@/?socket=" + found->address.mariadb.socket;
  return "postgresql://postgres@/postgres?host=" + found->local->folder();
}

}  // namespace isomer::test
