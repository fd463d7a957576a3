// SPDX-License-Identifier: MIT
// The traces of IsoPredict and MonkeyDB, one event a line; s is a session, t a transaction:
//
//   WRITE KEY[k] Txn(s, t)
//   READ KEY[k] Txn(s, t) From(s', t')
//   INSERT[x] to Set[S] Txn(s, t)
//   DELETE[x] from Set[S] Txn(s, t)
//   CONTAINS[x] in Set[S] From(s', t') Txn(s, t)
//
// Txn(0, 0) is the initial transaction.  There are no values, only who reads from whom, so
// the reader makes values up: the writes of each key are numbered from 1 in file order, and
// a read returns the number of its writer's last write.  Operations of a set are reads and
// writes of the key Set(S:x).  IsoPredict ignores what stands at the end of a line; there
// we write, and read, where the program made the operation: " @bank.sql:12".
#include <algorithm>
#include <optional>
#include <queue>
#include <unordered_map>

#include <fmt/core.h>

#include "history/builder.h"
#include "history/format/cursor.h"
#include "history/format/format.h"
#include "history/format/numbering.h"

namespace isomer::history {
namespace {

using Index = std::uint32_t;  // of a transaction, in order of first mention

constexpr Index initial_index = 0;

struct Event {
  Index txn;
  Index from;  // of a read
  KeyId key;
  OpKind kind;
  std::size_t offset;
  std::string_view place;
};

// Takes what stands between `opener` and the next `closer` off the line, and all before.
std::optional<std::string_view> take_between(std::string_view& line,
                                             std::string_view opener, char closer) {
  const std::size_t first = line.find(opener);
  if (first == std::string_view::npos) return {};
  const std::string_view rest = line.substr(first + opener.size());
  const std::size_t end = rest.find(closer);
  if (end == std::string_view::npos) return {};
  line = rest.substr(end + 1);
  return rest.substr(0, end);
}

// What follows " @" at the end of a line.
std::string_view place_in(std::string_view line) {
  constexpr std::string_view opener = ") @";
  const std::size_t first = line.find(opener);
  if (first == std::string_view::npos) return {};
  const std::string_view place = line.substr(first + opener.size());
  return place.substr(0, place.find_last_not_of(" \t\r") + 1);
}

class IsopredictReader {
 public:
  explicit IsopredictReader(const Source& source) : source_(source) {
    txns_.push_back("0, 0");
    index_of_.emplace("0, 0", initial_index);
    tokens_.push_back(0);
  }

  Expected<Parsed> run();

 private:
  using Done = tl::expected<void, Diagnostic>;

  struct Begun {
    Index txn;
    std::uint32_t line;
  };

  Done line(std::string_view text, std::uint32_t number);
  Done add(std::string_view key, std::string_view rest, OpKind kind, std::uint32_t number);
  tl::expected<std::string, Diagnostic> id_of(std::string_view name,
                                              std::string_view text) const;
  Index index_of(const std::string& id);
  void begin_transactions();
  void number_writes();
  Done emit(const Event& event);

  [[nodiscard]] Diagnostic at(std::string_view text, std::string message) const {
    return source_.at(static_cast<std::size_t>(text.data() - source_.text.data()),
                      std::move(message));
  }

  static std::uint64_t pair(Index txn, KeyId key) {
    return (std::uint64_t{txn} << 32) | key.index;
  }

