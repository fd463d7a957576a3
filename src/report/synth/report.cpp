// SPDX-License-Identifier: MIT
#include "report/synth/report.h"

#include <fmt/format.h>

#include "report/check/wording.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/synth/separation.h"

namespace isomer::report {
namespace {

using synth::Outcome;

Separation separation(const Synthesized& s, std::size_t place) {
  return {.found = s.result.found[place], .allow = s.allow, .forbid = s.forbid};
}

// "CC allows and SI forbids".
std::string wanted(const Synthesized& s) {
  std::vector<std::string> out;
  if (!s.allow.empty())
    out.push_back(fmt::format("{} {}", names_text(s.allow),
                              s.allow.size() == 1 ? "allows" : "allow"));
  if (!s.forbid.empty())
    out.push_back(fmt::format("{} {}", names_text(s.forbid),
                              s.forbid.size() == 1 ? "forbids" : "forbid"));
  return names_text(out);
}

std::string how_small(const Synthesized& s) {
  if (!s.is_smallest_wanted) return {};
  if (s.result.is_smallest) return "; none is smaller";
  return fmt::format("; there may be a smaller one ({})", s.result.reason);
}

// What the search came to, in one sentence.
std::string headline(const Synthesized& s) {
  const synth::Result& result = s.result;
  switch (result.outcome) {
    case Outcome::Found:
      if (result.found.size() == 1)
        return fmt::format("found a history that {}: {}{}", wanted(s),
                           size_text(result.found[0]), how_small(s));
      return fmt::format("found {} histories that {}{}", result.found.size(), wanted(s),
                         how_small(s));
    case Outcome::None:
      if (!s.proof.empty())
        return fmt::format("no history of any size is one that {}: proved, {}", wanted(s),
                           s.proof);
      return fmt::format("no history of {} is one that {}", scope_text(result.scope),
                         wanted(s));
    case Outcome::Unknown:
      return fmt::format("undecided ({}): no history found that {}, searching those of {}",
                         result.reason, wanted(s), scope_text(result.scope));
  }
  return {};
}

std::string next_step(const Synthesized& s, const std::string& command) {
  if (command.empty()) return {};
  if (s.result.outcome == Outcome::Found)
    return fmt::format("See it:   {0} --html found.html\nKeep it:  {0} -o found.hist\n",
                       command);
  if (s.result.outcome == Outcome::None && s.proof.empty() && s.allow.size() == 1 &&
      s.forbid.size() == 1)
    return fmt::format("For histories of any size:  isomer compare {} {} --prove\n",
                       s.allow[0], s.forbid[0]);
  return {};
}

}  // namespace

std::string synth_text(const Synthesized& s, const SynthTextOptions& options) {
  const Ink ink(options.colour);
  std::string out = headline(s) + "\n";
  for (std::size_t i = 0; i < s.result.found.size(); ++i) {
    out += "\n";
    if (s.result.found.size() > 1)
      out += ink.bold(fmt::format("history {} of {}", i + 1, s.result.found.size())) +
             fmt::format("        {}\n", size_text(s.result.found[i]));
    out += separation_text(separation(s, i), ink);
  }
  const std::string next = next_step(s, options.command);
  return next.empty() ? out : out + "\n" + next;
}

std::string synth_json(const Synthesized& s) {
  constexpr std::string_view outcomes[] = {"found", "none", "unknown"};
  Json out{{"result", outcomes[static_cast<std::size_t>(s.result.outcome)]},
           {"allow", s.allow},
           {"forbid", s.forbid},
           {"scope", scope_json(s.result.scope)},
           {"algorithm", s.algorithm},
           {"candidates", s.result.stats.candidates},
           {"history", nullptr},
           {"witnesses", Json::object()},
           {"forbidden", Json::object()}};
  Json all = Json::array();
  for (std::size_t i = 0; i < s.result.found.size(); ++i)
    all.push_back(separation_json(separation(s, i)));
  if (!all.empty()) out.update(all[0]);
  out["histories"] = std::move(all);
  out["smallest"] =
      s.result.outcome == Outcome::Found && s.is_smallest_wanted && s.result.is_smallest;
  if (!s.proof.empty()) out["proof"] = s.proof;
  if (!s.result.reason.empty()) out["reason"] = s.result.reason;
  out["clauses"] = s.result.stats.clauses;
  out["seconds"] = s.result.stats.seconds;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string synth_dot(const Synthesized& s) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < s.result.found.size(); ++i) {
    const Scene scene = separation_scene(separation(s, i));
    parts.push_back(dot_cluster(scene, fmt::format("h{}", i), scene.title));
  }
  if (parts.empty())
    parts.push_back(
        fmt::format("  none [shape=note, label=\"{}\"];\n", dot_quoted(headline(s))));
  return dot_document(parts);
}

std::string synth_html(const Synthesized& s) {
  const Tone tone = s.result.outcome == Outcome::Unknown ? Tone::Unknown : Tone::Good;
  std::string out = fmt::format(
      "<section>\n<h1>What {}</h1>\n<p class=\"facts\">searched: histories of {}; {} in "
      "{:.2f} s</p>\n{}",
      escape_html(wanted(s)), scope_text(s.result.scope),
      counted(s.result.stats.candidates, "candidate"), s.result.stats.seconds,
      lead(tone, headline(s)));
  for (std::size_t i = 0; i < s.result.found.size(); ++i) {
    if (s.result.found.size() > 1)
      out += fmt::format("<h2>History {} of {}</h2>\n", i + 1, s.result.found.size());
    out += separation_html(separation(s, i), fmt::format("p{}", i));
  }
  out += "</section>\n";
  return page("isomer synth", "a history that some levels allow and others forbid",
              std::span(&out, 1));
}

}  // namespace isomer::report
