// SPDX-License-Identifier: MIT
// Agreements of the symbolic engines with explore, on SQL applications.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "audit/audit.h"
#include "audit/confirm/occurs.h"
#include "base/random.h"
#include "differential/subject.h"
#include "explore/explore.h"
#include "level/library.h"
#include "support/audit/harm.h"
#include "support/verify/against_explore.h"
#include "support/verify/hostile_application.h"
#include "verify/verify.h"

namespace isomer::differential {
namespace {

using audit::Reads;
using program::Program;

constexpr double question_seconds = 5;
constexpr double open_question_seconds = 2;  // most take far less, and some no end

Answer answer_of(const verify::Compared& row) {
  if (row.explored == "unknown" || row.verified.starts_with("unknown")) return skip();
  if (row.explored == row.verified) return {};
  return answer(fmt::format("{}: explore says {}, verify says {}", row.level, row.explored,
                            row.verified));
}

Answer ask_verify(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program) return skip();
  const auto rows =
      verify::compared_with_explore(*program, {subject.level}, question_seconds);
  return rows ? answer_of(rows->front()) : skip();
}

// Some of the closed programs that the application stands for.
std::vector<Program> instances_of(const Subject& subject) {
  constexpr std::uint64_t instances_max = 6;
  std::vector<Program> out;
  for (std::uint64_t i = 0; i < instances_max; ++i) {
    Subject instance = subject;
    instance.application.scenario =
        random_instance(subject.application.scenario, subject.seed * instances_max + i);
    if (auto program = program_of(instance)) out.push_back(std::move(*program));
  }
  return out;
}

Answer ask_open(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program) return skip();
  const auto out = verify::compared_with_instances(*program, instances_of(subject),
                                                   subject.level, open_question_seconds);
  if (!out) return skip();
  if (!out->wrong.empty()) return answer(subject.level.name + ": " + out->wrong);
  return out->is_unknown || (!out->is_violated && out->instances == 0) ? skip() : Answer{};
}

// Invariants that every program has, and those of the scenario, one by one.
Answer ask_broken(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program || !subject.level.built_in) return skip();
  const auto space = explore::brute_force(*program, {.count_max = 300});
  if (!space) return skip();
  verify::Options options;
  options.levels = {subject.level};
  options.has_overflow = options.no_lost_updates = options.constraints = true;
  options.seconds_per_question = question_seconds;
  const auto result = verify::verify(*program, options);
  if (!result) return skip();
  const std::set<std::string> expected = verify::broken(*space, subject.level.built_in);
  std::string out;
  for (const verify::Answer& found : result->levels.front().answers) {
    if (!found.contradiction.empty()) out += found.contradiction + "\n";
    if (found.verdict == verify::Verdict::Unknown) continue;
    const bool is_broken = found.verdict == verify::Verdict::Violated;
    if (is_broken != expected.contains(found.invariant))
      out += fmt::format("{}: brute force {} '{}', verify {}\n", subject.level.name,
                         is_broken ? "does not break" : "breaks", found.invariant,
                         is_broken ? "does" : "does not");
  }
  return answer(std::move(out));
}

// The paper's encoding is the level of the name only at SER, and of two transactions.  It
// has no sessions.
bool is_exact_on_paper(const Program& program, check::Level level) {
  const auto has_one_call = [](const program::Session& session) {
    return session.calls.size() == 1;
  };
  return level >= check::Level::CC && std::ranges::all_of(program.sessions, has_one_call) &&
         (level == check::Level::SER || program.sessions.size() == 2);
}

Answer ask_paper(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program || !subject.level.built_in) return skip();
  if (!is_exact_on_paper(*program, *subject.level.built_in)) return skip();
  const auto rows = verify::compared_with_explore(
      *program, {subject.level}, question_seconds, verify::Encoding::Paper);
  if (!rows) return skip();
  // Conflicts are told by values: a write that changes nothing conflicts with itself.
  const bool has_conflicts = *subject.level.built_in == check::Level::PSI ||
                             *subject.level.built_in == check::Level::SI;
  if (has_conflicts && rows->front().verified == "holds") return skip();
  return answer_of(rows->front());
}

bool finds_anomaly(const Program& program, const Subject& subject, Reads reads,
                   std::size_t cycle_max) {
  audit::Options options;
  options.cycle_max = static_cast<std::uint32_t>(cycle_max);
  options.granularity = subject.granularity;
  options.reads = reads;
  options.confirm = false;
  options.stop_at_first = true;
  const audit::Plan plan =
      audit::uniform_plan(program, *level::standard_level(subject.level.name));
  const audit::Result result = audit::audit(program, plan, options);
  return !result.anomalies.empty() || !result.unknown.empty();
}

