// SPDX-License-Identifier: MIT
// Random applications have a statement, or the head or the end of a block, on each line. So
// lines can be cut without a parser.
#include "differential/application.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "program/load.h"

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

}  // namespace isomer::differential
