// SPDX-License-Identifier: MIT
// Explore, make the failure small, certify it.
#include "explore/explore.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "check/certify/certify.h"
#include "explore/exploration.h"
#include "history/builder.h"

namespace isomer::explore {
namespace {

using check::AskedLevel;
using check::Certified;
using history::History;
using history::HistoryBuilder;
using history::KeyId;
using history::SessionId;
using history::Status;
using history::TxnId;

constexpr std::pair<Base, std::string_view> bases[] = {
    {Base::True, "true"}, {Base::RC, "RC"}, {Base::RA, "RA"}, {Base::CC, "CC"}};

// --- certified ---

// Copies a history; aborted transactions become committed ones that only read.
class Copy {
 public:
  explicit Copy(const History& from) : from_(from) {}

  History history() {
    for (KeyId x{0}; x.index < from_.key_count(); ++x.index)
      builder_.key(from_.key_name(x));
    if (const auto initial = from_.default_initial_value())
      builder_.set_initial(value(*initial));
    for (KeyId x{0}; x.index < from_.key_count(); ++x.index)
      if (const auto initial = from_.initial_value(x);
          initial && initial != from_.default_initial_value())
        builder_.set_initial(x, value(*initial));
    for (SessionId s{0}; s.index < from_.session_count(); ++s.index) {
      const SessionId session = builder_.session(from_.session_name(s));
      for (TxnId t = from_.first_txn(s); t < from_.end_txn(s); ++t.index)
        add(session, t);
    }
    return builder_.build();
  }

 private:
  void add(SessionId session, TxnId t) {
    const HistoryBuilder::Token token = builder_.begin(session);
    if (from_.has_own_name(t)) builder_.set_name(token, from_.txn_name(t));
    std::uint32_t place = from_.first_op(t);
    for (const history::Operation& op : from_.operations(t)) {
      const std::string_view at = from_.place(place++);
      const bool is_read = op.kind == history::OpKind::Read;
      if (!is_read && from_.status(t) != Status::Committed) continue;
      if (is_read)
        builder_.read(token, op.key, value(op.value()));
      else
        builder_.write(token, op.key, value(op.value()));
      if (!at.empty()) builder_.set_place(at);
    }
  }

  history::Value value(history::Value from) {
    return from.kind == history::ValueKind::String
               ? builder_.string_value(from_.string(from))
               : from;
  }

  const History& from_;
  HistoryBuilder builder_;
};

History as_judged(const History& history) {
  for (TxnId t{1}; t.index < history.txn_count(); ++t.index)
    if (history.status(t) != Status::Committed) return Copy(history).history();
  return history;
}

// What the search says of serializability, held against the history that it says it of.
std::string serial_contradiction(const Failure& failure, const Budget& budget) {
  const std::vector<AskedLevel> ser{check::Level::SER};
  const bool is_about_judged = failure.kind == FailureKind::Assert;
  const auto judgement = check::judge(
      is_about_judged ? failure.judged : failure.history,
      {.allowed_by = failure.is_serializable ? ser : std::vector<AskedLevel>{},
       .forbidden_by = failure.is_serializable ? std::vector<AskedLevel>{} : ser},
      budget);
  return judgement ? std::string() : judgement.error();
}

// --- made small ---
//
// First calls are left out one by one, as long as the failure stays.  That gives a small
// set, but perhaps not a smallest one; so then all smaller sets are tried, the smallest
// first.  Most take no time, since few transactions have few histories.

using Calls = std::vector<bool>;  // by transaction from 1, session by session: is it kept

constexpr double seconds_max = 10;
constexpr std::size_t exhaustive_calls_max = 16;

void labels_in(const program::Expression& expression, std::set<std::string>& out) {
  if (expression.kind == program::Expression::Kind::FinalLocal)
    out.insert(expression.label);
  for (const program::ExpressionPtr& argument : expression.arguments)
    labels_in(*argument, out);
}

class Minimiser {
 public:
  Minimiser(const Program& program, const Options& options, Failure failure)
      : program_(program), options_(options), best_(std::move(failure)) {
    options_.minimise = false;
    options_.on_history = {};
    options_.on_progress = {};
    options_.jobs = 1;
    options_.budget = options.budget.within(seconds_max);
    if (best_.kind == FailureKind::Unserializable) {
      options_.find = Find::Unserializable;
    } else {
      options_.find = Find::Failing;
      target_.wanted.kind = best_.kind;
      target_.wanted.name = best_.kind == FailureKind::Assert ? best_.message : best_.name;
      target_.is_unserializable = !best_.is_serializable;
    }
  }

