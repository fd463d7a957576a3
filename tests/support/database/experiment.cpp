// SPDX-License-Identifier: MIT
#include "support/database/experiment.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "program/scenario/scenario.h"
#include "support/database/driven_sessions.h"

namespace isomer::test {
namespace {

using database::IsolationLevel;
using database::Reply;

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

const std::map<std::string, std::string>& level_names() {
  static const std::map<std::string, std::string> names{
      {"RC", "READ COMMITTED"}, {"RR", "REPEATABLE READ"}, {"SER", "SERIALIZABLE"}};
  return names;
}

// The levels at which MariaDB runs an experiment.
struct LevelOfRun {
  IsolationLevel level = IsolationLevel::RepeatableRead;
  bool has_snapshot_isolation = false;
};

const std::map<std::string, LevelOfRun>& levels_of_runs() {
  static const std::map<std::string, LevelOfRun> names{
      {"RU", {IsolationLevel::ReadUncommitted, false}},
      {"RC", {IsolationLevel::ReadCommitted, false}},
      {"RR", {IsolationLevel::RepeatableRead, false}},
      {"SER", {IsolationLevel::Serializable, false}},
      {"SI-RC", {IsolationLevel::ReadCommitted, true}},
      {"SI", {IsolationLevel::RepeatableRead, true}},
      {"SI-SER", {IsolationLevel::Serializable, true}}};
  return names;
}

// How SQLite is set up that runs an experiment.
const std::map<std::string, database::ServerKind>& sqlite_kinds() {
  using database::Database;
  static const std::map<std::string, database::ServerKind> names{
      {"J", {.database = Database::Sqlite, .fails_when_busy = true}},
      {"J+", {.database = Database::Sqlite}},
      {"W", {.database = Database::Sqlite, .has_wal = true, .fails_when_busy = true}},
      {"W+", {.database = Database::Sqlite, .has_wal = true}}};
  return names;
}

// The script of one session, as its statements come.
struct Script {
  std::string begin;  // empty: every statement is a transaction of its own
  bool is_driven = false;
  bool commits_each = false;
  std::string text{};
  bool is_open = false;
  bool has_savepoint = false;

  void add(const std::string& sql) {
    if (!begin.empty() && !is_open) {
      text += begin + ";\n";
      is_open = true;
    }
    text += sql + ";\n";
    if (commits_each) {
      text += "COMMIT;\n";
      is_open = false;
    }
    has_savepoint |= sql.starts_with("SAVEPOINT");
    if (sql == "COMMIT" || sql == "ROLLBACK") is_open = has_savepoint = false;
  }

  // An error ends the transaction, unless there is a savepoint to go back to.
  void fail() {
    if (is_open && !has_savepoint && !is_driven) close();
  }

