// SPDX-License-Identifier: MIT
#include "unit/audit/observed.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "audit/chain.h"
#include "audit/search.h"
#include "check/uncertified.h"
#include "program/machine/keys.h"
#include "verify/symbolic/cell.h"

namespace isomer::test {
namespace {

using audit::DependencyKind;
using history::History;
using history::KeyId;
using history::TxnId;

constexpr std::size_t questions_max = 12;  // for each chain of transactions

struct ObservedDependency {
  DependencyKind kind = DependencyKind::WriteRead;
  KeyId key;
  std::string from_place;  // "app.sql:12"
  std::string to_place;

  friend bool operator<(const ObservedDependency& a, const ObservedDependency& b) {
    return std::tie(a.kind, a.key, a.from_place, a.to_place) <
           std::tie(b.kind, b.key, b.from_place, b.to_place);
  }
};

// Who depends on whom, if the committed transactions have this order.
class DependencyGraph {
 public:
  DependencyGraph(const History& history, const std::vector<TxnId>& order)
      : history_(history), place_(history.txn_count(), 0) {
    for (std::size_t i = 0; i < order.size(); ++i)
      place_[order[i].index] = i + 1;
    place_[history::init.index] = 0;
    for (const TxnId t : order)
      if (t != history::init) add_transaction(t);
  }

  [[nodiscard]] std::vector<ObservedDependency> between(TxnId from, TxnId to) const {
    const auto found = edges_.find({from, to});
    if (found == edges_.end()) return {};
    return {found->second.begin(), found->second.end()};
  }

  [[nodiscard]] bool is_before(TxnId a, TxnId b) const {
    return place_[a.index] < place_[b.index];
  }

 private:
  void add_transaction(TxnId t) {
    for (const history::Read& read : history_.reads(t)) {
      if (read.writer.is_none()) continue;
      const std::string at(history_.place(read.op));
      for (const TxnId writer : history_.writers(read.key)) {
        if (writer == t) continue;
        for (const std::string& write : writes_of(writer, read.key))
          if (writer == read.writer)
            edges_[{writer, t}].insert({DependencyKind::WriteRead, read.key, write, at});
          else if (is_before(read.writer, writer))
            edges_[{t, writer}].insert({DependencyKind::ReadWrite, read.key, at, write});
      }
    }
    for (const KeyId x : history_.writes(t))
      for (const TxnId later : history_.writers(x))
        if (is_before(t, later))
          for (const std::string& first : writes_of(t, x))
            for (const std::string& second : writes_of(later, x))
              edges_[{t, later}].insert({DependencyKind::WriteWrite, x, first, second});
  }

  [[nodiscard]] std::set<std::string> writes_of(TxnId t, KeyId x) const {
    std::set<std::string> out;
    std::uint32_t op = history_.first_op(t);
    for (const history::Operation& operation : history_.operations(t)) {
      if (operation.kind == history::OpKind::Write && operation.key == x)
        out.emplace(history_.place(op));
      ++op;
    }
    return out;
  }

  const History& history_;
  std::vector<std::size_t> place_;  // by transaction, in the order
  std::map<std::pair<TxnId, TxnId>, std::set<ObservedDependency>> edges_;
};

class ChainQuestions {
 public:
  ChainQuestions(const program::Program& program, const History& history,
                 const DependencyGraph& graph, const audit::Plan& plan,
                 const audit::Options& options)
      : program_(program),
        history_(history),
        graph_(graph),
        plan_(plan),
        options_(options),
        application_(program, audit::model_of(program, plan, options), options.budget) {}

  // A path through the transactions, or the cycle that it closes to.
  void ask_about(const std::vector<TxnId>& path, bool is_cycle) {
    const std::vector<audit::Chain::Slot> slots =
        is_cycle ? audit::cycle_slots(path.size()) : audit::path_slots(path.size());
    std::vector<std::vector<ObservedDependency>> edges;
    std::size_t most = 0;
    for (const auto& [from, to] : slots) {
      edges.push_back(graph_.between(path[from], path[to]));
      if (edges.back().empty()) return;
      most = std::max(most, edges.back().size());
    }
    std::vector<std::uint32_t> types;
    for (const TxnId t : path)
      types.push_back(call_of(t).type);
    audit::Chain chain(application_, plan_, types, slots);
    for (std::size_t round = 0; round < std::min(most, questions_max); ++round) {
      std::vector<ObservedDependency> chosen;
      for (const auto& slot : edges)
        chosen.push_back(slot[round % slot.size()]);
      out.cycles += is_cycle ? 1 : 0;
      ask(chain, path, chosen);
    }
  }

  ObservedChains out;

 private:
  void ask(audit::Chain& chain, const std::vector<TxnId>& path,
           const std::vector<ObservedDependency>& chosen) {
    audit::Question question(chain, options_, effort_);
    for (std::size_t i = 0; i < path.size(); ++i) {
      question.require(has_arguments(chain, i, call_of(path[i])));
      for (std::size_t j = 0; j < path.size(); ++j)
        if (graph_.is_before(path[i], path[j]))
          question.require(chain.visibility().ar(i, j));
    }
    for (std::size_t slot = 0; slot < chosen.size(); ++slot)
      question.require(is_slot(chain, slot, chosen[slot]));
    ++out.asked;
    const logic::SatAnswer answer = question.ask();
    if (answer == logic::SatAnswer::Unknown) ++out.unknown;
    if (answer == logic::SatAnswer::Unsatisfiable && out.missed.empty())
      out.missed.push_back(described(path, chosen));
  }

