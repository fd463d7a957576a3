// SPDX-License-Identifier: MIT
// What each transaction of the program does, as a tree: a transaction is deterministic, so
// the values it has read say where it is.  A node is a place where it wants a read, or its
// end; an edge is the value that the read returns.  Each piece of a transaction is thus
// interpreted once, however many histories it takes part in.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/txn_set.h"
#include "program/ir.h"
#include "program/machine/keys.h"
#include "program/machine/machine.h"

namespace isomer::explore {

using program::KeyName;
using program::Program;
using program::Value;

using KeyNumber = std::uint32_t;
using ValueNumber = std::uint32_t;

struct Write {
  KeyNumber key;
  ValueNumber value;
};

struct Node {
  enum class Kind : std::uint8_t { Reads, Commits, Aborts };

  Kind kind = Kind::Reads;
  bool fails_assert = false;  // Aborts
  bool is_limit = false;      // Aborts, at a limit of ours
  KeyNumber key = 0;          // Reads
  // Commits: the last write of each key, by key, and which keys there are, roughly.
  std::vector<Write> writes;
  std::uint64_t key_mask = 0;
  std::vector<std::pair<ValueNumber, Node*>> children;  // Reads: by the value read
  program::Machine machine;
  // How it ended, and where.
  std::string message;
  program::Span at;

  explicit Node(program::Machine machine_in) : machine(std::move(machine_in)) {}

  [[nodiscard]] bool is_end() const { return kind != Kind::Reads; }

  [[nodiscard]] const Write* find_write(KeyNumber wanted) const;

  [[nodiscard]] bool writes_key(KeyNumber wanted) const {
    return (key_mask >> (wanted % 64) & 1U) != 0 && find_write(wanted) != nullptr;
  }
};

// One transaction of the program.
struct ProgramTxn {
  std::uint32_t session = 0;
  std::uint32_t index = 0;  // within its session
  TxnNumber previous = 0;   // in its session; the initial one if it is the first
  std::string_view type;    // its name, in the program
  std::vector<Value> arguments;
};

// The transactions by number; the initial one has an entry that means nothing.
std::vector<ProgramTxn> transactions_of(const Program& program);

class Runs {
 public:
  // Keys that scans look for, beside those that are there at the start.
  Runs(const Program& program, const std::vector<ProgramTxn>& transactions,
       program::Granularity granularity, const std::map<KeyName, Value>& universe);

  Node* start(TxnNumber txn);
  Node* after(Node* node, ValueNumber value);

  [[nodiscard]] ValueNumber initial_value(KeyNumber key) const { return initial_[key]; }

  [[nodiscard]] const KeyName& key_name(KeyNumber key) const { return key_names_[key]; }

  [[nodiscard]] const Value& value(ValueNumber number) const { return *values_[number]; }

  [[nodiscard]] std::size_t key_count() const { return key_names_.size(); }

  // Rows that were written although the universe does not have them: the histories so far
  // may lack reads of them.
  [[nodiscard]] const std::map<KeyName, Value>& new_keys() const { return new_keys_; }

  [[nodiscard]] const std::map<KeyName, Value>& universe() const { return universe_; }

  // A rough count of what is held.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Forgets all nodes and values; numbers of keys stay.
  void forget();

 private:
  struct ExactlyLess {
    bool operator()(const Value& a, const Value& b) const;
  };

  Node* follow(program::Machine machine, std::vector<Write> writes);
  void write(std::vector<Write>& writes, const program::WritesKey& step);
  void finish(Node& node, std::vector<Write> writes);
  KeyNumber number_of(const KeyName& key);
  ValueNumber initial_number(const KeyName& key);
  ValueNumber number_of(const Value& value);

  const Program& program_;
  const std::vector<ProgramTxn>& transactions_;
  program::Granularity granularity_;
  std::map<KeyName, Value> initial_database_;
  std::map<KeyName, Value> universe_;
  std::deque<Node> nodes_;
  std::unordered_map<const Node*, std::vector<Write>> pending_writes_;
  std::vector<Node*> starts_;  // by transaction
  std::unordered_map<KeyName, KeyNumber> key_numbers_;
  std::vector<KeyName> key_names_;
  std::vector<ValueNumber> initial_;  // by key
  std::map<Value, ValueNumber, ExactlyLess> value_numbers_;
  std::vector<const Value*> values_;
  std::map<KeyName, Value> new_keys_;
  std::size_t bytes_ = 0;
};

}  // namespace isomer::explore
