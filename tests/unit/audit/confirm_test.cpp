// SPDX-License-Identifier: MIT
// What a confirmed anomaly says is so in its run.  The oracle looks at the run only: along
// reads, visibility and arbitration go forward, so who is read from, even by way of others,
// cannot write over who reads, and is not missed by it.
#include <fstream>

#include <gtest/gtest.h>

#include "audit/audit.h"
#include "base/random.h"
#include "level/library.h"
#include "program/load.h"
#include "support/command.h"
#include "support/effort.h"
#include "unit/audit/random_application.h"

namespace isomer::test {
namespace {

using audit::Anomaly;
using audit::DependencyKind;
using history::TxnId;

// Does the second read from the first, or from somebody who does?
bool is_seen_by_way_of(const history::History& history, TxnId first, TxnId second,
                       int steps) {
  for (const history::Read& read : history.reads(second)) {
    if (read.writer == first) return true;
    if (steps > 0 && read.writer != history::init && read.writer != second &&
        is_seen_by_way_of(history, first, read.writer, steps - 1))
      return true;
  }
  return false;
}

bool reads_from(const history::History& history, TxnId writer, TxnId reader) {
  return is_seen_by_way_of(history, writer, reader, 0);
}

// Gives how many dependencies it looked at.
int check_run(const program::Program& program, const Anomaly& anomaly) {
  const history::History& history = (*anomaly.evidence)->history;
  const auto txn = [&](std::uint32_t place) { return history.first_txn({place}); };
  EXPECT_EQ(history.session_count(), anomaly.transactions.size() + anomaly.beside.size());
  for (const audit::Dependency& edge : anomaly.dependencies) {
    const TxnId from = txn(edge.from);
    const TxnId to = txn(edge.to);
    SCOPED_TRACE(program.types[anomaly.transactions[edge.from].type].name);
    switch (edge.kind) {
      case DependencyKind::WriteRead:
        EXPECT_TRUE(reads_from(history, from, to));
        break;
      case DependencyKind::ReadWrite:
        EXPECT_FALSE(reads_from(history, to, from)) << "it sees what it is said to miss";
        break;
      case DependencyKind::WriteWrite:
        EXPECT_FALSE(is_seen_by_way_of(history, to, from, 4))
            << "it saw what is said to be written over it";
        break;
    }
  }
  return static_cast<int>(anomaly.dependencies.size());
}

int check_all(const program::Program& program, const std::string& level) {
  audit::Options options;
  options.cycle_max = 3;
  options.budget = Budget(20);
  const audit::Result result = audit::audit(
      program, audit::uniform_plan(program, *level::standard_level(level)), options);
  int out = 0;
  for (const Anomaly& anomaly : result.anomalies)
    if (anomaly.confirmation == audit::Confirmation::Confirmed)
      out += check_run(program, anomaly);
  return out;
}

TEST(ConfirmedRun, is_what_is_said_of_it) {
  int checked = 0;
  for (int seed = 1; seed <= effort(4, 1); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Scratch scratch;
    std::ofstream(scratch.path("app.sql")) << random_application(random).sql;
    const auto program = program::load_program(scratch.path("app.sql"));
    ASSERT_TRUE(program) << render(program.error());
    for (const char* level : {"cerone:EC", "anode:PSI"}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " " << level);
      checked += check_all(*program, level);
    }
  }
  EXPECT_GT(checked, effort(6, 1));
}

// The later order takes its number from the earlier one, so it cannot be overwritten by it.
TEST(ConfirmedRun, of_a_queue_has_numbers_in_order) {
  const auto program =
      program::load_program(ISOMER_SOURCE_DIR "/examples/papers/anode/queue.sql");
  ASSERT_TRUE(program) << render(program.error());
  EXPECT_GT(check_all(*program, "anode:PSI"), 0);
}

}  // namespace
}  // namespace isomer::test
