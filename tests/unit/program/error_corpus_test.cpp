// SPDX-License-Identifier: MIT
// Every program of tests/corpus/error/{sql,toml,txn} is refused with the words beside it.
// tools/promote rewrites the expectations.
#include <gtest/gtest.h>

#include "program/load.h"
#include "support/files.h"
#include "support/pinned.h"

namespace isomer::program {
namespace {

const std::vector<std::string> kinds = {"sql", "toml", "txn"};

std::vector<std::string> cases() {
  std::vector<std::string> out;
  for (const std::string& kind : kinds)
    for (const std::filesystem::path& file :
         test::files_in(test::corpus / "error" / kind, "." + kind))
      out.push_back(kind + "/" + file.filename().string());
  return out;
}

class ProgramErrors : public testing::TestWithParam<std::string> {
 protected:
  // So that messages name no more than the file.
  void SetUp() override {
    std::filesystem::current_path((test::corpus / "error" / GetParam()).parent_path());
  }
};

TEST_P(ProgramErrors, are_reported_as_pinned) {
  const std::filesystem::path file = std::filesystem::path(GetParam()).filename();
  const auto program = load_program(file);
  ASSERT_FALSE(program) << file << " was accepted";
  EXPECT_LE(program.error().size(), 20U);
  test::expect_pinned(file.string() + ".expect", render(program.error()));
}

INSTANTIATE_TEST_SUITE_P(Files, ProgramErrors, testing::ValuesIn(cases()),
                         [](const auto& test) {
                           return isomer::test::test_name(test.param);
                         });

TEST(ProgramErrorsFolder, has_many_kinds_of_mistakes) {
  std::size_t messages = 0;
  for (const std::string& name : cases()) {
    std::filesystem::current_path((test::corpus / "error" / name).parent_path());
    const auto program = load_program(std::filesystem::path(name).filename());
    if (!program) messages += program.error().size();
  }
  EXPECT_GE(messages, 150U);
}

}  // namespace
}  // namespace isomer::program
