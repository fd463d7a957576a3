// SPDX-License-Identifier: MIT
#include "verify/verify.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "base/assert.h"
#include "explore/explore.h"
#include "explore/witness.h"
#include "level/library.h"
#include "logic/term_solver.h"
#include "program/database_only.h"
#include "program/machine/keys.h"
#include "store/consistency.h"
#include "verify/cases.h"
#include "verify/exact.h"
#include "verify/paper.h"
#include "verify/replay.h"
#include "verify/symbolic/built_in.h"
#include "verify/symbolic_program.h"
#include "verify/symbols.h"
#include "verify/symmetry.h"

namespace isomer::verify {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What may be broken, and the term that says so.
struct Question {
  std::string invariant;
  explore::FailureKind kind = explore::FailureKind::Invariant;
  Term is_broken;
  std::vector<Approximation> approximations{};  // beside those of the transactions
};

bool has_asserts(const Program& program) {
  for (const program::Session& session : program.sessions)
    for (const program::Call& call : session.calls)
      if (contains(program.types[call.type].body, program::Statement::Kind::Assert))
        return true;
  return false;
}

// One program at one level after another.
class Verifier {
 public:
  Verifier(const Program& program, const Options& options)
      : program_(program), options_(options) {}

  Expected<LevelAnswer> run(const check::AskedLevel& asked) {
    start_ = Clock::now();
    LevelAnswer out{.level = asked.name, .answers = {}};
    const level::Level* text = text_of(asked);
    const auto symbolic = symbolic_for(asked);
    if (!symbolic) return tl::unexpected(symbolic.error());
    SymbolicProgram& in = **symbolic;
    if (std::string unknown = obstacle(asked, *text, in); !unknown.empty()) {
      give_up(out, unknown);
      return out;
    }
    ExecutionTerms execution = options_.encoding == Encoding::Paper
                                   ? encode_paper(in, *paper_level_named(asked.name))
                                   : encode_exact(in, *text);
    if (options_.breaks_symmetry && options_.encoding == Encoding::Exact)
      for (const Term fact : ordered_sessions(in, execution))
        execution.facts.push_back(fact);
    auto questions = questions_of(in, execution);
    if (!questions) return tl::unexpected(questions.error());
    if (options_.budget.is_exhausted()) {
      give_up(out, options_.budget.reason());
      return out;
    }
    ask(in, execution, asked, *questions, out);
    if (Diagnostics errors = vacuity(in, out); !errors.empty())
      return tl::unexpected(std::move(errors));
    return out;
  }

  // What every "holds" rests on.
  [[nodiscard]] std::vector<std::string> bounds() const { return bounds_; }

 private:
  static const level::Level* text_of(const check::AskedLevel& asked) {
    if (asked.definition) return &*asked.definition;
    // Of two texts for one level, the one with visibility: it can say who saw whom.
    const std::string_view name = check::info(*asked.built_in).name;
    const level::Level* out = level::standard_level(fmt::format("cerone:{}", name));
    if (out == nullptr) out = level::standard_level(name);
    ISOMER_ASSERT(out != nullptr);
    return out;
  }

  std::string obstacle(const check::AskedLevel& asked, const level::Level& text,
                       const SymbolicProgram& in) const {
    if (options_.budget.is_exhausted()) return options_.budget.reason();
    if (!in.unknown.empty()) return in.unknown;
    if (options_.encoding == Encoding::Paper) {
      if (!paper_level_named(asked.name))
        return "the paper's encoding has only CC, PSI, PC, SI and SER";
    } else if (text.uses_values) {
      return "the level speaks of values";
    }
    return {};
  }

