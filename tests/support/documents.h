// SPDX-License-Identifier: MIT
// What commands write for programs and browsers: JSON, pictures and pages.
#pragma once

#include <regex>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.h"

namespace isomer::test {

// The command prints a JSON document that docs/schema/SCHEMA.schema.json describes.
inline void expect_json(const std::string& command, const std::string& schema) {
  const Outcome outcome =
      run(command + " | python3 tests/support/validate_schema.py docs/schema/" + schema +
          ".schema.json -");
  EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.output;
}

// Nothing in a page may point outside of it; namespaces of XML are only names.
inline void expect_self_contained(const std::string& page) {
  EXPECT_NE(page.find("</html>"), std::string::npos);
  static const std::regex name("xmlns(:[a-z]+)?=\"[^\"]*\"");
  const std::string unnamed = std::regex_replace(page, name, "");
  for (const char* outside : {"http://", "https://", "src=", "@import"})
    EXPECT_EQ(unnamed.find(outside), std::string::npos) << "the page has " << outside;
}

struct Drawn {
  Outcome outcome;  // with the text
  std::string dot;
  std::string page;
};

// Runs a command that draws what it found in every way beside its text.
inline Drawn drawn_by(const std::string& command) {
  const Scratch scratch;
  Drawn out{
      .outcome = run(command +
                     " --dot $SCRATCH/a.dot --svg $SCRATCH/a.svg --html $SCRATCH/a.html"),
      .dot = contents(scratch.path("a.dot")),
      .page = contents(scratch.path("a.html"))};
  EXPECT_THAT(out.dot, testing::HasSubstr("digraph")) << out.outcome.output;
  EXPECT_THAT(contents(scratch.path("a.svg")), testing::HasSubstr("</svg>"));
  expect_self_contained(out.page);
  return out;
}

}  // namespace isomer::test
