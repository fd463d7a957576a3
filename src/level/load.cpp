// SPDX-License-Identifier: MIT
#include "level/load.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/text.h"
#include "level/language/parser.h"

namespace isomer::level {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t text_size_max = std::size_t{256} << 10U;
constexpr std::size_t definitions_max = 2000;
constexpr std::size_t include_depth_max = 50;

std::size_t definition_count(const Program& program) {
  return program.lets.size() + program.frameworks.size() + program.levels.size();
}

struct Loader {
  Program& program;
  Diagnostics& errors;
  std::vector<fs::path> reading;  // the including files, outermost first
  std::vector<fs::path> read;

  std::uint32_t add(std::string_view file, std::string_view text) {
    const auto source = static_cast<std::uint32_t>(program.sources.size());
    program.sources.push_back(
        {.file = std::string(file), .text = std::string(text), .is_standard = false});
    const fs::path path = normal(file);
    reading.push_back(path);
    read.push_back(path);
    for (const Include& include : parse_source(program, source, errors))
      if (errors.size() < errors_max) add_include(include);
    reading.pop_back();
    return source;
  }

  void add_include(const Include& include) {
    const fs::path beside =
        fs::path(program.sources[include.place.source].file).parent_path();
    const std::string file = (beside / include.path).string();
    const fs::path path = normal(file);
    if (contains(reading, path) || reading.size() > include_depth_max) {
      errors.push_back(
          diagnostic_at(program, include.place,
                        fmt::format("'{}' includes itself", printable(include.path))));
      return;
    }
    if (contains(read, path)) return;
    const Expected<std::string> text = read_level_file(file);
    if (text)
      add(file, *text);
    else
      errors.push_back(
          diagnostic_at(program, include.place,
                        fmt::format("cannot include '{}': {}", printable(include.path),
                                    text.error().front().message)));
  }

  static bool contains(const std::vector<fs::path>& paths, const fs::path& path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  }

  static fs::path normal(const fs::path& path) {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(path, error);
    return error ? path.lexically_normal() : canonical;
  }
};

}  // namespace

Program load_standard() {
  Program program;
  Diagnostics errors;
  for (const StandardText& text : standard_texts()) {
    program.sources.push_back({.file = std::string(text.file),
                               .text = std::string(text.text),
                               .is_standard = true});
    parse_source(program, static_cast<std::uint32_t>(program.sources.size() - 1), errors);
  }
  if (!errors.empty()) fmt::print(stderr, "{}", render(errors));
  ISOMER_ASSERT(errors.empty());
  return program;
}

Loaded load(std::string_view file, std::string_view text, Diagnostics& errors) {
  Loaded out{.program = load_standard(), .user_source = 0};
  if (text.size() > text_size_max) {
    errors.push_back(diagnostic_of_file(file, "this is too large for a level text"));
    return out;
  }
  out.user_source = Loader{out.program, errors, {}, {}}.add(file, text);
  if (errors.empty() && definition_count(out.program) > definitions_max)
    errors.push_back(diagnostic_of_file(
        file, fmt::format("there are more than {} definitions", definitions_max)));
  return out;
}

Expected<std::string> read_level_file(const std::string& path) {
  return read_text_file(path, text_size_max, "a level text");
}

}  // namespace isomer::level
