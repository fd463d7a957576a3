// SPDX-License-Identifier: MIT
#include "explore/run_history.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "check/uncertified.h"
#include "explore/serial_order.h"
#include "program/machine/keys.h"
#include "store/ran_transaction.h"

namespace isomer::explore {
namespace {

using database::AccessLog;
using database::KeyWrite;
using database::LoggedStatement;
using database::LoggedTransaction;
using database::Look;
using database::Region;
using database::RowWrite;
using database::Scenario;
using database::ScheduleStep;
using program::PrimaryKey;
using program::Program;
using program::TableId;
using program::Value;
using store::Place;
using store::RanTransaction;

// --- the versions of rows ---

struct Version {
  std::uint32_t commit = 0;  // 0: of the initial state
  Value row;                 // Null: it is not there
  // How often the same transaction wrote the key again behind it.
  std::uint32_t later_writes = 0;
};

// What each commit left of each row that the run knows.
class Versions {
 public:
  using Rows = std::map<PrimaryKey, std::vector<Version>>;

  Versions(const Program& program, const AccessLog& log)
      : program_(program), log_(log), tables_(program.tables.size()) {
    for (const auto& [table, row] : program.initial_rows)
      tables_[table.index][program::primary_key_of(program.tables[table.index], row)] = {
          {.commit = 0, .row = Value::list(row)}};
    for (std::uint32_t i = 0; i < log.committed().size(); ++i)
      for (auto& [key, row] :
           database::final_writes(program, log.transactions()[log.committed()[i]]))
        tables_[key.first.index][key.second].push_back({.commit = i + 1, .row = row});
  }

  [[nodiscard]] Version seen(TableId table, const PrimaryKey& key,
                             std::uint32_t commits) const {
    Version out;
    const Rows& rows = tables_[table.index];
    if (const auto found = rows.find(key); found != rows.end())
      for (const Version& version : found->second)
        if (version.commit <= commits) out = version;
    return out;
  }

  // The row as the commit deleted it, whatever became of its key behind that.
  [[nodiscard]] Version gone(TableId table, const PrimaryKey& key,
                             std::uint32_t commit) const {
    Version out{.commit = commit, .row = {}};
    const LoggedTransaction& of = log_.transactions()[log_.committed()[commit - 1]];
    for (const LoggedStatement& statement : of.statements)
      for (const auto& access : statement.accesses) {
        const auto* write = std::get_if<RowWrite>(&access);
        if (write == nullptr || write->undone_by) continue;
        for (const KeyWrite& written : database::key_writes(program_, *write))
          if (written.table == table && written.key == key)
            out.later_writes = written.row.is_null() ? 0 : out.later_writes + 1;
      }
    return out;
  }

  // The rows whose primary key has these values; of other columns it is enough if some
  // version has them.  One row is read whether or not the run knows it.
  [[nodiscard]] std::vector<PrimaryKey> keys_in(const Region& region) const {
    const auto& columns = program_.tables[region.table.index].primary_key;
    std::vector<std::optional<Value>> pins(columns.size());
    Region others{.table = region.table};
    for (const auto& [column, value] : region.equal) {
      const auto place = std::find(columns.begin(), columns.end(), column);
      if (place == columns.end())
        others.equal.emplace_back(column, value);
      else
        pins[static_cast<std::size_t>(place - columns.begin())] = value;
    }
    const bool is_one_row = std::all_of(pins.begin(), pins.end(),
                                        [](const auto& pin) { return pin.has_value(); });
    if (is_one_row && others.equal.empty()) {
      PrimaryKey key;
      for (const auto& pin : pins)
        key.push_back(*pin);
      return {std::move(key)};
    }
    std::vector<PrimaryKey> out;
    for (const auto& [key, versions] : tables_[region.table.index]) {
      const bool fits = std::equal(
          pins.begin(), pins.end(), key.begin(),
          [](const auto& pin, const Value& value) { return !pin || *pin == value; });
      if (fits && (others.equal.empty() ||
                   std::any_of(versions.begin(), versions.end(), [&](const Version& of) {
                     return !of.row.is_null() && others.has(of.row);
                   })))
        out.push_back(key);
    }
    return out;
  }

 private:
  const Program& program_;
  const AccessLog& log_;
  std::vector<Rows> tables_;
};

// --- one transaction ---

// Its statements as reads and writes of keys.
class Telling {
 public:
  Telling(const Program& program, const Versions& versions)
      : program_(program), versions_(versions) {}

  std::vector<store::Access> accesses(const LoggedTransaction& of) {
    for (std::size_t i = 0; i < of.statements.size(); ++i)
      add(of.statements[i], i);
    return std::move(out_);
  }

 private:
  using Row = std::pair<TableId, PrimaryKey>;

  struct Read {
    Row row;
    const Look* look = nullptr;
    Version version;
  };

  // What the transaction has written itself.
  struct Own {
    bool is_insert = false;  // of the key
    std::optional<std::size_t> undone_by;
  };

