// SPDX-License-Identifier: MIT
#include "predict/weak_level.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"
#include "level/execution_search.h"
#include "level/library.h"
#include "level/rewrite.h"

namespace isomer::predict {
namespace {

class Tables {
 public:
  Tables(Circuit& circuit, const Observed& observed, const Feasible& feasible,
         const level::Level& level)
      : circuit_(circuit), o_(observed), f_(feasible), level_(level) {}

  level::HistoryTables<Bit> run() {
    const std::size_t txns = o_.txns.size();
    given_.txn_exists = f_.is_in;
    given_.key_exists.assign(o_.keys.size(), logic::true_bit);
    given_.so = Matrix<Bit>(txns, txns, logic::false_bit);
    for (TxnNumber txn = 1; txn < txns; ++txn)
      add_session_order(txn);
    for (KeyNumber key = 0; key < o_.keys.size(); ++key) {
      given_.writers.emplace_back(txns, logic::false_bit);
      given_.readers.emplace_back(txns, logic::false_bit);
      given_.wr.emplace_back(txns, txns, logic::false_bit);
      for (const TxnNumber writer : o_.writers[key])
        given_.writers[key][writer] = f_.is_writer(o_, writer, key);
    }
    for (std::size_t r = 0; r < o_.reads.size(); ++r)
      add_read(r);
    if (level_.uses_events) add_events();
    if (level_.uses_values) add_values();
    for (std::vector<Bit>& flawed : given_.flawed)
      flawed.assign(txns, logic::false_bit);
    return std::move(given_);
  }

 private:
  void add_session_order(TxnNumber txn) {
    given_.so(0, txn) = f_.is_in[txn];
    for (TxnNumber before = o_.txns[txn].previous; before != 0;
         before = o_.txns[before].previous)
      given_.so(before, txn) = circuit_.both(f_.is_in[before], f_.is_in[txn]);
  }

  void add_read(std::size_t r) {
    const ObservedRead& read = o_.reads[r];
    Bit& reader = given_.readers[read.key][read.reader];
    reader = circuit_.either(reader, f_.read_is_in[r]);
    for (const Choice& choice : f_.reads_from[r]) {
      Bit& cell = given_.wr[read.key](choice.writer, read.reader);
      cell = circuit_.either(cell, choice.bit);
    }
  }

  void add_events() {
    const std::size_t txns = o_.txns.size();
    const std::size_t reads = o_.reads.size();
    given_.read_exists = f_.read_is_in;
    given_.po = Matrix<Bit>(reads, reads, logic::false_bit);
    for (const ObservedTxn& txn : o_.txns)
      for (std::uint32_t a = txn.first_read; a < txn.read_end; ++a)
        for (std::uint32_t b = a + 1; b < txn.read_end; ++b)
          given_.po(a, b) = circuit_.both(f_.read_is_in[a], f_.read_is_in[b]);
    given_.rf.assign(o_.keys.size(), Matrix<Bit>(txns, reads, logic::false_bit));
    for (std::size_t r = 0; r < reads; ++r)
      for (const Choice& choice : f_.reads_from[r])
        given_.rf[o_.reads[r].key](choice.writer, r) = choice.bit;
  }

  // Each writer writes a value of its own.
  void add_values() {
    const std::size_t txns = o_.txns.size();
    given_.value_exists.assign(txns, logic::true_bit);
    for (KeyNumber key = 0; key < o_.keys.size(); ++key) {
      Matrix<Bit>& writes = given_.writes.emplace_back(txns, txns, logic::false_bit);
      Matrix<Bit>& reads = given_.reads.emplace_back(txns, txns, logic::false_bit);
      for (const TxnNumber writer : o_.writers[key]) {
        writes(writer, writer) = given_.writers[key][writer];
        for (TxnNumber reader = 1; reader < txns; ++reader)
          reads(reader, writer) = given_.wr[key](writer, reader);
      }
    }
  }

  Circuit& circuit_;
  const Observed& o_;
  const Feasible& f_;
  const level::Level& level_;
  level::HistoryTables<Bit> given_;
};

}  // namespace

std::vector<Bit> encode_level(Circuit& circuit, const Observed& observed,
                              const Feasible& feasible, const level::Level& definition) {
  const level::Level level = level::miniscoped(definition);
  const level::HistoryTables<Bit> given = Tables(circuit, observed, feasible, level).run();
  std::vector<Bit> out;
  const level::Execution<Bit> execution = level::open_execution(circuit, level, given, out);
  for (const Bit axiom : level::encode_axioms(circuit, level, given, execution))
    out.push_back(axiom);
  return out;
}

double table_cells(const Observed& observed, const level::Level& level) {
  const auto txns = static_cast<double>(observed.txns.size());
  const auto keys = static_cast<double>(observed.keys.size());
  const auto reads = static_cast<double>(observed.reads.size());
  constexpr double number_max = 65535;  // of the encoder
  if (std::max({txns, keys, reads}) > number_max)
    return std::numeric_limits<double>::infinity();
  double out = keys * txns * txns;
  if (level.uses_values) out *= 3;
  if (level.uses_events) out += reads * reads + keys * txns * reads;
  return out;
}

level::Level text_of(const check::AskedLevel& level) {
  if (level.definition) return *level.definition;
  ISOMER_ASSERT(level.built_in);
  const std::string framework =
      *level.built_in == check::Level::PSI ? "cerone:" : "biswas:";
  return level::levels_named(framework + std::string(check::info(*level.built_in).name))
      .value()
      .front();
}

}  // namespace isomer::predict