  const Source& source_;
  HistoryBuilder builder_;
  std::vector<Event> events_;
  std::vector<std::string> txns_;
  std::unordered_map<std::string, Index> index_of_;
  std::vector<HistoryBuilder::Token> tokens_;  // of transactions that have events
  std::vector<Begun> begun_;
  std::vector<bool> is_begun_;
  std::vector<std::int64_t> values_;                          // of events that write
  std::unordered_map<std::uint64_t, std::int64_t> last_;      // write of a key by a txn
  std::unordered_map<std::uint64_t, std::int64_t> last_yet_;  // the same, so far
  std::size_t skipped_ = 0;
};

Index IsopredictReader::index_of(const std::string& id) {
  const auto [entry, is_new] = index_of_.try_emplace(id, static_cast<Index>(txns_.size()));
  if (is_new) {
    txns_.push_back(id);
    tokens_.push_back(0);
  }
  return entry->second;
}

// "NAME(s, t)" as "s, t", with any blanks around the comma.
tl::expected<std::string, Diagnostic> IsopredictReader::id_of(std::string_view name,
                                                              std::string_view text) const {
  std::string_view rest = text;
  const std::string_view id =
      take_between(rest, fmt::format("{}(", name), ')').value_or(std::string_view());
  Cursor cursor(id);
  cursor.skip_blanks();
  const std::string_view session = cursor.take_while(is_digit);
  cursor.skip_blanks();
  const bool has_comma = cursor.take(",");
  cursor.skip_blanks();
  const std::string_view number = cursor.take_while(is_digit);
  cursor.skip_blanks();
  if (!session.empty() && has_comma && !number.empty() && cursor.at_end())
    return fmt::format("{}, {}", session, number);
  return tl::unexpected(
      at(id.empty() ? text : id,
         fmt::format("expected {}(SESSION, TRANSACTION) with two numbers", name)));
}

// `rest` is the line after its key.
IsopredictReader::Done IsopredictReader::add(std::string_view key, std::string_view rest,
                                             OpKind kind, std::uint32_t number) {
  while (rest.starts_with(' '))
    rest.remove_prefix(1);
  const auto reader = id_of("Txn", rest);
  if (!reader) return tl::unexpected(reader.error());
  const Index index = index_of(*reader);
  Event event{.txn = index,
              .from = initial_index,
              .key = builder_.key(key),
              .kind = kind,
              .offset = static_cast<std::size_t>(rest.data() - source_.text.data()),
              .place = place_in(rest)};
  if (kind == OpKind::Read) {
    const auto writer = id_of("From", rest);
    if (!writer) return tl::unexpected(writer.error());
    event.from = index_of(*writer);
  }
  if (is_begun_.size() < txns_.size()) is_begun_.resize(txns_.size(), false);
  if (index != initial_index && !is_begun_[index]) {
    is_begun_[index] = true;
    begun_.push_back({.txn = index, .line = number});
  }
  if (index != initial_index) events_.push_back(event);
  return {};
}

IsopredictReader::Done IsopredictReader::line(std::string_view text, std::uint32_t number) {
  std::string_view rest = text;
  const bool is_set_read = text.starts_with("CONTAINS[");
  if (is_set_read || text.starts_with("INSERT[") || text.starts_with("DELETE[")) {
    const auto element = take_between(rest, "[", ']');
    const auto set = element ? take_between(rest, "Set[", ']') : std::nullopt;
    if (!set) return tl::unexpected(at(text, "expected the set of the element, Set[...]"));
    return add(fmt::format("Set({}:{})", *set, *element), rest,
               is_set_read ? OpKind::Read : OpKind::Write, number);
  }
  const auto key = take_between(rest, "KEY[", ']');
  if (!key)
    return tl::unexpected(
        at(text,
           "expected READ or WRITE KEY[...], or INSERT, DELETE or CONTAINS[...] of a "
           "Set[...]"));
  const bool has_from = rest.find("From(") != std::string_view::npos;
  const bool is_read = has_from || text.starts_with("READ");
  return add(*key, rest, is_read ? OpKind::Read : OpKind::Write, number);
}

// Sessions in the order of their numbers, transactions in the order of the file.
void IsopredictReader::begin_transactions() {
  const auto session_of = [&](const Begun& begun) {
    return std::string_view(txns_[begun.txn]).substr(0, txns_[begun.txn].find(','));
  };
  std::vector<std::string_view> sessions;
  for (const Begun& begun : begun_)
    sessions.push_back(session_of(begun));
  std::sort(sessions.begin(), sessions.end(), [](auto left, auto right) {
    return std::pair(left.size(), left) < std::pair(right.size(), right);
  });
  for (const std::string_view session : sessions)
    builder_.session(session);
  for (const Begun& begun : begun_)
    tokens_[begun.txn] = builder_.begin(builder_.session(session_of(begun)), begun.line);
}

void IsopredictReader::number_writes() {
  std::vector<std::int64_t> count;
  for (const Event& event : events_) {
    values_.push_back(0);
    if (event.kind == OpKind::Read) continue;
    if (event.key.index >= count.size()) count.resize(event.key.index + 1, 0);
    values_.back() = ++count[event.key.index];
    last_[pair(event.txn, event.key)] = values_.back();
  }
}

IsopredictReader::Done IsopredictReader::emit(const Event& event) {
  const auto index = static_cast<std::size_t>(&event - events_.data());
  const std::uint64_t own = pair(event.txn, event.key);
  if (event.kind == OpKind::Write) {
    last_yet_[own] = values_[index];
    builder_.write(tokens_[event.txn], event.key, Value::integer(values_[index]));
    if (!event.place.empty()) builder_.set_place(event.place);
    return {};
  }
  const auto read = [&](std::int64_t value) {
    builder_.read(tokens_[event.txn], event.key, Value::integer(value));
    if (!event.place.empty()) builder_.set_place(event.place);
    return Done{};
  };
  if (const auto found = last_yet_.find(own); found != last_yet_.end())
    return read(found->second);
  if (event.from == initial_index) return read(0);
  if (const auto found = last_.find(pair(event.from, event.key)); found != last_.end())
    return read(found->second);
  return tl::unexpected(source_.at(
      event.offset,
      fmt::format("this reads from ({}), which never writes the key", txns_[event.from])));
}

Expected<Parsed> IsopredictReader::run() {
  Diagnostics errors;
  builder_.set_initial(Value::integer(0));
  std::uint32_t number = 0;
  Patience patience(source_.budget);
  for (std::size_t offset = 0;
       offset < source_.text.size() && errors.size() < errors_max && !patience.is_over();) {
    const std::size_t end = std::min(source_.text.find('\n', offset), source_.text.size());
    Cursor cursor(source_.text.substr(0, end), offset);
    cursor.skip_blanks();
    const std::string_view text = cursor.rest();
    ++number;
    offset = end + 1;
    if (text.find("Txn(") == std::string_view::npos) {
      skipped_ += text.find_first_not_of(" \t\r") != std::string_view::npos ? 1 : 0;
      continue;
    }
    if (auto done = line(text, number); !done) errors.push_back(std::move(done.error()));
  }
  begin_transactions();
  number_writes();
  for (const Event& event : events_) {
    if (errors.size() >= errors_max || patience.is_over()) break;
    if (auto done = emit(event); !done) errors.push_back(std::move(done.error()));
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  Parsed parsed{.history = builder_.build(source_.budget), .warnings = {}};
  if (skipped_ > 0)
    parsed.warnings.push_back(
        fmt::format("{} lines without Txn(...) were left out", skipped_));
  return parsed;
}

// --- writing ---

// Committed transactions, writers before readers as far as that is possible.
std::vector<TxnId> order_of(const History& history, const RegisterView& view) {
  const std::uint32_t count = history.txn_count();
  std::vector<std::vector<TxnId>> after(count);
  std::vector<std::uint32_t> waits_for(count, 0);
  const auto add = [&](TxnId first, TxnId second) {
    after[first.index].push_back(second);
    ++waits_for[second.index];
  };
  for (TxnId t{1}; t.index < count; ++t.index) {
    if (t > TxnId{1} && history.so({t.index - 1}, t)) add({t.index - 1}, t);
    for (const Read& read : history.reads(t))
      if (read.writer != init) add(read.writer, t);
  }
  std::priority_queue<TxnId, std::vector<TxnId>, std::greater<>> ready;
  for (TxnId t{1}; t.index < count; ++t.index)
    if (waits_for[t.index] == 0) ready.push(t);
  std::vector<TxnId> order;
  std::vector<bool> is_placed(count, false);
  while (!ready.empty()) {
    const TxnId t = ready.top();
    ready.pop();
    order.push_back(t);
    is_placed[t.index] = true;
    for (const TxnId next : after[t.index])
      if (--waits_for[next.index] == 0) ready.push(next);
  }
  for (TxnId t{1}; t.index < count; ++t.index)
    if (!is_placed[t.index]) order.push_back(t);
  std::erase_if(order, [&](TxnId t) { return view.status(t) == Status::Aborted; });
  return order;
}

class IsopredictWriter {
 public:
  explicit IsopredictWriter(const History& history)
      : history_(history), view_(history, register_warnings_) {}

  Expected<WriteResult> run();

 private:
  [[nodiscard]] std::optional<std::string> obstacle() const;
  [[nodiscard]] std::string name(TxnId t) const;
  void append_transaction(std::string& out, TxnId t) const;
  [[nodiscard]] std::string place(std::uint32_t op) const;

  const History& history_;
  // About numbers, which a trace does not have; only the one about outcomes matters.
  std::vector<std::string> register_warnings_;
  RegisterView view_;
};

std::optional<std::string> IsopredictWriter::obstacle() const {
  if (!history_.problems().empty())
    return "a trace cannot say that a read returned what no transaction committed";
  if (!history_.ambiguous_reads().empty())
    return "a trace must say from whom each read reads, and some values have two writers";
  for (KeyId x{0}; x.index < history_.key_count(); ++x.index)
    if (history_.key_name(x).find_first_of("]\r\n") != std::string::npos)
      return "a trace cannot have ']' or a line end in the name of a key";
  return {};
}

// Sessions count from 1: session 0 is that of the initial transaction.
std::string IsopredictWriter::name(TxnId t) const {
  if (t == init) return "0, 0";
  const SessionId s = history_.session(t);
  return fmt::format("{}, {}", s.index + 1, t.index - history_.first_txn(s).index);
}

// A place that IsoPredict might take for a part of the event is left out.
std::string IsopredictWriter::place(std::uint32_t op) const {
  const std::string_view place = history_.place(op);
  return place.empty() || place.find_first_of("(\r\n") != std::string_view::npos
             ? ""
             : fmt::format(" @{}", place);
}

void IsopredictWriter::append_transaction(std::string& out, TxnId t) const {
  const std::string own = name(t);
  const bool has_reads = history_.status(t) != Status::Unknown;
  auto external = history_.reads(t).begin();
  const std::uint32_t first = history_.first_op(t);
  for (std::uint32_t i = 0; i < history_.operations(t).size(); ++i) {
    const Operation& op = history_.operations(t)[i];
    const std::string key = history_.key_name(op.key);
    if (op.kind == OpKind::Write) {
      out += fmt::format("WRITE KEY[{}] Txn({}){}\n", key, own, place(first + i));
    } else if (has_reads) {
      const bool is_external =
          external != history_.reads(t).end() && external->op == first + i;
      const std::string from = is_external ? name((external++)->writer) : own;
      out += fmt::format("READ KEY[{}] Txn({}) From({}){}\n", key, own, from,
                         place(first + i));
    }
  }
}

Expected<WriteResult> IsopredictWriter::run() {
  if (const auto reason = obstacle()) return failure(diagnostic_of_file("isomer", *reason));
  WriteResult result;
  for (const TxnId t : order_of(history_, view_))
    append_transaction(result.bytes, t);
  if (view_.has_aborted())
    result.warnings.emplace_back("aborted transactions are left out");
  if (history_.has_unknown_outcomes())
    result.warnings.emplace_back(
        "transactions of unknown outcome are left out unless a read saw them");
  if (history_.is_list_append())
    result.warnings.emplace_back("the order of the appends is lost");
  return result;
}

bool looks_like_isopredict(std::string_view text) {
  constexpr std::size_t head_max = 1 << 16;
  text = text.substr(0, head_max);
  return text.find(" Txn(") != std::string_view::npos &&
         (text.find("KEY[") != std::string_view::npos ||
          text.find(" Set[") != std::string_view::npos);
}

}  // namespace

const FormatRow isopredict_format{
    .format = {.name = "isopredict",
               .title = "traces of IsoPredict and MonkeyDB",
               .is_writable = true,
               .is_directory = false},
    .is_text = true,
    .keeps_places = true,
    .keeps = Keeps::Operations,
    .looks_like = looks_like_isopredict,
    .read = [](const Source& source) { return IsopredictReader(source).run(); },
    .read_directory = nullptr,
    .write = [](const History& history) { return IsopredictWriter(history).run(); },
};

}  // namespace isomer::history
