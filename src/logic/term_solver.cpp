// SPDX-License-Identifier: MIT
// Terms are translated to Z3 once each, in the order of their indices, so that no chain of
// choices is too deep.  Each question gets a solver of its own: Z3 prepares a problem
// better when it sees the whole of it.
//
// Cases are the exception: one solver has the formulas, prepared once, and is asked of each
// case in turn.  A proof that needs a distinction that nobody writes down, such as which
// slot two courses share, is short for each case, and long for a solver that goes to and
// fro between them.
//
// A model is judged by logic/term_evaluation.h: Z3 gives the values of variables and
// functions, the rest is computed here.
#include "logic/term_solver.h"

#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/assert.h"
#include "logic/smt_question.h"
#include "logic/term_evaluation.h"
#include "logic/text_order.h"
#include "logic/watch.h"

namespace isomer::logic {
namespace {

constexpr unsigned memory_max_mb = 4096;

// More are TooLong.
constexpr std::size_t digits_max = 2000;

std::vector<std::string> text_constants(const Terms& terms) {
  std::vector<std::string> result;
  for (std::uint32_t i = 0; i < terms.size(); ++i)
    if (terms.kind(Term{i}) == TermKind::Text) result.push_back(terms.text_value(Term{i}));
  return result;
}

std::string fraction_text(const Rational& number) {
  const Rational numerator{.numerator = number.numerator, .denominator = 1};
  const Rational denominator{.numerator = number.denominator, .denominator = 1};
  return fmt::format("{}/{}", to_text(numerator), to_text(denominator));
}

std::vector<Term> reachable(const Terms& terms, std::span<const Term> roots) {
  std::vector<bool> is_reached(terms.size());
  for (const Term root : roots)
    is_reached[root.index] = true;
  std::vector<Term> result;
  for (std::uint32_t i = static_cast<std::uint32_t>(terms.size()); i-- > 0;) {
    if (!is_reached[i]) continue;
    result.push_back(Term{i});
    for (const Term argument : terms.arguments(Term{i}))
      is_reached[argument.index] = true;
  }
  std::ranges::reverse(result);
  return result;
}

}  // namespace

struct TermSolver::State {
  const Terms& terms;
  z3::context context;
  const TextOrder constants;
  TextOrder texts;  // of the model
  std::unordered_map<Term, z3::expr> made;
  std::vector<z3::func_decl> functions;
  std::vector<Term> formulas;
  std::vector<Term> assumptions;
  std::optional<z3::model> model;
  std::optional<z3::expr> longest;  // number to be written down
  std::optional<TermEvaluation> evaluation;
  bool is_irrational = false;
  bool has_all_values = true;
  std::string why_unknown;

  explicit State(const Terms& all_terms)
      : terms(all_terms), constants(text_constants(all_terms)), texts(constants) {}

  // --- translation ---
  z3::sort sort(TermSort sort) {
    if (sort == TermSort::Bool) return context.bool_sort();
    return sort == TermSort::Int ? context.int_sort() : context.real_sort();
  }

  z3::func_decl function(TermFunction function) {
    while (functions.size() <= function.index) {
      const TermFunction next{static_cast<std::uint32_t>(functions.size())};
      z3::sort_vector domain(context);
      for (const TermSort argument : terms.function_arguments(next))
        domain.push_back(sort(argument));
      const std::string name = fmt::format("{}_f{}", terms.function_name(next), next.index);
      functions.push_back(
          context.function(name.c_str(), domain, sort(terms.function_result(next))));
    }
    return functions[function.index];
  }

  z3::expr numeral(const TermValue& value, TermSort of) {
    if (const bool* truth = std::get_if<bool>(&value)) return context.bool_val(*truth);
    const Rational* number = std::get_if<Rational>(&value);
    const std::string text = number == nullptr     ? std::get<LongNumber>(value).digits
                             : of == TermSort::Int ? to_text(*number)
                                                   : fraction_text(*number);
    return of == TermSort::Int ? context.int_val(text.c_str())
                               : context.real_val(text.c_str());
  }

  z3::expr_vector arguments(Term term) {
    z3::expr_vector result(context);
    for (const Term argument : terms.arguments(term))
      result.push_back(made.at(argument));
    return result;
  }

  // Towards zero, from SMT-LIB's division, whose rest is never negative.
  z3::expr divided(const z3::expr& a, const z3::expr& b) {
    const auto quotient = [&](const z3::expr& x) {
      return z3::expr(context, Z3_mk_div(context, x, b));
    };
    return z3::ite(a >= 0, quotient(a), -quotient(-a));
  }

