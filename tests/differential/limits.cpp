// SPDX-License-Identifier: MIT
// Every engine against itself under a limit: what it says then is what it says without one,
// or "unknown".
//
// Engines look at their budgets in every phase.  So an engine is first run to its end, and
// the looks are counted; then it is interrupted at some of them, drawn evenly, which
// reaches every phase, and the same place each time.  Some strikes come by the clock or as
// the end of memory, at any moment.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "audit/advise.h"
#include "audit/audit.h"
#include "base/random.h"
#include "check/check.h"
#include "differential/limited.h"
#include "differential/subject.h"
#include "explore/explore.h"
#include "history/formats.h"
#include "level/library.h"
#include "store/campaign.h"
#include "support/check/sample.h"
#include "support/predict/against_brute_force.h"
#include "synth/compare.h"
#include "verify/verify.h"

namespace isomer::differential {
namespace {

using history::History;
using program::Program;

constexpr double whole_seconds = 1;  // what takes longer is not known, and not compared
constexpr int strikes = 4;

// Raises a flag after some time, if it still lives.
class Alarm {
 public:
  Alarm(std::atomic<bool>& flag, double seconds)
      : thread_([this, &flag, seconds] {
          std::unique_lock lock(mutex_);
          if (!over_.wait_for(lock, std::chrono::duration<double>(seconds),
                              [this] { return is_over_; }))
            flag = true;
        }) {}

  ~Alarm() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_one();
    thread_.join();
  }

  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

// What an engine said, how often it looked at its budget, and how long it took.
struct Observation {
  Verdicts verdicts;
  std::int64_t looks = 0;
  double seconds = 0;
};

Observation observed(const Decide& decide, const Budget& budget, std::int64_t looks_max) {
  std::atomic<std::int64_t> looks_left = looks_max;
  const Stopwatch stopwatch;
  Observation out;
  out.verdicts = decide(budget.with_looks(looks_left));
  out.looks = looks_max - looks_left;
  out.seconds = stopwatch.seconds();
  return out;
}

// An engine that looks at its budget and goes on all the same looks again and again.
constexpr std::int64_t late_looks_max = 20'000;

std::string struck_at_look(const Decide& decide, const Observation& whole, Random& random) {
  const auto at =
      static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(whole.looks) + 1));
  const Observation found = observed(decide, Budget(whole_seconds), at);
  const std::string where = fmt::format("interrupted at look {} of {}", at, whole.looks);
  if (found.looks > at + late_looks_max)
    return fmt::format("{}: went on for {} looks", where, found.looks - at);
  return contradiction(whole.verdicts, found.verdicts, where);
}

// Of this process: on a busy machine much more may pass on the clock.
double work_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string struck_by_clock(const Decide& decide, const Observation& whole, double after) {
  const double start = work_seconds();
  const Verdicts found = decide(Budget(after));
  const double took = work_seconds() - start;
  const std::string where =
      fmt::format("ended after {:.4f} s of {:.4f}", after, whole.seconds);
  if (took > 1.1 * after + 1 + whole.seconds)
    return fmt::format("{}: took {:.1f} s of work", where, took);
  return contradiction(whole.verdicts, found, where);
}

std::string struck_by_memory(const Decide& decide, const Observation& whole, double after) {
  std::atomic<bool> is_used_up = false;
  const Alarm alarm(is_used_up, after);
  return contradiction(whole.verdicts,
                       decide(Budget(whole_seconds).with_memory_flag(is_used_up)),
                       fmt::format("out of memory after {:.4f} s", after));
}

}  // namespace

std::string contradiction(const Verdicts& whole, const Verdicts& limited,
                          const std::string& where) {
  for (const auto& [question, verdict] : limited) {
    if (verdict == unknown_verdict) continue;
    const auto known = whole.find(question);
    if (known == whole.end() || known->second == unknown_verdict) continue;
    if (known->second != verdict)
      return fmt::format("{}: {}: {}, but without a limit: {}\n", where, question, verdict,
                         known->second);
  }
  return "";
}

