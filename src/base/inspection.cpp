// SPDX-License-Identifier: MIT
#include "base/inspection.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace isomer {
namespace {

// A search may ask a million questions; nobody reads that many, and disks are finite.
constexpr std::size_t questions_kept = 1000;
constexpr std::size_t name_max = 40;

// Letters, digits and dashes, for the name of a file.
std::string plain_name(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, name_max)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (out.ends_with('-'))
    out.pop_back();
  return out;
}

constexpr std::array<std::string_view, 4> level_names{"error", "warning", "info", "debug"};

}  // namespace

void Inspection::count(std::string_view name, std::uint64_t amount) {
  const std::lock_guard lock(mutex_);
  const auto found = counters_.find(name);
  if (found == counters_.end())
    counters_.emplace(name, amount);
  else
    found->second += amount;
}

std::map<std::string, std::uint64_t, std::less<>> Inspection::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

std::vector<Inspection::PhaseTime> Inspection::phases() const {
  const std::lock_guard lock(mutex_);
  std::vector<PhaseTime> out;
  for (const Entry& entry : phases_) {
    out.push_back(entry.time);
    if (entry.open > 0) out.back().seconds += entry.since.seconds();
  }
  return out;
}

std::string Inspection::activity() const {
  const std::lock_guard lock(mutex_);
  if (!open_.empty()) return open_.front();
  return phases_.empty() ? "" : "preparing the answer";
}

void Inspection::tell(std::string how_far) {
  const std::lock_guard lock(mutex_);
  how_far_ = std::move(how_far);
}

void Inspection::log(LogLevel level, std::string_view sentence) {
  if (!logs(level) || !wishes_.print) return;
  const std::string line = fmt::format(
      "isomer: {}: {}\n", level_names[static_cast<std::size_t>(level)], sentence);
  const std::lock_guard lock(mutex_);
  wishes_.print(line);
}

void Inspection::begin(const std::string& name) {
  log(LogLevel::Info, name);
  const std::lock_guard lock(mutex_);
  auto entry = std::ranges::find(phases_, name, [](const Entry& e) { return e.time.name; });
  if (entry == phases_.end()) {
    phases_.push_back({.time = {.name = name, .depth = open_.size()}});
    entry = phases_.end() - 1;
  }
  if (entry->open++ == 0) entry->since = Stopwatch();
  ++entry->time.times;
  open_.push_back(name);
  how_far_.clear();
}

void Inspection::end(const std::string& name) {
  double seconds = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto entry =
        std::ranges::find(phases_, name, [](const Entry& e) { return e.time.name; });
    seconds = entry->since.seconds();
    if (--entry->open == 0) entry->time.seconds += seconds;
    // Of several threads, the first to begin need not be the last to end.
    open_.erase(std::find(open_.rbegin(), open_.rend(), name).base() - 1);
  }
  if (logs(LogLevel::Info))
    log(LogLevel::Info, fmt::format("{}: done after {:.3f} s", name, seconds));
}

void Inspection::add_question(const SolverQuestion& question,
                              const std::function<std::string()>& script) {
  if (logs(LogLevel::Debug))
    log(LogLevel::Debug, fmt::format("{}: {}: {}, {:.3f} s", question.solver, question.size,
                                     question.answer, question.seconds));
  if (!keeps_questions()) return;
  const std::lock_guard lock(mutex_);
  const std::filesystem::path folder = wishes_.dump_folder;
  std::ofstream index(folder / "index.txt",
                      question_count_ == 0 ? std::ios::trunc : std::ios::app);
  if (++question_count_ > questions_kept) {
    if (question_count_ == questions_kept + 1)
      index << fmt::format("more questions were asked; the first {} are kept\n",
                           questions_kept);
    return;
  }
  const std::string asked = open_.empty() ? "" : open_.front();
  const std::string name = fmt::format("{:04}-{}", question_count_, plain_name(asked));
  const std::string file =
      script ? fmt::format("{}.{}", name, question.ending) : name + " (not kept)";
  if (script) std::ofstream(folder / file) << script();
  index << fmt::format("{}: {}{}{}: {}: {}: {}, {:.3f} s\n", file, asked,
                       how_far_.empty() ? "" : ", ", how_far_, question.solver,
                       question.size, question.answer, question.seconds);
}

Phase::Phase(const Budget& budget, std::string name)
    : inspection_(budget.inspection()), name_(std::move(name)) {
  if (inspection_ != nullptr) inspection_->begin(name_);
}

Phase::~Phase() {
  if (inspection_ != nullptr) inspection_->end(name_);
}

}  // namespace isomer
