// SPDX-License-Identifier: MIT
#include "server/mariadb_address.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace isomer::server {
namespace {

// What stands before the mark; it and the mark are taken away.  Absent if there is none.
std::optional<std::string_view> take_until(std::string_view& rest, char mark) {
  const std::size_t at = rest.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view out = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  return out;
}

std::optional<char> byte_of(std::string_view digits) {
  unsigned number = 0;
  const auto end =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  if (digits.size() != 2 || end.ptr != digits.data() + 2) return std::nullopt;
  return static_cast<char>(number);
}

// %40 is @.
std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const auto byte = byte_of(text.substr(i + 1, 2));
    if (!byte) return std::nullopt;
    out += *byte;
    i += 2;
  }
  return out;
}

}  // namespace

tl::expected<MariadbAddress, std::string> parse_mariadb_address(std::string_view url) {
  std::string_view rest = url;
  bool is_ours = false;
  for (const std::string_view scheme : {"mariadb://", "mysql://"})
    if (rest.starts_with(scheme)) {
      rest.remove_prefix(scheme.size());
      is_ours = true;
      break;
    }
  if (!is_ours)
    return tl::unexpected(
        std::string("expected mariadb://user:password@host:port/database"));
  const auto wrong = [](std::string_view what, std::string_view text) {
    return tl::unexpected(fmt::format("{} in the address: {}", what, text));
  };
  std::string_view options;
  if (const std::size_t at = rest.find('?'); at != std::string_view::npos) {
    options = rest.substr(at + 1);
    rest = rest.substr(0, at);
  }
  std::string_view user;
  std::string_view password;
  if (auto person = take_until(rest, '@')) {
    user = take_until(*person, ':').value_or("");
    password = *person;
    if (user.data() == nullptr || user.empty()) std::swap(user, password);
  }
  std::string_view database;
  if (const std::size_t at = rest.find('/'); at != std::string_view::npos) {
    database = rest.substr(at + 1);
    rest = rest.substr(0, at);
  }
  MariadbAddress out;
  if (const std::size_t at = rest.rfind(':'); at != std::string_view::npos) {
    const std::string_view port = rest.substr(at + 1);
    const auto end = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (port.empty() || end.ptr != port.data() + port.size() || out.port > 65535)
      return wrong("no port", port);
    rest = rest.substr(0, at);
  }
  out.host = std::string(rest);
  for (const auto& [text, place] :
       {std::pair(user, &out.user), {password, &out.password}, {database, &out.database}}) {
    auto plain = decoded(text);
    if (!plain) return wrong("expected two digits behind %", text);
    *place = *std::move(plain);
  }
  if (options.starts_with("socket=")) {
    auto plain = decoded(options.substr(7));
    if (!plain) return wrong("expected two digits behind %", options);
    out.socket = *std::move(plain);
  } else if (!options.empty()) {
    return wrong("expected socket= behind ?", options);
  }
  return out;
}

}  // namespace isomer::server
