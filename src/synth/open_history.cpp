// SPDX-License-Identifier: MIT
#include "synth/open_history.h"

#include "logic/relation.h"

namespace isomer::synth {
namespace {

using logic::false_bit;
using logic::Relation;
using logic::Set;
using logic::true_bit;

class Maker {
 public:
  Maker(Circuit& circuit, const OpenHistoryShape& shape)
      : circuit_(circuit),
        shape_(shape),
        txns_(shape.scope.transactions + 1),
        keys_(shape.scope.keys) {}

  OpenHistory make() {
    choose_session_order();
    choose_writes();
    if (shape_.has_events && !shape_.has_merged_reads)
      choose_read_events();
    else
      choose_reads();
    derive_readers();
    if (shape_.has_events && shape_.has_merged_reads) derive_merged_events();
    if (shape_.has_values)
      choose_values();
    else
      limit_writers();
    derive_existence();
    choose_types();
    if (!shape_.allows_blind_writes) forbid_blind_writes();
    require_nonempty_transactions();
    limit_operations();
    order_keys();
    for (Set& flawed : history_tables().flawed)
      flawed.assign(txns_, false_bit);
    return std::move(out_);
  }

 private:
  HistoryTables<Bit>& history_tables() { return out_.tables; }

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
    Relation& so = history_tables().so;
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
    const Relation& so = history_tables().so;
    require(circuit_.implies(circuit_.both(so(i, j), so(j, k)), so(i, k)));
    if (shape_.is_so_partial_order || j > k) return;
    const Bit comparable = circuit_.either(so(j, k), so(k, j));
    require(circuit_.implies(circuit_.both(so(i, j), so(i, k)), comparable));
    require(circuit_.implies(circuit_.both(so(j, i), so(k, i)), comparable));
  }

  void choose_writes() {
    history_tables().writers.assign(keys_, Set(txns_, true_bit));  // init writes every key
    for (std::size_t x = 0; x < keys_; ++x)
      for (std::size_t t = 1; t < txns_; ++t) {
        history_tables().writers[x][t] = choose();
        out_.operations.push_back(history_tables().writers[x][t]);
      }
    history_tables().wr.assign(keys_, Relation(txns_, txns_, false_bit));
  }

  [[nodiscard]] bool may_read(std::size_t reader, std::size_t writer) const {
    return writer < reader || (writer > reader && !shape_.wr_goes_up);
  }

  // Abstract: at most one writer for each reader and key; any number if that is what is
  // left of several reads.
  void choose_reads() {
    for (std::size_t x = 0; x < keys_; ++x)
      for (std::size_t u = 1; u < txns_; ++u) {
        std::vector<Bit> ways;
        for (std::size_t t = 0; t < txns_; ++t) {
          if (!may_read(u, t)) continue;
          const Bit reads = choose();
          require(circuit_.implies(reads, history_tables().writers[x][t]));
          history_tables().wr[x](t, u) = reads;
          ways.push_back(reads);
        }
        if (!shape_.has_merged_reads) at_most_one(ways);
        out_.operations.push_back(circuit_.any(ways));
      }
  }

  // The read of a transaction has its number, and comes before itself.
  void derive_merged_events() {
    history_tables().rf = history_tables().wr;
    history_tables().read_exists.assign(txns_, false_bit);
    history_tables().po = Relation(txns_, txns_, false_bit);
    for (std::size_t u = 1; u < txns_; ++u) {
      std::vector<Bit> ways;
      for (const Set& readers : history_tables().readers)
        ways.push_back(readers[u]);
      history_tables().read_exists[u] = circuit_.any(ways);
      history_tables().po(u, u) = history_tables().read_exists[u];
    }
  }

  // Event-level: read number p of u reads one key from one transaction, or is not there.
  void choose_read_events() {
    const std::size_t places = reads_max(shape_.scope);
    const std::size_t events = txns_ * places;
    history_tables().read_exists.assign(events, false_bit);
    history_tables().rf.assign(keys_, Relation(txns_, events, false_bit));
    history_tables().po = Relation(events, events, false_bit);
    for (std::size_t u = 1; u < txns_; ++u)
      for (std::size_t p = 0; p < places; ++p)
        choose_event(u, u * places + p, p == 0 ? true_bit : exists(u * places + p - 1));
    for (std::size_t u = 1; u < txns_; ++u)
      for (std::size_t p = 0; p < places; ++p)
        for (std::size_t q = p + 1; q < places; ++q)
          history_tables().po(u * places + p, u * places + q) = exists(u * places + q);
  }

  Bit exists(std::size_t event) { return history_tables().read_exists[event]; }

  void choose_event(std::size_t u, std::size_t event, Bit previous) {
    std::vector<Bit> ways;
    for (std::size_t x = 0; x < keys_; ++x)
      for (std::size_t t = 0; t < txns_; ++t) {
        if (!may_read(u, t)) continue;
        const Bit reads = choose();
        require(circuit_.implies(reads, history_tables().writers[x][t]));
        history_tables().rf[x](t, event) = reads;
        history_tables().wr[x](t, u) = circuit_.either(history_tables().wr[x](t, u), reads);
        ways.push_back(reads);
      }
    at_most_one(ways);
    history_tables().read_exists[event] = circuit_.any(ways);
    require(circuit_.implies(history_tables().read_exists[event], previous));
    out_.operations.push_back(history_tables().read_exists[event]);
  }

  void derive_readers() {
    history_tables().readers.assign(keys_, Set(txns_, false_bit));
    for (std::size_t x = 0; x < keys_; ++x)
      for (std::size_t u = 1; u < txns_; ++u) {
        std::vector<Bit> ways;
        for (std::size_t t = 0; t < txns_; ++t)
          ways.push_back(history_tables().wr[x](t, u));
        history_tables().readers[x][u] = circuit_.any(ways);
      }
  }

