// SPDX-License-Identifier: MIT
// The text of Plume, PolySI and IsoVista: one operation a line,
//
//   r(key,value,session,transaction)
//   w(key,value,session,transaction)
//
// Transaction ids are global; -1 stands for "some aborted transaction".  Every key begins
// with 0.  Big histories come in this format, so reading it must not cost more than the
// work after it: a line of ordinary numbers goes through fast_line() without bounds checks
// and allocation, ids that are small go through flat tables, and everything else (huge
// numbers, blanks, the last lines, mistakes) goes through careful_line().
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <unordered_map>

#include <fmt/core.h>
#include <fmt/format.h>

#include "history/builder.h"
#include "history/format/cursor.h"
#include "history/format/format.h"
#include "history/format/numbering.h"

namespace isomer::history {
namespace {

// Numbers as ids: a flat table below `size_max`, a hash above it.
template <class T>
class IdTable {
 public:
  explicit IdTable(std::size_t size_max) : size_max_(size_max) {}

  // The id of `number`, made by `make` when it is new.
  template <class Make>
  T find_or_make(std::int64_t number, Make make) {
    const auto index = static_cast<std::uint64_t>(number);
    if (index >= size_max_) {
      const auto [entry, is_new] = sparse_.try_emplace(number);
      if (is_new) entry->second = make();
      return entry->second;
    }
    if (index >= dense_.size())
      dense_.resize(std::min(size_max_, std::max<std::size_t>(1024, 2 * (index + 1))),
                    none);
    if (dense_[index] == none) dense_[index] = make();
    return dense_[index];
  }

 private:
  static constexpr T none = T(0xffffffffU);

  std::size_t size_max_;
  std::vector<T> dense_;
  std::unordered_map<std::int64_t, T> sparse_;
};

struct Line {
  char kind = 0;
  // key, value, session, transaction
  std::array<std::int64_t, 4> numbers{};
  // The digits of a key or value that is too large for a number; else empty.
  std::array<std::string_view, 2> large{};
};

constexpr std::int64_t aborted = -1;

// Reads a number of up to 18 digits; null if there is none.  There must be 19 bytes.
//
// Eight bytes at once: the digits are found, moved to the end of the word, with zeros
// before them, and joined by pairs.
const char* fast_number(const char* at, std::int64_t& number) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t high_bits = 0x8080808080808080ULL;
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  word ^= 0x3030303030303030ULL;  // digits are the bytes below 10 now
  const std::uint64_t others = (word | (word + 0x7676767676767676ULL)) & high_bits;
  const int bits = others == 0 ? 64 : std::countr_zero(others) - 7;
  if (bits == 0) return nullptr;
  word <<= 64 - bits;
  word = ((word * 10) + (word >> 8)) & 0x00ff00ff00ff00ffULL;
  word = ((word * 100) + (word >> 16)) & 0x0000ffff0000ffffULL;
  word = ((word * 10000) + (word >> 32)) & 0x00000000ffffffffULL;
  const char* const end = at + 18;
  at += bits / 8;
  if (bits == 64)
    for (; is_digit(*at) && at < end; ++at)
      word = word * 10 + (static_cast<unsigned char>(*at) - unsigned{'0'});
  number = static_cast<std::int64_t>(word);
  return is_digit(*at) ? nullptr : at;
}

// No ordinary line is longer: four numbers of 18 digits and their punctuation.
constexpr std::size_t fast_length = 2 + 4 * 19 + 2;

// Reads an ordinary line and its newline; null if it is not ordinary.  There must be
// fast_length bytes after `at`.  Most lines end like the one before, in the same session
// and transaction: `line` must hold what that one told, and `ending` its end from the
// session on.
const char* fast_line(const char* at, Line& line, std::string_view& ending) {
  constexpr std::string_view separators = ",,,)";
  line.kind = at[0];
  if ((at[0] != 'r' && at[0] != 'w') || at[1] != '(') return nullptr;
  at += 2;
  const char* session = nullptr;
  for (std::size_t field = 0; field < 4; ++field) {
    if (field == 2) {
      if (!ending.empty() && std::memcmp(at, ending.data(), ending.size()) == 0)
        return at + ending.size();
      session = at;
    }
    at = fast_number(at, line.numbers[field]);
    if (at == nullptr || *at != separators[field]) return nullptr;
    ++at;
  }
  if (*at != '\n') return nullptr;
  ++at;
  ending = {session, at};
  return at;
}

class PlumeReader {
 public:
  explicit PlumeReader(const Source& source)
      : source_(source),
        keys_(std::max<std::size_t>(1 << 16, source.text.size() / 4)),
        txns_(std::max<std::size_t>(1 << 16, source.text.size() / 4)) {}

  Expected<Parsed> run();

