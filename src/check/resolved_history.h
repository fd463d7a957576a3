// SPDX-License-Identifier: MIT
// A history with every choice made: which transactions took effect, and from whom each read
// reads.  What the checkers work on.
//
// It is a view of the whole history where nothing had to be chosen, and a copy
// where something was: an ambiguous read, an unknown outcome, or a part of the history
// (when a violation is made small).  A part is a history in its own right, and if the whole
// satisfies a level so does each part: all axioms say "whenever these transactions exist,
// these are ordered so".  A copy of a part has its own dense ids; `original` leads back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/check.h"
#include "history/history.h"

namespace isomer::check {

using history::Read;

// Which writer each ambiguous read is taken to have, by index into
// History::ambiguous_reads(); none(): the read is left out.
using Writers = std::vector<TxnId>;

class ResolvedHistory {
 public:
  // The whole history, with these choices.  The ids are the history's.
  static ResolvedHistory whole(const History& history, const Writers& writers);

  // Only these transactions (by id, without init) of it.  Reads from others are
  // dropped.
  [[nodiscard]] ResolvedHistory part(std::span<const TxnId> transactions) const;

  ResolvedHistory(ResolvedHistory&&) noexcept = default;
  ResolvedHistory& operator=(ResolvedHistory&&) noexcept = default;
  ResolvedHistory(const ResolvedHistory&) = delete;
  ResolvedHistory& operator=(const ResolvedHistory&) = delete;
  ~ResolvedHistory() = default;

  [[nodiscard]] const History& history() const { return *history_; }

  [[nodiscard]] std::uint32_t txn_count() const {
    return static_cast<std::uint32_t>(chain_of_.size());
  }

  [[nodiscard]] std::uint32_t key_count() const {
    return static_cast<std::uint32_t>(writer_offsets_.size() - 1);
  }

  // Chains: the sessions, and init alone as chain 0.  A transaction's place counts from 0.
  [[nodiscard]] std::uint32_t chain_count() const {
    return static_cast<std::uint32_t>(chain_first_.size() - 1);
  }

  [[nodiscard]] std::uint32_t chain(TxnId t) const { return chain_of_[t.index]; }

  [[nodiscard]] std::uint32_t chain_first(std::uint32_t chain) const {
    return chain_first_[chain];
  }

  [[nodiscard]] std::uint32_t chain_end(std::uint32_t chain) const {
    return chain_first_[chain + 1];
  }

  [[nodiscard]] std::uint32_t place(TxnId t) const {
    return t.index - chain_first_[chain(t)];
  }

  [[nodiscard]] std::span<const Read> all_reads() const { return reads_; }

  [[nodiscard]] std::uint32_t first_read(TxnId t) const { return read_offsets_[t.index]; }

  [[nodiscard]] std::span<const Read> reads(TxnId t) const {
    return reads_.subspan(read_offsets_[t.index],
                          read_offsets_[t.index + 1] - read_offsets_[t.index]);
  }

  // The transaction that a read belongs to.
  [[nodiscard]] TxnId reader(std::uint32_t read) const;

  [[nodiscard]] std::span<const KeyId> writes(TxnId t) const {
    return writes_.subspan(write_offsets_[t.index],
                           write_offsets_[t.index + 1] - write_offsets_[t.index]);
  }

  [[nodiscard]] std::span<const TxnId> writers(KeyId x) const {
    return writers_.subspan(writer_offsets_[x.index],
                            writer_offsets_[x.index + 1] - writer_offsets_[x.index]);
  }

  [[nodiscard]] bool is_writer(TxnId t, KeyId x) const;

  // Pairs (earlier, later) of writers of a key that a list-append history revealed; enough
  // of them to imply the rest.
  struct VersionEdge {
    TxnId earlier;
    TxnId later;
    KeyId key;
  };

  [[nodiscard]] std::span<const VersionEdge> version_edges() const {
    return version_edges_;
  }

  // Whether t is one of the transactions that took effect.  The others have no reads or
  // writes.
  [[nodiscard]] bool took_effect(TxnId t) const;

  // Back to the history's ids.
  [[nodiscard]] TxnId original(TxnId t) const {
    return original_txn_.empty() ? t : original_txn_[t.index];
  }

  [[nodiscard]] KeyId original(KeyId x) const {
    return original_key_.empty() || x.is_none() ? x : original_key_[x.index];
  }

  // The history's read behind a read here.
  [[nodiscard]] ReadId original_read(std::uint32_t read) const {
    return original_read_.empty() ? ReadId{read} : original_read_[read];
  }

 private:
  ResolvedHistory() = default;

  void copy(const History& history, const Writers& writers);
  [[nodiscard]] std::vector<bool> effects_of_part(std::span<const TxnId> transactions,
                                                  std::span<const TxnId> new_txn) const;
  void index_writers();
  void view_own();
  void find_version_edges(std::span<const TxnId> new_txn, std::span<const KeyId> new_key);

  const History* history_ = nullptr;
  std::vector<std::uint32_t> chain_of_;
  std::vector<std::uint32_t> chain_first_;
  std::vector<bool> effect_;  // empty: by the history's status alone
  std::span<const Read> reads_;
  std::span<const std::uint32_t> read_offsets_;
  std::span<const KeyId> writes_;
  std::span<const std::uint32_t> write_offsets_;
  std::span<const TxnId> writers_;
  std::span<const std::uint32_t> writer_offsets_;
  std::vector<VersionEdge> version_edges_;

  // Of a copy.
  std::vector<Read> own_reads_;
  std::vector<std::uint32_t> own_read_offsets_;
  std::vector<KeyId> own_writes_;
  std::vector<std::uint32_t> own_write_offsets_;
  std::vector<TxnId> own_writers_;
  std::vector<std::uint32_t> own_writer_offsets_;
  std::vector<TxnId> original_txn_;
  std::vector<KeyId> original_key_;
  std::vector<ReadId> original_read_;
};

}  // namespace isomer::check