  // Value 0 is the initial one.  No value is written twice to one key.
  void choose_values() {
    const std::size_t values = shape_.scope.values;
    history_tables().writes.assign(keys_, Relation(txns_, values, false_bit));
    history_tables().reads.assign(keys_, Relation(txns_, values, false_bit));
    for (std::size_t x = 0; x < keys_; ++x) {
      Relation& writes = history_tables().writes[x];
      writes(0, 0) = true_bit;
      for (std::size_t t = 1; t < txns_; ++t) {
        std::vector<Bit> ways;
        for (std::size_t v = 1; v < values; ++v)
          ways.push_back(writes(t, v) = choose());
        at_most_one(ways);
        require(circuit_.same(circuit_.any(ways), history_tables().writers[x][t]));
      }
      for (std::size_t v = 1; v < values; ++v) {
        std::vector<Bit> ways;
        for (std::size_t t = 1; t < txns_; ++t)
          ways.push_back(writes(t, v));
        at_most_one(ways);
      }
      history_tables().reads[x] =
          compose(circuit_, inverse(history_tables().wr[x]), writes);
    }
  }

  void limit_writers() {
    const std::size_t written = shape_.scope.values - 1;
    if (written >= shape_.scope.transactions) return;
    for (std::size_t x = 0; x < keys_; ++x) {
      const std::vector<Bit> writers(history_tables().writers[x].begin() + 1,
                                     history_tables().writers[x].end());
      require(~count(circuit_, writers, written + 1).back());
    }
  }

  void derive_existence() {
    history_tables().txn_exists.assign(txns_, true_bit);
    history_tables().key_exists.assign(keys_, false_bit);
    for (std::size_t x = 0; x < keys_; ++x) {
      std::vector<Bit> used = history_tables().readers[x];
      used.insert(used.end(), history_tables().writers[x].begin() + 1,
                  history_tables().writers[x].end());
      history_tables().key_exists[x] = circuit_.any(used);
      // A history has no key that nobody uses.
      history_tables().writers[x][0] = history_tables().key_exists[x];
    }
    if (!shape_.has_values) return;
    history_tables().value_exists.assign(shape_.scope.values, false_bit);
    for (std::size_t x = 0; x < keys_; ++x) {
      history_tables().writes[x](0, 0) = history_tables().key_exists[x];
      for (std::size_t v = 0; v < shape_.scope.values; ++v)
        for (std::size_t t = 0; t < txns_; ++t)
          history_tables().value_exists[v] = circuit_.either(
              history_tables().value_exists[v], history_tables().writes[x](t, v));
    }
  }

  void choose_types() {
    for (const std::string& name : shape_.type_names) {
      Set members(txns_, false_bit);
      for (std::size_t t = 1; t < txns_; ++t)
        members[t] = choose();
      history_tables().typed.emplace(name, std::move(members));
    }
    for (std::size_t t = 1; t < txns_; ++t) {
      std::vector<Bit> ways;
      for (const auto& [name, members] : history_tables().typed)
        ways.push_back(members[t]);
      at_most_one(ways);
    }
  }

  void forbid_blind_writes() {
    for (std::size_t x = 0; x < keys_; ++x)
      for (std::size_t t = 1; t < txns_; ++t)
        require(circuit_.implies(history_tables().writers[x][t],
                                 history_tables().readers[x][t]));
  }

  void require_nonempty_transactions() {
    for (std::size_t t = 1; t < txns_; ++t) {
      std::vector<Bit> used;
      for (std::size_t x = 0; x < keys_; ++x) {
        used.push_back(history_tables().writers[x][t]);
        used.push_back(history_tables().readers[x][t]);
      }
      require(circuit_.any(used));
    }
  }

  // Merged reads are not counted: nobody knows how many they were.
  void limit_operations() {
    const std::optional<std::uint32_t> most = shape_.scope.operations;
    if (!most || shape_.has_merged_reads) return;
    const std::size_t places = shape_.has_events ? reads_max(shape_.scope) : 0;
    for (std::size_t t = 1; t < txns_; ++t) {
      std::vector<Bit> operations;
      for (std::size_t x = 0; x < keys_; ++x) {
        operations.push_back(history_tables().writers[x][t]);
        if (!shape_.has_events) operations.push_back(history_tables().readers[x][t]);
      }
      for (std::size_t place = 0; place < places; ++place)
        operations.push_back(exists(t * places + place));
      if (*most < operations.size())
        require(~count(circuit_, operations, *most + 1).back());
    }
  }

  // The column of a key: who writes it, and who reads it from whom (event by event).
  [[nodiscard]] std::vector<Bit> column(std::size_t x) {
    std::vector<Bit> out(history_tables().writers[x].begin() + 1,
                         history_tables().writers[x].end());
    const Relation& from =
        shape_.has_events ? history_tables().rf[x] : history_tables().wr[x];
    for (std::size_t j = 0; j < from.columns(); ++j)
      for (std::size_t i = 0; i < from.rows(); ++i)
        if (!from(i, j).is_constant()) out.push_back(from(i, j));
    if (shape_.has_values)
      for (std::size_t t = 1; t < txns_; ++t)
        for (std::size_t v = 1; v < shape_.scope.values; ++v)
          out.push_back(history_tables().writes[x](t, v));
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
  const OpenHistoryShape& shape_;
  const std::size_t txns_;
  const std::size_t keys_;
  OpenHistory out_;
};

}  // namespace

OpenHistory make_open_history(Circuit& circuit, const OpenHistoryShape& shape) {
  return Maker(circuit, shape).make();
}

}  // namespace isomer::synth
