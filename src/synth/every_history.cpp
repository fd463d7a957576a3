// SPDX-License-Identifier: MIT
#include "synth/every_history.h"

#include <algorithm>

namespace isomer::synth {
namespace {

using Table = Matrix<Truth>;

// Each choose_ function tries everything for one part of the history and goes on to the
// next; false means that the visit is over.
class HistoryEnumerator {
 public:
  HistoryEnumerator(const OpenHistoryShape& shape, const Budget& budget,
                    const std::function<bool(const HistoryTables<Truth>&)>& visit)
      : shape_(shape),
        budget_(budget),
        visit_(visit),
        txns_(shape.scope.transactions + 1),
        keys_(shape.scope.keys),
        places_(shape.has_events ? reads_max(shape.scope) : 0) {
    prepare();
  }

  bool run() { return choose_session_order(1, 2); }

 private:
  void prepare() {
    tables_.txn_exists.assign(txns_, 1);
    tables_.so = Table(txns_, txns_, 0);
    for (std::size_t j = 1; j < txns_; ++j)
      tables_.so(0, j) = 1;
    tables_.writers.assign(keys_, std::vector<Truth>(txns_, 0));
    tables_.wr.assign(keys_, Table(txns_, txns_, 0));
    tables_.read_exists.assign(txns_ * places_, 0);
    if (shape_.has_events) tables_.rf.assign(keys_, Table(txns_, txns_ * places_, 0));
    for (auto& flawed : tables_.flawed)
      flawed.assign(txns_, 0);
    for (const std::string& name : shape_.type_names)
      tables_.typed.emplace(name, std::vector<Truth>(txns_, 0));
    if (shape_.has_values)
      tables_.writes.assign(keys_, Table(txns_, shape_.scope.values, 0));
  }

  bool choose_session_order(std::size_t i, std::size_t j) {
    if (i + 1 >= txns_) return !is_session_order() || choose_writes(0);
    if (j == txns_) return choose_session_order(i + 1, i + 2);
    for (const Truth is_before : {Truth{0}, Truth{1}}) {
      tables_.so(i, j) = is_before;
      if (!choose_session_order(i, j + 1)) return false;
    }
    return true;
  }

  [[nodiscard]] bool is_session_order() const {
    const Table& so = tables_.so;
    const auto is_comparable = [&](std::size_t i, std::size_t j) {
      return shape_.is_so_partial_order || so(i, j) != 0;
    };
    for (std::size_t i = 1; i < txns_; ++i)
      for (std::size_t j = i + 1; j < txns_; ++j)
        for (std::size_t k = j + 1; k < txns_; ++k) {
          const bool low = so(i, j) != 0;
          const bool high = so(j, k) != 0;
          const bool far = so(i, k) != 0;
          if (low && high && !far) return false;
          if (low && far && !is_comparable(j, k)) return false;
          if (high && far && !is_comparable(i, j)) return false;
        }
    return true;
  }

  bool choose_writes(std::size_t cell) {
    if (budget_.is_exhausted()) return false;
    const std::size_t cells = (txns_ - 1) * keys_;
    if (cell == cells) return !has_few_writers() || choose_reads_of(1);
    for (const Truth writes : {Truth{0}, Truth{1}}) {
      tables_.writers[cell / (txns_ - 1)][cell % (txns_ - 1) + 1] = writes;
      if (!choose_writes(cell + 1)) return false;
    }
    return true;
  }

  // One value is the initial one, and no value is written twice.
  [[nodiscard]] bool has_few_writers() const {
    return std::ranges::all_of(tables_.writers, [&](const std::vector<Truth>& writers) {
      return std::count(writers.begin() + 1, writers.end(), Truth{1}) < shape_.scope.values;
    });
  }

  bool choose_reads_of(std::size_t reader) {
    if (reader == txns_) return choose_types(1);
    return shape_.has_events ? choose_read_events(reader, 0) : choose_reads(reader, 0);
  }

  [[nodiscard]] bool may_read(std::size_t x, std::size_t writer, std::size_t reader) const {
    return writer != reader && (writer == 0 || tables_.writers[x][writer] != 0);
  }

  bool choose_reads(std::size_t reader, std::size_t x) {
    if (x == keys_) return !is_right(reader) || choose_reads_of(reader + 1);
    if (!choose_reads(reader, x + 1)) return false;
    for (std::size_t writer = 0; writer < txns_; ++writer) {
      if (!may_read(x, writer, reader)) continue;
      tables_.wr[x](writer, reader) = 1;
      const bool is_open = choose_reads(reader, x + 1);
      tables_.wr[x](writer, reader) = 0;
      if (!is_open) return false;
    }
    return true;
  }

  // No more reads, or one more and then others.
  bool choose_read_events(std::size_t reader, std::size_t place) {
    if (is_right(reader) && !choose_reads_of(reader + 1)) return false;
    if (place == places_) return true;
    const std::size_t event = reader * places_ + place;
    tables_.read_exists[event] = 1;
    bool is_open = true;
    for (std::size_t x = 0; x < keys_ && is_open; ++x)
      for (std::size_t writer = 0; writer < txns_ && is_open; ++writer) {
        if (!may_read(x, writer, reader)) continue;
        const Truth before = tables_.wr[x](writer, reader);
        tables_.rf[x](writer, event) = tables_.wr[x](writer, reader) = 1;
        is_open = choose_read_events(reader, place + 1);
        tables_.rf[x](writer, event) = 0;
        tables_.wr[x](writer, reader) = before;
      }
    tables_.read_exists[event] = 0;
    return is_open;
  }

