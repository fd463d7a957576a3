// SPDX-License-Identifier: MIT
#include "report/check/verdicts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/uncertified.h"

namespace isomer::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// The levels that are asked where RC forbids a history, with these verdicts by turns.
check::Result with(const std::vector<check::Verdict>& verdicts) {
  check::Result out;
  for (const check::AskedLevel& level : check::levels_beside_rc())
    out.library.push_back({level, verdicts[out.library.size() % verdicts.size()], 0, {}});
  return out;
}

check::Violated broken() {
  check::Violated out;
  out.axioms = {"G1b", "G1c"};
  return out;
}

TEST(Library, names_the_levels_that_allow_a_history_and_why_the_others_do_not) {
  const std::string text =
      library_text(with({check::Consistent{}, broken(), check::Unknown{"timeout"}}));
  EXPECT_THAT(text, HasSubstr("These levels of the library (isomer levels) allow it:\n"
                              "  adya:PL-1    read uncommitted\n"));
  EXPECT_THAT(text,
              HasSubstr("These do not, nor do those that imply RC:\n"
                        "  adya:PL-2    read committed                    G1b, G1c\n"));
  EXPECT_THAT(text,
              HasSubstr("Of these it was not decided:\n"
                        "  adya:PL-2+   consistent view                   timeout\n"));
}

TEST(Library, says_that_none_allows_a_history_only_if_each_was_decided) {
  EXPECT_THAT(library_text(with({broken()})), HasSubstr("None of the 33 levels"));
  EXPECT_THAT(library_text(with({broken(), check::Unknown{"timeout"}})),
              Not(HasSubstr("None of")));
  EXPECT_THAT(library_text(with({broken(), check::Consistent{}})),
              Not(HasSubstr("None of")));
  EXPECT_EQ(library_text(check::Result{}), "");
}

TEST(Library, says_the_same_in_json) {
  const Json json = library_json(with({check::Consistent{}, broken()}));
  EXPECT_EQ(json["adya:PL-1"]["verdict"], "ok");
  EXPECT_EQ(json["adya:PL-2"]["axioms"], (Json{"G1b", "G1c"}));
  EXPECT_TRUE(library_json(check::Result{}).is_null());
}

}  // namespace
}  // namespace isomer::report
