// SPDX-License-Identifier: MIT
#include "server/mariadb_connection.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <errmsg.h>
#include <fmt/format.h>
#include <mysql.h>
#include <poll.h>

#include "base/assert.h"
#include "database/innodb/error_codes.h"
#include "program/calendar.h"

namespace isomer::server {
namespace {

using program::Type;
using program::TypeKind;
using program::Value;

// The library's own errors: there is no connection, or none any more.  And constants that
// MariaDB has no such values for: years before 1 or after 9999.
bool is_limit(unsigned number) {
  constexpr unsigned wrong_value = 1525;
  return (number >= CR_MIN_ERROR && number <= CR_MAX_ERROR) || number == wrong_value;
}

template <class Parsed>
std::optional<Value> value_if(const Parsed& parsed) {
  return parsed ? std::optional(Value(Value::Data(*parsed))) : std::nullopt;
}

std::optional<Value> integer_of(std::string_view text) {
  std::int64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = end.ec == std::errc() && end.ptr == text.data() + text.size();
  return is_whole ? std::optional(Value::integer(number)) : std::nullopt;
}

// Absent if the type has no such value here.
std::optional<Value> value_of(std::string_view text, const Type& type) {
  switch (type.kind) {
    case TypeKind::Bool:
      return Value::boolean(text != "0");
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
      return integer_of(text);
    case TypeKind::Date:
      return value_if(program::parse_date(text));
    case TypeKind::Timestamp:
      return value_if(program::parse_timestamp(text));
    case TypeKind::Numeric:
      return value_if(program::parse_decimal(text));
    case TypeKind::Any:
    case TypeKind::Text:
      return Value::text(std::string(text));
    case TypeKind::Record:
    case TypeKind::Array:
    case TypeKind::Range:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

MariadbConnection::MariadbConnection(const MariadbAddress& address)
    : connection_(mysql_init(nullptr)) {
  const auto text = [](const std::string& field) {
    return field.empty() ? nullptr : field.c_str();
  };
  mysql_options(connection_, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  is_connected_ =
      mysql_real_connect(connection_, text(address.host), text(address.user),
                         text(address.password), text(address.database), address.port,
                         text(address.socket), CLIENT_FOUND_ROWS) != nullptr;
}

MariadbConnection::~MariadbConnection() {
  mysql_close(connection_);
}

std::string MariadbConnection::problem() const {
  return is_connected_ ? "" : mysql_error(connection_);
}

std::uint64_t MariadbConnection::thread() const {
  return mysql_thread_id(connection_);
}

// "10.11.14-MariaDB-0+deb12u2"; MySQL says "8.0.36".
std::string MariadbConnection::server_title() const {
  const std::string_view text = mysql_get_server_info(connection_);
  const bool is_mariadb = text.find("MariaDB") != std::string_view::npos;
  return fmt::format("{} {}", is_mariadb ? "MariaDB" : "MySQL",
                     text.substr(0, text.find('-')));
}

void MariadbConnection::send(const std::string& statement, std::vector<Type> types) {
  ISOMER_ASSERT(!is_sent_);
  is_sent_ = true;
  types_ = std::move(types);
  // What fails here fails again when the result is taken.
  static_cast<void>(mysql_send_query(connection_, statement.data(), statement.size()));
}

bool MariadbConnection::has_result() {
  pollfd socket = {.fd = mysql_get_socket(connection_), .events = POLLIN, .revents = 0};
  return poll(&socket, 1, 0) != 0;
}

MariadbResult MariadbConnection::failed() const {
  const unsigned number = mysql_errno(connection_);
  program::Fault fault{.reason = mysql_error(connection_),
                       .sqlstate = mysql_sqlstate(connection_),
                       .at = {},
                       .is_limit = is_limit(number),
                       .number = number};
  for (const auto& code : database::innodb::error_codes)
    if (code.number == number) fault.condition = std::string(code.condition);
  return {.fault = std::move(fault)};
}

MariadbResult MariadbConnection::read_rows(MYSQL_RES* result) const {
  MariadbResult out;
  const unsigned columns = mysql_num_fields(result);
  while (MYSQL_ROW row = mysql_fetch_row(result)) {
    const unsigned long* const lengths = mysql_fetch_lengths(result);
    std::vector<Value>& cells = out.rows.emplace_back();
    for (unsigned i = 0; i < columns; ++i) {
      if (row[i] == nullptr) {
        cells.emplace_back();
        continue;
      }
      const std::string_view text(row[i], lengths[i]);
      auto value = value_of(text, i < types_.size() ? types_[i] : Type());
      if (!value)
        out.fault = program::Fault{
            .reason = fmt::format(
                "the server answers {}, of a type or a size that is not supported", text),
            .sqlstate = "0A000",
            .at = {},
            .is_limit = true};
      cells.push_back(std::move(value).value_or(Value()));
    }
  }
  out.count = static_cast<std::int64_t>(out.rows.size());
  return out;
}

// INSERT of one row that DO UPDATE has changed counts two; INSERT of several tells in
// words, "Records: 3  Duplicates: 1  Warnings: 0".
MariadbResult MariadbConnection::take() {
  ISOMER_ASSERT(is_sent_);
  is_sent_ = false;
  if (mysql_read_query_result(connection_) != 0) return failed();
  if (mysql_field_count(connection_) == 0)
    return {.count = static_cast<std::int64_t>(mysql_affected_rows(connection_))};
  MYSQL_RES* const result = mysql_store_result(connection_);
  if (result == nullptr) return failed();
  MariadbResult out = read_rows(result);
  mysql_free_result(result);
  return out;
}

MariadbResult MariadbConnection::run(const std::string& statement,
                                     std::vector<Type> types) {
  send(statement, std::move(types));
  return take();
}

void wait_for_any(std::span<MariadbConnection* const> connections,
                  std::chrono::microseconds time) {
  std::vector<pollfd> sockets;
  for (const MariadbConnection* connection : connections)
    sockets.push_back(
        {.fd = mysql_get_socket(connection->connection_), .events = POLLIN, .revents = 0});
  const timespec most = {.tv_sec = time.count() / 1'000'000,
                         .tv_nsec = time.count() % 1'000'000 * 1'000};
  static_cast<void>(ppoll(sockets.data(), sockets.size(), &most, nullptr));
}

// --- addresses ---

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
  // Without its words: what looks like a port may be a password.
  const auto wrong = [](std::string_view what) {
    return tl::unexpected(fmt::format("{} in the address", what));
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
      return wrong("no number for the port");
    rest = rest.substr(0, at);
  }
  out.host = std::string(rest);
  if (out.host.find('@') != std::string::npos) return wrong("an @ that should be %40");
  for (const auto& [text, place] :
       {std::pair(user, &out.user), {password, &out.password}, {database, &out.database}}) {
    auto plain = decoded(text);
    if (!plain) return wrong("expected two digits behind %");
    *place = *std::move(plain);
  }
  if (options.starts_with("socket=")) {
    auto plain = decoded(options.substr(7));
    if (!plain) return wrong("expected two digits behind %");
    out.socket = *std::move(plain);
  } else if (!options.empty()) {
    return wrong("expected socket= behind ?");
  }
  return out;
}

}  // namespace isomer::server
