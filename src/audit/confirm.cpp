// SPDX-License-Identifier: MIT
// A solution of the formulas is a suspicion: what SQL has that terms do not (texts that are
// split, sums, rounding) was left open, and so was most of the database.  It becomes a fact
// when explore finds an unserializable history of just these transactions, none of which
// can be left out.
//
// Whether the anomaly does harm is decided on that history: it does none if some serial
// order of the transactions ends in the same state and gives every caller the same result.
#include "audit/confirm.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.h"
#include "base/stopwatch.h"
#include "program/scenario.h"
#include "program/workload.h"
#include "store/store.h"

namespace isomer::audit {
namespace {

using program::Value;

constexpr double explore_seconds = 5;
constexpr double confirm_seconds = 5;
constexpr std::uint64_t draws_max = 60;
constexpr std::uint64_t varied_max = 60;

std::string toml_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
  return out;
}

std::string insert_text(const Program& program, const Rows& rows) {
  std::string out;
  for (const auto& [table, row] : rows) {
    std::vector<std::string> values;
    for (const Value& value : row)
      values.push_back(sql_text(value));
    out += fmt::format("INSERT INTO {} VALUES ({});\n", program.tables[table.index].name,
                       fmt::join(values, ", "));
  }
  return out;
}

std::string scenario_text(const std::string& rows, const std::vector<std::string>& calls) {
  std::string out = fmt::format("[init]\nsql = \"\"\"\n{}\"\"\"\n", rows);
  for (const std::string& call : calls)
    out += fmt::format("\n[[session]]\ncalls = [{}]\n", toml_quoted(call));
  return out;
}

std::string call_text(const Program& program, const AnomalyTransaction& transaction) {
  std::vector<std::string> arguments;
  for (const Value& argument : transaction.arguments)
    arguments.push_back(sql_text(argument));
  return fmt::format("{}({})", program.types[transaction.type].name,
                     fmt::join(arguments, ", "));
}

std::string scenario_of(const Program& program, const Rows& rows,
                        const std::vector<AnomalyTransaction>& transactions) {
  std::vector<std::string> calls;
  for (const AnomalyTransaction& transaction : transactions)
    calls.push_back(call_text(program, transaction));
  return scenario_text(insert_text(program, rows), calls);
}

// --- other values ---

constexpr std::array<std::int64_t, 8> amounts{1, 2, 5, 10, 50, 100, -10, -100};

// Numbers that are not part of a key, changed at random.
void vary(Value& value, Random& random) {
  const auto amount = Value::integer(amounts[random.below(amounts.size())]);
  if (value.get_if<std::int64_t>() != nullptr ||
      value.get_if<program::Decimal>() != nullptr)
    if (random.below(2) == 0) value = amount;
}

void vary(const Program& program, Rows& rows, std::vector<AnomalyTransaction>& transactions,
          Random& random) {
  for (auto& [id, row] : rows) {
    const program::Table& table = program.tables[id.index];
    for (std::uint32_t i = 0; i < row.size(); ++i) {
      const auto& key = table.primary_key;
      const bool is_key =
          std::find(key.begin(), key.end(), program::ColumnId{i}) != key.end();
      const bool refers = std::any_of(
          table.foreign_keys.begin(), table.foreign_keys.end(), [&](const auto& foreign) {
            return std::find(foreign.columns.begin(), foreign.columns.end(),
                             program::ColumnId{i}) != foreign.columns.end();
          });
      if (!is_key && !refers) vary(row[i], random);
    }
  }
  for (AnomalyTransaction& transaction : transactions)
    for (Value& argument : transaction.arguments)
      if (random.below(2) == 0) vary(argument, random);
}

Expected<Program> parsed(const Program& program, const std::string& scenario) {
  const std::filesystem::path file = application_file(program);
  const std::string text =
      fmt::format("app = {}\n{}", toml_quoted(file.filename().string()), scenario);
  return program::parse_scenario((file.parent_path() / "audit.toml").string(), text);
}

// --- harm ---

// The same calls in one session, in this order.
Program serial_program(const Program& program, const std::vector<std::size_t>& order) {
  Program out = program;
  program::Session session{.name = "serial", .calls = {}};
  for (const std::size_t i : order)
    session.calls.push_back(program.sessions[i].calls.front());
  out.sessions = {std::move(session)};
  return out;
}

using Results = std::vector<std::string>;  // by call of the scenario

std::string told(const store::TransactionOutcome& outcome) {
  return outcome.is_committed ? to_text(outcome.result) : "rolled back";
}

// The level of all transactions of the anomaly, if they have one level and no two of them
// are protected from each other besides.
std::optional<std::uint32_t> common_level(const Plan& plan, const Anomaly& anomaly) {
  std::optional<std::uint32_t> out;
  for (const AnomalyTransaction& transaction : anomaly.transactions) {
    const std::uint32_t level = plan.level_of[transaction.type];
    if (out && *out != level) return std::nullopt;
    if (!plan.is_watched.empty() && plan.is_watched[transaction.type]) return std::nullopt;
    out = level;
  }
  for (const auto& group : plan.serial) {
    const auto members = std::count_if(
        anomaly.transactions.begin(), anomaly.transactions.end(),
        [&](const AnomalyTransaction& transaction) {
          return std::find(group.begin(), group.end(), transaction.type) != group.end();
        });
    if (members > 1) {
      const bool is_one_type = std::adjacent_find(group.begin(), group.end(),
                                                  std::not_equal_to<>()) == group.end();
      std::set<std::uint32_t> types;
      for (const AnomalyTransaction& transaction : anomaly.transactions)
        if (std::find(group.begin(), group.end(), transaction.type) != group.end())
          types.insert(transaction.type);
      if (is_one_type || types.size() > 1) return std::nullopt;
    }
  }
  return out;
}

// --- attempts ---

class Confirmer {
 public:
  Confirmer(const Program& program, const level::Level& level, const Options& options,
            Anomaly& anomaly)
      : program_(program),
        options_(options),
        anomaly_(anomaly),
        level_(level.qualified_name(), level) {}