  void close() {
    if (is_open) text += "ROLLBACK;\n";
    is_open = has_savepoint = false;
  }
};

bool is_sqlstate(const std::string& expected) {
  return expected.size() == 5 && std::all_of(expected.begin(), expected.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
         });
}

// "a, b" by its commas, without the blanks.
std::vector<std::string> pieces(const std::string& text, char mark) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, mark);)
    if (item = trimmed(item); !item.empty()) out.push_back(item);
  return out;
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path)
      : path_(path),
        is_mariadb_(path.parent_path().filename() == "mariadb"),
        is_sqlite_(path.parent_path().filename() == "sqlite") {}

  std::vector<Experiment> read() {
    std::ifstream in(path_);
    for (std::string line; std::getline(in, line);) {
      ++line_;
      line = trimmed(line);
      if (line.empty() || line[0] == '#') continue;
      if (line.starts_with("= "))
        begin(line.substr(2));
      else if (line.starts_with("levels "))
        read_levels(line.substr(7));
      else if (line.starts_with("at "))
        read_runs(line.substr(3));
      else if (line.starts_with("rows "))
        (out_.empty() ? rows_of_all_ : rows_) += line.substr(5) + ";\n";
      else
        read_step(line);
    }
    finish();
    return std::move(out_);
  }

 private:
  void begin(const std::string& name) {
    finish();
    out_.push_back({.name = name, .file = path_, .line = line_});
    scripts_.clear();
    runs_.clear();
    kinds_.clear();
    immediate_.clear();
    levels_.clear();
    rows_ = rows_of_all_;
  }

  void finish() {
    if (out_.empty()) return;
    Experiment& last = out_.back();
    last.scenario = fmt::format("app = \"tables.sql\"\n\n[init]\nsql = \"\"\"\n{}\"\"\"\n",
                                rows_.empty() ? "SELECT 1;\n" : rows_);
    for (std::size_t i = 0; i < scripts_.size(); ++i) {
      scripts_[i].close();
      last.scenario +=
          fmt::format("\n[[session]]\nname = \"{}\"\nscript = \"\"\"\n{}\"\"\"\n",
                      last.sessions[i], scripts_[i].text);
    }
    if (rows_.empty()) {
      const auto at = last.scenario.find("[init]");
      last.scenario.erase(at, last.scenario.find("[[session]]") - at);
    }
    if (is_mariadb_) spread();
    if (is_sqlite_) spread_set_ups();
  }

  // One for each set-up in which it is run.
  void spread_set_ups() {
    const Experiment whole = std::move(out_.back());
    out_.pop_back();
    for (const std::string& word : kinds_) {
      Experiment& one = out_.emplace_back(whole);
      one.name += " at " + word;
      const auto kind = sqlite_kinds().find(word);
      if (kind == sqlite_kinds().end())
        one.problem = "no set-up " + word;
      else
        one.kind = kind->second;
      for (const std::string& session : one.sessions)
        one.begin.push_back({.is_immediate = std::ranges::count(immediate_, session) != 0});
    }
    if (kinds_.empty()) out_.emplace_back(whole).problem = "it has no set-up";
  }

  // One for each level at which it is run.
  void spread() {
    const Experiment whole = std::move(out_.back());
    out_.pop_back();
    for (const auto& [level, run] : runs_) {
      Experiment& one = out_.emplace_back(whole);
      if (!level.empty()) one.name += " at " + level;
      one.kind = {.database = database::Database::MariaDb,
                  .has_snapshot_isolation = run.has_snapshot_isolation};
      for (const std::string& session : one.sessions)
        one.begin.push_back(begin_of(session, run.level));
    }
    if (runs_.empty()) out_.emplace_back(whole).problem = "it has no levels";
  }

  [[nodiscard]] database::BeginOptions begin_of(const std::string& session,
                                                IsolationLevel level) const {
    if (session == "Z") return {.level = IsolationLevel::ReadCommitted};
    const auto own = levels_.find(session);
    return {.level = own != levels_.end() ? own->second : level,
            .is_read_only = read_only_ == session};
  }

  // "A IMMEDIATE, B IMMEDIATE"
  void read_immediate(const std::string& text) {
    for (const std::string& item : pieces(text, ',')) {
      immediate_.push_back(item.substr(0, item.find(' ')));
      if (!item.ends_with(" IMMEDIATE"))
        out_.back().problem = fmt::format("line {}: no level in {}", line_, item);
    }
  }

  void read_runs(const std::string& text) {
    if (is_sqlite_) {
      kinds_ = pieces(text, ' ');
      return;
    }
    const auto parts = pieces(text, ',');
    read_only_.clear();
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (!parts[i].ends_with(" READ ONLY"))
        out_.back().problem = fmt::format("line {}: {}", line_, parts[i]);
      read_only_ = parts[i].substr(0, parts[i].find(' '));
    }
    for (const std::string& name : pieces(parts.at(0), ' ')) {
      const auto level = levels_of_runs().find(name);
      if (level == levels_of_runs().end())
        out_.back().problem = fmt::format("line {}: no level {}", line_, name);
      else
        runs_.emplace_back(name, level->second);
    }
  }

  // MariaDB: one run, with sessions of different levels.
  void read_own_levels(const std::string& text) {
    runs_.emplace_back("", LevelOfRun());
    read_only_.clear();
    for (const std::string& item : pieces(text, ',')) {
      const auto level = levels_of_runs().find(item.substr(item.find(' ') + 1));
      if (level == levels_of_runs().end())
        out_.back().problem = fmt::format("line {}: no level in {}", line_, item);
      else
        levels_[item.substr(0, item.find(' '))] = level->second.level;
    }
  }

  void read_levels(const std::string& text) {
    if (is_mariadb_) return read_own_levels(text);
    if (is_sqlite_) return read_immediate(text);
    for (const std::string& item : pieces(text, ',')) {
      const std::string name = item.substr(0, item.find(' '));
      const std::string modes = trimmed(item.substr(name.size()));
      const std::string first = modes.substr(0, modes.find(' '));
      const auto level = level_names().find(first);
      if (level == level_names().end())
        out_.back().problem = fmt::format("line {}: no level in {}", line_, item);
      else
        scripts_[session(name)].begin = fmt::format(
            "BEGIN ISOLATION LEVEL {}{}", level->second, modes.substr(first.size()));
    }
  }

  database::SessionIndex session(const std::string& name) {
    auto& names = out_.back().sessions;
    const auto place = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<database::SessionIndex>(place - names.begin());
    if (place == names.end()) {
      names.push_back(name);
      const bool is_driven = is_mariadb_ || is_sqlite_;
      scripts_.push_back({.begin = is_driven ? "BEGIN" : "",
                          .is_driven = is_driven,
                          .commits_each = is_driven && commits_each(name)});
    }
    return index;
  }

  void read_step(const std::string& line) {
    const auto arrow = line.find(" -> ");
    const std::string expected =
        arrow == std::string::npos ? "" : trimmed(line.substr(arrow + 4));
    const std::string act = trimmed(line.substr(0, arrow));
    const auto end = act.find_first_of(": ");
    ExperimentStep step{.line = line_,
                        .session = session(act.substr(0, end)),
                        .is_wake = act.ends_with(" wakes"),
                        .sql = "",
                        .expected = expected};
    if (!step.is_wake) {
      step.sql = trimmed(act.substr(end + 1));
      scripts_[step.session].add(step.sql);
    }
    if (is_sqlstate(expected)) scripts_[step.session].fail();
    out_.back().steps.push_back(std::move(step));
  }

  std::string path_;
  bool is_mariadb_;
  bool is_sqlite_;
  std::size_t line_ = 0;
  std::vector<Experiment> out_;
  std::vector<Script> scripts_;
  std::string rows_, rows_of_all_;
  std::vector<std::pair<std::string, LevelOfRun>> runs_;  // by their names
  std::map<std::string, IsolationLevel> levels_;          // of sessions
  std::string read_only_;                                 // a session
  std::vector<std::string> kinds_;                        // SQLite's set-ups
  std::vector<std::string> immediate_;                    // sessions
};

