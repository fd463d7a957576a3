// SPDX-License-Identifier: MIT
// Cobra's logs: a directory with one binary file a client, each a sequence of records of a
// type byte and 8-byte big-endian numbers:
//
//   'S' transaction                        start
//   'W' write key value                    write
//   'R' transaction write key value        read: which transaction's which write
//   'C' transaction                        commit
//   'A' transaction                        abort
//
// Write ids are unique, so they serve as the values; the hashes of the values are not
// needed.  If the benchmark kept time, S, C and A carry another 8 bytes; nothing says so,
// and the first records whose successor makes sense decide.
#include <filesystem>
#include <optional>

#include <fmt/core.h>

#include "history/builder.h"
#include "history/format/binary.h"
#include "history/format/format.h"

namespace isomer::history {
namespace {

constexpr std::uint64_t initial_write = 0xbebeebee;
constexpr std::uint64_t absent_write = 0xdeadbeef;

// Reads of these tell nothing of the history: Cobra's garbage collection, deleted rows.
constexpr bool is_bookkeeping(std::uint64_t write) {
  return write == 0x23332333 || write == 0x66666666 || write == 0xabcdefab ||
         write == 0xadeafbee;
}

// Whether S, C and A carry a time.
enum class Times : std::uint8_t { None, Kept };

std::optional<std::size_t> record_size(char type, Times times) {
  switch (type) {
    case 'S':
    case 'C':
    case 'A':
      return times == Times::Kept ? 17 : 9;
    case 'W':
      return 25;
    case 'R':
      return 33;
    default:
      return {};
  }
}

// Whether all records fit together up to the end, or for `count` records.
bool is_consistent(std::string_view log, Times times, std::size_t count) {
  std::size_t offset = 0;
  for (; count > 0 && offset < log.size(); --count) {
    const auto size = record_size(log[offset], times);
    if (!size || *size > log.size() - offset) return false;
    offset += *size;
  }
  return true;
}

class CobraReader {
 public:
  CobraReader() { builder_.set_initial(Value::none()); }

  tl::expected<void, Diagnostic> log(const Source& source);
  Parsed finish(const Budget& budget);

 private:
  tl::expected<void, Diagnostic> record(const Source& source, BinaryCursor& cursor);
  tl::expected<void, Diagnostic> boundary(const Source& source, char type,
                                          std::size_t offset);
  void operation(char type, BinaryCursor& cursor);

  HistoryBuilder builder_;
  SessionId session_;
  std::optional<HistoryBuilder::Token> txn_;
  std::size_t opened_ = 0;
  Times times_ = Times::None;
  std::size_t skipped_reads_ = 0;
};

// S, C and A.
tl::expected<void, Diagnostic> CobraReader::boundary(const Source& source, char type,
                                                     std::size_t offset) {
  if (type == 'S') {
    if (txn_)
      return tl::unexpected(source.at_byte(
          offset, fmt::format("a transaction starts before the one started at byte {} ends",
                              opened_)));
    txn_ = builder_.begin(session_);
    opened_ = offset;
    return {};
  }
  if (!txn_)
    return tl::unexpected(
        source.at_byte(offset, "a transaction ends that has not started"));
  if (type == 'A') builder_.set_status(*txn_, Status::Aborted);
  txn_.reset();
  return {};
}

void CobraReader::operation(char type, BinaryCursor& cursor) {
  if (type == 'R') cursor.skip(8);
  const std::uint64_t write = cursor.big_u64().value_or(0);
  const KeyId key = key_of(builder_, cursor.big_u64().value_or(0));
  if (type == 'W')
    builder_.write(*txn_, key, value_of(builder_, write));
  else if (is_bookkeeping(write))
    ++skipped_reads_;
  else if (write == initial_write || write == absent_write)
    builder_.read(*txn_, key, Value::none());
  else
    builder_.read(*txn_, key, value_of(builder_, write));
}

tl::expected<void, Diagnostic> CobraReader::record(const Source& source,
                                                   BinaryCursor& cursor) {
  const std::size_t offset = cursor.offset();
  const char type = source.text[offset];
  const auto size = record_size(type, times_);
  if (!size)
    return tl::unexpected(source.at_byte(
        offset, fmt::format("expected a record S, W, R, C or A, found byte 0x{:02x}",
                            static_cast<unsigned char>(type))));
  if (*size > cursor.left())
    return tl::unexpected(source.at_byte(
        offset, fmt::format("the log ends within a record: '{}' has {} bytes, here are {}",
                            type, *size, cursor.left())));
  BinaryCursor fields(source.text, offset + 1);
  cursor.skip(*size);
  if (type != 'W' && type != 'R') return boundary(source, type, offset);
  if (!txn_)
    return tl::unexpected(source.at_byte(offset, "an operation outside a transaction"));
  operation(type, fields);
  return {};
}

tl::expected<void, Diagnostic> CobraReader::log(const Source& source) {
  constexpr std::size_t probe_count = 1000;
  session_ = builder_.session(std::filesystem::path(source.name).stem().string());
  txn_.reset();
  const bool has_times = !is_consistent(source.text, Times::None, probe_count) &&
                         is_consistent(source.text, Times::Kept, probe_count);
  times_ = has_times ? Times::Kept : Times::None;
  BinaryCursor cursor(source.text);
  Patience patience(source.budget);
  while (cursor.left() > 0 && !patience.is_over())
    if (auto done = record(source, cursor); !done) return done;
  // The client never learnt, or never told, what became of its last transaction.
  if (txn_) builder_.set_status(*txn_, Status::Unknown);
  return {};
}

Parsed CobraReader::finish(const Budget& budget) {
  Parsed parsed{.history = builder_.build(budget), .warnings = {}};
  if (skipped_reads_ > 0)
    parsed.warnings.push_back(
        fmt::format("{} reads of Cobra's own bookkeeping were left out", skipped_reads_));
  return parsed;
}

Expected<Parsed> read_logs(std::span<const Source> logs) {
  CobraReader reader;
  Diagnostics errors;
  for (const Source& log : logs)
    if (auto done = reader.log(log); !done && errors.size() < errors_max)
      errors.push_back(std::move(done.error()));
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return reader.finish(logs.empty() ? Budget() : logs.front().budget);
}

bool looks_like_cobra(std::string_view text) {
  constexpr std::size_t probe_count = 4;
  return text.starts_with('S') && text.find('\0') < 9 &&
         (is_consistent(text, Times::None, probe_count) ||
          is_consistent(text, Times::Kept, probe_count));
}

}  // namespace

const FormatRow cobra_format{
    .format = {.name = "cobra",
               .title = "Cobra's logs, a directory of *.log",
               .is_writable = false,
               .is_directory = true},
    .is_text = false,
    .keeps_places = false,
    .keeps = Keeps::EmptySessions,
    .looks_like = looks_like_cobra,
    .read = [](const Source& source) { return read_logs({&source, 1}); },
    .read_directory = read_logs,
    .write = nullptr,
};

}  // namespace isomer::history
