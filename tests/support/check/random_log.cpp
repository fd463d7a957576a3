// SPDX-License-Identifier: MIT
// Small random logs.
//
// Purely random reads violate nearly everything, so we simulate sessions that learn of each
// other's commits late.  What a session has learnt of when a transaction begins is closed
// in one of several ways, which gives roughly RA (not at all), CC (causes are known, too)
// and PC (all earlier commits are known, too); if a transaction also learns of all earlier
// writers of what it will write, PSI and SI; if of everything, SER; and if it learns more
// between its reads, RC.  Then some reads are spoiled.
#include <algorithm>
#include <array>

#include "base/random.h"
#include "support/check/log.h"

namespace isomer::check {
namespace {

using history::Status;

struct Traits {
  double aborts = 0.04;
  double unknowns = 0.04;
  double spoiled = 0.03;  // reads that return something else
  int values = 0;         // 0: every write is unique
  bool is_list_append = false;
};

Traits traits(Profile profile) {
  switch (profile) {
    case Profile::Arbitrary:
      return {.aborts = 0.02, .unknowns = 0.02, .spoiled = 0.6};
    case Profile::Ambiguous:
      return {.aborts = 0.05, .unknowns = 0.05, .spoiled = 0.1, .values = 2};
    case Profile::Simulated:
      return {};
    case Profile::Outcomes:
      return {.aborts = 0.15, .unknowns = 0.35, .spoiled = 0.05, .values = 4};
    case Profile::ListAppend:
      return {.unknowns = 0.1, .is_list_append = true};
  }
  return {};
}

using Set = std::uint32_t;  // bit c: commit c

// What a commit left behind.
struct Commit {
  Set known = 0;  // the commits it depends on
  std::array<std::vector<int>, key_count> written;
};

enum class Closure : std::uint8_t { None, Causes, Prefix };

class Simulation {
 public:
  Simulation(Profile profile, std::uint64_t seed)
      : random_(seed), traits_(traits(profile)) {
    log_.is_list_append = traits_.is_list_append;
    log_.sessions.resize(1 + std::max(random_.below(4), random_.below(4)));
    known_.resize(log_.sessions.size());
    keys_ = 1 + std::max(below(key_count), below(key_count));
    closure_ = static_cast<Closure>(below(3));
    knows_conflicts_ = random_.chance(0.3);
    learns_ = random_.chance(0.1) ? 1 : 0.5 * random_.unit();
    learns_midway_ = random_.chance(0.25) ? random_.unit() : 0;
    reads_ = 0.4 + 0.3 * random_.unit();
  }

  Log run(int txns_max) {
    const int count = 1 + std::max({below(txns_max), below(txns_max), below(txns_max)});
    for (int left = count; left > 0; --left)
      add_txn(random_.below(log_.sessions.size()));
    for (auto& session : log_.sessions)
      for (LoggedTxn& txn : session)
        spoil(txn);
    return std::move(log_);
  }

 private:
  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }

  // --- what a session knows ---

  void learn(Set& known) {
    for (std::size_t c = 0; c < commits_.size(); ++c)
      if (random_.chance(learns_)) known |= 1U << c;
    close(known);
  }

  void close(Set& known) const {
    for (std::size_t c = commits_.size(); c-- > 0;) {
      if ((known >> c & 1U) == 0) continue;
      if (closure_ == Closure::Causes) known |= commits_[c].known;
      if (closure_ == Closure::Prefix) known |= (1U << c) - 1;
    }
  }

  // The last known commit that wrote x counts; lists have all that was appended up to it.
  [[nodiscard]] std::vector<int> version(std::size_t x, Set known) const {
    std::size_t end = commits_.size();
    while (end > 0 &&
           ((known >> (end - 1) & 1U) == 0 || commits_[end - 1].written[x].empty()))
      --end;
    std::vector<int> list;
    for (std::size_t c = 0; c < end; ++c)
      list.insert(list.end(), commits_[c].written[x].begin(), commits_[c].written[x].end());
    return list;
  }

  // --- transactions ---

  Status outcome() {
    const double dice = random_.unit();
    if (dice < traits_.aborts) return Status::Aborted;
    if (dice < traits_.aborts + traits_.unknowns) return Status::Unknown;
    return Status::Committed;
  }

  int fresh_value(std::size_t x) {
    if (traits_.values == 0) return ++last_value_[x];
    return below(traits_.values + 1);
  }

