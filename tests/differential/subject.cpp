// SPDX-License-Identifier: MIT
#include "differential/subject.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "base/random.h"
#include "level/library.h"
#include "program/litmus/litmus.h"
#include "support/audit/random_reads.h"
#include "support/files.h"
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

check::AskedLevel level_named(const std::string& name) {
  if (const auto built_in = check::level_named(name)) return *built_in;
  return {name, *level::standard_level(name)};
}

std::string_view name(Granularity granularity) {
  return granularity == Granularity::Row ? "row" : "field";
}

}  // namespace

std::string litmus_text(const Subject& subject) {
  return subject.draft ? text(*subject.draft) : subject.litmus;
}

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

Subject random_hostile(std::uint64_t seed, Openness openness) {
  Random random(seed);
  RandomApplication drawn = hostile_application(random.next(), openness);
  Subject out;
  out.application = {std::move(drawn.sql), std::move(drawn.scenario)};
  out.level = random_level(random);
  out.seed = seed;
  return out;
}

namespace {

Subject audited(Random& random, const test::RandomApplication& drawn, std::uint64_t seed) {
  Subject out;
  out.application = {drawn.sql, "app = \"app.sql\"\n" + drawn.scenario};
  const std::vector<std::string> levels{"EC", "CC", "PC", "PSI", "SI"};
  const std::string level = "cerone:" + levels[random.below(levels.size())];
  out.level = check::AskedLevel(level, *level::standard_level(level));
  out.granularity = random_granularity(random);
  out.seed = seed;
  return out;
}

}  // namespace

Subject random_audited(std::uint64_t seed) {
  Random random(seed);
  const test::RandomApplication drawn = test::random_application(random);
  return audited(random, drawn, seed);
}

Subject random_typed(std::uint64_t seed) {
  Random random(seed);
  const test::RandomApplication drawn = test::random_typed_application(random);
  return audited(random, drawn, seed);
}

Subject random_typed_with_invariants(std::uint64_t seed) {
  Random random(seed);
  const test::RandomApplication drawn = test::random_typed_application(random);
  Subject out;
  out.application = {drawn.sql, "app = \"app.sql\"\n" + drawn.scenario +
                                    test::random_typed_invariants(random)};
  out.level = random_level(random);
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

Subject read_subject(const std::filesystem::path& folder) {
  Subject out;
  out.litmus = test::contents(folder / "program.txn");
  out.application = {test::contents(folder / "app.sql"),
                     test::contents(folder / "app.toml")};
  std::istringstream settings(test::contents(folder / "case"));
  for (std::string name, value; settings >> name >> value;) {
    if (name == "level") out.level = level_named(value);
    if (name == "granularity")
      out.granularity = value == "row" ? Granularity::Row : Granularity::Field;
    if (name == "seed") out.seed = std::stoull(value);
  }
  return out;
}

Expected<program::Program> program_of(const Subject& subject) {
  const std::string litmus = litmus_text(subject);
  return litmus.empty() ? loaded(subject.application)
                        : program::parse_litmus("program.txn", litmus);
}

std::vector<Subject> smaller(const Subject& subject) {
  std::vector<Subject> out;
  if (subject.draft)
    for (explore::Draft& less : smaller(*subject.draft)) {
      out.push_back(subject);
      out.back().draft = std::move(less);
    }
  else if (subject.litmus.empty())
    for (Application& less : smaller(subject.application)) {
      out.push_back(subject);
      out.back().application = std::move(less);
    }
  return out;
}

Evidence evidence_of(const Subject& subject, const std::vector<std::string>& commands) {
  Evidence out;
  out.files.push_back(
      {"case", fmt::format("level {}\ngranularity {}\nseed {}\n", subject.level.name,
                           name(subject.granularity), subject.seed)});
  if (const std::string litmus = litmus_text(subject); !litmus.empty())
    out.files.push_back({"program.txn", litmus});
  else
    std::ranges::copy(files_of(subject.application), std::back_inserter(out.files));
  for (const std::string& command : commands)
    out.commands.push_back(fmt::format("isomer {} {}", command, out.files.back().name));
  return out;
}

std::string level_options(const Subject& subject) {
  return fmt::format("--level {} --granularity {}", subject.level.name,
                     name(subject.granularity));
}

}  // namespace isomer::differential