  z3::expr translated(Term term, const z3::expr_vector& inner) {
    switch (terms.kind(term)) {
      case TermKind::Truth:
        return context.bool_val(terms.is_true(term));
      case TermKind::Number:
        if (const auto value = terms.rational_value(term))
          return numeral(*value, terms.sort(term));
        return numeral(LongNumber{terms.text_value(term)}, terms.sort(term));
      case TermKind::Text:
        return numeral(constants.rank(terms.text_value(term)), TermSort::Real);
      case TermKind::Variable:
        return context.constant(
            fmt::format("{}_{}", terms.text_value(term), term.index).c_str(),
            sort(terms.sort(term)));
      case TermKind::Apply:
        return function(terms.function_of(term))(inner);
      case TermKind::Not:
        return !inner[0];
      case TermKind::And:
        return z3::mk_and(inner);
      case TermKind::Same:
        return inner[0] == inner[1];
      case TermKind::Less:
        return inner[0] < inner[1];
      case TermKind::Choose:
        return z3::ite(inner[0], inner[1], inner[2]);
      case TermKind::Sum:
        return z3::sum(inner);
      case TermKind::Product:
        return inner[0] * inner[1];
      case TermKind::Quotient:
        return inner[0] / inner[1];
      case TermKind::Divide:
        return divided(inner[0], inner[1]);
      case TermKind::AsReal:
        return z3::to_real(inner[0]);
      case TermKind::Floor:
        return z3::expr(context, Z3_mk_real2int(context, inner[0]));
    }
    ISOMER_UNREACHABLE();
  }

  void translate(std::span<const Term> roots) {
    for (const Term next : reachable(terms, roots))
      if (!made.contains(next)) made.emplace(next, translated(next, arguments(next)));
  }

  const z3::expr& translate(Term term) {
    if (!made.contains(term)) translate(std::array{term});
    return made.at(term);
  }

  // --- question ---
  [[nodiscard]] std::vector<Term> question() const {
    std::vector<Term> result = formulas;
    result.insert(result.end(), assumptions.begin(), assumptions.end());
    return result;
  }

  [[nodiscard]] bool is_unknown(Term term) const {
    return terms.kind(term) == TermKind::Variable || terms.kind(term) == TermKind::Apply;
  }

  [[nodiscard]] std::vector<Term> unknowns() const {
    std::vector<Term> result = reachable(terms, question());
    std::erase_if(result, [this](Term term) { return !is_unknown(term); });
    return result;
  }

  // Nothing is before the empty text, nor where no printable text is.  A text is the empty
  // one only if the question speaks of it, or if only that one is before the next constant:
  // otherwise others are as good, and say more to a reader.
  void restrict_text(const z3::expr& text, bool has_empty_text, z3::expr_vector& to) {
    const std::vector<Rational> gaps = constants.gaps();
    const bool may_be_empty = has_empty_text || std::ranges::count(gaps, Rational{}) > 0;
    to.push_back(may_be_empty ? text >= 0 : text > 0);
    for (const Rational& lower : gaps) {
      const Rational upper{lower.numerator + 1, lower.denominator};
      to.push_back(text <= numeral(lower, TermSort::Real) ||
                   text >= numeral(upper, TermSort::Real));
    }
  }

  // What is true of the texts in these terms.
  z3::expr_vector text_facts(std::span<const Term> all) {
    z3::expr_vector result(context);
    const std::vector<Term> parts = reachable(terms, all);
    const bool has_empty_text = std::ranges::any_of(parts, [this](Term term) {
      return terms.kind(term) == TermKind::Text && terms.text_value(term).empty();
    });
    for (const Term part : parts)
      if (is_unknown(part) && terms.sort(part) == TermSort::Text)
        restrict_text(translate(part), has_empty_text, result);
    return result;
  }

  z3::tactic preparation() {
    return z3::tactic(context, "simplify") & z3::tactic(context, "propagate-values") &
           z3::tactic(context, "solve-eqs");
  }

  z3::solver solver() {
    z3::solver result = (preparation() & z3::tactic(context, "smt")).mk_solver();
    const std::vector<Term> all = question();
    translate(all);
    for (const Term formula : all)
      result.add(translate(formula));
    for (const z3::expr& fact : text_facts(all))
      result.add(fact);
    return result;
  }

  void begin(std::span<const Term> assumed) {
    assumptions.assign(assumed.begin(), assumed.end());
    evaluation.reset();
    model.reset();
  }

  SatAnswer check(const Budget& budget, std::optional<std::uint32_t> steps_max) {
    z3::solver asked = solver();
    z3::params params(context);
    params.set("max_memory", memory_max_mb);
    if (steps_max) params.set("rlimit", static_cast<unsigned>(*steps_max));
    asked.set(params);
    const z3::check_result result = [&] {
      const Watch watch(budget, [this] { context.interrupt(); });
      return ask(asked, budget);
    }();
    if (result == z3::unsat) return SatAnswer::Unsatisfiable;
    if (result == z3::sat) {
      model = asked.get_model();
      return judge();
    }
    give_up(asked.reason_unknown(), budget);
    return SatAnswer::Unknown;
  }