  void add(const LoggedStatement& statement, std::size_t index) {
    std::vector<Read> reads;
    std::vector<KeyWrite> writes;
    for (const auto& access : statement.accesses) {
      if (const auto* look = std::get_if<Look>(&access)) {
        for (PrimaryKey& key : versions_.keys_in(look->region))
          add_read(reads, {look->region.table, std::move(key)}, *look, index);
        continue;
      }
      const auto& write = std::get<RowWrite>(access);
      for (KeyWrite& key : database::key_writes(program_, write)) {
        const bool is_insert =
            !key.row.is_null() && (write.before.is_null() || !writes_back(write));
        own_[{key.table, key.key}].push_back(
            {.is_insert = is_insert, .undone_by = write.undone_by});
        if (!write.undone_by) writes.push_back(std::move(key));
      }
    }
    add_reads(statement, std::move(reads));
    for (KeyWrite& write : writes)
      out_.push_back({.is_write = true,
                      .key = name({write.table, write.key}),
                      .value = std::move(write.row),
                      .writer = 0,
                      .at = statement.at});
  }

  void add_read(std::vector<Read>& reads, Row row, const Look& look,
                std::size_t statement) {
    Version version = look.is_gone ? versions_.gone(row.first, row.second, look.commits)
                                   : versions_.seen(row.first, row.second, look.commits);
    if (!is_hidden(row, statement, version))
      reads.push_back(
          {.row = std::move(row), .look = &look, .version = std::move(version)});
  }

  // Under the same key?
  [[nodiscard]] bool writes_back(const RowWrite& write) const {
    const program::Table& table = program_.tables[write.table.index];
    return program::primary_key_of(table, write.before.items()) ==
           program::primary_key_of(table, write.after.items());
  }

  // Does what the transaction has written, and not undone before this statement, stand in
  // place of this version?  A row that it has inserted does not, if it could do so although
  // it sees another one with the key: then it sees both.
  [[nodiscard]] bool is_hidden(const Row& row, std::size_t statement,
                               const Version& version) const {
    const auto own = own_.find(row);
    if (own == own_.end()) return false;
    for (const Own& write : own->second)
      if (!write.undone_by || *write.undone_by > statement)
        return !write.is_insert || version.row.is_null();
    return false;
  }

  // In the order of what they see; each version once.
  void add_reads(const LoggedStatement& statement, std::vector<Read> reads) {
    std::map<Row, std::uint32_t> locked_at;
    for (const Read& read : reads)
      if (read.look->locks)
        locked_at[read.row] = std::max(locked_at[read.row], read.look->commits);
    std::erase_if(reads, [&](const Read& read) {
      return read.look->locks && read.look->commits < locked_at[read.row];
    });
    std::stable_sort(reads.begin(), reads.end(), [](const Read& a, const Read& b) {
      return a.look->commits < b.look->commits;
    });
    std::set<std::tuple<Row, std::uint32_t, std::uint32_t>> told;
    for (const auto& [row, look, version] : reads) {
      if (!told.emplace(row, version.commit, version.later_writes).second) continue;
      out_.push_back({.is_write = false,
                      .key = name(row),
                      .value = version.row,
                      .writer = version.commit,
                      .later_writes = version.later_writes,
                      .at = statement.at});
    }
  }

  [[nodiscard]] program::KeyName name(const Row& row) const {
    return program::row_key(program_.tables[row.first.index], row.second);
  }

  const Program& program_;
  const Versions& versions_;
  std::map<Row, std::vector<Own>> own_;
  std::vector<store::Access> out_;
};

// --- the run ---

// In the order of their ends: those of each session in its order, and the committed ones in
// the order of commits.
std::vector<const LoggedTransaction*> in_order(const AccessLog& log) {
  std::vector<const LoggedTransaction*> out;
  for (const LoggedTransaction& of : log.transactions())
    if (of.has_worked) out.push_back(&of);
  std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) {
    return a->ended - 1 < b->ended - 1;  // 0, still open, comes last
  });
  return out;
}

// By session: which call each transaction is that has done more than roll back.
std::vector<std::vector<std::uint32_t>> calls_of(std::size_t sessions,
                                                 const std::vector<ScheduleStep>& steps) {
  std::vector<std::vector<std::uint32_t>> out(sessions);
  std::vector<std::set<std::pair<std::uint32_t, std::uint32_t>>> known(sessions);
  for (const ScheduleStep& step : steps)
    if (step.kind != ScheduleStep::Kind::Rollback &&
        known[step.session].emplace(step.call, step.attempt).second)
      out[step.session].push_back(step.call);
  return out;
}

struct RunByKeys {
  std::vector<RanTransaction> ran;
  std::vector<Place> committed;  // their calls
};

