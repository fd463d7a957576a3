// SPDX-License-Identifier: MIT
#include "report/record/report.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "database/server.h"
#include "report/check/wording.h"
#include "report/ink.h"
#include "report/json.h"

namespace isomer::report {
namespace {

using record::Recording;

constexpr std::size_t rows_shown = 5;

// In milliseconds; so many of a hundred took no longer.
double percentile(const std::vector<double>& sorted, std::size_t hundredths) {
  if (sorted.empty()) return 0;
  return 1000 * sorted[std::min(sorted.size() - 1, sorted.size() * hundredths / 100)];
}

template <class Run>
double rate(const Run& of) {
  return of.seconds > 0 ? static_cast<double>(of.committed) / of.seconds : 0;
}

template <class Run>
std::uint64_t rolled_back(const Run& of) {
  std::uint64_t out = 0;
  for (const auto& [state, count] : of.rolled_back)
    out += count;
  return out;
}

template <class Run>
std::string aborts_text(const Run& of) {
  if (of.rolled_back.empty()) return {};
  std::string out = fmt::format("  {} rolled back:", rolled_back(of));
  std::string_view separator = " ";
  for (const auto& [state, count] : of.rolled_back) {
    const std::string_view words = database::error_words(state);
    out += fmt::format("{}{} {}{}{}", separator, count,
                       state.empty() ? "by the program" : state, words.empty() ? "" : ", ",
                       words);
    separator = "; ";
  }
  return out + "\n";
}

std::string remarks_text(const Recording& of) {
  std::string out;
  if (of.losses > 0)
    out +=
        fmt::format("  {} broke; {} of unknown outcome\n", counted(of.losses, "connection"),
                    counted(of.unknown, "transaction"));
  if (of.mixed > 0)
    out += fmt::format(
        "  {} went on with newer rows than {} snapshot had, as READ COMMITTED lets "
        "statements do that wait\n",
        counted(of.mixed, "statement"), of.mixed == 1 ? "its" : "their");
  if (of.reused_keys > 0)
    out += fmt::format(
        "  {} inserted rows under keys that somebody gave up after the snapshot: "
        "PostgreSQL "
        "looks for free keys in what is committed now, which SI forbids\n",
        counted(of.reused_keys, "statement"));
  if (of.unexplained > 0)
    out += fmt::format(
        "  {} answered something else than we compute from what was seen; what they only "
        "read is left out (the first: {})\n",
        counted(of.unexplained, "statement"), of.first_unexplained);
  return out;
}

std::string final_rows_text(const Recording& of, const Ink& ink) {
  if (!of.has_final_rows)
    return "  the server was gone at the end: its rows were not compared with the record\n";
  if (of.different.empty())
    return "  at the end the rows of the server are those of the record\n";
  std::string rows;
  for (std::size_t i = 0; i < std::min(rows_shown, of.different.size()); ++i)
    rows += fmt::format("{}{}", i == 0 ? "" : ", ", printable(of.different[i], 60));
  if (of.different.size() > rows_shown) rows += ", ..";
  return fmt::format("  {}: {} at the end not as the record has it: {}\n",
                     ink.bad("commits were lost, or somebody else has written"),
                     counted(of.different.size(), "row"), rows);
}

template <class Run>
std::string committed_text(const Run& of) {
  return fmt::format(
      "  {} committed, {:.0f} a second; half of them within {:.1f} ms, 99 of "
      "100 within {:.1f} ms\n",
      counted(of.committed, "transaction"), rate(of), percentile(of.latencies, 50),
      percentile(of.latencies, 99));
}

Json latency_json(const std::vector<double>& sorted) {
  return {{"median", percentile(sorted, 50)}, {"p99", percentile(sorted, 99)}};
}

template <class Run>
Json aborts_json(const Run& of) {
  Json out = Json::object();
  for (const auto& [state, count] : of.rolled_back)
    out[state.empty() ? "program" : state] = count;
  return out;
}

// Absent: it was not decided.
std::optional<bool> is_kept(const StressShown& shown) {
  for (const check::LevelResult& level : shown.levels->levels)
    if (level.level == check::AskedLevel(shown.promise)) {
      if (std::holds_alternative<check::Unknown>(level.verdict)) return std::nullopt;
      return std::holds_alternative<check::Consistent>(level.verdict);
    }
  return std::nullopt;
}

}  // namespace

std::string recording_text(const RecordingShown& shown, bool colour) {
  const Recording& of = shown.recording;
  const Ink ink(colour);
  std::string out = fmt::format(
      "{}{}{}: {}, {:.1f} s\n\n", shown.program.file, shown.level.empty() ? "" : " at ",
      shown.level, counted(shown.program.sessions.size(), "session"), of.seconds);
  out += committed_text(of) + aborts_text(of) + remarks_text(of) + final_rows_text(of, ink);
  if (!shown.output.empty())
    out += fmt::format("\nSaved as {}. What it was:  isomer check {}\n", shown.output,
                       shown.output);
  return out;
}

std::string recording_json(const RecordingShown& shown) {
  const Recording& of = shown.recording;
  Json out = {{"level", shown.level.empty() ? Json(nullptr) : Json(shown.level)},
              {"sessions", shown.program.sessions.size()},
              {"seconds", of.seconds},
              {"committed", of.committed},
              {"rolled_back", aborts_json(of)},
              {"unknown", of.unknown},
              {"lost_connections", of.losses},
              {"statements", of.statements},
              {"mixed", of.mixed},
              {"reused_keys", of.reused_keys},
              {"unexplained", of.unexplained},
              {"latency_ms", latency_json(of.latencies)},
              {"different_rows", of.different},
              {"final_rows_compared", of.has_final_rows}};
  if (!shown.output.empty()) out["history"] = shown.output;
  return document_text(out);
}

// --- stress ---

std::string stress_text(const StressShown& shown, bool colour) {
  const Ink ink(colour);
  const auto kept = is_kept(shown);
  std::string out = fmt::format("{}: {}, {}, {:.1f} s\n\n", shown.where, shown.workload,
                                counted(shown.sessions, "session"), shown.run.seconds);
  out += committed_text(shown.run) + aborts_text(shown.run);
  if (shown.run.losses > 0 || shown.run.unknown > 0)
    out += fmt::format("  {} broke; {} of unknown outcome\n",
                       counted(shown.run.losses, "connection"),
                       counted(shown.run.unknown, "transaction"));
  out += fmt::format("\n{}: {}{}{}\n",
                     !kept   ? ink.doubtful("not decided")
                     : *kept ? ink.good("kept")
                             : ink.bad("broken"),
                     check::info(shown.promise).title,
                     shown.about_promise.empty() ? "" : ", ", shown.about_promise);
  if (!shown.output.empty()) out += fmt::format("Saved as {}.\n", shown.output);
  return out + "\n";
}

std::string stress_json(const StressShown& shown) {
  const auto kept = is_kept(shown);
  Json out = {{"where", shown.where},
              {"workload", shown.workload},
              {"sessions", shown.sessions},
              {"seconds", shown.run.seconds},
              {"committed", shown.run.committed},
              {"rolled_back", aborts_json(shown.run)},
              {"unknown", shown.run.unknown},
              {"lost_connections", shown.run.losses},
              {"latency_ms", latency_json(shown.run.latencies)},
              {"promise", check::info(shown.promise).name},
              {"kept", kept ? Json(*kept) : Json(nullptr)},
              {"levels", verdicts_json(*shown.levels)}};
  if (!shown.output.empty()) out["history"] = shown.output;
  return document_text(out);
}

}  // namespace isomer::report
