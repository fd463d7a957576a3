// SPDX-License-Identifier: MIT
#include "predict/observed.h"

#include <algorithm>

namespace isomer::predict {
namespace {

using history::Operation;
using history::OpKind;
using history::Read;
using history::Status;
using history::TxnId;

constexpr KeyNumber no_key = 0xffffffffU;

class Observer {
 public:
  explicit Observer(const History& history)
      : history_(history), key_numbers_(history.key_count(), no_key) {}

  Observed run() {
    number_transactions();
    for (std::uint32_t x = 0; x < history_.key_count(); ++x)
      if (!history_.writers({x}).empty()) {
        key_numbers_[x] = static_cast<KeyNumber>(out_.keys.size());
        out_.keys.push_back({x});
        out_.writers.push_back({0});
        out_.has_initial_value.push_back(history_.initial_value({x}).has_value());
      }
    for (KeyNumber key = 0; key < out_.keys.size(); ++key)
      out_.txns[0].writes.push_back({key, 0, 0});
    for (TxnNumber txn = 1; txn < out_.txns.size(); ++txn)
      add_operations(txn);
    return std::move(out_);
  }

 private:
  void number_transactions() {
    numbers_.assign(history_.txn_count(), 0);
    out_.txns.push_back({.id = history::init, .writes = {}, .cuts = {}});
    out_.sessions.resize(history_.session_count());
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      TxnNumber previous = 0;
      for (std::uint32_t t = history_.first_txn({s}).index; t < history_.end_txn({s}).index;
           ++t) {
        if (history_.status({t}) != Status::Committed) continue;
        numbers_[t] = static_cast<TxnNumber>(out_.txns.size());
        out_.txns.push_back(
            {.id = {t}, .session = s, .previous = previous, .writes = {}, .cuts = {}});
        out_.sessions[s].push_back(numbers_[t]);
        previous = numbers_[t];
      }
    }
  }

  void add_operations(TxnNumber number) {
    ObservedTxn& txn = out_.txns[number];
    const std::span<const Operation> operations = history_.operations(txn.id);
    const std::uint32_t first_op = history_.first_op(txn.id);
    txn.first_read = static_cast<std::uint32_t>(out_.reads.size());
    std::span<const Read> reads = history_.reads(txn.id);
    bool is_after_cut = false;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      const std::uint32_t op = first_op + i;
      const KeyNumber key = key_numbers_[operations[i].key.index];
      const std::uint32_t position = next_position_++;
      if (operations[i].kind == OpKind::Write) {
        add_write(txn, key, position);
        is_after_cut = false;
      } else if (!reads.empty() && reads.front().op == op) {
        if (key != no_key)
          out_.reads.push_back(
              {number, key, numbers_[reads.front().writer.index], position, op});
        else if (!is_after_cut)
          txn.cuts.emplace_back(position, op);
        is_after_cut = key == no_key;
        reads = reads.subspan(1);
      }
    }
    txn.read_end = static_cast<std::uint32_t>(out_.reads.size());
    for (const ObservedWrite& write : txn.writes)
      out_.writers[write.key].push_back(number);
  }

  static void add_write(ObservedTxn& txn, KeyNumber key, std::uint32_t position) {
    if (key == no_key) return;
    const auto place = std::ranges::lower_bound(txn.writes, key, {}, &ObservedWrite::key);
    if (place != txn.writes.end() && place->key == key)
      place->last = position;
    else
      txn.writes.insert(place, {key, position, position});
  }

  const History& history_;
  std::vector<KeyNumber> key_numbers_;  // by key of the history
  std::vector<TxnNumber> numbers_;      // by transaction of the history
  std::uint32_t next_position_ = 0;
  Observed out_;
};

}  // namespace

const ObservedWrite* ObservedTxn::find_write(KeyNumber key) const {
  const auto found = std::ranges::lower_bound(writes, key, {}, &ObservedWrite::key);
  return found != writes.end() && found->key == key ? &*found : nullptr;
}

Observed observe(const History& history) {
  return Observer(history).run();
}

std::vector<std::vector<TxnNumber>> readable(const Observed& observed) {
  std::vector<std::vector<TxnNumber>> out;
  for (const ObservedRead& read : observed.reads) {
    out.emplace_back();
    const std::uint32_t session = observed.txns[read.reader].session;
    for (const TxnNumber writer : observed.writers[read.key]) {
      const bool is_there =
          writer == 0 ? observed.has_initial_value[read.key]
                      : writer < read.reader || observed.txns[writer].session != session;
      if (is_there && writer != read.writer) out.back().push_back(writer);
    }
  }
  return out;
}

}  // namespace isomer::predict