// --- runs ---

IsolationLevel level_of(const program::TransactionType& type) {
  if (type.level == "SERIALIZABLE") return IsolationLevel::Serializable;
  if (type.level == "REPEATABLE READ") return IsolationLevel::RepeatableRead;
  return IsolationLevel::ReadCommitted;
}

std::string text_of(const std::vector<std::vector<program::Value>>& rows) {
  std::string out;
  for (const auto& row : rows) {
    std::string cells;
    for (const program::Value& value : row)
      cells += (cells.empty() ? "" : ", ") + program::to_text(value);
    out += fmt::format("{}({})", out.empty() ? "" : " ", cells);
  }
  return out.empty() ? "no rows" : out;
}

// Run: of a scenario by a schedule, or driven.
template <class Run>
struct Runner {
  const Experiment& experiment;
  Run& run;
  std::vector<std::string> out{};

  void complain(const ExperimentStep& step, const std::string& what) {
    out.push_back(fmt::format("{}:{}: {} ({}): {}", experiment.file, step.line,
                              experiment.name, experiment.sessions[step.session], what));
  }

  std::string waited(const database::ScheduleStep& step) const {
    std::string names;
    for (const auto session : step.waited_for)
      names += (names.empty() ? "" : ", ") + experiment.sessions[session];
    return "waits for " + names;
  }

