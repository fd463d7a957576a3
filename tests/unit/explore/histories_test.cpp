// SPDX-License-Identifier: MIT
// The set of histories: exactly those of the definition, each once, however it is searched.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "complaint.h"
#include "level/library.h"
#include "support/effort.h"

namespace isomer::explore {
namespace {

using check::Level;

constexpr std::array bases = {Base::True, Base::RC, Base::RA, Base::CC};

AnyLevel level_of(Base base) {
  switch (base) {
    case Base::True:
      return std::nullopt;
    case Base::RC:
      return Level::RC;
    case Base::RA:
      return Level::RA;
    case Base::CC:
      return Level::CC;
  }
  return std::nullopt;
}

bool implies(AnyLevel strong, Base weak) {
  const AnyLevel level = level_of(weak);
  return !level || (strong && check::is_stronger_or_equal(*strong, *level));
}

std::string with_every_level(const std::function<std::string(Level)>& complaint,
                             std::span<const Level> levels = check::all_levels) {
  std::string out;
  for (const Level level : levels)
    out += complaint(level);
  return out;
}

TEST(Histories, are_those_that_the_level_allows) {
  expect_no_complaint(effort(1500U, 60U), [](const Space& space) {
    return with_every_level([&](Level level) {
      Options options = options_for(level);
      return compared(space, options, level);
    });
  });
}

TEST(Histories, are_all_if_everything_is_allowed) {
  expect_no_complaint(effort(1500U, 60U), [](const Space& space) {
    return compared(space, options_for(std::nullopt), std::nullopt);
  });
}

TEST(Histories, are_those_that_a_text_allows) {
  const auto levels = level::parse_levels("mine.level",
                                          "level Atomic : biswas { RA }\n"
                                          "level Snapshot : biswas { SI }\n");
  ASSERT_TRUE(levels);
  expect_no_complaint(
      effort(30U, 3U),
      [&](const Space& space) {
        Options options;
        options.level = check::AskedLevel("Atomic", levels->at(0));
        std::string out = compared(space, options, Level::RA);
        options.level = check::AskedLevel("Snapshot", levels->at(1));
        return out + compared(space, options, Level::SI);
      },
      30);
}

// More transactions than fit into a word.
Program with_idle_session(Program program) {
  program::Session& idle = program.sessions.emplace_back();
  idle.name = "idle";
  program::TransactionType type;
  type.name = "idle";
  for (int i = 0; i < 70; ++i) {
    program::Call call;
    call.type = static_cast<std::uint32_t>(program.types.size());
    call.text = type.name;
    idle.calls.push_back(std::move(call));
  }
  program.types.push_back(std::move(type));
  return program;
}

TEST(Histories, are_as_many_beside_transactions_that_do_nothing) {
  expect_no_complaint(
      effort(100U, 5U),
      [](const Space& space) {
        const Program larger = with_idle_session(*space.program);
        return with_every_level([&](Level level) {
          Options options = options_for(level);
          options.minimise = false;
          const Result result = explore(larger, options);
          return difference("histories", result.histories, allowed(space, level).size());
        });
      },
      100);
}

// Strong optimality: no way leads nowhere, and none leads where another one does.
TEST(Histories, cost_nothing_extra_under_levels_that_are_causally_extensible) {
  expect_no_complaint(effort(1000U, 30U), [](const Space& space) {
    static constexpr std::array levels = {Level::RC, Level::RA, Level::CC};
    return with_every_level(
        [&](Level level) {
          Options options = options_for(level);
          const Result result = explore(*space.program, options);
          return difference("blocked", result.blocked, 0) +
                 difference("pruned", result.pruned, 0) +
                 difference("filtered", result.is_filtered ? 1 : 0, 0) +
                 difference("ends", result.end_states, result.histories) +
                 (name(result.base) == name(AnyLevel(level)) ? "" : "  another base\n");
        },
        levels);
  });
}

TEST(Histories, do_not_depend_on_the_base) {
  expect_no_complaint(
      effort(1000U, 30U),
      [](const Space& space) {
        return with_every_level([&](Level level) {
          std::string out;
          for (const Base base : bases) {
            if (!implies(level, base)) continue;
            Options options = options_for(level);
            options.base = base;
            const std::string wrong = compared(space, options, level);
            if (!wrong.empty()) out += fmt::format("from {}, {}", name(base), wrong);
          }
          return out;
        });
      },
      500);
}

TEST(Histories, do_not_depend_on_pruning) {
  expect_no_complaint(
      effort(1000U, 30U),
      [](const Space& space) {
        static constexpr std::array levels = {Level::PC, Level::PSI, Level::SI, Level::SER};
        return with_every_level(
            [&](Level level) {
              std::string out;
              for (const Base base : bases) {
                Options options = options_for(level);
                options.base = base;
                const ExploredHistories pruned = explored(*space.program, options);
                options.prune = false;
                out += compared(space, options, level);
                const ExploredHistories whole = explored(*space.program, options);
                out += difference("pruned", whole.result.pruned, 0);
                if (pruned.histories != whole.histories)
                  out += fmt::format("{}: pruning loses a history\n", name(level));
                if (pruned.result.explored > whole.result.explored ||
                    pruned.result.end_states > whole.result.end_states)
                  out += fmt::format("{}: pruning is no gain\n", name(level));
              }
              return out;
            },
            levels);
      },
      500);
}

TEST(Histories, are_the_same_without_reduction) {
  expect_no_complaint(
      effort(500U, 20U),
      [](const Space& space) {
        return with_every_level([&](Level level) {
          Options options = options_for(level);
          options.algorithm = Algorithm::Dfs;
          return compared(space, options, level);
        });
      },
      500);
}

TEST(Histories, are_the_same_with_two_threads) {
  expect_no_complaint(effort(500U, 20U), [](const Space& space) {
    return with_every_level([&](Level level) {
      Options options = options_for(level);
      const ExploredHistories alone = explored(*space.program, options);
      options.jobs = 2;
      const ExploredHistories together = explored(*space.program, options);
      std::string out;
      if (alone.histories != together.histories) out += "other histories\n";
      if (counts(alone.result) != counts(together.result))
        out += fmt::format("{}: one thread {}, two {}\n", name(level), counts(alone.result),
                           counts(together.result));
      return out;
    });
  });
}

}  // namespace
}  // namespace isomer::explore
