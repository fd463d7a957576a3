// SPDX-License-Identifier: MIT
#include "report/check/wording.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.h"
#include "base/text.h"

namespace isomer::report {
namespace {

using check::Edge;
using check::EdgeKind;
using history::History;
using history::KeyId;
using history::OpKind;
using history::Problem;
using history::ProblemKind;
using history::TxnId;
using history::Value;

constexpr std::size_t list_elements_shown = 8;

// The length of the character that `text` begins with; 0 if it is not a valid one or a
// control character.
std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = character_length(text);
  const bool is_ascii_control = length == 1 && (byte(0) < 0x20 || byte(0) == 0x7f);
  const bool is_c1_control = length == 2 && byte(0) == 0xc2 && byte(1) < 0xa0;
  return is_ascii_control || is_c1_control ? 0 : length;
}

std::string list_text(const History& history, std::span<const Value> elements) {
  std::string out = "[";
  const std::size_t skipped =
      elements.size() > list_elements_shown ? elements.size() - list_elements_shown : 0;
  if (skipped != 0) out += fmt::format("... {} more ...", skipped);
  for (const Value& value : elements.subspan(skipped)) {
    if (out.size() > 1) out += ' ';
    out += printable(history.text(value));
  }
  return out + "]";
}

std::string text_of(const History& history, std::optional<Value> value) {
  return value ? printable(history.text(*value)) : "?";
}

// What `reader` saw when it read `key` from `writer`: a value, or a list.
std::string seen(const History& history, TxnId reader, KeyId key, TxnId writer) {
  for (const history::Read& read : history.reads(reader))
    if (read.key == key && (read.writer == writer || read.writer.is_none()))
      return value_text(history, read.op);
  return text_of(history, history.written_value(writer, key));
}

std::string ww_reason(const History& history, const Edge& edge) {
  const std::string from = txn_text(history, edge.from);
  const std::string to = txn_text(history, edge.to);
  const std::string key = key_noun(history, edge.key);
  if (!edge.via.is_none())
    return fmt::format("{} read {} from {}, though it could see {}'s version",
                       txn_text(history, edge.via), key, to, from);
  if (!edge.because.empty())
    return fmt::format("both write {}, and {} comes first", key, from);
  if (edge.from == check::init) return fmt::format("{} overwrote the initial {}", to, key);
  return fmt::format("the lists that were read show {}'s append to {} before {}'s", from,
                     key, to);
}

std::string rw_reason(const History& history, const Edge& edge) {
  const std::string from = txn_text(history, edge.from);
  const std::string to = txn_text(history, edge.to);
  const std::string value = seen(history, edge.from, edge.key, edge.via);
  if (edge.because.empty() || edge.via.is_none())
    return fmt::format("{} read {}, the version that {} overwrote", from, value, to);
  return fmt::format("{} read {} from {}, which {} overwrote", from, value,
                     txn_text(history, edge.via), to);
}

std::string own_write_text(const History& history, const Problem& problem) {
  const std::uint32_t first = history.first_op(problem.reader);
  for (std::uint32_t op = problem.op; op-- > first;) {
    const history::Operation& operation = history.operations()[op];
    if (operation.key == problem.key && operation.kind == OpKind::Write)
      return printable(history.text(operation.value()));
  }
  return "another value";
}

// The read of the same list by the other transaction of an incompatible pair.
std::string other_list(const History& history, const Problem& problem) {
  if (problem.other.is_none()) return "another list";
  const std::uint32_t first = history.first_op(problem.other);
  const auto operations = history.operations(problem.other);
  std::string found = "another list";
  for (std::uint32_t i = 0; i < operations.size(); ++i)
    if (operations[i].key == problem.key && operations[i].kind == OpKind::Read &&
        first + i != problem.op)
      found = value_text(history, first + i);
  return found;
}

}  // namespace

std::string printable(std::string_view text, std::size_t width_max) {
  std::vector<std::string> characters;
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    if (length == 0)
      characters.push_back(fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0])));
    else
      characters.emplace_back(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  if (characters.size() <= width_max) return fmt::format("{}", fmt::join(characters, ""));
  // The end of a name often is what tells it from others: a number, say.
  const auto tail = static_cast<std::ptrdiff_t>(width_max / 3);
  const auto head = static_cast<std::ptrdiff_t>(width_max) - tail;
  return fmt::format("{}...{}",
                     fmt::join(characters.begin(), characters.begin() + head, ""),
                     fmt::join(characters.end() - tail, characters.end(), ""));
}

std::string key_text(const History& history, KeyId key) {
  return printable(history.key_name(key));
}

std::string key_noun(const History& history, KeyId key) {
  const std::string name = key_text(history, key);
  return history.key_number(key) ? fmt::format("key {}", name) : name;
}

std::string txn_text(const History& history, TxnId txn) {
  return printable(history.txn_name(txn));
}

std::string value_text(const History& history, std::uint32_t op) {
  if (const history::ListRead* read = history.list_of(op))
    return list_text(history, history.list(*read));
  return printable(history.text(history.operations()[op].value()));
}

