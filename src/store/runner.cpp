// SPDX-License-Identifier: MIT
#include "store/runner.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/machine/keys.h"
#include "program/scenario/write.h"

namespace isomer::store {
namespace {

constexpr const char* serialization_failure = "40001";
constexpr const char* serialization_message =
    "could not serialize access: the level allows no version of what was read";
constexpr const char* conflict_message =
    "could not serialize access: the level does not allow these writes after these reads";
constexpr const char* scripted_message =
    "could not serialize access: the script has it rolled back";

}  // namespace

Runner::Runner(const Program& program, const Arguments& arguments, const Options& options,
               const KeyUniverse& universe)
    : program_(program),
      arguments_(arguments),
      options_(options),
      universe_(universe),
      random_(options.seed),
      next_call_(program.sessions.size(), 0) {
  std::uint32_t calls = 0;
  for (const program::Session& session : program.sessions) {
    first_call_.push_back(calls);
    calls += static_cast<std::uint32_t>(session.calls.size());
  }
  for (auto& [key, value] : program::initial_database(program, options.granularity))
    versions_[key].push_back({0, value});
  if (options.policy == Policy::Script) {
    ISOMER_ASSERT(options.script != nullptr);
    script_ = options.scripted_calls != nullptr
                  ? make_script(*options.script, *options.scripted_calls)
                  : make_script(program, *options.script);
    if (!script_->problem.empty()) divergence_ = {0, 0, script_->problem};
  }
}

bool Runner::run() {
  while (const std::optional<Place> next = next_transaction()) {
    if (options_.budget.is_exhausted()) return false;
    run_transaction(next->first, next->second);
  }
  return true;
}

std::optional<Place> Runner::next_transaction() {
  if (script_) {
    if (script_next_ == script_->order.size()) return std::nullopt;
    return script_->order[script_next_++];
  }
  std::vector<std::uint32_t> open;
  for (std::uint32_t s = 0; s < next_call_.size(); ++s)
    if (next_call_[s] < program_.sessions[s].calls.size()) open.push_back(s);
  if (open.empty()) return std::nullopt;
  const std::uint32_t session = open[random_.below(open.size())];
  return Place{session, next_call_[session]++};
}

void Runner::run_transaction(std::uint32_t session, std::uint32_t index) {
  const program::Call& call = program_.sessions[session].calls[index];
  Running running;
  running.record.outcome.session = session;
  running.record.outcome.index = index;
  running.record.type = program::called_name(call.text);
  running.reads_and_writes.session = session;
  running.reads_and_writes.type = running.record.type;
  program::Machine machine(program_, call, arguments_[first_call_[session] + index],
                           options_.granularity);
  for (bool is_running = true; is_running;) {
    program::Step step = machine.next();
    is_running = false;
    if (const auto* wants = std::get_if<program::WantsRead>(&step)) {
      is_running = read(running, machine, *wants);
    } else if (const auto* scans = std::get_if<program::WantsUniverse>(&step)) {
      machine.answer(program::universe_of(scans->prefix, universe_));
      is_running = true;
    } else if (const auto* writes = std::get_if<program::WritesKey>(&step)) {
      write(running, *writes);
      is_running = true;
    } else if (const auto* commits = std::get_if<program::Commits>(&step)) {
      commit(running, *commits);
    } else if (const auto* aborts = std::get_if<program::Aborts>(&step)) {
      running.record.outcome.is_limit = aborts->is_limit;
      roll_back(running, aborts->reason, aborts->sqlstate, aborts->at);
    } else if (const auto* fails = std::get_if<program::FailsAssert>(&step)) {
      running.record.outcome.has_failed_assert = true;
      roll_back(running, fails->message, "P0004", fails->at);
    }
  }
  compare_end(running);
  for (const program::Variable& variable : program_.types[call.type].variables)
    running.record.locals.emplace(variable.name, machine.local(variable.name));
  ran_.push_back(std::move(running.record));
}

// False if the transaction had to be rolled back.
bool Runner::read(Running& running, program::Machine& machine,
                  const program::WantsRead& wants) {
  const std::optional<std::uint32_t> writer = choose_writer(running, wants.key);
  if (!writer) {
    roll_back(running, serialization_message, serialization_failure, wants.at);
    return false;
  }
  const std::vector<Version>& all = versions(wants.key);
  const auto version = std::ranges::find(all, *writer, &Version::writer);
  running.reads_and_writes.reads.push_back({number_of(wants.key), *writer});
  running.record.accesses.push_back({.is_write = false,
                                     .key = wants.key,
                                     .value = version->value,
                                     .writer = *writer,
                                     .at = wants.at});
  machine.answer(version->value);
  return true;
}

std::optional<std::uint32_t> Runner::choose_writer(Running& running, const KeyName& key) {
  switch (options_.policy) {
    case Policy::Latest:
      return latest_writer(running, key);
    case Policy::Random:
      return random_writer(running, key);
    case Policy::Script:
      return scripted_writer(running, key);
  }
  ISOMER_UNREACHABLE();
}

// Every version with equal chance, those that the level forbids left out.
std::optional<std::uint32_t> Runner::random_writer(Running& running, const KeyName& key) {
  std::vector<std::uint32_t> writers;
  for (const Version& version : versions(key))
    writers.push_back(version.writer);
  if (writers.size() == 1) return writers.front();
  for (std::size_t rest = writers.size(); rest > 0; --rest) {
    std::swap(writers[random_.below(rest)], writers[rest - 1]);
    if (allows_read(running, key, writers[rest - 1])) return writers[rest - 1];
  }
  return std::nullopt;
}

// The latest version, or with a level, the latest that it allows.
std::optional<std::uint32_t> Runner::latest_writer(const Running& running,
                                                   const KeyName& key) {
  const std::vector<Version>& all = versions(key);
  if (!options_.level || options_.policy == Policy::Latest || all.size() == 1)
    return all.back().writer;
  for (auto version = all.rbegin(); version != all.rend(); ++version)
    if (allows_read(running, key, version->writer)) return version->writer;
  return std::nullopt;
}

// What is wrong with reading what the script says, if anything: conditions (2) and (3) of
// IsoPredict's validation (section 5).
std::string Runner::obstacle(const Running& running, const ScriptedRead& wanted) {
  const KeyName& key = wanted.key;
  const std::optional<std::uint32_t> writer = number_of(wanted.writer);
  if (!writer ||
      std::ranges::find(versions(key), *writer, &Version::writer) == versions(key).end())
    return fmt::format("the script has it read {} from a transaction that did not write it",
                       key);
  const bool has_choice = versions(key).size() > 1;
  if (options_.level && has_choice && !allows_read(running, key, *writer))
    return fmt::format("{} does not allow it to read {} as the script has it",
                       options_.level->name, key);
  return {};
}

const ScriptedTransaction& Runner::scripted(const Running& running) const {
  static const ScriptedTransaction unknown;
  const TransactionOutcome& at = running.record.outcome;
  const auto found = script_->transactions.find({at.session, at.index});
  return found == script_->transactions.end() ? unknown : found->second;
}

bool Runner::is_to_fail(const Running& running) const {
  return script_ && scripted(running).is_known && !scripted(running).is_committed;
}

bool Runner::is_try(const Running& running) const {
  return script_ && scripted(running).is_try;
}

// Reads that the script does not have are passed over on either side, so that a run that
// has left its script follows it again where it can.
std::optional<std::uint32_t> Runner::scripted_writer(Running& running, const KeyName& key) {
  const ScriptedTransaction& script = scripted(running);
  const auto rest =
      script.reads.begin() + static_cast<std::ptrdiff_t>(running.script_position);
  if (rest == script.reads.end()) {
    if (script.is_known && !script.is_cut)
      diverge(running, fmt::format("reads {}, but the script has no more reads", key));
    return latest_writer(running, key);
  }
  if (rest->key != key)
    diverge(running, fmt::format("reads {}, but the script has {}", key, rest->key));
  const auto wanted = std::find_if(
      rest, script.reads.end(), [&](const ScriptedRead& read) { return read.key == key; });
  if (wanted == script.reads.end()) return latest_writer(running, key);
  running.script_position = static_cast<std::size_t>(wanted - script.reads.begin()) + 1;
  std::string wrong = obstacle(running, *wanted);
  if (wrong.empty()) return number_of(wanted->writer);
  diverge(running, std::move(wrong));
  return latest_writer(running, key);
}

// The transaction has ended; did the script have it end there, and so?
void Runner::compare_end(const Running& running) {
  if (!script_) return;
  const TransactionOutcome& at = running.record.outcome;
  const ScriptedTransaction& script = scripted(running);
  if (!script.is_known && at.is_committed)
    record_divergence(running,
                      "commits, but was rolled back when the script was written down");
  if (script.is_committed && !at.is_committed)
    diverge(running, "is rolled back, but commits in the script");
  if (script.is_known && running.script_position < script.reads.size())
    diverge(running, fmt::format("ends, but the script has it read {}",
                                 script.reads[running.script_position].key));
  for (const KeyName& key : script.writes)
    if (script.is_committed && !running.own.contains(key))
      diverge(running, fmt::format("ends, but the script has it write {}", key));
}

// What was rolled back is no part of the script, so it may read something else.
void Runner::diverge(const Running& running, std::string what) {
  if (!is_try(running)) record_divergence(running, std::move(what));
}

// The first time counts.
void Runner::record_divergence(const Running& running, std::string what) {
  if (divergence_) return;
  const TransactionOutcome& at = running.record.outcome;
  divergence_ = {at.session, at.index, std::move(what)};
}

void Runner::write(Running& running, const program::WritesKey& writes) {
  if (!universe_.contains(writes.key)) new_keys_.emplace(writes.key, Value());
  const std::uint32_t number = number_of(writes.key);
  std::vector<std::uint32_t>& keys = running.reads_and_writes.writes;
  if (std::ranges::find(keys, number) == keys.end()) keys.push_back(number);
  running.own[writes.key] = writes.value;
  running.record.accesses.push_back({.is_write = true,
                                     .key = writes.key,
                                     .value = writes.value,
                                     .writer = 0,
                                     .at = writes.at});
}

void Runner::commit(Running& running, const program::Commits& commits) {
  TransactionOutcome& outcome = running.record.outcome;
  if (options_.policy != Policy::Latest && options_.level && !running.own.empty() &&
      !allows(running.reads_and_writes)) {
    roll_back(running, conflict_message, serialization_failure, {});
    return;
  }
  if (is_to_fail(running) && !divergence_) {
    roll_back(running, scripted_message, serialization_failure, {});
    return;
  }
  outcome.is_committed = true;
  outcome.result = commits.result;
  committed_.push_back(std::move(running.reads_and_writes));
  const auto number = static_cast<std::uint32_t>(committed_.size());
  committed_number_[{outcome.session, outcome.index}] = number;
  for (auto& [key, value] : running.own)
    versions(key).push_back({number, std::move(value)});
}

void Runner::roll_back(Running& running, std::string reason, std::string sqlstate,
                       program::Span at) {
  TransactionOutcome& outcome = running.record.outcome;
  outcome.reason = std::move(reason);
  outcome.sqlstate = std::move(sqlstate);
  outcome.at = at;
}

bool Runner::allows(const RunTransaction& running) const {
  std::vector<RunTransaction> all = committed_;
  all.push_back(running);
  ISOMER_ASSERT(options_.level);
  return is_allowed(all, *options_.level, options_.budget).value_or(false);
}

bool Runner::allows_read(const Running& running, const KeyName& key, std::uint32_t writer) {
  RunTransaction trial = running.reads_and_writes;
  if (is_to_fail(running) || is_try(running)) trial.writes.clear();
  trial.reads.push_back({number_of(key), writer});
  return allows(trial);
}

// Among the committed transactions, from 1; absent if it did not commit.
std::optional<std::uint32_t> Runner::number_of(const std::optional<Place>& writer) const {
  if (!writer) return 0;
  const auto found = committed_number_.find(*writer);
  if (found == committed_number_.end()) return std::nullopt;
  return found->second;
}

std::uint32_t Runner::number_of(const KeyName& key) {
  return key_numbers_.emplace(key, static_cast<std::uint32_t>(key_numbers_.size()))
      .first->second;
}

// A key that nobody wrote has the value null.
std::vector<Runner::Version>& Runner::versions(const KeyName& key) {
  std::vector<Version>& out = versions_[key];
  if (out.empty()) out.push_back({0, Value()});
  return out;
}

}  // namespace isomer::store