  // Reads of one key by one transaction can be taken as one where the level has it so.
  Expected<SymbolicProgram*> symbolic_for(const check::AskedLevel& asked) {
    const bool is_atomic =
        options_.encoding == Encoding::Paper ||
        check::is_stronger_or_equal(asked, check::AskedLevel(check::Level::RA));
    const bool with_read_sites = asked.definition && !asked.definition->file.empty();
    auto& slot = symbolic_[is_atomic ? 1 : 0][with_read_sites ? 1 : 0];
    if (!slot) {
      auto made = make_symbolic_program(
          terms_, program_,
          {.rows_max = options_.rows_max,
           .symbolic = {.has_overflow = options_.has_overflow,
                        .unroll_max = options_.unroll_max,
                        .budget = options_.budget},
           .repeat = is_atomic ? Repeat::Same : Repeat::Anew,
           .has_open_state = options_.instances || program_.has_open_state,
           .with_read_sites = with_read_sites,
           .budget = options_.budget});
      if (!made) return tl::unexpected(made.error());
      slot = std::make_unique<SymbolicProgram>(std::move(*made));
      add_bounds(*slot);
    }
    return slot.get();
  }

  Expected<std::vector<Question>> questions_of(SymbolicProgram& in,
                                               const ExecutionTerms& execution) {
    std::vector<Question> out;
    FinalDatabase final_state(in, execution.last);
    for (const program::Invariant& invariant : program_.invariants) {
      auto truth = query_truth(terms_, program_, *invariant.query, final_state, in.symbols,
                               in.options.symbolic);
      if (!truth) return tl::unexpected(truth.error());
      add_bounds(truth->approximations);
      out.push_back({invariant.name, explore::FailureKind::Invariant,
                     terms_.negation(truth->is_true), std::move(truth->approximations)});
    }
    if (options_.no_lost_updates)
      out.push_back({std::string(lost_updates_name), explore::FailureKind::Invariant,
                     lost_update(in, execution.last)});
    std::vector<Term> asserts;
    for (const Summary& transaction : in.transactions)
      for (const Abort& abort : transaction.effect.aborts)
        if (abort.is_assert) asserts.push_back(abort.when);
    if (has_asserts(program_))
      out.push_back({"ASSERT", explore::FailureKind::Assert, terms_.any(asserts)});
    return out;
  }

  void ask(SymbolicProgram& in, const ExecutionTerms& execution,
           const check::AskedLevel& asked, const std::vector<Question>& questions,
           LevelAnswer& out) {
    const std::vector<std::vector<Term>> small = small_inputs(in, execution);
    logic::TermSolver solver(terms_);
    for (const Term fact : in.all_facts())
      solver.add(fact);
    for (const Term fact : execution.facts)
      solver.add(fact);
    for (const Question& question : questions) {
      if (options_.on_question) options_.on_question(asked.name, question.invariant);
      Answer answer = answer_to(in, execution, asked, question, small, solver);
      answer.invariant = question.invariant;
      answer.seconds = seconds_since(start_);
      answer.formula_size = solver.formula_size();
      start_ = Clock::now();
      out.answers.push_back(std::move(answer));
    }
  }

  Answer answer_to(SymbolicProgram& in, const ExecutionTerms& execution,
                   const check::AskedLevel& asked, const Question& question,
                   const std::vector<std::vector<Term>>& small, logic::TermSolver& solver) {
    const Budget budget = options_.seconds_per_question
                              ? options_.budget.within(*options_.seconds_per_question)
                              : options_.budget;
    Answer out;
    Question found = question;  // the case that was found
    switch (first_answer(found, solver, budget, out.queries)) {
      case logic::SatAnswer::Unsatisfiable:
        out.unknown = limit_met(in, question, solver, budget);
        if (out.unknown.empty()) out.verdict = Verdict::Holds;
        return out;
      case logic::SatAnswer::Unknown:
        out.unknown = solver.why_unknown();
        return out;
      case logic::SatAnswer::Satisfiable:
        break;
    }
    if (!make_small(found, small, solver, budget, out.queries)) {
      out.unknown = "a violation was found, but there was no time to show it";
      return out;
    }
    show(in, execution, asked, question, solver, out);
    return out;
  }