std::string struck(const Decide& decide, std::uint64_t seed) {
  Random random(seed);
  const Observation whole = observed(decide, Budget(whole_seconds), std::int64_t{1} << 60U);
  for (int i = 0; i < strikes; ++i) {
    const double after = random.unit() * whole.seconds;
    const std::uint64_t kind = random.below(6);
    const std::string wrong = kind == 0   ? struck_by_clock(decide, whole, after)
                              : kind == 1 ? struck_by_memory(decide, whole, after)
                                          : struck_at_look(decide, whole, random);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

namespace {

// --- histories ---

struct LimitedLog {
  check::Log log;
  std::uint64_t seed = 0;
};

std::string word(const check::Verdict& verdict) {
  return std::array<std::string, 3>{"allows", "forbids", unknown_verdict}[verdict.index()];
}

std::vector<check::AskedLevel> some_levels(Random& random) {
  std::vector<check::AskedLevel> out;
  if (random.chance(0.7)) out.assign(check::all_levels.begin(), check::all_levels.end());
  const auto library = level::standard_levels();
  for (int i = 0; i < 2; ++i) {
    const level::Level& level = library[random.below(library.size())];
    out.emplace_back(level.qualified_name(), level);
  }
  return out;
}

Answer ask_check(const LimitedLog& asked) {
  Random random(asked.seed);
  const History history = check::history_of(asked.log);
  const std::vector<check::AskedLevel> levels = some_levels(random);
  return answer(struck(
      [&](const Budget& budget) {
        const auto result = check::certified_answers(
            history, {.levels = levels, .budget = budget, .asks_library = true});
        Verdicts out;
        for (const check::LevelResult& level : result->levels)
          out[level.level.name] = word(level.verdict);
        return out;
      },
      random.next()));
}

// Bytes of some format, read from a file.
Answer ask_read(const LimitedLog& asked) {
  Random random(asked.seed);
  const auto formats = history::formats();
  const history::Format& format = formats[random.below(formats.size())];
  if (!format.is_writable || format.is_directory) return skip();
  const auto written = history::write_history(check::history_of(asked.log), format.name);
  if (!written) return skip();
  const std::string path = fmt::format("{}/history", std::getenv("SCRATCH"));
  std::ofstream(path) << written->bytes;
  return answer(struck(
      [&](const Budget& budget) -> Verdicts {
        const auto read = history::read_history_within(
            budget, path, {.format = std::string(format.name)});
        if (!read) return {{"read", render(read.error())}};
        if (!*read) return {{"read", unknown_verdict}};
        return {{"read", history::write_history((*read)->history, "jsonl")->bytes}};
      },
      random.next()));
}

std::vector<LimitedLog> less_log(const LimitedLog& asked) {
  std::vector<LimitedLog> out;
  for (check::Log& log : check::smaller(asked.log))
    out.push_back({std::move(log), asked.seed});
  return out;
}

Evidence log_evidence(const LimitedLog& asked) {
  Evidence out;
  const auto written = history::write_history(check::history_of(asked.log), "hist");
  out.files.push_back({"history.hist", written ? written->bytes : check::text(asked.log)});
  out.commands.emplace_back("isomer check --timeout 0.001 history.hist");
  return out;
}

// --- what else an observed run could have been ---

struct LimitedTrace {
  predict::Trace trace;
  std::uint64_t seed = 0;
};

Answer ask_predict(const LimitedTrace& asked) {
  Random random(asked.seed);
  const History history = predict::history_of(asked.trace);
  if (predict::obstacle(history)) return skip();
  predict::Options options;
  const auto& levels = predict::levels();
  options.level = levels[random.below(levels.size())];
  options.strategy = predict::strategies[random.below(predict::strategies.size())];
  options.boundary = predict::boundaries[random.below(predict::boundaries.size())];
  options.count_max = 1 + random.below(3);
  if (random.chance(0.3)) options.told_cells_max = 0;
  return answer(struck(
      [&](const Budget& budget) -> Verdicts {
        options.budget = budget;
        const predict::Result result = predict::predict(history, options);
        const std::string none = result.unknown.empty() ? "none" : unknown_verdict;
        return {{"prediction", result.predictions.empty() ? none : "some"}};
      },
      random.next()));
}

std::vector<LimitedTrace> less_trace(const LimitedTrace& asked) {
  std::vector<LimitedTrace> out;
  for (predict::Trace& trace : predict::smaller(asked.trace))
    out.push_back({std::move(trace), asked.seed});
  return out;
}

Evidence trace_evidence(const LimitedTrace& asked) {
  return {.files = {{"run.hist", predict::text(asked.trace)}},
          .commands = {"isomer predict --timeout 0.001 run.hist"}};
}

LimitedTrace random_limited_trace(std::uint64_t seed) {
  Random random(seed);
  return {predict::random_trace_with_aborts(random), random.next()};
}

// --- levels ---

struct LimitedLevels {
  const level::Level* left = nullptr;
  const level::Level* right = nullptr;
  std::uint64_t seed = 0;
};

std::string word(synth::Implication implication) {
  switch (implication) {
    case synth::Implication::Proved:
    case synth::Implication::InScope:
      return "implied";
    case synth::Implication::Refuted:
      return "refuted";
    case synth::Implication::Unknown:
      break;
  }
  return unknown_verdict;
}

Verdicts synthesized(const LimitedLevels& asked, const synth::Options& options) {
  const synth::Result result = synth::synth({asked.left, 1}, {asked.right, 1}, options);
  const std::array<std::string, 3> outcomes{"some", "none", unknown_verdict};
  Verdicts out{{"history", outcomes[static_cast<std::size_t>(result.outcome)]}};
  if (!result.found.empty() && result.is_smallest)
    out["smallest"] = fmt::format("{} transactions, {} operations",
                                  result.found.front()->size.transactions,
                                  result.found.front()->operations);
  return out;
}

Verdicts compared(const LimitedLevels& asked, const synth::CompareOptions& options) {
  const synth::Comparison result = synth::compare(*asked.left, *asked.right, options);
  Verdicts out{{"left to right", word(result.left_to_right.implication)},
               {"right to left", word(result.right_to_left.implication)}};
  out["relation"] = result.relationship == synth::Relationship::Unknown
                        ? std::string(unknown_verdict)
                        : std::string(synth::name(result.relationship));
  return out;
}

Answer ask_synth(const LimitedLevels& asked) {
  Random random(asked.seed);
  synth::CompareOptions options;
  options.search.scope = synth::Scope{3, 2, 4};
  options.prove = random.chance(0.5);
  const bool compares = random.chance(0.5);
  return answer(struck(
      [&](const Budget& budget) {
        options.search.budget = budget;
        return compares ? compared(asked, options) : synthesized(asked, options.search);
      },
      random.next()));
}

std::vector<LimitedLevels> less_levels(const LimitedLevels&) {
  return {};
}

Evidence levels_evidence(const LimitedLevels& asked) {
  const std::string left = asked.left->qualified_name();
  const std::string right = asked.right->qualified_name();
  return {.files = {},
          .commands = {fmt::format("isomer compare --scope 3,2,4 {} {}", left, right),
                       fmt::format("isomer synth --allow {} --forbid {} --scope 3,2,4",
                                   left, right)}};
}

LimitedLevels random_limited_levels(std::uint64_t seed) {
  Random random(seed);
  const auto levels = level::standard_levels();
  const auto any = [&] { return &levels[random.below(levels.size())]; };
  return {any(), any(), random.next()};
}

// --- programs ---

Verdicts explored(const Program& program, const explore::Options& options) {
  const explore::Result result = explore::explore(program, options);
  const bool finds_all = options.find == explore::Find::All;
  Verdicts out;
  if (result.is_complete && finds_all) {
    out["histories"] = std::to_string(result.histories);
    out["failing histories"] = std::to_string(result.assertion_failures);
  }
  const std::string none = result.is_complete ? "none" : unknown_verdict;
  out["failure"] = result.failure ? "some" : none;
  return out;
}

Answer ask_explore(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program || !store::missing_values(*program).empty()) return skip();
  Random random(subject.seed);
  explore::Options options;
  options.level = subject.level;
  options.granularity = subject.granularity;
  options.find = static_cast<explore::Find>(random.below(3));
  options.algorithm =
      random.chance(0.2) ? explore::Algorithm::Dfs : explore::Algorithm::Dpor;
  options.jobs = random.chance(0.3) ? 3 : 1;
  return answer(struck(
      [&](const Budget& budget) {
        options.budget = budget;
        return explored(*program, options);
      },
      random.next()));
}

Verdicts ran(const store::Store& store, const store::Options& options) {
  const store::Run run = store.run(options);
  Verdicts out;
  if (const auto is_serializable = store::is_serializable(run, options.budget);
      is_serializable && run.unknown.empty())
    out["serializable"] = *is_serializable ? "yes" : "no";
  if (!run.unknown.empty()) return out;
  for (const store::InvariantOutcome& invariant : run.invariants)
    out[invariant.name] = invariant.holds ? "holds" : "broken";
  out["outcome"] = store::is_failing(run) ? "fails" : "is good";
  return out;
}

Answer ask_run(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program || !store::missing_values(*program).empty()) return skip();
  const store::Store store(*program);
  store::Options options;
  options.policy = store::Policy::Random;
  options.level = subject.level;
  options.seed = subject.seed;
  options.granularity = subject.granularity;
  return answer(struck(
      [&](const Budget& budget) {
        options.budget = budget;
        return ran(store, options);
      },
      subject.seed));
}

Verdicts verified(const verify::Result& result) {
  Verdicts out{{"refused", "no"}};
  constexpr std::array words{"holds", "violated", unknown_verdict};
  for (const verify::LevelAnswer& level : result.levels)
    for (const verify::Answer& found : level.answers) {
      out[fmt::format("{} at {}", found.invariant, level.level)] =
          found.contradiction.empty() ? words[static_cast<std::size_t>(found.verdict)]
                                      : found.contradiction.c_str();
      // The limit may have come before what would have been refused.
      if (found.verdict == verify::Verdict::Unknown) out["refused"] = unknown_verdict;
    }
  return out;
}

Answer ask_verify(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program) return skip();
  Random random(subject.seed);
  verify::Options options;
  options.levels = {subject.level};
  if (random.chance(0.3)) options.levels.emplace_back(check::Level::SER);
  options.no_lost_updates = random.chance(0.3);
  options.constraints = random.chance(0.3);
  options.encoding = random.chance(0.2) ? verify::Encoding::Paper : verify::Encoding::Exact;
  const auto decide = [&](const Budget& budget) -> Verdicts {
    options.budget = budget;
    const auto result = verify::verify(*program, options);
    if (!result) return {{"refused", "yes"}};
    return verified(*result);
  };
  return answer(struck(decide, random.next()));
}