  [[nodiscard]] const program::Call& call_of(TxnId t) const {
    const std::string name = history_.txn_name(t);
    for (const program::Session& session : program_.sessions)
      for (const program::Call& call : session.calls)
        if (name.starts_with(call.text)) return call;
    throw std::logic_error("no call is named " + name);
  }

  static logic::Term has_arguments(audit::Chain& chain, std::size_t i,
                                   const program::Call& call) {
    std::vector<logic::Term> parts;
    for (std::size_t p = 0; p < call.arguments.size(); ++p) {
      const verify::Cell& parameter = chain.run(i).parameters[p];
      parts.push_back(verify::identical(
          chain.terms(), parameter,
          verify::constant_cell(chain.terms(), call.arguments[p]->value, parameter.type)));
    }
    return chain.terms().all(parts);
  }

  [[nodiscard]] logic::Term is_slot(audit::Chain& chain, std::size_t slot,
                                    const ObservedDependency& edge) const {
    std::vector<logic::Term> parts;
    const std::string name = history_.key_name(edge.key);
    for (const audit::PossibleDependency& candidate : chain.possible_dependencies(slot)) {
      if (candidate.kind != edge.kind || place(*candidate.from) != edge.from_place ||
          place(*candidate.to) != edge.to_place)
        continue;
      const program::Table& table = program_.tables[candidate.table.index];
      const auto key = program::parse_row_key(table, name);
      if (!key || !is_field(candidate, table, *key, name)) continue;
      parts.push_back(chain.terms().both(
          candidate.chosen, has_key(chain, chain.record(slot, candidate.table), *key)));
    }
    return chain.terms().any(parts);
  }

  [[nodiscard]] bool is_field(const audit::PossibleDependency& candidate,
                              const program::Table& table, const program::PrimaryKey& key,
                              const std::string& name) const {
    if (options_.granularity != program::Granularity::Field) return true;
    std::size_t field = 0;
    while (field < table.columns.size() &&
           program::field_key(table, key, table.columns[field].name) != name)
      ++field;
    return candidate.field_class == application_.classes().class_of(candidate.table, field);
  }

  [[nodiscard]] logic::Term has_key(audit::Chain& chain, const audit::Record& record,
                                    const program::PrimaryKey& key) const {
    const program::Table& table = program_.tables[record.table.index];
    std::vector<logic::Term> parts;
    for (std::size_t i = 0; i < key.size(); ++i) {
      const program::Type& type = table.columns[table.primary_key[i].index].type;
      parts.push_back(chain.terms().same(
          record.key[i], verify::constant_cell(chain.terms(), key[i], type).data));
    }
    return chain.terms().all(parts);
  }

  [[nodiscard]] std::string place(const audit::Event& event) const {
    const auto [file, at] = program::place_of(program_, event.statement->at.first);
    return fmt::format("{}:{}", file, at.line);
  }

  [[nodiscard]] std::string described(const std::vector<TxnId>& path,
                                      const std::vector<ObservedDependency>& chosen) const {
    std::string text = "no solution has\n";
    for (std::size_t i = 0; i < chosen.size(); ++i)
      text += fmt::format("{} {}({}) {} at {} and {}\n", history_.txn_name(path[i]),
                          name(chosen[i].kind), history_.key_name(chosen[i].key),
                          history_.txn_name(path[(i + 1) % path.size()]),
                          chosen[i].from_place, chosen[i].to_place);
    return text;
  }

  const program::Program& program_;
  const History& history_;
  const DependencyGraph& graph_;
  const audit::Plan& plan_;
  const audit::Options& options_;
  audit::Application application_;
  audit::Effort effort_;
};

}  // namespace

ObservedChains missed_chains(const program::Program& program, const History& history,
                             const check::AskedLevel& level, const audit::Plan& plan,
                             const audit::Options& options) {
  const check::Result checked = check::uncertified_answers(
      history, {.levels = {level}, .budget = Budget(2), .explain = false});
  const auto* witness = std::get_if<check::Consistent>(&checked.levels.front().verdict);
  if (witness == nullptr) return {};
  std::vector<TxnId> order;
  for (const TxnId t : witness->commit_order)
    if (t != history::init && history.status(t) == history::Status::Committed)
      order.push_back(t);
  const DependencyGraph graph(history, order);
  ChainQuestions questions(program, history, graph, plan, options);
  for (const TxnId a : order)
    for (const TxnId b : order) {
      if (a == b) continue;
      questions.ask_about({a, b}, false);
      if (a < b) questions.ask_about({a, b}, true);
      for (const TxnId c : order) {
        if (c == a || c == b) continue;
        questions.ask_about({a, b, c}, false);
        if (a < b && a < c) questions.ask_about({a, b, c}, true);
      }
    }
  return questions.out;
}

}  // namespace isomer::test
