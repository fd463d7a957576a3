// SPDX-License-Identifier: MIT
// Random applications have a statement, or the head or the end of a block, on each line. So
// lines can be cut without a parser.
#include "differential/subject.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/random.h"
#include "level/library.h"
#include "program/litmus/litmus.h"
#include "program/load.h"
#include "support/audit/harm.h"
#include "support/files.h"
#include "support/verify/random_application.h"
#include "unit/audit/random_application.h"

namespace isomer::differential {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    out.push_back(line);
  return out;
}

std::string text_of(const Lines& lines) {
  std::string out;
  for (const std::string& line : lines)
    out += line + "\n";
  return out;
}

bool opens(const std::string& line) {
  return line.starts_with("CREATE PROCEDURE") || line.starts_with("[[session]]") ||
         line.ends_with("THEN") || line.ends_with("LOOP");
}

// A session of a scenario ends before the next head.
bool closes(const Lines& lines, std::size_t i) {
  const std::string& line = lines[i];
  const std::size_t last = i + 1;
  return line.ends_with("END IF;") || line.ends_with("END LOOP;") ||
         line.starts_with("END $$") ||
         (line.starts_with("calls") && (last == lines.size() || lines[last][0] == '['));
}

// The last line of the block that begins here; here, if none does.
std::size_t end_of_block(const Lines& lines, std::size_t first) {
  if (!opens(lines[first])) return first;
  int depth = 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    if (opens(lines[i])) ++depth;
    if (closes(lines, i) && --depth == 0) return i;
  }
  return first;
}

Lines without(Lines lines, std::size_t first, std::size_t last) {
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(first),
              lines.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  return lines;
}

// `calls = ["a(1)", "b(2)", ]` without each of its calls, if there are several.
void cut_calls(const Lines& lines, std::size_t i, std::vector<Lines>& out) {
  const std::string& line = lines[i];
  if (!line.starts_with("calls")) return;
  for (std::size_t first = line.find('"'); first != std::string::npos;) {
    const std::size_t last = line.find('"', first + 1);
    const std::size_t next = line.find('"', last + 1);
    const std::size_t end = next == std::string::npos ? line.find(']', last) : next;
    Lines less = lines;
    less[i] = line.substr(0, first) + line.substr(end);
    if (less[i].find('"') != std::string::npos) out.push_back(std::move(less));
    first = next;
  }
}

// Large cuts first.
std::vector<Lines> less_lines(const Lines& lines) {
  std::vector<Lines> out;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (const std::size_t end = end_of_block(lines, i); end > i) {
      out.push_back(without(lines, i, end));
      out.push_back(without(without(lines, end, end), i, i));
      for (std::size_t middle = i + 1; middle < end; ++middle)
        if (lines[middle].ends_with("ELSE")) {
          out.push_back(without(without(lines, middle, end), i, i));
          out.push_back(without(without(lines, end, end), i, middle));
        }
    }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out.push_back(without(lines, i, i));
    cut_calls(lines, i, out);
  }
  return out;
}

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

Expected<program::Program> loaded(const Application& application) {
  const std::filesystem::path folder = std::getenv("SCRATCH");
  for (const Evidence::File& file : files_of(application))
    std::ofstream(folder / file.name) << file.text;
  return program::load_program(folder / "app.toml");
}

std::vector<Application> smaller(const Application& application) {
  std::vector<Application> out;
  for (const Lines& less : less_lines(lines_of(application.scenario)))
    out.push_back({application.sql, text_of(less)});
  for (const Lines& less : less_lines(lines_of(application.sql)))
    out.push_back({text_of(less), application.scenario});
  return out;
}

std::vector<Evidence::File> files_of(const Application& application) {
  return {{"app.sql", application.sql}, {"app.toml", application.scenario}};
}

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
