// SPDX-License-Identifier: MIT
#include "synth/found.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/assert.h"
#include "check/certify/certify.h"
#include "history/builder.h"
#include "level/eval.h"

namespace isomer::synth {
namespace {

using history::HistoryBuilder;
using history::KeyId;
using history::Value;

std::string key_name(std::size_t x) {
  constexpr std::string_view letters = "xyzuvwpqrs";
  return x < letters.size() ? std::string(1, letters[x]) : fmt::format("k{}", x);
}

std::string session_name(std::size_t s) {
  constexpr std::size_t letters = 26;
  return s < letters ? std::string(1, static_cast<char>('a' + s)) : fmt::format("s{}", s);
}

// Writes a searched history down: sessions are chains of so, reads come before writes, and
// the values of a key count up from the initial one in the order of its writers.
class Writer {
 public:
  explicit Writer(const HistoryTables<Truth>& tables, std::int64_t initial_value = 0)
      : tables_(tables), initial_value_(initial_value) {
    find_sessions();
    number_values();
  }

  History write() {
    HistoryBuilder builder;
    builder.set_initial(Value::integer(initial_value_));
    for (std::size_t x = 0; x < tables_.key_count(); ++x)
      if (tables_.key_exists[x] != 0) builder.key(key_name(x));
    for (std::size_t s = 0; s < sessions_.size(); ++s)
      for (const std::size_t t : sessions_[s])
        write_transaction(builder, s, t);
    return builder.build();
  }

  // By number in the search.
  [[nodiscard]] const std::vector<TxnId>& ids() const { return ids_; }

  [[nodiscard]] const std::vector<std::vector<std::size_t>>& sessions() const {
    return sessions_;
  }

  [[nodiscard]] std::uint32_t operation_count() const { return operation_count_; }

 private:
  // A transaction joins the first session whose last transaction is before it, and no other
  // transaction of which is not.  Where so is a union of chains, these are the chains.
  void find_sessions() {
    std::vector<std::size_t> order(tables_.txn_count() - 1);
    std::iota(order.begin(), order.end(), 1);
    const auto predecessors = [&](std::size_t t) {
      std::size_t count = 0;
      for (std::size_t u = 1; u < tables_.txn_count(); ++u)
        count += tables_.so(u, t);
      return count;
    };
    std::ranges::stable_sort(order, {}, predecessors);
    for (const std::size_t t : order) {
      const auto fits = [&](const std::vector<std::size_t>& session) {
        return tables_.so(session.back(), t) != 0;
      };
      const auto found = std::ranges::find_if(sessions_, fits);
      if (found == sessions_.end())
        sessions_.push_back({t});
      else
        found->push_back(t);
    }
    std::ranges::sort(sessions_, {}, [](const auto& session) { return session.front(); });
    ids_.assign(tables_.txn_count(), history::init);
    std::uint32_t next = 1;
    for (const auto& session : sessions_)
      for (const std::size_t t : session)
        ids_[t] = TxnId{next++};
  }

  void number_values() {
    for (std::size_t x = 0; x < tables_.key_count(); ++x) {
      auto& values = values_.emplace_back(tables_.txn_count(), 0);
      std::int64_t next = 1;
      for (std::size_t t = 1; t < tables_.txn_count(); ++t)
        if (tables_.writers[x][t] != 0) values[t] = given_value(x, t).value_or(next++);
    }
  }

  // The value that the search chose, if it chose values.
  [[nodiscard]] std::optional<std::int64_t> given_value(std::size_t x,
                                                        std::size_t t) const {
    if (tables_.writes.empty()) return std::nullopt;
    for (std::size_t v = 0; v < tables_.writes[x].columns(); ++v)
      if (tables_.writes[x](t, v) != 0) return static_cast<std::int64_t>(v);
    return std::nullopt;
  }

