// SPDX-License-Identifier: MIT
#include "store/script.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digraph.h"

namespace isomer::store {
namespace {

using history::History;
using history::SessionId;
using history::TxnId;

std::optional<std::uint32_t> session_named(const program::Program& program,
                                           const std::string& name) {
  const auto found = std::ranges::find(program.sessions, name, &program::Session::name);
  if (found == program.sessions.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - program.sessions.begin());
}

std::optional<std::vector<std::uint32_t>> order_of(const History& history) {
  std::vector<Arc> arcs;
  for (std::uint32_t t = 1; t < history.txn_count(); ++t) {
    if (t + 1 < history.txn_count() && history.so({t}, {t + 1})) arcs.push_back({t, t + 1});
    for (const history::Read& read : history.reads({t}))
      if (!read.writer.is_none()) arcs.push_back({read.writer.index, t});
  }
  return topological_order(Digraph(history.txn_count(), arcs));
}

}  // namespace

Script make_script(const program::Program& program, const History& history) {
  Script script;
  std::vector<std::optional<Place>> places(history.txn_count());
  script.reads.resize(program.sessions.size());
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    const std::optional<std::uint32_t> session =
        session_named(program, history.session_name({s}));
    const std::uint32_t first = history.first_txn({s}).index;
    const std::uint32_t count = history.end_txn({s}).index - first;
    if (!session) {
      script.problem =
          fmt::format("the program has no session '{}'", history.session_name({s}));
      return script;
    }
    if (count > program.sessions[*session].calls.size()) {
      script.problem = fmt::format(
          "session '{}' of the script has {} transactions, that of "
          "the program only {}",
          history.session_name({s}), count, program.sessions[*session].calls.size());
      return script;
    }
    script.reads[*session].resize(count);
    for (std::uint32_t i = 0; i < count; ++i)
      places[first + i] = Place{*session, i};
  }
  for (std::uint32_t t = 1; t < history.txn_count(); ++t)
    for (const history::Read& read : history.reads({t})) {
      if (read.writer.is_none()) {
        script.problem = fmt::format("it is not clear whom {} reads {} from",
                                     history.txn_name({t}), history.key_name(read.key));
        return script;
      }
      script.reads[places[t]->first][places[t]->second].push_back(
          {history.key_name(read.key), places[read.writer.index]});
    }
  const auto order = order_of(history);
  if (!order) {
    script.problem = "its transactions read from each other in a circle";
    return script;
  }
  for (const std::uint32_t t : *order)
    if (places[t]) script.order.push_back(*places[t]);
  return script;
}

}  // namespace isomer::store