std::string types_text(const audit::Anomaly& anomaly) {
  std::vector<std::uint32_t> types;
  for (const audit::AnomalyTransaction& transaction : anomaly.transactions)
    types.push_back(transaction.type);
  std::ranges::sort(types);
  std::string out = "harm of";
  for (const std::uint32_t type : types)
    out += fmt::format(" {}", type);
  return out;
}

// Longer ones than are asked for are searched where a proof needs that.
constexpr std::size_t lengths_max = 8;

// "cycles of up to 3": none or some.
void add_lengths(Verdicts& out, std::size_t from, std::size_t to, const char* verdict) {
  for (std::size_t length = from; length <= to; ++length)
    out[fmt::format("cycles of up to {}", length)] = verdict;
}

Verdicts audited(const audit::Result& result) {
  Verdicts out;
  std::size_t shortest = lengths_max;
  for (const audit::Anomaly& anomaly : result.anomalies)
    shortest = std::min(shortest, anomaly.transactions.size());
  switch (result.verdict) {
    case audit::Verdict::Serializable:
      out["any length"] = "serializable";
      add_lengths(out, 2, lengths_max, "none");
      break;
    case audit::Verdict::NoCycle:
      add_lengths(out, 2, result.cycle_max, "none");
      break;
    case audit::Verdict::Anomalies:
      add_lengths(out, shortest, lengths_max, "some");
      break;
    case audit::Verdict::Unknown:
      break;
  }
  // Who is proved to do no harm is not found to do some.
  for (const audit::Anomaly& anomaly : result.anomalies) {
    if (anomaly.harm == audit::Harm::ProvedNone) out[types_text(anomaly)] = "none";
    if (anomaly.harm == audit::Harm::Found) out[types_text(anomaly)] = "some";
  }
  return out;
}