  // All at once; case by case, if that is too hard; and if that does not help either, all
  // at once for as long as it takes.
  logic::SatAnswer first_answer(Question& question, logic::TermSolver& solver,
                                const Budget& budget, std::size_t& queries) {
    constexpr std::size_t cases_min = 8;  // fewer are no help
    constexpr std::uint32_t steps_by_case = 100'000'000;
    const std::array broken{question.is_broken};
    const std::vector<Term> cases = cases_of(terms_, question.is_broken);
    ++queries;
    if (cases.size() < cases_min) return solver.solve(broken, budget);
    const auto answer = solver.solve(broken, budget, options_.steps_at_once);
    if (answer != logic::SatAnswer::Unknown || budget.is_exhausted()) return answer;
    ++queries;
    const auto by_case = solver.solve_cases(cases, budget, steps_by_case);
    if (by_case.answer == logic::SatAnswer::Satisfiable)
      question.is_broken = cases[by_case.possible];
    if (by_case.answer != logic::SatAnswer::Unknown || budget.is_exhausted())
      return by_case.answer;
    ++queries;
    return solver.solve(broken, budget);
  }

  // What nothing breaks may still need what we cannot compute: then nobody knows.
  std::string limit_met(const SymbolicProgram& in, const Question& question,
                        logic::TermSolver& solver, const Budget& budget) {
    for (const auto* approximations : {&in.approximations, &question.approximations})
      for (const Approximation& approximation : *approximations)
        if (approximation.kind == Approximation::Kind::Limit &&
            solver.solve(std::array{approximation.when}, budget) !=
                logic::SatAnswer::Unsatisfiable)
          return fmt::format("Isomer cannot compute this: {}", approximation.what);
    return {};
  }

  // --- what is assumed ---

  // Where nothing satisfies the assumptions, everything holds: that is no answer, but a
  // mistake in the scenario.  Whoever found a violation has found that they are satisfied.
  Diagnostics vacuity(const SymbolicProgram& in, const LevelAnswer& answers) {
    const auto has_verdict = [&](Verdict verdict) {
      return std::ranges::any_of(
          answers.answers, [&](const Answer& answer) { return answer.verdict == verdict; });
    };
    if (in.facts.empty() || assumptions_are_known_) return {};
    if (has_verdict(Verdict::Violated)) assumptions_are_known_ = true;
    if (assumptions_are_known_ || !has_verdict(Verdict::Holds)) return {};
    assumptions_are_known_ = true;
    const std::size_t symbol_facts = program_.assumptions.size();
    if (symbol_facts > 0 && is_contradictory(in, symbol_facts))
      return {diagnostic_in(program_, program_.assumptions.front().condition->at.first,
                            "no values of the parameters satisfy all of [assume], so that "
                            "no run is left")};
    if (symbol_facts == in.facts.size() || !is_contradictory(in, in.facts.size()))
      return {};
    return {diagnostic_in(
        program_, program_.invariants[program_.initial_invariants.front()].query->at.first,
        fmt::format("no initial state satisfies what is assumed of it{}, so that no run is "
                    "left",
                    in.possible_rows->bounded().empty()
                        ? ""
                        : fmt::format(", with at most {} rows beside those of the scenario "
                                      "(--rows)",
                                      options_.rows_max)))};
  }

  // The first `count` of the facts that are assumed, together with what is true of rows.
  bool is_contradictory(const SymbolicProgram& in, std::size_t count) {
    constexpr double seconds_max = 5;
    logic::TermSolver solver(terms_);
    for (const Term fact : in.possible_rows->facts())
      solver.add(fact);
    for (std::size_t i = 0; i < count; ++i)
      solver.add(in.facts[i]);
    return solver.solve({}, options_.budget.within(seconds_max)) ==
           logic::SatAnswer::Unsatisfiable;
  }

  // --- counterexamples ---

  // People like small numbers, and NULL only where it takes one; and sessions, which the
  // paper's encoding lacks.
  std::vector<std::vector<Term>> small_inputs(const SymbolicProgram& in,
                                              const ExecutionTerms& execution) {
    const std::vector<Term> in_session_order = session_order(in, execution);
    std::vector<Term> no_nulls = in_session_order;
    for (const Cell& symbol : in.symbols)
      no_nulls.push_back(terms_.negation(symbol.is_null));
    std::vector<std::vector<Term>> out;
    for (const std::int64_t limit : {10, 100, 1000, 1'000'000}) {
      out.push_back(no_nulls);
      add_limits(in, limit, out.back());
    }
    if (!in.symbols.empty())
      for (const std::int64_t limit : {10, 1'000'000})
        add_limits(in, limit, out.emplace_back(in_session_order));
    if (!in_session_order.empty()) out.push_back(in_session_order);
    return out;
  }

