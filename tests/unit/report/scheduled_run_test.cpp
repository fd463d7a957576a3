// SPDX-License-Identifier: MIT
// Runs by schedules, made by hand: what the table, the picture and the JSON say of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/database/report.h"
#include "report/database/told_schedule.h"
#include "report/page/page.h"

namespace isomer::report {
namespace {

using database::CallEnd;
using database::Reply;
using database::ScheduleStep;
using database::SessionIndex;
using program::Value;
using testing::HasSubstr;
using testing::Not;

constexpr SessionIndex ann = 0;
constexpr SessionIndex bob = 1;

// A program whose source has one statement a line, two sessions with one call each, and
// what its steps came to.
struct HandMade {
  program::Program program;
  std::vector<ScheduleStep> steps;
  std::vector<std::uint32_t> order;
  std::vector<std::vector<CallEnd>> calls;
  std::vector<std::vector<std::vector<Value>>> rows;
  std::vector<store::InvariantOutcome> invariants;

  HandMade() {
    program.file = "bank.toml";
    program.files = {{.name = "bank.sql", .first = 0}};
    program.types.emplace_back().name = "pay";
    program.source = "SELECT v FROM t;\nUPDATE t SET v = v + 1;\n";
    program.tables.emplace_back().name = "t";
    program.tables[0].columns.emplace_back().name = "v";
    for (const char* name : {"ann", "bob"}) {
      program::Session& session = program.sessions.emplace_back();
      session.name = name;
      session.calls.emplace_back().text = fmt::format("pay('{}')", name);
      calls.push_back({CallEnd{.kind = CallEnd::Kind::Committed, .attempts = 1}});
    }
    rows = {{{Value::integer(12)}}};
    invariants.push_back({.name = "v is small", .holds = false, .error = {}});
  }

  ScheduleStep& select(SessionIndex session, std::int64_t value) {
    return add(session, ScheduleStep::Kind::Statement, "SELECT v FROM t",
               {.rows = {{Value::integer(value)}}, .count = 1}, {0, 15});
  }

  ScheduleStep& update(SessionIndex session) {
    return add(session, ScheduleStep::Kind::Statement, "UPDATE t SET v = v + 1",
               {.count = 1}, {17, 39});
  }

  ScheduleStep& commit(SessionIndex session) {
    return add(session, ScheduleStep::Kind::Commit, "COMMIT", {}, {});
  }

  ScheduleStep& add(SessionIndex session, ScheduleStep::Kind kind, std::string text,
                    Reply reply, program::Span at) {
    return steps.emplace_back(ScheduleStep{.session = session,
                                           .kind = kind,
                                           .text = std::move(text),
                                           .at = at,
                                           .reply = std::move(reply)});
  }

  [[nodiscard]] ScheduledRun run() const {
    return {.program = program,
            .steps = steps,
            .order = order,
            .calls = calls,
            .rows = rows,
            .invariants = invariants};
  }