  void run() {
    anomaly_.confirmation = Confirmation::Unconfirmed;
    const bool is_found =
        attempt(scenario_of(program_, anomaly_.rows, anomaly_.transactions));
    if (is_found && !anomaly_.is_harmless) return;
    if (attempt_varied()) return;
    for (std::uint64_t seed = 1; seed <= draws_max && !program_.workload.empty(); ++seed) {
      if (options_.budget.is_exhausted() || stopwatch_.seconds() > confirm_seconds) return;
      if (attempt_drawn(seed) && !anomaly_.is_harmless) return;
    }
  }

 private:
  // A harmless confirmation is kept, but a harmful one is better.
  bool attempt_varied() {
    Random random(1);
    for (std::uint64_t i = 0; i < varied_max; ++i) {
      if (options_.budget.is_exhausted() || stopwatch_.seconds() > confirm_seconds) break;
      Rows rows = anomaly_.rows;
      std::vector<AnomalyTransaction> transactions = anomaly_.transactions;
      vary(program_, rows, transactions, random);
      if (!attempt(scenario_of(program_, rows, transactions))) continue;
      if (anomaly_.is_harmless) continue;
      anomaly_.transactions = std::move(transactions);
      return true;
    }
    return false;
  }

  bool attempt(const std::string& text) {
    const Expected<Program> scenario = parsed(program_, text);
    if (!scenario) {
      refuse(fmt::format("no scenario of it could be made: {}",
                         scenario.error().front().message));
      return false;
    }
    return explored(*scenario, text);
  }

  void refuse(std::string why) {
    if (anomaly_.confirmation != Confirmation::Confirmed &&
        anomaly_.why_unconfirmed.empty())
      anomaly_.why_unconfirmed = std::move(why);
  }

