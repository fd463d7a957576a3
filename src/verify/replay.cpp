// SPDX-License-Identifier: MIT
#include "verify/replay.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "base/digraph.h"
#include "program/calendar.h"
#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "store/ran_transaction.h"
#include "verify/symbols.h"

namespace isomer::verify {
namespace {

using program::KeyName;
using program::TypeKind;
using program::Value;

class Concretiser {
 public:
  Concretiser(const SymbolicProgram& symbolic, const ExecutionTerms& execution,
              const logic::TermSolver& solver)
      : in_(symbolic), execution_(execution), solver_(solver) {}

  tl::expected<ConcreteModel, std::string> run() {
    out_.program = in_.program;
    out_.has_repeated_reads = in_.options.repeat == Repeat::Same;
    set_symbols();
    add_initial_rows();
    for (const Summary& transaction : in_.transactions)
      out_.places.push_back(transaction.place);
    out_.reads.resize(in_.transactions.size());
    for (const ReadChoice& choice : execution_.choices)
      add_choice(choice);
    add_relations();
    if (!solver_.has_all_values()) fail("numbers of thousands of digits");
    if (!problem_.empty()) return tl::unexpected(problem_);
    return std::move(out_);
  }

 private:
  // --- values ---

  Value value_of(const Cell& cell) {
    if (solver_.truth(cell.is_null)) return {};
    switch (cell.type.kind) {
      case TypeKind::Bool:
        return Value::boolean(solver_.truth(cell.data));
      case TypeKind::Text:
        return text_of(cell);
      case TypeKind::Numeric:
        return decimal_of(cell);
      case TypeKind::Date:
        return Value(
            Value::Data(program::Date{static_cast<std::int32_t>(integer_of(cell.data))}));
      case TypeKind::Timestamp:
        return Value(Value::Data(program::Timestamp{integer_of(cell.data)}));
      case TypeKind::Array: {
        std::vector<Value> items;
        for (std::size_t i = 0; i < cell.fields.size(); ++i)
          if (solver_.truth(cell.present[i])) items.push_back(value_of(cell.fields[i]));
        return Value::list(std::move(items));
      }
      default:
        return Value::integer(integer_of(cell.data));
    }
  }

  Value text_of(const Cell& cell) {
    if (const auto text = solver_.text(cell.data)) return Value::text(*text);
    fail("a text that lies between two neighbours");
    return {};
  }

  std::int64_t integer_of(Term term) {
    const std::string digits = solver_.number(term);
    std::int64_t out = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (error != std::errc() || end != digits.data() + digits.size())
      fail(fmt::format("the number {}", digits));
    return out;
  }

  Value decimal_of(const Cell& cell) {
    const std::string digits = solver_.number(cell.data);
    const auto number = program::parse_decimal(digits);
    if (!number) {
      fail(fmt::format("the number {}", digits));
      return {};
    }
    return Value(Value::Data(
        cell.type.precision ? program::rounded(*number, cell.type.scale).value_or(*number)
                            : *number));
  }

  void fail(std::string what) {
    if (problem_.empty()) problem_ = "it needs " + std::move(what);
  }

  program::KeyName name_of(TableId table, const Key& key) {
    program::PrimaryKey values;
    for (const Cell& cell : key)
      values.push_back(value_of(cell));
    return row_key(in_.program.tables[table.index], values);
  }

  // --- the program ---

  void set_symbols() {
    for (std::size_t i = 0; i < in_.symbols.size(); ++i) {
      program::Symbol& symbol = out_.program.symbols[i];
      symbol.value = value_of(in_.symbols[i]);
      out_.symbols.emplace_back(symbol.name, *symbol.value);
    }
    for (program::Invariant& invariant : out_.program.invariants)
      invariant.query = with_values(out_.program, invariant.query);
    std::size_t number = 0;
    for (program::Session& session : out_.program.sessions)
      for (program::Call& call : session.calls)
        set_arguments(call, in_.arguments[number++]);
  }

  // Calls show their values: withdraw(1, 100).
  void set_arguments(program::Call& call, const std::vector<Cell>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      auto argument = std::make_shared<program::Expression>(*call.arguments[i]);
      argument->kind = program::Expression::Kind::Constant;
      argument->value = value_of(cells[i]);
      text += fmt::format("{}{}", i == 0 ? "" : ", ", shown(argument->value));
      call.arguments[i] = std::move(argument);
    }
    call.text = fmt::format("{}({})", in_.program.types[call.type].name, text);
  }

  static std::string shown(const Value& value) {
    if (value.is_null()) return "NULL";
    if (value.get_if<program::List>() != nullptr)
      return fmt::format("'{}'", array_text(value));
    return value.get_if<std::string>() != nullptr ? fmt::format("'{}'", to_text(value))
                                                  : to_text(value);
  }

