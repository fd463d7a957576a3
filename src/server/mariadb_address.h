// SPDX-License-Identifier: MIT
// Where a MariaDB server is, and who asks.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace isomer::server {

struct MariadbAddress {
  std::string socket{};  // empty: by host and port
  std::string host{};
  unsigned port = 0;  // 0: the usual one
  std::string user{};
  std::string password{};
  std::string database{};
};

// mariadb://ann:secret@db.example.com:3307/shop, or mysql://..; %40 in a name or password
// stands for @.  A socket comes behind a question mark: mariadb://ann@/?socket=/run/sock.
// Otherwise what is wrong with it.
tl::expected<MariadbAddress, std::string> parse_mariadb_address(std::string_view url);

}  // namespace isomer::server
