// SPDX-License-Identifier: MIT
// A transaction begins at its invocation, which gives the session order, and is what its
// completion says: :ok committed, :fail aborted, :info or no completion unknown.  Whether a
// read of nil is the initial state or the empty list depends on the whole file, so
// everything is collected first and built at the end.
#include "history/format/elle_operations.h"

#include <algorithm>

#include <fmt/core.h>

#include "history/unique_elements.h"

namespace isomer::history {
namespace {

// What else Jepsen checks, told by the functions of its operations and their values.
std::string_view workload_of(const ElleReader::Skipped& skipped) {
  const auto has = [&](std::string_view name) { return skipped.functions.contains(name); };
  if (has("transfer") || skipped.has_maps) return "a bank test";
  if (skipped.has_micros) return "a long-fork test";
  if (has("cas") || has("write")) return "a register test";
  if (has("add")) return "a set or counter test";
  if (has("enqueue") || has("dequeue")) return "a queue test";
  if (has("acquire") || has("release")) return "a lock test";
  return "another kind of test";
}

}  // namespace

tl::expected<ElleReader::Micro, Diagnostic> ElleReader::micro_of(const Datum& micro) {
  if (!micro.is(DatumKind::List) || micro.size() < 2)
    return tl::unexpected(
        unexpected_datum(source_, micro, "a micro-operation such as [:r x nil]"));
  const Datum function = micro.child(0);
  const bool is_read = function.is_word("r");
  if (!is_read && !function.is_word("w") && !function.is_word("append"))
    return tl::unexpected(
        unexpected_datum(source_, function, "a micro-operation :r, :w or :append"));
  const auto key = key_of(builder_, source_, micro.child(1));
  if (!key) return tl::unexpected(key.error());
  const std::size_t size = micro.size();
  if (size > 3 || (size < 3 && !is_read))
    return tl::unexpected(source_.at(
        micro.offset(),
        fmt::format("expected 3 elements in a micro-operation, found {}", size)));
  Micro result{.kind = MicroKind::Read,
               .key = *key,
               .value = Value::none(),
               .list = {},
               .offset = micro.offset()};
  if (is_read && size == 3 && micro.child(2).is(DatumKind::List)) {
    auto list = list_of(builder_, source_, micro.child(2));
    if (!list) return tl::unexpected(list.error());
    result.kind = MicroKind::ReadList;
    result.list = std::move(*list);
    if (!list_offset_) list_offset_ = micro.offset();
    return result;
  }
  if (size == 3) {
    const auto value = value_of(builder_, source_, micro.child(2));
    if (!value) return tl::unexpected(value.error());
    result.value = *value;
  }
  if (is_read) return result;
  result.kind = function.is_word("w") ? MicroKind::Write : MicroKind::Append;
  auto& first = result.kind == MicroKind::Write ? write_offset_ : list_offset_;
  if (!first) first = micro.offset();
  return result;
}

tl::expected<std::vector<ElleReader::Micro>, Diagnostic> ElleReader::micros_of(
    const Datum& value, Status outcome) {
  if (!value.is(DatumKind::List))
    return tl::unexpected(unexpected_datum(
        source_, value, "the micro-operations of a transaction, such as [[:w x 1]]"));
  std::vector<Micro> micros;
  for (const Datum element : value) {
    auto micro = micro_of(element);
    if (!micro) return tl::unexpected(micro.error());
    const bool is_read =
        micro->kind == MicroKind::Read || micro->kind == MicroKind::ReadList;
    if (outcome == Status::Committed || !is_read) micros.push_back(std::move(*micro));
  }
  return micros;
}

void ElleReader::note_skipped(const Datum& operation, const Datum& function) {
  constexpr std::size_t functions_max = 100;
  if (skipped_.functions_count++ == 0) skipped_.first_offset = function.offset();
  const bool is_named = function.is(DatumKind::Keyword) || function.is(DatumKind::Text);
  if (is_named && skipped_.functions.size() < functions_max)
    skipped_.functions.emplace(function.text());
  const auto value = operation.find("value");
  if (!value) return;
  skipped_.has_maps = skipped_.has_maps || value->is(DatumKind::Map);
  skipped_.has_micros =
      skipped_.has_micros || (value->is(DatumKind::List) && !value->is_empty() &&
                              value->child(0).is(DatumKind::List));
}

// The nemesis, and functions other than :txn.
bool ElleReader::is_skipped(const Datum& operation) {
  const auto process = operation.find("process");
  if (process && !process->is(DatumKind::Integer) && !process->is(DatumKind::Nil)) {
    ++skipped_.processes_count;
    return true;
  }
  const auto function = operation.find("f");
  if (!function || function->is_word("txn") || function->is(DatumKind::Nil)) return false;
  note_skipped(operation, *function);
  return true;
}

std::size_t ElleReader::begin(SessionId session, const Datum& operation) {
  const auto token = builder_.begin(session, lines_.line_of(operation.offset()));
  txns_.push_back({.token = token, .status = Status::Unknown, .micros = {}});
  return txns_.size() - 1;
}

// What an operation says that its transaction did; absent if it says nothing.
tl::expected<std::optional<std::vector<ElleReader::Micro>>, Diagnostic>
ElleReader::said_micros(const Datum& operation, Status outcome) {
  const auto value = operation.find("value");
  if (value && !value->is(DatumKind::Nil))
    return micros_of(*value, outcome).map([](std::vector<Micro>&& micros) {
      return std::optional(std::move(micros));
    });
  if (outcome != Status::Committed) return std::nullopt;
  return tl::unexpected(source_.at(operation.offset(), "this :ok operation has no :value"));
}

// A process has one transaction at a time, so what comes next completes it.  A completion
// without a value leaves what the invocation said.
tl::expected<void, Diagnostic> ElleReader::add_of_process(const Datum& operation,
                                                          Status outcome, Moment moment) {
  const std::int64_t process = operation.find("process")->number();
  auto micros = said_micros(operation, outcome);
  if (!micros) return tl::unexpected(micros.error());
  const auto invoked = pending_.find(process);
  const bool completes = moment == Moment::Completion && invoked != pending_.end();
  const std::size_t index =
      completes ? invoked->second : begin(builder_.session(process), operation);
  if (completes) pending_.erase(invoked);
  if (moment == Moment::Invocation) pending_[process] = index;
  txns_[index].status = outcome;
  if (*micros) txns_[index].micros = std::move(**micros);
  return {};
}

std::vector<ElleReader::Written> ElleReader::writes_in(const std::vector<Micro>& micros) {
  std::vector<Written> writes;
  for (const Micro& micro : micros)
    if (micro.kind == MicroKind::Write || micro.kind == MicroKind::Append)
      writes.push_back({micro.key, micro.value.kind, micro.value.bits});
  return writes;
}

std::size_t ElleReader::begin_without_process(const Datum& operation) {
  const std::string name = fmt::format("t{}", ++without_process_count_);
  return begin(builder_.session(name), operation);
}

// Two transactions that write the same are told apart by nothing; the first is taken.
std::optional<std::size_t> ElleReader::take_invoked(const std::vector<Micro>& completed) {
  const auto found = pending_without_process_.find(writes_in(completed));
  if (found == pending_without_process_.end()) return std::nullopt;
  const std::size_t index = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) pending_without_process_.erase(found);
  return index;
}

