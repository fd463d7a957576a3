// SPDX-License-Identifier: MIT
// What holds of all formats: each is recognised, each mistake is reported as pinned in
// tests/corpus/error, and histories survive being written and read.
#include "history/formats.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "unit/history/reading.h"

namespace isomer::history {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_under(const fs::path& folder, std::string_view suffix) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().string().ends_with(suffix))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Every file NAME of tests/corpus/error/FORMAT is rejected with the words of NAME.expect.
TEST(Formats, report_mistakes_as_pinned) {
  const std::vector<fs::path> expectations = files_under(test::corpus / "error", ".expect");
  ASSERT_GT(expectations.size(), 50U);
  for (const fs::path& expectation : expectations) {
    const fs::path input = fs::path(expectation).replace_extension();
    const std::string folder = input.parent_path().filename().string();
    // tests/unit/level and tests/unit/program read those.
    if (folder == "level" || folder == "sql" || folder == "toml" || folder == "txn")
      continue;
    const auto read = parse_history(test::contents(input), input.filename().string(),
                                    {.format = folder == "any" ? "" : folder});
    ASSERT_FALSE(read) << input << " was accepted";
    EXPECT_EQ(render(read.error()), test::contents(expectation)) << input;
    EXPECT_LE(read.error().size(), 20U);
  }
}

TEST(Formats, are_recognised_by_their_content) {
  const std::vector<std::pair<std::string, std::string>> examples = {
      {"hist", "# comment\na: { r(x)=0 }\n"},
      {"hist", "init x=1\n"},
      {"hist", "\"long name\": T { }\n"},
      {"hist", "# only a comment"},
      {"jsonl", "{\"isomer-history\": 1}\n"},
      {"jsonl", "{\"session\": \"a\", \"operations\": []}\n"},
      {"json", "{\"initial\": 0, \"sessions\": []}\n"},
      {"plume", "w(1,1,0,0)\n"},
      {"plume", "\n  r(-1,1,0,0)"},
      {"awdit", "w 0 0\n=====\nr 0 0\n"},
      {"awdit", "-----\nr 0 0"},
      {"dbcop", "[[{\"events\":[],\"committed\":true}]]"},
      {"dbcop", "{\"params\":{\"id\":0},\"info\":\"\",\"data\":[]}"},
      {"dbcop", "[]"},
      {"dbcop-text", "// session\n[x:=1 y==2]\n---\n"},
      {"dbcop-text", "[x==?]"},
      {"dbcop-yaml", "- - events: []\n    success: true\n"},
      {"dbcop-yaml", "---\n- - events: []\n    success: true\n"},
      {"elle", "; comment\n{:type :ok, :value []}"},
      {"elle", "[{:type :ok, :value []}]"},
      {"elle", "#jepsen.history.Op{:type :ok, :value []}"},
      {"elle-json", "[{\"type\":\"ok\",\"value\":[]}]"},
      {"isopredict", "WRITE KEY[x] Txn(1, 0)\n"},
      {"isopredict", "INSERT[x] to Set[s] Txn(1, 0)\n"},
      {"cobra", std::string("S\0\0\0\0\0\0\0\7C\0\0\0\0\0\0\0\7", 18)},
      {"dbcop-bincode", std::string(72, '\0')},
  };
  for (const auto& [format, text] : examples) {
    const auto read = parse_history(text, "input", {});
    ASSERT_TRUE(read) << text << render(read.error());
    EXPECT_EQ(read->format, format) << text;
  }
}

TEST(Formats, have_different_names_and_say_which_can_be_written) {
  std::map<std::string_view, bool> is_writable;
  for (const Format& format : formats())
    EXPECT_TRUE(is_writable.emplace(format.name, format.is_writable).second);
  EXPECT_EQ(is_writable.size(), 13U);
  EXPECT_TRUE(is_writable.at("plume"));
  EXPECT_FALSE(is_writable.at("cobra"));
}

// The indented examples of docs/FORMATS.md are histories.
TEST(Formats, are_documented_with_examples_that_work) {
  std::istringstream lines(
      test::contents(fs::path(ISOMER_SOURCE_DIR) / "docs" / "FORMATS.md"));
  std::string example;
  int count = 0;
  for (std::string line; std::getline(lines, line) || !example.empty();) {
    if (lines && line.starts_with("    ")) {
      example += line.substr(4) + "\n";
    } else if (!example.empty()) {
      const auto read = parse_history(example, "example", {});
      EXPECT_TRUE(read) << example << render(read.error());
      example.clear();
      ++count;
    }
  }
  EXPECT_EQ(count, 11);
}

TEST(Formats, name_the_choices_when_a_format_is_unknown) {
  const auto read = parse_history("a: { }", "input", {.format = "xml"});
  ASSERT_FALSE(read);
  EXPECT_THAT(
      render(read.error()),
      testing::StartsWith("input: error: there is no format 'xml'; the formats are: "
                          "hist, jsonl, json, plume,"));
  const auto written_as = write_history(history_of("a: { }"), "cobra");
  ASSERT_FALSE(written_as);
  EXPECT_THAT(render(written_as.error()),
              testing::HasSubstr("format 'cobra' can only be read"));
}

