// SPDX-License-Identifier: MIT
#include "verify/symbolic_program.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

namespace isomer::verify {
namespace {

using program::Program;

// A program that inserts into a table in a loop over the same table finds new rows in every
// pass, several times as many as in the one before if transactions see each other's.
constexpr unsigned passes_max = 8;
constexpr std::ptrdiff_t open_keys_max = 150;

bool is_endless(unsigned passes, const NewKeys& keys) {
  std::ptrdiff_t open = 0;
  for (const auto& [where, some] : keys)
    open += std::ranges::count_if(some, [](const auto& key) { return !key; });
  return passes == passes_max || open > open_keys_max;
}

void append(Diagnostics& out, const Diagnostics& more) {
  out.insert(out.end(), more.begin(), more.end());
}

// A numeric without a scale could have any number of digits; amounts have two.
program::Type open_type(program::Type type) {
  if (type.kind == program::TypeKind::Numeric && !type.precision) {
    type.precision = 14;
    type.scale = 2;
  }
  return type;
}

// One execution of everything, with what is known so far.
class Pass {
 public:
  Pass(SymbolicProgram& out, NewKeys known) : out_(out), terms_(out.terms) {
    out_.possible_rows = std::make_unique<PossibleRows>(
        terms_, out_.program, out_.options.has_open_state, out_.options.rows_max,
        out_.options.symbolic, *out_.accesses, std::move(known));
    out_.transactions.clear();
    out_.symbols.clear();
    out_.arguments.clear();
    out_.facts.clear();
    out_.approximations.clear();
  }

  Diagnostics run() {
    add_symbols();
    add_transactions();
    out_.possible_rows->close();
    add_assumptions();
    append(diagnostics_, out_.possible_rows->diagnostics());
    return std::move(diagnostics_);
  }

 private:
  const Program& program() const { return out_.program; }

  // Any value, and NULL too, as callers may pass it; [assume] may say otherwise.
  void add_symbols() {
    for (const program::Symbol& symbol : program().symbols)
      out_.symbols.push_back(out_.possible_rows->unknown(
          open_type(symbol.type), "?" + symbol.name, true, terms_.truth(true)));
  }

  void add_transactions() {
    for (std::uint32_t s = 0; s < program().sessions.size(); ++s)
      for (std::uint32_t i = 0;
           i < program().sessions[s].calls.size() && !out_.options.budget.is_exhausted();
           ++i)
        add_transaction({s, i}, program().sessions[s].calls[i]);
  }

  void add_transaction(store::Place place, const program::Call& call) {
    const auto number = static_cast<std::uint32_t>(out_.transactions.size() + 1);
    const program::TransactionType& type = program().types[call.type];
    std::vector<Cell>& arguments = out_.arguments.emplace_back();
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      arguments.push_back(argument(*call.arguments[i], type.variables[i].type));
    Recorder recorder(terms_, program(), *out_.possible_rows, number, out_.options.repeat);
    auto effect =
        execute(terms_, program(), call.type, arguments, recorder, out_.options.symbolic);
    if (!effect) {
      append(diagnostics_, effect.error());
      return;
    }
    std::ranges::copy(effect->approximations, std::back_inserter(out_.approximations));
    recorder.summary.place = place;
    recorder.summary.type = call.type;
    recorder.summary.effect = std::move(*effect);
    out_.transactions.push_back(std::move(recorder.summary));
  }

  // A symbol is of a type that fits the parameter: an int for a bigint, or for a numeric.
  Cell argument(const program::Expression& expression, const program::Type& type) {
    if (expression.kind == program::Expression::Kind::Constant)
      return constant_cell(terms_, expression.value, type);
    auto value =
        argument_value(terms_, program(), expression, out_.symbols, out_.options.symbolic);
    if (!value) {
      append(diagnostics_, value.error());
      return null_cell(terms_, type);
    }
    if (terms_.sort(value->data) != sort_of(type))
      value->data = terms_.as_real(value->data);
    if (type.kind != program::TypeKind::Numeric || type.precision) value->type = type;
    return *value;
  }

  void add_assumptions() {
    for (const program::Assumption& assumption : program().assumptions)
      add_fact(condition_truth(terms_, program(), *assumption.condition, out_.symbols,
                               out_.options.symbolic));
    InitialDatabase initial(*out_.possible_rows);
    for (const std::uint32_t index : program().initial_invariants) {
      const auto truth = query_truth(terms_, program(), *program().invariants[index].query,
                                     initial, out_.symbols, out_.options.symbolic);
      if (!truth) {
        append(diagnostics_, truth.error());
        continue;
      }
      out_.facts.push_back(truth->is_true);
      std::ranges::copy(truth->approximations, std::back_inserter(out_.approximations));
    }
  }

  void add_fact(const Expected<Term>& fact) {
    if (fact)
      out_.facts.push_back(*fact);
    else
      append(diagnostics_, fact.error());
  }

