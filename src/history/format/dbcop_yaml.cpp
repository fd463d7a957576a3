// SPDX-License-Identifier: MIT
// YAML of the older dbcop (Biswas & Enea, OOPSLA'19): a list of sessions, each a list of
// transactions:
//
//   - - events:
//       - {write: true, variable: 0, value: 1, success: true}
//       success: true
//
// Every variable begins with 0.  This is the one file that knows yaml-cpp; its events fill
// the same trees that JSON and EDN do, so aliases cannot blow up.
#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/core.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "history/datum.h"
#include "history/format/cursor.h"
#include "history/format/dbcop_sessions.h"
#include "history/format/format.h"

namespace isomer::history {
namespace {

// yaml-cpp reads a few megabytes a second, and keeps a hundred bytes for each bracket that
// is open.
constexpr std::size_t size_max = std::size_t{64} << 20;
constexpr std::size_t brackets_max = 1000;

template <class T>
using Result = tl::expected<T, Diagnostic>;

// Fills a tree.
class TreeHandler : public YAML::EventHandler {
 public:
  TreeHandler(DatumTree& tree, std::size_t size, const Budget& budget)
      : tree_(tree), size_(size), patience_(budget) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}

  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    tree_.add(DatumKind::Nil, offset(mark));
  }

  // What an alias stands for is not looked up; where it stands, nothing fits.
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    tree_.add_text(DatumKind::Text, offset(mark), "an alias");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/,
                YAML::anchor_t /*anchor*/, const std::string& value) override {
    // The only way to stop its parser; caught below.
    if (patience_.is_over()) throw YAML::Exception(mark, "out of time");
    // yaml-cpp makes other bytes of control characters.
    if (!broken_text_ && invalid_utf8(value)) broken_text_ = offset(mark);
    if (const auto number = integer_of(value))
      tree_.add_integer(offset(mark), *number);
    else
      tree_.add_text(DatumKind::Text, offset(mark), tree_.keep(value));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    open_.push_back(tree_.add(DatumKind::List, offset(mark)));
  }

  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/,
                  YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {
    open_.push_back(tree_.add(DatumKind::Map, offset(mark)));
  }

  void OnMapEnd() override { close(); }

  [[nodiscard]] std::optional<std::size_t> broken_text() const { return broken_text_; }

  std::size_t offset(const YAML::Mark& mark) const {
    return mark.pos < 0 ? 0 : std::min(static_cast<std::size_t>(mark.pos), size_);
  }

 private:
  void close() {
    tree_.close(open_.back());
    open_.pop_back();
  }

  DatumTree& tree_;
  std::size_t size_;
  Patience patience_;
  std::vector<std::uint32_t> open_;
  std::optional<std::size_t> broken_text_;
};

// The offset where more than brackets_max brackets are open.
std::optional<std::size_t> deepest_bracket(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_opener = text[i] == '[' || text[i] == '{';
    if (is_opener && ++depth > brackets_max) return i;
    if ((text[i] == ']' || text[i] == '}') && depth > 0) --depth;
  }
  return {};
}

