// SPDX-License-Identifier: MIT
#include "report/database/told_schedule.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "database/level_name.h"
#include "report/check/wording.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using database::CallEnd;
using database::Reply;
using database::ScheduleStep;
using database::SessionIndex;
using program::Value;

constexpr std::size_t rows_shown_max = 4;
constexpr std::size_t message_width_max = 160;
constexpr std::size_t statement_width_max = 600;

const std::string& session_name(const ScheduledRun& run, SessionIndex session) {
  return run.program.sessions[session].name;
}

// "INSERT", of the program's own text.
std::string first_word(const std::string& statement) {
  std::string out;
  for (const char c : statement) {
    if (!is_letter(c)) break;
    out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return out;
}

std::string row_text(const std::vector<Value>& row) {
  std::vector<std::string> cells;
  for (const Value& value : row)
    cells.push_back(cell_text(value));
  return fmt::format("({})", fmt::join(cells, ", "));
}

std::string returned_text(const std::vector<std::vector<Value>>& rows) {
  if (rows.size() == 1 && rows[0].size() == 1)
    return fmt::format("returns {}", cell_text(rows[0][0]));
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(rows.size(), rows_shown_max); ++i)
    shown.push_back(row_text(rows[i]));
  if (rows.size() > rows_shown_max) shown.emplace_back("...");
  return rows.size() == 1
             ? fmt::format("returns {}", shown[0])
             : fmt::format("returns {} rows: {}", rows.size(), fmt::join(shown, ", "));
}

// The lock functions return nothing, or whether there is a lock.
bool is_lock(const ScheduleStep& step, const std::string& word) {
  if (word == "LOCK") return true;
  const auto& rows = step.reply.rows;
  return step.text.find("pg_advisory_") != std::string::npos &&
         (rows.empty() || rows[0].empty() || rows[0][0].get_if<bool>() == nullptr);
}

// What the statement is; of a WITH, what stands behind its parentheses.
std::string main_word(const std::string& text) {
  const std::string first = first_word(text);
  if (first != "WITH") return first;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth != 0 || text[i] != ')') continue;
    const std::size_t next = text.find_first_not_of(" \n", i + 1);
    if (next == std::string::npos) break;
    const std::string word = first_word(text.substr(next));
    for (const std::string_view kind : {"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"})
      if (word == kind) return word;
  }
  return first;
}

std::string result_text(const ScheduleStep& step) {
  const std::string word = main_word(step.text);
  if (word == "SAVEPOINT" || word == "RELEASE" || word == "ROLLBACK") return "done";
  if (is_lock(step, word)) return "done";
  const std::string_view verb = word == "INSERT"   ? "inserts"
                                : word == "UPDATE" ? "changes"
                                : word == "DELETE" ? "deletes"
                                : word == "MERGE"  ? "changes"
                                                   : "";
  const std::string rows = step.reply.rows.empty() ? "" : returned_text(step.reply.rows);
  if (verb.empty()) return rows.empty() ? "returns no row" : rows;
  const std::string changes =
      step.reply.count == 0
          ? fmt::format("{} no row", verb)
          : fmt::format("{} {}", verb, counted(std::uint64_t(step.reply.count), "row"));
  return rows.empty() ? changes : fmt::format("{}, {}", changes, rows);
}

// "bank.sql:12"; the file that the heading names is not named again.
std::string place_of_step(const ScheduledRun& run, const ScheduleStep& step) {
  if (!run.has_places || step.at.last == 0) return {};
  const auto [file, position] = program::place_of(run.program, step.at.first);
  return file == run.program.file ? fmt::format("line {}", position.line)
                                  : short_place_text(run.program, step.at);
}

// " at pg:SER", where not all transactions of the scenario have one level.
std::string own_level(const program::Program& program, std::uint32_t type) {
  if (program.levels.types.empty()) return {};
  std::string word = program.levels.by_default;
  for (const auto& [assigned, named] : program.levels.types)
    if (assigned == type) word = named;
  const auto level = database::parse_level_name(word);
  return level ? fmt::format(" at {}", database::short_name(*level)) : std::string();
}

// The call; of a script, its BEGIN.
std::string beginning(const ScheduledRun& run, const ScheduleStep& step) {
  const program::Program& program = run.program;
  const program::Call& call = program.sessions[step.session].calls[step.call];
  const program::TransactionType& type = program.types[call.type];
  if (!type.is_script) return printable(call.text, 120) + own_level(program, call.type);
  if (!type.level.empty())
    return fmt::format("BEGIN ISOLATION LEVEL {}", printable(type.level));
  if (run.level && run.level->database == database::Database::Sqlite)
    return database::begin_options(program, *run.level)[call.type].is_immediate
               ? "BEGIN IMMEDIATE"
               : "BEGIN";
  return "BEGIN" + own_level(program, call.type);
}

