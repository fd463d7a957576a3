// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include "check/decide.h"
#include "check/order_graph.h"
#include "history/builder.h"

namespace isomer::check {
namespace {

using history::HistoryBuilder;
using history::Value;

// b wrote x after nothing that a wrote, but its session then read a's version.
TEST(Saturate, orders_a_version_that_the_reader_saw_before_the_one_it_read) {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  const auto x = builder.key("x");
  builder.write(builder.begin(builder.session("a")), x, Value::integer(1));
  builder.write(builder.begin(builder.session("b")), x, Value::integer(2));
  builder.read(builder.begin(builder.session("b")), x, Value::integer(1));
  const History history = builder.build();
  const ResolvedHistory resolved = Selection(history).resolve_certain();
  for (const Level level : {Level::PC, Level::PSI, Level::SI, Level::SER}) {
    OrderGraph known(resolved, level);
    ASSERT_EQ(known.saturate(Budget()), OrderGraph::Outcome::Acyclic);
    EXPECT_TRUE(std::any_of(known.links().begin(), known.links().end(),
                            [](const Link& link) {
                              return link.kind == EdgeKind::Ww && link.from == TxnId{2} &&
                                     link.to == TxnId{1} && link.via == TxnId{3};
                            }))
        << info(level).name;
  }
}

}  // namespace
}  // namespace isomer::check