  void add_initial_rows() {
    std::map<program::KeyName, std::pair<TableId, std::vector<Value>>> rows;
    for (const InitialRow& open : in_.possible_rows->open_rows()) {
      if (!solver_.truth(open.row.exists)) continue;
      std::vector<Value> values;
      for (const Cell& cell : open.row.columns)
        values.push_back(value_of(cell));
      rows.try_emplace(name_of(open.table, open.key), open.table, std::move(values));
    }
    for (auto& [name, row] : rows)
      out_.program.initial_rows.push_back(std::move(row));
  }

  // --- who read from whom ---

  void add_choice(const ReadChoice& choice) {
    std::optional<std::uint32_t> writer;
    for (std::uint32_t t = 0; t <= in_.transactions.size(); ++t)
      if (solver_.truth(choice.writer[t])) writer = t;
    if (!writer) return;
    if (choice.transaction > in_.transactions.size()) {
      const Site& site = in_.sites[choice.read];
      if (*writer != 0) out_.last[name_of(site.table, site.key)] = *writer;
      return;
    }
    const ReadEvent& read = in_.transactions[choice.transaction - 1].reads[choice.read];
    if (!solver_.truth(read.when)) return;
    out_.reads[choice.transaction - 1].push_back({name_of(read.table, read.key), *writer});
  }

  void add_relations() {
    for (const auto& [name, relation] : execution_.witnesses) {
      if (name == "co" || name == "ar") {
        out_.order.resize(in_.transactions.size());
        std::iota(out_.order.begin(), out_.order.end(), 1U);
        std::ranges::sort(out_.order, [&](std::uint32_t a, std::uint32_t b) {
          return a != b && solver_.truth(relation(a, b));
        });
      }
      if (name != "vis") continue;
      for (std::uint32_t t = 1; t <= in_.transactions.size(); ++t) {
        std::vector<std::uint32_t>& seen = out_.sees.emplace_back();
        for (std::uint32_t u = 1; u <= in_.transactions.size(); ++u)
          if (solver_.truth(relation(u, t))) seen.push_back(u);
      }
    }
  }

  const SymbolicProgram& in_;
  const ExecutionTerms& execution_;
  const logic::TermSolver& solver_;
  ConcreteModel out_;
  std::string problem_;
};

// By number, each after those of its session and those that it reads from; absent if that
// goes in a circle.
std::optional<std::vector<std::uint32_t>> writers_first(const ConcreteModel& model) {
  std::vector<Arc> arcs;
  for (std::uint32_t t = 1; t <= model.places.size(); ++t) {
    for (const ConcreteModel::Read& read : model.reads[t - 1])
      arcs.push_back({read.writer, t});
    if (t > 1 && model.places[t - 2].first == model.places[t - 1].first)
      arcs.push_back({t - 1, t});
  }
  return topological_order(
      Digraph(static_cast<std::uint32_t>(model.places.size() + 1), arcs));
}

class Replayer {
 public:
  explicit Replayer(const ConcreteModel& model)
      : model_(model),
        initial_(program::initial_database(model.program)),
        number_in_run_(model.places.size() + 1, 0),
        committed_number_(model.places.size() + 1, 0) {}

  tl::expected<Replay, std::string> run() {
    const auto order = writers_first(model_);
    if (!order)
      return tl::unexpected(
          std::string("its transactions read from each other in a circle"));
    // A scan reads keys that nobody has written yet, too.
    keys_ = initial_;
    for (const auto& [key, writer] : model_.last)
      keys_.try_emplace(key);
    for (const std::uint32_t t : *order)
      if (t != 0) run_transaction(t);
    if (!problem_.empty()) return tl::unexpected(problem_);
    add_final_state();
    if (!problem_.empty()) return tl::unexpected(problem_);
    add_commit_order();
    add_observer();
    return std::move(out_);
  }

 private:
  void run_transaction(std::uint32_t t) {
    const store::Place place = model_.places[t - 1];
    const program::Call& call = model_.program.sessions[place.first].calls[place.second];
    std::vector<ConcreteModel::Read> rest = model_.reads[t - 1];
    stray_.clear();
    out_.ran.push_back(store::rerun(model_.program, place, program::argument_values(call),
                                    program::Granularity::Row, keys_,
                                    [&](const KeyName& key) { return answer(rest, key); }));
    number_in_run_[t] = static_cast<std::uint32_t>(out_.ran.size());
    store::RanTransaction& ran = out_.ran.back();
    if (!ran.outcome.is_committed) return forget_stray_reads(ran);
    if (!stray_.empty())
      diverge(fmt::format("transaction {} reads {}", t, *stray_.begin()));
    committed_number_[t] = ++committed_;
    for (const store::Access& access : ran.accesses)
      if (access.is_write) versions_[access.key][t] = access.value;
  }

  // The interpreter reads at once what all rows of a statement need, where the model stops
  // at the first row that fails.
  void forget_stray_reads(store::RanTransaction& ran) const {
    std::erase_if(ran.accesses, [&](const store::Access& access) {
      return !access.is_write && stray_.contains(access.key);
    });
  }

