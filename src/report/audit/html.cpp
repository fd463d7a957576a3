// SPDX-License-Identifier: MIT
// The result as a page that needs nothing but itself: the answer for each level, then each
// anomaly with its cycle, the SQL that makes it, and what explore ran into.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/audit/words.h"
#include "report/check/wording.h"
#include "report/failing_history/failing_history.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using audit::Anomaly;
using audit::Confirmation;
using audit::Dependency;
using program::Program;

constexpr std::size_t lines_shown_max = 14;  // of one statement

// --- the answers ---

std::string chip(std::string_view mood, std::string_view text) {
  return fmt::format("<span class=\"chip {}\">{}</span>", mood, escape_html(text));
}

std::string verdict_rows(const Audited& audited, const AuditTextOptions& options) {
  std::string out;
  for (const AuditedLevel& level : audited.levels) {
    const VerdictWords words = verdict_words(level.result, options);
    out += fmt::format(
        "<tr><th>{}</th><td class=\"{}\">{}</td><td class=\"why\">{}</td></tr>\n",
        escape_html(level.plan.name), words.mood, escape_html(words.answer),
        escape_html(words.detail));
  }
  return fmt::format("<table class=\"verdicts answers\">\n{}</table>\n", out);
}

// "NOT serializable at EC, CC; serializable at PSI".
std::string levels_in_short(const Audited& audited, const AuditTextOptions& options) {
  std::vector<std::pair<std::string, std::vector<std::string>>> answers;
  for (const AuditedLevel& level : audited.levels) {
    const std::string answer = verdict_words(level.result, options).answer;
    auto known = std::ranges::find(answers, answer, [](const auto& a) { return a.first; });
    if (known == answers.end()) known = answers.insert(known, {answer, {}});
    known->second.push_back(level.plan.name);
  }
  std::vector<std::string> parts;
  for (const auto& [answer, levels] : answers)
    parts.push_back(fmt::format("{} at {}", answer, fmt::join(levels, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

Tone tone_of(const Audited& audited, const AuditTextOptions& options) {
  Tone out = Tone::Good;
  for (const AuditedLevel& level : audited.levels) {
    const std::string_view mood = verdict_words(level.result, options).mood;
    if (mood == "no") return Tone::Bad;
    if (mood == "unknown") out = Tone::Unknown;
  }
  return out;
}

std::string overview(const Audited& audited, const AuditTextOptions& options) {
  double seconds = 0;
  for (const AuditedLevel& level : audited.levels)
    seconds += level.result.seconds;
  return fmt::format(
      "<section>\n<h1>{}</h1>\n<p class=\"facts\">{}, any number of each; cycles of up to "
      "{} transactions; {:.2f} s</p>\n{}{}</section>\n",
      escape_html(printable(audited.program.file, 400)),
      counted(audited.program.types.size(), "transaction type"), audited.options.cycle_max,
      seconds, lead(tone_of(audited, options), levels_in_short(audited, options)),
      verdict_rows(audited, options));
}

// --- one anomaly ---

// The lines of the source that a statement stands on, with their numbers.
std::string source_lines(const Program& program, const program::Span& at) {
  const std::string& source = program.source;
  const auto [file, position] = program::place_of(program, at.first);
  std::size_t number = position.line;
  std::size_t start = line_start(source, at.first);
  const std::size_t last = std::min<std::size_t>(at.last, source.size());
  std::string out;
  for (std::size_t shown = 0; start < last; ++shown) {
    if (shown == lines_shown_max) return out + "      ...\n";
    const std::size_t end = std::min(source.find('\n', start), source.size());
    out += fmt::format("{:>4}  {}\n", number++,
                       escape_html(source.substr(start, end - start)));
    start = end + 1;
  }
  return out;
}

std::string statement_part(const Program& program, std::size_t place, std::string_view verb,
                           const program::Statement& statement) {
  return fmt::format("<b>{} {}</b> <span class=\"aside\">{}</span>\n{}",
                     transaction_name(place), verb,
                     escape_html(short_place_text(program, statement.at)),
                     source_lines(program, statement.at));
}

std::string dependencies(const Program& program, const Anomaly& anomaly,
                         std::string_view id) {
  std::string out;
  for (std::size_t i = 0; i < anomaly.dependencies.size(); ++i) {
    const Dependency& edge = anomaly.dependencies[i];
    out += fmt::format(
        "<li data-arrow=\"{}-e{}\"><span class=\"mono\">{} <b class=\"{}\">{}</b> "
        "{}</span> &ensp;{}\n<pre>{}{}</pre></li>\n",
        id, i, transaction_name(edge.from), audit::name(edge.kind),
        escape_html(
            fmt::format("--{} {}-->", audit::name(edge.kind), record_text(program, edge))),
        transaction_name(edge.to), escape_html(dependency_sentence(edge)),
        statement_part(program, edge.from, from_verb(edge.kind), *edge.from_statement),
        statement_part(program, edge.to, to_verb(edge.kind), *edge.to_statement));
  }
  return fmt::format("<ol class=\"reasons\">\n{}</ol>\n", out);
}

std::string calls(const Program& program, const Anomaly& anomaly) {
  std::string out;
  for (std::size_t i = 0; i < anomaly.transactions.size(); ++i)
    out += fmt::format(
        "<li><b>{}</b> <span class=\"mono\">{}</span></li>\n", transaction_name(i),
        escape_html(printable(call_text(program, anomaly.transactions[i]), 200)));
  for (std::size_t i = 0; i < anomaly.beside.size(); ++i)
    out +=
        fmt::format("<li><b>{}</b> <span class=\"mono\">{}</span> beside the cycle</li>\n",
                    beside_name(anomaly, i),
                    escape_html(printable(call_text(program, anomaly.beside[i]), 200)));
  return fmt::format("<ul class=\"calls\">\n{}</ul>\n", out);
}

std::string replay_part(const audit::Replay& replay, program::Granularity granularity,
                        std::string_view id) {
  return failing_history_html({.program = replay.program,
                               .failure = replay.failure,
                               .level = replay.level,
                               .granularity = granularity,
                               .picture_id = fmt::format("{}-run", id)},
                              headline(replay.program, replay.failure));
}

// Rows and calls, and what explore makes of them.
std::string scenario_part(const Audited& audited, const AuditedLevel& level,
                          std::size_t number, std::string_view id) {
  const Anomaly& anomaly = level.result.anomalies[number];
  if (anomaly.scenario.empty()) return {};
  std::string out = fmt::format(
      "<details>\n<summary>The scenario that shows it, and a run of it</summary>\n"
      "<p class=\"aside\">Rows and calls, as --scenario-out writes them for isomer "
      "explore.</p>\n<pre>{}</pre>\n",
      escape_html(anomaly.scenario));
  if (number < level.replays.size() && level.replays[number])
    out += replay_part(*level.replays[number], audited.options.granularity, id);
  return out + "</details>\n";
}

std::string_view mood(const Anomaly& anomaly) {
  if (anomaly.harm == audit::Harm::ProvedNone) return "ok";
  return anomaly.confirmation == Confirmation::Unconfirmed ? "unknown" : "no";
}

std::string_view short_confirmation(const Anomaly& anomaly) {
  if (anomaly.confirmation == Confirmation::Unconfirmed) return "not confirmed";
  if (anomaly.confirmation == Confirmation::NotAsked) return "not run";
  if (anomaly.harm == audit::Harm::ProvedNone) return "confirmed, harmless";
  return anomaly.harm == audit::Harm::Found ? "confirmed" : "confirmed, no harm found";
}

std::string standing(const Anomaly& anomaly) {
  std::string out;
  if (anomaly.confirmation == Confirmation::Unconfirmed)
    out = fmt::format("<p class=\"aside\">Not confirmed: {}.</p>\n",
                      escape_html(anomaly.why_unconfirmed));
  const std::string harm = harm_sentence(anomaly);
  return harm.empty() ? out : fmt::format("{}<p class=\"aside\">{}</p>\n", out, harm);
}

std::string anomaly_part(const Audited& audited, const AuditedLevel& level,
                         const Anomaly& anomaly, std::string_view level_id) {
  const auto number = static_cast<std::size_t>(&anomaly - level.result.anomalies.data());
  const std::string id = fmt::format("{}a{}", level_id, number + 1);
  const AnomalyPicture drawn = anomaly_picture(audited.program, anomaly);
  return fmt::format(
      "<h2 id=\"{}\">{} {}</h2>\n<p>{}</p>\n{}{}{}{}{}", id,
      escape_html(title_text(audited.program, anomaly)),
      chip(mood(anomaly), short_confirmation(anomaly)), kind_sentence(anomaly),
      standing(anomaly), calls(audited.program, anomaly),
      figure(drawn.history, drawn.scene, id), dependencies(audited.program, anomaly, id),
      scenario_part(audited, level, number, id));
}

// The best of a group in full, the others to unfold.
std::string group_part(const Audited& audited, const AuditedLevel& level,
                       const AnomalyGroup& group, std::string_view level_id) {
  std::string out = anomaly_part(audited, level, *group.front(), level_id);
  if (group.size() < 2) return out;
  out +=
      fmt::format("<details>\n<summary>The same by other statements: {} more</summary>\n",
                  group.size() - 1);
  for (std::size_t i = 1; i < group.size(); ++i)
    out += anomaly_part(audited, level, *group[i], level_id);
  return out + "</details>\n";
}

std::string level_section(const Audited& audited, const AuditedLevel& level,
                          const AuditTextOptions& options, std::size_t number) {
  const std::vector<AnomalyGroup> groups =
      anomaly_groups(level.result, options.ignore_harmless);
  if (groups.empty() && level.result.assumptions.empty()) return {};
  const VerdictWords words = verdict_words(level.result, options);
  std::string out = fmt::format("<section>\n<h1>{} {}</h1>\n<p class=\"facts\">{}</p>\n",
                                escape_html(level.plan.name),
                                chip(words.mood, words.answer), escape_html(words.detail));
  for (const std::string& assumption : level.result.assumptions)
    out += fmt::format("<p class=\"aside\">Assumed: {}.</p>\n", escape_html(assumption));
  const std::string id = fmt::format("l{}", number + 1);
  bool is_certain = true;
  for (const AnomalyGroup& group : groups) {
    if (group.front()->confirmation == Confirmation::Unconfirmed && is_certain) {
      is_certain = false;
      out +=
          fmt::format("</section>\n<section>\n<h1>{}: suspected, not confirmed</h1>\n",
                      escape_html(level.plan.name)) +
          "<p class=\"facts\">"
          "The solver thinks that these are possible; no run of them was found. They may "
          "come from what it knows too little about.</p>\n";
    }
    out += group_part(audited, level, group, id);
  }
  return out + "</section>\n";
}

}  // namespace

std::string audit_html(const Audited& audited, const AuditTextOptions& options) {
  std::vector<std::string> sections{overview(audited, options)};
  for (std::size_t i = 0; i < audited.levels.size(); ++i)
    sections.push_back(level_section(audited, audited.levels[i], options, i));
  return page("isomer audit",
              "whether an application is serializable, for any number of transactions",
              sections);
}

}  // namespace isomer::report
