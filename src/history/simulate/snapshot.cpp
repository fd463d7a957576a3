// SPDX-License-Identifier: MIT
// A multi-version database with snapshot isolation.  A transaction takes a timestamp when
// it starts and reads the newest versions that are not newer than it.  Writing a key whose
// newest version is newer than the snapshot aborts the transaction (first committer wins);
// it is tried again with a new snapshot and new values, and only the attempt that finishes
// is recorded.
//
// Each turn of a session is one step of its transaction: start, an operation, or commit. So
// a transaction overlaps about as many others as there are sessions, and where all of them
// write one hot key, nearly all would abort again and again.  To keep the work linear, an
// attempt takes twice as many steps a turn as the attempt before, until it runs in one go.
#include <algorithm>

#include "history/simulate/recorder.h"
#include "history/simulate/sessions.h"
#include "history/simulate/simulate.h"

namespace isomer::history::simulate {

namespace {

using Timestamp = std::uint64_t;

class VersionStore {
 public:
  explicit VersionStore(std::uint32_t keys) : versions_(keys) {}

  [[nodiscard]] std::int64_t read(std::uint32_t key, Timestamp snapshot) const {
    const std::vector<Version>& chain = versions_[key];
    for (std::size_t i = chain.size(); i-- > 0;)
      if (chain[i].at <= snapshot) return chain[i].value;
    return 0;
  }

  [[nodiscard]] bool is_newer(std::uint32_t key, Timestamp snapshot) const {
    return !versions_[key].empty() && versions_[key].back().at > snapshot;
  }

  // Versions that no snapshot from `oldest` on can see are dropped when room is needed.
  void install(std::uint32_t key, Timestamp at, std::int64_t value, Timestamp oldest) {
    std::vector<Version>& chain = versions_[key];
    if (chain.size() == chain.capacity()) prune(chain, oldest);
    chain.push_back({at, value});
  }

 private:
  struct Version {
    Timestamp at;
    std::int64_t value;
  };

  static void prune(std::vector<Version>& chain, Timestamp oldest) {
    std::size_t unseen = 0;
    while (unseen + 1 < chain.size() && chain[unseen + 1].at <= oldest)
      ++unseen;
    chain.erase(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(unseen));
  }

  std::vector<std::vector<Version>> versions_;  // by key, oldest first
};

class SnapshotDatabase {
 public:
  explicit SnapshotDatabase(const GenerateOptions& options)
      : workload_(options),
        recorder_(options),
        sessions_(options),
        store_(options.keys),
        attempts_(options.sessions) {}

  History run() {
    while (!sessions_.are_done())
      take_turn();
    return recorder_.history();
  }

 private:
  struct Attempt {
    Transaction txn;
    bool is_started = false;
    Timestamp snapshot = 0;
    std::uint32_t failures = 0;
  };

  // The steps of a turn double with each failure, up to a whole transaction.
  static std::size_t steps_max(const Attempt& attempt) {
    const std::uint32_t doublings = std::min(attempt.failures, 31U);
    return std::min(std::size_t{1} << doublings, attempt.txn.steps.size() + 2);
  }

  void take_turn() {
    const std::uint32_t session = sessions_.draw(workload_.random);
    Attempt& attempt = attempts_[session];
    if (attempt.txn.steps.empty()) workload_.draw(attempt.txn);
    for (std::size_t steps = steps_max(attempt); steps > 0; --steps) {
      if (!attempt.is_started) {
        attempt.is_started = true;
        attempt.snapshot = now_;
      } else if (attempt.txn.is_done()) {
        if (has_conflict(attempt))
          restart(attempt);
        else
          finish(session, attempt);
        return;
      } else if (!advance(attempt)) {
        restart(attempt);
        return;
      }
    }
  }

  // False if a write met a newer version.
  bool advance(Attempt& attempt) {
    const Step& step = attempt.txn.next_step();
    if (step.kind == OpKind::Write && store_.is_newer(step.key, attempt.snapshot))
      return false;
    workload_.execute(
        attempt.txn, [&](std::uint32_t key) { return store_.read(key, attempt.snapshot); });
    return true;
  }

  [[nodiscard]] bool has_conflict(const Attempt& attempt) const {
    return std::ranges::any_of(attempt.txn.steps, [&](const Step& step) {
      return step.is_last_write && store_.is_newer(step.key, attempt.snapshot);
    });
  }

  static void restart(Attempt& attempt) {
    attempt.txn.values.clear();
    attempt.is_started = false;
    ++attempt.failures;
  }

  void finish(std::uint32_t session, Attempt& attempt) {
    recorder_.record(session, attempt.txn);
    if (takes_effect(attempt.txn.fate)) {
      ++now_;
      for_each_last_write(attempt.txn, [this](std::uint32_t key, std::int64_t value) {
        store_.install(key, now_, value, oldest_snapshot());
      });
    }
    attempt.txn.steps.clear();
    attempt.is_started = false;
    attempt.failures = 0;
    sessions_.finish_transaction();
  }

  // Not newer than any snapshot in use.  Looked up once in as many commits as there are
  // sessions: an old answer is merely too cautious.
  Timestamp oldest_snapshot() {
    if (now_ < oldest_valid_until_) return oldest_;
    oldest_ = now_;
    for (const Attempt& attempt : attempts_)
      if (attempt.is_started) oldest_ = std::min(oldest_, attempt.snapshot);
    oldest_valid_until_ = now_ + attempts_.size();
    return oldest_;
  }

  Workload workload_;
  Recorder recorder_;
  Sessions sessions_;
  VersionStore store_;
  std::vector<Attempt> attempts_;  // by session
  Timestamp now_ = 0;
  Timestamp oldest_ = 0;
  Timestamp oldest_valid_until_ = 0;
};

}  // namespace

History snapshot(const GenerateOptions& options) {
  return SnapshotDatabase(options).run();
}

}  // namespace isomer::history::simulate
