// SPDX-License-Identifier: MIT
// A worker has its own runs of transactions, its own searches over commit orders and its
// own stack.  With several workers, one that has work left gives the largest part of it
// away whenever none is waiting to be taken, as a history that the taker runs again.
//
// Scans read every row that may come to exist.  Which these are is not known before: if a
// transaction writes a row that the scans did not know of, the exploration starts again
// with that row known.
#include "explore/exploration.h"

#include <atomic>
#include <mutex>
#include <new>
#include <unordered_map>

#include <sys/resource.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <fmt/format.h>

#include "base/assert.h"
#include "explore/dfs.h"
#include "explore/fixed_part.h"
#include "explore/search.h"
#include "explore/witness.h"

namespace isomer::explore {
namespace {

using check::Level;

constexpr std::size_t universe_keys_max = 10'000;
constexpr std::size_t base_answers_max = 1'000'000;

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

Base strongest_implied_by(const check::AskedLevel& asked) {
  for (const auto& [level, base] :
       {std::pair(Level::CC, Base::CC), {Level::RA, Base::RA}, {Level::RC, Base::RC}})
    if (check::is_stronger_or_equal(asked, level)) return base;
  return Base::True;
}

Base base_for(const Options& options) {
  if (options.base_text) return strongest_implied_by(*options.base_text);
  if (options.base) return *options.base;
  return options.level ? strongest_implied_by(*options.level) : Base::True;
}

// Whether the base decides the level, so that no filter is needed.  A text is asked again
// at the end, with the writes of the last transaction.
bool is_decided_by(Base base, const Options& options) {
  if (options.base_text) return false;
  if (!options.level) return base == Base::True;
  return options.level->built_in &&
         name(base) == check::info(*options.level->built_in).name;
}

struct Found {
  Path path;
  Offence offence;
  std::vector<store::RanTransaction> ran;
  std::vector<std::uint32_t> commit_order;  // indexes into ran
  store::FinalState last;  // of the keys that somebody wrote, where it happens
  bool is_serializable = false;
};

// What the workers share.
struct Shared {
  Shared(const Program& program_in, const Options& options_in, const Target& target_in)
      : program(program_in),
        options(options_in),
        target(target_in),
        transactions(transactions_of(program_in)),
        base(base_for(options_in)),
        is_filtered(!is_decided_by(base, options_in)) {}

  const Program& program;
  const Options& options;
  const Target& target;
  std::vector<ProgramTxn> transactions;
  Base base;
  bool is_filtered;
  bool is_silent = false;  // only finds the rows that scans look for
  std::map<KeyName, Value> universe;

  std::mutex mutex;  // of what follows
  std::map<KeyName, Value> new_keys;
  std::optional<Found> found;
  std::string unknown;
  double done = 0;

  std::atomic<bool> is_stopped = false;
  std::atomic<bool> has_found = false;
  std::atomic<int> waiting = 0;  // parts of the work that nobody has taken yet
  std::atomic<std::uint64_t> histories = 0;
  std::atomic<std::uint64_t> end_states = 0;
};

template <std::size_t Words>
class Worker {
 public:
  using History = OrderedHistory<Words>;

  explicit Worker(Shared& shared)
      : shared_(shared),
        runs_(shared.program, shared.transactions, shared.options.granularity,
              shared.universe),
        serializable_(shared.transactions, Level::SER),
        assertions_(shared.program, shared.transactions, runs_, shared.options.granularity,
                    shared.target.wanted) {
    if (shared.options.level && shared.options.level->built_in)
      level_.emplace(shared.transactions, *shared.options.level->built_in);
  }

  SearchHooks<Words> hooks() {
    SearchHooks<Words> out;
    out.on_end = [this](const History& history, const Path& path) {
      return end(history, path);
    };
    out.goes_on = [this](double done) { return goes_on(done); };
    out.on_forget = [this] { assertions_.forget(); };
    if (shared_.options.base_text)
      out.base_allows = [this](const History& history) { return base_allows(history); };
    if (shared_.is_filtered && shared_.options.prune && level_)
      out.is_hopeless = [this](const History& history) {
        const std::vector<Part> parts = fixed_part(history);
        return !parts.empty() && !level_->allows(history, parts);
      };
    return out;
  }