audit::Options audit_options(const Subject& subject, Random& random) {
  audit::Options out;
  out.cycle_max = 2 + static_cast<std::uint32_t>(random.below(2));
  out.granularity = subject.granularity;
  out.prove = random.chance(0.5);
  out.reads = random.chance(0.3) ? audit::Reads::Scanned : audit::Reads::Relevant;
  out.assume_counters = random.chance(0.3);
  return out;
}

Answer ask_audit(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program || !audit::obstacles(*program).empty()) return skip();
  Random random(subject.seed);
  audit::Options options = audit_options(subject, random);
  options.confirm = random.chance(0.2);
  const audit::Plan plan =
      audit::uniform_plan(*program, *level::standard_level(subject.level.name));
  return answer(struck(
      [&](const Budget& budget) {
        options.budget = budget;
        return audited(audit::audit(*program, plan, options));
      },
      random.next()));
}

// As the exit status has it: whatever is open leaves all open.
Verdicts advised(const audit::AdviseResult& result) {
  Verdicts out;
  if (result.unknown.empty())
    out["one level for all"] =
        result.uniform ? fmt::format("number {}", *result.uniform) : "none";
  const auto add = [&](const std::string& what,
                       const std::optional<audit::Advice>& advice) {
    if (advice && advice->is_cheapest)
      out[what] = fmt::format("{} changes", advice->price.changed);
    else if (!advice && result.unknown.empty() && !result.uniform)
      out[what] = "none";
  };
  add("by type", result.by_type);
  add("by pairs", result.by_serial_pairs);
  return out;
}

