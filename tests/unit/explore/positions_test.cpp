// SPDX-License-Identifier: MIT
// explore at the levels of PostgreSQL, every order of fine steps, and the positions of
// tests/support/positions: three ways to the same outcomes.
#include "support/positions/positions.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

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

using positions::Application;

// --- outcomes as text ---

std::string text_of(const database::Reply& reply) {
  std::string out = std::to_string(reply.count);
  for (const auto& row : reply.rows) {
    out += " (";
    for (std::size_t i = 0; i < row.size(); ++i)
      out += (i == 0 ? "" : ", ") + program::to_text(row[i]);
    out += ")";
  }
  return out;
}

std::string rows_text(const std::vector<std::vector<std::vector<program::Value>>>& tables) {
  constexpr std::array names = {"t", "g", "c"};
  std::string out;
  for (std::size_t table = 0; table < tables.size(); ++table)
    for (const auto& row : tables[table]) {
      out += fmt::format("{}(", names[table]);
      for (std::size_t i = 0; i < row.size(); ++i)
        out += (i == 0 ? "" : ",") + program::to_text(row[i]);
      out += ") ";
    }
  return out;
}

// What the sessions are told on a way.
std::string outcome_of(const database::Scenario& scenario,
                       const std::vector<SessionIndex>& way) {
  std::vector<std::vector<std::string>> replies(scenario.program.sessions.size());
  const FineRuns runs(scenario, [&](SessionIndex session, const database::Reply& reply) {
    if (reply.kind == database::Reply::Kind::Done)
      replies[session].push_back(text_of(reply));
  });
  FineRun run = runs.start();
  std::vector<std::string> told(replies.size());
  std::vector<std::size_t> ended(replies.size());
  for (const SessionIndex session : way) {
    runs.move(run, session);
    const auto& ends = run.sessions[session].ends;
    if (ended[session] == ends.size() ||
        ends[ended[session]].kind == database::CallEnd::Kind::NotReached)
      continue;
    const database::CallEnd& end = ends[ended[session]++];
    const bool is_committed = end.kind == database::CallEnd::Kind::Committed;
    // The last reply is that of the end itself.
    if (!replies[session].empty()) replies[session].pop_back();
    told[session] += "[";
    for (const std::string& reply : replies[session])
      told[session] += reply + "; ";
    told[session] += (is_committed ? "committed" : end.fault.sqlstate) + "]";
    replies[session].clear();
  }
  std::string out;
  for (const std::string& text : told)
    out += text + " ";
  return out + rows_text(runs.rows(run));
}

struct Found {
  std::set<std::string> outcomes;
  std::uint64_t schedules = 0;
  bool is_complete = false;
};

template <class System>
Found found(const System& system, Reduction reduction, std::uint64_t schedules_max) {
  ReducedSearch<System> search(system, reduction, Budget());
  std::set<Fingerprint> known;
  Found out;
  out.is_complete = search.run(system.start(), [&](const FineRun& run) {
    if (known.insert(system.outcome(run)).second)
      out.outcomes.insert(outcome_of(system.scenario(), search.way()));
    return search.schedules() < schedules_max;
  });
  out.schedules = search.schedules();
  return out;
}

std::string shown(const Application& application) {
  const auto text = positions::text_of(application);
  std::string out = text.application + text.scenario;
  for (const auto& begin : positions::begin_options(application))
    out += fmt::format("level {}\n", static_cast<int>(begin.level));
  return out;
}

std::string difference(const std::string& left_name, const std::set<std::string>& left,
                       const std::string& right_name, const std::set<std::string>& right) {
  std::string out;
  for (const std::string& outcome : left)
    if (!right.contains(outcome)) out += fmt::format("only {}: {}\n", left_name, outcome);
  for (const std::string& outcome : right)
    if (!left.contains(outcome)) out += fmt::format("only {}: {}\n", right_name, outcome);
  return out;
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
  const program::Program program = positions::program_of(application);
  const database::Scenario scenario{.program = program,
                                    .begin = positions::begin_options(application)};
  const FineRuns runs(scenario);
  const Found reduced = found(runs, Reduction::Reduced, 1'000'000);
  ASSERT_TRUE(reduced.is_complete);
  const auto by_positions = positions::outcomes(application);
  EXPECT_EQ(difference("explore", reduced.outcomes, "positions", by_positions), "")
      << "seed " << seed << "\n"
      << shown(application);
  ++count.applications;
  count.outcomes += reduced.outcomes.size();
  count.schedules += reduced.schedules;
  const Found every = found(runs, Reduction::None, orders_max);
  if (!every.is_complete) return;
  ++count.in_every_order;
  count.orders += every.schedules;
  EXPECT_EQ(difference("explore", reduced.outcomes, "every order", every.outcomes), "")
      << "seed " << seed << "\n"
      << shown(application);
}

TEST(Positions, are_what_explore_and_every_order_of_steps_find) {
  Count count;
  std::uint64_t first = 1;
  std::uint64_t last = effort<std::uint64_t>(3000, 300, 30);
  if (const char* range = std::getenv("ISOMER_POSITIONS")) {
    std::sscanf(range, "%lu-%lu", &first, &last);
  }
  for (std::uint64_t seed = first; seed <= last; ++seed)
    compare(seed, effort<std::uint64_t>(100'000, 2'000, 500), count);
  std::cout << fmt::format(
      "{} applications, {} in every order; {} outcomes; {} schedules, {} orders\n",
      count.applications, count.in_every_order, count.outcomes, count.schedules,
      count.orders);
}

}  // namespace
}  // namespace isomer::explore
