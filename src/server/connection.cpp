// SPDX-License-Identifier: MIT
#include "server/connection.h"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include "base/assert.h"
#include "program/calendar.h"

namespace isomer::server {
namespace {

using program::Value;

// What libpq says ends in a line break.
std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.remove_suffix(1);
  return std::string(text);
}

// A statement whose connection broke, or whose answer is beyond us, has not failed as
// PostgreSQL would have it fail.
program::Fault limit(std::string reason, std::string sqlstate) {
  return {.reason = std::move(reason),
          .sqlstate = std::move(sqlstate),
          .at = {},
          .is_limit = true};
}

// The types of columns, by their numbers in pg_type.
enum class TypeNumber : Oid {
  Bool = 16,
  Int8 = 20,
  Int2 = 21,
  Int4 = 23,
  Text = 25,
  Unknown = 705,
  Padded = 1042,
  Varying = 1043,
  Date = 1082,
  Timestamp = 1114,
  Numeric = 1700,
  Void = 2278,
  Int4Range = 3904,
  TimestampRange = 3908,
  DateRange = 3912,
  Int8Range = 3926,
  BoolArray = 1000,
  Int2Array = 1005,
  Int4Array = 1007,
  TextArray = 1009,
  PaddedArray = 1014,
  VaryingArray = 1015,
  Int8Array = 1016,
  TimestampArray = 1115,
  DateArray = 1182,
  NumericArray = 1231,
};

// The type of the elements; absent if it is no array of ours.
std::optional<TypeNumber> element_type(TypeNumber array) {
  switch (array) {
    case TypeNumber::BoolArray:
      return TypeNumber::Bool;
    case TypeNumber::Int2Array:
      return TypeNumber::Int2;
    case TypeNumber::Int4Array:
      return TypeNumber::Int4;
    case TypeNumber::Int8Array:
      return TypeNumber::Int8;
    case TypeNumber::TextArray:
      return TypeNumber::Text;
    case TypeNumber::PaddedArray:
      return TypeNumber::Padded;
    case TypeNumber::VaryingArray:
      return TypeNumber::Varying;
    case TypeNumber::DateArray:
      return TypeNumber::Date;
    case TypeNumber::TimestampArray:
      return TypeNumber::Timestamp;
    case TypeNumber::NumericArray:
      return TypeNumber::Numeric;
    default:
      return std::nullopt;
  }
}

template <class Parsed>
std::optional<Value> value_if(const Parsed& parsed) {
  return parsed ? std::optional(Value(Value::Data(*parsed))) : std::nullopt;
}

std::optional<Value> integer_of(std::string_view text) {
  std::int64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  return end.ec == std::errc() ? std::optional(Value::integer(number)) : std::nullopt;
}

// One element of an array: up to the comma or brace behind it, without its quotes.
struct ElementText {
  std::string text;
  bool is_quoted = false;
};

ElementText next_element(std::string_view& rest) {
  ElementText out;
  for (bool is_inside = false; !rest.empty(); rest.remove_prefix(1)) {
    if (!is_inside && (rest[0] == ',' || rest[0] == '}')) break;
    if (rest[0] == '"') {
      is_inside = !is_inside;
      out.is_quoted = true;
      continue;
    }
    if (rest[0] == '\\') rest.remove_prefix(1);
    out.text += rest[0];
  }
  return out;
}

std::optional<Value> value_of(std::string_view text, TypeNumber type);

// {1,NULL,"a b"}, of one dimension that begins at 1: others begin with a bracket.
std::optional<Value> array_of(std::string_view text, TypeNumber elements) {
  if (!text.starts_with('{')) return std::nullopt;
  std::vector<Value> out;
  text.remove_prefix(1);
  while (text.size() > 1) {
    if (text[0] == '{') return std::nullopt;
    const ElementText element = next_element(text);
    if (text.empty()) return std::nullopt;
    auto value = !element.is_quoted && element.text == "NULL"
                     ? std::optional(Value())
                     : value_of(element.text, elements);
    if (!value) return std::nullopt;
    out.push_back(std::move(*value));
    if (text[0] == ',') text.remove_prefix(1);
  }
  return Value::list(std::move(out));
}

// Absent if the type has no such value here, or is none of ours.
std::optional<Value> value_of(std::string_view text, TypeNumber type) {
  switch (type) {
    case TypeNumber::Bool:
      return Value::boolean(text == "t" || text == "true");  // the latter as text
    case TypeNumber::Int8:
    case TypeNumber::Int2:
    case TypeNumber::Int4:
      return integer_of(text);
    case TypeNumber::Text:
    case TypeNumber::Unknown:
    case TypeNumber::Varying:
    case TypeNumber::Int4Range:
    case TypeNumber::TimestampRange:
    case TypeNumber::DateRange:
    case TypeNumber::Int8Range:
      return Value::text(std::string(text));
    case TypeNumber::Padded:
      return Value::text(std::string(text.substr(0, text.find_last_not_of(' ') + 1)));
    case TypeNumber::Date:
      return value_if(program::parse_date(text));
    case TypeNumber::Timestamp:
      return value_if(program::parse_timestamp(text));
    case TypeNumber::Numeric:
      return value_if(program::parse_decimal(text));
    case TypeNumber::Void:
      return Value();
    default:
      break;
  }
  const auto elements = element_type(type);
  return elements ? array_of(text, *elements) : std::nullopt;
}

std::optional<Value> cell_of(const PGresult* result, int row, int column) {
  if (PQgetisnull(result, row, column) != 0) return Value();
  const std::string_view text(PQgetvalue(result, row, column),
                              static_cast<std::size_t>(PQgetlength(result, row, column)));
  return value_of(text, static_cast<TypeNumber>(PQftype(result, column)));
}

void read_rows(const PGresult* result, StatementResult& out) {
  for (int row = 0; row < PQntuples(result); ++row) {
    std::vector<Value>& cells = out.rows.emplace_back();
    for (int column = 0; column < PQnfields(result); ++column) {
      auto cell = cell_of(result, row, column);
      if (!cell)
        out.fault = limit(fmt::format("the server answers {}, of a type or a size that is "
                                      "not supported",
                                      PQgetvalue(result, row, column)),
                          "0A000");
      cells.push_back(std::move(cell).value_or(Value()));
    }
  }
}

program::Fault fault_of(const PGresult* result, const PGconn* connection) {
  const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* const message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  const bool is_lost = state == nullptr || PQstatus(connection) != CONNECTION_OK;
  if (is_lost) return limit(trimmed(PQerrorMessage(connection)), "08006");
  return {.reason = message != nullptr ? message : "", .sqlstate = state, .at = {}};
}

StatementResult read_result(PGresult* result, const PGconn* connection) {
  StatementResult out;
  const ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ||
      status == PGRES_EMPTY_QUERY) {
    read_rows(result, out);
    out.command = PQcmdStatus(result);
    const std::string_view count = PQcmdTuples(result);
    std::from_chars(count.data(), count.data() + count.size(), out.count);
  } else {
    out.fault = fault_of(result, connection);
  }
  return out;
}