  void write_transaction(HistoryBuilder& builder, std::size_t session, std::size_t t) {
    const HistoryBuilder::Token token =
        builder.begin(builder.session(session_name(session)));
    for (const auto& [name, members] : tables_.typed)
      if (members[t] != 0)
        builder.set_name(token, fmt::format("{}({})", name, ids_[t].index));
    if (tables_.read_exists.empty())
      write_reads(builder, token, t);
    else
      write_read_events(builder, token, t);
    for (std::size_t x = 0; x < tables_.key_count(); ++x)
      if (tables_.writers[x][t] != 0) {
        builder.write(token, builder.key(key_name(x)),
                      Value::integer(initial_value_ + values_[x][t]));
        ++operation_count_;
      }
  }

  void read(HistoryBuilder& builder, HistoryBuilder::Token token, std::size_t x,
            std::size_t writer) {
    builder.read(token, builder.key(key_name(x)),
                 Value::integer(initial_value_ + values_[x][writer]));
    ++operation_count_;
  }

  void write_reads(HistoryBuilder& builder, HistoryBuilder::Token token, std::size_t t) {
    for (std::size_t x = 0; x < tables_.key_count(); ++x)
      for (std::size_t writer = 0; writer < tables_.txn_count(); ++writer)
        if (tables_.wr[x](writer, t) != 0) read(builder, token, x, writer);
  }

  void write_read_events(HistoryBuilder& builder, HistoryBuilder::Token token,
                         std::size_t t) {
    const std::size_t places = tables_.read_exists.size() / tables_.txn_count();
    for (std::size_t event = t * places; event < (t + 1) * places; ++event)
      for (std::size_t x = 0; x < tables_.key_count(); ++x)
        for (std::size_t writer = 0; writer < tables_.txn_count(); ++writer)
          if (tables_.rf[x](writer, event) != 0) read(builder, token, x, writer);
  }

  const HistoryTables<Truth>& tables_;
  std::vector<std::vector<std::size_t>> sessions_;
  const std::int64_t initial_value_;
  std::vector<std::vector<std::int64_t>> values_;  // by key, then transaction; from 0
  std::vector<TxnId> ids_;
  std::uint32_t operation_count_ = 0;
};

std::string name_of(const Level& level) {
  return level.file.empty() ? level.qualified_name()
                            : fmt::format("{}:{}", level.file, level.name);
}

ShownRelation shown(const level::Witness& witness, std::size_t key,
                    const Matrix<Truth>& table, const std::vector<TxnId>& ids) {
  ShownRelation out;
  out.name =
      witness.is_keyed ? fmt::format("{}[{}]", witness.name, key_name(key)) : witness.name;
  out.is_order = witness.is_total_order;
  std::vector<std::pair<std::size_t, TxnId>> ranked;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::size_t before = 0;
    bool is_ordered = false;
    for (std::size_t j = 0; j < table.rows(); ++j) {
      before += table(j, i);
      is_ordered |= table(i, j) != 0 || table(j, i) != 0;
      if (!out.is_order && table(i, j) != 0) out.pairs.emplace_back(ids[i], ids[j]);
    }
    if (is_ordered) ranked.emplace_back(before, ids[i]);
  }
  if (!out.is_order) return out;
  std::ranges::sort(ranked);
  for (const auto& [rank, id] : ranked)
    out.order.push_back(id);
  return out;
}

Allowed shown_execution(const level::Level& level, const HistoryTables<Truth>& tables,
                        const Execution<Truth>& execution, const std::vector<TxnId>& ids) {
  ISOMER_ASSERT(level::failing_axiom(level, tables, execution) == nullptr);
  Allowed out{.level = name_of(level), .relations = {}};
  for (std::size_t w = 0; w < execution.size(); ++w)
    for (std::size_t key = 0; key < execution[w].size(); ++key)
      if (!level.witnesses[w].is_keyed || tables.key_exists[key] != 0)
        out.relations.push_back(shown(level.witnesses[w], key, execution[w][key], ids));
  return out;
}

// Pairs of so that the sessions do not show, if there are any: then all of them.
std::vector<std::pair<TxnId, TxnId>> extra_so(const HistoryTables<Truth>& tables,
                                              const Writer& writer) {
  std::vector<std::pair<TxnId, TxnId>> all;
  for (std::size_t i = 1; i < tables.txn_count(); ++i)
    for (std::size_t j = 1; j < tables.txn_count(); ++j)
      if (tables.so(i, j) != 0) all.emplace_back(writer.ids()[i], writer.ids()[j]);
  std::size_t in_sessions = 0;
  for (const auto& session : writer.sessions())
    in_sessions += session.size() * (session.size() - 1) / 2;
  if (all.size() == in_sessions) all.clear();
  return all;
}

Scope size_of(const HistoryTables<Truth>& tables) {
  Scope size{.transactions = static_cast<std::uint32_t>(tables.txn_count() - 1)};
  for (std::size_t x = 0; x < tables.key_count(); ++x) {
    size.keys += tables.key_exists[x];
    std::uint32_t writers = 0;
    for (const Truth writes : tables.writers[x])
      writers += writes;
    size.values = std::max(size.values, writers);
  }
  const auto values = std::accumulate(tables.value_exists.begin(),
                                      tables.value_exists.end(), std::uint32_t{0});
  size.values = std::max(size.values, values);
  return size;
}

}  // namespace

