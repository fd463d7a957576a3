// SPDX-License-Identifier: MIT
// Engines that can answer the same question must give the same answer.  An agreement draws
// a case from a seed, and puts its question to both.
//
// A case is asked in a child process (child.h), so its engines may crash, and may take too
// long: both are disagreements.  Drawing, cutting down and printing happen outside, and use
// none of the engines in question.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isomer::differential {

struct Answer {
  enum class Kind : std::uint8_t { Agree, Skip, Disagree };

  Kind kind = Kind::Agree;
  std::string why;  // of Disagree
};

// Skip: nobody knows the answer, or there is no question.
inline Answer skip() {
  return {Answer::Kind::Skip, {}};
}

// Of what is wrong; empty if nothing is.
inline Answer answer(std::string why) {
  const auto kind = why.empty() ? Answer::Kind::Agree : Answer::Kind::Disagree;
  return {kind, std::move(why)};
}

// What a person needs to see it again.  The folder of these files is a case by itself, and
// can be kept in tests/corpus/differential.
struct Evidence {
  struct File {
    std::string name;
    std::string text;
  };

  std::vector<File> files;
  std::vector<std::string> commands;  // in the folder of the files
};

struct Case {
  std::function<Answer()> ask;
  std::function<std::vector<Case>()> less;
  std::function<Evidence()> evidence;
};

// The cases that have a little less.
inline std::vector<Case> smaller(const Case& whole) {
  return whole.less();
}

// A question about data of some type.
template <class Data>
struct Question {
  Answer (*ask)(const Data&);
  std::vector<Data> (*less)(const Data&);
  Evidence (*evidence)(const Data&);
};

template <class Data>
Case case_of(Data data, const Question<Data>& question) {
  const auto kept = std::make_shared<const Data>(std::move(data));
  return {.ask = [=] { return question.ask(*kept); },
          .less =
              [=] {
                std::vector<Case> out;
                for (Data& less : question.less(*kept))
                  out.push_back(case_of(std::move(less), question));
                return out;
              },
          .evidence = [=] { return question.evidence(*kept); }};
}

struct Agreement {
  std::string_view name;   // "check-oracle"
  std::string_view claim;  // in a sentence
  std::function<Case(std::uint64_t seed)> draw;
  // A case from its files, which outlive the generator that once drew it; may be absent.
  std::function<Case(const std::filesystem::path& folder)> read = {};
};

// One file a kind of data: histories, litmus programs, SQL applications, observed runs; and
// one for what limits do to all of them.
std::vector<Agreement> history_agreements();
std::vector<Agreement> synth_agreements();
std::vector<Agreement> program_agreements();
std::vector<Agreement> application_agreements();
std::vector<Agreement> run_agreements();
std::vector<Agreement> limit_agreements();

}  // namespace isomer::differential
