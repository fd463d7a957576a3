// SPDX-License-Identifier: MIT
// Docs quote only what tests execute, and name only files that exist.
//
// A fenced block after a line `<!-- from tests/corpus/cli/NAME -->` must be the command of
// that case and what it prints.
#include <regex>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "support/command.h"
#include "support/pinned.h"

namespace isomer {
namespace {

const std::filesystem::path root = ISOMER_SOURCE_DIR;

std::vector<std::filesystem::path> documents() {
  std::vector<std::filesystem::path> out;
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"})
    out.push_back(root / name);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") out.push_back(entry.path());
  return out;
}

// The command of a case as typed, and what it prints.
std::string session_of(const std::string& name) {
  const std::string expectation = test::contents(root / (name + ".expect"));
  return "$ " + test::contents(root / (name + ".cmd")) +
         expectation.substr(expectation.find('\n') + 1);
}

// The document with every quote replaced by what its command prints; counts the quotes.
std::string requoted(const std::string& text, std::size_t& count) {
  static const std::regex marker("<!-- from (tests/corpus/cli/[a-z0-9_]+) -->");
  std::istringstream lines(text);
  std::string out;
  std::string line;
  while (std::getline(lines, line)) {
    out += line + "\n";
    std::smatch match;
    if (!std::regex_match(line, match, marker)) continue;
    const std::string name = match[1];
    std::getline(lines, line);
    EXPECT_EQ(line, "```") << "a block must follow the marker of " << name;
    while (std::getline(lines, line) && line != "```") {
    }
    out += "```\n" + session_of(name) + "```\n";
    ++count;
  }
  return out;
}

TEST(Docs, quote_what_commands_print) {
  std::size_t count = 0;
  for (const auto& document : documents()) {
    const std::string fresh = requoted(test::contents(document), count);
    test::expect_pinned(document, fresh);
  }
  EXPECT_GE(count, 1U) << "the README shows real output";
}

// Lines in blocks marked as sh.
TEST(Docs, suggest_commands_that_work) {
  static const std::regex command("(^|\\n)(isomer [^\n]*)");
  static const std::regex block("```sh\n([^`]*)```");
  std::size_t count = 0;
  const std::string text = test::contents(root / "README.md");
  for (std::sregex_iterator b(text.begin(), text.end(), block), end; b != end; ++b) {
    const std::string lines = (*b)[1];
    for (std::sregex_iterator c(lines.begin(), lines.end(), command); c != end;
         ++c, ++count)
      EXPECT_LE(test::run((*c)[2].str() + " > /dev/null").status, 1) << (*c)[2];
  }
  EXPECT_GT(count, 5U);
}

TEST(Docs, show_the_picture_that_the_command_makes) {
  const test::Scratch scratch;
  test::run(
      "isomer explore --level SI examples/tutorial/night.toml --svg $SCRATCH/night.svg");
  test::expect_pinned(root / "docs/pictures/night.svg",
                      test::contents(scratch.path("night.svg")));
}

TEST(Docs, name_only_files_that_exist) {
  static const std::regex path(
      "`((src|tests|tools|docs|examples|cmake|bench|fuzz)/[A-Za-z0-9_./-]*)`");
  for (const auto& document : documents()) {
    const std::string text = test::contents(document);
    for (std::sregex_iterator match(text.begin(), text.end(), path), end; match != end;
         ++match)
      EXPECT_TRUE(std::filesystem::exists(root / (*match)[1].str()))
          << document << " names " << (*match)[1];
  }
}

TEST(Docs, glossary_has_every_anomaly) {
  static const std::regex name("\\{\"([a-z -]+)\",");
  const std::string source = test::contents(root / "src/check/explain.cpp");
  const std::string glossary = test::contents(root / "docs/GLOSSARY.md");
  std::size_t count = 0;
  for (std::sregex_iterator match(source.begin(), source.end(), name), end; match != end;
       ++match, ++count)
    EXPECT_NE(glossary.find("| " + (*match)[1].str() + " |"), std::string::npos)
        << (*match)[1];
  EXPECT_GT(count, 10U);
}

}  // namespace
}  // namespace isomer