  // Arbitration that keeps the order of sessions, where the encoding does not ask for it.
  std::vector<Term> session_order(const SymbolicProgram& in,
                                  const ExecutionTerms& execution) const {
    std::vector<Term> out;
    if (options_.encoding != Encoding::Paper) return out;
    for (const auto& [name, relation] : execution.witnesses)
      for (std::size_t t = 1; name == "ar" && t < in.transactions.size(); ++t)
        if (in.transactions[t - 1].place.first == in.transactions[t].place.first)
          out.push_back(relation(t, t + 1));
    return out;
  }

  void add_limits(const SymbolicProgram& in, std::int64_t limit, std::vector<Term>& facts) {
    for (const Term input : in.possible_rows->inputs()) {
      const bool is_real = terms_.sort(input) == TermSort::Real;
      const Term max =
          is_real ? terms_.as_real(terms_.integer(limit)) : terms_.integer(limit);
      facts.push_back(terms_.less_equal(input, max));
      facts.push_back(terms_.less_equal(terms_.minus(max), input));
    }
  }

  // Whether the solver has a model in the end: finding the first one again takes time, too.
  static bool make_small(const Question& question,
                         const std::vector<std::vector<Term>>& small,
                         logic::TermSolver& solver, const Budget& budget,
                         std::size_t& queries) {
    constexpr double seconds_max = 1;
    bool is_first_model = true;  // no later question has taken it away
    for (const std::vector<Term>& limits : small) {
      if (limits.empty() && is_first_model) return true;
      is_first_model = false;
      std::vector<Term> assumptions = limits;
      assumptions.push_back(question.is_broken);
      ++queries;
      if (solver.solve(assumptions, budget.within(seconds_max)) ==
          logic::SatAnswer::Satisfiable)
        return true;
    }
    // The first model again.
    ++queries;
    return solver.solve(std::array{question.is_broken}, budget) ==
           logic::SatAnswer::Satisfiable;
  }

  void show(const SymbolicProgram& in, const ExecutionTerms& execution,
            const check::AskedLevel& asked, const Question& question,
            const logic::TermSolver& solver, Answer& out) {
    const auto model = concrete_model(in, execution, solver);
    if (!model) {
      out.unknown = fmt::format("a violation was found, but {}", model.error());
      return;
    }
    if (options_.encoding == Encoding::Paper && goes_in_a_circle(*model)) {
      out.unknown = "the encoding has no sessions, and found no run that has them";
      return;
    }
    const auto run = replay(*model);
    if (!run) return contradict(in, question, run.error(), out);
    explore::Failure failure = explore::failure_of(
        model->program, program::Granularity::Row, run->ran, run->final_state);
    failure.commit_order = run->commit_order;
    if (std::string no = describe(question, *model, *run, failure); !no.empty())
      return contradict(in, question, no, out);
    const auto is_allowed = store::is_allowed(run->observed, asked, options_.budget);
    if (!is_allowed) {
      out.unknown = "a violation was found, but there was no time to check it";
      return;
    }
    std::string gap;
    if (!*is_allowed) {
      const std::string no =
          fmt::format("the checker finds that {} forbids the run", asked.name);
      if (options_.encoding == Encoding::Exact) return contradict(in, question, no, out);
      gap = no;
    }
    failure.is_serializable = is_serializable(*run, question.kind);
    auto certified = explore::certify(std::move(failure),
                                      gap.empty() ? std::optional(asked) : std::nullopt,
                                      options_.budget);
    if (!certified) return contradict(in, question, certified.error(), out);
    Counterexample example{.program = model->program,
                           .symbols = model->symbols,
                           .initial_state = program::initial_database(model->program),
                           .failure = std::move(*certified),
                           .sees = {},
                           .order = {},
                           .gap = std::move(gap)};
    for (const std::uint32_t t : model->order)
      example.order.push_back(model->places[t - 1]);
    for (std::size_t t = 0; t < model->sees.size(); ++t) {
      auto& [place, seen] =
          example.sees.emplace_back(model->places[t], std::vector<store::Place>());
      for (const std::uint32_t u : model->sees[t])
        seen.push_back(model->places[u - 1]);
    }
    out.verdict = Verdict::Violated;
    out.counterexample = std::move(example);
  }