  SymbolicProgram& out_;
  Terms& terms_;
  Diagnostics diagnostics_;
};

void add_site(SymbolicProgram& symbolic, TableId table, const Key& key, Term is_active) {
  Terms& terms = symbolic.terms;
  const auto is_same = [&](const Site& site) {
    return site.table == table && terms.is_true(same_key(terms, site.key, key));
  };
  const auto found = std::ranges::find_if(symbolic.sites, is_same);
  if (found == symbolic.sites.end())
    symbolic.sites.push_back({table, key, is_active});
  else
    found->exists = terms.either(found->exists, is_active);
}

void add_sites(SymbolicProgram& symbolic) {
  Terms& terms = symbolic.terms;
  for (const Summary& transaction : symbolic.transactions) {
    for (const WriteEvent& write : transaction.writes)
      add_site(symbolic, write.table, write.key,
               terms.both(write.when, transaction.effect.commits));
    if (symbolic.options.with_read_sites)
      for (const ReadEvent& read : transaction.reads)
        add_site(symbolic, read.table, read.key, read.when);
  }
  for (std::size_t j = 0; j < symbolic.sites.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) {
      Site& site = symbolic.sites[j];
      const Site& earlier = symbolic.sites[i];
      if (earlier.table != site.table) continue;
      site.exists = terms.both(
          site.exists, terms.negation(terms.both(earlier.exists,
                                                 same_key(terms, earlier.key, site.key))));
    }
}

void add_call(Program& program, std::uint32_t type_index, std::uint32_t number) {
  const program::TransactionType& type = program.types[type_index];
  program::Call call;
  call.type = type_index;
  for (std::uint32_t i = 0; i < type.parameter_count; ++i) {
    const program::Variable& parameter = type.variables[i];
    const std::string name = fmt::format("{}{}", parameter.name, number);
    program.symbols.push_back(
        {.name = name, .type = parameter.type, .value = std::nullopt, .at = parameter.at});
    auto argument = std::make_shared<program::Expression>();
    argument->kind = program::Expression::Kind::Symbol;
    argument->type = parameter.type;
    argument->name = name;
    call.arguments.push_back(std::move(argument));
    call.text += fmt::format("{}?{}", i == 0 ? "" : ", ", name);
  }
  call.text = fmt::format("{}({})", type.name, call.text);
  program.sessions.push_back(
      {.name = fmt::format("s{}", number), .calls = {std::move(call)}});
}

// Types in ascending order, as each choice once.
void choose_types(const Program& base, std::vector<std::uint32_t>& chosen,
                  std::uint32_t count, std::vector<Program>& out) {
  if (chosen.size() == count) {
    Program program = base;
    for (std::uint32_t i = 0; i < count; ++i)
      add_call(program, chosen[i], i + 1);
    out.push_back(std::move(program));
    return;
  }
  for (std::uint32_t type = chosen.empty() ? 0 : chosen.back(); type < base.types.size();
       ++type) {
    chosen.push_back(type);
    choose_types(base, chosen, count, out);
    chosen.pop_back();
  }
}

}  // namespace

std::vector<Term> SymbolicProgram::all_facts() const {
  std::vector<Term> out = possible_rows->facts();
  out.insert(out.end(), facts.begin(), facts.end());
  for (const Approximation& approximation : approximations)
    if (approximation.kind == Approximation::Kind::Unrolled)
      out.push_back(terms.negation(approximation.when));
  return out;
}

Term SymbolicProgram::is_at(const Site& site, TableId table, const Key& key) const {
  if (site.table != table) return terms.truth(false);
  return terms.both(site.exists, same_key(terms, site.key, key));
}

Expected<SymbolicProgram> make_symbolic_program(Terms& terms, const Program& program,
                                                const SymbolicProgramOptions& options) {
  SymbolicProgram out{.terms = terms,
                      .program = program,
                      .options = options,
                      .accesses = std::make_unique<TableAccesses>(table_accesses(program)),
                      .possible_rows = {},
                      .transactions = {},
                      .symbols = {},
                      .arguments = {},
                      .sites = {},
                      .facts = {},
                      .approximations = {},
                      .unknown = {}};
  if (options.has_open_state) add_referenced_tables(program, *out.accesses);
  NewKeys known;
  for (unsigned pass = 0;; ++pass) {
    const Diagnostics diagnostics = Pass(out, known).run();
    if (!diagnostics.empty()) return tl::unexpected(diagnostics);
    if (options.budget.is_exhausted()) {
      out.unknown = options.budget.reason();
      break;
    }
    if (out.possible_rows->found() == known) break;
    if (is_endless(pass, out.possible_rows->found())) {
      out.unknown = "the rows that may be inserted do not come to an end";
      break;
    }
    known = out.possible_rows->found();
  }
  add_sites(out);
  return out;
}

Row FinalDatabase::read(TableId table, const Key& key, Term, Span) {
  Row out = program_.possible_rows->initial(table, key);
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const Site& site = program_.sites[i];
    if (site.table == table)
      out = choose(program_.terms, program_.is_at(site, table, key), last_[i], out);
  }
  return out;
}

std::vector<Program> any_transactions(const Program& program, std::uint32_t count) {
  Program base = program;
  base.sessions.clear();
  base.symbols.clear();
  base.assumptions.clear();
  base.initial_rows.clear();
  base.has_open_state = true;
  base.initial_invariants.resize(base.invariants.size());
  std::iota(base.initial_invariants.begin(), base.initial_invariants.end(), 0U);
  std::vector<Program> out;
  std::vector<std::uint32_t> chosen;
  choose_types(base, chosen, count, out);
  return out;
}

}  // namespace isomer::verify
