// SPDX-License-Identifier: MIT
#include "verify/concrete_model.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "program/calendar.h"
#include "program/machine/keys.h"

namespace isomer::verify {
namespace {

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

}  // namespace

tl::expected<ConcreteModel, std::string> concrete_model(const SymbolicProgram& symbolic,
                                                        const ExecutionTerms& execution,
                                                        const logic::TermSolver& solver) {
  return Concretiser(symbolic, execution, solver).run();
}

}  // namespace isomer::verify