std::optional<Found> make_found(const Problem& problem, const CandidateHistory& candidate,
                                std::int64_t initial_value, const Budget& budget) {
  const HistoryTables<Truth>& tables = candidate.tables;
  Writer writer(tables, initial_value);
  Found found;
  found.history = writer.write();
  found.operations = writer.operation_count();
  found.size = size_of(tables);
  found.size.initial_value = initial_value;
  found.so = extra_so(tables, writer);
  for (std::size_t i = 0; i < problem.allow.size(); ++i)
    found.allowed.push_back(shown_execution(problem.allow[i].level, tables,
                                            candidate.executions[i], writer.ids()));
  for (const level::LeastForm& form : problem.forbid) {
    const ExecutionAnswer answer = find_execution(form, tables, budget, true);
    if (std::holds_alternative<OutOfTime>(answer)) return std::nullopt;
    const auto* none = std::get_if<NoExecution>(&answer);
    ISOMER_ASSERT(none != nullptr);
    found.forbidden.push_back({name_of(form.level), none->axioms, none->is_base});
  }
  return found;
}

tl::expected<check::Certified<Found>, std::string> certify(Found found,
                                                           std::span<const Level> allow,
                                                           std::span<const Level> forbid,
                                                           const Budget& budget) {
  check::Claims claims;
  if (found.so.empty()) {
    for (const Level& level : allow)
      claims.allowed_by.emplace_back(name_of(level), level);
    for (const Level& level : forbid)
      claims.forbidden_by.emplace_back(name_of(level), level);
  }
  return check::certify(std::move(found), &Found::history, claims, budget);
}

std::optional<Written> write_history(const HistoryTables<Truth>& tables) {
  Writer writer(tables);
  if (!extra_so(tables, writer).empty()) return std::nullopt;
  History history = writer.write();
  return Written{std::move(history), writer.ids()};
}

std::string canonical_form(const HistoryTables<Truth>& tables) {
  const std::size_t size = tables.txn_count();
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::string least;
  do {
    std::string text;
    for (const std::size_t i : order)
      for (const std::size_t j : order)
        text += tables.so(i, j) != 0 ? '1' : '0';
    std::vector<std::string> columns;
    for (std::size_t x = 0; x < tables.key_count(); ++x) {
      std::string& column = columns.emplace_back();
      for (const std::size_t i : order) {
        column += tables.writers[x][i] != 0 ? '1' : '0';
        for (const std::size_t j : order)
          column += tables.wr[x](i, j) != 0 ? '1' : '0';
      }
      const std::size_t places = tables.read_exists.size() / size;
      for (const std::size_t i : order)
        for (const std::size_t j : order)
          for (std::size_t p = 0; p < places; ++p)
            column += tables.rf[x](i, j * places + p) != 0 ? '1' : '0';
    }
    std::ranges::sort(columns);
    for (const std::string& column : columns)
      text += column;
    for (const auto& [name, members] : tables.typed)
      for (const std::size_t i : order)
        text += members[i] != 0 ? '1' : '0';
    if (least.empty() || text < least) least = text;
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return least;
}

}  // namespace isomer::synth
