// SPDX-License-Identifier: MIT
// A run by a schedule in words, in the order in which things happened: a step, and where a
// step had to wait, how it went on.  Tables, pictures and pages say it alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/database/report.h"

namespace isomer::report {

enum class Mood : std::uint8_t { Plain, Good, Bad, Waiting };

struct ToldLine {
  std::string text;
  Mood mood = Mood::Plain;
};

struct ToldEvent {
  std::uint32_t step = 0;  // its place among the steps
  database::SessionIndex session = 0;
  std::string begins;           // the call, if its transaction begins here
  std::string statement;        // empty: the rest of a step that was under way
  std::string place;            // "bank.sql:12"; may be empty
  std::vector<ToldLine> lines;  // what came of it
  bool is_pending = false;      // the step is not over yet
  bool ends_transaction = false;
  // Whose step ended the wait.
  std::optional<std::uint32_t> woken_by{};
};

std::vector<ToldEvent> told_events(const ScheduledRun& run);

// What came of one step, in a few words: "returns 60", "waits for ann, then changes 1 row".
std::string told_reply(const ScheduledRun& run, const database::ScheduleStep& step);

// Those that take a step, in their order.
std::vector<database::SessionIndex> active_sessions(const ScheduledRun& run);

// "ann bob bob/2 ann": while bob does his second step, the server takes the second of its
// possibilities.
std::string schedule_words(const ScheduledRun& run);

// In lines of at most so many characters; those after the first begin with `hang` blanks.
std::vector<std::string> wrapped(std::string_view text, std::size_t width,
                                 std::size_t hang);

// How many characters wide.
std::size_t width_of(std::string_view text);

}  // namespace isomer::report
