// SPDX-License-Identifier: MIT
// What is expected stands in a file; tools/promote rewrites it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "support/files.h"

namespace isomer::test {

// With ISOMER_PROMOTE the file is rewritten instead.
inline void expect_pinned(const std::filesystem::path& file, const std::string& found) {
  if (std::getenv("ISOMER_PROMOTE") != nullptr)
    std::ofstream(file, std::ios::binary) << found;
  else
    EXPECT_EQ(found, contents(file)) << file;
}

}  // namespace isomer::test