  // An ASSERT speaks of the reads of a transaction that is rolled back; otherwise only
  // those that commit count.
  bool is_serializable(const Replay& run, explore::FailureKind kind) const {
    std::vector<store::RunTransaction> transactions = run.observed;
    transactions.pop_back();
    for (std::size_t i = 0; i < transactions.size(); ++i)
      if (kind != explore::FailureKind::Assert && !run.ran[i].outcome.is_committed)
        transactions[i].reads.clear();
    return store::is_allowed(transactions, check::Level::SER, {}).value_or(false);
  }

  // Says what failed; or why the run does not fail.
  std::string describe(const Question& question, const ConcreteModel& model,
                       const Replay& run, explore::Failure& failure) const {
    failure.kind = question.kind;
    if (question.kind == explore::FailureKind::Assert) {
      for (const store::TransactionOutcome& outcome : failure.transactions)
        if (outcome.has_failed_assert) {
          failure.message = outcome.reason;
          failure.at = outcome.at;
          return {};
        }
      return "no ASSERT fails in the replay";
    }
    failure.name = question.invariant;
    if (question.invariant == lost_updates_name) {
      failure.message = lost_update(model, run, failure.final_state);
      return failure.message.empty() ? "no update is lost in the replay" : "";
    }
    for (const store::InvariantOutcome& outcome : failure.invariants)
      if (outcome.name == question.invariant) {
        failure.message = outcome.error;
        if (!outcome.holds) return {};
      }
    return "the invariant holds in the replay";
  }

  // Where terms are looser than values a model may be none; else it is a mistake of ours.
  static void contradict(const SymbolicProgram& in, const Question& question,
                         const std::string& what, Answer& out) {
    const auto is_loose = [](const Approximation& approximation) {
      return approximation.kind != Approximation::Kind::Unrolled;
    };
    if (std::ranges::any_of(in.approximations, is_loose) ||
        std::ranges::any_of(question.approximations, is_loose))
      out.unknown = fmt::format("a violation was found, but {}", what);
    else
      out.contradiction = what;
  }

  // --- words ---

  void give_up(LevelAnswer& out, const std::string& why) const {
    const auto add = [&](const std::string& name) {
      Answer& answer = out.answers.emplace_back();
      answer.invariant = name;
      answer.unknown = why;
    };
    for (const program::Invariant& invariant : program_.invariants)
      add(invariant.name);
    if (options_.no_lost_updates) add(std::string(lost_updates_name));
    if (has_asserts(program_)) add("ASSERT");
  }

  void add_bound(const std::string& bound) {
    if (std::ranges::find(bounds_, bound) == bounds_.end()) bounds_.push_back(bound);
  }

  void add_bounds(const std::vector<Approximation>& approximations) {
    for (const Approximation& approximation : approximations)
      switch (approximation.kind) {
        case Approximation::Kind::Unrolled:
          add_bound(fmt::format("at most {} rounds of loops with open bounds",
                                options_.unroll_max));
          break;
        case Approximation::Kind::Arithmetic:
          add_bound(fmt::format("exact results of {}", approximation.what));
          break;
        case Approximation::Kind::Uninterpreted:  // holds for any function: for the real
                                                  // one
        case Approximation::Kind::Limit:          // where it is met, nothing holds
          break;
      }
  }