std::string operation_text(const History& history, std::uint32_t op) {
  const history::Operation& operation = history.operations()[op];
  const std::string_view verb = operation.kind == OpKind::Read ? "r"
                                : history.is_list_append()     ? "append"
                                                               : "w";
  return fmt::format("{}({})={}", verb, key_text(history, operation.key),
                     value_text(history, op));
}

std::string place_text(const History& history, std::uint32_t op) {
  const std::string_view place = history.place(op);
  return printable(place.substr(place.rfind('/') + 1));
}

std::string label(const History& history, const Edge& edge) {
  const std::string kind(check::name(edge.kind));
  return edge.key.is_none() ? kind : kind + " " + key_text(history, edge.key);
}

std::string shaft(const History& history, const Edge& edge) {
  return fmt::format("--{}-->", label(history, edge));
}

std::string arrow(const History& history, const Edge& edge) {
  return fmt::format("{} {} {}", txn_text(history, edge.from), shaft(history, edge),
                     txn_text(history, edge.to));
}

std::string reason(const History& history, const Edge& edge) {
  const std::string from = txn_text(history, edge.from);
  const std::string to = txn_text(history, edge.to);
  switch (edge.kind) {
    case EdgeKind::So:
      if (edge.from == check::init) return "the initial state comes before everything";
      return fmt::format("the same session, {} first", from);
    case EdgeKind::Wr:
      return fmt::format("{} read {}, {}", to, seen(history, edge.to, edge.key, edge.from),
                         edge.from == check::init ? "the initial value"
                                                  : fmt::format("which {} wrote", from));
    case EdgeKind::Ww:
      return ww_reason(history, edge);
    case EdgeKind::Rw:
      return rw_reason(history, edge);
  }
  ISOMER_ASSERT(false);
  return {};
}

std::string_view name(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::ThinAir:
      return "thin-air read";
    case ProblemKind::AbortedRead:
      return "aborted read";
    case ProblemKind::IntermediateRead:
      return "intermediate read";
    case ProblemKind::FutureRead:
      return "future read";
    case ProblemKind::NotOwnLastWrite:
      return "not own last write";
    case ProblemKind::OwnWriteIgnored:
      return "own write ignored";
    case ProblemKind::IncompatibleOrder:
      return "incompatible order";
    case ProblemKind::DuplicateElement:
      return "duplicate element";
  }
  ISOMER_ASSERT(false);
  return {};
}

std::string sentence(const History& history, const Problem& problem) {
  const std::string reader = txn_text(history, problem.reader);
  const std::string key = key_noun(history, problem.key);
  const std::string value = value_text(history, problem.op);
  const std::string other =
      problem.other.is_none() ? "another transaction" : txn_text(history, problem.other);
  switch (problem.kind) {
    case ProblemKind::ThinAir:
      return fmt::format("{} read {} = {}, but nobody ever wrote that value to {}.", reader,
                         key, value, key);
    case ProblemKind::AbortedRead:
      return fmt::format("{} read {} = {}, which only {} wrote, and {} aborted.", reader,
                         key, value, other, other);
    case ProblemKind::IntermediateRead:
      return fmt::format(
          "{} read {} = {}, which {} wrote, and overwrote with {} before it committed.",
          reader, key, value, other,
          problem.other.is_none()
              ? "another value"
              : text_of(history, history.written_value(problem.other, problem.key)));
    case ProblemKind::FutureRead:
      return fmt::format("{} read {} = {} before it wrote that value itself.", reader, key,
                         value);
    case ProblemKind::NotOwnLastWrite:
      return fmt::format(
          "{} read {} = {}, a value it wrote itself but had already overwritten with {}.",
          reader, key, value, own_write_text(history, problem));
    case ProblemKind::OwnWriteIgnored:
      return fmt::format("{} read {} = {}, although it had just written {} itself.", reader,
                         key, value, own_write_text(history, problem));
    case ProblemKind::IncompatibleOrder:
      return fmt::format("{} read {} as {} and {} as {}; neither list extends the other.",
                         reader, key, value, other, other_list(history, problem));
    case ProblemKind::DuplicateElement:
      return fmt::format("{} read {} as {}, which has one element twice.", reader, key,
                         value);
  }
  ISOMER_ASSERT(false);
  return {};
}

bool is_every_level(std::span<const check::AskedLevel> levels) {
  return std::ranges::equal(levels, check::all_levels);
}

bool are_comparable(std::span<const check::AskedLevel> levels) {
  return std::ranges::all_of(levels,
                             [](const auto& level) { return level.built_in.has_value(); });
}

std::string list(std::span<const check::AskedLevel> levels) {
  if (is_every_level(levels)) return "all seven levels";
  std::string out;
  for (const check::AskedLevel& level : levels) {
    if (!out.empty()) out += ", ";
    out += printable(level.name, level_width_max);
  }
  return out;
}

std::string axioms_text(const check::Violated& violation) {
  return fmt::format("{} {}", violation.axioms.size() == 1 ? "axiom" : "axioms",
                     fmt::join(violation.axioms, ", "));
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace isomer::report
