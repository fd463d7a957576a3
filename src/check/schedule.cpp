// SPDX-License-Identifier: MIT
// Events: under SER a transaction is one event, which reads and then commits; otherwise its
// start reads and its commit installs what it wrote.  An event is ready when all its
// predecessors in the graph have run.  A ready event may still have to wait:
//   a commit   while a version that it overwrites has readers that have not run;
//   a start    under SI and PSI, while another running transaction writes one of its keys;
//              and, politely, while its commit would have to wait (or it would hold up
//              others).
// If nothing else can run, the first polite waiter runs, or else the first waiter, and then
// the guess is wrong somewhere.
//
// Waiters stand in the queue of one key that holds them up, so an event is looked at again
// only when that key changes.
#include "check/schedule.h"

#include <algorithm>
#include <queue>

namespace isomer::check {
namespace {

class Scheduler {
 public:
  Scheduler(const ResolvedHistory& in, Level level, std::span<const Link> links,
            std::span<const Link> more)
      : in_(in),
        // PSI's own nodes do not say when a transaction starts; so, wr and ww do, as under
        // SI.
        shape_(shape_of(level == Level::PSI ? Level::SI : level)),
        has_rw_(level != Level::PSI),
        has_locks_(shape_.is_ww_exclusive),
        is_split_(shape_.node_count == 2),
        kept_(kept(links, more)),
        nodes_(in, shape_, kept_),
        version_reads_(in) {}

  std::vector<TxnId> run(const Budget& budget) {
    Patience patience(budget);
    const Digraph& graph = nodes_.digraph();
    missing_.assign(graph.node_count(), 0);
    for (std::uint32_t node = 0; node < graph.node_count(); ++node)
      for (const auto& out : graph.out(node))
        ++missing_[out.to];
    keys_.resize(in_.key_count());
    for (std::uint32_t x = 0; x < in_.key_count(); ++x)
      keys_[x].pending = static_cast<std::uint32_t>(version_reads_.of_initial({x}).size());
    state_.assign(graph.node_count(), State::Waiting);
    for (std::uint32_t node = 0; node < graph.node_count(); ++node)
      if (missing_[node] == 0) ready_.push({priority(node), node});
    while (order_.size() < in_.txn_count()) {
      if (patience.is_over()) return {};
      const std::uint32_t node = next();
      execute(node);
      for (const auto& out : graph.out(node))
        if (--missing_[out.to] == 0) ready_.push({priority(out.to), out.to});
    }
    return order_;
  }

 private:
  enum class State : std::uint8_t { Waiting, Done };

  struct Key {
    TxnId version = init;
    TxnId locked_by = TxnId::none();
    std::uint32_t pending = 0;  // reads of the version that have not run
    std::vector<std::uint32_t> waiters;
  };

  // Small numbers go first.
  using Entry = std::pair<double, std::uint32_t>;
  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  std::vector<Link> kept(std::span<const Link> links, std::span<const Link> more) const {
    std::vector<Link> result;
    result.reserve(links.size() + more.size());
    for (const auto& part : {links, more})
      for (const Link& link : part)
        if (has_rw_ || link.kind != EdgeKind::Rw) result.push_back(link);
    return result;
  }

  [[nodiscard]] TxnId txn(std::uint32_t node) const { return {node / shape_.node_count}; }

  [[nodiscard]] bool is_commit(std::uint32_t node) const {
    return !is_split_ || node % 2 == 1;
  }

  [[nodiscard]] bool is_start(std::uint32_t node) const {
    return !is_split_ || node % 2 == 0;
  }

  // Commits first; then sessions keep pace with each other.
  [[nodiscard]] double priority(std::uint32_t node) const {
    if (is_split_ && is_commit(node)) return -1;
    const std::uint32_t chain = in_.chain(txn(node));
    const double length = in_.chain_end(chain) - in_.chain_first(chain);
    return (in_.place(txn(node)) + 0.5) / length;
  }