  // --- cases ---

  // The formulas, and for each case that its mark implies it.  The preparation solves for
  // constants and then forgets them, so a mark is none.
  z3::goal prepared(std::span<const Term> cases, const z3::expr_vector& marks) {
    std::vector<Term> all = formulas;
    all.insert(all.end(), cases.begin(), cases.end());
    translate(all);
    z3::goal goal(context);
    for (const Term formula : formulas)
      goal.add(translate(formula));
    for (std::size_t i = 0; i < cases.size(); ++i)
      goal.add(!marks[static_cast<int>(i)] || translate(cases[i]));
    for (const z3::expr& fact : text_facts(all))
      goal.add(fact);
    z3::tactic prepare = preparation();
    return prepare(goal)[0];
  }

  // Where little is relevant because little was decided, all of it is worth looking at.
  z3::solver case_solver(const z3::goal& goal) {
    z3::solver result(context, z3::solver::simple());
    z3::params params(context);
    params.set("max_memory", memory_max_mb);
    params.set("relevancy", 0U);
    result.set(params);
    for (unsigned i = 0; i < goal.size(); ++i)
      result.add(goal[static_cast<int>(i)]);
    return result;
  }

  // Of each pick in turn; `next` is left at the one that is satisfiable.
  z3::check_result check_in_turn(z3::solver& asked, const z3::expr_vector& picks,
                                 std::uint32_t steps_max, unsigned& next) {
    const std::uint64_t steps_before = statistic(asked, "rlimit count");
    for (next = 0; next < picks.size(); ++next) {
      const std::uint64_t steps = statistic(asked, "rlimit count") - steps_before;
      if (steps >= steps_max) return z3::unknown;
      z3::params params(context);
      params.set("rlimit", static_cast<unsigned>(steps_max - steps));
      asked.set(params);
      z3::expr_vector assumed(context);
      assumed.push_back(picks[static_cast<int>(next)]);
      if (const z3::check_result result = asked.check(assumed); result != z3::unsat)
        return result;
      asked.add(!picks[static_cast<int>(next)]);
    }
    return z3::unsat;
  }

  CaseAnswer check_cases(std::span<const Term> cases, const Budget& budget,
                         std::uint32_t steps_max) {
    z3::expr_vector picks(context);
    z3::expr_vector marks(context);
    const z3::func_decl mark =
        context.function("case", context.int_sort(), context.bool_sort());
    for (int i = 0; i < static_cast<int>(cases.size()); ++i) {
      picks.push_back(context.bool_const(fmt::format("case{}", i).c_str()));
      marks.push_back(mark(context.int_val(i)));
    }
    const Watch watch(budget, [this] { context.interrupt(); });
    const z3::goal goal = prepared(cases, marks);
    z3::solver asked = case_solver(goal);
    for (unsigned i = 0; i < picks.size(); ++i)
      asked.add(!picks[static_cast<int>(i)] || marks[static_cast<int>(i)]);
    const auto script = [&] {
      asked.push();
      asked.add(z3::mk_or(picks));
      const std::string result = asked.to_smt2();
      asked.pop();
      return result;
    };
    unsigned next = 0;
    const z3::check_result result = ask(asked, budget, script, [&] {
      return check_in_turn(asked, picks, steps_max, next);
    });
    if (result == z3::unsat) return {.answer = SatAnswer::Unsatisfiable};
    if (result == z3::unknown) {
      give_up(asked.reason_unknown(), budget);
      return {};
    }
    assumptions = {cases[next]};
    model = goal.convert_model(asked.get_model());
    return {.answer = judge(), .possible = next};
  }

  void give_up(const std::string& reason, const Budget& budget) {
    if (budget.is_exhausted())
      why_unknown = budget.reason();
    else if (reason.find("memory") != std::string::npos ||
             reason.find("memout") != std::string::npos)
      why_unknown = fmt::format("more than {} MB of memory", memory_max_mb);
    else
      why_unknown = fmt::format("the solver gave up: {}", reason);
  }

  // --- model ---
  bool is_short(const z3::expr& integer) {
    if (!longest) longest = context.int_val(std::string(digits_max, '9').c_str());
    return (-*longest <= integer && integer <= *longest).simplify().is_true();
  }

  TermValue value_of(const z3::expr& value) {
    if (value.is_bool()) return value.is_true();
    if (!value.is_numeral()) {
      is_irrational = true;
      return Rational{};
    }
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;
    if (Z3_get_numeral_small(context, value, &numerator, &denominator))
      return *fraction(numerator, denominator);
    if (!is_short(value.numerator()) || !is_short(value.denominator())) return TooLong{};
    const std::string digits = Z3_get_numeral_string(context, value);
    if (const std::optional<Rational> number = parse_rational(digits)) return *number;
    return LongNumber{digits};
  }