void keep_notice(void* notices, const PGresult* notice) {
  const char* const message = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
  if (message != nullptr)
    static_cast<std::vector<std::string>*>(notices)->emplace_back(message);
}

TypeNumber number_of(const program::Type& type) {
  using program::TypeKind;
  switch (type.kind) {
    case TypeKind::Bool:
      return TypeNumber::Bool;
    case TypeKind::Int2:
      return TypeNumber::Int2;
    case TypeKind::Int4:
      return TypeNumber::Int4;
    case TypeKind::Int8:
      return TypeNumber::Int8;
    case TypeKind::Numeric:
      return TypeNumber::Numeric;
    case TypeKind::Date:
      return TypeNumber::Date;
    case TypeKind::Timestamp:
      return TypeNumber::Timestamp;
    default:
      return type.is_padded ? TypeNumber::Padded : TypeNumber::Text;
  }
}

}  // namespace

std::string owner_lock(const std::string& schema) {
  return fmt::format("1769172845, hashtext('{}')", schema);
}

std::string begin_text(const database::BeginOptions& options) {
  static constexpr std::array levels = {"READ UNCOMMITTED", "READ COMMITTED",
                                        "REPEATABLE READ", "SERIALIZABLE"};
  return fmt::format("BEGIN ISOLATION LEVEL {}, {}, {}",
                     levels[static_cast<std::size_t>(options.level)],
                     options.is_read_only ? "READ ONLY" : "READ WRITE",
                     options.is_deferrable ? "DEFERRABLE" : "NOT DEFERRABLE");
}