  // Where the base decides, nothing else need.
  Consistency<Words>* filter() {
    return shared_.is_filtered && level_ ? &*level_ : nullptr;
  }

  Runs& runs() { return runs_; }

  std::uint64_t histories = 0;
  std::uint64_t failures = 0;

 private:
  // False ends the search.
  bool end(const History& history, const Path& path) {
    shared_.end_states.fetch_add(1, std::memory_order_relaxed);
    if (!runs_.new_keys().empty() || is_behind_found(path)) return false;
    if (shared_.is_filtered && !is_allowed(history)) return true;
    if (meets_limit(history)) return false;
    ++histories;
    shared_.histories.fetch_add(1, std::memory_order_relaxed);
    if (shared_.is_silent) return true;
    if (shared_.options.on_history) show(history);
    const std::optional<Offence> offence = offence_of(history);
    if (!offence) return true;
    if (offence->is_limit)
      return give_up(fmt::format("invariant \"{}\": {}", offence->name, offence->message));
    ++failures;
    keep(history, path, *offence);
    return shared_.options.find == Find::All;
  }

  // Did a transaction need what we cannot compute?  A server might go on there.
  bool meets_limit(const History& history) {
    for (const OrderedTxn& txn : history.transactions())
      if (txn.node->is_limit)
        return !give_up(fmt::format("{}: {}", shared_.transactions[txn.number].type,
                                    txn.node->message));
    return false;
  }

  bool give_up(std::string why) {
    const std::lock_guard lock(shared_.mutex);
    shared_.unknown = std::move(why);
    shared_.is_stopped = true;
    return false;
  }

  bool is_allowed(const History& history) {
    if (!shared_.options.level) return true;
    if (level_) return level_->allows(history);
    return is_allowed_by_text(reads_and_writes(shared_.transactions, history),
                              *shared_.options.level);
  }

  // Who read from whom, and who is pending.
  [[nodiscard]] std::u32string beginning_of(const History& history) const {
    std::vector<std::u32string> parts(shared_.transactions.size());
    for (std::uint32_t position = 0; position < history.transactions().size(); ++position) {
      const OrderedTxn& txn = history.transactions()[position];
      parts[txn.number].push_back(1);
      for (std::uint32_t i = txn.first_read; i < history.read_end(position); ++i)
        parts[txn.number].push_back(static_cast<char32_t>(history.reads()[i].writer + 2));
    }
    std::u32string out(1, static_cast<char32_t>(history.last().number));
    for (const std::u32string& part : parts)
      (out += part).push_back(0);
    return out;
  }

  // The search comes to the same beginnings again and again, so answers are kept.
  bool base_allows(const History& history) {
    const auto [found, is_new] = base_answers_.try_emplace(beginning_of(history), false);
    if (!is_new) return found->second;
    std::vector<store::RunTransaction> transactions =
        reads_and_writes(shared_.transactions, history);
    transactions.back().writes.clear();
    const bool answer = is_allowed_by_text(transactions, *shared_.options.base_text);
    found->second = answer;
    if (base_answers_.size() > base_answers_max) base_answers_.clear();
    return answer;
  }

  // What cannot be decided is left out, and the search is not complete.
  bool is_allowed_by_text(const std::vector<store::RunTransaction>& transactions,
                          const check::AskedLevel& level) {
    const Budget& budget = shared_.options.budget;
    const std::optional<bool> answer = store::is_allowed(transactions, level, budget);
    if (answer) return *answer;
    const std::lock_guard lock(shared_.mutex);
    shared_.unknown = budget.is_exhausted() ? budget.reason() : "memory";
    return false;
  }