// A completion that does not say what it completes tells nothing: the outcome of whatever
// it was stays unknown.
tl::expected<void, Diagnostic> ElleReader::add_without_process(const Datum& operation,
                                                               Status outcome,
                                                               Moment moment) {
  auto micros = said_micros(operation, outcome);
  if (!micros) return tl::unexpected(micros.error());
  if (!*micros) return {};
  const std::optional<std::size_t> invoked =
      moment == Moment::Completion ? take_invoked(**micros) : std::nullopt;
  const std::size_t index = invoked ? *invoked : begin_without_process(operation);
  if (moment == Moment::Invocation)
    pending_without_process_[writes_in(**micros)].push_back(index);
  txns_[index].status = outcome;
  txns_[index].micros = std::move(**micros);
  return {};
}

tl::expected<void, Diagnostic> ElleReader::add(const Datum& operation) {
  if (!operation.is(DatumKind::Map))
    return tl::unexpected(
        unexpected_datum(source_, operation, "an operation map such as {:type :ok ...}"));
  if (is_skipped(operation)) return {};
  const auto type = operation.find("type");
  if (!type)
    return tl::unexpected(source_.at(operation.offset(), "this operation has no :type"));
  const bool is_invocation = type->is_word("invoke");
  const bool is_ok = type->is_word("ok");
  const bool is_fail = type->is_word("fail");
  if (!is_invocation && !is_ok && !is_fail && !type->is_word("info"))
    return tl::unexpected(unexpected_datum(source_, *type, ":invoke, :ok, :fail or :info"));
  const Status outcome = is_ok     ? Status::Committed
                         : is_fail ? Status::Aborted
                                   : Status::Unknown;
  const Moment moment = is_invocation ? Moment::Invocation : Moment::Completion;
  const auto process = operation.find("process");
  return process && process->is(DatumKind::Integer)
             ? add_of_process(operation, outcome, moment)
             : add_without_process(operation, outcome, moment);
}