Connection::Connection(const std::string& address)
    : connection_(PQconnectdb(address.c_str())) {
  PQsetNoticeReceiver(connection_, keep_notice, &notices_);
}

Connection::~Connection() {
  PQfinish(connection_);
}

std::string Connection::problem() const {
  return PQstatus(connection_) == CONNECTION_OK ? "" : trimmed(PQerrorMessage(connection_));
}

int Connection::process() const {
  return PQbackendPID(connection_);
}

bool Connection::is_in_transaction() const {
  return PQtransactionStatus(connection_) != PQTRANS_IDLE;
}

// "15.18 (Debian 15.18-0+deb12u1)"
std::string Connection::server_version() const {
  const char* const version = PQparameterStatus(connection_, "server_version");
  const std::string_view text = version != nullptr ? version : "";
  return std::string(text.substr(0, text.find(' ')));
}

std::string mistake_in_address(const std::string& address) {
  char* message = nullptr;
  PQconninfoOption* const options = PQconninfoParse(address.c_str(), &message);
  PQfreemem(message);
  if (options == nullptr) return "libpq cannot read this address";
  std::string out;
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    const std::string_view keyword = option->keyword;
    const std::string_view value = option->val != nullptr ? option->val : "";
    if (keyword == "port" && value.find_first_not_of("0123456789,") != value.npos)
      out = "its port is no number";
    if (keyword == "host" && value.find('@') != value.npos)
      out = "an @ in a name or password is written %40";
  }
  PQconninfoFree(options);
  return out;
}

std::vector<std::string> Connection::take_notices() {
  return std::exchange(notices_, {});
}

void Connection::send(const std::string& statements) {
  ISOMER_ASSERT(!is_busy_);
  is_busy_ = true;
  // What fails here is found again when the result is taken.
  static_cast<void>(PQsendQuery(connection_, statements.c_str()));
}

bool Connection::has_results() {
  if (PQconsumeInput(connection_) == 0) return true;
  while (is_busy_ && PQisBusy(connection_) == 0)
    receive();
  return !is_busy_;
}

// The next result, or that there is none.
void Connection::receive() {
  PGresult* const result = PQgetResult(connection_);
  if (result == nullptr) {
    is_busy_ = false;
    return;
  }
  results_.push_back(read_result(result, connection_));
  PQclear(result);
}

std::vector<StatementResult> Connection::take_all() {
  while (is_busy_)
    receive();
  if (results_.empty())
    results_.push_back({.fault = limit(trimmed(PQerrorMessage(connection_)), "08006"),
                        .rows = {},
                        .command = {}});
  return std::exchange(results_, {});
}

StatementResult Connection::take() {
  return std::move(take_all().back());
}

StatementResult Connection::run(const std::string& statements) {
  send(statements);
  return take();
}

void Connection::cancel() {
  PGcancel* const request = PQgetCancel(connection_);
  if (request == nullptr) return;
  std::string reason(256, '\0');
  static_cast<void>(PQcancel(request, reason.data(), static_cast<int>(reason.size())));
  PQfreeCancel(request);
}

void wait_for_any(std::span<Connection* const> connections,
                  std::chrono::microseconds time) {
  std::vector<pollfd> sockets;
  for (const Connection* connection : connections)
    sockets.push_back(
        {.fd = PQsocket(connection->connection_), .events = POLLIN, .revents = 0});
  const timespec most = {.tv_sec = time.count() / 1'000'000,
                         .tv_nsec = time.count() % 1'000'000 * 1'000};
  static_cast<void>(ppoll(sockets.data(), sockets.size(), &most, nullptr));
}

std::vector<std::optional<std::string>> take_array(std::string_view& text) {
  std::vector<std::optional<std::string>> out;
  if (!text.starts_with('{')) return out;
  text.remove_prefix(1);
  while (!text.empty() && text[0] != '}') {
    ElementText element = next_element(text);
    const bool is_null = !element.is_quoted && element.text == "NULL";
    out.push_back(is_null ? std::nullopt : std::optional(std::move(element.text)));
    if (text.starts_with(',')) text.remove_prefix(1);
  }
  if (!text.empty()) text.remove_prefix(1);
  return out;
}

std::optional<Value> value_of_text(std::string_view text, const program::Type& type) {
  return value_of(text, number_of(type));
}

}  // namespace isomer::server