 private:
  std::size_t read_carefully(std::size_t offset);
  tl::expected<Line, Diagnostic> careful_line(std::string_view text) const;
  tl::expected<std::string_view, Diagnostic> careful_number(Cursor& cursor,
                                                            std::size_t field) const;
  void add(const Line& line, std::size_t offset);
  HistoryBuilder::Token txn_of(const Line& line, std::size_t offset);
  void report_two_sessions(const Line& line, HistoryBuilder::Token txn, std::size_t offset);
  KeyId key_of(const Line& line);
  Value value_of(const Line& line);
  void note_initial_copy(const Line& line, HistoryBuilder::Token txn, KeyId key);
  bool has_initial_copy();

  const Source& source_;
  HistoryBuilder builder_;
  std::size_t line_ = 0;  // from 1
  IdTable<std::uint32_t> keys_;
  IdTable<HistoryBuilder::Token> txns_;
  std::int64_t last_txn_ = aborted;  // of the line before
  std::int64_t last_session_ = 0;
  HistoryBuilder::Token last_token_ = 0;
  bool may_have_initial_copy_ = true;
  std::vector<bool> is_copied_;  // by key
  Diagnostics errors_;
};

tl::expected<std::string_view, Diagnostic> PlumeReader::careful_number(
    Cursor& cursor, std::size_t field) const {
  constexpr std::array names = {"key", "value", "session number", "transaction number"};
  const std::size_t offset = cursor.offset();
  const std::string_view rest = cursor.rest();
  cursor.take("-");
  cursor.take_while(is_digit);
  const std::string_view digits = rest.substr(0, cursor.offset() - offset);
  if (!is_integer(digits))
    return tl::unexpected(expected_at(source_, offset, fmt::format("a {}", names[field])));
  const auto number = integer_of(digits);
  if ((!number && field >= 2) || (field == 3 && *number < aborted))
    return tl::unexpected(source_.at(
        offset,
        fmt::format("'{}' is out of range for a {}", digits.substr(0, 30), names[field])));
  const char end = field < 3 ? ',' : ')';
  if (cursor.peek() != end)
    return tl::unexpected(expected_at(source_, cursor.offset(),
                                      fmt::format("'{}' after the {}", end, names[field])));
  cursor.advance();
  return digits;
}

tl::expected<Line, Diagnostic> PlumeReader::careful_line(std::string_view text) const {
  Line line;
  // Offsets count from the start of the file; the text ends with the line.
  const auto first = static_cast<std::size_t>(text.data() - source_.text.data());
  Cursor cursor(source_.text.substr(0, first + text.size()), first);
  line.kind = cursor.peek();
  cursor.advance();
  if ((line.kind != 'r' && line.kind != 'w') || !cursor.take("("))
    return tl::unexpected(
        expected_at(source_, first, "r(KEY,VALUE,SESSION,TRANSACTION) or w(...)"));
  for (std::size_t field = 0; field < 4; ++field) {
    const auto digits = careful_number(cursor, field);
    if (!digits) return tl::unexpected(digits.error());
    if (const auto number = integer_of(*digits))
      line.numbers[field] = *number;
    else
      line.large[field] = *digits;
  }
  if (!cursor.at_end())
    return tl::unexpected(expected_at(source_, cursor.offset(), "the end of the line"));
  return line;
}

KeyId PlumeReader::key_of(const Line& line) {
  if (!line.large[0].empty()) return builder_.key(line.large[0]);
  const std::int64_t number = line.numbers[0];
  return {keys_.find_or_make(number, [&] { return builder_.key(number).index; })};
}

Value PlumeReader::value_of(const Line& line) {
  return line.large[1].empty() ? Value::integer(line.numbers[1])
                               : builder_.string_value(line.large[1]);
}

void PlumeReader::report_two_sessions(const Line& line, HistoryBuilder::Token txn,
                                      std::size_t offset) {
  const Position first{.line = builder_.line_of(txn), .column = 1};
  Diagnostic both = source_.at(
      offset, fmt::format("transaction {} is in session {} here, but in another session on "
                          "line {}: transaction numbers are global",
                          line.numbers[3], line.numbers[2], first.line));
  both.notes.push_back({first, "the transaction begins here"});
  errors_.push_back(std::move(both));
}

HistoryBuilder::Token PlumeReader::txn_of(const Line& line, std::size_t offset) {
  if (line.numbers[3] == last_txn_ && line.numbers[2] == last_session_) return last_token_;
  const SessionId session = builder_.session(line.numbers[2]);
  const HistoryBuilder::Token txn = txns_.find_or_make(line.numbers[3], [&] {
    return builder_.begin(session, static_cast<std::uint32_t>(line_));
  });
  if (builder_.session_of(txn) != session) report_two_sessions(line, txn, offset);
  last_txn_ = line.numbers[3];
  last_session_ = line.numbers[2];
  last_token_ = txn;
  return txn;
}

// A line of an aborted transaction tells of one write, and not which other writes belong to
// the same transaction; what such a transaction read tells nothing.
void PlumeReader::add(const Line& line, std::size_t offset) {
  if (line.numbers[3] == aborted) {
    const SessionId session = builder_.session(line.numbers[2]);
    if (line.kind == 'r') return;
    const auto txn = builder_.begin(session, static_cast<std::uint32_t>(line_));
    builder_.set_status(txn, Status::Aborted);
    builder_.write(txn, key_of(line), value_of(line));
    return;
  }
  const HistoryBuilder::Token txn = txn_of(line, offset);
  const KeyId key = key_of(line);
  if (may_have_initial_copy_) note_initial_copy(line, txn, key);
  if (line.kind == 'r')
    builder_.read(txn, key, value_of(line));
  else
    builder_.write(txn, key, value_of(line));
}

// IsoVista writes the initial state out, as a first transaction that writes 0 to every key.
// We take it for that if it stands alone in its session and nobody else writes 0: read as
// one more writer of 0, it would leave every read of 0 a choice between the two.
void PlumeReader::note_initial_copy(const Line& line, HistoryBuilder::Token txn,
                                    KeyId key) {
  const bool is_zero = line.kind == 'w' && line.numbers[1] == 0 && line.large[1].empty();
  may_have_initial_copy_ = txn == 0 ? is_zero : !is_zero;
  if (txn != 0) {
    may_have_initial_copy_ &= builder_.session_of(txn) != builder_.session_of(0);
    return;
  }
  is_copied_.resize(std::max<std::size_t>(is_copied_.size(), key.index + 1));
  may_have_initial_copy_ &= !is_copied_[key.index];
  is_copied_[key.index] = true;
}

bool PlumeReader::has_initial_copy() {
  return may_have_initial_copy_ && is_copied_.size() > 1 && builder_.txn_count() > 1 &&
         is_copied_.size() == builder_.key_count() &&
         std::find(is_copied_.begin(), is_copied_.end(), false) == is_copied_.end();
}

// Reads the line at `offset`, whatever it is; returns where the next one begins.
std::size_t PlumeReader::read_carefully(std::size_t offset) {
  const std::string_view text = source_.text;
  const std::size_t newline = std::min(text.find('\n', offset), text.size());
  Cursor cursor(text.substr(0, newline), offset);
  cursor.skip_blanks();
  std::string_view rest = cursor.rest();
  while (!rest.empty() && is_blank(rest.back()))
    rest.remove_suffix(1);
  if (!rest.empty()) {
    if (const auto line = careful_line(rest))
      add(*line, cursor.offset());
    else
      errors_.push_back(line.error());
  }
  return newline + 1;
}

Expected<Parsed> PlumeReader::run() {
  const std::string_view text = source_.text;
  builder_.reserve_operations(text.size() / 16);
  builder_.set_initial(Value::integer(0));
  Line line;
  std::string_view ending;
  Patience patience(source_.budget);
  for (std::size_t offset = 0;
       offset < text.size() && errors_.size() < errors_max && !patience.is_over();) {
    ++line_;
    if (text.size() - offset >= fast_length) {
      if (const char* const next = fast_line(text.data() + offset, line, ending)) {
        add(line, offset);
        offset = static_cast<std::size_t>(next - text.data());
        continue;
      }
      ending = {};
    }
    offset = read_carefully(offset);
  }
  if (!errors_.empty()) return tl::unexpected(std::move(errors_));
  std::vector<std::string> warnings;
  if (has_initial_copy()) {
    builder_.set_initial_copy(0);
    warnings.emplace_back(
        "the first transaction writes 0 to every key and is taken as the initial one");
  }
  return Parsed{.history = builder_.build(source_.budget), .warnings = std::move(warnings)};
}

Expected<WriteResult> write_plume(const History& history) {
  WriteResult result;
  RegisterView view(history, result.warnings);
  if (view.has_aborted())
    result.warnings.emplace_back(
        "aborted transactions keep only their writes, one transaction each");
  for (SessionId s{0}; s.index < history.session_count(); ++s.index)
    for (TxnId t = history.first_txn(s); t < history.end_txn(s); ++t.index) {
      const bool is_committed = view.status(t) == Status::Committed;
      const std::string txn = is_committed ? fmt::format_int(t.index - 1).str() : "-1";
      for (const Operation& op : view.operations(t)) {
        if (!is_committed && op.kind == OpKind::Read) continue;
        fmt::format_to(std::back_inserter(result.bytes), "{}({},{},{},{})\n",
                       op.kind == OpKind::Read ? 'r' : 'w', view.key(op.key),
                       view.value(op), view.session(s), txn);
      }
    }
  return result;
}

bool looks_like_plume(std::string_view text) {
  Cursor cursor(text);
  cursor.skip_spaces();
  const char kind = cursor.peek();
  const char next = cursor.peek(2);
  return (kind == 'r' || kind == 'w') && cursor.peek(1) == '(' &&
         (is_digit(next) || next == '-');
}

}  // namespace

const FormatRow plume_format{
    .format = {.name = "plume",
               .title = "text of Plume, PolySI and IsoVista: w(key,value,session,txn)",
               .is_writable = true,
               .is_directory = false},
    .is_text = false,
    .keeps_places = false,
    .keeps = Keeps::Operations,
    .looks_like = looks_like_plume,
    .read = [](const Source& source) { return PlumeReader(source).run(); },
    .read_directory = nullptr,
    .write = write_plume,
};

}  // namespace isomer::history
