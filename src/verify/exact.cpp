// SPDX-License-Identifier: MIT
#include "verify/exact.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "level/execution_search.h"
#include "logic/relation.h"
#include "logic/term_bridge.h"

namespace isomer::verify {
namespace {

using level::HistoryTables;
using logic::Bit;

class ExactEncoding {
 public:
  ExactEncoding(SymbolicProgram& symbolic, const level::Level& level)
      : in_(symbolic),
        terms_(symbolic.terms),
        level_(level),
        bridge_(symbolic.terms),
        count_(symbolic.transactions.size()) {}

  ExecutionTerms encode() {
    add_reads();
    add_observer();
    fill_given();
    add_level();
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Summary& transaction(std::size_t number) const {
    return in_.transactions[number - 1];
  }

  [[nodiscard]] std::size_t observer() const { return count_ + 1; }

  // --- whom reads read from ---

  void add_reads() {
    for (std::uint32_t t = 1; t <= count_; ++t) {
      const Summary& summary = transaction(t);
      const std::size_t first = out_.choices.size();
      for (std::size_t r = 0; r < summary.reads.size(); ++r)
        add_read(t, r);
      unite_within_statements(summary, first);
    }
  }

  // Exactly one writer, who wrote that key, and whose version is the one that was read.
  void add_read(std::uint32_t reader, std::size_t index) {
    const ReadEvent& read = transaction(reader).reads[index];
    ReadChoice choice{.transaction = reader,
                      .read = index,
                      .writer = std::vector<Term>(count_ + 2, terms_.truth(false))};
    std::vector<std::pair<std::uint32_t, Term>> candidates;
    for (std::uint32_t t = 1; t <= count_; ++t)
      if (t != reader)
        if (const Term wrote = transaction(t).writes_key(terms_, read.table, read.key);
            !terms_.is_false(terms_.both(read.when, wrote)))
          candidates.emplace_back(t, wrote);
    if (candidates.empty()) {
      choice.writer[0] = read.when;
    } else {
      const std::string name = fmt::format("t{}.r{}", reader, index + 1);
      std::vector<Term> others;
      for (const auto& [t, wrote] : candidates) {
        const Term chosen =
            terms_.variable(fmt::format("{}<-t{}", name, t), TermSort::Bool);
        for (const Term other : others)
          out_.facts.push_back(terms_.negation(terms_.both(chosen, other)));
        out_.facts.push_back(terms_.implies(chosen, terms_.both(read.when, wrote)));
        const program::Table& definition = in_.program.tables[read.table.index];
        const Row version =
            transaction(t).written(terms_, definition, read.table, read.key);
        out_.facts.push_back(terms_.implies(chosen, identical(terms_, read.row, version)));
        others.push_back(chosen);
        choice.writer[t] = chosen;
      }
      choice.writer[0] = terms_.both(read.when, terms_.negation(terms_.any(others)));
    }
    out_.facts.push_back(terms_.implies(
        choice.writer[0],
        identical(terms_, read.row, in_.possible_rows->initial(read.table, read.key))));
    out_.choices.push_back(std::move(choice));
  }

  // One statement sees one version of a key, however it came to it.
  void unite_within_statements(const Summary& summary, std::size_t first) {
    for (std::size_t a = 0; a < summary.reads.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const ReadEvent& x = summary.reads[a];
        const ReadEvent& y = summary.reads[b];
        if (x.table != y.table ||
            (x.statement != y.statement && in_.options.repeat == Repeat::Anew))
          continue;
        const Term is_same =
            terms_.both(terms_.both(x.when, y.when), same_key(terms_, x.key, y.key));
        if (terms_.is_false(is_same)) continue;
        for (std::size_t t = 0; t <= count_; ++t)
          out_.facts.push_back(
              terms_.implies(is_same, terms_.iff(out_.choices[first + a].writer[t],
                                                 out_.choices[first + b].writer[t])));
      }
  }

  // The last version of each key that was written.
  void add_observer() {
    for (std::size_t s = 0; s < in_.sites.size(); ++s) {
      const Site& site = in_.sites[s];
      const program::Table& definition = in_.program.tables[site.table.index];
      ReadChoice choice{.transaction = static_cast<std::uint32_t>(observer()),
                        .read = s,
                        .writer = std::vector<Term>(count_ + 2, terms_.truth(false))};
      Row last = in_.possible_rows->initial(site.table, site.key);
      std::vector<Term> others;
      for (std::uint32_t t = 1; t <= count_; ++t) {
        const Term wrote = terms_.both(
            site.exists, transaction(t).writes_key(terms_, site.table, site.key));
        if (terms_.is_false(wrote)) continue;
        const Term chosen =
            terms_.variable(fmt::format("last{}<-t{}", s + 1, t), TermSort::Bool);
        for (const Term other : others)
          out_.facts.push_back(terms_.negation(terms_.both(chosen, other)));
        out_.facts.push_back(terms_.implies(chosen, wrote));
        others.push_back(chosen);
        choice.writer[t] = chosen;
        last =
            choose(terms_, chosen,
                   transaction(t).written(terms_, definition, site.table, site.key), last);
      }
      // Who sees that it was written does not read the initial version.
      out_.facts.push_back(terms_.implies(site.exists, terms_.any(others)));
      out_.last.push_back(std::move(last));
      out_.choices.push_back(std::move(choice));
    }
  }

  // --- the history, as levels see it ---

  // Keys are the sites, and a mark for each transaction, which the observer reads to have
  // seen it.
  void fill_given() {
    const std::size_t txns = count_ + 2;
    const std::size_t keys = in_.sites.size() + count_;
    const std::vector<Bit> none(txns, logic::false_bit);
    given_.txn_exists.assign(txns, logic::true_bit);
    given_.key_exists.assign(keys, logic::true_bit);
    for (std::size_t s = 0; s < in_.sites.size(); ++s)
      given_.key_exists[s] = bridge_.bit(in_.sites[s].exists);
    given_.so = {txns, txns, logic::false_bit};
    for (std::size_t t = 1; t < txns; ++t)
      given_.so(0, t) = logic::true_bit;
    for (std::size_t a = 1; a <= count_; ++a)
      for (std::size_t b = a + 1; b <= count_; ++b)
        if (transaction(a).place.first == transaction(b).place.first)
          given_.so(a, b) = logic::true_bit;
    given_.writers.assign(keys, none);
    given_.readers.assign(keys, none);
    given_.wr.assign(keys, {txns, txns, logic::false_bit});
    given_.flawed.fill(none);
    add_writers();
    add_types();
    if (level_.uses_events)
      add_events();
    else
      add_wr();
  }

  void add_writers() {
    for (std::size_t s = 0; s < in_.sites.size(); ++s) {
      const Site& site = in_.sites[s];
      given_.writers[s][0] = given_.key_exists[s];
      for (std::size_t t = 1; t <= count_; ++t)
        given_.writers[s][t] = bridge_.bit(terms_.both(
            site.exists, transaction(t).writes_key(terms_, site.table, site.key)));
    }
    for (std::size_t t = 1; t <= count_; ++t) {
      given_.writers[mark(t)][0] = logic::true_bit;
      given_.writers[mark(t)][t] = bridge_.bit(transaction(t).effect.commits);
    }
  }

  [[nodiscard]] std::size_t mark(std::size_t t) const { return in_.sites.size() + t - 1; }

  void add_types() {
    for (std::size_t t = 1; t <= count_; ++t) {
      auto& type = given_.typed[in_.program.types[transaction(t).type].name];
      type.resize(count_ + 2, logic::false_bit);
      type[t] = logic::true_bit;
    }
  }

  // Calls visit(reader, key, condition that the read is of that key, choice).
  template <class Visit>
  void for_each_read(Visit visit) {
    for (const ReadChoice& choice : out_.choices) {
      if (choice.transaction == observer()) {
        visit(choice, choice.read, in_.sites[choice.read].exists);
        continue;
      }
      const ReadEvent& read = transaction(choice.transaction).reads[choice.read];
      for (std::size_t s = 0; s < in_.sites.size(); ++s)
        if (const Term at = in_.is_at(in_.sites[s], read.table, read.key);
            !terms_.is_false(at))
          visit(choice, s, terms_.both(at, read.when));
    }
  }

  void read_from(std::size_t key, std::size_t writer, std::size_t reader, Bit cell) {
    Bit& wr = given_.wr[key](writer, reader);
    wr = bridge_.circuit.either(wr, cell);
    Bit& reads = given_.readers[key][reader];
    reads = bridge_.circuit.either(reads, cell);
  }

  Bit mark_is_from(std::size_t t, std::size_t writer) {
    const Bit commits = bridge_.bit(transaction(t).effect.commits);
    return writer == 0 ? ~commits : commits;
  }

  void add_wr() {
    for_each_read([&](const ReadChoice& choice, std::size_t key, Term at) {
      for (std::size_t t = 0; t <= count_; ++t)
        read_from(key, t, choice.transaction,
                  bridge_.bit(terms_.both(at, choice.writer[t])));
    });
    for (std::size_t t = 1; t <= count_; ++t)
      for (const std::size_t writer : {std::size_t{0}, t})
        read_from(mark(t), writer, observer(), mark_is_from(t, writer));
  }

  // With an event for each read: the observer reads all marks first.
  void add_events() {
    const std::size_t events = out_.choices.size() + count_;
    given_.read_exists.assign(events, logic::false_bit);
    given_.rf.assign(given_.wr.size(), {count_ + 2, events, logic::false_bit});
    given_.po = {events, events, logic::false_bit};
    add_wr();
    const auto event_of = [&](const ReadChoice& choice) {
      return static_cast<std::size_t>(&choice - out_.choices.data());
    };
    for_each_read([&](const ReadChoice& choice, std::size_t key, Term at) {
      const std::size_t event = event_of(choice);
      given_.read_exists[event] =
          bridge_.circuit.either(given_.read_exists[event], bridge_.bit(at));
      for (std::size_t t = 0; t <= count_; ++t)
        given_.rf[key](t, event) = bridge_.bit(terms_.both(at, choice.writer[t]));
    });
    for (std::size_t t = 1; t <= count_; ++t) {
      const std::size_t event = out_.choices.size() + t - 1;
      given_.read_exists[event] = logic::true_bit;
      for (const std::size_t writer : {std::size_t{0}, t})
        given_.rf[mark(t)](writer, event) = mark_is_from(t, writer);
      for (const ReadChoice& choice : out_.choices)
        if (choice.transaction == observer())
          order_events(event, event_of(choice), terms_.truth(true));
    }
    for (const ReadChoice& a : out_.choices)
      for (const ReadChoice& b : out_.choices)
        if (a.transaction == b.transaction && &a != &b)
          order_events(event_of(a), event_of(b), is_read_before(a, b));
  }

  void order_events(std::size_t a, std::size_t b, Term is_before) {
    const Bit both = bridge_.circuit.both(given_.read_exists[a], given_.read_exists[b]);
    given_.po(a, b) = bridge_.circuit.both(both, bridge_.bit(is_before));
  }

  // A scan reads rows by primary key; else in the order of evaluation.
  Term is_read_before(const ReadChoice& a, const ReadChoice& b) {
    const Term as_evaluated = terms_.truth(a.read < b.read);
    if (a.transaction == observer()) return as_evaluated;
    const ReadEvent& x = transaction(a.transaction).reads[a.read];
    const ReadEvent& y = transaction(b.transaction).reads[b.read];
    if (x.statement != y.statement || x.table != y.table) return as_evaluated;
    const Term by_key = key_before(terms_, x.key, y.key);
    return terms_.is_constant(by_key) ? as_evaluated : by_key;
  }

  // Whatever the level allows, nobody reads what is not written yet.  In the frameworks
  // with one order of transactions that is an axiom.
  Bit is_possible() {
    logic::Relation before = given_.so;
    for (const logic::Relation& wr : given_.wr)
      before = logic::unite(bridge_.circuit, before, wr);
    return logic::acyclic(bridge_.circuit, before);
  }

  // An order may be total on some transactions only.
  static bool orders_everything(const Matrix<Bit>& order) {
    for (std::size_t a = 0; a < order.rows(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (order(a, b) != ~order(b, a)) return false;
    return true;
  }

  void add_level() {
    std::vector<Bit> facts;
    if (level_.framework != "biswas" && level_.framework != "cerone")
      facts.push_back(is_possible());
    const auto execution = level::open_execution(bridge_.circuit, level_, given_, facts);
    const auto axioms = level::encode_axioms(bridge_.circuit, level_, given_, execution);
    facts.insert(facts.end(), axioms.begin(), axioms.end());
    for (const Bit fact : facts)
      out_.facts.push_back(bridge_.term(fact));
    for (std::size_t w = 0; w < level_.witnesses.size(); ++w) {
      if (level_.witnesses[w].is_keyed) continue;
      const Matrix<Bit>& bits = execution[w].front();
      if (level_.witnesses[w].is_total_order && orders_everything(bits))
        out_.total_order = level_.witnesses[w].name;
      Matrix<Term> relation(bits.rows(), bits.columns(), terms_.truth(false));
      for (std::size_t a = 0; a < bits.rows(); ++a)
        for (std::size_t b = 0; b < bits.columns(); ++b)
          relation(a, b) = bridge_.term(bits(a, b));
      out_.witnesses.emplace_back(level_.witnesses[w].name, std::move(relation));
    }
  }

  SymbolicProgram& in_;
  Terms& terms_;
  const level::Level& level_;
  logic::TermBridge bridge_;
  std::size_t count_;
  HistoryTables<Bit> given_;
  ExecutionTerms out_;
};

}  // namespace

ExecutionTerms encode_exact(SymbolicProgram& symbolic, const level::Level& level) {
  return ExactEncoding(symbolic, level).encode();
}

}  // namespace isomer::verify
