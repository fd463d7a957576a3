// SPDX-License-Identifier: MIT
#include "level/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/level/term_text.h"

namespace isomer::level {
namespace {

std::vector<std::string> axioms_of(const Level& level) {
  std::vector<std::string> out;
  for (const Axiom& axiom : level.axioms)
    if (!axiom.is_base) out.push_back(axiom.name);
  return out;
}

TEST(Library, has_every_standard_level) {
  std::vector<std::string> names;
  for (const Level& level : standard_levels())
    names.push_back(level.qualified_name());
  EXPECT_THAT(names, testing::ElementsAre(
                         "biswas:RC", "biswas:RA", "biswas:CC", "biswas:PC", "biswas:SI",
                         "biswas:SER", "cerone:EC", "cerone:RA", "cerone:UA", "cerone:CC",
                         "cerone:PC", "cerone:PSI", "cerone:SI", "cerone:SER", "adya:PL-1",
                         "adya:PL-2", "adya:PL-2+", "adya:PL-SI", "adya:PL-2.99",
                         "adya:PL-3", "adya:SS-PL-2", "adya:SS-PL-SI", "adya:SS-PL-3",
                         "anode:PSI", "crooks:RC", "crooks:RA", "crooks:PSI", "crooks:SI",
                         "crooks:SER", "plume:CI", "plume:RC", "plume:RA", "plume:CC"));
}

TEST(Library, prefers_biswas_then_cerone_for_bare_names) {
  EXPECT_EQ(standard_level("SI")->framework, "biswas");
  EXPECT_EQ(standard_level("psi")->framework, "cerone");
  EXPECT_EQ(standard_level("pl-2+")->name, "PL-2+");
  EXPECT_EQ(standard_level("Cerone:si")->framework, "cerone");
  EXPECT_EQ(standard_level("XX"), nullptr);
}

TEST(Library, keeps_the_names_of_axioms) {
  EXPECT_THAT(axioms_of(*standard_level("SI")), testing::ElementsAre("Prefix", "Conflict"));
  EXPECT_THAT(axioms_of(*standard_level("cerone:PSI")),
              testing::ElementsAre("TransitiveVisibility", "NoConflict"));
  EXPECT_THAT(axioms_of(*standard_level("PL-2+")),
              testing::ElementsAre("G1a", "G1b", "G1c", "G-single"));
  EXPECT_EQ(axioms_of(*standard_level("plume:CC")).size(), 14U);
}

TEST(Library, gives_witnesses_their_shape) {
  const Level& adya = *standard_level("PL-3");
  ASSERT_EQ(adya.witnesses.size(), 1U);
  EXPECT_TRUE(adya.witnesses[0].is_keyed);
  EXPECT_TRUE(adya.witnesses[0].is_total_order);
  const Term& on = adya.terms[adya.witnesses[0].on];
  EXPECT_EQ(on.op, Op::Writers);
  EXPECT_EQ(on.free_variables, 1U);
  const Level& cerone = *standard_level("PSI");
  ASSERT_EQ(cerone.witnesses.size(), 2U);
  EXPECT_FALSE(cerone.witnesses[0].is_total_order);
  EXPECT_TRUE(cerone.witnesses[1].is_total_order);
  EXPECT_EQ(cerone.terms[cerone.witnesses[1].on].op, Op::Domain);
}

TEST(Library, knows_which_levels_need_events) {
  EXPECT_TRUE(standard_level("RC")->uses_events);
  EXPECT_FALSE(standard_level("SI")->uses_events);
  EXPECT_FALSE(standard_level("RC")->uses_values);
}

TEST(Library, shows_a_definition_with_what_it_uses) {
  const Level& level = *standard_level("RA");
  EXPECT_THAT(level.text, testing::StartsWith("// Who sees one write"));
  EXPECT_THAT(level.text, testing::EndsWith("in co }\n}"));
  EXPECT_THAT(level.context, testing::HasSubstr("let overwritten[x, r] ="));
  EXPECT_THAT(level.context, testing::EndsWith("own_write_ignored)\n}"));
}

// The text that the language was designed by.
TEST(Library, reads_the_design_text) {
  const std::string file = ISOMER_SOURCE_DIR "/tests/corpus/level/design.level";
  const auto levels = levels_named(file);
  ASSERT_TRUE(levels) << render(levels.error());
  std::vector<std::string> names;
  for (const Level& level : *levels)
    names.push_back(level.qualified_name());
  EXPECT_THAT(names,
              testing::ElementsAre("biswas:RC", "biswas:RA", "biswas:CC", "biswas:PC",
                                   "biswas:SER", "biswas:SI", "cerone:PSI"));
  for (const Level& level : *levels) {
    const Level& standard = *standard_level(level.qualified_name());
    std::vector<std::string> ours;
    std::vector<std::string> theirs;
    for (const Axiom& axiom : standard.axioms)
      if (!axiom.is_base) ours.push_back(term_text(standard, axiom.formula));
    for (const Axiom& axiom : level.axioms)
      if (!axiom.is_base) theirs.push_back(term_text(level, axiom.formula));
    EXPECT_EQ(ours, theirs) << level.name;
  }
}

TEST(Library, suggests_near_names) {
  const auto levels = levels_named("PSSI");
  ASSERT_FALSE(levels);
  EXPECT_EQ(render(levels.error()),
            "PSSI: error: unknown level 'PSSI'; did you mean 'PSI'?\n");
}

TEST(Library, reads_levels_of_a_file) {
  const std::string file = ISOMER_SOURCE_DIR "/examples/isolde.level";
  const auto all = levels_named(file);
  ASSERT_TRUE(all) << render(all.error());
  EXPECT_EQ(all->size(), 4U);
  const auto one = levels_named(file + ":NLU");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->front().framework, "cerone");
  EXPECT_EQ(one->front().file, file);
  const auto none = levels_named(file + ":NLV");
  ASSERT_FALSE(none);
  EXPECT_THAT(render(none.error()), testing::HasSubstr("did you mean 'NLU'?"));
}

}  // namespace
}  // namespace isomer::level