  store::ReadAnswer answer(std::vector<ConcreteModel::Read>& rest, const KeyName& key) {
    const auto found = std::ranges::find(rest, key, &ConcreteModel::Read::key);
    if (found == rest.end() || found->writer == 0) {
      if (found == rest.end() && versions_.contains(key)) stray_.insert(key);
      if (found != rest.end()) use(rest, found);
      const auto initial = initial_.find(key);
      return {0, initial == initial_.end() ? Value() : initial->second};
    }
    const std::uint32_t writer = found->writer;
    use(rest, found);
    const auto version = versions_[key].find(writer);
    if (version == versions_[key].end()) {
      diverge(fmt::format("transaction {} does not write {}", writer, key));
      return {0, Value()};
    }
    return {committed_number_[writer], version->second};
  }

  // A read that stands for all of its key stays.
  void use(std::vector<ConcreteModel::Read>& rest,
           std::vector<ConcreteModel::Read>::iterator read) const {
    if (!model_.has_repeated_reads) rest.erase(read);
  }

  void diverge(std::string what) {
    if (problem_.empty()) problem_ = std::move(what) + ", unlike the model";
  }

  void add_final_state() {
    out_.final_state = initial_;
    for (const auto& [key, writer] : model_.last) {
      const auto version = versions_[key].find(writer);
      if (version == versions_[key].end())
        return diverge(fmt::format("transaction {} does not write {}", writer, key));
      out_.final_state[key] = version->second;
    }
    for (const auto& [key, versions] : versions_)
      if (!versions.empty() && !model_.last.contains(key))
        diverge(fmt::format("{} is written", key));
  }

  // As the model has it; else such that each key has its last writer.
  void add_commit_order() {
    std::vector<std::uint32_t> order = model_.order;
    if (order.empty()) {
      std::vector<Arc> arcs;
      for (const auto& [key, versions] : versions_)
        for (const auto& [t, value] : versions)
          if (const std::uint32_t last = model_.last.at(key); t != last)
            arcs.push_back({t, last});
      order = topological_order(
                  Digraph(static_cast<std::uint32_t>(model_.places.size() + 1), arcs))
                  .value_or(std::vector<std::uint32_t>());
    }
    for (const std::uint32_t t : order)
      if (committed_number_[t] != 0) out_.commit_order.push_back(number_in_run_[t] - 1);
  }

  // Every transaction writes a mark that the observer reads; then come the keys
  // (store/final_states.h).
  void add_observer() {
    std::map<KeyName, std::uint32_t> numbers;
    const auto number_of = [&](const KeyName& key) {
      return numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size()))
          .first->second;
    };
    std::vector<std::uint32_t> by_commit(out_.ran.size() + 1, 0);
    store::RunTransaction observer;
    observer.session = static_cast<std::uint32_t>(model_.program.sessions.size());
    std::uint32_t committed = 0;
    for (std::uint32_t i = 0; i < out_.ran.size(); ++i) {
      const store::RanTransaction& ran = out_.ran[i];
      store::RunTransaction& seen = out_.observed.emplace_back();
      seen.session = ran.outcome.session;
      for (const store::Access& access : ran.accesses) {
        const std::uint32_t key = number_of(access.key);
        if (!access.is_write)
          seen.reads.push_back({key, by_commit[access.writer]});
        else if (ran.outcome.is_committed && std::ranges::count(seen.writes, key) == 0)
          seen.writes.push_back(key);
      }
      if (!ran.outcome.is_committed) continue;
      by_commit[++committed] = i + 1;
      const std::uint32_t mark = number_of(fmt::format("/{}", i));
      seen.writes.push_back(mark);
      observer.reads.push_back({mark, i + 1});
    }
    for (const auto& [key, writer] : model_.last)
      observer.reads.push_back({number_of(key), number_in_run_[writer]});
    out_.observed.push_back(std::move(observer));
  }

  const ConcreteModel& model_;
  std::map<KeyName, Value> initial_;
  store::KeyUniverse keys_;
  std::map<KeyName, std::map<std::uint32_t, Value>> versions_;  // by transaction
  std::vector<std::uint32_t> number_in_run_;                    // by transaction; from 1
  std::vector<std::uint32_t> committed_number_;                 // by transaction; from 1
  std::uint32_t committed_ = 0;
  Replay out_;
  std::set<KeyName> stray_;  // what the transaction reads, and in the model does not
  std::string problem_;
};

}  // namespace

tl::expected<ConcreteModel, std::string> concrete_model(const SymbolicProgram& symbolic,
                                                        const ExecutionTerms& execution,
                                                        const logic::TermSolver& solver) {
  return Concretiser(symbolic, execution, solver).run();
}

bool goes_in_a_circle(const ConcreteModel& model) {
  return !writers_first(model);
}

tl::expected<Replay, std::string> replay(const ConcreteModel& model) {
  return Replayer(model).run();
}

}  // namespace isomer::verify
