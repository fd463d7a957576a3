// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "report/check/finding.h"
#include "report/check/verdicts.h"
#include "report/check/wording.h"
#include "report/failing_history/failing_history.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using explore::Failure;
using history::KeyId;
using program::Program;

std::string operation_line(const FailingHistory& f, const std::vector<ToldTransaction>& all,
                           const ToldOperation& operation) {
  const std::string key = key_text(f.failure->history, operation.key);
  return fmt::format(
      "<li><span class=\"mono\">{} {} = {}</span>{}</li>\n",
      operation.is_read ? "reads" : "writes", escape_html(key),
      escape_html(operation.value),
      operation.is_read
          ? fmt::format(" from {}", escape_html(writer_text(all, operation.writer)))
          : "");
}

// The operations under the lines of SQL that caused them.
std::string steps(const FailingHistory& f, const std::vector<ToldTransaction>& all,
                  const std::vector<ToldOperation>& operations) {
  std::string out;
  for (auto first = operations.begin(); first != operations.end();) {
    const std::string line = source_line(f.program, first->at);
    const auto last =
        std::find_if(first, operations.end(), [&](const ToldOperation& operation) {
          return source_line(f.program, operation.at) != line;
        });
    out += line.empty() ? "<li><ul>\n"
                        : fmt::format("<li><pre>{}</pre>\n<ul>\n", escape_html(line));
    for (; first != last; ++first)
      out += operation_line(f, all, *first);
    out += "</ul></li>\n";
  }
  return out;
}

std::string transaction_part(const FailingHistory& f,
                             const std::vector<ToldTransaction>& all,
                             const ToldTransaction& told, const std::vector<KeyId>& keys) {
  const ToldExcerpt shown = told_excerpt(told, keys);
  std::string out = fmt::format(
      "<h3>{} <span class=\"mono\">{}</span> <span class=\"aside\">{}</span></h3>\n"
      "<ul class=\"steps\">\n{}",
      escape_html(told.name), escape_html(told.call),
      escape_html(fate_text(f.program, told.outcome, Ink(false))),
      steps(f, all, shown.operations));
  if (shown.left_out > 0)
    out += fmt::format("<li class=\"aside\">... {} that {} nothing to it</li>\n",
                       counted(shown.left_out, "operation"),
                       shown.left_out == 1 ? "adds" : "add");
  return out + "</ul>\n";
}

std::string story(const FailingHistory& f, const std::vector<ToldTransaction>& told) {
  const Failure& failure = f.failure;
  std::string out = "<h2>What happens</h2>\n";
  const std::vector<KeyId> keys = written_keys(failure.history);
  for (const ToldTransaction& transaction : told)
    out += transaction_part(f, told, transaction, keys);
  if (const std::string state = told_state_text(f, Ink(false)); !state.empty())
    out += fmt::format("<h3>In the end</h3>\n<pre>{}</pre>\n", escape_html(state));
  for (const store::InvariantOutcome& invariant : failure.invariants)
    out += fmt::format("<p><span class=\"chip {}\">{}</span> {}</p>\n",
                       invariant.holds ? "ok" : "no", invariant.holds ? "holds" : "BROKEN",
                       escape_html(invariant.name));
  return out;
}

std::string why(const FailingHistory& f) {
  const explore::Failure& failure = f.failure;
  const std::vector<Finding> found = findings(failure.levels);
  std::string out =
      fmt::format("<h2>Who allows it</h2>\n{}<p>{}</p>\n",
                  verdict_table_html(failure.levels), escape_html(prevention(f)));
  if (found.empty()) return out;
  const check::Violated& violation = *found[0].violation;
  out += fmt::format("<p><b>{}</b>: {}</p>\n",
                     escape_html(finding_title(failure.judged, found[0])),
                     escape_html(violation.summary));
  if (!violation.cycle.empty())
    out += fmt::format("<ol class=\"reasons\">\n{}</ol>\n",
                       reasons_list(failure.judged, told(violation.cycle), f.picture_id));
  return out;
}

// The lines of the source that the failing history ran, by offset of their first byte.
std::set<std::size_t> lines_run(const Program& program,
                                const std::vector<ToldTransaction>& told) {
  std::set<std::size_t> out;
  const auto add = [&](const program::Span& at) {
    if (at.last == 0) return;
    out.insert(line_start(program.source, at.first));
  };
  for (const ToldTransaction& transaction : told) {
    for (const ToldOperation& operation : transaction.operations)
      add(operation.at);
    if (!transaction.outcome.is_committed) add(transaction.outcome.at);
  }
  return out;
}

// One transaction type, with its lines numbered and those that were run marked.
std::string listing(const Program& program, const program::TransactionType& type,
                    const std::set<std::size_t>& run) {
  const std::string& source = program.source;
  const auto [file, position] = program::place_of(program, type.at.first);
  std::size_t number = position.line;
  std::size_t start = line_start(source, type.at.first);
  std::string out;
  const std::size_t last = std::min<std::size_t>(type.at.last, source.size());
  while (start < last) {
    const std::size_t end = std::min(source.find('\n', start), source.size());
    const std::string line =
        fmt::format("{:>4}  {}", number++, escape_html(source.substr(start, end - start)));
    out += run.contains(start) ? fmt::format("<mark>{}</mark>\n", line) : line + "\n";
    start = end + 1;
  }
  return fmt::format("<h3>{} <span class=\"aside\">{}:{}</span></h3>\n<pre>{}</pre>\n",
                     escape_html(type.name), escape_html(file), position.line, out);
}

std::string sources(const Program& program, const std::vector<ToldTransaction>& told) {
  const std::set<std::size_t> run = lines_run(program, told);
  std::set<std::uint32_t> types;
  for (const ToldTransaction& transaction : told) {
    const store::TransactionOutcome& outcome = transaction.outcome;
    types.insert(program.sessions[outcome.session].calls[outcome.index].type);
  }
  std::string out =
      "<h2>The program</h2>\n<p class=\"aside\">Marked: the lines that read or wrote "
      "something in this history.</p>\n";
  for (const std::uint32_t type : types)
    out += listing(program, program.types[type], run);
  return out;
}

}  // namespace

std::string failing_history_html(const FailingHistory& f, std::string_view heading,
                                 std::string_view start) {
  const std::vector<ToldTransaction> told = told_transactions(f.program, f.failure);
  return fmt::format("<h2>{}</h2>\n{}{}{}{}{}", escape_html(heading),
                     figure(f.failure->judged, failing_history_scene(f), f.picture_id),
                     start, story(f, told), why(f), sources(f.program, told));
}

}  // namespace isomer::report
