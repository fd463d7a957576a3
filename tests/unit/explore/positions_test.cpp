// SPDX-License-Identifier: MIT
// explore at the levels of PostgreSQL, every order of fine steps, and the positions of
// tests/support/positions: three ways to the same outcomes.
#include "support/positions/positions.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "explore/fine_run.h"
#include "explore/reduced_search.h"
#include "explore/schedules.h"
#include "program/value.h"
#include "support/effort.h"
#include "support/positions/random_application.h"

namespace isomer::explore {
namespace {

using database::IsolationLevel;
using positions::Application;
using positions::Outcome;
using positions::Outcomes;

// An application as explore knows it.
struct Explorable {
  explicit Explorable(const Application& application)
      : program(positions::program_of(application)),
        scenario{.program = program, .begin = positions::begin_options(application)} {}

  program::Program program;
  database::Scenario scenario;
};

// --- outcomes ---

std::string text_of(const database::Reply& reply) {
  std::string out = std::to_string(reply.count);
  for (const auto& row : reply.rows) {
    std::string text;
    for (const program::Value& value : row)
      text += (text.empty() ? "" : ", ") + program::to_text(value);
    out += fmt::format(" ({})", text);
  }
  return out;
}

std::string text_of(const TableRows& tables) {
  constexpr std::array names = {"t", "g", "c"};
  std::string out;
  for (std::size_t table = 0; table < tables.size(); ++table)
    for (const auto& row : tables[table])
      out += fmt::format("{}({},{},{}) ", names[table], program::to_text(row[0]),
                         program::to_text(row[1]), program::to_text(row[2]));
  return out;
}

// A run that remembers what the sessions are told.
class ToldRun {
 public:
  explicit ToldRun(const database::Scenario& scenario)
      : replies_(scenario.program.sessions.size()),
        runs_(scenario,
              [this](SessionIndex session, const FineRun::Session&,
                     const database::Reply& reply) {
                if (reply.kind == database::Reply::Kind::Done)
                  replies_[session].push_back(text_of(reply));
              }),
        run_(runs_.start()) {
    outcome_.told.resize(replies_.size());
  }

  void move(const Move& move) {
    const SessionIndex session = move.session;
    runs_.move(run_, move);
    const auto& ends = run_.sessions[session].ends;
    auto& told = outcome_.told[session];
    if (told.size() == ends.size() ||
        ends[told.size()].kind == database::CallEnd::Kind::NotReached)
      return;
    const database::CallEnd& end = ends[told.size()];
    auto& replies = replies_[session];
    // The last one is that of the end itself.
    if (!replies.empty()) replies.pop_back();
    std::string text;
    for (const std::string& reply : replies)
      text += reply + "; ";
    const bool is_committed = end.kind == database::CallEnd::Kind::Committed;
    told.push_back(text + (is_committed ? "committed" : end.fault.sqlstate));
    replies.clear();
  }

  [[nodiscard]] std::vector<SessionIndex> sessions() const { return runs_.sessions(run_); }

  // Of the session.
  [[nodiscard]] std::size_t ended(SessionIndex session) const {
    return outcome_.told[session].size();
  }

  [[nodiscard]] Outcome outcome() const {
    Outcome out = outcome_;
    out.rows = text_of(runs_.rows(run_));
    return out;
  }