// Everything committed, and no serial order does the same.
bool is_harmful(const Program& program, const Subject& subject,
                const explore::Failure& failure) {
  if (failure.dropped > 0) return false;
  for (const store::TransactionOutcome& outcome : failure.transactions)
    if (!outcome.is_committed) return false;
  audit::Options options;
  options.granularity = subject.granularity;
  return audit::has_serial_outcome(program, failure.history, options, subject.level) ==
         false;
}

// What explore finds with some transactions, audit finds as a cycle of as many.
Answer ask_audit(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program || !audit::obstacles(*program).empty()) return skip();
  explore::Options options;
  options.level = subject.level;
  options.find = explore::Find::Unserializable;
  options.granularity = subject.granularity;
  options.budget = Budget(question_seconds);
  const explore::Result found = explore::explore(*program, options);
  if (!found.failure) return skip();
  const std::size_t count = program->sessions.size() - found.failure.value()->dropped;
  if (!finds_anomaly(*program, subject, Reads::Scanned, count))
    return answer("explore finds an anomaly, audit none among scanned reads");
  if (is_harmful(*program, subject, *found.failure) &&
      !finds_anomaly(*program, subject, Reads::Relevant, count))
    return answer("explore finds a harmful anomaly, audit none among relevant reads");
  return {};
}

// Some calls of these types at the level, on some rows: do they end as no serial order
// does?
std::optional<std::string> found_harm(const Subject& subject, Random& random,
                                      const std::vector<std::uint32_t>& types) {
  Application one = subject.application;
  one.scenario += test::random_readers_scenario(random, types);
  const auto scenario = loaded(one);
  if (!scenario) return std::nullopt;  // cut down
  const test::Outcomes outcomes =
      test::compared_with_serial(*scenario, subject.level, subject.granularity);
  if (!outcomes.harm) return std::nullopt;
  return fmt::format("{}\n{}", one.scenario, *outcomes.harm);
}

constexpr int worlds = 4;  // rows and arguments that are tried for a claim

// What audit leaves out as harmless does no harm: neither all together, if all are left
// out, nor the transactions of one anomaly.
Answer ask_harmless(const Subject& subject) {
  const auto program = program_of(subject);
  if (!program || !audit::obstacles(*program).empty()) return skip();
  audit::Options options;
  options.cycle_max = 3;
  options.granularity = subject.granularity;
  options.confirm = false;
  options.budget = Budget(question_seconds);
  Random random(subject.seed);
  if (random.below(4) == 0) options.reads = Reads::Scanned;
  const audit::Result result = audit::audit(
      *program, audit::uniform_plan(*program, *level::standard_level(subject.level.name)),
      options);
  if (!result.unknown.empty()) return skip();
  bool all_are_harmless = true;
  bool is_interesting = false;
  const auto refuted = [&](const std::vector<std::uint32_t>& types) {
    for (int i = 0; i < worlds; ++i)
      if (auto harm = found_harm(subject, random, types)) return harm;
    return std::optional<std::string>();
  };
  for (const audit::Anomaly& anomaly : result.anomalies) {
    if (anomaly.harm != audit::Harm::ProvedNone) {
      all_are_harmless = false;
      continue;
    }
    is_interesting = true;
    std::vector<std::uint32_t> types;
    for (const audit::AnomalyTransaction& transaction : anomaly.transactions)
      types.push_back(transaction.type);
    if (const auto harm = refuted(types))
      return answer("audit calls an anomaly harmless, but\n" + *harm);
  }
  if (!all_are_harmless) return is_interesting ? Answer{} : skip();
  for (int i = 0; i < worlds; ++i) {
    std::vector<std::uint32_t> types(2 + random.below(2));
    for (std::uint32_t& type : types)
      type = static_cast<std::uint32_t>(random.below(program->types.size()));
    if (const auto harm = found_harm(subject, random, types))
      return answer("audit sees no harm, but\n" + *harm);
  }
  return is_interesting ? Answer{} : skip();
}

Evidence harmless_evidence(const Subject& subject) {
  const std::string options = level_options(subject);
  return evidence_of(subject, {"audit --ignore-harmless " + options});
}

