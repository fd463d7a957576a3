// SPDX-License-Identifier: MIT
#include "record/record.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "program/machine/keys.h"
#include "record/statement_reads.h"
#include "store/ran_transaction.h"

namespace isomer::record {
namespace {

using program::Program;
using store::Access;
using store::RanTransaction;

constexpr std::uint32_t nobody = 0;

// A change that was not undone.
bool remains(const LiveStatement& statement) {
  return !statement.has_failed && statement.undone_by == never;
}

bool has_written(const LiveTransaction& of) {
  return std::any_of(of.statements.begin(), of.statements.end(), [](const auto& statement) {
    return remains(statement) && !statement.changes.empty();
  });
}

class Telling {
 public:
  Telling(const database::Scenario& scenario, LiveRun run)
      : program_(scenario.program), run_(std::move(run)), versions_(program_) {}

  tl::expected<Recording, std::string> tell() {
    if (!run_.problem.empty()) return tl::unexpected(run_.problem);
    find_writers();
    CommitOrder order = order_commits(writers_, run_.snapshots);
    if (!order.problem.empty()) return tl::unexpected(std::move(order.problem));
    place_of_writer_ = std::move(order.place);
    seen_ = std::move(order.seen);
    add_versions();
    put_in_order();
    for (const std::size_t i : order_)
      tell(run_.transactions[i]);
    if (!problem_.empty()) return tl::unexpected(problem_);
    for (std::size_t i = 0; i < ran_.size(); ++i)
      for (Access& access : ran_[i].accesses)
        if (!access.is_write && access.writer != nobody)
          access.writer = committed_number_[access.writer - 1];
    out_.history = store::record(program_, program::Granularity::Row, ran_);
    add_numbers();
    compare_final_rows();
    return std::move(out_);
  }

 private:
  // --- who wrote, and in which order ---

  void find_writers() {
    writer_of_.resize(run_.transactions.size(), never);
    for (std::size_t i = 0; i < run_.transactions.size(); ++i) {
      const LiveTransaction& of = run_.transactions[i];
      if (of.end != LiveTransaction::End::Committed || !has_written(of)) continue;
      writer_of_[i] = writers_.size();
      transaction_of_.push_back(i);
      writers_.push_back(
          {.start = of.start, .number = of.number, .acknowledged = of.ended});
      for (const LiveStatement& statement : of.statements)
        for (const RowChange& change : statement.changes)
          if (change.written && remains(statement))
            writers_by_number_[{of.start, *change.written}] = writer_of_[i];
    }
    for (std::size_t w = 0; w < writers_.size(); ++w)
      for (const LiveStatement& statement :
           run_.transactions[transaction_of_[w]].statements)
        for (const RowChange& change : statement.changes)
          if (change.replaced && remains(statement))
            if (const auto before = writer_named(*change.replaced, writers_[w].start))
              if (*before != w) writers_[w].after.push_back(*before);
    note_keys();
  }

  void note_keys() {
    std::map<Row, std::uint64_t> numbers;
    for (std::size_t w = 0; w < writers_.size(); ++w)
      for (const LiveStatement& statement :
           run_.transactions[transaction_of_[w]].statements)
        for (const RowChange& change : statement.changes)
          for (const KeyChange& key : key_changes(program_, change)) {
            if (!remains(statement) || (!key.is_new && !key.value.is_null())) continue;
            const std::uint64_t number =
                numbers.try_emplace(key.row, numbers.size()).first->second;
            (key.is_new ? writers_[w].takes : writers_[w].frees).push_back(number);
          }
  }

  // The writer with this number, of the latest start of the server up to this one.
  [[nodiscard]] std::optional<std::size_t> writer_named(std::uint32_t number,
                                                        std::uint32_t start) const {
    for (std::uint32_t of = start + 1; of-- > 0;)
      if (const auto found = writers_by_number_.find({of, number});
          found != writers_by_number_.end())
        return found->second;
    return std::nullopt;
  }

  void add_versions() {
    std::vector<std::size_t> by_place(writers_.size());
    for (std::size_t w = 0; w < writers_.size(); ++w)
      by_place[place_of_writer_[w] - 1] = w;
    for (const LiveTransaction& of : run_.transactions)
      for (const LiveStatement& statement : of.statements)
        for (const RowChange& change : statement.changes)
          for (const KeyChange& key : key_changes(program_, change))
            versions_.know(key.row);
    for (std::size_t place = 0; place < by_place.size(); ++place)
      for (const LiveStatement& statement :
           run_.transactions[transaction_of_[by_place[place]]].statements) {
        if (!remains(statement)) continue;
        for (const RowChange& change : statement.changes)
          for (const KeyChange& key : key_changes(program_, change))
            versions_.add(key.row, static_cast<std::uint32_t>(place) + 1, key.value);
      }
    writer_at_place_ = std::move(by_place);
  }

