// SPDX-License-Identifier: MIT
// Each session has at most one boundary.  Before it everything is as observed.  Strict: the
// session ends with the boundary, which must be a read, and that read is free to read from
// somebody else.  Relaxed: the session ends with the boundary's transaction, and all reads
// of that transaction are free.
//
// What may be used of the rest differs.  Closed: only transactions that do not happen after
// a transaction with a boundary; it might behave differently, or abort, so nobody can rely
// on what it does.  Appendix B: every read must read from a write inside the boundary.
//
// A transaction that is cut has written what it had written by then: a key that it writes
// before the cut and again behind it is written, with the earlier value.  Nobody reads that
// value.  With the rule Closed nobody reads from a transaction that is cut at all; with
// Appendix B the write that is read must be the last one of its transaction.
#include "predict/feasible.h"

#include <algorithm>

#include "logic/relation.h"

namespace isomer::predict {
namespace {

class Encoder {
 public:
  Encoder(Circuit& circuit, const Observed& observed, bool is_strict, Boundary boundary,
          const std::vector<std::vector<TxnNumber>>& readable)
      : circuit_(circuit),
        o_(observed),
        is_strict_(is_strict),
        rule_(boundary),
        readable_(readable) {}

  Feasible run() {
    const std::size_t size = o_.txns.size();
    has_boundary_.assign(size, logic::false_bit);
    is_behind_.assign(size, logic::false_bit);
    out_.boundary.resize(o_.sessions.size());
    ended_.resize(o_.sessions.size());
    if (rule_ != Boundary::None)
      for (std::size_t s = 0; s < o_.sessions.size(); ++s)
        place_boundary(s);
    encode_writes();
    encode_choices();
    if (circuit_.is_exhausted()) return std::move(out_);
    encode_taking_part();
    restrict_choices();
    restrict_to_those_in();
    return std::move(out_);
  }

 private:
  void place_boundary(std::size_t session) {
    std::vector<BoundaryPlace>& places = out_.boundary[session];
    for (const TxnNumber txn : o_.sessions[session]) {
      for (const auto& [position, op] : o_.txns[txn].cuts)
        places.push_back({txn, position, op, circuit_.variable()});
      for (std::uint32_t r = o_.txns[txn].first_read; r < o_.txns[txn].read_end; ++r)
        places.push_back({txn, o_.reads[r].position, o_.reads[r].op, circuit_.variable()});
    }
    for (const BoundaryPlace& place : places)
      out_.free.push_back(place.bit);
    std::ranges::sort(places, {}, &BoundaryPlace::position);
    // Relaxed: one place a transaction says all there is to say.
    if (!is_strict_) {
      const auto rest = std::ranges::unique(places, {}, &BoundaryPlace::txn);
      places.erase(rest.begin(), rest.end());
    }
    // At most one.
    Bit so_far = logic::false_bit;
    for (const BoundaryPlace& place : places) {
      ended_[session].push_back(so_far);
      out_.facts.push_back(circuit_.either(~place.bit, ~so_far));
      so_far = circuit_.either(so_far, place.bit);
      has_boundary_[place.txn] = circuit_.either(has_boundary_[place.txn], place.bit);
    }
    ended_[session].push_back(so_far);
    for (const TxnNumber txn : o_.sessions[session])
      is_behind_[txn] = ended_[session][first_place(
          session, [&](const BoundaryPlace& place) { return place.txn < txn; })];
  }

  // How many places are before: `is_before` holds for a first part of them.
  template <class Predicate>
  std::size_t first_place(std::size_t session, Predicate is_before) const {
    const std::vector<BoundaryPlace>& places = out_.boundary[session];
    return static_cast<std::size_t>(std::ranges::partition_point(places, is_before) -
                                    places.begin());
  }

  // Does the session end before this position of the transaction?
  Bit ends_before(TxnNumber txn, std::uint32_t position) {
    if (txn == 0 || rule_ == Boundary::None) return logic::false_bit;
    if (!is_strict_) return is_behind_[txn];
    const std::size_t session = o_.txns[txn].session;
    return ended_[session][first_place(
        session, [&](const BoundaryPlace& place) { return place.position < position; })];
  }

  Bit is_free(const ObservedRead& read) {
    if (rule_ == Boundary::None) return logic::true_bit;
    if (!is_strict_) return has_boundary_[read.reader];
    const std::size_t session = o_.txns[read.reader].session;
    return out_
        .boundary[session][first_place(
            session,
            [&](const BoundaryPlace& place) { return place.position < read.position; })]
        .bit;
  }

  void encode_writes() {
    out_.writes.resize(o_.txns.size());
    for (TxnNumber txn = 0; txn < o_.txns.size(); ++txn)
      for (const ObservedWrite& write : o_.txns[txn].writes)
        out_.writes[txn].push_back(~ends_before(txn, write.first));
  }

  // Its last write of the key is inside the boundary.
  Bit can_be_read(TxnNumber txn, KeyNumber key) {
    return circuit_.both(out_.is_in[txn],
                         ~ends_before(txn, o_.txns[txn].find_write(key)->last));
  }