  Failure run() && {
    find_needed();
    kept_.assign(needed_.size(), true);
    leave_out_one_by_one();
    if (kept_.size() <= exhaustive_calls_max) try_smaller_sets();
    best_.dropped = static_cast<std::uint32_t>(std::ranges::count(kept_, false));
    return std::move(best_);
  }

 private:
  // An assert over the locals of a transaction needs that transaction.
  void find_needed() {
    std::set<std::string> labels;
    for (const program::Invariant& invariant : program_.invariants)
      if (invariant.assert && invariant.name == best_.name)
        labels_in(*invariant.assert, labels);
    for (const program::Session& session : program_.sessions)
      for (const program::Call& call : session.calls)
        needed_.push_back(labels.contains(program_.types[call.type].name));
  }

  [[nodiscard]] Program with(const Calls& kept) const {
    Program out = program_;
    std::size_t index = 0;
    for (program::Session& session : out.sessions)
      std::erase_if(session.calls, [&](const program::Call&) { return !kept[index++]; });
    std::erase_if(out.sessions,
                  [](const program::Session& session) { return session.calls.empty(); });
    return out;
  }

  // Outcomes speak of the calls of the whole program.
  void restore_places(const Calls& kept, Failure& failure) const {
    using Place = std::pair<std::uint32_t, std::uint32_t>;
    std::vector<std::vector<Place>> left;
    std::size_t call = 0;
    for (std::uint32_t s = 0; s < program_.sessions.size(); ++s) {
      std::vector<Place> of_session;
      for (std::uint32_t i = 0; i < program_.sessions[s].calls.size(); ++i)
        if (kept[call++]) of_session.emplace_back(s, i);
      if (!of_session.empty()) left.push_back(std::move(of_session));
    }
    for (store::TransactionOutcome& outcome : failure.transactions)
      std::tie(outcome.session, outcome.index) = left[outcome.session][outcome.index];
  }

  bool fails(const Calls& kept) {
    const Program smaller = with(kept);
    Exploration found = explore_once(smaller, options_, target_);
    if (!found.failure) return false;
    best_ = std::move(*found.failure);
    restore_places(kept, best_);
    kept_ = kept;
    return true;
  }

  void leave_out_one_by_one() {
    for (bool is_smaller = true; is_smaller;) {
      is_smaller = false;
      for (std::size_t i = kept_.size(); i-- > 0;) {
        if (!kept_[i] || needed_[i]) continue;
        Calls fewer = kept_;
        fewer[i] = false;
        if (options_.budget.is_exhausted()) return;
        is_smaller |= fails(fewer);
      }
    }
  }

  void try_smaller_sets() {
    const auto kept_count = static_cast<std::size_t>(std::ranges::count(kept_, true));
    for (std::size_t size = 1; size + 1 < kept_count; ++size) {
      Calls chosen(kept_.size(), false);
      std::fill(chosen.end() - static_cast<std::ptrdiff_t>(size), chosen.end(), true);
      do {
        if (options_.budget.is_exhausted()) return;
        if (has_needed(chosen) && fails(chosen)) return;
      } while (std::next_permutation(chosen.begin(), chosen.end()));
    }
  }

  [[nodiscard]] bool has_needed(const Calls& chosen) const {
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (needed_[i] && !chosen[i]) return false;
    return true;
  }

  const Program& program_;
  Options options_;
  Target target_;
  Failure best_;
  Calls needed_;
  Calls kept_;
};

// A failure of the same kind and name (and unserializable, if this one is) of the program
// with as few calls as possible; this one, if none can be left out.
Failure minimised(const Program& program, const Options& options, Failure failure) {
  return Minimiser(program, options, std::move(failure)).run();
}

}  // namespace

std::string_view name(Base base) {
  return bases[static_cast<std::size_t>(base)].second;
}

std::optional<Base> base_named(std::string_view name) {
  for (const auto& [base, base_name] : bases)
    if (base_name == name) return base;
  return std::nullopt;
}

Result explore(const Program& program, const Options& options) {
  auto [result, failure] = explore_once(program, options, {});
  if (failure && options.minimise)
    failure = minimised(program, options, std::move(*failure));
  if (failure)
    result.failure = check::or_contradiction(
        certify(std::move(*failure), options.level, options.budget));
  return result;
}

tl::expected<Certified<Failure>, std::string> certify(
    Failure failure, const std::optional<AskedLevel>& level, const Budget& budget) {
  failure.judged = as_judged(failure.history);
  if (std::string why = serial_contradiction(failure, budget); !why.empty())
    return tl::unexpected(std::move(why));
  check::Claims claims{.also_asked = {check::all_levels.begin(), check::all_levels.end()}};
  if (level) claims.allowed_by = {*level};
  return check::certify(std::move(failure), &Failure::judged, claims, budget);
}
}  // namespace isomer::explore
