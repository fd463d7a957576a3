// SPDX-License-Identifier: MIT
// A crash and a hang of an engine are disagreements, and say so.
#include "differential/child.h"

#include <unistd.h>

#include <csignal>

#include <gtest/gtest.h>

namespace isomer::differential {
namespace {

Case asking(std::function<Answer()> ask) {
  return {.ask = std::move(ask), .less = {}, .evidence = {}};
}

TEST(Child, brings_the_answer) {
  EXPECT_EQ(ask_in_child(asking([] { return answer(""); }), 60).kind, Answer::Kind::Agree);
  EXPECT_EQ(ask_in_child(asking(skip), 60).kind, Answer::Kind::Skip);
  const std::string long_text(200'000, 'x');
  EXPECT_EQ(ask_in_child(asking([&] { return answer(long_text); }), 60).why, long_text);
}

TEST(Child, tells_of_a_crash) {
  const Answer given = ask_in_child(asking([]() -> Answer {
                                      ::signal(SIGKILL, SIG_DFL);
                                      ::kill(::getpid(), SIGKILL);
                                      return {};
                                    }),
                                    60);
  EXPECT_EQ(given.kind, Answer::Kind::Disagree);
  EXPECT_EQ(given.why, "crash: Killed");
}

TEST(Child, tells_of_an_exit) {
  const Answer given = ask_in_child(asking([]() -> Answer { ::_exit(70); }), 60);
  EXPECT_EQ(given.why, "exit 70");
}

TEST(Child, is_ended_when_it_is_silent) {
  const Answer given = ask_in_child(asking([]() -> Answer {
                                      for (;;)
                                        ::pause();
                                    }),
                                    0.2);
  EXPECT_EQ(given.kind, Answer::Kind::Disagree);
  EXPECT_EQ(given.why, "no answer within 0.2 s");
}

TEST(Child, names_the_case_that_it_died_of) {
  std::uint64_t last = 0;
  const std::string death = in_child(
      [](const Say& say) {
        for (std::uint64_t seed = 1;; ++seed) {
          say({.seed = seed, .is_begin = true, .answer = {}});
          if (seed == 5) ::_exit(1);
          say({.seed = seed, .is_begin = false, .answer = {}});
        }
      },
      60, [&](const Message& message) { last = message.seed; });
  EXPECT_EQ(death, "exit 1");
  EXPECT_EQ(last, 5U);
}

}  // namespace
}  // namespace isomer::differential