Result<void> parse_yaml(const Source& source, DatumTree& tree) {
  if (source.text.size() > size_max)
    return tl::unexpected(diagnostic_of_file(
        source.name, "YAML files over 64 MiB are not supported; bincode files are"));
  if (const auto offset = deepest_bracket(source.text))
    return tl::unexpected(source.at(*offset, "this YAML is nested too deeply"));
  TreeHandler handler(tree, source.text.size(), source.budget);
  try {
    std::istringstream stream{std::string(source.text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(handler) || tree.is_empty())
      return tl::unexpected(diagnostic_of_file(source.name, "the file is empty"));
  } catch (const YAML::DeepRecursion& error) {
    return tl::unexpected(
        source.at(handler.offset(error.mark), "this YAML is nested too deeply"));
  } catch (const YAML::Exception& error) {
    return tl::unexpected(source.at(handler.offset(error.mark),
                                    fmt::format("malformed YAML: {}", error.msg)));
  }
  if (const auto offset = handler.broken_text())
    return tl::unexpected(source.at(*offset, "this text has control characters"));
  return {};
}

class DbcopYamlReader {
 public:
  explicit DbcopYamlReader(const Source& source) : source_(source), lines_(source.text) {}

  Expected<Parsed> run();

 private:
  Result<bool> flag(const Datum& map, std::string_view name) const;
  Result<FallibleEvent> event(const Datum& event);
  Result<void> transaction(const Datum& transaction, SessionId session);

  const Source& source_;
  LineCounter lines_;
  HistoryBuilder builder_;
};

Result<bool> DbcopYamlReader::flag(const Datum& map, std::string_view name) const {
  const auto value = map.find(name);
  if (!value)
    return tl::unexpected(
        source_.at(map.offset(), fmt::format("this has no '{}: true' or 'false'", name)));
  if (value->is_word("true")) return true;
  if (value->is_word("false")) return false;
  return tl::unexpected(unexpected_datum(source_, *value, "true or false"));
}

Result<FallibleEvent> DbcopYamlReader::event(const Datum& event) {
  const Result<bool> is_write = flag(event, "write");
  if (!is_write) return tl::unexpected(is_write.error());
  const Result<bool> has_succeeded = flag(event, "success");
  if (!has_succeeded) return tl::unexpected(has_succeeded.error());
  const auto variable = event.find("variable");
  const auto version = event.find("value");
  if (!variable || !version)
    return tl::unexpected(
        source_.at(event.offset(), "expected an event with 'variable' and 'value'"));
  const auto key = key_of(builder_, source_, *variable);
  if (!key) return tl::unexpected(key.error());
  const auto value = value_of(builder_, source_, *version);
  if (!value) return tl::unexpected(value.error());
  return FallibleEvent{.kind = *is_write ? OpKind::Write : OpKind::Read,
                       .key = *key,
                       .value = *value,
                       .has_succeeded = *has_succeeded};
}

Result<void> DbcopYamlReader::transaction(const Datum& transaction, SessionId session) {
  const auto events = transaction.find("events");
  if (!events || !(events->is(DatumKind::List) || events->is(DatumKind::Nil)))
    return tl::unexpected(
        unexpected_datum(source_, transaction, "a transaction with a list of 'events'"));
  const Result<bool> has_succeeded = flag(transaction, "success");
  if (!has_succeeded) return tl::unexpected(has_succeeded.error());
  const auto txn = builder_.begin(session, lines_.line_of(transaction.offset()));
  if (!*has_succeeded) builder_.set_status(txn, Status::Aborted);
  std::vector<FallibleEvent> all;
  if (events->is(DatumKind::List))
    for (const Datum one : *events) {
      const Result<FallibleEvent> read = event(one);
      if (!read) return tl::unexpected(read.error());
      all.push_back(*read);
    }
  add_fallible_transaction(builder_, txn, all);
  return {};
}

Expected<Parsed> DbcopYamlReader::run() {
  DatumTree tree;
  if (auto done = parse_yaml(source_, tree); !done) return failure(std::move(done.error()));
  if (!tree.root().is(DatumKind::List))
    return failure(unexpected_datum(source_, tree.root(), "a list of sessions"));
  Diagnostics errors;
  std::int64_t number = 0;
  Patience patience(source_.budget);
  for (const Datum session : tree.root()) {
    const SessionId id = builder_.session(++number);
    if (!session.is(DatumKind::List))
      errors.push_back(
          unexpected_datum(source_, session, "a session (a list of transactions)"));
    else
      for (const Datum one : session) {
        if (patience.is_over()) break;
        if (auto done = transaction(one, id); !done)
          errors.push_back(std::move(done.error()));
      }
    if (errors.size() >= errors_max) break;
  }
  if (!errors.empty()) {
    errors.resize(std::min(errors.size(), errors_max));
    return tl::unexpected(std::move(errors));
  }
  builder_.set_initial(Value::integer(0));
  return Parsed{.history = builder_.build(source_.budget), .warnings = {}};
}

// "- -", after comments, or "---" and then "-".
bool looks_like_dbcop_yaml(std::string_view text) {
  Cursor cursor(text);
  const auto skip_comments = [&] {
    cursor.skip_spaces();
    while (cursor.peek() == '#') {
      cursor.skip_line();
      cursor.skip_spaces();
    }
  };
  skip_comments();
  if (cursor.rest().starts_with("---") && is_space(cursor.peek(3))) {
    cursor.advance(3);
    skip_comments();
  }
  return cursor.peek() == '-' && is_space(cursor.peek(1)) &&
         text.find("events") != std::string_view::npos;
}

}  // namespace

const FormatRow dbcop_yaml_format{
    .format = {.name = "dbcop-yaml",
               .title = "YAML of dbcop (OOPSLA'19)",
               .is_writable = false,
               .is_directory = false},
    .is_text = true,
    .keeps_places = false,
    .keeps = Keeps::EmptySessions,
    .looks_like = looks_like_dbcop_yaml,
    .read = [](const Source& source) { return DbcopYamlReader(source).run(); },
    .read_directory = nullptr,
    .write = nullptr,
};

}  // namespace isomer::history