  TermValue outside(Term term, std::span<const TermValue> values) {
    if (terms.kind(term) == TermKind::Text) return constants.rank(terms.text_value(term));
    z3::expr_vector arguments(context);
    for (std::size_t i = 0; i < values.size(); ++i)
      arguments.push_back(numeral(values[i], terms.sort(terms.arguments(term)[i])));
    const TermValue result = value_of(model->eval(translated(term, arguments), true));
    if (const Rational* number = std::get_if<Rational>(&result);
        terms.kind(term) == TermKind::Apply && terms.sort(term) == TermSort::Text &&
        number != nullptr && *number < Rational{})
      return Rational{};
    return result;
  }

  SatAnswer judge() {
    is_irrational = false;
    has_all_values = true;
    evaluation.emplace(terms, [this](Term term, std::span<const TermValue> values) {
      return outside(term, values);
    });
    bool is_true = true;
    for (const Term formula : question())
      is_true = truth(formula) && is_true;
    if (is_irrational) {
      why_unknown = "the solver found irrational numbers only";
      return SatAnswer::Unknown;
    }
    if (!has_all_values) {
      why_unknown =
          fmt::format("the solver found numbers of more than {} digits only", digits_max);
      return SatAnswer::Unknown;
    }
    if (!is_true) {
      why_unknown = "the solver's values do not make the formula true";
      return SatAnswer::Unknown;
    }
    place_texts();
    return SatAnswer::Satisfiable;
  }

  // Any value for one that is lost.
  TermValue value(Term term) {
    const TermValue& out = evaluation->value(term);
    if (!std::holds_alternative<TooLong>(out)) return out;
    has_all_values = false;
    return terms.sort(term) == TermSort::Bool ? TermValue(false) : TermValue(Rational{});
  }

  bool truth(Term term) { return std::get<bool>(value(term)); }

  void place_texts() {
    std::vector<Rational> numbers;
    for (const Term unknown : unknowns())
      if (terms.sort(unknown) == TermSort::Text)
        if (const auto* number = std::get_if<Rational>(&evaluation->value(unknown)))
          numbers.push_back(*number);
    texts = constants;
    texts.place(std::move(numbers));
  }
};

TermSolver::TermSolver(const Terms& terms) : state_(std::make_unique<State>(terms)) {}

TermSolver::~TermSolver() = default;

void TermSolver::add(Term formula) {
  ISOMER_ASSERT(state_->terms.sort(formula) == TermSort::Bool);
  state_->formulas.push_back(formula);
}

SatAnswer TermSolver::solve(std::span<const Term> assumptions, const Budget& budget,
                            std::optional<std::uint32_t> steps_max) {
  state_->begin(assumptions);
  try {
    if (!budget.is_exhausted()) return state_->check(budget, steps_max);
    state_->give_up("", budget);
  } catch (const z3::exception& error) {  // how some interruptions are reported
    state_->give_up(error.msg(), budget);
  }
  return SatAnswer::Unknown;
}

TermSolver::CaseAnswer TermSolver::solve_cases(std::span<const Term> cases,
                                               const Budget& budget,
                                               std::uint32_t steps_max) {
  state_->begin({});
  try {
    if (!budget.is_exhausted()) return state_->check_cases(cases, budget, steps_max);
    state_->give_up("", budget);
  } catch (const z3::exception& error) {
    state_->give_up(error.msg(), budget);
  }
  return {};
}

std::string TermSolver::why_unknown() const {
  return state_->why_unknown;
}

bool TermSolver::truth(Term term) const {
  ISOMER_ASSERT(state_->evaluation.has_value());
  return state_->truth(term);
}

std::string TermSolver::number(Term term) const {
  ISOMER_ASSERT(state_->evaluation.has_value());
  const TermValue value = state_->value(term);
  if (const Rational* number = std::get_if<Rational>(&value)) return to_text(*number);
  return std::get<LongNumber>(value).digits;
}

bool TermSolver::has_all_values() const {
  return state_->has_all_values;
}

std::optional<std::string> TermSolver::text(Term term) const {
  ISOMER_ASSERT(state_->evaluation.has_value());
  const TermValue& value = state_->evaluation->value(term);
  const Rational* number = std::get_if<Rational>(&value);
  return number == nullptr ? std::nullopt : state_->texts.text(*number);
}

std::string TermSolver::script() const {
  return state_->solver().to_smt2();
}

std::size_t TermSolver::formula_size() const {
  return reachable(state_->terms, state_->question()).size();
}

}  // namespace isomer::logic