 private:
  std::vector<std::vector<std::string>> replies_;
  FineRuns runs_;
  FineRun run_;
  Outcome outcome_;
};

Outcome outcome_of(const database::Scenario& scenario, const std::vector<Move>& way) {
  ToldRun run(scenario);
  for (const Move& move : way)
    run.move(move);
  return run.outcome();
}

struct Found {
  Outcomes outcomes;
  std::uint64_t schedules = 0;
  std::uint64_t states = 0;
  bool is_complete = false;
};

Found found(const database::Scenario& scenario, Reduction reduction,
            std::uint64_t schedules_max = 1'000'000) {
  const FineRuns runs(scenario);
  ReducedSearch<FineRuns> search(runs, reduction, Budget());
  std::set<Fingerprint> known;
  Found out;
  out.is_complete = search.run(runs.start(), [&](const FineRun& run) {
    if (known.insert(runs.outcome(run)).second)
      out.outcomes.insert(outcome_of(scenario, search.way()));
    return search.schedules() < schedules_max;
  });
  out.schedules = search.schedules();
  out.states = search.states();
  return out;
}

std::string shown(std::uint64_t seed, const Application& application) {
  const auto text = positions::text_of(application);
  std::string out = fmt::format("seed {}\n{}{}", seed, text.application, text.scenario);
  for (const auto& begin : positions::begin_options(application))
    out += fmt::format("level {}\n", static_cast<int>(begin.level));
  return out;
}

// Those of the left that the right lacks.
std::string missing(std::string_view what, const Outcomes& left, const Outcomes& right) {
  std::string out;
  for (const Outcome& outcome : left)
    if (!right.contains(outcome))
      out += fmt::format("{}: {}\n", what, positions::text_of(outcome));
  return out;
}

std::string difference(const Outcomes& explored, std::string_view other_name,
                       const Outcomes& other) {
  return missing("only explore", explored, other) +
         missing(fmt::format("only {}", other_name), other, explored);
}

// --- three ways ---

struct Count {
  std::uint64_t applications = 0;
  std::uint64_t in_every_order = 0;
  std::uint64_t outcomes = 0;
  std::uint64_t schedules = 0;
  std::uint64_t orders = 0;
};

void compare(std::uint64_t seed, std::uint64_t orders_max, Count& count) {
  const Application application = positions::random_application(seed);
  const Explorable explorable(application);
  const Found reduced = found(explorable.scenario, Reduction::Reduced);
  ASSERT_TRUE(reduced.is_complete);
  EXPECT_EQ(difference(reduced.outcomes, "positions", positions::outcomes(application)), "")
      << shown(seed, application);
  ++count.applications;
  count.outcomes += reduced.outcomes.size();
  const Found every = found(explorable.scenario, Reduction::None, orders_max);
  if (!every.is_complete) return;
  EXPECT_EQ(difference(reduced.outcomes, "every order", every.outcomes), "")
      << shown(seed, application);
  ++count.in_every_order;
  count.schedules += reduced.schedules;
  count.orders += every.schedules;
}

// To look for more: ISOMER_TEST_SEED says after which case to begin.
std::uint64_t seeds_before() {
  const char* seed = std::getenv("ISOMER_TEST_SEED");
  return seed == nullptr ? 0 : std::strtoull(seed, nullptr, 10);
}

TEST(Positions, are_what_explore_and_every_order_of_steps_find) {
  const auto applications = effort<std::uint64_t>(2'600, 600, 60);
  const auto orders_max = effort<std::uint64_t>(500'000, 1'000, 500);
  Count count;
  for (std::uint64_t seed = 1; seed <= applications; ++seed)
    compare(seeds_before() + seed, orders_max, count);
  fmt::print(
      "{} applications with {} outcomes; {} of them in every order, {} schedules for {}\n",
      count.applications, count.outcomes, count.in_every_order, count.schedules,
      count.orders);
  EXPECT_GE(count.in_every_order, effort<std::uint64_t>(2'000, 340, 25));
}

// --- rules that are forgotten ---

// Statements of applications that are made by hand.
namespace by_hand {

using namespace positions;

Expression number(int value) {
  return {.constant = value};
}

Expression column(Column which) {
  return {.kind = Expression::Kind::Column, .column = which};
}

Condition with_key(int key) {
  return {{.left = column(Column::Id), .right = number(key)}};
}

// a = a + 1
Statement add_one(Condition where) {
  return {
      .kind = Statement::Kind::Update,
      .where = std::move(where),
      .value = {.kind = Expression::Kind::Plus, .parts = {column(Column::A), number(1)}}};
}

Statement count_rows() {
  return {.kind = Statement::Kind::Select};
}

Statement insert(Table table, int id, int b = 0) {
  return {.kind = Statement::Kind::Insert,
          .table = table,
          .values = {number(id), number(0), number(b)}};
}

Statement lock(Table table, Condition where,
               positions::Patience patience = positions::Patience::Waits) {
  return {.kind = Statement::Kind::Lock,
          .table = table,
          .where = std::move(where),
          .lock = RowLock::Update,
          .patience = patience};
}

Statement lock_unless_locked(int key) {
  return lock(Table::T, with_key(key), positions::Patience::SkipLocked);
}

// Rows 1 and 2 of t, row 1 of g, and a session for each list of transactions.
Application application(std::initializer_list<std::vector<std::vector<Statement>>> sessions,
                        IsolationLevel level = IsolationLevel::ReadCommitted) {
  Application out;
  out.rows[Table::T] = {{1, 0, 0}, {2, 0, 0}};
  out.rows[Table::G] = {{1, 0, 0}};
  for (const auto& session : sessions) {
    auto& transactions = out.sessions.emplace_back();
    for (const auto& statements : session)
      transactions.push_back({.level = level, .statements = statements});
  }
  return out;
}

}  // namespace by_hand

struct Forgotten {
  positions::Omission rule;
  Application application;  // in which it matters
};

std::vector<Forgotten> forgotten_rules() {
  using namespace by_hand;
  const auto first = with_key(1);
  const auto second = with_key(2);
  const Statement gives_up{.kind = Statement::Kind::GiveUp};
  const Statement erases{.kind = Statement::Kind::Delete, .where = first};
  Application with_children = application(
      {{{lock(Table::G, first), insert(Table::C, 1, 3)}},
       {{insert(Table::T, 3)}, {lock(Table::G, first, positions::Patience::NoWait)}}});
  with_children.has_foreign_key = true;
  return {
      {Omission::AbortsHoldNothing,
       application({{{add_one({}), gives_up}},
                    {{lock(Table::T, {}, positions::Patience::SkipLocked)}}})},
      {Omission::FailedKeysHoldNothing,
       application({{{erases}}, {{lock_unless_locked(1), insert(Table::T, 1)}}})},
      {Omission::LocksDoNotPush, application({{{add_one(first), insert(Table::T, 3)}},
                                              {{lock(Table::T, first), count_rows()}}})},
      {Omission::FailedLooksAreUnlocked,
       application({{{lock(Table::T, {})}}, {{lock_unless_locked(1)}}})},
      {Omission::SkipsHaveNoOrder,
       application({{{lock_unless_locked(2), add_one(first)}},
                    {{lock_unless_locked(1), add_one(second)}}})},
      {Omission::NobodyQueues, application({{{add_one(second), add_one(first)}},
                                            {{lock(Table::T, {})}},
                                            {{add_one(second)}}},
                                           IsolationLevel::RepeatableRead)},
      {Omission::EveryHeapIsSorted,
       application({{{insert(Table::T, 3)}, {add_one({})}},
                    {{insert(Table::T, 0), count_rows()},
                     {add_one(with_key(3)), add_one(with_key(0))}}})},
      {Omission::ErrorsAreEarly, with_children},
  };
}

// Explore has each of these rules, so what is forgotten is one of the server.
TEST(ForgottenRule, is_noticed) {
  for (const Forgotten& each : forgotten_rules()) {
    const Outcomes right = positions::outcomes(each.application);
    EXPECT_NE(positions::outcomes(each.application, each.rule), right)
        << "rule " << static_cast<int>(each.rule);
    const Explorable explorable(each.application);
    EXPECT_EQ(difference(found(explorable.scenario, Reduction::Reduced).outcomes,
                         "positions", right),
              "")
        << "rule " << static_cast<int>(each.rule);
  }
}

// --- how many orders there are ---

// By how many ways each state can be left: nobody could go them all.
class OrderCount {
 public:
  explicit OrderCount(const database::Scenario& scenario) : runs_(scenario) {}

  std::uint64_t of_all() { return behind(runs_.start()); }

 private:
  std::uint64_t behind(const FineRun& run) {
    const auto [known, is_new] = known_.try_emplace(runs_.fingerprint(run), 0);
    if (!is_new) return known->second;
    const auto sessions = runs_.sessions(run);
    std::uint64_t count = sessions.empty() ? 1 : 0;
    for (const SessionIndex session : sessions) {
      FineRun next = run;
      runs_.move(next, {.session = session});
      count += behind(next);
    }
    known_[runs_.fingerprint(run)] = count;
    return count;
  }

  FineRuns runs_;
  std::map<Fingerprint, std::uint64_t> known_;
};

TEST(Orders, are_counted_as_they_are_tried) {
  for (std::uint64_t seed = 1; seed <= effort(100U, 10U); ++seed) {
    const Explorable explorable(positions::random_application(seed));
    const Found every = found(explorable.scenario, Reduction::None, 5'000);
    if (!every.is_complete) continue;
    EXPECT_EQ(OrderCount(explorable.scenario).of_all(), every.schedules);
  }
}

Application four_sessions_with_two_conflicts() {
  using namespace by_hand;
  // Sessions 0 and 1 meet in row 0, sessions 2 and 3 in row 6.
  constexpr int rows[4][3] = {{0, 1, 2}, {3, 4, 0}, {6, 7, 8}, {9, 10, 6}};
  Application out;
  for (int key = 0; key < 12; ++key)
    out.rows[Table::T].push_back({key, 0, 0});
  for (int session = 0; session < 4; ++session) {
    Transaction transaction;
    for (const int key : rows[session])
      transaction.statements.push_back(add_one(with_key(key)));
    out.sessions.push_back({transaction});
  }
  return out;
}

TEST(Orders, of_which_few_are_tried) {
  const Explorable explorable(four_sessions_with_two_conflicts());
  const Found reduced = found(explorable.scenario, Reduction::Reduced);
  const Found once = found(explorable.scenario, Reduction::StatesOnce);
  const std::uint64_t orders = OrderCount(explorable.scenario).of_all();
  EXPECT_TRUE(reduced.is_complete);
  EXPECT_EQ(reduced.outcomes, once.outcomes);
  EXPECT_EQ(reduced.schedules, 34U);
  EXPECT_EQ(once.schedules, 23'985U);  // each state once
  EXPECT_EQ(orders, 3'347'628'209'279'280U);
}

// --- SERIALIZABLE ---

// One transaction after the other, in every order that the sessions allow.
void run_serially(const database::Scenario& scenario, std::vector<SessionIndex>& order,
                  Outcomes& out) {
  ToldRun run(scenario);
  for (const SessionIndex session : order) {
    const std::size_t ended = run.ended(session);
    while (run.ended(session) == ended)
      run.move({.session = session});
  }
  const auto sessions = run.sessions();
  if (sessions.empty()) out.insert(run.outcome());
  for (const SessionIndex session : sessions) {
    order.push_back(session);
    run_serially(scenario, order, out);
    order.pop_back();
  }
}

Outcomes serial_outcomes(const Application& application) {
  const Explorable explorable(application);
  std::vector<SessionIndex> order;
  Outcomes out;
  run_serially(explorable.scenario, order, out);
  return out;
}

// Without the transactions that failed.
Application committed_part(const Application& application, const Outcome& outcome) {
  Application out = application;
  for (std::size_t session = 0; session < out.sessions.size(); ++session) {
    std::vector<positions::Transaction> kept;
    for (std::size_t i = 0; i < outcome.told[session].size(); ++i)
      if (positions::is_committed(outcome.told[session][i]))
        kept.push_back(application.sessions[session][i]);
    out.sessions[session] = kept;
  }
  return out;
}

Outcome committed_part(Outcome outcome) {
  for (auto& session : outcome.told)
    std::erase_if(session,
                  [](const std::string& told) { return !positions::is_committed(told); });
  return outcome;
}

Application serializable_application(std::uint64_t seed) {
  return positions::random_application(
      seed, {.sessions = seed % 2 == 0 ? std::size_t{3} : std::size_t{2},
             .statements_max = seed % 2 == 0 ? 2U : 3U,
             .levels = {IsolationLevel::Serializable},
             .changes_keys = seed % 4 < 2,
             .has_unique = false,
             .skips_locked = false,  // which no serial order does
             .reads_much = seed % 3 != 0});
}

// What commits is what some serial order gives, and all that serial orders give commits.
TEST(Serializable, commits_what_serial_orders_give) {
  std::uint64_t serial_count = 0;
  std::uint64_t failed_count = 0;
  for (std::uint64_t i = 1; i <= effort<std::uint64_t>(3'000, 400, 40); ++i) {
    const std::uint64_t seed = seeds_before() + i;
    const Application application = serializable_application(seed);
    const Explorable explorable(application);
    const Found explored = found(explorable.scenario, Reduction::Reduced);
    ASSERT_TRUE(explored.is_complete);
    std::map<std::vector<std::size_t>, Outcomes> serial;  // by who commits
    for (const Outcome& outcome : explored.outcomes) {
      const Application part = committed_part(application, outcome);
      std::vector<std::size_t> which;
      for (const auto& session : outcome.told)
        for (const std::string& told : session)
          which.push_back(positions::is_committed(told) ? 1 : 0);
      const auto [entry, is_new] = serial.try_emplace(which);
      if (is_new) entry->second = serial_outcomes(part);
      EXPECT_TRUE(entry->second.contains(committed_part(outcome)))
          << "not serial: " << positions::text_of(outcome) << "\n"
          << shown(seed, application);
      failed_count += positions::all_commit(outcome) ? 0 : 1;
    }
    const auto all = serial_outcomes(application);
    EXPECT_EQ(missing("refused", all, explored.outcomes), "") << shown(seed, application);
    serial_count += all.size();
  }
  fmt::print("{} serial outcomes, {} others with failures\n", serial_count, failed_count);
}

Outcomes where_all_commit(Outcomes outcomes) {
  std::erase_if(outcomes, [](const Outcome& each) { return !positions::all_commit(each); });
  return outcomes;
}

// Beside others SERIALIZABLE is the absence of dangerous structures.  Positions go by rows
// and tables that were looked at, explore by what would have been seen there, so it may
// refuse less.
TEST(Serializable, refuses_no_more_than_dangerous_structures_beside_others) {
  std::uint64_t refused = 0;
  std::uint64_t allowed = 0;
  for (std::uint64_t i = 1; i <= effort<std::uint64_t>(3'000, 400, 40); ++i) {
    const std::uint64_t seed = seeds_before() + i;
    const Application application = positions::random_application(
        seed, {.sessions = 3,
               .statements_max = 2,
               .levels = {IsolationLevel::Serializable, IsolationLevel::Serializable,
                          IsolationLevel::Serializable, IsolationLevel::RepeatableRead,
                          IsolationLevel::ReadCommitted},
               .has_foreign_keys = false,
               .reads_much = true});
    const Explorable explorable(application);
    const Outcomes explored =
        where_all_commit(found(explorable.scenario, Reduction::Reduced).outcomes);
    const Outcomes safe = where_all_commit(positions::outcomes(application));
    const Outcomes all = where_all_commit(
        positions::outcomes(application, positions::Omission::StructuresAreHarmless));
    EXPECT_EQ(missing("refused", safe, explored), "") << shown(seed, application);
    EXPECT_EQ(missing("impossible", explored, all), "") << shown(seed, application);
    refused += explored != all ? 1 : 0;
    allowed += explored != safe ? 1 : 0;
  }
  fmt::print("{} applications with refusals, {} in which less is refused\n", refused,
             allowed);
  EXPECT_GE(refused, effort<std::uint64_t>(1, 1, 0));
}

}  // namespace
}  // namespace isomer::explore
