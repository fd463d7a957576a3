// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <gtest/gtest.h>

#include "support/files.h"

namespace isomer {
namespace {

std::string complaint(const std::string& path, std::size_t size_max) {
  const Expected<std::string> text = read_text_file(path, size_max, "a poem");
  return text ? "" : text.error().front().message;
}

TEST(TextFile, is_read_as_it_is) {
  const std::string file = ISOMER_SOURCE_DIR "/LICENSE";
  const std::string text = test::contents(file);
  EXPECT_EQ(read_text_file(file, text.size(), "a poem").value(), text);
  EXPECT_EQ(complaint(file, text.size() - 1), "this is too large for a poem");
  EXPECT_EQ(complaint("/dev/null", 1), "this is not a regular file");
  EXPECT_EQ(complaint("/", 1), "this is a directory");
  EXPECT_EQ(complaint("/no/such/file", 1), "there is no such file");
}

}  // namespace
}  // namespace isomer