// What the waker did, as far as it ended a wait.
std::string waker_text(const ScheduledRun& run, std::size_t index) {
  const ScheduleStep& step = run.steps[index];
  const std::string_view what = step.kind == ScheduleStep::Kind::Commit     ? "COMMIT"
                                : step.kind == ScheduleStep::Kind::Rollback ? "ROLLBACK"
                                                                            : "step";
  return fmt::format("goes on after {}'s {} ({})",
                     printable(session_name(run, step.session)), what, index + 1);
}

class Teller {
 public:
  explicit Teller(const ScheduledRun& run) : run_(run) {}

  std::vector<ToldEvent> tell() {
    if (run_.order.empty()) {
      for (std::uint32_t i = 0; i < run_.steps.size(); ++i) {
        begin(i);
        arrive(i);
      }
    } else {
      for (std::size_t at = 0; at < run_.order.size(); ++at)
        move(at);
    }
    return std::move(events_);
  }

 private:
  [[nodiscard]] const ScheduleStep& step(std::uint32_t index) const {
    return run_.steps[index];
  }

  // The same transaction goes on, behind this step.
  [[nodiscard]] bool is_followed(std::uint32_t index) const {
    const ScheduleStep& now = step(index);
    const auto rest = run_.steps.subspan(index + 1);
    const auto next = std::ranges::find(rest, now.session, &ScheduleStep::session);
    return next != rest.end() && next->call == now.call && next->attempt == now.attempt;
  }

  [[nodiscard]] bool is_first(std::uint32_t index) const {
    const ScheduleStep& now = step(index);
    return std::ranges::none_of(run_.steps.first(index), [&](const ScheduleStep& other) {
      return other.session == now.session && other.call == now.call &&
             other.attempt == now.attempt;
    });
  }

  [[nodiscard]] bool is_tried_again(std::uint32_t index) const {
    const ScheduleStep& now = step(index);
    return std::ranges::any_of(run_.steps.subspan(index), [&](const ScheduleStep& other) {
      return other.session == now.session && other.call == now.call &&
             other.attempt > now.attempt;
    });
  }

  // One entry of the order: the beginning of a step, its end, or something between.
  void move(std::size_t at) {
    const std::uint32_t index = run_.order[at];
    const bool is_begin =
        std::ranges::find(run_.order.first(at), index) == run_.order.first(at).end();
    const auto rest = run_.order.subspan(at + 1);
    const bool is_end = std::ranges::find(rest, index) == rest.end();
    if (is_begin) begin(index);
    if (is_end) {
      if (!is_begin) continue_step(index).lines.push_back({"goes on", Mood::Plain});
      arrive(index);
    } else if (is_begin) {
      events_.back().is_pending = true;
      events_.back().lines.push_back({"is on its way", Mood::Waiting});
    }
  }

  void begin(std::uint32_t index) {
    const ScheduleStep& now = step(index);
    ToldEvent& event = events_.emplace_back();
    event.step = index;
    event.session = now.session;
    event.statement = printable(now.text, statement_width_max);
    event.place = place_of_step(run_, now);
    if (!is_first(index)) return;
    event.begins = beginning(run_, now);
    if (now.attempt > 0) event.begins += fmt::format(", try {}", now.attempt + 1);
  }

  ToldEvent& continue_step(std::uint32_t index) {
    ToldEvent& event = events_.emplace_back();
    event.step = index;
    event.session = step(index).session;
    return event;
  }

  // The step has come to its end, or to its wait.
  void arrive(std::uint32_t index) {
    const ScheduleStep& now = step(index);
    arrived_.insert(index);
    if (now.waited_for.empty() || is_woken(now)) {
      finish(index, events_.back());
    } else {
      events_.back().is_pending = true;
      events_.back().lines.push_back({waits_text(now), Mood::Waiting});
    }
    wake(index);
  }

  [[nodiscard]] std::string waits_text(const ScheduleStep& now) const {
    std::vector<std::string> names;
    for (const SessionIndex session : now.waited_for)
      names.push_back(printable(session_name(run_, session)));
    return fmt::format("waits for {}{}", fmt::join(names, " and "),
                       now.reply.kind == Reply::Kind::Waits ? ", to the end" : "");
  }

  // It waited on its way, and that is over.
  [[nodiscard]] bool is_woken(const ScheduleStep& now) const {
    return now.reply.kind != Reply::Kind::Waits &&
           arrived_.contains(static_cast<std::uint32_t>(now.woken_by));
  }