  // An assertion speaks of the reads of its own transaction, which has aborted.
  bool is_serializable(const History& history, FailureKind kind) {
    return serializable_.allows(history, kind == FailureKind::Assert
                                             ? Consistency<Words>::whole(history)
                                             : Consistency<Words>::committed(history));
  }

  std::optional<Offence> offence_of(const History& history) {
    if (shared_.options.find == Find::Unserializable) {
      if (is_serializable(history, FailureKind::Unserializable)) return std::nullopt;
      Offence out;
      out.kind = FailureKind::Unserializable;
      return out;
    }
    std::optional<Offence> out = assertions_.offence_of(history, admission(history));
    if (out && shared_.target.is_unserializable && is_serializable(history, out->kind))
      out.reset();
    return out;
  }

  Admission admission(const History& history) {
    Admission out;
    if (level_)
      out.admits = [&](const FinalVersions& versions) {
        return level_->commit_order(history, versions.precedences).has_value();
      };
    else if (!shared_.options.level)
      out.admits = [&](const FinalVersions& versions) {
        Order<Words> order = history.commits();
        return std::ranges::all_of(versions.precedences, [&](const Precedence& precedence) {
          return order.add(precedence.first, precedence.second);
        });
      };
    else
      out = {.extends_forced = false, .admits = [&](const FinalVersions& versions) {
               return is_allowed_with_observer(history, versions);
             }};
    return out;
  }

  bool is_allowed_with_observer(const History& history, const FinalVersions& versions) {
    std::vector<std::uint32_t> number(shared_.transactions.size(), 0);
    for (std::uint32_t i = 0; i < history.transactions().size(); ++i)
      number[history.transactions()[i].number] = i + 1;
    std::vector<store::RunTransaction::Read> reads;
    for (const FinalVersion& version : versions.versions)
      reads.push_back({version.key, number[version.writer]});
    return is_allowed_by_text(
        store::observed(reads_and_writes(shared_.transactions, history), reads),
        *shared_.options.level);
  }

  // Another worker has found what stands before this in the tree.
  bool is_behind_found(const Path& path) {
    if (shared_.options.find == Find::All || !shared_.has_found) return false;
    const std::lock_guard lock(shared_.mutex);
    return shared_.found && shared_.found->path < path;
  }

  void show(const History& history) {
    const history::History recorded =
        store::record(shared_.program, shared_.options.granularity,
                      ran_transactions(shared_.program, shared_.transactions, history,
                                       runs_, shared_.options.granularity));
    const std::lock_guard lock(shared_.mutex);
    shared_.options.on_history(recorded);
  }

  void keep(const History& history, const Path& path, const Offence& offence) {
    if (shared_.has_found) {
      const std::lock_guard lock(shared_.mutex);
      if (shared_.found->path <= path) return;
    }
    Found found{.path = path,
                .offence = offence,
                .ran = ran_transactions(shared_.program, shared_.transactions, history,
                                        runs_, shared_.options.granularity),
                .commit_order = commit_order(history, offence),
                .last = {},
                .is_serializable = is_serializable(history, offence.kind)};
    for (const FinalVersion& version : offence.last.versions)
      found.last[runs_.key_name(version.key)] = runs_.value(version.value);
    const std::lock_guard lock(shared_.mutex);
    if (!shared_.found || path < shared_.found->path) shared_.found = std::move(found);
    shared_.has_found = true;
  }

  std::vector<std::uint32_t> commit_order(const History& history, const Offence& offence) {
    std::vector<std::uint32_t> out;
    std::vector<std::uint32_t> position(shared_.transactions.size(), 0);
    for (std::uint32_t i = 0; i < history.transactions().size(); ++i)
      position[history.transactions()[i].number] = i;
    const auto add = [&](TxnNumber txn) {
      if (history.transactions()[position[txn]].node->kind == Node::Kind::Commits)
        out.push_back(position[txn]);
    };
    Consistency<Words> forced(shared_.transactions, Level::RC);
    const auto order =
        (level_ ? *level_ : forced).commit_order(history, offence.last.precedences);
    if (order)
      std::ranges::for_each(*order, add);
    else
      for (const OrderedTxn& txn : history.transactions())
        add(txn.number);
    return out;
  }