// Where a primary key is checked late, a transaction may have two rows with one key for a
// while, which a history of keys cannot tell.  It has none if the transaction both brings a
// row to a key and takes one away.
bool has_two_rows_of_a_key(const Program& program, const LoggedTransaction& of) {
  std::set<std::pair<TableId, PrimaryKey>> come;
  std::set<std::pair<TableId, PrimaryKey>> gone;
  for (const LoggedStatement& statement : of.statements)
    for (const auto& access : statement.accesses) {
      const auto* write = std::get_if<RowWrite>(&access);
      if (write == nullptr) continue;
      const program::Table& table = program.tables[write->table.index];
      if (table.primary_key_deferral == program::Deferral::None) continue;
      const auto key_of = [&](const program::Value& row) {
        return row.is_null() ? PrimaryKey() : program::primary_key_of(table, row.items());
      };
      const PrimaryKey before = key_of(write->before);
      const PrimaryKey after = key_of(write->after);
      if (before == after) continue;
      if (!before.empty()) gone.emplace(write->table, before);
      if (!after.empty() && !come.emplace(write->table, after).second) return true;
    }
  return std::any_of(come.begin(), come.end(),
                     [&](const auto& key) { return gone.contains(key); });
}

std::optional<RunByKeys> by_keys(const Scenario& scenario,
                                 const std::vector<ScheduleStep>& steps,
                                 const AccessLog& log) {
  const Program& program = scenario.program;
  const auto calls = calls_of(program.sessions.size(), steps);
  std::vector<std::size_t> next(calls.size());
  const Versions versions(program, log);
  RunByKeys out;
  for (const LoggedTransaction* of : in_order(log)) {
    if (next[of->session] == calls[of->session].size()) return std::nullopt;
    const std::uint32_t call = calls[of->session][next[of->session]++];
    if (has_two_rows_of_a_key(program, *of)) return std::nullopt;
    RanTransaction& ran = out.ran.emplace_back();
    ran.outcome.session = of->session;
    ran.outcome.index = call;
    ran.outcome.is_committed = of->end == LoggedTransaction::End::Committed;
    if (ran.outcome.is_committed) out.committed.emplace_back(of->session, call);
    ran.accesses = Telling(program, versions).accesses(*of);
  }
  return out;
}

history::History recorded(const Scenario& scenario, const RunByKeys& run) {
  return store::record(scenario.program, program::Granularity::Row, run.ran);
}

// Leaves out the reads of committed transactions that would be of another version in this
// order; gives their number.
std::uint32_t leave_out(RunByKeys& run, const std::vector<std::size_t>& order) {
  std::vector<RanTransaction*> committed;
  for (RanTransaction& ran : run.ran)
    if (ran.outcome.is_committed) committed.push_back(&ran);
  std::map<program::KeyName, std::uint32_t> writers;
  std::size_t count = 0;
  for (const std::size_t place : order) {
    auto& accesses = committed[place]->accesses;
    count += std::erase_if(accesses, [&](const store::Access& access) {
      if (access.is_write) return false;
      const auto writer = writers.find(access.key);
      return access.later_writes != 0 ||
             access.writer != (writer == writers.end() ? 0 : writer->second);
    });
    for (const store::Access& access : accesses)
      if (access.is_write) writers[access.key] = static_cast<std::uint32_t>(place) + 1;
  }
  return static_cast<std::uint32_t>(count);
}

bool is_ser(const history::History& history, const Budget& budget) {
  return std::holds_alternative<check::Consistent>(
      check::uncertified_verdict(history, check::Level::SER, budget));
}

}  // namespace

std::optional<check::Certified<RunHistory>> history_of_run(
    const Scenario& scenario, const std::vector<ScheduleStep>& steps, const AccessLog* log,
    const Budget& budget) {
  auto run = log == nullptr ? std::nullopt : by_keys(scenario, steps, *log);
  if (!run) return std::nullopt;
  RunHistory out{.history = recorded(scenario, *run), .levels = {}};
  check::Claims claims{.also_asked = {check::all_levels.begin(), check::all_levels.end()}};
  if (!is_ser(out.history, budget)) {
    if (const auto order = serial_order(scenario, *log, run->committed, budget)) {
      out.left_out = leave_out(*run, *order);
      out.history = recorded(scenario, *run);
      claims.allowed_by = {check::Level::SER};
    }
  }
  return check::or_contradiction(
      check::certify(std::move(out), &RunHistory::history, claims, budget));
}

std::optional<bool> is_serializable_run(const Scenario& scenario,
                                        const std::vector<ScheduleStep>& steps,
                                        const AccessLog* log, const Budget& budget) {
  const auto run = log == nullptr ? std::nullopt : by_keys(scenario, steps, *log);
  if (!run) return std::nullopt;
  const check::Verdict verdict =
      check::uncertified_verdict(recorded(scenario, *run), check::Level::SER, budget);
  if (std::holds_alternative<check::Unknown>(verdict)) return std::nullopt;
  return std::holds_alternative<check::Consistent>(verdict) ||
         serial_order(scenario, *log, run->committed, budget).has_value();
}

}  // namespace isomer::explore