  // Writers in the order of their commits; before each, what its session did before it.
  void put_in_order() {
    std::vector<std::vector<std::size_t>> sessions(program_.sessions.size());
    std::vector<std::size_t> next(sessions.size());
    std::vector<std::size_t> by_end(run_.transactions.size());
    std::iota(by_end.begin(), by_end.end(), std::size_t{0});
    for (const std::size_t i : by_end)
      sessions[run_.transactions[i].session].push_back(i);
    const auto emit_to = [&](std::size_t session, std::size_t last) {
      while (next[session] < sessions[session].size()) {
        const std::size_t i = sessions[session][next[session]++];
        order_.push_back(i);
        if (i == last) return;
      }
    };
    std::vector<bool> is_out(run_.transactions.size());
    for (const std::size_t writer : writer_at_place_) {
      const std::size_t i = transaction_of_[writer];
      emit_to(run_.transactions[i].session, i);
    }
    for (std::size_t s = 0; s < sessions.size(); ++s)
      emit_to(s, never);
    committed_number_.resize(writers_.size());
    std::uint32_t committed = 0;
    for (const std::size_t i : order_) {
      if (run_.transactions[i].end != LiveTransaction::End::Committed) continue;
      ++committed;
      if (writer_of_[i] != never)
        committed_number_[place_of_writer_[writer_of_[i]] - 1] = committed;
    }
  }

  // --- one transaction ---

  void tell(const LiveTransaction& of) {
    RanTransaction& ran = ran_.emplace_back();
    const program::Call& call = program_.sessions[of.session].calls[of.call];
    ran.type = program_.types[call.type].name;
    ran.outcome.session = of.session;
    ran.outcome.index = of.call;
    ran.outcome.is_committed = of.end == LiveTransaction::End::Committed;
    ran.outcome.is_unknown = of.end == LiveTransaction::End::Unknown;
    const std::size_t index = static_cast<std::size_t>(&of - run_.transactions.data());
    self_ = writer_of_[index] == never ? nobody : place_of_writer_[writer_of_[index]];
    own_numbers_.clear();
    for (const LiveStatement& statement : of.statements)
      for (const RowChange& change : statement.changes)
        if (change.written) own_numbers_.insert(*change.written);
    for (std::size_t i = 0; i < of.statements.size(); ++i)
      tell(of, i, ran.accesses);
  }

  // As the statement finds them.
  [[nodiscard]] OwnRows own_rows(const LiveTransaction& of, std::size_t statement) const {
    OwnRows out;
    for (std::size_t i = 0; i < statement; ++i) {
      if (of.statements[i].has_failed || of.statements[i].undone_by <= statement) continue;
      for (const RowChange& change : of.statements[i].changes)
        for (KeyChange& key : key_changes(program_, change))
          out[key.row] = std::move(key.value);
    }
    return out;
  }

  void tell(const LiveTransaction& of, std::size_t index, std::vector<Access>& to) {
    const LiveStatement& statement = of.statements[index];
    if (statement.has_failed) return;
    ++out_.statements;
    const OwnRows own = own_rows(of, index);
    const std::uint32_t commits = statement.snapshot ? seen_[*statement.snapshot] : nobody;
    const SeenBy seen{.versions = versions_, .commits = commits, .own = own, .self = self_};
    StatementReads reads = reads_of(program_, statement, of.level, seen);
    if (!reads.is_explained) {
      ++out_.unexplained;
      if (out_.first_unexplained.empty()) {
        const auto [file, at] = program::place_of(program_, statement.what.at.first);
        out_.first_unexplained = fmt::format("{}:{}", file, at.line);
      }
    }
    add_exact_reads(of, statement, own, reads.reads);
    if (statement.snapshot &&
        std::any_of(reads.reads.begin(), reads.reads.end(),
                    [&](const auto& read) { return read.second.writer > commits; }))
      ++(of.level > IsolationLevel::ReadCommitted ? out_.reused_keys : out_.mixed);
    std::stable_sort(
        reads.reads.begin(), reads.reads.end(),
        [](const auto& a, const auto& b) { return a.second.writer < b.second.writer; });
    std::set<std::pair<Row, std::uint32_t>> told;
    for (const auto& [row, version] : reads.reads)
      if (told.emplace(row, version.writer).second)
        to.push_back({.is_write = false,
                      .key = name(row),
                      .value = version.row,
                      .writer = version.writer,
                      .at = statement.what.at});
    if (!remains(statement)) return;
    for (const RowChange& change : statement.changes)
      for (KeyChange& key : key_changes(program_, change))
        to.push_back({.is_write = true,
                      .key = name(key.row),
                      .value = std::move(key.value),
                      .writer = 0,
                      .at = statement.what.at});
  }