  bool goes_on(double done) {
    if (shared_.is_stopped) return false;
    const std::lock_guard lock(shared_.mutex);
    shared_.done += done;
    if (!runs_.new_keys().empty()) {
      shared_.new_keys.insert(runs_.new_keys().begin(), runs_.new_keys().end());
      shared_.is_stopped = true;
    } else if (shared_.options.budget.is_exhausted()) {
      shared_.unknown = shared_.options.budget.reason();
      shared_.is_stopped = true;
    }
    if (shared_.options.on_progress)
      shared_.options.on_progress({.fraction = std::min(shared_.done, 1.0),
                                   .histories = shared_.histories,
                                   .end_states = shared_.end_states});
    return !shared_.is_stopped;
  }

  Shared& shared_;
  Runs runs_;
  std::optional<Consistency<Words>> level_;
  Consistency<Words> serializable_;
  AssertionChecker<Words> assertions_;
  std::unordered_map<std::u32string, bool> base_answers_;
};

void add_counts(Result& result, const SearchCounts& counts) {
  result.end_states += counts.end_states;
  result.explored += counts.explored;
  result.blocked += counts.blocked;
  result.pruned += counts.pruned;
}

template <std::size_t Words>
void add_worker(Result& result, Shared& shared, Worker<Words>& worker) {
  result.histories += worker.histories;
  result.assertion_failures += worker.failures;
  shared.new_keys.insert(worker.runs().new_keys().begin(), worker.runs().new_keys().end());
}

template <std::size_t Words>
void explore_dfs(Shared& shared, Result& result) {
  Worker<Words> worker(shared);
  Dfs<Words> dfs(shared.transactions, shared.base, worker.filter(), worker.runs(),
                 worker.hooks());
  dfs.explore();
  add_counts(result, dfs.counts());
  add_worker(result, shared, worker);
}

template <std::size_t Words>
void explore_alone(Shared& shared, Result& result) {
  Worker<Words> worker(shared);
  Search<Words> search(shared.transactions, shared.base, worker.runs(), worker.hooks());
  search.explore(search.whole_tree());
  add_counts(result, search.counts());
  add_worker(result, shared, worker);
}

template <std::size_t Words>
class Team {
 public:
  explicit Team(Shared& shared) : shared_(shared) {}

  void explore(Result& result) {
    // An exception of a task ends the others, and comes out of the wait for them.
    try {
      explore_together();
    } catch (const std::bad_alloc&) {
      shared_.unknown = "memory";
      shared_.is_stopped = true;
    }
    for (auto& member : members_) {
      if (!member) continue;  // there was no memory for it
      add_counts(result, member->search.counts());
      add_worker(result, shared_, member->worker);
    }
  }

 private:
  void explore_together() {
    // As many as asked for, even if there are fewer cores.
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                      shared_.options.jobs);
    tbb::task_arena arena(static_cast<int>(shared_.options.jobs));
    arena.execute([&] {
      give(Branch<Words>{
          .history = OrderedHistory<Words>(shared_.transactions, shared_.base),
          .is_settled = true,
          .weight = 1,
          .path = {}});
      group_.wait();
    });
  }

  struct Member {
    explicit Member(Team& team)
        : worker(team.shared_),
          search(team.shared_.transactions, team.shared_.base, worker.runs(),
                 team.hooks(worker)) {}

    Worker<Words> worker;
    Search<Words> search;
  };

  SearchHooks<Words> hooks(Worker<Words>& worker) {
    SearchHooks<Words> out = worker.hooks();
    out.is_work_wanted = [this] { return shared_.waiting == 0; };
    out.give_work = [this](Branch<Words> branch) { give(std::move(branch)); };
    return out;
  }