  [[nodiscard]] std::string table(std::size_t width = 100) const {
    return schedule_table(run(), width, Ink(false));
  }
};

// bob's update waits for ann's.
HandMade waiting() {
  HandMade out;
  out.update(ann);
  ScheduleStep& step = out.update(bob);
  step.waited_for = {ann};
  step.woken_by = 2;
  out.commit(ann);
  out.commit(bob);
  return out;
}

Reply failed(const char* sqlstate, const char* reason) {
  return {.kind = Reply::Kind::Failed,
          .fault = {.reason = reason, .sqlstate = sqlstate, .at = {}}};
}

TEST(ScheduleTable, has_a_column_for_each_session_and_shows_waits_and_who_ends_them) {
  EXPECT_EQ(waiting().table(),
            R"(     ann                         | bob
     ----------------------------+---------------------------------
     pay('ann')                  |
  1  UPDATE t SET v = v + 1      |
       bank.sql:2  changes 1 row |
                                 | pay('bob')
  2                              | UPDATE t SET v = v + 1
                                 |   bank.sql:2  waits for ann
  3  COMMIT                      | :
       committed                 | :
                                 |   goes on after ann's COMMIT (3)
                                 |   changes 1 row
  4                              | COMMIT
                                 |   committed
)");
}

TEST(ScheduleTable, says_BEGIN_of_scripts_and_no_file_that_the_heading_has) {
  HandMade run = waiting();
  run.program.files.clear();
  run.program.types[0].is_script = true;
  EXPECT_THAT(run.table(), HasSubstr("     BEGIN "));
  EXPECT_THAT(run.table(), HasSubstr("  line 2  waits for ann"));
  EXPECT_THAT(run.table(), Not(HasSubstr("pay(")));
  ScheduledRun without = run.run();
  without.has_places = false;
  EXPECT_THAT(schedule_table(without, 100, Ink(false)), Not(HasSubstr("line")));
}

TEST(ScheduleTable, says_of_a_wait_without_end_that_it_has_none) {
  HandMade run = waiting();
  run.steps.resize(2);
  run.steps[1].reply.kind = Reply::Kind::Waits;
  EXPECT_THAT(run.table(), HasSubstr("waits for ann, to the end\n"));
  EXPECT_THAT(run.table(), Not(HasSubstr("goes on")));
}

TEST(ScheduleTable, shows_errors_and_tries) {
  HandMade run;
  run.update(ann).reply = failed("40001", "could not serialize access");
  run.update(ann).attempt = 1;
  run.commit(ann).attempt = 1;
  const std::string table = run.table();
  EXPECT_THAT(table, HasSubstr("ERROR 40001: could not serialize access\n"
                               "       rolled back, to be tried again\n"
                               "     pay('ann'), try 2\n"));
}

TEST(ScheduleTable, an_error_that_was_caught_does_not_end_the_transaction) {
  HandMade run;
  run.update(ann).reply = failed("23505", "duplicate key");
  run.commit(ann);
  EXPECT_THAT(run.table(), Not(HasSubstr("rolled back")));
  EXPECT_THAT(run.table(), HasSubstr("committed"));
}

TEST(ScheduleTable, says_why_the_program_gave_up) {
  HandMade run;
  run.select(ann, 3);
  run.add(ann, ScheduleStep::Kind::Rollback, "ROLLBACK", {}, {});
  run.calls[ann][0] = {.kind = CallEnd::Kind::RolledBack,
                       .fault = {.reason = "too poor", .sqlstate = "P0001", .at = {}}};
  EXPECT_THAT(run.table(), HasSubstr("returns 3\n"));
  EXPECT_THAT(run.table(), HasSubstr("ROLLBACK\n       rolled back: too poor (P0001)\n"));
}

TEST(ScheduleTable, a_step_may_be_on_its_way_while_others_are_done) {
  HandMade run;
  run.update(ann);
  run.update(bob);
  run.commit(bob);
  run.commit(ann);
  run.order = {0, 1, 2, 0, 3};
  const std::string table = run.table();
  const std::size_t start = table.find("is on its way");
  const std::size_t other = table.find("pay('bob')");
  const std::size_t end = table.find("goes on");
  EXPECT_LT(start, other);
  EXPECT_LT(other, end);
  EXPECT_NE(end, std::string::npos);
}

TEST(ScheduleTable, keeps_to_the_width) {
  HandMade run = waiting();
  run.steps[0].text =
      "UPDATE t SET v = (SELECT max(v) FROM t AS other WHERE other.v < t.v) WHERE v > 1";
  for (const std::size_t width : {70U, 80U, 120U}) {
    const std::string table = run.table(width);
    for (std::size_t at = 0; at < table.size();) {
      const std::size_t end = table.find('\n', at);
      EXPECT_LE(end - at, width) << table;
      at = end + 1;
    }
  }
}

TEST(ScheduleTable, steps_stand_below_each_other_where_columns_would_be_too_narrow) {
  EXPECT_THAT(waiting().table(40), HasSubstr("  2       UPDATE t SET v = v + 1\n"));
  EXPECT_THAT(waiting().table(40), Not(HasSubstr("|")));
}

TEST(ScheduleEnd, shows_rows_and_invariants) {
  EXPECT_EQ(schedule_end_text(waiting().run(), Ink(false)),
            "in the end\n  t\n    v\n    12\n\ninvariants\n  v is small  BROKEN\n");
}

TEST(ScheduleFigure, has_a_box_for_each_step_and_its_wait) {
  const std::string figure = schedule_figure(waiting().run(), "a <run>");
  EXPECT_THAT(figure, HasSubstr("aria-label=\"a &lt;run&gt;\""));
  EXPECT_THAT(figure, HasSubstr("class=\"wait\""));
  EXPECT_THAT(figure, HasSubstr("class=\"wakes line\""));
  EXPECT_THAT(figure, HasSubstr(">waits for ann</text>"));
  EXPECT_THAT(svg_document(figure), HasSubstr("a &lt;run&gt;"));
}

TEST(ScheduleJson, has_the_fields_of_a_failure) {
  const Json json = schedule_json(waiting().run());
  EXPECT_EQ(json["schedule"].dump(), R"(["ann","bob","ann","bob"])");
  EXPECT_EQ(json["steps"][1]["session"], "bob");
  EXPECT_EQ(json["steps"][1]["line"], 2);
  EXPECT_EQ(json["steps"][1]["result"], 1);
  EXPECT_EQ(json["steps"][1]["waits_for"], "ann");
  EXPECT_EQ(json["steps"][1]["woken_by"], 3);
  EXPECT_TRUE(json["steps"][1]["sqlstate"].is_null());
  EXPECT_EQ(json["final_state"]["t"].dump(), "[[12]]");
  EXPECT_EQ(json["invariants"]["v is small"], false);
}

TEST(Wrapped, breaks_between_words_and_cuts_those_that_are_too_long) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("one two three", 7, 2), (Lines{"one two", "  three"}));
  EXPECT_EQ(wrapped("abcdefgh", 4, 1), (Lines{"abcd", " efg", " h"}));
  EXPECT_EQ(wrapped("\xc3\xa4\xc3\xa4 \xc3\xa4", 2, 0),
            (Lines{"\xc3\xa4\xc3\xa4", "\xc3\xa4"}));
}

}  // namespace
}  // namespace isomer::report