Evidence verify_evidence(const Subject& subject) {
  return evidence_of(
      subject, {fmt::format("verify --overflow --level {}", subject.level.name),
                fmt::format("explore --find failing --level {}", subject.level.name)});
}

Evidence open_evidence(const Subject& subject) {
  return evidence_of(subject,
                     {fmt::format("verify --overflow --level {}", subject.level.name)});
}

Evidence broken_evidence(const Subject& subject) {
  return evidence_of(
      subject, {fmt::format("verify --overflow --no-lost-updates --constraints --level {}",
                            subject.level.name)});
}

Evidence paper_evidence(const Subject& subject) {
  return evidence_of(
      subject,
      {fmt::format("verify --encoding paper --overflow --level {}", subject.level.name),
       fmt::format("explore --find failing --level {}", subject.level.name)});
}

Evidence audit_evidence(const Subject& subject) {
  const std::string options = level_options(subject);
  return evidence_of(subject, {"audit " + options + " --reads scanned",
                               "explore --find unserializable " + options});
}

// Two sessions of one call each, at a level that the paper has.
Subject random_for_paper(std::uint64_t seed) {
  for (Random random(seed);;) {
    Subject out = random_application(random.next());
    const std::string& scenario = out.application.scenario;
    const std::size_t first = scenario.find("[[session]]");
    const std::size_t second = scenario.find("[[session]]", first + 1);
    if (second == std::string::npos ||
        scenario.find("[[session]]", second + 1) != std::string::npos)
      continue;
    constexpr auto weakest = static_cast<std::size_t>(check::Level::CC);
    out.level = check::all_levels[weakest + random.below(check::level_count - weakest)];
    return out;
  }
}

constexpr Question<Subject> of_verify{ask_verify, smaller, verify_evidence};
constexpr Question<Subject> of_open{ask_open, smaller, open_evidence};
constexpr Question<Subject> of_broken{ask_broken, smaller, broken_evidence};
constexpr Question<Subject> of_paper{ask_paper, smaller, paper_evidence};
constexpr Question<Subject> of_audit{ask_audit, smaller, audit_evidence};
constexpr Question<Subject> of_harmless{ask_harmless, smaller, harmless_evidence};

}  // namespace

std::vector<Agreement> application_agreements() {
  return {
      {"verify-explore", "Verify finds a violation if and only if explore does.",
       [](std::uint64_t seed) { return case_of(random_application(seed), of_verify); },
       kept_case<of_verify>},
      {"verify-guarded", "Likewise with guarded and nested queries, empty tables and NULL.",
       [](std::uint64_t seed) {
         return case_of(random_hostile(seed, Openness::Closed), of_verify);
       },
       kept_case<of_verify>},
      {"verify-typed",
       "Likewise with texts, numbers, dates and NULL, and their conversions.",
       [](std::uint64_t seed) {
         return case_of(random_typed_with_invariants(seed), of_verify);
       },
       kept_case<of_verify>},
      {"verify-values", "What verify proves for any arguments, explore does not break.",
       [](std::uint64_t seed) {
         return case_of(random_hostile(seed, Openness::Arguments), of_open);
       },
       kept_case<of_open>},
      {"verify-states", "What verify proves for any initial rows, explore does not break.",
       [](std::uint64_t seed) {
         return case_of(random_hostile(seed, Openness::State), of_open);
       },
       kept_case<of_open>},
      {"verify-brute", "Verify finds the invariants broken that brute force finds broken.",
       [](std::uint64_t seed) { return case_of(random_application(seed), of_broken); },
       kept_case<of_broken>},
      {"verify-paper",
       "The paper's encoding of verify agrees with explore where it is exact.",
       [](std::uint64_t seed) { return case_of(random_for_paper(seed), of_paper); },
       kept_case<of_paper>},
      {"audit-explore", "What explore finds unserializable, audit does not call safe.",
       [](std::uint64_t seed) { return case_of(random_audited(seed), of_audit); },
       kept_case<of_audit>},
      {"audit-typed",
       "Likewise with texts, numbers, dates and NULL, and their conversions.",
       [](std::uint64_t seed) { return case_of(random_typed(seed), of_audit); },
       kept_case<of_audit>},
      {"audit-harmless",
       "What audit calls harmless ends as some serial order does, in all that explore "
       "finds.",
       [](std::uint64_t seed) { return case_of(random_readers(seed), of_harmless); },
       kept_case<of_harmless>},
  };
}

}  // namespace isomer::differential
