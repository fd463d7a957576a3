// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/history/reading.h"

namespace isomer::history {
namespace {

TEST(Elle, reads_list_append) {
  EXPECT_EQ(as_hist("{:type :invoke, :f :txn, :value [[:append :x 1] [:r :y nil]], "
                    ":process 0, :index 0}\n"
                    "{:type :ok,     :f :txn, :value [[:append :x 1] [:r :y [3 4]]], "
                    ":process 0, :index 1}",
                    "elle"),
            "s0: { a(x)=1 r(y)=[3 4] }\n");
}

TEST(Elle, reads_registers) {
  EXPECT_EQ(as_hist("{:type :invoke, :f :txn, :value [[:w :x 2] [:r :y nil]], :process 0}\n"
                    "{:type :ok, :f :txn, :value [[:w :x 2] [:r :y nil]], :process 0}",
                    "elle"),
            "init *=nil\ns0: { w(x)=2 r(y)=nil }\n");
}

TEST(Elle, takes_a_nil_read_of_a_list_for_the_empty_list) {
  EXPECT_EQ(as_hist("{:type :ok :process 1 :value [[:r 9 nil]]}\n"
                    "{:type :ok :process 2 :value [[:append 9 1]]}",
                    "elle"),
            "s1: { r(9)=[] }\ns2: { a(9)=1 }\n");
}

TEST(Elle, orders_a_session_by_invocation_and_takes_the_outcome_of_the_completion) {
  EXPECT_EQ(as_hist("{:type :invoke :process 0 :value [[:w x 1]]}\n"
                    "{:type :invoke :process 1 :value [[:w x 2] [:r x nil]]}\n"
                    "{:type :fail :process 1 :value [[:w x 2] [:r x nil]]}\n"
                    "{:type :info :process 0 :value [[:w x 1] [:r x 9]]}\n"
                    "{:type :invoke :process 2 :value [[:w x 3] [:r x nil]]}\n"
                    "{:type :invoke :process 3 :value [[:w x 4]]}\n"
                    "{:type :fail :process 3 :error :timeout}\n",
                    "elle"),
            "init *=nil\ns0: { w(x)=1 } unknown\ns1: { w(x)=2 } abort\n"
            "s2: { w(x)=3 } unknown\ns3: { w(x)=4 } abort\n");
}

TEST(Elle, reads_what_clojure_prints) {
  EXPECT_EQ(
      as_hist("; a comment\n"
              "(#jepsen.history.Op{:index 0, :time 12.5M, :type :ok, :process 0, :f :txn,\n"
              "  :value [[:w \"a b\" 5N] #_[:w :skipped 1], [:r y \"q\\n\"]],\n"
              "  :error #{\\newline (nil true) \"[\" #inst \"2020\"}},\n"
              "{:process :nemesis, :type :info, :f :start-partition, :value nil})",
              "elle"),
      "init *=nil\ns0: { w(\"a b\")=5 r(y)=\"q\\n\" }\n");
}

TEST(Elle, takes_each_transaction_without_a_process_for_a_session_of_its_own) {
  EXPECT_EQ(
      as_hist("{:type :invoke :value [[:w :x 1]]}{:type :ok :value [[:w :x 1]]}"
              "{:type :ok :value [[:r :x 1]]}{:type :ok :process nil :value [[:r :x nil]]}",
              "elle"),
      "init *=nil\nt1: { w(x)=1 }\nt2: { r(x)=1 }\nt3: { r(x)=nil }\n");
}

TEST(Elle, takes_each_transaction_without_a_process_for_a_session_in_json_too) {
  EXPECT_EQ(as_hist("[{\"type\":\"ok\",\"value\":[[\"append\",\"x\",1]]},"
                    "{\"type\":\"ok\",\"process\":null,\"value\":[[\"r\",\"x\",[1]]]}]",
                    "elle-json"),
            "t1: { a(x)=1 }\nt2: { r(x)=[1] }\n");
}

TEST(Elle, keeps_processes_apart_from_transactions_without_one) {
  EXPECT_EQ(
      as_hist("{:type :ok :process 1 :value [[:w :x 1]]}{:type :ok :value [[:w :x 2]]}"
              "{:type :ok :process 1 :value [[:w :x 3]]}",
              "elle"),
      "init *=nil\ns1: { w(x)=1 } { w(x)=3 }\nt1: { w(x)=2 }\n");
}

TEST(Elle, pairs_what_has_no_process_by_what_it_writes) {
  EXPECT_EQ(as_hist("{:type :invoke :value [[:w :x 1] [:r :y nil]]}"
                    "{:type :invoke :value [[:w :x 2]]}"
                    "{:type :invoke :value [[:w :x 3]]}"
                    "{:type :fail :value [[:w :x 2]]}"
                    "{:type :ok :value [[:w :x 1] [:r :y 7]]}"
                    "{:type :fail :error :timeout}",
                    "elle"),
            "init *=nil\nt1: { w(x)=1 r(y)=7 }\nt2: { w(x)=2 } abort\n"
            "t3: { w(x)=3 } unknown\n");
}

TEST(Elle, warns_of_operations_that_are_no_transactions) {
  const auto read = parse_history(
      "{:type :ok :process 0 :f :txn :value [[:w :x 1]]}{:type :ok :process 0 :f :read}",
      "input", {});
  ASSERT_TRUE(read);
  EXPECT_THAT(read->warnings,
              testing::ElementsAre("1 operations whose :f is not :txn were left out"));
}

TEST(Elle, writes_pairs_of_invocation_and_completion) {
  const WriteResult result =
      written("init *=nil\n3: { w(x)=1 r(\"y z\")=nil } abort\n4: { r(x)=\"a\" } unknown\n",
              "elle");
  EXPECT_EQ(result.bytes,
            "{:index 0, :type :invoke, :process 3, :f :txn, :value [[:w :x 1] [:r \"y z\" "
            "nil]]}\n"
            "{:index 1, :type :fail, :process 3, :f :txn, :value [[:w :x 1] [:r \"y z\" "
            "nil]]}\n"
            "{:index 2, :type :invoke, :process 4, :f :txn, :value [[:r :x nil]]}\n"
            "{:index 3, :type :info, :process 4, :f :txn, :value [[:r :x \"a\"]]}\n");
  EXPECT_THAT(result.warnings, testing::IsEmpty());
}

TEST(Elle, writes_the_initial_value_as_nil) {
  const WriteResult result = written("0: { r(x)=0 w(x)=nil }\n", "elle");
  EXPECT_THAT(result.bytes, testing::HasSubstr(":value [[:r :x nil] [:w :x \"nil\"]]}"));
  EXPECT_THAT(result.warnings, testing::ElementsAre("the initial value is written as nil"));
}

TEST(ElleJson, reads_what_elle_cli_takes) {
  EXPECT_EQ(
      as_hist("[{\"index\":0,\"type\":\"invoke\",\"process\":0,\"f\":\"txn\",\"value\":"
              "[[\"append\",253,1],[\"r\",255,null]]},\n"
              "{\"index\":1,\"type\":\"ok\",\"process\":0,\"f\":\"txn\",\"value\":"
              "[[\"append\",253,1],[\"r\",255,[7]]]},\n"
              "{\"type\":\"info\",\"process\":\"nemesis\",\"f\":\"kill\",\"value\":{}}]",
              "elle-json"),
      "s0: { a(253)=1 r(255)=[7] }\n");
}

}  // namespace
}  // namespace isomer::history
