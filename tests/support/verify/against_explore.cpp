// SPDX-License-Identifier: MIT
#include "support/verify/against_explore.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "explore/explore.h"
#include "level/library.h"
#include "program/machine/evaluate.h"
#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "store/store.h"

namespace isomer::verify {
namespace {

std::string explored(const program::Program& program, const check::AskedLevel& level,
                     double seconds) {
  explore::Options options;
  options.level = level;
  options.find = explore::Find::Failing;
  options.minimise = false;
  options.budget = Budget(seconds);
  const explore::Result result = explore::explore(program, options);
  if (!result.is_complete) return "unknown";
  return result.assertion_failures > 0 ? "violated" : "holds";
}

std::string verified(const LevelAnswer& level) {
  std::string out = "holds";
  for (const Answer& answer : level.answers) {
    if (!answer.contradiction.empty()) return "contradiction: " + answer.contradiction;
    if (answer.verdict == Verdict::Violated) return "violated";
    if (answer.verdict == Verdict::Unknown) out = "unknown: " + answer.unknown;
  }
  return out;
}

using explore::Outcome;
using explore::Space;
using program::ColumnId;
using program::KeyName;
using program::Program;
using program::Table;
using program::Value;
using store::FinalState;

std::vector<Value> rows_of(const Table& table, const FinalState& state) {
  std::vector<Value> out;
  for (const auto& [key, row] : state)
    if (program::parse_row_key(table, key) && !row.is_null()) out.push_back(row);
  return out;
}

// The columns of a row; absent if one of them is NULL.
std::optional<std::vector<Value>> columns_of(const Value& row,
                                             const std::vector<ColumnId>& columns) {
  std::vector<Value> out;
  for (const ColumnId column : columns) {
    out.push_back(row.items()[column.index]);
    if (out.back().is_null()) return std::nullopt;
  }
  return out;
}

std::string names(const Table& table, const std::vector<ColumnId>& columns) {
  std::vector<std::string> out;
  for (const ColumnId column : columns)
    out.push_back(table.columns[column.index].name);
  return fmt::format("{} ({})", table.name, fmt::join(out, ", "));
}

void find_broken_constraints(const Program& program, const FinalState& state,
                             std::set<std::string>& out) {
  for (const Table& table : program.tables) {
    const std::vector<Value> rows = rows_of(table, state);
    for (const auto& columns : table.unique) {
      std::vector<std::vector<Value>> seen;
      for (const Value& row : rows)
        if (const auto values = columns_of(row, columns)) {
          if (std::ranges::count(seen, *values) > 0)
            out.insert("unique " + names(table, columns));
          seen.push_back(*values);
        }
    }
    for (const program::ForeignKey& key : table.foreign_keys) {
      const Table& target = program.tables[key.table.index];
      const std::vector<Value> targets = rows_of(target, state);
      for (const Value& row : rows)
        if (const auto values = columns_of(row, key.columns))
          if (std::ranges::none_of(targets, [&](const Value& other) {
                return columns_of(other, key.referenced) == values;
              }))
            out.insert(fmt::format("foreign key {} to {}", names(table, key.columns),
                                   target.name));
    }
  }
}

std::optional<std::int64_t> number(const Value& row, std::size_t column) {
  if (row.is_null()) return std::nullopt;
  const auto* out = row.items()[column].get_if<std::int64_t>();
  return out == nullptr ? std::nullopt : std::optional(*out);
}

// One history of the program, and what the transactions of it have read and written.
class Changes {
 public:
  Changes(const Outcome& history, const FinalState& initial)
      : history_(history), initial_(initial) {}

  // In a serial run a number changes by the sum of what the transactions changed it by,
  // each from what it read to what it wrote.  Rows that were not there all the time do not
  // count.
  [[nodiscard]] bool is_lost(const KeyName& key, std::size_t column,
                             const FinalState& state) const {
    auto sum = number(value_in(initial_, key), column);
    const auto last = number(value_in(state, key), column);
    if (!sum || !last) return false;
    for (const auto& ran : history_.transactions) {
      const auto written = ran->writes.find(key);
      if (written == ran->writes.end()) continue;
      const auto after = number(written->second, column);
      const auto before = number(first_read(*ran, key), column);
      if (!before || !after) return false;
      *sum += *after - *before;
    }
    return *sum != *last;
  }

 private:
  static Value value_in(const FinalState& state, const KeyName& key) {
    const auto found = state.find(key);
    return found == state.end() ? Value() : found->second;
  }

  [[nodiscard]] Value first_read(const explore::Ran& ran, const KeyName& key) const {
    for (const auto& [read, writer] : ran.reads)
      if (read == key)
        return writer == 0 ? value_in(initial_, key)
                           : history_.transactions[writer - 1]->writes.at(key);
    return {};
  }

