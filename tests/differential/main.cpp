// SPDX-License-Identifier: MIT
// The differential suite: random cases, every two engines that can answer the same question
// must agree.
//
//   isomer_differential [--seconds N] [--seed S] [--only NAME] [--case NAME:SEED]
//                       [--inputs FOLDER] [--out FOLDER]
//
// All agreements take turns and share the time evenly; each tries the cases S, S + 1, ..  A
// disagreement is cut down, written to FOLDER/NAME-SEED with the commands that show it
// again, and its agreement is left alone from then on.  --inputs asks only the cases of a
// folder: each is a folder of its own, NAME-WHAT, as it was written once.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "differential/child.h"
#include "support/command.h"
#include "support/effort.h"
#include "support/shrunk.h"

namespace isomer::differential {
namespace {

constexpr double case_seconds_max = effort(300.0, 900.0);
constexpr double shrink_seconds_max = 180;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Options {
  double seconds = 60;
  std::uint64_t seed = 1;
  std::string only;
  std::vector<std::string> cases;  // NAME:SEED; if there are some, nothing else is tried
  std::filesystem::path inputs;    // likewise
  std::filesystem::path out = "build/differential";
};

// How an agreement has fared.
struct Progress {
  Agreement agreement;
  std::uint64_t next_seed = 1;
  std::uint64_t cases = 0;
  std::uint64_t skipped = 0;
  double seconds = 0;
  double slowest_seconds = 0;
  std::uint64_t slowest_seed = 0;
  bool has_disagreed = false;
};

struct Disagreement {
  std::uint64_t seed = 0;
  std::string why;
};

// Tries cases for some time, at least one.
std::optional<Disagreement> try_cases(Progress& progress, double seconds) {
  std::optional<Disagreement> found;
  const Clock::time_point start = Clock::now();
  Clock::time_point begin = start;
  std::uint64_t current = progress.next_seed;
  const auto hear = [&](const Message& message) {
    current = message.seed;
    if (message.is_begin) return static_cast<void>(begin = Clock::now());
    ++progress.cases;
    progress.next_seed = message.seed + 1;
    progress.skipped += message.answer.kind == Answer::Kind::Skip ? 1U : 0U;
    if (const double spent = seconds_since(begin); spent > progress.slowest_seconds) {
      progress.slowest_seconds = spent;
      progress.slowest_seed = message.seed;
    }
    if (message.answer.kind == Answer::Kind::Disagree)
      found = {message.seed, message.answer.why};
  };
  const auto work = [&](const Say& say) {
    for (std::uint64_t seed = current;; ++seed) {
      say({.seed = seed, .is_begin = true, .answer = {}});
      const Answer given = progress.agreement.draw(seed).ask();
      say({.seed = seed, .is_begin = false, .answer = given});
      if (given.kind == Answer::Kind::Disagree || seconds_since(start) > seconds) return;
    }
  };
  const std::string death = in_child(work, case_seconds_max, hear);
  if (!death.empty()) found = {current, death};
  progress.seconds += seconds_since(start);
  return found;
}

// As long as there is time, with what fails in the same way: a case that takes too long is
// not asked for a smaller one that crashes.
Case shrunk_case(const Case& whole) {
  const Clock::time_point start = Clock::now();
  return test::shrunk(whole, [&](const Case& less) {
    const double left = shrink_seconds_max - seconds_since(start);
    return left > 0 &&
           ask_in_child(less, std::max(left, 1.0)).kind == Answer::Kind::Disagree;
  });
}

void show(const Agreement& agreement, const Disagreement& found, const Options& options) {
  fmt::print("{}:{}: {}\n", agreement.name, found.seed, found.why);
  std::fflush(stdout);
  const Case small = shrunk_case(agreement.draw(found.seed));
  const Evidence evidence = small.evidence();
  const auto folder = options.out / fmt::format("{}-{}", agreement.name, found.seed);
  std::filesystem::create_directories(folder);
  for (const Evidence::File& file : evidence.files)
    std::ofstream(folder / file.name) << file.text;
  const Answer again = ask_in_child(small, case_seconds_max);
  std::string text = fmt::format(
      "{}\n\n{}\n", agreement.claim,
      again.why.empty() ? "Asked again, they agree: did the time run out?" : again.why);
  for (const std::string& command : evidence.commands)
    text += fmt::format("{}\n", command);
  std::ofstream(folder / "README") << text;
  fmt::print("cut down, in {}:\n{}the whole: isomer_differential --case {}:{}\n\n",
             folder.string(), text, agreement.name, found.seed);
  std::fflush(stdout);
}

void print_table(const std::vector<Progress>& all) {
  fmt::print("{:16} {:>9} {:>8} {:>9}  {}\n", "agreement", "cases", "skipped", "cases/s",
             "slowest");
  for (const Progress& progress : all)
    fmt::print("{:16} {:>9} {:>8} {:>9.1f}  {:.1f} s, seed {}{}\n", progress.agreement.name,
               progress.cases, progress.skipped,
               static_cast<double>(progress.cases) / std::max(progress.seconds, 1e-3),
               progress.slowest_seconds, progress.slowest_seed,
               progress.has_disagreed ? "  DISAGREES" : "");
}

// Whoever has had the least time is next.
bool run_all(std::vector<Progress>& all, const Options& options) {
  fmt::print("{} agreements, {} s, from seed {}\n", all.size(), options.seconds,
             options.seed);
  std::fflush(stdout);
  const Clock::time_point start = Clock::now();
  const double turn =
      std::clamp(options.seconds / static_cast<double>(4 * all.size()), 0.2, 10.0);
  bool out = true;
  for (double left = options.seconds; left > 0;
       left = options.seconds - seconds_since(start)) {
    const auto next = std::ranges::min_element(all, {}, [](const Progress& progress) {
      return std::pair(progress.has_disagreed, progress.seconds);
    });
    if (next->has_disagreed) break;
    if (const auto found = try_cases(*next, std::min(turn, left))) {
      next->has_disagreed = true;
      out = false;
      show(next->agreement, *found, options);
    }
  }
  print_table(all);
  return out;
}

bool run_cases(const std::vector<Progress>& all, const Options& options) {
  bool out = true;
  for (const std::string& wanted : options.cases) {
    const std::size_t colon = wanted.find(':');
    const auto found = std::ranges::find(
        all, wanted.substr(0, colon), [](const Progress& p) { return p.agreement.name; });
    if (colon == std::string::npos || found == all.end()) {
      fmt::print(stderr, "no case '{}'\n", wanted);
      out = false;
      continue;
    }
    const std::uint64_t seed = std::stoull(wanted.substr(colon + 1));
    const Answer given = ask_in_child(found->agreement.draw(seed), case_seconds_max);
    fmt::print("{}: {}\n", wanted,
               given.kind == Answer::Kind::Skip ? "skipped"
               : given.why.empty()              ? "agree"
                                                : "disagree");
    if (given.kind != Answer::Kind::Disagree) continue;
    out = false;
    show(found->agreement, {seed, given.why}, options);
  }
  return out;
}

// The agreement whose name the folder's begins with: the longest, if there are several.
const Agreement* agreement_of(const std::vector<Progress>& all, const std::string& folder) {
  const Agreement* out = nullptr;
  for (const Progress& progress : all) {
    const Agreement& some = progress.agreement;
    if (folder.starts_with(fmt::format("{}-", some.name)) && some.read &&
        (out == nullptr || out->name.size() < some.name.size()))
      out = &some;
  }
  return out;
}

// What was kept must be asked: a case that nobody can answer is a failure, too.
bool run_inputs(const std::vector<Progress>& all, const Options& options) {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(options.inputs))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::ranges::sort(folders);
  std::size_t agreeing = 0;
  for (const std::filesystem::path& folder : folders) {
    const Agreement* const found = agreement_of(all, folder.filename().string());
    const Answer given = found == nullptr
                             ? answer("no agreement has this name")
                             : ask_in_child(found->read(folder), case_seconds_max);
    agreeing += given.kind == Answer::Kind::Agree ? 1U : 0U;
    fmt::print("{}: {}\n", folder.filename().string(),
               given.kind == Answer::Kind::Skip ? "nobody knows the answer"
               : given.why.empty()              ? "agree"
                                                : given.why);
  }
  return !folders.empty() && agreeing == folders.size();
}

std::optional<Options> parsed(const std::vector<std::string>& words) {
  Options out;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string& value = words[i + 1];
    if (words[i] == "--seconds")
      out.seconds = std::stod(value);
    else if (words[i] == "--seed")
      out.seed = std::stoull(value);
    else if (words[i] == "--only")
      out.only = value;
    else if (words[i] == "--case")
      out.cases.push_back(value);
    else if (words[i] == "--inputs")
      out.inputs = value;
    else if (words[i] == "--out")
      out.out = value;
    else
      return std::nullopt;
  }
  if (words.size() % 2 != 0) return std::nullopt;
  return out;
}

std::vector<Progress> agreements(const Options& options) {
  std::vector<Progress> out;
  for (const auto& some : {history_agreements(), synth_agreements(), program_agreements(),
                           application_agreements(), run_agreements(), limit_agreements()})
    for (const Agreement& agreement : some)
      if (options.only.empty() || options.only == agreement.name)
        out.push_back({.agreement = agreement, .next_seed = options.seed});
  return out;
}

int run(const std::vector<std::string>& words) {
  const auto options = parsed(words);
  if (!options) {
    fmt::print(stderr,
               "usage: isomer_differential [--seconds N] [--seed S] [--only NAME]\n"
               "         [--case NAME:SEED] [--inputs FOLDER] [--out FOLDER]\n");
    return 2;
  }
  std::vector<Progress> all = agreements(*options);
  if (all.empty()) {
    fmt::print(stderr, "no agreement '{}'\n", options->only);
    return 2;
  }
  const test::Scratch scratch;
  const bool is_good = !options->inputs.empty() ? run_inputs(all, *options)
                       : options->cases.empty() ? run_all(all, *options)
                                                : run_cases(all, *options);
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace isomer::differential

int main(int count, char** words) {
  return isomer::differential::run({words + 1, words + count});
}