  // As the reply would stand behind the arrow; in the terms of what is expected there.
  static std::string seen(const Reply& reply, const std::string& expected) {
    if (reply.kind == Reply::Kind::Failed && reply.fault.sqlstate.starts_with("SQLITE_"))
      return reply.fault.sqlstate.substr(sizeof("SQLITE_") - 1);
    if (reply.kind == Reply::Kind::Failed)
      return reply.fault.number != 0 ? fmt::format("{}", reply.fault.number)
                                     : reply.fault.sqlstate;
    if (reply.kind == Reply::Kind::Waits) return "waits";
    if (expected.ends_with(" row") ||
        (expected.ends_with(" rows") && expected != "no rows"))
      return fmt::format("{} row{}", reply.count, reply.count == 1 ? "" : "s");
    return expected.empty() ? "" : text_of(reply.rows);
  }

  // "1 row | 1213": one of them.
  void expect(const ExperimentStep& step, const Reply& reply) {
    for (const std::string& one : pieces(step.expected, '|'))
      if (seen(reply, one) == one) return;
    expect(step, seen(reply, step.expected));
  }

  void expect(const ExperimentStep& step, const std::string& found) {
    if (found != step.expected)
      complain(step, fmt::format("expected {}, found {}",
                                 step.expected.empty() ? "success" : step.expected,
                                 found.empty() ? "success" : found));
  }

  // Those whom the last entry has woken, except those that were told of.
  void expect_nobody_woken(const ExperimentStep& after,
                           const std::vector<database::SessionIndex>& told) {
    const auto& steps = run.steps();
    for (const auto& step : steps)
      if (!step.waited_for.empty() && step.woken_by + 1 == steps.size() &&
          step.reply.kind != Reply::Kind::Waits &&
          std::find(told.begin(), told.end(), step.session) == told.end())
        complain(after, fmt::format("{} woke", experiment.sessions[step.session]));
  }

  void wake(const ExperimentStep& step) {
    const auto& steps = run.steps();
    const auto entry = std::find_if(steps.rbegin(), steps.rend(), [&](const auto& other) {
      return other.session == step.session && !other.waited_for.empty();
    });
    if (entry == steps.rend() || entry->reply.kind == Reply::Kind::Waits ||
        entry->woken_by + 1 != steps.size())
      return complain(step, "did not wake");
    expect(step, entry->reply);
  }

  void act(const ExperimentStep& step) {
    const auto runnable = run.runnable();
    if (std::find(runnable.begin(), runnable.end(), step.session) == runnable.end())
      return complain(step, "cannot go on");
    run.step(step.session);
    const auto& entry = run.steps().back();
    if (entry.waited_for.empty()) return expect(step, entry.reply);
    expect(step, step.expected == "waits" ? "waits" : waited(entry));
  }

  void all() {
    for (std::size_t i = 0; i < experiment.steps.size() && out.empty(); ++i) {
      const std::size_t first = i;
      act(experiment.steps[i]);
      std::vector<database::SessionIndex> told;
      while (i + 1 < experiment.steps.size() && experiment.steps[i + 1].is_wake) {
        wake(experiment.steps[++i]);
        told.push_back(experiment.steps[i].session);
      }
      if (out.empty()) expect_nobody_woken(experiment.steps[first], told);
    }
  }
};

}  // namespace

bool commits_each(const std::string& session) {
  return session == "X" || session == "Y" || session == "Z";
}

std::vector<Experiment> read_experiments(const std::string& path) {
  return Reader(path).read();
}

Expected<program::Program> program_of(const Experiment& experiment) {
  return program::parse_scenario(experiment.file, experiment.scenario);
}

database::BeginOptions begin_options(const program::TransactionType& type) {
  return {.level = level_of(type),
          .is_read_only = type.is_read_only,
          .is_deferrable = type.is_deferrable};
}

std::vector<std::string> surprises(const Experiment& experiment,
                                   const program::Program& program,
                                   database::Server& server) {
  const auto surprises_of = [&](auto& run) {
    Runner<std::remove_reference_t<decltype(run)>> runner{.experiment = experiment,
                                                          .run = run};
    runner.all();
    return std::move(runner.out);
  };
  if (experiment.kind.database != database::Database::PostgreSql) {
    DrivenSessions sessions(experiment, program, server);
    return surprises_of(sessions);
  }
  database::Scenario scenario{.program = program, .begin = {}};
  for (const auto& type : program.types)
    scenario.begin.push_back(begin_options(type));
  database::ScheduleRun run(scenario, server);
  return surprises_of(run);
}

}  // namespace isomer::test
