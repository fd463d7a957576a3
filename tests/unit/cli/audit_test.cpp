// SPDX-License-Identifier: MIT
// Statuses, files and streams of `isomer audit` and `isomer advise`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command.h"

namespace isomer {
namespace {

using test::Outcome;
using test::run;
using test::Scratch;
using testing::HasSubstr;

const std::string audit = "isomer audit examples/audit/withdraw.sql ";

TEST(Audit, status_tells_whether_there_are_anomalies) {
  EXPECT_EQ(run(audit + "--level EC").status, 1);
  EXPECT_EQ(run(audit + "--level PSI").status, 0);
  EXPECT_EQ(run(audit + "--level PSI,EC").status, 1);
  EXPECT_EQ(run(audit + "--level PSI --timeout 0.000001").status, 3);
}

TEST(Audit, json_follows_its_schema) {
  for (const std::string options : {"--level EC", "--level EC --no-confirm", "--prove"}) {
    const Outcome outcome = run(audit + options +
                                " --json | python3 tests/support/validate_schema.py "
                                "docs/schema/audit.schema.json -");
    EXPECT_EQ(outcome.status, 0) << options << "\n" << outcome.output;
  }
}

TEST(Audit, refuses_what_it_cannot_audit) {
  for (const char* wrong : {"--level RC", "--level adya:PL-3", "--level XX",
                            "--max-cycle 1", "--ignore-harmless --no-confirm"}) {
    const Outcome outcome = run(audit + wrong);
    EXPECT_EQ(outcome.status, 2) << wrong << "\n" << outcome.output;
  }
  EXPECT_THAT(run(audit + "--level RC").output, HasSubstr("do not share one snapshot"));
  EXPECT_EQ(run("isomer audit tests/corpus/program/litmus/shoppingCart-4.txn").status, 2);
}

TEST(Audit, scenarios_of_anomalies_can_be_explored) {
  const Scratch scratch;
  run(audit + "--level EC --scenario-out $SCRATCH/found");
  const Outcome outcome =
      run("isomer explore --level cerone:EC --find unserializable --granularity field "
          "$SCRATCH/found/EC-1.toml");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
}

TEST(Advise, json_follows_its_schema) {
  for (const std::string options : {"", "--levels EC,PSI", "--database postgresql"}) {
    const Outcome outcome =
        run("isomer advise examples/audit/withdraw.sql --json " + options +
            " | python3 tests/support/validate_schema.py docs/schema/advise.schema.json -");
    EXPECT_EQ(outcome.status, 0) << options << "\n" << outcome.output;
  }
}

}  // namespace
}  // namespace isomer
