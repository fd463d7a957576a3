// SPDX-License-Identifier: MIT
#include "synth/universe.h"

#include "logic/relation.h"

namespace isomer::synth {
namespace {

using logic::false_bit;
using logic::Relation;
using logic::Set;
using logic::true_bit;

class Maker {
 public:
  Maker(Circuit& circuit, const UniverseShape& shape)
      : circuit_(circuit),
        shape_(shape),
        txns_(shape.scope.transactions + 1),
        keys_(shape.scope.keys) {}

  Universe make() {
    choose_session_order();
    choose_writes();
    if (shape_.has_events)
      choose_read_events();
    else
      choose_reads();
    derive_readers();
    if (shape_.has_values)
      choose_values();
    else
      limit_writers();
    derive_existence();
    choose_types();
    if (!shape_.allows_blind_writes) forbid_blind_writes();
    require_nonempty_transactions();
    order_keys();
    for (Set& flawed : given().flawed)
      flawed.assign(txns_, false_bit);
    return std::move(out_);
  }

 private:
  Given<Bit>& given() { return out_.given; }

  void require(Bit fact) { out_.facts.push_back(fact); }

  Bit choose() {
    out_.choices.push_back(circuit_.variable());
    return out_.choices.back();
  }

  void at_most_one(const std::vector<Bit>& bits) {
    for (std::size_t i = 0; i < bits.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        require(~circuit_.both(bits[i], bits[j]));
  }

  // A strict partial order with init first; unless partial orders are asked for, what is
  // before or after one transaction is a chain.
  void choose_session_order() {
    Relation& so = given().so;
    so = Relation(txns_, txns_, false_bit);
    for (std::size_t j = 1; j < txns_; ++j)
      so(0, j) = true_bit;
    for (std::size_t i = 1; i < txns_; ++i)
      for (std::size_t j = 1; j < txns_; ++j)
        if (i < j || (i > j && !shape_.so_goes_up)) so(i, j) = choose();
    for (std::size_t i = 1; i < txns_; ++i)
      for (std::size_t j = 1; j < i; ++j)
        require(~circuit_.both(so(i, j), so(j, i)));
    for (std::size_t i = 1; i < txns_; ++i)
      for (std::size_t j = 1; j < txns_; ++j)
        for (std::size_t k = 1; k < txns_; ++k)
          if (i != j && j != k && i != k) relate_three(i, j, k);
  }

  void relate_three(std::size_t i, std::size_t j, std::size_t k) {
    const Relation& so = given().so;
    require(circuit_.implies(circuit_.both(so(i, j), so(j, k)), so(i, k)));
    if (shape_.is_so_partial_order || j > k) return;
    const Bit comparable = circuit_.either(so(j, k), so(k, j));
    require(circuit_.implies(circuit_.both(so(i, j), so(i, k)), comparable));
    require(circuit_.implies(circuit_.both(so(j, i), so(k, i)), comparable));
  }

  void choose_writes() {
    given().writers.assign(keys_, Set(txns_, true_bit));  // init writes every key
    for (std::size_t x = 0; x < keys_; ++x)
      for (std::size_t t = 1; t < txns_; ++t) {
        given().writers[x][t] = choose();
        out_.operations.push_back(given().writers[x][t]);
      }
    given().wr.assign(keys_, Relation(txns_, txns_, false_bit));
  }

  [[nodiscard]] bool may_read(std::size_t reader, std::size_t writer) const {
    return writer < reader || (writer > reader && !shape_.wr_goes_up);
  }

  // Abstract: at most one writer for each reader and key.
  void choose_reads() {
    for (std::size_t x = 0; x < keys_; ++x)
      for (std::size_t u = 1; u < txns_; ++u) {
        std::vector<Bit> ways;
        for (std::size_t t = 0; t < txns_; ++t) {
          if (!may_read(u, t)) continue;
          const Bit reads = choose();
          require(circuit_.implies(reads, given().writers[x][t]));
          given().wr[x](t, u) = reads;
          ways.push_back(reads);
        }
        at_most_one(ways);
        out_.operations.push_back(circuit_.any(ways));
      }
  }

  // Event-level: read number p of u reads one key from one transaction, or is not there.
  void choose_read_events() {
    const std::size_t places = reads_max(shape_.scope);
    const std::size_t events = txns_ * places;
    given().read_exists.assign(events, false_bit);
    given().rf.assign(keys_, Relation(txns_, events, false_bit));
    given().po = Relation(events, events, false_bit);
    for (std::size_t u = 1; u < txns_; ++u)
      for (std::size_t p = 0; p < places; ++p)
        choose_event(u, u * places + p, p == 0 ? true_bit : exists(u * places + p - 1));
    for (std::size_t u = 1; u < txns_; ++u)
      for (std::size_t p = 0; p < places; ++p)
        for (std::size_t q = p + 1; q < places; ++q)
          given().po(u * places + p, u * places + q) = exists(u * places + q);
  }

  Bit exists(std::size_t event) { return given().read_exists[event]; }

  void choose_event(std::size_t u, std::size_t event, Bit previous) {
    std::vector<Bit> ways;
    for (std::size_t x = 0; x < keys_; ++x)
      for (std::size_t t = 0; t < txns_; ++t) {
        if (!may_read(u, t)) continue;
        const Bit reads = choose();
        require(circuit_.implies(reads, given().writers[x][t]));
        given().rf[x](t, event) = reads;
        given().wr[x](t, u) = circuit_.either(given().wr[x](t, u), reads);
        ways.push_back(reads);
      }
    at_most_one(ways);
    given().read_exists[event] = circuit_.any(ways);
    require(circuit_.implies(given().read_exists[event], previous));
    out_.operations.push_back(given().read_exists[event]);
  }

  void derive_readers() {
    given().readers.assign(keys_, Set(txns_, false_bit));
    for (std::size_t x = 0; x < keys_; ++x)
      for (std::size_t u = 1; u < txns_; ++u) {
        std::vector<Bit> ways;
        for (std::size_t t = 0; t < txns_; ++t)
          ways.push_back(given().wr[x](t, u));
        given().readers[x][u] = circuit_.any(ways);
      }
  }

  // Value 0 is the initial one.  No value is written twice to one key.
  void choose_values() {
    const std::size_t values = shape_.scope.values;
    given().writes.assign(keys_, Relation(txns_, values, false_bit));
    given().reads.assign(keys_, Relation(txns_, values, false_bit));
    for (std::size_t x = 0; x < keys_; ++x) {
      Relation& writes = given().writes[x];
      writes(0, 0) = true_bit;
      for (std::size_t t = 1; t < txns_; ++t) {
        std::vector<Bit> ways;
        for (std::size_t v = 1; v < values; ++v)
          ways.push_back(writes(t, v) = choose());
        at_most_one(ways);
        require(circuit_.same(circuit_.any(ways), given().writers[x][t]));
      }
      for (std::size_t v = 1; v < values; ++v) {
        std::vector<Bit> ways;
        for (std::size_t t = 1; t < txns_; ++t)
          ways.push_back(writes(t, v));
        at_most_one(ways);
      }
      given().reads[x] = compose(circuit_, inverse(given().wr[x]), writes);
    }
  }

  void limit_writers() {
    const std::size_t written = shape_.scope.values - 1;
    if (written >= shape_.scope.transactions) return;
    for (std::size_t x = 0; x < keys_; ++x) {
      const std::vector<Bit> writers(given().writers[x].begin() + 1,
                                     given().writers[x].end());
      require(~count(circuit_, writers, written + 1).back());
    }
  }

  void derive_existence() {
    given().txn_exists.assign(txns_, true_bit);
    given().key_exists.assign(keys_, false_bit);
    for (std::size_t x = 0; x < keys_; ++x) {
      std::vector<Bit> used = given().readers[x];
      used.insert(used.end(), given().writers[x].begin() + 1, given().writers[x].end());
      given().key_exists[x] = circuit_.any(used);
      // A history has no key that nobody uses.
      given().writers[x][0] = given().key_exists[x];
    }
    if (!shape_.has_values) return;
    given().value_exists.assign(shape_.scope.values, false_bit);
    for (std::size_t x = 0; x < keys_; ++x) {
      given().writes[x](0, 0) = given().key_exists[x];
      for (std::size_t v = 0; v < shape_.scope.values; ++v)
        for (std::size_t t = 0; t < txns_; ++t)
          given().value_exists[v] =
              circuit_.either(given().value_exists[v], given().writes[x](t, v));
    }
  }

  void choose_types() {
    for (const std::string& name : shape_.type_names) {
      Set members(txns_, false_bit);
      for (std::size_t t = 1; t < txns_; ++t)
        members[t] = choose();
      given().typed.emplace(name, std::move(members));
    }
    for (std::size_t t = 1; t < txns_; ++t) {
      std::vector<Bit> ways;
      for (const auto& [name, members] : given().typed)
        ways.push_back(members[t]);
      at_most_one(ways);
    }
  }

  void forbid_blind_writes() {
    for (std::size_t x = 0; x < keys_; ++x)
      for (std::size_t t = 1; t < txns_; ++t)
        require(circuit_.implies(given().writers[x][t], given().readers[x][t]));
  }

  void require_nonempty_transactions() {
    for (std::size_t t = 1; t < txns_; ++t) {
      std::vector<Bit> used;
      for (std::size_t x = 0; x < keys_; ++x) {
        used.push_back(given().writers[x][t]);
        used.push_back(given().readers[x][t]);
      }
      require(circuit_.any(used));
    }
  }

  // The column of a key: who writes it, and who reads it from whom (event by event).
  [[nodiscard]] std::vector<Bit> column(std::size_t x) {
    std::vector<Bit> out(given().writers[x].begin() + 1, given().writers[x].end());
    const Relation& from = shape_.has_events ? given().rf[x] : given().wr[x];
    for (std::size_t j = 0; j < from.columns(); ++j)
      for (std::size_t i = 0; i < from.rows(); ++i)
        if (!from(i, j).is_constant()) out.push_back(from(i, j));
    if (shape_.has_values)
      for (std::size_t t = 1; t < txns_; ++t)
        for (std::size_t v = 1; v < shape_.scope.values; ++v)
          out.push_back(given().writes[x](t, v));
    return out;
  }

  void order_keys() {
    for (std::size_t x = 0; x + 1 < keys_; ++x) {
      const std::vector<Bit> left = column(x);
      const std::vector<Bit> right = column(x + 1);
      Bit not_less = true_bit;
      for (std::size_t i = left.size(); i-- > 0;)
        not_less =
            circuit_.either(circuit_.both(left[i], ~right[i]),
                            circuit_.both(circuit_.either(left[i], ~right[i]), not_less));
      require(not_less);
    }
  }

  Circuit& circuit_;
  const UniverseShape& shape_;
  const std::size_t txns_;
  const std::size_t keys_;
  Universe out_;
};

std::vector<Truth> truths(Finder& finder, const std::vector<Bit>& cells) {
  std::vector<Truth> out;
  for (const Bit cell : cells)
    out.push_back(finder.value(cell) ? 1 : 0);
  return out;
}

Matrix<Truth> truths(Finder& finder, const Relation& table) {
  return concrete(finder, table);
}

template <class Out, class In>
std::vector<Out> truths_of_each(Finder& finder, const std::vector<In>& tables) {
  std::vector<Out> out;
  for (const In& table : tables)
    out.push_back(truths(finder, table));
  return out;
}

}  // namespace

Universe make_universe(Circuit& circuit, const UniverseShape& shape) {
  return Maker(circuit, shape).make();
}

Matrix<Truth> concrete(Finder& finder, const Matrix<Bit>& table) {
  Matrix<Truth> out(table.rows(), table.columns(), 0);
  for (std::size_t i = 0; i < table.rows(); ++i)
    for (std::size_t j = 0; j < table.columns(); ++j)
      out(i, j) = finder.value(table(i, j)) ? 1 : 0;
  return out;
}

Given<Truth> concrete(Finder& finder, const Given<Bit>& given) {
  using Cells = std::vector<Truth>;
  using Table = Matrix<Truth>;
  Given<Truth> out;
  out.txn_exists = truths(finder, given.txn_exists);
  out.key_exists = truths(finder, given.key_exists);
  out.value_exists = truths(finder, given.value_exists);
  out.read_exists = truths(finder, given.read_exists);
  out.so = truths(finder, given.so);
  out.writers = truths_of_each<Cells>(finder, given.writers);
  out.readers = truths_of_each<Cells>(finder, given.readers);
  out.wr = truths_of_each<Table>(finder, given.wr);
  out.rf = truths_of_each<Table>(finder, given.rf);
  out.po = truths(finder, given.po);
  out.writes = truths_of_each<Table>(finder, given.writes);
  out.reads = truths_of_each<Table>(finder, given.reads);
  for (std::size_t flaw = 0; flaw < level::flaw_count; ++flaw)
    out.flawed[flaw] = truths(finder, given.flawed[flaw]);
  for (const auto& [name, cells] : given.typed)
    out.typed.emplace(name, truths(finder, cells));
  return out;
}

level::Execution<Truth> concrete(Finder& finder, const level::Execution<Bit>& execution) {
  level::Execution<Truth> out;
  for (const auto& tables : execution)
    out.push_back(truths_of_each<Matrix<Truth>>(finder, tables));
  return out;
}

}  // namespace isomer::synth
