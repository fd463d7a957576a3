// SPDX-License-Identifier: MIT
#include "explore/runs.h"

#include <algorithm>

#include "base/assert.h"
#include "program/machine/serial.h"
#include "program/scenario/write.h"

namespace isomer::explore {
namespace {

using program::Machine;
using program::Step;

// What a node costs beside its own size: the state of its machine.
constexpr std::size_t machine_bytes = 2500;

}  // namespace

const Write* Node::find_write(KeyNumber wanted) const {
  const auto found = std::ranges::lower_bound(writes, wanted, {}, &Write::key);
  return found != writes.end() && found->key == wanted ? &*found : nullptr;
}

std::vector<ProgramTxn> transactions_of(const Program& program) {
  std::vector<ProgramTxn> out(1);
  for (std::uint32_t session = 0; session < program.sessions.size(); ++session) {
    TxnNumber previous = initial_txn;
    const std::vector<program::Call>& calls = program.sessions[session].calls;
    for (std::uint32_t index = 0; index < calls.size(); ++index) {
      out.push_back({.session = session,
                     .index = index,
                     .previous = previous,
                     .type = program::called_name(calls[index].text),
                     .arguments = program::argument_values(calls[index])});
      previous = static_cast<TxnNumber>(out.size() - 1);
    }
  }
  return out;
}

Runs::Runs(const Program& program, const std::vector<ProgramTxn>& transactions,
           program::Granularity granularity, const std::map<KeyName, Value>& universe)
    : program_(program),
      transactions_(transactions),
      granularity_(granularity),
      initial_database_(program::initial_database(program, granularity)),
      universe_(initial_database_),
      starts_(transactions.size(), nullptr) {
  universe_.insert(universe.begin(), universe.end());
}

Node* Runs::start(TxnNumber txn) {
  if (starts_[txn] == nullptr) {
    const ProgramTxn& transaction = transactions_[txn];
    const program::Call& call =
        program_.sessions[transaction.session].calls[transaction.index];
    starts_[txn] = follow(Machine(program_, call, transaction.arguments, granularity_), {});
  }
  return starts_[txn];
}

Node* Runs::after(Node* node, ValueNumber value) {
  for (const auto& [answer, child] : node->children)
    if (answer == value) return child;
  Machine machine = node->machine;
  machine.answer(*values_[value]);
  Node* child = follow(std::move(machine), pending_writes_[node]);
  node->children.emplace_back(value, child);
  return child;
}

Node* Runs::follow(Machine machine, std::vector<Write> writes) {
  while (true) {
    Step step = machine.next();
    if (const auto* scan = std::get_if<program::WantsUniverse>(&step)) {
      machine.answer(program::universe_of(scan->prefix, universe_));
      continue;
    }
    if (const auto* written = std::get_if<program::WritesKey>(&step)) {
      write(writes, *written);
      continue;
    }
    Node& node = nodes_.emplace_back(std::move(machine));
    bytes_ += sizeof(Node) + machine_bytes + writes.size() * sizeof(Write);
    if (const auto* read = std::get_if<program::WantsRead>(&step)) {
      node.key = number_of(read->key);
      if (!writes.empty()) pending_writes_[&node] = std::move(writes);
      return &node;
    }
    node.kind = Node::Kind::Aborts;
    if (std::holds_alternative<program::Commits>(step)) {
      node.kind = Node::Kind::Commits;
      finish(node, std::move(writes));
    } else if (const auto* aborts = std::get_if<program::Aborts>(&step)) {
      node.message = aborts->reason;
      node.at = aborts->at;
      node.is_limit = aborts->is_limit;
    } else if (const auto* fails = std::get_if<program::FailsAssert>(&step)) {
      node.fails_assert = true;
      node.message = fails->message;
      node.at = fails->at;
    }
    return &node;
  }
}

void Runs::write(std::vector<Write>& writes, const program::WritesKey& step) {
  const Write write{.key = number_of(step.key), .value = number_of(step.value)};
  if (!program_.tables.empty() && !universe_.contains(step.key))
    new_keys_.emplace(step.key, Value());
  const auto found = std::ranges::find(writes, write.key, &Write::key);
  if (found != writes.end())
    found->value = write.value;
  else
    writes.push_back(write);
}

void Runs::finish(Node& node, std::vector<Write> writes) {
  std::ranges::sort(writes, {}, &Write::key);
  node.writes = std::move(writes);
  for (const Write& write : node.writes)
    node.key_mask |= std::uint64_t{1} << (write.key % 64);
}

KeyNumber Runs::number_of(const KeyName& key) {
  const auto [found, is_new] =
      key_numbers_.emplace(key, static_cast<KeyNumber>(key_names_.size()));
  if (is_new) {
    key_names_.push_back(key);
    initial_.push_back(initial_number(key));
  }
  return found->second;
}

ValueNumber Runs::initial_number(const KeyName& key) {
  const auto value = initial_database_.find(key);
  return number_of(value == initial_database_.end() ? Value() : value->second);
}

ValueNumber Runs::number_of(const Value& value) {
  const auto [found, is_new] =
      value_numbers_.emplace(value, static_cast<ValueNumber>(values_.size()));
  if (is_new) {
    values_.push_back(&found->first);
    bytes_ += sizeof(Value) * (4 + value.items().size());
  }
  return found->second;
}

void Runs::forget() {
  nodes_.clear();
  pending_writes_.clear();
  std::ranges::fill(starts_, nullptr);
  value_numbers_.clear();
  values_.clear();
  bytes_ = 0;
  for (KeyNumber key = 0; key < key_names_.size(); ++key)
    initial_[key] = initial_number(key_names_[key]);
}

// Unlike Value's own order it tells 1.5 from 1.50, which print differently.
bool Runs::ExactlyLess::operator()(const Value& a, const Value& b) const {
  if (a.data().index() != b.data().index()) return a.data().index() < b.data().index();
  if (const auto* x = a.get_if<program::Decimal>()) {
    const auto* y = b.get_if<program::Decimal>();
    return x->scale != y->scale ? x->scale < y->scale : x->digits < y->digits;
  }
  if (a.get_if<program::List>() != nullptr)
    return std::ranges::lexicographical_compare(a.items(), b.items(), ExactlyLess{});
  return a < b;
}

}  // namespace isomer::explore