tl::expected<void, Diagnostic> ElleReader::check_kinds() const {
  if (!list_offset_ || !write_offset_) return {};
  Diagnostic mixed = source_.at(std::max(*list_offset_, *write_offset_),
                                "list-append and register operations do not mix");
  mixed.notes.push_back({position_of(source_.text, std::min(*list_offset_, *write_offset_)),
                         "the other kind is here"});
  return tl::unexpected(std::move(mixed));
}

tl::expected<void, Diagnostic> ElleReader::check_elements() const {
  UniqueElements elements;
  for (const Transaction& txn : txns_) {
    if (txn.status == Status::Aborted) continue;
    for (const Micro& micro : txn.micros) {
      if (micro.kind != MicroKind::Append) continue;
      const auto first = elements.add(micro.key, micro.value, micro.offset);
      if (!first) continue;
      Diagnostic twice =
          source_.at(micro.offset, "this element is appended to this key a second time");
      twice.notes.push_back({position_of(source_.text, *first), "first appended here"});
      return tl::unexpected(std::move(twice));
    }
  }
  return {};
}

Diagnostic ElleReader::wrong_workload() const {
  constexpr std::size_t width = 60;
  if (skipped_.functions_count == 0)
    return diagnostic_of_file(source_.name,
                              "this history has no operation whose :process is a number");
  std::string functions;
  for (const std::string& name : skipped_.functions)
    if (functions.size() < width)
      functions += fmt::format("{}:{}", functions.empty() ? "" : ", ", name.substr(0, 30));
  return source_.at(
      skipped_.first_offset,
      fmt::format("this history has no transactions (:f :txn), only {}: it looks like {}, "
                  "which is not about isolation",
                  functions, workload_of(skipped_)));
}

void ElleReader::build_transaction(const Transaction& txn, bool is_list_append) {
  builder_.set_status(txn.token, txn.status);
  for (const Micro& micro : txn.micros)
    switch (micro.kind) {
      case MicroKind::Read:
        if (is_list_append)
          builder_.read_list(txn.token, micro.key, {});
        else
          builder_.read(txn.token, micro.key, micro.value);
        break;
      case MicroKind::ReadList:
        builder_.read_list(txn.token, micro.key, micro.list);
        break;
      case MicroKind::Write:
      case MicroKind::Append:
        builder_.write(txn.token, micro.key, micro.value);
        break;
    }
}

tl::expected<Parsed, Diagnostic> ElleReader::finish() {
  if (txns_.empty() && skipped_.functions_count + skipped_.processes_count > 0)
    return tl::unexpected(wrong_workload());
  if (auto done = check_kinds(); !done) return tl::unexpected(done.error());
  if (auto done = check_elements(); !done) return tl::unexpected(done.error());
  const bool is_list_append = list_offset_.has_value();
  for (const Transaction& txn : txns_) {
    if (is_list_append)
      for (const Micro& micro : txn.micros)
        if (micro.kind == MicroKind::Read && micro.value != Value::none())
          return tl::unexpected(
              source_.at(micro.offset, "expected a list, as the other reads return"));
    build_transaction(txn, is_list_append);
  }
  if (is_list_append) builder_.set_list_append();
  builder_.set_initial(Value::none());
  Parsed parsed{.history = builder_.build(source_.budget), .warnings = {}};
  if (skipped_.functions_count > 0)
    parsed.warnings.push_back(fmt::format(
        "{} operations whose :f is not :txn were left out", skipped_.functions_count));
  return parsed;
}

}  // namespace isomer::history
