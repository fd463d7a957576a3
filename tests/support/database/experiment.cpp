// SPDX-License-Identifier: MIT
#include "support/database/experiment.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "program/scenario/scenario.h"

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

// The script of one session, as its statements come.
struct Script {
  std::string level;  // empty: every statement is a transaction of its own
  std::string text{};
  bool is_open = false;
  bool has_savepoint = false;

  void add(const std::string& sql) {
    if (!level.empty() && !is_open) {
      text += fmt::format("BEGIN ISOLATION LEVEL {};\n", level);
      is_open = true;
    }
    text += sql + ";\n";
    has_savepoint |= sql.starts_with("SAVEPOINT");
    if (sql == "COMMIT" || sql == "ROLLBACK") is_open = has_savepoint = false;
  }

  // An error ends the transaction, unless there is a savepoint to go back to.
  void fail() {
    if (is_open && !has_savepoint) close();
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

class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

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
      else if (line.starts_with("rows "))
        rows_ += line.substr(5) + ";\n";
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
    rows_.clear();
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
  }

  void read_levels(const std::string& text) {
    std::istringstream in(text);
    for (std::string item; std::getline(in, item, ',');) {
      item = trimmed(item);
      const std::string name = item.substr(0, item.find(' '));
      const std::string modes = trimmed(item.substr(name.size()));
      const std::string first = modes.substr(0, modes.find(' '));
      const auto level = level_names().find(first);
      if (level == level_names().end())
        out_.back().problem = fmt::format("line {}: no level in {}", line_, item);
      else
        scripts_[session(name)].level = level->second + modes.substr(first.size());
    }
  }

  database::SessionIndex session(const std::string& name) {
    auto& names = out_.back().sessions;
    const auto place = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<database::SessionIndex>(place - names.begin());
    if (place == names.end()) {
      names.push_back(name);
      scripts_.push_back({});
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
  std::size_t line_ = 0;
  std::vector<Experiment> out_;
  std::vector<Script> scripts_;
  std::string rows_;
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

struct Runner {
  const Experiment& experiment;
  database::ScheduleRun& run;
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
    if (reply.kind == Reply::Kind::Failed) return reply.fault.sqlstate;
    if (reply.kind == Reply::Kind::Waits) return "waits";
    if (expected.ends_with(" row") ||
        (expected.ends_with(" rows") && expected != "no rows"))
      return fmt::format("{} row{}", reply.count, reply.count == 1 ? "" : "s");
    return expected.empty() ? "" : text_of(reply.rows);
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
    expect(step, seen(entry->reply, step.expected));
  }

  void act(const ExperimentStep& step) {
    const auto runnable = run.runnable();
    if (std::find(runnable.begin(), runnable.end(), step.session) == runnable.end())
      return complain(step, "cannot go on");
    run.step(step.session);
    const auto& entry = run.steps().back();
    if (entry.waited_for.empty()) return expect(step, seen(entry.reply, step.expected));
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
  database::Scenario scenario{.program = program, .begin = {}};
  for (const auto& type : program.types)
    scenario.begin.push_back(begin_options(type));
  database::ScheduleRun run(scenario, server);
  Runner runner{.experiment = experiment, .run = run};
  runner.all();
  return std::move(runner.out);
}

}  // namespace isomer::test
