// SPDX-License-Identifier: MIT
#include "cli/documents.h"

#include <cstdio>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output.h"
#include "report/page/page.h"
#include "report/picture/picture.h"

namespace isomer::cli {
namespace {

int write(std::string_view command, const std::string& path,
          const Expected<std::string>& bytes) {
  if (bytes) return write_bytes_or_complain(command, path, *bytes);
  fmt::print(stderr, "{}", render(bytes.error()));
  return status_bad_input;
}

// The pictures of the page; a graph that is not made of transactions is Graphviz's work.
Expected<std::string> svg_of(const DocumentMakers& makers) {
  if (makers.svg) return makers.svg();
  if (makers.html) {
    const Expected<std::string> page = makers.html();
    if (!page) return page;
    if (std::string svg = report::svg_document(*page); !svg.empty()) return svg;
  }
  return report::svg_of_dot(makers.dot());
}

}  // namespace

DocumentFiles documents_in(const Arguments& arguments, OptionReader& reader) {
  DocumentFiles files{.json = arguments.has("--json"),
                      .dot = arguments.value("--dot"),
                      .svg = arguments.value("--svg"),
                      .html = arguments.value("--html")};
  std::vector<std::string> on_stdout;
  if (files.json) on_stdout.emplace_back("--json");
  for (const char* option : {"--dot", "--svg", "--html", "--output", "--histories",
                             "--scenario-out", "--psql", "--isolation-spec"})
    if (arguments.value(option) == "-") on_stdout.push_back(fmt::format("{} -", option));
  if (on_stdout.size() > 1)
    reader.fail(
        fmt::format("{} and {} both want standard output", on_stdout[0], on_stdout[1]));
  files.text = on_stdout.empty();
  return files;
}

std::string command_typed(std::string_view command, std::span<const Option> options,
                          const Arguments& arguments) {
  std::string positional;
  std::string named;
  for (const Option& option : options) {
    const bool is_about_results =
        option.name == "--json" || option.name == "--to" || option.name == "--on";
    if (is_about_results || option.completes == Completes::Files) continue;
    for (const std::string& value : arguments.values(option.name)) {
      if (option.is_positional())
        positional += fmt::format(" {}", value);
      else if (value.find(' ') != std::string::npos)
        named += fmt::format(" {} \"{}\"", option.name, value);
      else
        named += fmt::format(" {}{}{}", option.name, value.empty() ? "" : " ", value);
    }
  }
  return fmt::format("isomer {}{}{}", command, positional, named);
}

int write_documents(std::string_view command, const DocumentFiles& files,
                    const DocumentMakers& makers) {
  int status = status_nothing_found;
  const auto add = [&](const std::string& path, const auto& make) {
    if (!path.empty()) status = worst(status, write(command, path, make()));
  };
  add(files.text && makers.text ? "-" : "", makers.text);
  add(files.json ? "-" : "", makers.json);
  add(files.dot, makers.dot);
  add(files.svg, [&] { return svg_of(makers); });
  add(files.html, makers.html);
  return status;
}

}  // namespace isomer::cli
