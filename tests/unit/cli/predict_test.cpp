// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/documents.h"

namespace isomer {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run;
using testing::HasSubstr;

constexpr const char* cart = "--run examples/apps/shopping_cart/lost_addition.toml";

TEST(Predict, json_follows_its_schema) {
  for (const std::string options :
       {"examples/bookings.trace", "examples/bookings.trace --level SI",
        "examples/bookings.trace --all 5 --boundary none",
        "examples/bookings.trace --timeout 0.000001",
        "--run examples/apps/shopping_cart/lost_addition.toml --strategy approx-relaxed "
        "--validate"})
    test::expect_json("isomer predict --json " + options, "predict");
}

TEST(Predict, status_tells_what_was_found) {
  EXPECT_EQ(run("isomer predict examples/bookings.trace").status, 1);
  EXPECT_EQ(run("isomer predict examples/serial.hist --level SI").status, 0);
  EXPECT_EQ(run("isomer predict tests/corpus/predict/large/wikipedia_1.txt.zst --timeout "
                "0.000001")
                .status,
            3);
}

// What is saved is what was shown, in any format, and checks as was promised.
TEST(Predict, saves_the_prediction_in_any_format) {
  const test::Scratch scratch;
  for (const std::string format : {"hist", "json", "isopredict"}) {
    run("isomer predict examples/bookings.trace -o $SCRATCH/p --to " + format);
    EXPECT_EQ(run("isomer check --level CC $SCRATCH/p").status, 0) << format;
    EXPECT_EQ(run("isomer check --level SER $SCRATCH/p").status, 1) << format;
  }
}

TEST(Predict, understands_the_levels_of_the_paper) {
  EXPECT_THAT(run("isomer predict --level causal --json examples/bookings.trace").output,
              HasSubstr("\"level\": \"CC\""));
  EXPECT_THAT(run("isomer predict --level rc --json examples/bookings.trace").output,
              HasSubstr("\"level\": \"RC\""));
}

TEST(Predict, a_run_is_predicted_from_and_validated) {
  const Outcome outcome = run(
      std::string("isomer predict --json --strategy approx-relaxed --validate ") + cart);
  const json document = json::parse(outcome.output);
  EXPECT_EQ(document["result"], "predicted");
  EXPECT_EQ(document["validation"], "validated");
  EXPECT_FALSE(document["predictions"][0]["validation"]["invariants"]["nothing is lost"]);
  EXPECT_THAT(std::string(document["changed_reads"][0]["place"]), HasSubstr(".sql:"));
}

// Saved by `isomer run`, a history knows its calls.
TEST(Predict, a_saved_run_is_validated_too) {
  const test::Scratch scratch;
  run("isomer run examples/apps/shopping_cart/lost_addition.toml -o $SCRATCH/run.hist");
  const Outcome outcome =
      run("isomer predict --json --strategy approx-relaxed $SCRATCH/run.hist --validate "
          "examples/apps/shopping_cart/lost_addition.toml");
  EXPECT_EQ(json::parse(outcome.output)["validation"], "validated");
}

struct Bad {
  std::string command;
  const char* message;
};

TEST(Predict, mistakes_are_status_2_with_a_reason) {
  const Bad cases[] = {
      {"isomer predict", "no TRACE given"},
      {"isomer predict x --run y", "exclude each other"},
      {"isomer predict --level SER examples/bookings.trace", "nothing to predict"},
      {"isomer predict --level SJ examples/bookings.trace", "did you mean SI?"},
      {"isomer predict --strategy exact examples/bookings.trace", "exact-strict"},
      {"isomer predict --boundary open examples/bookings.trace", "closed"},
      {"isomer predict --validate examples/bookings.trace", "no TRACE given"},
      {"isomer predict examples/bookings.trace --validate", "--validate APP"},
      {"isomer predict --seed 3 examples/bookings.trace", "is for --run"},
      {"isomer predict --to json examples/bookings.trace", "--output, which is missing"},
      {"isomer predict --all 0 examples/bookings.trace", "--all"},
      {"isomer predict no_such_file", "no_such_file"},
      {"isomer predict --run no_such.toml", "no_such.toml"},
      {"isomer predict --run examples/apps/smallbank/workload.toml", "--workload small"},
      {"isomer predict examples/write_skew.hist", "'isomer check' is for"},
      {"isomer predict tests/corpus/anomaly/thin_air.hist",
       "none of the seven levels allows"},
  };
  for (const Bad& bad : cases) {
    const Outcome outcome = run(bad.command);
    EXPECT_EQ(outcome.status, 2) << bad.command << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(bad.message)) << bad.command;
  }
}

}  // namespace
}  // namespace isomer