  void give(Branch<Words> branch) {
    ++shared_.waiting;
    group_.run([this, branch = std::move(branch)] {
      --shared_.waiting;
      if (shared_.is_stopped) return;
      std::unique_ptr<Member>& member = members_.local();
      if (!member) member = std::make_unique<Member>(*this);
      member->search.explore(branch);
    });
  }

  Shared& shared_;
  tbb::enumerable_thread_specific<std::unique_ptr<Member>> members_;
  tbb::task_group group_;
};

template <std::size_t Words>
void explore_with(Shared& shared, Result& result) {
  if (shared.options.algorithm == Algorithm::Dfs)
    explore_dfs<Words>(shared, result);
  else if (shared.options.jobs <= 1)
    explore_alone<Words>(shared, result);
  else
    Team<Words>(shared).explore(result);
}

void explore_universe(Shared& shared, Result& result) {
  result = {};
  result.base = shared.base;
  result.base_name = shared.options.base_text ? shared.options.base_text->name
                                              : std::string(name(shared.base));
  result.is_filtered = shared.is_filtered;
  shared.new_keys.clear();
  shared.found.reset();
  shared.has_found = false;
  shared.is_stopped = false;
  shared.done = 0;
  shared.histories = 0;
  shared.end_states = 0;
  if (shared.transactions.size() <= TxnSet<1>::capacity)
    explore_with<1>(shared, result);
  else if (shared.transactions.size() <= TxnSet<4>::capacity)
    explore_with<4>(shared, result);
  else
    shared.unknown = "more than 255 transactions";
}

// Until no run writes a row that scans did not know of.
void explore_until_closed(Shared& shared, Result& result) {
  while (true) {
    explore_universe(shared, result);
    if (shared.new_keys.empty() || !shared.unknown.empty()) return;
    shared.universe.merge(shared.new_keys);
    if (shared.universe.size() > universe_keys_max)
      shared.unknown = "too many rows that may come to exist";
  }
}

Failure failure_of(const Shared& shared, Found found) {
  store::FinalState final_state =
      program::initial_database(shared.program, shared.options.granularity);
  for (const std::uint32_t index : found.commit_order)
    for (const store::Access& access : found.ran[index].accesses)
      if (access.is_write) final_state[access.key] = access.value;
  for (const auto& [key, value] : found.last)
    final_state[key] = value;
  Failure out = explore::failure_of(shared.program, shared.options.granularity,
                                    std::move(found.ran), std::move(final_state));
  out.commit_order = std::move(found.commit_order);
  out.kind = found.offence.kind;
  out.name = std::move(found.offence.name);
  out.message = std::move(found.offence.message);
  out.at = found.offence.at;
  out.is_serializable = found.is_serializable;
  return out;
}

}  // namespace

Exploration explore_once(const Program& program, const Options& options,
                         const Target& target) {
  const auto start = Budget::Clock::now();
  Shared shared(program, options, target);
  Exploration out;
  Result& result = out.result;
  if (options.on_history && !program.tables.empty()) {
    shared.is_silent = true;
    explore_until_closed(shared, result);
    shared.is_silent = false;
  }
  if (shared.unknown.empty()) explore_until_closed(shared, result);
  result.unknown = shared.unknown;
  if (shared.found) out.failure = failure_of(shared, std::move(*shared.found));
  if (options.find == Find::Unserializable) {
    result.unserializable = out.failure ? 1 : 0;
    result.assertion_failures = 0;
  }
  if (options.base_text && !options.is_base_proved && result.unknown.empty()) {
    result.may_miss = true;
    result.unknown = "it is not known whether the base is causally extensible";
  }
  result.is_complete = result.unknown.empty() || (out.failure && options.find != Find::All);
  result.seconds = std::chrono::duration<double>(Budget::Clock::now() - start).count();
  result.peak_mib = peak_mib();
  return out;
}

}  // namespace isomer::explore
