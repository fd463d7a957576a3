// SPDX-License-Identifier: MIT
#include "audit/mixed_level.h"

#include <gtest/gtest.h>

#include "check/uncertified.h"
#include "history/builder.h"
#include "level/library.h"

namespace isomer::test {
namespace {

// Both read the initial value of x, and both write x.
history::History lost_update() {
  history::HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  for (const char* name : {"a(1)", "b(1)"}) {
    const auto txn = builder.begin(builder.session(name));
    builder.set_name(txn, name);
    builder.read(txn, builder.key("x"), history::Value::integer(0));
    builder.write(txn, builder.key("x"), history::Value::integer(name[0]));
  }
  return builder.build();
}

audit::Plan plan(const std::string& of_a, const std::string& of_b) {
  return {.name = "",
          .type_names = {"a", "b"},
          .levels = {*level::standard_level("cerone:" + of_a),
                     *level::standard_level("cerone:" + of_b)},
          .level_of = {0, 1},
          .serial = {},
          .is_watched = {}};
}

bool allows(const level::Level& level, const history::History& history) {
  const check::Result result = check::uncertified_answers(
      history,
      {.levels = {check::AskedLevel("joint", level)}, .budget = {}, .explain = false});
  return std::holds_alternative<check::Consistent>(result.levels.front().verdict);
}

TEST(MixedLevel, promises_to_the_later_transaction) {
  EXPECT_TRUE(allows(audit::mixed_level(plan("EC", "EC")), lost_update()));
  EXPECT_TRUE(allows(audit::mixed_level(plan("EC", "PSI")), lost_update()));  // a is later
  EXPECT_FALSE(allows(audit::mixed_level(plan("PSI", "PSI")), lost_update()));
  EXPECT_FALSE(allows(audit::mixed_level(plan("SI", "PSI")), lost_update()));
}

TEST(MixedLevel, makes_serial_pairs_see_each_other) {
  audit::Plan serial = plan("EC", "CC");
  serial.serial = {{0, 0}};
  EXPECT_TRUE(allows(audit::mixed_level(serial), lost_update()));
  serial.serial = {{0, 1}};
  EXPECT_FALSE(allows(audit::mixed_level(serial), lost_update()));
}

TEST(MixedLevel, can_be_written_down_and_read_again) {
  for (const auto& [a, b] : {std::pair("EC", "PSI"), {"SI", "PSI"}, {"SER", "CC"}}) {
    const level::Level joint = audit::mixed_level(plan(a, b));
    const auto read = level::parse_levels("joint.level", joint.text);
    ASSERT_TRUE(read) << joint.text << render(read.error());
    EXPECT_EQ(allows(read->front(), lost_update()), allows(joint, lost_update()));
    EXPECT_EQ(read->front().axioms.size(), joint.axioms.size()) << joint.text;
  }
}

}  // namespace
}  // namespace isomer::test
