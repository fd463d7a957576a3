// SPDX-License-Identifier: MIT
#include "differential/subject.h"

#include <fmt/format.h>

#include "base/random.h"
#include "level/library.h"
#include "program/litmus/litmus.h"
#include "support/audit/random_reads.h"
#include "support/verify/random_application.h"
#include "unit/audit/random_application.h"

namespace isomer::differential {
namespace {

using program::Granularity;

Granularity random_granularity(Random& random) {
  return random.chance(0.5) ? Granularity::Row : Granularity::Field;
}

// A level with a checker of its own, or any other.
check::AskedLevel random_level(Random& random) {
  if (random.chance(0.7)) return check::all_levels[random.below(check::level_count)];
  const auto levels = level::standard_levels();
  const level::Level& level = levels[random.below(levels.size())];
  return {level.qualified_name(), level};
}

}  // namespace

Subject random_litmus(std::uint64_t seed) {
  Random random(seed);
  Subject out;
  out.draft = explore::random_draft(random.next());
  out.level = random_level(random);
  out.seed = seed;
  return out;
}

Subject random_application(std::uint64_t seed) {
  Random random(seed);
  RandomApplication drawn = ApplicationMaker(random.next()).make();
  Subject out;
  out.application = {std::move(drawn.sql), std::move(drawn.scenario)};
  out.level = random_level(random);
  out.granularity = random_granularity(random);
  out.seed = seed;
  return out;
}

Subject random_audited(std::uint64_t seed) {
  Random random(seed);
  test::RandomApplication drawn = test::random_application(random);
  Subject out;
  out.application = {std::move(drawn.sql), "app = \"app.sql\"\n" + drawn.scenario};
  const std::vector<std::string> levels{"EC", "CC", "PC", "PSI", "SI"};
  const std::string level = "cerone:" + levels[random.below(levels.size())];
  out.level = check::AskedLevel(level, *level::standard_level(level));
  out.granularity = random_granularity(random);
  out.seed = seed;
  return out;
}

Subject random_readers(std::uint64_t seed) {
  Random random(seed);
  Subject out;
  out.application.sql = test::random_readers(random);
  out.application.scenario = "app = \"app.sql\"\n";
  const std::vector<std::string> levels{"EC", "CC", "PSI", "SI", "SI"};
  const std::string level = "cerone:" + levels[random.below(levels.size())];
  out.level = check::AskedLevel(level, *level::standard_level(level));
  out.granularity = random_granularity(random);
  out.seed = random.next();
  return out;
}

Expected<program::Program> program_of(const Subject& subject) {
  return subject.draft ? program::parse_litmus("program.txn", text(*subject.draft))
                       : loaded(subject.application);
}

std::vector<Subject> smaller(const Subject& subject) {
  std::vector<Subject> out;
  if (subject.draft)
    for (explore::Draft& less : smaller(*subject.draft)) {
      out.push_back(subject);
      out.back().draft = std::move(less);
    }
  else
    for (Application& less : smaller(subject.application)) {
      out.push_back(subject);
      out.back().application = std::move(less);
    }
  return out;
}

Evidence evidence_of(const Subject& subject, const std::vector<std::string>& commands) {
  Evidence out;
  if (subject.draft)
    out.files.push_back({"program.txn", text(*subject.draft)});
  else
    out.files = files_of(subject.application);
  for (const std::string& command : commands)
    out.commands.push_back(fmt::format("isomer {} {}", command, out.files.back().name));
  return out;
}

std::string level_options(const Subject& subject) {
  return fmt::format("--level {} --granularity {}", subject.level.name,
                     subject.granularity == Granularity::Row ? "row" : "field");
}

}  // namespace isomer::differential
