// SPDX-License-Identifier: MIT
// One function fills the tables for both kinds of cells; an algebra says what a conjunction
// is, and which cell says that a transaction took effect or that a read had a writer.
#include "level/part_tables.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/assert.h"

namespace isomer::level {
namespace {

using history::History;
using history::ProblemKind;
using history::ReadId;
using history::TxnId;
using history::Value;
using logic::Bit;
using logic::Circuit;

template <class Item>
std::size_t place_in(const std::vector<Item>& items, Item item) {
  const auto found = std::lower_bound(items.begin(), items.end(), item);
  ISOMER_ASSERT(found != items.end() && *found == item);
  return static_cast<std::size_t>(found - items.begin());
}

std::size_t place_of(const std::vector<Value>& values, Value value) {
  const auto found = std::lower_bound(values.begin(), values.end(), value, is_value_before);
  ISOMER_ASSERT(found != values.end() && *found == value);
  return static_cast<std::size_t>(found - values.begin());
}

std::optional<Flaw> flaw(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::ThinAir:
      return Flaw::ThinAir;
    case ProblemKind::AbortedRead:
      return Flaw::AbortedRead;
    case ProblemKind::IntermediateRead:
      return Flaw::IntermediateRead;
    case ProblemKind::FutureRead:
      return Flaw::FutureRead;
    case ProblemKind::NotOwnLastWrite:
      return Flaw::NotOwnLastWrite;
    case ProblemKind::OwnWriteIgnored:
      return Flaw::OwnWriteIgnored;
    case ProblemKind::IncompatibleOrder:
    case ProblemKind::DuplicateElement:
      return std::nullopt;
  }
  ISOMER_ASSERT(false);
  return std::nullopt;
}

// What is settled, or the bits that stand for it.
template <class Cell>
struct Settled {
  std::map<TxnId, Cell> took_effect;                   // open transactions only
  std::map<ReadId, std::map<TxnId, Cell>> reads_from;  // open reads only
};

class Truths {
 public:
  using Cell = Truth;
  static constexpr Cell no = 0;
  static constexpr Cell yes = 1;

  static Cell both(Cell a, Cell b) { return a & b; }

  static Cell either(Cell a, Cell b) { return a | b; }
};

class Bits {
 public:
  using Cell = Bit;
  static constexpr Cell no = logic::false_bit;
  static constexpr Cell yes = logic::true_bit;

  explicit Bits(Circuit& circuit) : circuit_(circuit) {}

  Cell both(Cell a, Cell b) { return circuit_.both(a, b); }

  Cell either(Cell a, Cell b) { return circuit_.either(a, b); }

 private:
  Circuit& circuit_;
};

template <class Algebra>
class Filler {
 public:
  using Cell = typename Algebra::Cell;

  Filler(const Part& part, const Settled<Cell>& settled, Algebra algebra)
      : part_(part),
        h_(part.history),
        u_(part.index),
        settled_(settled),
        algebra_(algebra) {}

  HistoryTables<Cell> fill() {
    const std::size_t txns = u_.txns.size();
    const std::size_t keys = u_.keys.size();
    const std::vector<Cell> no_txn(txns, Algebra::no);
    for (const TxnId t : u_.txns)
      tables_.txn_exists.push_back(exists(t));
    tables_.key_exists.assign(keys, Algebra::yes);
    tables_.value_exists.assign(u_.values.size(), Algebra::yes);
    tables_.read_exists.assign(part_.has_events ? u_.reads.size() : 0, Algebra::yes);
    tables_.writers.assign(keys, no_txn);
    tables_.readers.assign(keys, no_txn);
    tables_.wr.assign(keys, {txns, txns, Algebra::no});
    tables_.rf.assign(keys, {txns, tables_.read_exists.size(), Algebra::no});
    tables_.writes.assign(keys, {txns, u_.values.size(), Algebra::no});
    tables_.reads.assign(keys, {txns, u_.values.size(), Algebra::no});
    tables_.flawed.fill(no_txn);
    add_session_order();
    add_writes();
    for (std::size_t r = 0; r < u_.reads.size(); ++r)
      add_read(r);
    add_program_order();
    add_flaws();
    add_types();
    return std::move(tables_);
  }

 private:
  [[nodiscard]] Cell exists(TxnId t) const {
    const auto open = settled_.took_effect.find(t);
    return open == settled_.took_effect.end() ? Algebra::yes : open->second;
  }

  void add_session_order() {
    const std::size_t txns = u_.txns.size();
    tables_.so = {txns, txns, Algebra::no};
    for (std::size_t i = 0; i < txns; ++i)
      for (std::size_t j = 0; j < txns; ++j)
        if (h_.so(u_.txns[i], u_.txns[j]))
          tables_.so(i, j) = algebra_.both(tables_.txn_exists[i], tables_.txn_exists[j]);
  }

  void add_writes() {
    for (std::size_t x = 0; x < u_.keys.size(); ++x)
      for (std::size_t t = 0; t < u_.txns.size(); ++t) {
        if (t != 0 && !h_.is_writer(u_.txns[t], u_.keys[x])) continue;
        tables_.writers[x][t] = tables_.txn_exists[t];
        const auto value = h_.written_value(u_.txns[t], u_.keys[x]);
        if (value && !u_.values.empty())
          tables_.writes[x](t, place_of(u_.values, *value)) = tables_.txn_exists[t];
      }
  }

