// SPDX-License-Identifier: MIT
// The layers: what docs/ARCHITECTURE.md says of them, what CMakeLists.txt links, and what
// the sources include are the same.
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "support/command.h"

namespace isomer {
namespace {

const std::filesystem::path root = ISOMER_SOURCE_DIR;

using Names = std::set<std::string>;
using Layers = std::map<std::string, Names>;  // by folder: those it may use

Names words_of(const std::string& text) {
  static const std::regex word("[a-z]+");
  Names out;
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
    out.insert(at->str());
  return out;
}

Layers written_layers() {
  static const std::regex row(R"(\| `src/([a-z]+)` \|[^|]*\|([^|\n]*)\|)");
  const std::string text = test::contents(root / "docs/ARCHITECTURE.md");
  Layers out;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at)
    out[(*at)[1]] = words_of((*at)[2]);
  return out;
}

Layers linked_layers() {
  static const std::regex row(R"(isomer_layer\(([a-z]+)(?: USES ([a-z ]+))?)");
  const std::string text = test::contents(root / "CMakeLists.txt");
  Layers out;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at)
    out[(*at)[1]] = words_of((*at)[2]);
  return out;
}

TEST(Layers, are_linked_as_written) {
  Layers written = written_layers();
  EXPECT_EQ(written.erase("cli"), 1U);
  EXPECT_EQ(written, linked_layers());
}

TEST(Layers, include_only_what_they_may_use) {
  static const std::regex include("#include \"([a-z]+)/");
  std::size_t count = 0;
  for (auto& [folder, may_use] : written_layers())
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(root / "src" / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = test::contents(entry.path());
      for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end;
           ++at, ++count)
        EXPECT_TRUE((*at)[1] == folder || may_use.contains((*at)[1]))
            << entry.path() << " includes " << (*at)[1];
    }
  EXPECT_GT(count, 1000U);
}

// By folder: the headers that other folders may include.
Layers written_front_doors() {
  static const std::regex row(R"(\| `src/([a-z]+)` \| (`[^|\n]*\.h`) \|)");
  static const std::regex header("`([a-z_/]+\\.h)`");
  const std::string text = test::contents(root / "docs/ARCHITECTURE.md");
  Layers out;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    const std::string cell = (*at)[2];
    for (std::sregex_iterator name(cell.begin(), cell.end(), header); name != end; ++name)
      out[(*at)[1]].insert((*name)[1]);
  }
  return out;
}

TEST(Layers, have_the_front_doors_that_are_written) {
  const Layers doors = written_front_doors();
  for (const auto& [folder, may_use] : written_layers())
    EXPECT_TRUE(doors.contains(folder) || folder == "base" || folder == "cli") << folder;
  for (const auto& [folder, headers] : doors)
    for (const std::string& header : headers)
      EXPECT_TRUE(std::filesystem::exists(root / "src" / folder / header))
          << folder << "/" << header;
}

TEST(Layers, include_only_the_front_doors_of_others) {
  static const std::regex include("#include \"([a-z]+)/([a-z_/]+\\.h)\"");
  const Layers doors = written_front_doors();
  std::size_t count = 0;
  for (const auto& [folder, may_use] : written_layers())
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(root / "src" / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = test::contents(entry.path());
      for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end;
           ++at) {
        const auto door = doors.find((*at)[1]);
        if ((*at)[1] == folder || door == doors.end()) continue;
        ++count;
        EXPECT_TRUE(door->second.contains((*at)[2]))
            << entry.path() << " includes " << (*at)[1] << "/" << (*at)[2]
            << ", which is private to its folder";
      }
    }
  EXPECT_GT(count, 200U);
}

// Engines certify what they find (check/certify/certified.h); whoever shows it has nothing
// left to decide.  `isomer check` asks its own front door, like every command.
TEST(Layers, only_engines_run_checkers) {
  static const std::regex call(
      R"(check/certify/certify\.h|check/uncertified\.h|HandMade|or_contradiction|)"
      R"(\b(check|refute|judge|certify|uncertified_\w+|\w*opinion)\()");
  std::size_t count = 0;
  for (const char* folder : {"cli", "report"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(root / "src" / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = test::contents(entry.path());
      std::smatch found;
      EXPECT_FALSE(std::regex_search(text, found, call))
          << entry.path() << ": " << found.str();
      ++count;
    }
  EXPECT_GT(count, 80U);
}

template <class Visit>
void for_each_source(const Visit& visit) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "src"))
    if (entry.is_regular_file()) visit(entry.path(), test::contents(entry.path()));
}

TEST(Sources, speak_of_files_that_exist) {
  static const std::regex comment("//[^\n]*");
  static const std::regex file("[a-z_]+\\.(h|cpp)\\b");
  Names existing;
  for_each_source([&](const std::filesystem::path& path, const std::string&) {
    existing.insert(path.filename());
  });
  std::size_t count = 0;
  for_each_source([&](const std::filesystem::path& path, const std::string& text) {
    for (std::sregex_iterator at(text.begin(), text.end(), comment), end; at != end; ++at) {
      const std::string words = at->str();
      for (std::sregex_iterator name(words.begin(), words.end(), file); name != end;
           ++name, ++count)
        EXPECT_TRUE(existing.contains(name->str())) << path << ": " << words;
    }
  });
  EXPECT_GT(count, 50U);
}

// A file of a few lines is one more place to look for what its neighbour says.
TEST(Sources, are_rarely_tiny) {
  std::size_t tiny = 0;
  std::size_t count = 0;
  for_each_source([&](const std::filesystem::path&, const std::string& text) {
    ++count;
    if (std::ranges::count(text, '\n') < 30) ++tiny;
  });
  EXPECT_LT(tiny, 30U);
  EXPECT_GT(count, 400U);
}

}  // namespace
}  // namespace isomer
