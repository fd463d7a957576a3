// SPDX-License-Identifier: MIT
// A replicated database that is causally consistent and converges.  A session always talks
// to the same replica, which runs its transactions one after another on its own copy.
// Replicas hear of each other's transactions late, in an order that respects causality: a
// transaction is applied only after everything that its replica had applied before it.
// Writes of one key are ordered by Lamport timestamps, and the latest wins.
//
// The order of the timestamps is a commit order for Causal Consistency (Biswas & Enea):
// whatever is causally before a transaction t has been applied at t's replica, and has a
// smaller timestamp than t; so t reads the version with the largest timestamp among those
// that it must see.
#include <algorithm>
#include <deque>

#include "history/simulate/recorder.h"
#include "history/simulate/sessions.h"
#include "history/simulate/simulate.h"

namespace isomer::history::simulate {

namespace {

constexpr std::uint32_t replicas_max = 5;

struct Write {
  std::uint32_t key;
  std::int64_t value;
};

struct Message {
  std::uint64_t timestamp;
  std::vector<std::uint64_t> applied;  // by replica: how many of its messages came before
  std::vector<Write> writes;
};

class Replica {
 public:
  Replica(std::uint32_t keys, std::uint32_t replicas) : applied(replicas), cells_(keys) {}

  [[nodiscard]] std::int64_t read(std::uint32_t key) const { return cells_[key].value; }

  [[nodiscard]] bool is_ready_for(const Message& message) const {
    for (std::size_t r = 0; r < applied.size(); ++r)
      if (applied[r] < message.applied[r]) return false;
    return true;
  }

  void apply(const Message& message) {
    clock = std::max(clock, message.timestamp);
    for (const Write& write : message.writes) {
      Cell& cell = cells_[write.key];
      if (cell.timestamp < message.timestamp) cell = {message.timestamp, write.value};
    }
  }

  std::uint64_t clock = 0;             // the largest timestamp met so far
  std::vector<std::uint64_t> applied;  // by replica: how many of its messages

 private:
  struct Cell {
    std::uint64_t timestamp = 0;
    std::int64_t value = 0;
  };

  std::vector<Cell> cells_;  // by key
};

class CausalDatabase {
 public:
  explicit CausalDatabase(const GenerateOptions& options)
      : workload_(options),
        recorder_(options),
        sessions_(options),
        replica_count_(std::min(options.sessions, replicas_max)),
        replicas_(replica_count_, Replica(options.keys, replica_count_)),
        outboxes_(replica_count_),
        dropped_(replica_count_) {}

  History run() {
    while (!sessions_.are_done()) {
      const std::uint32_t session = sessions_.draw(workload_.random);
      run_transaction(session);
      sessions_.finish_transaction();
      synchronize();
    }
    return recorder_.history();
  }

 private:
  void run_transaction(std::uint32_t session) {
    const std::uint32_t home = session % replica_count_;
    workload_.draw(txn_);
    while (!txn_.is_done())
      workload_.execute(txn_, [&](std::uint32_t key) { return replicas_[home].read(key); });
    recorder_.record(session, txn_);
    if (takes_effect(txn_.fate)) send(home);
  }

  // Timestamps of different replicas differ, and each is larger than what its replica met.
  void send(std::uint32_t home) {
    Replica& replica = replicas_[home];
    Message message;
    message.timestamp = (replica.clock / replica_count_ + 1) * replica_count_ + home;
    message.applied = replica.applied;
    for_each_last_write(txn_, [&](std::uint32_t key, std::int64_t value) {
      message.writes.push_back({key, value});
    });
    replica.apply(message);
    ++replica.applied[home];
    outboxes_[home].push_back(std::move(message));
  }

  // Some replica hears from some other what that one has to say, as far as causality lets
  // it.
  void synchronize() {
    const auto receiver =
        static_cast<std::uint32_t>(workload_.random.below(replica_count_));
    const auto sender = static_cast<std::uint32_t>(workload_.random.below(replica_count_));
    Replica& replica = replicas_[receiver];
    std::uint64_t& position = replica.applied[sender];
    const std::deque<Message>& outbox = outboxes_[sender];
    while (position - dropped_[sender] < outbox.size()) {
      const Message& message = outbox[position - dropped_[sender]];
      if (!replica.is_ready_for(message)) break;
      replica.apply(message);
      ++position;
    }
    drop_delivered(sender);
  }

  void drop_delivered(std::uint32_t sender) {
    std::uint64_t delivered = replicas_[sender].applied[sender];
    for (const Replica& replica : replicas_)
      delivered = std::min(delivered, replica.applied[sender]);
    for (; dropped_[sender] < delivered; ++dropped_[sender])
      outboxes_[sender].pop_front();
  }

  Workload workload_;
  Recorder recorder_;
  Sessions sessions_;
  std::uint32_t replica_count_;
  std::vector<Replica> replicas_;
  std::vector<std::deque<Message>> outboxes_;  // by sender
  std::vector<std::uint64_t> dropped_;         // by sender: messages all have applied
  Transaction txn_;
};

}  // namespace

History causal(const GenerateOptions& options) {
  return CausalDatabase(options).run();
}

}  // namespace isomer::history::simulate
