// SPDX-License-Identifier: MIT
// The last word on every answer.
//
// A witness is replayed: it must be an order of exactly the transactions that took effect,
// contain so, wr and what is known of the order of versions, and satisfy the axioms of the
// level instance by instance (evidence.h).
//
// Evidence for a violation is a bad read, a cycle, a set of transactions, or several of
// these.  The read is found again in the raw operations; each edge of the cycle is derived
// again; and if the transactions are few, every order of them is tried.  A set of many
// transactions without a cycle cannot be checked here, and is let pass.
#include "check/certify/certify.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/certify/evidence.h"
#include "check/exhaustive.h"
#include "check/generic/generic.h"
#include "check/uncertified.h"

namespace isomer::check {
namespace {

using history::SessionId;
using history::Status;

// Of the search for an order; about a second.
constexpr std::uint64_t steps_max = 300'000;

// The checkers decide what searches find at once; this is only to be safe.
constexpr double judging_seconds = 30;
constexpr double judging_seconds_at_the_end = 0.5;  // of the time given, or after Ctrl-C

// --- witnesses ---

// Fills in who wrote what each read returned: known, or chosen by the witness.
Failure resolve_reads(const Consistent& witness, SettledHistory& ordered) {
  const History& h = ordered.history;
  ordered.writers.reserve(h.all_reads().size());
  for (const history::Read& read : h.all_reads())
    ordered.writers.push_back(read.writer);
  const auto ambiguous = h.ambiguous_reads();
  for (const Choice& choice : witness.choices) {
    const auto at = std::lower_bound(ambiguous.begin(), ambiguous.end(), choice.read);
    if (at == ambiguous.end() || *at != choice.read) return "a choice for no open read";
    const auto all = h.candidates(static_cast<std::size_t>(at - ambiguous.begin()));
    if (std::find(all.begin(), all.end(), choice.writer) == all.end())
      return "a choice of a transaction that did not write the value";
    if (!ordered.writers[choice.read.index].is_none()) return "two choices for one read";
    ordered.writers[choice.read.index] = choice.writer;
  }
  const auto open =
      std::find(ordered.writers.begin(), ordered.writers.end(), TxnId::none());
  if (open != ordered.writers.end()) return "a read without a writer";
  return std::nullopt;
}

// Committed, or of unknown outcome and seen: by a read, or in a list.
std::vector<bool> effective(const SettledHistory& ordered) {
  const History& h = ordered.history;
  std::vector<bool> is_effective(h.txn_count(), false);
  for (TxnId t{0}; t.index < h.txn_count(); ++t.index)
    if (h.status(t) == Status::Committed) is_effective[t.index] = true;
  is_effective[init.index] = true;
  for (const TxnId t : ordered.writers)
    is_effective[t.index] = true;
  for (KeyId x{0}; x.index < h.key_count(); ++x.index)
    for (const TxnId t : h.version_order(x))
      is_effective[t.index] = true;
  return is_effective;
}

Failure place(const Consistent& witness, SettledHistory& ordered) {
  const History& h = ordered.history;
  if (witness.commit_order.empty() || witness.commit_order.front() != init)
    return "the order does not begin with the initial transaction";
  const std::vector<bool> is_effective = effective(ordered);
  ordered.order = witness.commit_order;
  ordered.positions.assign(h.txn_count(), SettledHistory::not_placed);
  for (std::uint32_t p = 0; p < ordered.order.size(); ++p) {
    const TxnId t = ordered.order[p];
    if (t.index >= h.txn_count()) return "the order names a transaction that is not there";
    if (!is_effective[t.index])
      return fmt::format("{} took no effect, but is in the order", h.txn_name(t));
    if (ordered.took_effect(t))
      return fmt::format("{} is twice in the order", h.txn_name(t));
    ordered.positions[t.index] = p;
  }
  for (TxnId t{0}; t.index < h.txn_count(); ++t.index)
    if (is_effective[t.index] && !ordered.took_effect(t))
      return fmt::format("{} is not in the order", h.txn_name(t));
  return std::nullopt;
}

Failure out_of_order(const History& h, TxnId first, TxnId second, std::string_view why) {
  return fmt::format("{} comes before {} by {}, but not in the order", h.txn_name(first),
                     h.txn_name(second), why);
}

// so | wr in co.
Failure misplaced_session_or_read(const SettledHistory& ordered) {
  const History& h = ordered.history;
  for (SessionId s{0}; s.index < h.session_count(); ++s.index) {
    TxnId last = init;
    for (TxnId t = h.first_txn(s); t < h.end_txn(s); ++t.index) {
      if (!ordered.took_effect(t)) continue;
      if (ordered.position(t) < ordered.position(last))
        return out_of_order(h, last, t, "so");
      last = t;
    }
  }
  for (TxnId t{0}; t.index < h.txn_count(); ++t.index)
    for (std::uint32_t r = h.read_offsets()[t.index]; r < h.read_offsets()[t.index + 1];
         ++r) {
      const TxnId writer = ordered.writers[r];
      if (ordered.position(writer) >= ordered.position(t))
        return out_of_order(h, writer, t, "wr");
    }
  return std::nullopt;
}

// What lists revealed of the order of versions is in co; other writers come after it.
Failure misplaced_version(const SettledHistory& ordered) {
  const History& h = ordered.history;
  for (KeyId x{0}; x.index < h.key_count(); ++x.index) {
    const auto versions = h.version_order(x);
    if (versions.empty()) continue;
    TxnId last = init;
    std::vector<TxnId> known(versions.begin(), versions.end());
    for (const TxnId t : versions) {
      if (ordered.position(t) <= ordered.position(last))
        return out_of_order(h, last, t, "the order of versions");
      last = t;
    }
    std::sort(known.begin(), known.end());
    for (const TxnId t : h.writers(x))
      if (ordered.took_effect(t) && !std::binary_search(known.begin(), known.end(), t) &&
          ordered.position(t) < ordered.position(last))
        return out_of_order(h, last, t, "the order of versions");
  }
  return std::nullopt;
}

// --- violations ---

Failure unnamed(const History& h, const std::vector<TxnId>& named,
                const std::vector<Edge>& edges) {
  for (const Edge& e : edges) {
    for (const TxnId t : {e.from, e.to, e.via})
      if (!t.is_none() && t != init &&
          std::find(named.begin(), named.end(), t) == named.end())
        return fmt::format("{} is in the cycle, but not among the transactions",
                           h.txn_name(t));
    if (auto failure = unnamed(h, named, e.because)) return failure;
  }
  return std::nullopt;
}

// Every order of the named transactions fails; and, if they are said to be minimal, some
// order succeeds when any one is left out.
Failure refute_core(const History& h, Level level, const Violated& violation) {
  std::vector<TxnId> named = violation.transactions;
  std::erase(named, init);
  if (named.size() + 1 > exhaustive_txns_max) return std::nullopt;
  const SmallHistory core = restriction(h, named, UnknownOutcomes::SeenByAnybody);
  if (exists_order(core, level, steps_max) == std::optional(true))
    return fmt::format("some order of the transactions satisfies {}", info(level).name);
  if (!violation.is_minimal) return std::nullopt;
  for (const TxnId t : named) {
    std::vector<TxnId> rest = named;
    std::erase(rest, t);
    const SmallHistory less = restriction(h, rest, UnknownOutcomes::SeenByNamedOnes);
    if (exists_order(less, level, steps_max) == std::optional(false))
      return fmt::format("not minimal: {} can be left out", h.txn_name(t));
  }
  return std::nullopt;
}

// --- claims ---

bool has(const std::vector<AskedLevel>& levels, const AskedLevel& level) {
  return std::find(levels.begin(), levels.end(), level) != levels.end();
}

std::vector<AskedLevel> levels_of(const Claims& claims) {
  std::vector<AskedLevel> out;
  for (const auto* levels : {&claims.also_asked, &claims.allowed_by, &claims.forbidden_by})
    for (const AskedLevel& level : *levels)
      if (!has(out, level)) out.push_back(level);
  return out;
}

Failure contradicted(const Claims& claims, const Certified<Result>& answers) {
  for (const LevelResult& answer : answers->levels) {
    if (has(claims.allowed_by, answer.level) &&
        std::holds_alternative<Violated>(answer.verdict))
      return fmt::format(
          "the search says that {} allows a history, its checker that it does not",
          answer.level.name);
    if (has(claims.forbidden_by, answer.level) &&
        std::holds_alternative<Consistent>(answer.verdict))
      return fmt::format(
          "the search says that {} forbids a history, its checker that it does not",
          answer.level.name);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> refute(const History& history, const AskedLevel& level,
                                  const Consistent& witness) {
  if (!level.built_in) return refute_text(history, *level.definition, witness);
  if (!history.problems().empty())
    return "the history has a read that no built-in level allows";
  SettledHistory ordered{history, {}, {}, {}};
  if (auto failure = resolve_reads(witness, ordered)) return failure;
  if (auto failure = place(witness, ordered)) return failure;
  if (auto failure = misplaced_session_or_read(ordered)) return failure;
  if (auto failure = misplaced_version(ordered)) return failure;
  return failing_axiom(ordered, *level.built_in);
}

std::optional<std::string> refute(const History& history, const AskedLevel& level,
                                  const Violated& violation) {
  if (!level.built_in) return refute_text(history, *level.definition, violation);
  if (violation.problem) return refute_problem(history, *violation.problem);
  for (const TxnId t : violation.transactions) {
    if (t.index >= history.txn_count()) return "the violation names no transaction";
    if (history.status(t) == Status::Aborted)
      return fmt::format("{} aborted, but is among the transactions", history.txn_name(t));
  }
  if (violation.transactions.empty() && violation.cycle.empty()) return "no evidence";
  if (!violation.cycle.empty()) {
    if (auto failure = refute_cycle(history, *level.built_in, violation.cycle))
      return failure;
    if (auto failure = unnamed(history, violation.transactions, violation.cycle))
      return failure;
  }
  return refute_core(history, *level.built_in, violation);
}

std::optional<std::string> refute(const History& history, const LevelResult& result) {
  std::optional<std::string> why;
  if (const auto* consistent = std::get_if<Consistent>(&result.verdict))
    why = refute(history, result.level, *consistent);
  if (const auto* violated = std::get_if<Violated>(&result.verdict))
    why = refute(history, result.level, *violated);
  if (!why) return std::nullopt;
  return fmt::format("the answer for {} is wrong: {}", result.level.name, *why);
}

tl::expected<Certified<Result>, std::string> certify(const History& history,
                                                     Result answers) {
  for (const auto* some : {&answers.levels, &answers.library})
    for (const LevelResult& answer : *some) {
      const bool is_taken_on_trust = std::holds_alternative<Consistent>(answer.verdict) &&
                                     !answers.has_certified_witnesses;
      if (is_taken_on_trust) continue;
      if (auto why = refute(history, answer)) return tl::unexpected(std::move(*why));
    }
  return Certified<Result>(std::move(answers));
}

tl::expected<Certified<Result>, std::string> judge(const History& history,
                                                   const Claims& claims,
                                                   const Budget& budget) {
  const Budget judging = budget.is_exhausted()
                             ? budget.last_moment(judging_seconds_at_the_end)
                             : budget.within(judging_seconds);
  auto answers = certify(history, uncertified_answers(history, {.levels = levels_of(claims),
                                                                .budget = judging}));
  if (!answers) return answers;
  if (auto why = contradicted(claims, *answers)) return tl::unexpected(std::move(*why));
  return answers;
}

}  // namespace isomer::check
