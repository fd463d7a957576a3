// SPDX-License-Identifier: MIT
// What a command did, for a person who looks inside: the phases with their times, how often
// each thing was done, what solvers were asked, and a log.  Engines reach it through their
// budget; where nobody looks on there is none, and nothing is kept.
//
// May be used from several threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"

namespace isomer {

enum class LogLevel : std::uint8_t { Error, Warn, Info, Debug };

// What a solver was asked, and what it said.
struct SolverQuestion {
  std::string_view solver;  // "SAT", "SMT"
  std::string_view ending;  // of the file that it is kept in: "cnf", "smt2"
  std::string size;         // "12 variables, 30 clauses"
  std::string answer;       // "satisfiable after 3 conflicts"
  double seconds = 0;
};

class Inspection {
 public:
  using Print = std::function<void(std::string_view line)>;

  struct Wishes {
    LogLevel log = LogLevel::Error;
    std::string dump_folder = {};  // exists; empty: what solvers are asked is not kept
    Print print = {};              // where lines of the log go
  };

  Inspection() = default;

  explicit Inspection(Wishes wishes) : wishes_(std::move(wishes)) {}

  // --- counters ---
  void count(std::string_view name, std::uint64_t amount = 1);
  [[nodiscard]] std::map<std::string, std::uint64_t, std::less<>> counters() const;

  // --- phases ---
  struct PhaseTime {
    std::string name;
    std::size_t depth = 0;  // how many phases it was first in
    std::size_t times = 0;  // how often it was begun
    double seconds = 0;
  };

  // In the order in which they first began; of those that are not over, the time so far.
  [[nodiscard]] std::vector<PhaseTime> phases() const;

  // What the command as a whole is doing: "reading bank.hist".  Between two phases, what it
  // does last: "preparing the answer".  Empty at the start.
  [[nodiscard]] std::string activity() const;

  // How far the phase got, or what it asks now: "no overdraft at SI".
  void tell(std::string how_far);

  // --- the log ---
  [[nodiscard]] bool logs(LogLevel level) const { return level <= wishes_.log; }

  void log(LogLevel level, std::string_view sentence);

  // --- what solvers are asked ---
  [[nodiscard]] bool keeps_questions() const { return !wishes_.dump_folder.empty(); }

  // Logs the question.  If questions are kept, writes what `script` gives into a file of
  // its own, and a line about it into index.txt; the first thousand are kept.  Without a
  // script, because nobody told the solver in time, there is only the line.
  void add_question(const SolverQuestion& question,
                    const std::function<std::string()>& script);

 private:
  friend class Phase;

  struct Entry {
    PhaseTime time;
    std::size_t open = 0;  // how many of this name are under way
    Stopwatch since{};     // the first of them began
  };

  void begin(const std::string& name);
  void end(const std::string& name);

  Wishes wishes_;
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t, std::less<>> counters_;
  std::vector<Entry> phases_;
  std::vector<std::string> open_;  // outermost first
  std::string how_far_;
  std::size_t question_count_ = 0;
};

// While it lives, this is being done.
class Phase {
 public:
  Phase(const Budget& budget, std::string name);
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

 private:
  Inspection* inspection_;
  std::string name_;
};

// Counts, if somebody looks on.
inline void count(const Budget& budget, std::string_view name, std::uint64_t amount = 1) {
  if (budget.inspection() != nullptr) budget.inspection()->count(name, amount);
}

}  // namespace isomer