// Whatever is written is read again, or refused; and what is empty is not lost in silence.
TEST(Formats, say_which_empty_parts_they_leave_out) {
  const std::string sessions = "1 session without transactions is left out";
  const std::string transactions = "2 transactions without operations are left out";
  const History history = history_of("a: { w(x)=1 } { }\nb:\nc: { }");
  for (const Format& format : formats()) {
    if (!format.is_writable) continue;
    const auto written = write_history(history, format.name);
    ASSERT_TRUE(written) << format.name;
    const auto warns = [&](const std::string& words) {
      return std::find(written->warnings.begin(), written->warnings.end(), words) !=
             written->warnings.end();
    };
    const auto read = parse_history(written->bytes, "written", {});
    ASSERT_TRUE(read) << format.name << render(read.error());
    EXPECT_EQ(read->history.session_count() < 3, warns(sessions)) << format.name;
    EXPECT_EQ(read->history.txn_count() < 4, warns(transactions)) << format.name;
  }
}

TEST(Formats, refuse_to_write_an_empty_file) {
  for (const Format& format : formats()) {
    if (!format.is_writable) continue;
    for (const std::string text : {"a: ", "init none"}) {
      const auto written = write_history(history_of(text), format.name);
      if (written) {
        EXPECT_TRUE(parse_history(written->bytes, "written", {})) << format.name;
        continue;
      }
      EXPECT_THAT(render(written.error()), testing::HasSubstr("cannot say a history"));
    }
  }
}

// What engines see of a history, without names: who reads what from whom, who writes what.
std::string essence(const History& h) {
  std::ostringstream out;
  for (TxnId t{1}; t.index < h.txn_count(); ++t.index) {
    if (h.status(t) == Status::Aborted) continue;
    out << t.index << (h.status(t) == Status::Unknown ? "?" : "") << ":";
    for (const Read& read : h.reads(t))
      out << " r" << read.key.index << "<" << static_cast<int>(read.writer.index);
    for (const KeyId x : h.writes(t))
      out << " w" << x.index;
    out << "\n";
  }
  for (const Problem& problem : h.problems())
    out << "problem " << static_cast<int>(problem.kind) << "\n";
  return out.str();
}

// The anomalies go through every format that can say what is in them.
TEST(Formats, keep_what_matters_when_written_and_read) {
  const std::vector<fs::path> files = files_under(test::corpus / "anomaly", ".hist");
  ASSERT_GE(files.size(), 44U);
  for (const fs::path& file : files) {
    const History history = history_of(test::contents(file));
    for (const std::string format : {"hist", "json", "jsonl", "elle"}) {
      if (format == "elle" && history.has_unknown_outcomes())
        continue;  // reads are dropped
      const auto text = write_history(history, format);
      ASSERT_TRUE(text) << file << render(text.error());
      EXPECT_EQ(essence(history_of(text->bytes, format)), essence(history))
          << file << " as " << format << ":\n"
          << text->bytes;
    }
    const bool has_aborts = test::contents(file).find("abort") != std::string::npos;
    if (has_aborts || history.has_unknown_outcomes()) continue;
    for (const std::string format : {"plume", "dbcop", "isopredict"}) {
      const auto text = write_history(history, format);
      const bool is_sayable = format == "plume" || (history.problems().empty() &&
                                                    history.ambiguous_reads().empty());
      if (!is_sayable) continue;
      ASSERT_TRUE(text) << file << render(text.error());
      EXPECT_EQ(essence(history_of(text->bytes, format)), essence(history))
          << file << " as " << format << ":\n"
          << text->bytes;
    }
  }
}

// What the fuzzer checks, on the inputs it kept.
TEST(Formats, turn_what_they_accept_into_our_text_and_back) {
  std::size_t accepted = 0;
  for (const fs::path& file :
       files_under(fs::path(ISOMER_SOURCE_DIR) / "fuzz" / "corpus", "")) {
    const std::string folder = file.parent_path().filename().string();
    const std::string text = as_hist(test::contents(file), folder == "any" ? "" : folder);
    if (text.starts_with("input:")) continue;  // diagnostics
    EXPECT_EQ(as_hist(text, "hist"), text) << file;
    ++accepted;
  }
  EXPECT_GT(accepted, 20U);
}

TEST(Formats, ignore_a_byte_order_mark_and_carriage_returns) {
  EXPECT_EQ(as_hist("\xef\xbb\xbfw(1,1,0,0)\r\nr(1,1,0,1)\r\n", ""),
            "s0: { w(1)=1 } { r(1)=1 }\n");
  EXPECT_EQ(as_hist("a: { w(x)=1 }\r\nb: { r(x)=1 }\r\n", ""),
            "a: { w(x)=1 }\nb: { r(x)=1 }\n");
  EXPECT_EQ(as_hist("w 0 1\r\n-----\r\nr 0 1\r\n", ""),
            "init none\ns0: { w(0)=1 } { r(0)=1 }\n");
}

}  // namespace
}  // namespace isomer::history
