// SPDX-License-Identifier: MIT
// Each example says in a comment what is expected of it:
//   # expect: SER, SI forbid; PSI allows
#include <algorithm>
#include <regex>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command.h"

namespace isomer {
namespace {

const std::filesystem::path folder = ISOMER_SOURCE_DIR "/examples";

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".hist")
      out.push_back(std::filesystem::relative(entry.path(), folder).replace_extension());
  std::sort(out.begin(), out.end());
  return out;
}

class Examples : public testing::TestWithParam<std::string> {};

TEST_P(Examples, are_what_they_say) {
  static const std::regex line("# expect: ([^\n]*)");
  static const std::regex clause("([A-Z, ]+?) (forbid|allow)s?");
  static const std::regex level("[A-Z]+");
  const std::string text = test::contents(folder / (GetParam() + ".hist"));
  std::smatch found;
  ASSERT_TRUE(std::regex_search(text, found, line)) << "no line '# expect: ...'";
  const std::string expectation = found[1];
  const auto document = nlohmann::json::parse(
      test::run("isomer check --json examples/" + GetParam() + ".hist").output);
  const auto& verdicts = document["histories"][0]["levels"];
  std::size_t count = 0;
  for (std::sregex_iterator c(expectation.begin(), expectation.end(), clause), end;
       c != end; ++c) {
    const std::string levels = (*c)[1];
    const std::string verdict = (*c)[2] == "allow" ? "ok" : "violation";
    for (std::sregex_iterator l(levels.begin(), levels.end(), level); l != end;
         ++l, ++count)
      EXPECT_EQ(verdicts[l->str()]["verdict"], verdict) << l->str();
  }
  EXPECT_GT(count, 0U) << expectation;
}

INSTANTIATE_TEST_SUITE_P(Files, Examples, testing::ValuesIn(names()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '/', '_');
  return name;
});

TEST(Tutorial, has_the_record_that_its_run_makes) {
  const test::Scratch scratch;
  test::run(
      "isomer run --level SI --seed 6 examples/tutorial/night.toml -o $SCRATCH/night");
  const std::string recorded = test::contents(folder / "tutorial/night.hist");
  EXPECT_EQ(recorded.substr(recorded.find("init")), test::contents(scratch.path("night")));
}

}  // namespace
}  // namespace isomer