  // The rows that were locked or changed, in the versions that the server names, and the
  // keys of new rows.
  void add_exact_reads(const LiveTransaction& of, const LiveStatement& statement,
                       const OwnRows& own, std::vector<std::pair<Row, Version>>& to) {
    for (const LockedRow& locked : statement.locked)
      add_version({locked.table, locked.key}, locked.written, of, to);
    OwnRows changed = own;
    for (const RowChange& change : statement.changes) {
      const Row old_row{change.table, change.old_key};
      if (change.replaced && !changed.contains(old_row))
        add_version(old_row, *change.replaced, of, to);
      for (const KeyChange& key : key_changes(program_, change)) {
        if (key.is_new && !changed.contains(key.row)) add_free_key(key.row, statement, to);
        changed[key.row] = key.value;
      }
    }
  }

  void add_version(const Row& row, std::uint32_t number, const LiveTransaction& of,
                   std::vector<std::pair<Row, Version>>& to) {
    if (own_numbers_.contains(number)) return;
    const auto writer = writer_named(number, of.start);
    const std::uint32_t place = writer ? place_of_writer_[*writer] : nobody;
    const Version* const version = versions_.written_by(row, place);
    if (version == nullptr) {
      problem_ = fmt::format(
          "somebody else has written {} while the run went on, or the server names a "
          "writer "
          "that has not written it",
          name(row));
      return;
    }
    to.emplace_back(row, *version);
  }

  // Who inserts a row has seen that its key is free.
  void add_free_key(const Row& row, const LiveStatement& statement,
                    std::vector<std::pair<Row, Version>>& to) const {
    const std::uint32_t commits = self_ != nobody      ? self_ - 1
                                  : statement.snapshot ? seen_[*statement.snapshot]
                                                       : nobody;
    const auto seen = versions_.seen(row, commits);
    if (seen.version.row.is_null()) to.emplace_back(row, seen.version);
  }

  [[nodiscard]] program::KeyName name(const Row& row) const {
    return program::row_key(program_.tables[row.first.index], row.second);
  }

  // --- what it came to ---

  void add_numbers() {
    for (const LiveTransaction& of : run_.transactions) {
      switch (of.end) {
        case LiveTransaction::End::Committed:
          ++out_.committed;
          out_.latencies.push_back(of.seconds);
          break;
        case LiveTransaction::End::RolledBack:
          ++out_.rolled_back[of.fault.sqlstate];
          break;
        case LiveTransaction::End::Unknown:
          ++out_.unknown;
          break;
      }
    }
    std::sort(out_.latencies.begin(), out_.latencies.end());
    out_.seconds = run_.seconds;
    out_.losses = run_.losses;
  }

  void compare_final_rows() {
    out_.has_final_rows = run_.final_rows.has_value();
    if (!out_.has_final_rows) return;
    for (std::uint32_t t = 0; t < program_.tables.size(); ++t) {
      std::map<PrimaryKey, Value> there;
      for (const auto& row : (*run_.final_rows)[t])
        there[program::primary_key_of(program_.tables[t], row)] = Value::list(row);
      for (const auto& [key, versions] : versions_.table({t})) {
        const Value expected = versions.empty() ? Value() : versions.back().row;
        const auto found = there.find(key);
        if ((found == there.end() ? Value() : found->second) != expected)
          out_.different.push_back(name({{t}, key}));
        if (found != there.end()) there.erase(found);
      }
      for (const auto& [key, row] : there)
        out_.different.push_back(name({{t}, key}));
    }
  }

  const Program& program_;
  LiveRun run_;
  Versions versions_;
  std::vector<Writer> writers_;
  std::vector<std::size_t> writer_of_;       // by transaction
  std::vector<std::size_t> transaction_of_;  // by writer
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> writers_by_number_;
  std::vector<std::uint32_t> place_of_writer_;
  std::vector<std::uint32_t> seen_;  // by snapshot
  std::vector<std::size_t> writer_at_place_;
  std::vector<std::size_t> order_;
  // By place of the writer: which of the committed transactions it is, from 1.
  std::vector<std::uint32_t> committed_number_;
  std::vector<RanTransaction> ran_;
  std::uint32_t self_ = nobody;
  std::set<std::uint32_t> own_numbers_;
  std::string problem_;
  Recording out_;
};

}  // namespace

tl::expected<Recording, std::string> recording_of(const database::Scenario& scenario,
                                                  LiveRun run) {
  return Telling(scenario, std::move(run)).tell();
}

tl::expected<Recording, std::string> record(const database::Scenario& scenario,
                                            const LiveOptions& options) {
  auto run = run_live(scenario, options);
  if (!run) return tl::unexpected(run.error());
  return recording_of(scenario, std::move(*run));
}

}  // namespace isomer::record
