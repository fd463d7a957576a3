// SPDX-License-Identifier: MIT
#include "store/script.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/digraph.h"

namespace isomer::store {
namespace {

using history::History;
using history::SessionId;
using history::TxnId;

// Who wrote this value of a key, if just one may have.
TxnId writer_of(const History& history, history::KeyId key, history::Value value) {
  TxnId found = history.initial_value(key) == value ? history::init : TxnId::none();
  for (const TxnId t : history.writers(key)) {
    if (history.written_value(t, key) != value) continue;
    if (!found.is_none()) return TxnId::none();
    found = t;
  }
  return found;
}

class ScriptMaker {
 public:
  explicit ScriptMaker(const History& history)
      : history_(history), places_(history.txn_count()) {}

  Script make(const program::Program& program) {
    if (place_transactions(program) && add_reads()) add_order();
    return std::move(script_);
  }

  Script make(const ScriptedCalls& calls) {
    for (TxnId t{1}; t.index < history_.txn_count(); ++t.index)
      place(t, calls.calls[t.index]).is_cut = calls.is_cut[t.index];
    for (const auto& [place, reads] : calls.tries) {
      ScriptedTransaction& tried = script_.transactions[place];
      ISOMER_ASSERT(!tried.is_known);
      tried.is_try = true;
      tried.reads = reads;
    }
    if (add_reads()) add_order_with_tries(calls.order);
    return std::move(script_);
  }

 private:
  bool fail(std::string problem) {
    script_.problem = std::move(problem);
    return false;
  }

  ScriptedTransaction& place(TxnId t, Place place) {
    places_[t.index] = place;
    ScriptedTransaction& out = script_.transactions[place];
    out.is_known = true;
    out.is_committed = history_.status(t) != history::Status::Aborted;
    for (const history::Operation& operation : history_.operations(t))
      if (operation.kind == history::OpKind::Write)
        out.writes.insert(history_.key_name(operation.key));
    return out;
  }

  bool place_transactions(const program::Program& program) {
    const auto sessions = sessions_of(program, history_);
    if (!sessions) return fail(sessions.error());
    for (SessionId s{0}; s.index < history_.session_count(); ++s.index) {
      const std::uint32_t session = (*sessions)[s.index];
      const std::size_t calls = program.sessions[session].calls.size();
      const std::uint32_t first = history_.first_txn(s).index;
      const std::uint32_t count = history_.end_txn(s).index - first;
      if (count > calls)
        return fail(fmt::format(
            "session '{}' of the script has {} transactions, that of the program only {}",
            history_.session_name(s), count, calls));
      for (std::uint32_t i = 0; i < count; ++i)
        place({first + i}, {session, i});
    }
    return true;
  }

  bool add_reads() {
    for (TxnId t{1}; t.index < history_.txn_count(); ++t.index)
      for (const KnownRead& read : known_reads(history_, t)) {
        if (read.writer.is_none())
          return fail(fmt::format("it is not clear whom {} reads {} from",
                                  history_.txn_name(t), history_.key_name(read.key)));
        script_.transactions[*places_[t.index]].reads.push_back(
            {history_.key_name(read.key), places_[read.writer.index]});
        arcs_.push_back({read.writer.index, t.index});
      }
    return true;
  }

  bool add_order() {
    for (TxnId t{1}; t.index + 1 < history_.txn_count(); ++t.index)
      if (history_.so(t, {t.index + 1})) arcs_.push_back({t.index, t.index + 1});
    const auto order = topological_order(Digraph(history_.txn_count(), arcs_));
    if (!order) return fail("its transactions read from each other in a circle");
    for (const std::uint32_t t : *order)
      if (places_[t]) script_.order.push_back(*places_[t]);
    return true;
  }

  // Each with the calls of its session before it that the script does not have.
  void add_order_with_tries(const std::vector<TxnId>& order) {
    std::map<std::uint32_t, std::uint32_t> next;  // by session
    for (const TxnId t : order) {
      if (t == history::init) continue;
      const auto [session, index] = *places_[t.index];
      for (std::uint32_t& i = next[session]; i <= index; ++i)
        script_.order.emplace_back(session, i);
    }
  }

  const History& history_;
  std::vector<std::optional<Place>> places_;  // by transaction
  std::vector<Arc> arcs_;
  Script script_;
};

}  // namespace

std::vector<KnownRead> known_reads(const History& history, TxnId t) {
  std::vector<KnownRead> out;
  for (const history::Read& read : history.reads(t))
    out.push_back({read.key, read.writer});
  if (history.status(t) == history::Status::Committed) return out;
  std::set<history::KeyId> own;
  for (const history::Operation& operation : history.operations(t))
    if (operation.kind == history::OpKind::Write)
      own.insert(operation.key);
    else if (!own.contains(operation.key))
      out.push_back({operation.key, writer_of(history, operation.key, operation.value())});
  return out;
}

tl::expected<std::vector<std::uint32_t>, std::string> sessions_of(
    const program::Program& program, const History& history) {
  const auto named = [&](SessionId s) -> std::optional<std::uint32_t> {
    const auto found = std::ranges::find(program.sessions, history.session_name(s),
                                         &program::Session::name);
    if (found == program.sessions.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - program.sessions.begin());
  };
  bool is_named = false;
  for (SessionId s{0}; s.index < history.session_count(); ++s.index)
    is_named |= named(s).has_value();
  std::vector<std::uint32_t> out;
  for (SessionId s{0}; s.index < history.session_count(); ++s.index) {
    const std::optional<std::uint32_t> session = is_named ? named(s) : s.index;
    if (!session || *session >= program.sessions.size())
      return tl::unexpected(
          fmt::format("the program has no session '{}'", history.session_name(s)));
    out.push_back(*session);
  }
  return out;
}

Script make_script(const program::Program& program, const History& history) {
  return ScriptMaker(history).make(program);
}

Script make_script(const History& history, const ScriptedCalls& calls) {
  return ScriptMaker(history).make(calls);
}

}  // namespace isomer::store
