// SPDX-License-Identifier: MIT
// A run on PostgreSQL to be done by hand (--psql), or by PostgreSQL's isolationtester
// (--isolation-spec).
#include "report/database/report.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "program/print/print.h"
#include "report/check/wording.h"
#include "report/database/told_schedule.h"

namespace isomer::report {
namespace {

using reproduce::Script;
using reproduce::ScriptStep;

constexpr const char* schema = "isomer_by_hand";

ScheduledRun scheduled(const ScriptShown& shown) {
  return {.program = shown.program,
          .steps = shown.run.steps,
          .order = {},
          .calls = shown.run.calls,
          .rows = shown.run.rows,
          .invariants = shown.run.invariants};
}

// Each with its semicolon, on a line of its own.
std::string lines_of(const std::vector<std::string>& statements, std::string_view indent) {
  std::string out;
  for (const std::string& statement : statements)
    out += fmt::format("{}{};\n", indent, statement);
  return out;
}

std::vector<std::string> names_of_sessions(const ScriptShown& shown) {
  std::vector<std::string> out;
  for (const database::SessionIndex session : active_sessions(scheduled(shown)))
    out.push_back(printable(shown.program.sessions[session].name));
  return out;
}

bool holds(const ScriptShown& shown, const std::string& invariant) {
  return std::ranges::none_of(shown.run.invariants, [&](const auto& outcome) {
    return outcome.name == invariant && !outcome.holds;
  });
}

// --- isolationtester ---

std::string in_quotes(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string block_of(const std::vector<std::string>& statements) {
  return fmt::format("{{\n{}}}\n", lines_of(statements, "  "));
}

std::string step_name(const ScriptShown& shown, std::size_t step) {
  const auto session = shown.run.steps[step].session;
  return in_quotes(
      fmt::format("{} {}", printable(shown.program.sessions[session].name), step + 1));
}

std::string session_block(const ScriptShown& shown, database::SessionIndex session) {
  std::string out = fmt::format("\nsession {}\n",
                                in_quotes(printable(shown.program.sessions[session].name)));
  for (std::size_t i = 0; i < shown.script.steps.size(); ++i)
    if (shown.script.steps[i].session == session)
      out += fmt::format("step {} {}", step_name(shown, i),
                         block_of(shown.script.steps[i].statements));
  return out;
}

// The format has no way to say a closing brace.
std::optional<std::string> with_brace(const Script& script) {
  const auto look = [](const std::vector<std::string>& statements) {
    const auto found = std::ranges::find_if(statements, [](const std::string& statement) {
      return statement.find('}') != std::string::npos;
    });
    return found == statements.end() ? std::nullopt : std::optional(*found);
  };
  for (const auto* const statements : {&script.tables, &script.rows})
    if (auto found = look(*statements)) return found;
  for (const ScriptStep& step : script.steps)
    if (auto found = look(step.statements)) return found;
  for (const Script::Question& question : script.questions)
    if (auto found = look({question.query})) return found;
  return std::nullopt;
}

}  // namespace

std::string terminal_script(const ScriptShown& shown) {
  const ScheduledRun run = scheduled(shown);
  std::string out = fmt::format(
      "-- {}\n"
      "-- Terminals with psql, all in one database: {}.\n"
      "-- Each begins with the first line; the first one also makes the tables.  Then do "
      "the\n"
      "-- steps in their order, each in the terminal that it names.\n\n"
      "SET search_path = {};\n\n"
      "CREATE SCHEMA {};\n{}{}",
      printable(shown.title, 200), fmt::join(names_of_sessions(shown), ", "), schema,
      schema, lines_of(shown.script.tables, ""), lines_of(shown.script.rows, ""));
  for (std::size_t i = 0; i < shown.script.steps.size(); ++i) {
    const auto& step = shown.run.steps[i];
    out += fmt::format("\n-- {}. {}\n{}--    {}\n", i + 1,
                       printable(shown.program.sessions[step.session].name),
                       lines_of(shown.script.steps[i].statements, ""),
                       printable(told_reply(run, step), 400));
  }
  out += "\n-- In the end\n";
  for (const Script::Question& question : shown.script.questions)
    out += fmt::format("{};\n--    {}: {}\n", question.query, printable(question.name, 80),
                       holds(shown, question.name) ? "holds" : "is broken");
  return out + fmt::format("\nDROP SCHEMA {} CASCADE;\n", schema);
}

tl::expected<std::string, std::string> isolation_spec(const ScriptShown& shown) {
  if (const auto statement = with_brace(shown.script))
    return tl::unexpected(
        fmt::format("a spec of isolationtester cannot have a '}}' in it, as here: {}",
                    printable(*statement, 200)));
  std::string out = fmt::format("# {}\n\n", printable(shown.title, 200));
  for (const auto* const statements : {&shown.script.tables, &shown.script.rows})
    for (const std::string& statement : *statements)
      out += fmt::format("setup {}", block_of({statement}));
  std::vector<std::string> tables;
  for (const program::Table& table : shown.program.tables)
    tables.push_back(program::quoted_name(table.name));
  out += fmt::format("\nteardown {}",
                     block_of({fmt::format("DROP TABLE {}", fmt::join(tables, ", "))}));
  for (const database::SessionIndex session : active_sessions(scheduled(shown)))
    out += session_block(shown, session);
  std::vector<std::string> order;
  for (std::size_t i = 0; i < shown.script.steps.size(); ++i)
    order.push_back(step_name(shown, i));
  if (!shown.script.questions.empty()) out += "\nsession \"in the end\"\n";
  for (const Script::Question& question : shown.script.questions) {
    const std::string name = in_quotes(printable(question.name, 60));
    out +=
        fmt::format("# {}\nstep {} {}", holds(shown, question.name) ? "holds" : "is broken",
                    name, block_of({question.query}));
    order.push_back(name);
  }
  return out + fmt::format("\npermutation {}\n", fmt::join(order, " "));
}

}  // namespace isomer::report