  const Outcome& history_;
  const FinalState& initial_;
};

bool has_lost_update(const Program& program, const Outcome& history,
                     const FinalState& initial, const FinalState& state) {
  const Changes changes(history, initial);
  for (const Table& table : program.tables)
    for (const auto& [key, row] : initial) {
      if (!program::parse_row_key(table, key)) continue;
      for (std::uint32_t c = 0; c < table.columns.size(); ++c)
        if (std::ranges::count(table.primary_key, ColumnId{c}) == 0 &&
            changes.is_lost(key, c, state))
          return true;
    }
  return false;
}

}  // namespace

std::vector<check::AskedLevel> levels_to_compare() {
  std::vector<check::AskedLevel> out;
  for (const check::Level level : check::all_levels)
    out.emplace_back(level);
  for (const char* name : {"adya:PL-2", "cerone:UA"})
    out.emplace_back(name, *level::standard_level(name));
  return out;
}

Expected<std::vector<Compared>> compared_with_explore(
    const program::Program& program, const std::vector<check::AskedLevel>& levels,
    double seconds, Encoding encoding) {
  Options options;
  options.encoding = encoding;
  options.levels = levels;
  options.has_overflow = true;
  options.seconds_per_question = seconds;
  options.budget = Budget(seconds * static_cast<double>(options.levels.size()));
  const auto result = verify(program, options);
  if (!result) return tl::unexpected(result.error());
  std::vector<Compared> out;
  for (std::size_t i = 0; i < levels.size(); ++i)
    out.push_back({.level = levels[i].name,
                   .explored = explored(program, levels[i], seconds),
                   .verified = verified(result->levels[i])});
  return out;
}

namespace {

bool is_true(const program::Value& value) {
  const auto* truth = value.get_if<bool>();
  return truth != nullptr && *truth;
}

bool holds_at_the_start(const program::Program& program, const program::Select& query) {
  const auto found =
      program::query_database(program, query, program::initial_database(program));
  const auto* rows = std::get_if<0>(&found);
  return rows != nullptr && rows->size() == 1 && is_true(rows->front().front());
}

bool satisfies_assumptions(const program::Program& program) {
  for (const std::uint32_t index : program.initial_invariants)
    if (!holds_at_the_start(program, *program.invariants[index].query)) return false;
  return std::ranges::all_of(program.assumptions, [](const program::Assumption& assumed) {
    program::Context context;
    return is_true(program::evaluate(*assumed.condition, nullptr, context)) &&
           !context.fault;
  });
}

std::string shown_rows(const program::Program& program) {
  std::string out;
  for (const auto& [key, row] : program::initial_database(program))
    out += fmt::format(" {} = {}", key, program::to_text(row));
  for (const program::Session& session : program.sessions)
    for (const program::Call& call : session.calls)
      out += " " + call.text;
  return out;
}

}  // namespace

Expected<Opened> compared_with_instances(const program::Program& open,
                                         const std::vector<program::Program>& instances,
                                         const check::AskedLevel& level, double seconds) {
  Options options;
  options.levels = {level};
  options.has_overflow = true;
  options.rows_max = 2;  // as many as instances add
  options.seconds_per_question = seconds;
  options.budget = Budget(seconds * static_cast<double>(options.levels.size()));
  const auto result = verify(open, options);
  if (!result) return tl::unexpected(result.error());
  const std::string found = verified(result->levels.front());
  Opened out;
  out.is_violated = found == "violated";
  out.is_unknown = found.starts_with("unknown");
  if (found.starts_with("contradiction")) out.wrong = found;
  for (const Answer& answer : result->levels.front().answers)
    if (answer.counterexample &&
        explored(answer.counterexample->program, level, seconds) == "holds")
      out.wrong += fmt::format("explore does not break '{}' with{}\n", answer.invariant,
                               shown_rows(answer.counterexample->program));
  for (const program::Program& instance : instances) {
    if (!satisfies_assumptions(instance)) continue;
    const std::string answer = explored(instance, level, seconds);
    if (answer == "unknown") continue;
    ++out.instances;
    if (answer == "violated" && found == "holds" && out.wrong.empty())
      out.wrong = fmt::format("verify says holds, explore breaks{}", shown_rows(instance));
  }
  return out;
}

std::set<std::string> broken(const Space& space, explore::AnyLevel level) {
  const Program& program = *space.program;
  const FinalState initial = program::initial_database(program, space.granularity);
  std::set<std::string> out;
  for (const Outcome& history : space.histories) {
    if (!allows(level, space, history)) continue;
    if (std::ranges::any_of(history.transactions,
                            [](const auto& ran) { return ran->failed_assert.has_value(); }))
      out.insert("ASSERT");
    out.merge(broken_invariants(space, history, level));
    for_each_final_state(space, history, level, [&](const FinalState& state) {
      find_broken_constraints(program, state, out);
      if (has_lost_update(program, history, initial, state)) out.insert("no lost updates");
    });
  }
  return out;
}

}  // namespace isomer::verify
