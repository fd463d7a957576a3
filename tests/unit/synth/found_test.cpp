// SPDX-License-Identifier: MIT
// What a search says of a history is held against the checkers.
#include "synth/found.h"

#include <gtest/gtest.h>

#include "level/library.h"

namespace isomer::synth {
namespace {

Level named(const std::string& name) {
  return level::levels_named(name).value().at(0);
}

Found lost_update() {
  const std::vector<Level> allow{named("cerone:PC")};
  const std::vector<Level> forbid{named("cerone:SI")};
  return *synth(allow, forbid, {}).found.at(0);
}

std::string complaint(const Found& found, const std::string& allow,
                      const std::string& forbid) {
  const std::vector<Level> allowing{named(allow)};
  const std::vector<Level> forbidding{named(forbid)};
  const auto certified = certify(found, allowing, forbidding, {});
  return certified ? "" : certified.error();
}

static_assert(!std::is_constructible_v<check::Certified<Found>, Found>);

TEST(CertifiedFound, has_an_answer_for_every_level) {
  const Found found = lost_update();
  ASSERT_EQ(found.levels.levels.size(), 2U);
  EXPECT_EQ(found.levels.levels[0].level.name, found.allowed.at(0).level);
  EXPECT_EQ(found.levels.levels[1].level.name, found.forbidden.at(0).level);
  EXPECT_TRUE(std::holds_alternative<check::Violated>(found.levels.levels[1].verdict));
}

TEST(CertifiedFound, refuses_wrong_claims) {
  const Found found = lost_update();
  EXPECT_EQ(complaint(found, "biswas:PC", "cerone:SER"), "");
  EXPECT_EQ(
      complaint(found, "cerone:SI", "cerone:SER"),
      "the search says that cerone:SI allows a history, its checker that it does not");
  EXPECT_EQ(
      complaint(found, "biswas:PC", "cerone:CC"),
      "the search says that cerone:CC forbids a history, its checker that it does not");
}

// A level of a person's file may have the name of another one.
TEST(CertifiedFound, tells_levels_of_one_name_apart) {
  const std::string file = ISOMER_SOURCE_DIR "/examples/isolde.level";
  const std::vector<Level> own = level::levels_named(file + ":UpdateSer").value();
  const std::vector<Level> allow{named("cerone:PC")};
  const Result result = synth(allow, own, {});
  ASSERT_EQ(result.outcome, Outcome::Found);
  EXPECT_EQ(result.found.front()->forbidden.at(0).level, file + ":UpdateSer");
}

}  // namespace
}  // namespace isomer::synth
