// SPDX-License-Identifier: MIT
// Histories that were judged wrongly once.  Each file of tests/corpus/defects/check says
// what is right:
//
//   # expect: RC- RA- CC- PC- PSI- SI- SER-
//   # allowed by: adya:PL-1 plume:CI     of the levels of the library that are asked where
//                                        RC forbids the history; nothing: none is asked
//   ; sessions: 4
#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "check/certify/certify.h"
#include "check/check.h"
#include "check/uncertified.h"
#include "history/formats.h"
#include "support/check/three_ways.h"
#include "support/effort.h"
#include "support/files.h"
#include "support/verdicts.h"

namespace isomer::check {
namespace {

// What follows "keyword: " up to the end of the line or of a text; absent if it is not
// there.
std::optional<std::string> said(const std::string& text, const std::string& keyword) {
  const std::size_t found = text.find(keyword + ":");
  if (found == std::string::npos) return std::nullopt;
  const std::size_t begin = found + keyword.size() + 1;
  std::string out = text.substr(begin, text.find_first_of("\n\",", begin) - begin);
  out.erase(0, std::min(out.find_first_not_of(' '), out.size()));
  return out;
}

std::string allowing(const std::vector<LevelResult>& answers) {
  std::string out;
  for (const LevelResult& answer : answers)
    if (std::holds_alternative<Consistent>(answer.verdict))
      out += (out.empty() ? "" : " ") + answer.level.name;
  return out.empty() && !answers.empty() ? "none" : out;
}

std::vector<std::filesystem::path> defects() {
  std::vector<std::filesystem::path> out;
  for (const std::string_view ending : {".hist", ".edn", ".json"})
    for (const auto& file : test::files_in(test::corpus / "defects" / "check", ending))
      out.push_back(file);
  return out;
}

class CheckDefect : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(CheckDefect, is_judged_as_it_says) {
  const std::string text = test::contents(GetParam());
  const auto read = history::read_history(GetParam(), {});
  ASSERT_TRUE(read.has_value()) << render(read.error());
  const Result result =
      *certified_answers(read->history, {.budget = {}, .asks_library = true});
  EXPECT_EQ(isomer::check::text(verdicts_of(result)), said(text, "expect"));
  const std::string sessions = std::to_string(read->history.session_count());
  EXPECT_EQ(sessions, said(text, "sessions").value_or(sessions));
  EXPECT_EQ(allowing(result.library), said(text, "allowed by").value_or(""));
  for (const LevelResult& answer : result.library)
    EXPECT_EQ(refute(read->history, answer), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(corpus, CheckDefect, testing::ValuesIn(defects()),
                         [](const auto& file) {
                           return test::test_name(file.param.filename().string());
                         });

// --- the family ---

// A few writers of several keys, some of which write a key twice or roll back, and readers
// that get versions of all of them, in any mixture and order: what statements at READ
// COMMITTED and READ UNCOMMITTED return, and more.
class TornReads {
 public:
  explicit TornReads(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    const std::size_t keys = 2 + random_.below(2);
    versions_.assign(keys, {0});
    const std::size_t writers = 1 + random_.below(2);
    for (std::size_t w = 0; w < writers; ++w)
      out_ << "s" << random_.below(3) << ": " << writer(keys) << "\n";
    const std::size_t readers = 1 + random_.below(3 - writers + 1);
    for (std::size_t r = 0; r < readers; ++r)
      out_ << "s" << random_.below(4) << ": " << reader(keys) << "\n";
    return out_.str();
  }

 private:
  std::string writer(std::size_t keys) {
    std::string out = "{";
    for (std::size_t x = 0; x < keys; ++x)
      for (std::size_t times = random_.below(5) == 0 ? 2 : random_.below(6) != 0; times > 0;
           --times) {
        // Now and then a value that somebody wrote already.
        const int value = random_.below(6) == 0 ? 1 : ++last_;
        versions_[x].push_back(value);
        out += " w(k" + std::to_string(x) + ")=" + std::to_string(value);
      }
    return out + (random_.below(5) == 0 ? " } abort" : " }");
  }

  std::string reader(std::size_t keys) {
    std::string out = "{";
    for (std::size_t reads = 2 + random_.below(2); reads > 0; --reads) {
      const std::size_t x = random_.below(keys);
      const auto& versions = versions_[x];
      const int value =
          random_.below(25) == 0 ? 99 : versions[random_.below(versions.size())];
      out += " r(k" + std::to_string(x) + ")=" + std::to_string(value);
      if (random_.below(8) == 0)
        out += " w(k" + std::to_string(x) + ")=" + std::to_string(++last_);
    }
    return out + " }";
  }

  Random random_;
  std::ostringstream out_;
  std::vector<std::vector<int>> versions_;
  int last_ = 1;
};

TEST(CheckDefects, levels_of_the_library_say_of_torn_reads_what_their_texts_say) {
  int asked = 0;
  int allowed = 0;
  const auto cases = static_cast<std::uint64_t>(effort(400, 60));
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const std::string text = TornReads(seed).text();
    const auto read = history::parse_history(text, "torn.hist", {.format = "hist"});
    ASSERT_TRUE(read.has_value()) << text << render(read.error());
    const Result result =
        *certified_answers(read->history, {.budget = {}, .asks_library = true});
    ASSERT_EQ(result.library.empty(),
              !std::holds_alternative<Violated>(result.levels.front().verdict))
        << text;
    for (const LevelResult& answer : result.library) {
      ASSERT_EQ(refute(read->history, answer), std::nullopt) << text;
      ASSERT_FALSE(std::holds_alternative<Unknown>(answer.verdict)) << text;
      const bool is_allowed = std::holds_alternative<Consistent>(answer.verdict);
      Random random(seed);
      const ThreeWaysOutcome outcome =
          three_ways(read->history, *answer.level.definition, random);
      ASSERT_EQ(outcome.fault, "") << text;
      if (!outcome.exists) continue;
      ASSERT_EQ(is_allowed, *outcome.exists) << answer.level.name << "\n" << text;
      ++asked;
      allowed += is_allowed ? 1 : 0;
    }
  }
  EXPECT_GT(asked, static_cast<int>(cases));
  EXPECT_GT(allowed, asked / 10);
  EXPECT_LT(allowed, asked * 9 / 10);
}

// What is left out is stronger than RC, and what is asked is not.
TEST(CheckDefects, every_level_of_the_library_is_built_in_or_asked_or_stronger_than_rc) {
  std::vector<std::string> names;
  for (const AskedLevel& level : levels_beside_rc())
    names.push_back(level.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "adya:PL-1", "adya:PL-2", "adya:PL-2+", "adya:PL-SI", "adya:PL-2.99",
                       "adya:PL-3", "adya:SS-PL-2", "crooks:RC", "crooks:RA", "crooks:PSI",
                       "crooks:SI", "crooks:SER", "plume:CI", "plume:RC"}));
}

// A violation of PL-1 that rests on a read which PL-1 allows is no violation.
TEST(CheckDefects, certification_asks_the_level_whether_it_minds_a_read) {
  const auto read = history::parse_history("s1: { w(x)=1 } abort\ns2: { r(x)=1 }\n",
                                           "dirty.hist", {.format = "hist"});
  ASSERT_TRUE(read.has_value());
  const Result result = *certified_answers(read->history, {});
  const auto& violated = std::get<Violated>(result.levels.front().verdict);
  const auto levels = levels_beside_rc();
  EXPECT_NE(refute(read->history, levels[0], violated), std::nullopt);  // PL-1
  EXPECT_EQ(refute(read->history, levels[1], violated), std::nullopt);  // PL-2
}

}  // namespace
}  // namespace isomer::check
