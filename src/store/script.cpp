// SPDX-License-Identifier: MIT
#include "store/script.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/digraph.h"

namespace isomer::store {
namespace {

using history::History;
using history::SessionId;
using history::TxnId;

struct KnownRead {
  history::KeyId key;
  TxnId writer;  // none(): nobody can tell
};

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

// The external reads of a transaction.  A history does not say whom aborted transactions
// read from, but their values do.
std::vector<KnownRead> reads_of(const History& history, TxnId t) {
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

class ScriptMaker {
 public:
  ScriptMaker(const program::Program& program, const History& history)
      : program_(program), history_(history), places_(history.txn_count()) {}

  Script make() {
    script_.reads.resize(program_.sessions.size());
    script_.is_committed.resize(program_.sessions.size());
    if (place_transactions() && add_reads()) add_order();
    return std::move(script_);
  }

 private:
  bool fail(std::string problem) {
    script_.problem = std::move(problem);
    return false;
  }

  [[nodiscard]] std::optional<std::uint32_t> session_named(const std::string& name) const {
    const auto found = std::ranges::find(program_.sessions, name, &program::Session::name);
    if (found == program_.sessions.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - program_.sessions.begin());
  }

  [[nodiscard]] bool has_known_names() const {
    for (SessionId s{0}; s.index < history_.session_count(); ++s.index)
      if (session_named(history_.session_name(s))) return true;
    return false;
  }

  bool place_transactions() {
    const bool by_name = has_known_names();
    for (SessionId s{0}; s.index < history_.session_count(); ++s.index) {
      const std::string name = history_.session_name(s);
      const std::optional<std::uint32_t> session =
          by_name ? session_named(name) : std::optional(s.index);
      if (!session || *session >= program_.sessions.size())
        return fail(fmt::format("the program has no session '{}'", name));
      const std::size_t calls = program_.sessions[*session].calls.size();
      const std::uint32_t first = history_.first_txn(s).index;
      const std::uint32_t count = history_.end_txn(s).index - first;
      if (count > calls)
        return fail(fmt::format(
            "session '{}' of the script has {} transactions, that of the program only {}",
            name, count, calls));
      for (std::uint32_t i = 0; i < count; ++i) {
        places_[first + i] = Place{*session, i};
        script_.is_committed[*session].push_back(history_.status({first + i}) !=
                                                 history::Status::Aborted);
      }
      script_.reads[*session].resize(count);
    }
    return true;
  }

  bool add_reads() {
    for (TxnId t{1}; t.index < history_.txn_count(); ++t.index)
      for (const KnownRead& read : reads_of(history_, t)) {
        if (read.writer.is_none())
          return fail(fmt::format("it is not clear whom {} reads {} from",
                                  history_.txn_name(t), history_.key_name(read.key)));
        const auto [session, index] = *places_[t.index];
        script_.reads[session][index].push_back(
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

  const program::Program& program_;
  const History& history_;
  std::vector<std::optional<Place>> places_;  // by transaction
  std::vector<Arc> arcs_;
  Script script_;
};

}  // namespace

Script make_script(const program::Program& program, const History& history) {
  return ScriptMaker(program, history).make();
}

}  // namespace isomer::store