  void add_bounds(const SymbolicProgram& in) {
    std::string tables;
    for (const TableId table : in.possible_rows->bounded())
      tables += fmt::format("{}{}", tables.empty() ? "" : ", ",
                            program_.tables[table.index].name);
    if (!tables.empty())
      add_bound(fmt::format("at most {} rows beside those of the scenario in {}",
                            options_.rows_max, tables));
    add_bounds(in.approximations);
    if (!options_.has_overflow) add_bound("integers that do not overflow");
    if (std::ranges::any_of(program_.symbols, [](const program::Symbol& symbol) {
          return symbol.type.kind == program::TypeKind::Numeric && !symbol.type.precision;
        }))
      add_bound("numeric parameters of two decimals");
  }

  const Program& program_;
  const Options& options_;
  logic::Terms terms_;
  std::array<std::array<std::unique_ptr<SymbolicProgram>, 2>, 2> symbolic_;
  std::vector<std::string> bounds_;
  bool assumptions_are_known_ = false;  // to be satisfied, as far as that can be told
  Clock::time_point start_;
};

// The worse of two answers to one question about two programs.
void merge(Answer& into, Answer&& from) {
  into.seconds += from.seconds;
  into.formula_size = std::max(into.formula_size, from.formula_size);
  into.queries += from.queries;
  if (into.contradiction.empty()) into.contradiction = std::move(from.contradiction);
  if (into.verdict == Verdict::Violated || from.verdict == Verdict::Holds) return;
  into.verdict = from.verdict;
  into.unknown = std::move(from.unknown);
  into.counterexample = std::move(from.counterexample);
}

void merge(LevelAnswer& into, LevelAnswer&& from) {
  for (Answer& answer : from.answers) {
    const auto known =
        std::ranges::find(into.answers, answer.invariant, &Answer::invariant);
    if (known == into.answers.end())
      into.answers.push_back(std::move(answer));
    else
      merge(*known, std::move(answer));
  }
}

// Other calls have other parameters.
Diagnostics symbols_without_calls(const Program& program) {
  Diagnostics out;
  for (const program::Invariant& invariant : program.invariants)
    if (invariant.query && mentions(*invariant.query, [](const auto&) { return true; }))
      out.push_back(diagnostic_in(
          program, invariant.query->at.first,
          fmt::format("\"{}\" speaks of parameters of the scenario's calls, which "
                      "--instances leaves out",
                      invariant.name)));
  return out;
}

}  // namespace

Expected<Result> verify(const program::Program& program, const Options& options) {
  const Clock::time_point start = Clock::now();
  const auto types =
      options.instances ? program::all_types(program) : program::called_types(program);
  if (Diagnostics errors = program::database_only(program, types); !errors.empty())
    return tl::unexpected(std::move(errors));
  if (Diagnostics errors = program::index_constraints_used(program, types); !errors.empty())
    return tl::unexpected(std::move(errors));
  if (Diagnostics errors = program::computed_rows(program, types, "verify");
      !errors.empty())
    return tl::unexpected(std::move(errors));
  if (options.instances)
    for (const program::TransactionType& type : program.types)
      if (type.is_script)
        return tl::unexpected(Diagnostics{
            diagnostic_in(program, type.at.first,
                          "--instances asks about the transactions of an application; it "
                          "cannot read scripts of sessions")});
  if (options.instances)
    if (Diagnostics errors = symbols_without_calls(program); !errors.empty())
      return tl::unexpected(std::move(errors));
  Result out;
  for (const check::AskedLevel& level : options.levels)
    out.levels.push_back({.level = level.name, .answers = {}});
  std::vector<Program> programs = options.instances
                                      ? any_transactions(program, *options.instances)
                                      : std::vector{program};
  for (Program& one : programs) {
    if (options.constraints)
      for (program::Invariant& invariant : constraint_invariants(one))
        one.invariants.push_back(std::move(invariant));
    Verifier verifier(one, options);
    for (std::size_t i = 0; i < options.levels.size(); ++i) {
      auto answer = verifier.run(options.levels[i]);
      if (!answer) return tl::unexpected(answer.error());
      merge(out.levels[i], std::move(*answer));
    }
    for (const std::string& bound : verifier.bounds())
      if (std::ranges::find(out.bounds, bound) == out.bounds.end())
        out.bounds.push_back(bound);
  }
  out.seconds = seconds_since(start);
  return out;
}

}  // namespace isomer::verify
