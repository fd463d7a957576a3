// SPDX-License-Identifier: MIT
// dbcop's four formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/history/reading.h"

namespace isomer::history {
namespace {

TEST(Dbcop, reads_the_example_of_the_format) {
  EXPECT_EQ(
      as_hist(
          "[[{\"events\":[{\"Write\":{\"variable\":0,\"version\":1}}],\"committed\":true}],"
          "\n [{\"events\":[{\"Read\":{\"variable\":0,\"version\":1}},"
          "{\"Read\":{\"variable\":1,\"version\":null}}],\"committed\":true}]]",
          "dbcop"),
      "s1: { w(0)=1 }\ns2: { r(0)=1 r(1)=0 }\n");
}

TEST(Dbcop, reads_compact_events_and_the_object_around) {
  EXPECT_EQ(as_hist("{\"params\":{\"id\":0},\"data\":[[{\"committed\":false,\"events\":"
                    "[[\"w\",0,1],{\"Read\":{\"version\":2,\"variable\":1}}]}]]}",
                    "dbcop"),
            "s1: { w(0)=1 r(1)=2 } abort\n");
}

TEST(Dbcop, tells_version_zero_from_the_initial_state_where_it_is_written) {
  EXPECT_EQ(as_hist("[[{\"events\":[[\"r\",0,null],[\"w\",0,0],[\"r\",1,0]]}],"
                    "[{\"events\":[[\"r\",0,0],[\"r\",1,null]]}]]",
                    "dbcop"),
            "init 0=nil\ns1: { r(0)=nil w(0)=0 r(1)=0 }\ns2: { r(0)=0 r(1)=0 }\n");
}

TEST(Dbcop, writes_reads_of_the_initial_state_as_null) {
  const WriteResult result =
      written("1: { r(1)=0 w(1)=5 }\n2: { r(1)=5 } abort\n", "dbcop");
  EXPECT_EQ(
      result.bytes,
      "[[{\"events\":[{\"Read\":{\"variable\":1,\"version\":null}},"
      "{\"Write\":{\"variable\":1,\"version\":5}}],\"committed\":true}],\n"
      "[{\"events\":[{\"Read\":{\"variable\":1,\"version\":5}}],\"committed\":false}]]\n");
  EXPECT_THAT(result.warnings, testing::IsEmpty());
}

TEST(Dbcop, warns_when_the_initial_value_is_written_again) {
  EXPECT_THAT(written("1: { w(1)=1 } { w(1)=0 }\n2: { r(1)=0 }\n", "dbcop").warnings,
              testing::ElementsAre(testing::HasSubstr("is also written")));
}

TEST(DbcopText, reads_the_example_of_the_format) {
  EXPECT_EQ(as_hist("// session 1\n[x:=1 y:=2] [y==2 x:=3]\n[z:=1]!\n---\n// session 2\n"
                    "[x==1 z==?]\n",
                    "dbcop-text"),
            "s1: { w(x)=1 w(y)=2 } { r(y)=2 w(x)=3 } { w(z)=1 } abort\n"
            "s2: { r(x)=1 r(z)=0 }\n");
}

TEST(DbcopYaml, reads_the_example_of_the_format) {
  EXPECT_EQ(as_hist("- - events:\n"
                    "    - {write: true, variable: 0, value: 1, success: true}\n"
                    "    success: true\n"
                    "- - events:\n"
                    "    - {write: false, variable: 0, value: 1, success: true}\n"
                    "    - {write: true, variable: 0, value: 2, success: false}\n"
                    "    - {write: false, variable: 0, value: 9, success: false}\n"
                    "    success: true\n"
                    "  - events: []\n"
                    "    success: false\n",
                    "dbcop-yaml"),
            "s1: { w(0)=1 }\ns2: { r(0)=1 } { w(0)=2 } abort { } abort\n");
}

TEST(DbcopYaml, refuses_aliases_instead_of_unfolding_them) {
  EXPECT_THAT(as_hist("- &a\n  - events: []\n    success: true\n- *a\n", "dbcop-yaml"),
              testing::StartsWith("input:4:3: error: expected a session"));
}

std::string u64(std::uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 8; ++i, number >>= 8)
    bytes.push_back(static_cast<char>(number & 0xff));
  return bytes;
}

std::string event(char is_write, std::uint64_t variable, std::uint64_t value,
                  char success) {
  return std::string(1, is_write) + u64(variable) + u64(value) + std::string(1, success);
}

TEST(DbcopBincode, reads_sessions_transactions_and_events) {
  std::string bytes;
  for (std::uint64_t i = 0; i < 5; ++i)
    bytes += u64(i);
  for (const std::string text : {"info", "2020-01-01T00:00:00Z", ""})
    bytes += u64(text.size()) + text;
  bytes += u64(2);
  bytes += u64(1) + u64(2) + event(1, 7, 1, 1) + event(1, 7, 2, 0) + '\1';
  bytes += u64(2) + u64(1) + event(0, 7, 1, 1) + '\1' + u64(1) + event(1, ~0ULL, ~0ULL, 1) +
           std::string(1, '\0');
  EXPECT_EQ(as_hist(bytes, "dbcop-bincode"),
            "s0: { w(7)=1 } { w(7)=2 } abort\n"
            "s1: { r(7)=1 } { w(18446744073709551615)=\"18446744073709551615\" } abort\n");
}

}  // namespace
}  // namespace isomer::history
