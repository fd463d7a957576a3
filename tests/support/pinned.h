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

// The same, but only what `essence` leaves of a text counts; a file that has it stays.
template <class Essence>
void expect_pinned(const std::filesystem::path& file, const std::string& found,
                   const Essence& essence) {
  const bool is_new = !std::filesystem::exists(file);
  if (!is_new && essence(found) == essence(contents(file))) return;
  if (std::getenv("ISOMER_PROMOTE") != nullptr) return expect_pinned(file, found);
  EXPECT_EQ(essence(found), is_new ? "" : essence(contents(file))) << file;
}

}  // namespace isomer::test