  LoggedTxn plan() {
    LoggedTxn txn;
    txn.outcome = outcome();
    for (int left = 1 + std::max(below(4), below(4)); left > 0; --left) {
      const bool is_write = !random_.chance(reads_);
      const int key = below(keys_);
      const int value = is_write ? fresh_value(static_cast<std::size_t>(key)) : 0;
      txn.ops.push_back({is_write, key, value, {}});
    }
    return txn;
  }

  void learn_conflicts(const LoggedTxn& txn, Set& known) const {
    for (const Op& op : txn.ops)
      for (std::size_t c = 0; op.is_write && c < commits_.size(); ++c)
        if (!commits_[c].written[static_cast<std::size_t>(op.key)].empty())
          known |= 1U << c;
    close(known);
  }

  void add_txn(std::size_t session) {
    LoggedTxn txn = plan();
    Set& known = known_[session];
    learn(known);
    if (knows_conflicts_) learn_conflicts(txn, known);
    Commit commit;
    for (Op& op : txn.ops) {
      const auto x = static_cast<std::size_t>(op.key);
      if (random_.chance(learns_midway_)) learn(known);
      if (op.is_write) {
        commit.written[x].push_back(op.value);
        continue;
      }
      op.list = version(x, known);
      op.list.insert(op.list.end(), commit.written[x].begin(), commit.written[x].end());
      op.value = op.list.empty() ? 0 : op.list.back();
    }
    commit.known = known;
    // An unknown transaction may have taken effect or not.
    if (txn.outcome == Status::Committed ||
        (txn.outcome == Status::Unknown && random_.chance(0.6))) {
      known |= 1U << commits_.size();
      commits_.push_back(commit);
    }
    log_.sessions[session].push_back(std::move(txn));
  }

  // --- spoiled reads ---

  void spoil(LoggedTxn& txn) {
    std::array<bool, key_count> has_written{};
    for (Op& op : txn.ops) {
      auto& is_own = has_written[static_cast<std::size_t>(op.key)];
      is_own = is_own || op.is_write;
      if (op.is_write || !random_.chance(traits_.spoiled)) continue;
      if (is_own && !random_.chance(0.05)) continue;
      if (log_.is_list_append)
        spoil_list(op.list);
      else
        spoil_value(op);
    }
  }

  // Mostly into what some commit left behind.
  void spoil_value(Op& read) {
    std::vector<int> left_behind{0};
    for (const Commit& commit : commits_)
      if (const auto& values = commit.written[static_cast<std::size_t>(read.key)];
          !values.empty())
        left_behind.push_back(values.back());
    std::vector<int> any{77};
    for (const LoggedTxn* txn : log_.txns())
      for (const Op& op : txn->ops)
        if (op.is_write && op.key == read.key) any.push_back(op.value);
    const auto& values = random_.chance(0.03) ? any : left_behind;
    read.value = values[random_.below(values.size())];
  }

  void spoil_list(std::vector<int>& list) {
    if (list.empty() || random_.chance(0.1)) return list.push_back(1 + below(5));
    const auto any = static_cast<std::ptrdiff_t>(random_.below(list.size()));
    if (random_.chance(0.5))
      list.pop_back();
    else if (random_.chance(0.5))
      list.erase(list.begin() + any);
    else
      std::swap(list[static_cast<std::size_t>(any)], list.back());
  }

  Random random_;
  Traits traits_;
  int keys_ = 1;
  Closure closure_ = Closure::None;
  bool knows_conflicts_ = false;
  double learns_ = 0;         // how likely a session learns of a commit
  double learns_midway_ = 0;  // how likely it learns more before an operation
  double reads_ = 0.5;        // how many operations read
  Log log_;
  std::vector<Set> known_;  // by session
  std::vector<Commit> commits_;
  std::array<int, key_count> last_value_{};
};

}  // namespace

std::string name(Profile profile) {
  switch (profile) {
    case Profile::Arbitrary:
      return "Arbitrary";
    case Profile::Ambiguous:
      return "Ambiguous";
    case Profile::Simulated:
      return "Simulated";
    case Profile::Outcomes:
      return "Outcomes";
    case Profile::ListAppend:
      return "ListAppend";
  }
  return "";
}

Log random_log(Profile profile, std::uint64_t seed, int txns_max) {
  return Simulation(profile, seed * 8 + static_cast<std::uint64_t>(profile)).run(txns_max);
}

}  // namespace isomer::check