  bool explored(const Program& scenario, const std::string& text) {
    explore::Options asked;
    asked.level = level_;
    asked.find = explore::Find::Unserializable;
    asked.granularity = options_.granularity;
    asked.budget = options_.budget.within(explore_seconds);
    const explore::Result result = explore::explore(scenario, asked);
    if (!result.failure) {
      refuse(result.is_complete
                 ? "every history of the scenario that was made is serializable"
                 : fmt::format("exploring it took too long ({})", result.unknown));
      return false;
    }
    if (result.failure->dropped > 0) {
      refuse("a part of its transactions is not serializable already");
      return false;
    }
    const bool is_first = anomaly_.confirmation != Confirmation::Confirmed;
    const bool harmless =
        has_serial_outcome(scenario, result.failure->history, options_, level_);
    if (!is_first && harmless) return true;
    anomaly_.confirmation = Confirmation::Confirmed;
    anomaly_.why_unconfirmed.clear();
    anomaly_.is_harmless = harmless;
    anomaly_.scenario = text;
    return true;
  }

  // The scenario's own rows, and calls of these types as its workload draws them.
  bool attempt_drawn(std::uint64_t seed) {
    const auto drawn = program::with_workload(program_, program::WorkloadSize::Large, seed);
    if (!drawn) return false;
    Program scenario = *drawn;
    std::vector<program::Call> calls;
    for (const program::Session& session : drawn->sessions)
      calls.insert(calls.end(), session.calls.begin(), session.calls.end());
    scenario.sessions.clear();
    for (const AnomalyTransaction& transaction : anomaly_.transactions) {
      const auto found = std::find_if(calls.begin(), calls.end(), [&](const auto& call) {
        return call.type == transaction.type;
      });
      if (found == calls.end()) return false;
      scenario.sessions.push_back(
          {.name = fmt::format("s{}", scenario.sessions.size() + 1), .calls = {*found}});
      calls.erase(found);
    }
    scenario.invariants.clear();
    std::vector<std::string> texts;
    for (const program::Session& session : scenario.sessions)
      texts.push_back(session.calls.front().text);
    return explored(scenario,
                    scenario_text(insert_text(program_, scenario.initial_rows), texts));
  }

  const Program& program_;
  const Options& options_;
  Anomaly& anomaly_;
  check::AskedLevel level_;
  Stopwatch stopwatch_;
};

}  // namespace

std::string application_file(const Program& program) {
  for (const program::SourceFile& file : program.files)
    if (file.name.ends_with(".sql")) return file.name;
  return program.file;
}

bool has_serial_outcome(const Program& scenario, const history::History& history,
                        const Options& options, const check::AskedLevel& level) {
  store::Options scripted;
  scripted.policy = store::Policy::Script;
  scripted.script = &history;
  scripted.level = level;
  scripted.granularity = options.granularity;
  scripted.budget = options.budget.within(explore_seconds);
  const store::Run run = store::Store(scenario).run(scripted);
  if (run.divergence || !run.unknown.empty() || run.final_state_count != 1) return false;
  Results results(scenario.sessions.size());
  for (const store::TransactionOutcome& outcome : run.transactions)
    results[outcome.session] = told(outcome);
  std::vector<std::size_t> order(scenario.sessions.size());
  std::iota(order.begin(), order.end(), 0);
  store::Options serial;
  serial.granularity = options.granularity;
  do {
    const Program one = serial_program(scenario, order);
    const store::Run other = store::Store(one).run(serial);
    Results others(order.size());
    for (const store::TransactionOutcome& outcome : other.transactions)
      others[order[outcome.index]] = told(outcome);
    if (others == results && other.final_state == run.final_state) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

void confirm(const Program& program, const Plan& plan, const Options& options,
             Anomaly& anomaly) {
  const std::optional<std::uint32_t> level = common_level(plan, anomaly);
  if (!level) {
    anomaly.confirmation = Confirmation::Unconfirmed;
    anomaly.why_unconfirmed = "explore runs all transactions at one level";
    return;
  }
  Confirmer(program, plan.levels[*level], options, anomaly).run();
}

}  // namespace isomer::audit
