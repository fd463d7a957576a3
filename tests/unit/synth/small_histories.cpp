// SPDX-License-Identifier: MIT
#include "unit/synth/small_histories.h"

#include <algorithm>
#include <numeric>

#include "level/eval.h"

namespace isomer::synth {
namespace {

using Table = Matrix<Truth>;

// Every union of chains on 1 .. n, as tables with init (0) before all.
std::vector<Table> session_orders(std::size_t n) {
  std::vector<Table> out;
  const std::size_t pairs = n * n;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << pairs); ++bits) {
    Table so(n + 1, n + 1, 0);
    for (std::size_t j = 1; j <= n; ++j)
      so(0, j) = 1;
    for (std::size_t i = 0; i < pairs; ++i)
      so(i / n + 1, i % n + 1) = static_cast<Truth>(bits >> i & 1U);
    bool is_right = true;
    for (std::size_t i = 1; i <= n; ++i)
      for (std::size_t j = 1; j <= n; ++j) {
        if (so(i, j) != 0 && (i == j || so(j, i) != 0)) is_right = false;
        for (std::size_t k = 1; k <= n; ++k) {
          if (so(i, j) != 0 && so(j, k) != 0 && so(i, k) == 0) is_right = false;
          if (j == k) continue;
          const bool fork =
              (so(i, j) != 0 && so(i, k) != 0) || (so(j, i) != 0 && so(k, i) != 0);
          if (fork && so(j, k) == 0 && so(k, j) == 0) is_right = false;
        }
      }
    if (is_right) out.push_back(so);
  }
  return out;
}

class Enumeration {
 public:
  Enumeration(std::size_t transactions, std::size_t keys,
              const std::function<void(const HistoryTables<Truth>&)>& visit)
      : n_(transactions), keys_(keys), visit_(visit) {}

  void run() {
    for (const Table& so : session_orders(n_)) {
      tables_ = {};
      tables_.txn_exists.assign(n_ + 1, 1);
      tables_.so = so;
      tables_.writers.assign(keys_, std::vector<Truth>(n_ + 1, 0));
      tables_.wr.assign(keys_, Table(n_ + 1, n_ + 1, 0));
      for (auto& flawed : tables_.flawed)
        flawed.assign(n_ + 1, 0);
      choose_writes(0);
    }
  }

 private:
  void choose_writes(std::size_t cell) {
    if (cell == n_ * keys_) return choose_reads(0);
    for (const Truth writes : {Truth{0}, Truth{1}}) {
      tables_.writers[cell / n_][cell % n_ + 1] = writes;
      choose_writes(cell + 1);
    }
  }

  void choose_reads(std::size_t cell) {
    if (cell == n_ * keys_) return finish();
    const std::size_t x = cell / n_;
    const std::size_t reader = cell % n_ + 1;
    choose_reads(cell + 1);
    for (std::size_t writer = 0; writer <= n_; ++writer) {
      if (writer == reader || (writer != 0 && tables_.writers[x][writer] == 0)) continue;
      tables_.wr[x](writer, reader) = 1;
      choose_reads(cell + 1);
      tables_.wr[x](writer, reader) = 0;
    }
  }

  void finish() {
    HistoryTables<Truth> done = tables_;
    done.key_exists.assign(keys_, 0);
    done.readers.assign(keys_, std::vector<Truth>(n_ + 1, 0));
    std::vector<bool> is_used(n_ + 1, false);
    for (std::size_t x = 0; x < keys_; ++x) {
      for (std::size_t u = 1; u <= n_; ++u) {
        for (std::size_t t = 0; t <= n_; ++t)
          done.readers[x][u] |= done.wr[x](t, u);
        if (done.readers[x][u] == 0 && done.writers[x][u] == 0) continue;
        is_used[u] = true;
        done.key_exists[x] = 1;
      }
      done.writers[x][0] = done.key_exists[x];
    }
    if (std::count(is_used.begin() + 1, is_used.end(), false) != 0) return;
    if (!std::ranges::is_sorted(done.key_exists, std::greater<>())) return;
    visit_(done);
  }

  const std::size_t n_;
  const std::size_t keys_;
  const std::function<void(const HistoryTables<Truth>&)>& visit_;
  HistoryTables<Truth> tables_;
};

// An execution grows witness by witness; each way to complete it is tried.
class Trial {
 public:
  Trial(const level::Level& level, const HistoryTables<Truth>& tables)
      : level_(level), tables_(tables) {
    for (const level::Witness& witness : level.witnesses)
      execution_.emplace_back(witness.is_keyed ? tables.key_count() : 1,
                              Table(tables.txn_count(), tables.txn_count(), 0));
  }

  bool some_execution() { return with_orders(0, 0); }

 private:
  bool with_orders(std::size_t witness, std::size_t key) {
    if (witness == execution_.size()) return with_rest(0);
    if (key == execution_[witness].size()) return with_orders(witness + 1, 0);
    if (!level_.witnesses[witness].is_total_order) return with_orders(witness + 1, 0);
    std::vector<std::size_t> members;
    for (std::size_t t = 0; t < tables_.txn_count(); ++t)
      if (!level_.witnesses[witness].is_keyed || tables_.writers[key][t] != 0)
        members.push_back(t);
    do {
      Table order(tables_.txn_count(), tables_.txn_count(), 0);
      for (std::size_t i = 0; i < members.size(); ++i)
        for (std::size_t j = i + 1; j < members.size(); ++j)
          order(members[i], members[j]) = 1;
      execution_[witness][key] = order;
      if (with_orders(witness, key + 1)) return true;
    } while (std::ranges::next_permutation(members).found);
    return false;
  }

  bool with_rest(std::size_t witness) {
    if (witness == execution_.size())
      return level::failing_axiom(level_, tables_, execution_) == nullptr;
    if (level_.witnesses[witness].is_total_order) return with_rest(witness + 1);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t w = 0; w < execution_.size(); ++w)
      if (level_.witnesses[w].is_total_order)
        for (std::size_t i = 0; i < tables_.txn_count(); ++i)
          for (std::size_t j = 0; j < tables_.txn_count(); ++j)
            if (execution_[w][0](i, j) != 0) pairs.emplace_back(i, j);
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << pairs.size()); ++bits) {
      Table& table = execution_[witness][0];
      table = Table(tables_.txn_count(), tables_.txn_count(), 0);
      for (std::size_t p = 0; p < pairs.size(); ++p)
        table(pairs[p].first, pairs[p].second) = static_cast<Truth>(bits >> p & 1U);
      if (with_rest(witness + 1)) return true;
    }
    return false;
  }

  const level::Level& level_;
  const HistoryTables<Truth>& tables_;
  level::Execution<Truth> execution_;
};

}  // namespace

void for_each_history(std::size_t transactions, std::size_t keys,
                      const std::function<void(const HistoryTables<Truth>&)>& visit) {
  Enumeration(transactions, keys, visit).run();
}

bool is_allowed(const level::Level& level, const HistoryTables<Truth>& tables) {
  return Trial(level, tables).some_execution();
}

std::size_t operation_count(const HistoryTables<Truth>& tables) {
  std::size_t count = 0;
  for (std::size_t x = 0; x < tables.key_count(); ++x)
    for (std::size_t t = 1; t < tables.txn_count(); ++t)
      count += static_cast<std::size_t>(tables.writers[x][t]) + tables.readers[x][t];
  return count;
}

}  // namespace isomer::synth
