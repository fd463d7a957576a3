// SPDX-License-Identifier: MIT
// history.bincode of the older dbcop (Biswas & Enea, OOPSLA'19), which PolySI and AWDIT
// read too.  Little-endian, without padding:
//
//   u64 id, nodes, variables, transactions, events      for information only
//   string info, start, end                             each a u64 length and its bytes
//   u64 sessions, in each: u64 transactions, in each: u64 events, in each:
//     u8 is_write, u64 variable, u64 value, u8 success
//   and after the events of a transaction: u8 success
//
// Every variable begins with 0.
#include <optional>

#include <fmt/core.h>

#include "history/format/binary.h"
#include "history/format/dbcop_sessions.h"
#include "history/format/format.h"

namespace isomer::history {
namespace {

constexpr std::uint64_t header_numbers = 5;
constexpr std::uint64_t header_strings = 3;

template <class T>
using Result = tl::expected<T, Diagnostic>;

class BincodeReader {
 public:
  explicit BincodeReader(const Source& source) : source_(source), cursor_(source.text) {}

  Result<Parsed> run();

 private:
  [[nodiscard]] tl::unexpected<Diagnostic> error(std::string_view message) const {
    return tl::unexpected(source_.at_byte(cursor_.offset(), message));
  }

  Result<void> header();
  Result<std::uint64_t> count(std::string_view what, std::uint64_t size_min);
  Result<bool> flag(std::string_view what);
  Result<FallibleEvent> event();
  Result<void> transaction(SessionId session);

  const Source& source_;
  BinaryCursor cursor_;
  HistoryBuilder builder_;
};

Result<void> BincodeReader::header() {
  if (!cursor_.skip(header_numbers * sizeof(std::uint64_t)))
    return error("the file ends within its header");
  for (std::uint64_t i = 0; i < header_strings; ++i) {
    const auto length = cursor_.little_u64();
    if (!length) return error("the file ends within its header");
    if (!cursor_.skip(*length))
      return error(fmt::format("a text of {} bytes does not fit, {} bytes are left",
                               *length, cursor_.left()));
  }
  return {};
}

// A count of things that take `size_min` bytes at least.
Result<std::uint64_t> BincodeReader::count(std::string_view what, std::uint64_t size_min) {
  const auto number = cursor_.little_u64();
  if (!number) return error(fmt::format("expected a number of {}, the file ends", what));
  if (*number > cursor_.left() / size_min)
    return error(
        fmt::format("{} {} do not fit, {} bytes are left", *number, what, cursor_.left()));
  return *number;
}

Result<bool> BincodeReader::flag(std::string_view what) {
  const std::size_t offset = cursor_.offset();
  const auto byte = cursor_.byte();
  if (!byte) return error(fmt::format("expected 0 or 1 ({}), the file ends", what));
  if (*byte > 1)
    return tl::unexpected(source_.at_byte(
        offset, fmt::format("expected 0 or 1 ({}), found {}", what, *byte)));
  return *byte == 1;
}

Result<FallibleEvent> BincodeReader::event() {
  const Result<bool> is_write = flag("whether an event writes");
  if (!is_write) return tl::unexpected(is_write.error());
  const auto variable = cursor_.little_u64();
  const auto value = cursor_.little_u64();
  if (!variable || !value) return error("the file ends within an event");
  const Result<bool> has_succeeded = flag("whether an event succeeded");
  if (!has_succeeded) return tl::unexpected(has_succeeded.error());
  return FallibleEvent{.kind = *is_write ? OpKind::Write : OpKind::Read,
                       .key = key_of(builder_, *variable),
                       .value = value_of(builder_, *value),
                       .has_succeeded = *has_succeeded};
}

Result<void> BincodeReader::transaction(SessionId session) {
  constexpr std::uint64_t event_size = 18;
  const Result<std::uint64_t> events_count = count("events", event_size);
  if (!events_count) return tl::unexpected(events_count.error());
  std::vector<FallibleEvent> events;
  for (std::uint64_t i = 0; i < *events_count; ++i) {
    const Result<FallibleEvent> one = event();
    if (!one) return tl::unexpected(one.error());
    events.push_back(*one);
  }
  const Result<bool> has_succeeded = flag("whether a transaction succeeded");
  if (!has_succeeded) return tl::unexpected(has_succeeded.error());
  const auto txn = builder_.begin(session);
  if (!*has_succeeded) builder_.set_status(txn, Status::Aborted);
  add_fallible_transaction(builder_, txn, events);
  return {};
}

Result<Parsed> BincodeReader::run() {
  if (auto done = header(); !done) return tl::unexpected(done.error());
  const Result<std::uint64_t> sessions = count("sessions", 8);
  if (!sessions) return tl::unexpected(sessions.error());
  builder_.set_initial(Value::integer(0));
  Patience patience(source_.budget);
  for (std::uint64_t s = 0; s < *sessions && !patience.is_over(); ++s) {
    const SessionId session = builder_.session(static_cast<std::int64_t>(s));
    const Result<std::uint64_t> transactions = count("transactions", 9);
    if (!transactions) return tl::unexpected(transactions.error());
    for (std::uint64_t t = 0; t < *transactions && !patience.is_over(); ++t)
      if (auto done = transaction(session); !done) return tl::unexpected(done.error());
  }
  if (cursor_.left() > 0)
    return error(
        fmt::format("expected the end of the file, {} bytes are left", cursor_.left()));
  return Parsed{.history = builder_.build(source_.budget), .warnings = {}};
}

// Binary, and its header makes sense.
bool looks_like_bincode(std::string_view text) {
  constexpr std::uint64_t length_max = 4096;
  BinaryCursor cursor(text);
  for (std::uint64_t i = 0; i < header_numbers; ++i)
    if (cursor.little_u64().value_or(~0ULL) >> 48 != 0) return false;
  for (std::uint64_t i = 0; i < header_strings; ++i) {
    const auto length = cursor.little_u64();
    if (!length || *length > length_max || !cursor.skip(*length)) return false;
  }
  const auto sessions = cursor.little_u64();
  return sessions && *sessions <= cursor.left() / 8;
}

}  // namespace

const FormatRow dbcop_bincode_format{
    .format = {.name = "dbcop-bincode",
               .title = "history.bincode of dbcop (OOPSLA'19) and PolySI",
               .is_writable = false,
               .is_directory = false},
    .is_text = false,
    .keeps_places = false,
    .keeps = Keeps::EmptySessions,
    .looks_like = looks_like_bincode,
    .read = [](const Source& source) -> Expected<Parsed> {
      return BincodeReader(source).run().map_error(
          [](Diagnostic d) { return Diagnostics{std::move(d)}; });
    },
    .read_directory = nullptr,
    .write = nullptr,
};

}  // namespace isomer::history