  // The reader committed, and whoever it read from took effect.
  void add_read(std::size_t r) {
    const history::Read& read = h_.all_reads()[u_.reads[r].index];
    const std::size_t reader = place_in(u_.txns, h_.reader(u_.reads[r]));
    const std::size_t x = place_in(u_.keys, read.key);
    const auto read_from = [&](TxnId writer, Cell cell) {
      const std::size_t w = place_in(u_.txns, writer);
      if (part_.has_events) tables_.rf[x](w, r) = cell;
      tables_.wr[x](w, reader) = algebra_.either(tables_.wr[x](w, reader), cell);
    };
    if (const auto open = settled_.reads_from.find(u_.reads[r]);
        open != settled_.reads_from.end())
      for (const auto& [writer, cell] : open->second)
        read_from(writer, cell);
    else
      read_from(read.writer, Algebra::yes);
    tables_.readers[x][reader] = Algebra::yes;
    if (!u_.values.empty())
      tables_.reads[x](reader, place_of(u_.values, h_.operations()[read.op].value())) =
          Algebra::yes;
  }

  void add_program_order() {
    const std::size_t reads = tables_.read_exists.size();
    tables_.po = {reads, reads, Algebra::no};
    for (std::size_t i = 0; i < reads; ++i)
      for (std::size_t j = i + 1;
           j < reads && h_.reader(u_.reads[j]) == h_.reader(u_.reads[i]); ++j)
        tables_.po(i, j) = Algebra::yes;
  }

  void add_flaws() {
    for (const history::Problem& problem : h_.problems())
      if (const auto kind = flaw(problem.kind))
        if (const auto reader = u_.place(problem.reader))
          tables_.flawed[static_cast<std::size_t>(*kind)][*reader] = Algebra::yes;
  }

  // A transaction's type is its name without the arguments of the call, and without the
  // quotes that SQL wants around some names.
  static std::string type_of(const std::string& call) {
    if (!call.starts_with('"')) return call.substr(0, call.find('('));
    std::string out;
    for (std::size_t i = 1; i < call.size(); ++i) {
      if (call[i] == '"' && ++i < call.size() && call[i] != '"') break;
      if (i < call.size()) out += call[i];
    }
    return out;
  }

  void add_types() {
    for (std::size_t t = 1; t < u_.txns.size(); ++t) {
      if (!h_.has_own_name(u_.txns[t])) continue;
      const std::string name = h_.txn_name(u_.txns[t]);
      auto& type = tables_.typed[type_of(name)];
      type.resize(u_.txns.size(), Algebra::no);
      type[t] = tables_.txn_exists[t];
    }
  }

  const Part& part_;
  const History& h_;
  const TableIndex& u_;
  const Settled<Cell>& settled_;
  Algebra algebra_;
  HistoryTables<Cell> tables_;
};

// Calls visit(witness, table, earlier, later) for each pair that an order must not reverse.
template <class Visit>
void for_each_version(const Part& part, const Level& level, Visit visit) {
  for (std::size_t w = 0; w < level.witnesses.size(); ++w)
    if (level.witnesses[w].is_total_order)
      for (const KnownVersions& known : part.versions)
        for (const auto& [earlier, later] : known.pairs)
          visit(w, level.witnesses[w].is_keyed ? known.key : 0, earlier, later);
}

}  // namespace

HistoryTables<Truth> history_tables(const Part& part, const Choices& choices) {
  ISOMER_ASSERT(is_possible(part, choices));
  Settled<Truth> settled;
  for (std::size_t i = 0; i < part.open_txns.size(); ++i)
    settled.took_effect[part.open_txns[i]] = choices.took_effect[i] ? 1 : 0;
  for (std::size_t i = 0; i < part.open_reads.size(); ++i)
    settled.reads_from[part.open_reads[i].read] = {{choices.writers[i], Truth{1}}};
  return Filler<Truths>(part, settled, {}).fill();
}

OpenTables open_tables(const Part& part, Circuit& circuit) {
  OpenTables result;
  Settled<Bit> settled;
  for (const TxnId t : part.open_txns) {
    result.took_effect.push_back(circuit.variable());
    settled.took_effect[t] = result.took_effect.back();
  }
  for (const OpenRead& open : part.open_reads) {
    std::vector<Bit> bits;
    for (const TxnId candidate : open.candidates) {
      const Bit bit = circuit.variable();
      for (const Bit other : bits)
        result.facts.push_back(circuit.either(~bit, ~other));
      if (const auto effect = settled.took_effect.find(candidate);
          effect != settled.took_effect.end())
        result.facts.push_back(circuit.implies(bit, effect->second));
      settled.reads_from[open.read][candidate] = bit;
      bits.push_back(bit);
    }
    result.facts.push_back(circuit.any(bits));
    result.writer.push_back(std::move(bits));
  }
  result.tables = Filler<Bits>(part, settled, Bits(circuit)).fill();
  return result;
}

std::vector<Bit> version_facts(const Part& part, const Level& level,
                               const Execution<Bit>& execution) {
  std::vector<Bit> facts;
  for_each_version(part, level, [&](auto w, auto table, auto earlier, auto later) {
    facts.push_back(~execution[w][table](later, earlier));
  });
  return facts;
}

bool respects_versions(const Part& part, const Level& level,
                       const Execution<Truth>& execution) {
  bool result = true;
  for_each_version(part, level, [&](auto w, auto table, auto earlier, auto later) {
    result = result && execution[w][table](later, earlier) == 0;
  });
  return result;
}

}  // namespace isomer::level