  // Those that waited until this step.
  void wake(std::uint32_t waker) {
    for (std::uint32_t i = 0; i < run_.steps.size(); ++i) {
      const ScheduleStep& now = step(i);
      if (now.waited_for.empty() || now.woken_by != waker || !arrived_.contains(i) ||
          i == waker || now.reply.kind == Reply::Kind::Waits)
        continue;
      ToldEvent& event = continue_step(i);
      event.woken_by = waker;
      event.lines.push_back({waker_text(run_, waker), Mood::Waiting});
      finish(i, event);
    }
  }

  void finish(std::uint32_t index, ToldEvent& event) {
    const ScheduleStep& now = step(index);
    if (now.reply.kind == Reply::Kind::Failed)
      event.lines.push_back(
          {fmt::format("ERROR {}: {}", database::error_title(now.reply.fault),
                       printable(now.reply.fault.reason, message_width_max)),
           Mood::Bad});
    else if (now.kind == ScheduleStep::Kind::Statement)
      event.lines.push_back({result_text(now), Mood::Plain});
    event.ends_transaction = now.kind != ScheduleStep::Kind::Statement ||
                             (now.reply.kind == Reply::Kind::Failed && !is_followed(index));
    if (event.ends_transaction) event.lines.push_back(end_line(index));
  }

  [[nodiscard]] ToldLine end_line(std::uint32_t index) const {
    const ScheduleStep& now = step(index);
    const CallEnd& end = run_.calls[now.session][now.call];
    if (is_tried_again(index)) return {"rolled back, to be tried again", Mood::Bad};
    if (end.kind == CallEnd::Kind::Committed)
      return {end.result.is_null()
                  ? "committed"
                  : fmt::format("committed, returns {}", cell_text(end.result)),
              Mood::Good};
    if (now.reply.kind == Reply::Kind::Failed || end.fault.reason.empty())
      return {"rolled back", Mood::Bad};
    return {
        fmt::format("{}: {}{}", end.has_failed_assert ? "assertion failed" : "rolled back",
                    printable(end.fault.reason, message_width_max),
                    end.fault.sqlstate.empty() || end.has_failed_assert
                        ? ""
                        : fmt::format(" ({})", database::error_name(end.fault))),
        Mood::Bad};
  }

  const ScheduledRun& run_;
  std::vector<ToldEvent> events_;
  std::set<std::uint32_t> arrived_;
};

// Where the line that begins at `start` may end: behind its last word that fits.
std::size_t line_end(std::string_view text, std::size_t start, std::size_t width) {
  std::size_t characters = 0;
  std::size_t last_blank = std::string_view::npos;
  for (std::size_t at = start; at < text.size(); at = character_end(text, at)) {
    if (text[at] == ' ') last_blank = at;
    if (characters++ == width)
      return last_blank != std::string_view::npos ? last_blank : at;
  }
  return text.size();
}

}  // namespace

std::vector<ToldEvent> told_events(const ScheduledRun& run) {
  return Teller(run).tell();
}

std::string told_reply(const ScheduledRun& run, const ScheduleStep& step) {
  std::vector<std::string> names;
  for (const SessionIndex session : step.waited_for)
    names.push_back(printable(session_name(run, session)));
  std::string wait =
      names.empty() ? "" : fmt::format("waits for {}", fmt::join(names, " and "));
  if (step.reply.kind == Reply::Kind::Waits) return wait;
  if (!wait.empty()) wait += ", then ";
  if (step.reply.kind == Reply::Kind::Failed)
    return fmt::format("{}fails with {}", wait, database::error_title(step.reply.fault));
  return wait +
         (step.kind == ScheduleStep::Kind::Statement ? result_text(step) : "is done");
}

std::vector<SessionIndex> active_sessions(const ScheduledRun& run) {
  std::vector<SessionIndex> out;
  for (SessionIndex i = 0; i < run.program.sessions.size(); ++i)
    if (std::ranges::find(run.steps, i, &ScheduleStep::session) != run.steps.end())
      out.push_back(i);
  return out;
}

std::string schedule_words(const ScheduledRun& run) {
  std::vector<std::string> names;
  for (const ScheduleStep& step : run.steps) {
    std::string& name = names.emplace_back(printable(session_name(run, step.session)));
    if (names.size() > run.choices.size()) continue;
    for (const std::size_t choice : run.choices[names.size() - 1])
      name += fmt::format("/{}", choice + 1);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !continues_character(c); }));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width,
                                 std::size_t hang) {
  std::vector<std::string> out;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t indent = out.empty() ? 0 : hang;
    const std::size_t end = line_end(text, start, width - indent);
    out.push_back(std::string(indent, ' ') + std::string(text.substr(start, end - start)));
    start = std::min(text.find_first_not_of(' ', end), text.size());
  }
  return out;
}

}  // namespace isomer::report