  // The next event to run: one that need not wait, if there is one.
  std::uint32_t next() {
    while (true) {
      while (!ready_.empty()) {
        const std::uint32_t node = ready_.top().second;
        ready_.pop();
        if (state_[node] == State::Done || !may_run(node)) continue;
        return node;
      }
      for (Queue* waiting : {&polite_, &stuck_})
        while (!waiting->empty()) {
          const std::uint32_t node = waiting->top().second;
          waiting->pop();
          if (state_[node] == State::Done) continue;
          if (waiting == &stuck_ || !held_by_lock(node)) return node;
          wait(node, *held_by_lock(node), false);
        }
    }
  }

  // Queues the event as a waiter if it has to wait.
  bool may_run(std::uint32_t node) {
    if (is_split_ && is_start(node)) {
      if (const auto key = held_by_lock(node)) return wait(node, *key, false);
      if (has_locks_)
        if (const auto key = held_by_readers(txn(node))) return wait(node, *key, true);
      return true;
    }
    if (const auto key = held_by_readers(txn(node))) return wait(node, *key, false);
    return true;
  }

  bool wait(std::uint32_t node, KeyId x, bool is_polite) {
    keys_[x.index].waiters.push_back(node);
    (is_polite ? polite_ : stuck_).push({priority(node), node});
    return false;
  }

  [[nodiscard]] std::optional<KeyId> held_by_lock(std::uint32_t node) const {
    if (!has_locks_ || !is_start(node)) return std::nullopt;
    for (const KeyId x : in_.writes(txn(node)))
      if (!keys_[x.index].locked_by.is_none()) return x;
    return std::nullopt;
  }

  // A key that t writes whose version somebody other than t still has to read.
  [[nodiscard]] std::optional<KeyId> held_by_readers(TxnId t) const {
    for (const KeyId x : in_.writes(t)) {
      const Key& key = keys_[x.index];
      if (key.pending == 0) continue;
      std::uint32_t own = 0;
      if (state_[t.index * shape_.node_count] != State::Done)
        for (const Read& read : in_.reads(t))
          own += read.key == x && read.writer == key.version;
      if (key.pending > own) return x;
    }
    return std::nullopt;
  }

  void wake(Key& key) {
    for (const std::uint32_t node : key.waiters)
      if (state_[node] != State::Done) ready_.push({priority(node), node});
    key.waiters.clear();
  }

  void execute(std::uint32_t node) {
    const TxnId t = txn(node);
    state_[node] = State::Done;
    if (is_start(node)) {
      for (const Read& read : in_.reads(t)) {
        Key& key = keys_[read.key.index];
        if (key.version != read.writer || key.pending == 0) continue;
        // One waiter may be a reader itself, so it can run before the count is zero.
        if (--key.pending <= 1) wake(key);
      }
      if (is_split_ && has_locks_)
        for (const KeyId x : in_.writes(t))
          keys_[x.index].locked_by = t;
    }
    if (!is_commit(node)) return;
    order_.push_back(t);
    for (const KeyId x : in_.writes(t)) {
      Key& key = keys_[x.index];
      key.version = t;
      key.pending = 0;
      for (const auto& [reader, read] : version_reads_.of_writer(x, t))
        key.pending += state_[reader.index * shape_.node_count] != State::Done;
      if (key.locked_by == t) key.locked_by = TxnId::none();
      wake(key);
    }
  }

  const ResolvedHistory& in_;
  const Shape& shape_;
  bool has_rw_;
  bool has_locks_;
  bool is_split_;
  std::vector<Link> kept_;
  NodeGraph nodes_;
  VersionReads version_reads_;
  std::vector<std::uint32_t> missing_;
  std::vector<Key> keys_;
  std::vector<State> state_;
  Queue ready_;
  Queue polite_;
  Queue stuck_;
  std::vector<TxnId> order_;
};

}  // namespace

std::vector<TxnId> schedule(const ResolvedHistory& resolved, Level level,
                            std::span<const Link> links, std::span<const Link> more,
                            const Budget& budget) {
  return Scheduler(resolved, level, links, more).run(budget);
}

}  // namespace isomer::check
