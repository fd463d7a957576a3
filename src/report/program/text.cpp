// SPDX-License-Identifier: MIT
#include "report/program/report.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/machine/keys.h"
#include "report/check/wording.h"

namespace isomer::report {
namespace {

using program::Program;
using program::Value;
using store::InvariantOutcome;
using store::TransactionOutcome;

// How much of a final state a terminal gets to see.
constexpr std::size_t rows_shown_max = 12;

std::string rest_text(std::size_t count) {
  return count > rows_shown_max
             ? fmt::format("    ... and {} more\n", count - rows_shown_max)
             : "";
}

std::string table_text(const program::Table& table, const store::FinalState& state,
                       EmptyTables empty_tables, const Ink& ink) {
  std::vector<std::pair<program::PrimaryKey, Value>> keyed;
  for (const auto& [key, value] : state)
    if (std::optional<program::PrimaryKey> primary = program::parse_row_key(table, key))
      keyed.emplace_back(std::move(*primary), value);
  std::ranges::sort(keyed, {}, [](const auto& row) -> const auto& { return row.first; });
  std::vector<std::vector<Value>> rows;
  for (const auto& [primary, value] : keyed)
    rows.emplace_back(value.items().begin(), value.items().end());
  return rows_text(table, rows, empty_tables, ink);
}

std::string keys_text(const store::FinalState& state) {
  TextTable lines;
  for (const auto& [key, value] : state)
    if (lines.size() < rows_shown_max)
      lines.push_back({printable(key, 30), fmt::format("= {}", cell_text(value))});
  return aligned(lines) + rest_text(state.size());
}

std::string verdict_text(const InvariantOutcome& invariant, std::size_t final_state_count,
                         const Ink& ink) {
  if (invariant.holds) return ink.good("holds");
  if (final_state_count <= 1 || invariant.broken_states == final_state_count)
    return ink.bad("BROKEN");
  return fmt::format("{} in {} of {} final states", ink.bad("BROKEN"),
                     invariant.broken_states, final_state_count);
}

}  // namespace

std::string cell_text(const Value& value) {
  if (value.is_null()) return "NULL";
  if (value.get_if<program::List>() == nullptr)
    return printable(program::to_text(value), 30);
  std::vector<std::string> items;
  for (const Value& item : value.items())
    items.push_back(cell_text(item));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string aligned(const TextTable& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line = "   ";
    for (std::size_t i = 0; i < row.size(); ++i)
      line += fmt::format(" {:{}} ", row[i], widths[i]);
    out += line.substr(0, line.find_last_not_of(' ') + 1);
    out += "\n";
  }
  return out;
}

std::string place_text(const Program& program, const program::Span& at) {
  if (at.last == 0) return {};
  const auto [file, position] = program::place_of(program, at.first);
  return fmt::format("{}:{}", file, position.line);
}

std::string short_place_text(const Program& program, const program::Span& at) {
  const std::string place = place_text(program, at);
  return place.substr(place.find_last_of('/') + 1);  // npos + 1 is 0
}

std::size_t line_start(const std::string& source, std::size_t byte) {
  return byte == 0 ? 0 : source.rfind('\n', byte - 1) + 1;  // npos + 1 is 0
}

std::string source_line(const Program& program, const program::Span& at) {
  if (at.last == 0) return {};
  const std::size_t start = line_start(program.source, at.first);
  const std::string line =
      program.source.substr(start, program.source.find('\n', start) - start);
  return fmt::format("{:>4}  {}", program::place_of(program, at.first).second.line,
                     line.substr(std::min(line.find_first_not_of(" \t"), line.size())));
}

std::string source_line(const Program& program, std::string_view place) {
  for (std::size_t start = 0; start < program.source.size();) {
    const std::size_t end =
        std::min(program.source.find('\n', start), program.source.size()) + 1;
    const program::Span line{.first = static_cast<std::uint32_t>(start),
                             .last = static_cast<std::uint32_t>(end)};
    if (place_text(program, line) == place) return source_line(program, line);
    start = end;
  }
  return {};
}

namespace {

// As PostgreSQL writes it: {1,2} for an array.
std::string result_text(const Program& program, const TransactionOutcome& outcome) {
  const program::Call& call = program.sessions[outcome.session].calls[outcome.index];
  return program.types[call.type].result.kind == program::TypeKind::Array
             ? printable(program::array_text(outcome.result), 100)
             : cell_text(outcome.result);
}

}  // namespace

std::string fate_text(const Program& program, const TransactionOutcome& outcome,
                      const Ink& ink) {
  if (outcome.is_committed)
    return outcome.result.is_null() ? ink.good("committed")
                                    : fmt::format("{}, returned {}", ink.good("committed"),
                                                  result_text(program, outcome));
  std::string out =
      outcome.has_failed_assert ? ink.bad("assertion failed") : ink.doubtful("rolled back");
  out += fmt::format(": {}", printable(outcome.reason, 100));
  if (!outcome.sqlstate.empty() && !outcome.has_failed_assert)
    out += fmt::format(" ({})", outcome.sqlstate);
  const std::string place = place_text(program, outcome.at);
  return place.empty() ? out : fmt::format("{}  {}", out, place);
}

std::string state_text(const Program& program, const store::FinalState& state,
                       program::Granularity granularity, EmptyTables empty_tables,
                       const Ink& ink) {
  if (program.tables.empty() || granularity != program::Granularity::Row)
    return keys_text(state);
  std::string out;
  for (const program::Table& table : program.tables)
    out += table_text(table, state, empty_tables, ink);
  return out;
}

std::string rows_text(const program::Table& table,
                      const std::vector<std::vector<Value>>& rows, EmptyTables empty_tables,
                      const Ink& ink) {
  if (rows.empty() && empty_tables == EmptyTables::Hide) return {};
  TextTable lines(1);
  for (const program::Column& column : table.columns)
    lines[0].push_back(column.name);
  for (std::size_t i = 0; i < std::min(rows.size(), rows_shown_max); ++i) {
    auto& line = lines.emplace_back();
    for (const Value& value : rows[i])
      line.push_back(cell_text(value));
  }
  return fmt::format("  {}\n", ink.bold(table.name)) + aligned(lines) +
         rest_text(rows.size());
}

std::string invariants_text(std::span<const InvariantOutcome> invariants,
                            std::size_t final_state_count, const Ink& ink) {
  std::size_t width = 0;
  for (const InvariantOutcome& invariant : invariants)
    width = std::max(width, printable(invariant.name, 60).size());
  std::string out;
  for (const InvariantOutcome& invariant : invariants) {
    out += fmt::format("  {:{}}  {}", printable(invariant.name, 60), width,
                       verdict_text(invariant, final_state_count, ink));
    if (!invariant.error.empty())
      out += fmt::format(": {}", printable(invariant.error, 100));
    out += "\n";
  }
  return out;
}

}  // namespace isomer::report
