// SPDX-License-Identifier: MIT
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/builder.h"
#include "unit/report/fixtures.h"

namespace isomer::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text(const fixture::Case& c) {
  return check_text(c.checked(), {.colour = false, .witness = false, .command = {}});
}

TEST(CheckText, tells_a_lost_update_from_what_was_read_to_what_to_do_next) {
  const fixture::Case bank = fixture::lost_update();
  EXPECT_EQ(check_text(bank.checked(),
                       {.colour = false, .witness = false, .command = "isomer check"}),
            R"(bank.hist: 2 sessions, 2 transactions, 4 operations

  RC  RA  CC  PC  PSI  SI  SER
  ok  ok  ok  ok  NO   NO  NO           strongest levels allowed: PC

lost update on balance        (breaks PSI, SI, SER; axiom NoConflict)
  a/1  line 3   r(balance)=60  w(balance)=10
  b/1  line 7   r(balance)=60  w(balance)=40
  a/1 --rw balance--> b/1   a/1 read 60, the version that b/1 overwrote
  b/1 --rw balance--> a/1   b/1 read 60, the version that a/1 overwrote
In no order of these two does the second see the first.
See it:  isomer check bank.hist --html bank.html
)");
}

TEST(CheckText, indents_what_an_inferred_edge_rests_on) {
  EXPECT_THAT(text(fixture::causality()), HasSubstr(R"(
  b/1 --ww x--> a/1   c/1 read x from a/1, though it could see b/1's version
      because b/1 --wr x--> d/1   d/1 read 2, which b/1 wrote
          and d/1 --wr y--> c/1   c/1 read 1, which d/1 wrote
  a/1 --wr x--> b/1   b/1 read 1, which a/1 wrote
)"));
}

TEST(CheckText, says_a_single_bad_read_in_one_sentence) {
  const std::string out = text(fixture::aborted_read());
  EXPECT_THAT(out, HasSubstr("2 transactions (1 committed, 1 aborted)"));
  EXPECT_THAT(out, HasSubstr("(breaks all seven levels; axiom read consistency)"));
  EXPECT_THAT(out, HasSubstr("b/1 read x = 1, which only a/1 wrote, and a/1 aborted.\n"));
  EXPECT_THAT(out, HasSubstr("none of these is allowed"));
}

TEST(CheckText, says_when_every_order_fails_in_its_own_way) {
  fixture::Case bank = fixture::lost_update();
  for (check::LevelResult& level : bank.result.levels)
    if (auto* violated = std::get_if<check::Violated>(&level.verdict)) {
      violated->cycle.clear();
      violated->is_minimal = false;
    }
  const std::string out = text(bank);
  EXPECT_THAT(out, HasSubstr("No order of these 2 transactions satisfies PSI.\n"));
  EXPECT_THAT(out, HasSubstr("time ran out"));
  EXPECT_THAT(out, HasSubstr("a/1  line 3   r(balance)=60  w(balance)=10\n"));
}

TEST(CheckText, says_what_is_undecided) {
  fixture::Case serial = fixture::serial();
  serial.result.levels.back().verdict = check::Unknown{"timeout"};
  serial.result.levels.back().seconds = 2.5;
  const std::string out = text(serial);
  EXPECT_THAT(out, HasSubstr("  ok  ok  ok  ok  ok   ok  ?  "));
  EXPECT_THAT(out, HasSubstr("strongest levels known to be allowed: SI\n"));
  EXPECT_THAT(out, HasSubstr("  undecided: SER (timeout)\n  checked for 2.5 s\n"));
}

TEST(CheckText, of_one_level_is_a_sentence) {
  fixture::Case bank = fixture::lost_update();
  bank.result.levels.erase(bank.result.levels.begin(), bank.result.levels.begin() + 6);
  EXPECT_THAT(text(bank),
              HasSubstr("\n  SER  NO    serializability does not allow this history\n"));
}

TEST(CheckText, shows_the_witness_of_the_strongest_level) {
  const fixture::Case fork = fixture::long_fork();
  const std::string out =
      check_text(fork.checked(), {.colour = false, .witness = true, .command = {}});
  EXPECT_THAT(out, HasSubstr("witness for PSI\n  arbitration order: init < a/1 < b/1"));
  EXPECT_THAT(out, HasSubstr(" a/1 -> c/1, b/1 -> d/1\n"));
  EXPECT_THAT(out, Not(HasSubstr("witness for CC")));
}

TEST(CheckText, breaks_a_long_witness_into_lines) {
  history::HistoryBuilder builder;
  for (std::int64_t i = 0; i < 60; ++i)
    builder.write(builder.begin(builder.session("a")), builder.key("x"),
                  history::Value::integer(i));
  const fixture::Case c = fixture::violated("long.hist", builder.build(), {}, {});
  std::istringstream lines(
      check_text(c.checked(), {.colour = false, .witness = true, .command = {}}));
  std::string line;
  std::string last;
  while (std::getline(lines, line)) {
    EXPECT_LE(line.size(), 92U);
    last = line;
  }
  EXPECT_THAT(last, testing::EndsWith(" a/60"));
}

TEST(CheckText, colours_only_when_told) {
  const fixture::Case bank = fixture::lost_update();
  EXPECT_THAT(text(bank), Not(HasSubstr("\x1b")));
  EXPECT_THAT(check_text(bank.checked(), {.colour = true, .witness = false, .command = {}}),
              HasSubstr("\x1b[1;31mNO\x1b[0m"));
}

TEST(CheckText, shows_only_the_operations_that_matter) {
  history::HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  const auto a = builder.begin(builder.session("a"));
  for (std::int64_t i = 0; i < 30; ++i)
    builder.write(a, builder.key("noise" + std::to_string(i)), history::Value::integer(1));
  builder.read(a, builder.key("x"), history::Value::integer(7));
  const std::string out = text(fixture::bad_read(
      "thin.hist", builder.build(), "thin-air read", {{1}}, {check::Level::RC}));
  EXPECT_THAT(out, HasSubstr("  a/1   r(x)=7  ... 30 more operations\n"));
  EXPECT_THAT(out, HasSubstr("a/1 read x = 7, but nobody ever wrote that value to x.\n"));
}

TEST(CheckText, quotes_strange_file_names_in_the_hint) {
  fixture::Case bank = fixture::lost_update();
  bank.file = "my bank's.hist";
  EXPECT_THAT(check_text(bank.checked(),
                         {.colour = false, .witness = false, .command = "isomer check"}),
              HasSubstr(R"(isomer check 'my bank'\''s.hist' --html 'my bank'\''s.html')"));
}

}  // namespace
}  // namespace isomer::report