Answer ask_advise(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program || !audit::obstacles(*program).empty()) return skip();
  Random random(subject.seed);
  audit::Options options = audit_options(subject, random);
  options.cycle_max = 2;
  audit::Offer offer;
  offer.is_postgresql = random.chance(0.3);
  offer.names = {"SI", "SER"};
  if (!offer.is_postgresql && random.chance(0.5))
    offer.names.insert(offer.names.begin(), "CC");
  for (const std::string& name : offer.names)
    offer.levels.push_back(*level::standard_level("cerone:" + name));
  return answer(struck(
      [&](const Budget& budget) {
        options.budget = budget;
        return advised(audit::advise(*program, offer, options));
      },
      random.next()));
}

template <const char* command>
Evidence limited_evidence(const Subject& subject) {
  return evidence_of(
      subject, {fmt::format("{} --timeout 0.01 {}", command, level_options(subject))});
}

constexpr char explore_name[] = "explore";
constexpr char run_name[] = "run";
constexpr char verify_name[] = "verify";
constexpr char audit_name[] = "audit";
constexpr char advise_name[] = "advise";

constexpr Question<LimitedLog> of_check{ask_check, less_log, log_evidence};
constexpr Question<LimitedLog> of_read{ask_read, less_log, log_evidence};
constexpr Question<LimitedTrace> of_predict{ask_predict, less_trace, trace_evidence};
constexpr Question<LimitedLevels> of_synth{ask_synth, less_levels, levels_evidence};
constexpr Question<Subject> of_explore{ask_explore, smaller,
                                       limited_evidence<explore_name>};
constexpr Question<Subject> of_run{ask_run, smaller, limited_evidence<run_name>};
constexpr Question<Subject> of_verify{ask_verify, smaller, limited_evidence<verify_name>};
constexpr Question<Subject> of_audit{ask_audit, smaller, limited_evidence<audit_name>};
constexpr Question<Subject> of_advise{ask_advise, smaller, limited_evidence<advise_name>};

LimitedLog random_limited_log(std::uint64_t seed) {
  Random random(seed);
  const auto profile = check::all_profiles[seed % check::all_profiles.size()];
  return {check::random_log(profile, random.next(), 4 + static_cast<int>(random.below(6))),
          random.next()};
}

Subject random_run_program(std::uint64_t seed) {
  return seed % 2 == 0 ? random_application(seed) : random_litmus(seed);
}

Subject random_verified(std::uint64_t seed) {
  if (seed % 3 == 0) return random_hostile(seed, Openness::Closed);
  if (seed % 3 == 1) return random_hostile(seed, Openness::Arguments);
  return random_application(seed);
}

template <const Question<Subject>& question, Subject (*draw)(std::uint64_t)>
Agreement limited(std::string_view name) {
  return {name, "With a limit, the same answer or none.",
          [](std::uint64_t seed) { return case_of(draw(seed), question); },
          kept_case<question>};
}

}  // namespace

std::vector<Agreement> limit_agreements() {
  constexpr std::string_view claim = "With a limit, the same answer or none.";
  return {
      {"limits-check", claim,
       [](std::uint64_t seed) { return case_of(random_limited_log(seed), of_check); }},
      {"limits-read", claim,
       [](std::uint64_t seed) { return case_of(random_limited_log(seed), of_read); }},
      {"limits-predict", claim,
       [](std::uint64_t seed) { return case_of(random_limited_trace(seed), of_predict); }},
      {"limits-synth", claim,
       [](std::uint64_t seed) { return case_of(random_limited_levels(seed), of_synth); }},
      limited<of_explore, random_run_program>("limits-explore"),
      limited<of_run, random_run_program>("limits-run"),
      limited<of_verify, random_verified>("limits-verify"),
      limited<of_audit, random_audited>("limits-audit"),
      limited<of_audit, random_readers>("limits-harm"),
      limited<of_advise, random_audited>("limits-advise"),
  };
}

}  // namespace isomer::differential