  // For each read that is there, one writer.
  void encode_choices() {
    for (std::size_t r = 0; r < o_.reads.size() && !circuit_.is_exhausted(); ++r) {
      const ObservedRead& read = o_.reads[r];
      const Bit is_there = ~ends_before(read.reader, read.position);
      const Bit may_change = is_free(read);
      std::vector<Choice>& choices = out_.reads_from.emplace_back();
      Bit other = logic::false_bit;
      for (const TxnNumber writer : readable_[r]) {
        out_.free.push_back(circuit_.variable());
        const Bit chosen = circuit_.both(out_.free.back(), may_change);
        out_.facts.push_back(circuit_.implies(chosen, ~other));
        out_.facts.push_back(circuit_.implies(chosen, is_there));
        other = circuit_.either(other, chosen);
        choices.push_back({writer, chosen});
      }
      choices.push_back({read.writer, circuit_.both(is_there, ~other)});
      out_.read_is_in.push_back(is_there);
      out_.changed.push_back(other);
    }
  }

  // A transaction is out if it happens after one with a boundary.
  void encode_taking_part() {
    const std::size_t size = o_.txns.size();
    out_.is_in.assign(size, logic::true_bit);
    if (rule_ != Boundary::Closed) {
      for (TxnNumber txn = 1; txn < size; ++txn)
        out_.is_in[txn] = ~is_behind_[txn];
      return;
    }
    // Reads that change are restricted to writers that are in and have no boundary, so
    // this has no cycle through them.
    for (TxnNumber txn = 1; txn < size; ++txn)
      out_.is_in[txn] = circuit_.variable();
    for (TxnNumber txn = 1; txn < size; ++txn) {
      std::vector<Bit> reliable{is_reliable(o_.txns[txn].previous)};
      for (std::uint32_t r = o_.txns[txn].first_read; r < o_.txns[txn].read_end; ++r)
        for (const Choice& choice : out_.reads_from[r])
          reliable.push_back(circuit_.implies(choice.bit, is_reliable(choice.writer)));
      out_.facts.push_back(circuit_.same(out_.is_in[txn], circuit_.all(reliable)));
    }
  }

  Bit is_reliable(TxnNumber txn) {
    return circuit_.both(out_.is_in[txn], ~has_boundary_[txn]);
  }

  void restrict_choices() {
    for (std::size_t r = 0; r < o_.reads.size(); ++r)
      for (const Choice& choice : out_.reads_from[r]) {
        const bool is_change = choice.writer != o_.reads[r].writer;
        if (rule_ == Boundary::Closed && is_change)
          out_.facts.push_back(circuit_.implies(choice.bit, is_reliable(choice.writer)));
        else if (rule_ == Boundary::AppendixB)
          out_.facts.push_back(
              circuit_.implies(choice.bit, can_be_read(choice.writer, o_.reads[r].key)));
      }
    if (rule_ != Boundary::Closed) forbid_cycles();
  }

  // Nobody reads from the future.
  void forbid_cycles() {
    const std::size_t size = o_.txns.size();
    logic::Relation happens(size, size, logic::false_bit);
    for (TxnNumber txn = 1; txn < size; ++txn)
      happens(o_.txns[txn].previous, txn) = logic::true_bit;
    for (std::size_t r = 0; r < o_.reads.size(); ++r)
      for (const Choice& choice : out_.reads_from[r]) {
        Bit& cell = happens(choice.writer, o_.reads[r].reader);
        cell = circuit_.either(cell, choice.bit);
      }
    out_.facts.push_back(logic::acyclic(circuit_, happens));
  }

  void restrict_to_those_in() {
    for (std::size_t r = 0; r < o_.reads.size(); ++r) {
      const Bit is_in = out_.is_in[o_.reads[r].reader];
      for (Choice& choice : out_.reads_from[r])
        choice.bit = circuit_.both(choice.bit, is_in);
      out_.read_is_in[r] = circuit_.both(out_.read_is_in[r], is_in);
      out_.changed[r] = circuit_.both(out_.changed[r], is_in);
    }
    for (TxnNumber txn = 1; txn < o_.txns.size(); ++txn)
      for (Bit& bit : out_.writes[txn])
        bit = circuit_.both(bit, out_.is_in[txn]);
  }

  Circuit& circuit_;
  const Observed& o_;
  bool is_strict_;
  Boundary rule_;
  const std::vector<std::vector<TxnNumber>>& readable_;
  std::vector<Bit> has_boundary_;        // by transaction
  std::vector<std::vector<Bit>> ended_;  // by session, then place: is one before it true
  std::vector<Bit> is_behind_;  // by transaction: after the boundary of its session
  Feasible out_;
};

}  // namespace

Bit Feasible::is_writer(const Observed& observed, TxnNumber txn, KeyNumber key) const {
  const ObservedWrite* write = observed.txns[txn].find_write(key);
  if (write == nullptr) return logic::false_bit;
  return writes[txn][static_cast<std::size_t>(write - observed.txns[txn].writes.data())];
}

Feasible encode_feasible(Circuit& circuit, const Observed& observed, bool is_strict,
                         Boundary boundary,
                         const std::vector<std::vector<TxnNumber>>& readable) {
  return Encoder(circuit, observed, is_strict, boundary, readable).run();
}

}  // namespace isomer::predict