  [[nodiscard]] bool reads(std::size_t x, std::size_t t) const {
    for (std::size_t writer = 0; writer < txns_; ++writer)
      if (tables_.wr[x](writer, t) != 0) return true;
    return false;
  }

  // The transaction is not empty, not too long, and reads before it writes, if it must.
  [[nodiscard]] bool is_right(std::size_t t) const {
    std::uint32_t operations = 0;
    for (std::size_t x = 0; x < keys_; ++x) {
      const bool is_read = reads(x, t);
      if (tables_.writers[x][t] != 0 && !is_read && !shape_.allows_blind_writes)
        return false;
      operations += tables_.writers[x][t];
      if (is_read && !shape_.has_events) ++operations;
    }
    for (std::size_t place = 0; place < places_; ++place)
      operations += tables_.read_exists[t * places_ + place];
    return operations > 0 && operations <= shape_.scope.operations.value_or(operations);
  }

  bool choose_types(std::size_t t) {
    if (t == txns_) return finish();
    if (!choose_types(t + 1)) return false;
    for (auto& [name, members] : tables_.typed) {
      members[t] = 1;
      const bool is_open = choose_types(t + 1);
      members[t] = 0;
      if (!is_open) return false;
    }
    return true;
  }

  bool finish() {
    if (budget_.is_exhausted()) return false;
    HistoryTables<Truth> whole = tables_;
    whole.key_exists.assign(keys_, 0);
    whole.readers.assign(keys_, std::vector<Truth>(txns_, 0));
    for (std::size_t x = 0; x < keys_; ++x) {
      for (std::size_t t = 1; t < txns_; ++t) {
        whole.readers[x][t] = reads(x, t) ? 1 : 0;
        whole.key_exists[x] |= whole.readers[x][t];
        whole.key_exists[x] |= whole.writers[x][t];
      }
      whole.writers[x][0] = whole.key_exists[x];
    }
    if (!std::ranges::is_sorted(whole.key_exists, std::greater<>())) return true;
    add_program_order(whole);
    return shape_.has_values ? choose_values(whole, 0, 1) : visit_(whole);
  }

  void add_program_order(HistoryTables<Truth>& whole) const {
    whole.po = Table(txns_ * places_, txns_ * places_, 0);
    for (std::size_t t = 1; t < txns_; ++t)
      for (std::size_t q = 0; q < places_; ++q)
        for (std::size_t p = 0; p < q; ++p)
          whole.po(t * places_ + p, t * places_ + q) = whole.read_exists[t * places_ + q];
  }

  // Value 0 is the initial one; each writer of a key has another one.
  bool choose_values(HistoryTables<Truth>& whole, std::size_t x, std::size_t t) {
    if (x == keys_) return finish_values(whole);
    if (t == txns_) return choose_values(whole, x + 1, 1);
    if (whole.writers[x][t] == 0) return choose_values(whole, x, t + 1);
    for (std::size_t value = 1; value < shape_.scope.values; ++value) {
      bool is_free = true;
      for (std::size_t other = 1; other < t; ++other)
        is_free = is_free && whole.writes[x](other, value) == 0;
      if (!is_free) continue;
      whole.writes[x](t, value) = 1;
      const bool is_open = choose_values(whole, x, t + 1);
      whole.writes[x](t, value) = 0;
      if (!is_open) return false;
    }
    return true;
  }

  bool finish_values(HistoryTables<Truth> whole) {
    const std::size_t values = shape_.scope.values;
    whole.value_exists.assign(values, 0);
    whole.reads.assign(keys_, Table(txns_, values, 0));
    for (std::size_t x = 0; x < keys_; ++x) {
      whole.writes[x](0, 0) = whole.key_exists[x];
      for (std::size_t t = 0; t < txns_; ++t)
        for (std::size_t value = 0; value < values; ++value) {
          if (whole.writes[x](t, value) == 0) continue;
          whole.value_exists[value] = 1;
          for (std::size_t reader = 1; reader < txns_; ++reader)
            whole.reads[x](reader, value) |= whole.wr[x](t, reader);
        }
    }
    return visit_(whole);
  }

  const OpenHistoryShape& shape_;
  const Budget& budget_;
  const std::function<bool(const HistoryTables<Truth>&)>& visit_;
  const std::size_t txns_;
  const std::size_t keys_;
  const std::size_t places_;  // of reads in one transaction
  HistoryTables<Truth> tables_;
};

}  // namespace

bool visit_histories(const OpenHistoryShape& shape, const Budget& budget,
                     const std::function<bool(const HistoryTables<Truth>&)>& visit) {
  return HistoryEnumerator(shape, budget, visit).run();
}

}  // namespace isomer::synth
