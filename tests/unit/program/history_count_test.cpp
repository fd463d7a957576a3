// SPDX-License-Identifier: MIT
// The number of complete histories of litmus programs under RA and CC, by brute force: each
// transaction in turn, each read from any writer that keeps the level's axiom.  A mistake
// in the language or the machine changes them.  The programs and numbers are those of the
// evaluation of "Dynamic Partial Order Reduction for Checking Correctness against
// Transaction Isolation Levels" (Bouajjani, Enea, Roman-Calvo, PLDI'23), table F.1; the
// last program is one that their algorithm as printed miscounts.
#include <map>

#include <gtest/gtest.h>

#include "program/litmus/litmus.h"
#include "program/machine/keys.h"
#include "program/machine/machine.h"
#include "support/effort.h"
#include "support/files.h"

namespace isomer::program {
namespace {

enum class Axiom : std::uint8_t { ReadAtomic, Causal };

// Transactions are numbered session by session from 1; 0 is the initial one.
struct Transaction {
  std::uint32_t id = 0;
  std::vector<std::pair<KeyName, std::uint32_t>> reads;  // key, writer
  std::map<KeyName, Value> writes;                       // none if it aborted
};

using History = std::map<std::uint32_t, Transaction>;
using Relation = std::vector<std::uint64_t>;  // by transaction: the set of those behind it

struct Counter {
  const Program& program;
  Axiom axiom;
  std::map<KeyName, Value> initial = initial_database(program);
  std::vector<std::uint32_t> session_of{0};  // by transaction; sessions count from 1

  static void close(Relation& relation) {
    for (std::size_t via = 0; via < relation.size(); ++via)
      for (std::uint64_t& behind : relation)
        if ((behind >> via & 1U) != 0) behind |= relation[via];
  }

  // Is there an order of commits?  If t3 reads x from t1, then another writer t2 of x that
  // is before t3 (directly for RA, by any path for CC) commits before t1.
  [[nodiscard]] bool is_consistent(const History& history) const {
    Relation order(session_of.size());
    for (const auto& [id, transaction] : history) {
      order[0] |= std::uint64_t{1} << id;
      for (const auto& [later, unused] : history)
        if (id < later && session_of[id] == session_of[later])
          order[id] |= std::uint64_t{1} << later;
      for (const auto& [key, writer] : transaction.reads)
        order[writer] |= std::uint64_t{1} << id;
    }
    Relation before = order;
    if (axiom == Axiom::Causal) close(before);
    for (const auto& [t3, reader] : history)
      for (const auto& [key, t1] : reader.reads)
        for (std::uint32_t t2 = 0; t2 < before.size(); ++t2)
          if (t2 != t1 && t2 != t3 && (before[t2] >> t3 & 1U) != 0 &&
              writes(history, t2, key))
            order[t2] |= std::uint64_t{1} << t1;
    close(order);
    for (std::size_t i = 0; i < order.size(); ++i)
      if ((order[i] >> i & 1U) != 0) return false;
    return true;
  }

  static bool writes(const History& history, std::uint32_t id, const KeyName& key) {
    if (id == 0) return true;
    const auto found = history.find(id);
    return found != history.end() && found->second.writes.contains(key);
  }

  [[nodiscard]] Value written(const History& history, std::uint32_t id,
                              const KeyName& key) const {
    if (id != 0) return history.at(id).writes.at(key);
    const auto found = initial.find(key);
    return found == initial.end() ? Value() : found->second;
  }

  // All ways in which a transaction can go on to its end.
  void finish(const History& history, Machine machine, Transaction running,
              std::map<std::string, History>& out) const {
    while (true) {
      const Step step = machine.next();
      if (const auto* read = std::get_if<WantsRead>(&step)) {
        for (std::uint32_t writer = 0; writer < session_of.size(); ++writer) {
          if (writer == running.id || !writes(history, writer, read->key)) continue;
          Transaction next = running;
          next.reads.emplace_back(read->key, writer);
          next.writes.clear();
          History extended = history;
          extended[next.id] = next;
          if (!is_consistent(extended)) continue;
          next.writes = running.writes;
          Machine copy = machine;
          copy.answer(written(history, writer, read->key));
          finish(history, std::move(copy), std::move(next), out);
        }
        return;
      }
      if (const auto* write = std::get_if<WritesKey>(&step)) {
        running.writes[write->key] = write->value;
        continue;
      }
      if (!std::holds_alternative<Commits>(step)) running.writes.clear();
      History extended = history;
      extended[running.id] = std::move(running);
      if (is_consistent(extended)) out.emplace(name_of(extended), std::move(extended));
      return;
    }
  }

  // Who read from whom: the machines are deterministic, so it says everything.
  static std::string name_of(const History& history) {
    std::string out;
    for (const auto& [id, transaction] : history) {
      out += std::to_string(id) + ':';
      for (const auto& [key, writer] : transaction.reads)
        out += std::to_string(writer) + ',';
    }
    return out;
  }

  std::size_t count() {
    std::vector<const Call*> calls;
    for (std::uint32_t session = 0; session < program.sessions.size(); ++session)
      for (const Call& call : program.sessions[session].calls) {
        session_of.push_back(session + 1);
        calls.push_back(&call);
      }
    std::map<std::string, History> layer{{"", {}}};
    for (std::size_t length = 0; length < calls.size(); ++length) {
      std::map<std::string, History> longer;
      for (const auto& [unused, history] : layer)
        for (std::uint32_t id = 1; id <= calls.size(); ++id) {
          const bool is_next =
              !history.contains(id) &&
              (id == 1 || session_of[id - 1] != session_of[id] || history.contains(id - 1));
          if (is_next)
            finish(history, Machine(program, *calls[id - 1], {}),
                   Transaction{.id = id, .reads = {}, .writes = {}}, longer);
        }
      layer = std::move(longer);
    }
    return layer.size();
  }
};

std::size_t histories(const std::string& name, Axiom axiom) {
  const auto program =
      parse_litmus(name, test::contents(test::corpus / "program/litmus" / (name + ".txn")));
  EXPECT_TRUE(program) << name;
  return program ? Counter{.program = *program, .axiom = axiom}.count() : 0;
}

TEST(LitmusHistories, are_as_many_as_known_under_causal_consistency) {
  EXPECT_EQ(histories("courseware-1", Axiom::Causal), 216U);
  EXPECT_EQ(histories("courseware-2", Axiom::Causal), 46U);
  EXPECT_EQ(histories("twitter-1", Axiom::Causal), 36U);
  if (!is_slow_build) {
    EXPECT_EQ(histories("tpcc-1", Axiom::Causal), 165U);
  }
  EXPECT_EQ(histories("swapped-counterexample", Axiom::Causal), 4U);
}

TEST(LitmusHistories, are_as_many_as_known_under_read_atomic) {
  if (!is_slow_build) {
    EXPECT_EQ(histories("courseware-1", Axiom::ReadAtomic), 893U);
    EXPECT_EQ(histories("tpcc-1", Axiom::ReadAtomic), 958U);
  }
  EXPECT_EQ(histories("courseware-4", Axiom::ReadAtomic), 88U);
  EXPECT_EQ(histories("twitter-1", Axiom::ReadAtomic), 44U);
  EXPECT_EQ(histories("swapped-counterexample", Axiom::ReadAtomic), 6U);
}

}  // namespace
}  // namespace isomer::program
