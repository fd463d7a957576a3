// SPDX-License-Identifier: MIT
#include "report/compare/report.h"

#include <fmt/format.h>

#include "report/ink.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/synth/separation.h"

namespace isomer::report {
namespace {

using synth::Direction;
using synth::Implication;
using synth::Relationship;

// One half of a comparison: does `strong` imply `weak`?
struct Half {
  const std::string& strong;
  const std::string& weak;
  const Direction& direction;
};

std::vector<Half> halves(const Compared& c) {
  return {{c.left, c.right, c.comparison.left_to_right},
          {c.right, c.left, c.comparison.right_to_left}};
}

Separation separation(const Half& half) {
  return {.found = *half.direction.counterexample,
          .allow = {half.strong},
          .forbid = {half.weak}};
}

// Counterexamples hold for any size as they are.
bool is_unbounded(const Compared& c) {
  for (const Half& half : halves(c))
    if (half.direction.implication == Implication::InScope ||
        half.direction.implication == Implication::Unknown)
      return false;
  return true;
}

std::string headline(const Compared& c) {
  const std::string_view so_far = is_unbounded(c) ? "" : ", as far as was searched";
  switch (c.comparison.relationship) {
    case Relationship::Equivalent:
      return fmt::format("{} and {} are equivalent: they allow the same histories{}",
                         c.left, c.right, so_far);
    case Relationship::Stronger:
      return fmt::format("{} is stronger than {}: it allows fewer histories{}", c.left,
                         c.right, so_far);
    case Relationship::Weaker:
      return fmt::format("{} is weaker than {}: it allows more histories{}", c.left,
                         c.right, so_far);
    case Relationship::Incomparable:
      return fmt::format("{} and {} are incomparable: each allows what the other forbids",
                         c.left, c.right);
    case Relationship::Unknown:
      return fmt::format("how {} and {} relate is undecided", c.left, c.right);
  }
  return {};
}

// What is known of one direction, in one sentence.
std::string sentence(const Half& half, const synth::Scope& scope) {
  switch (half.direction.implication) {
    case Implication::Proved:
      return fmt::format(
          "Every history that {} allows, {} allows too: proved for any size{}.",
          half.strong, half.weak,
          half.direction.how.empty() ? "" : fmt::format(", taking {}", half.direction.how));
    case Implication::InScope:
      return fmt::format(
          "Every history of {} that {} allows, {} allows too{}.", scope_text(scope),
          half.strong, half.weak,
          half.direction.how.empty() ? "" : fmt::format(" ({})", half.direction.how));
    case Implication::Refuted:
      return fmt::format("{} allows this, and {} forbids it:", half.strong, half.weak);
    case Implication::Unknown:
      return fmt::format("Whether {} implies {} is undecided ({}).", half.strong, half.weak,
                         half.direction.how);
  }
  return {};
}

std::string next_step(const Compared& c, const std::string& command) {
  if (command.empty() || c.comparison.relationship == Relationship::Unknown) return {};
  std::string out;
  if (!is_unbounded(c)) out += fmt::format("For any size:  {} --prove\n", command);
  for (const Half& half : halves(c))
    if (half.direction.counterexample)
      return out + fmt::format("{:<{}}  {} --html relation.html\n",
                               "See it:", out.empty() ? 7 : 13, command);
  return out;
}

Json half_json(const Half& half) {
  if (!half.direction.counterexample) return nullptr;
  return history_json(half.direction.counterexample.value()->history);
}

Json direction_json(const Half& half) {
  constexpr std::string_view names[] = {"proved", "in scope", "refuted", "unknown"};
  Json out{{"implication", names[static_cast<std::size_t>(half.direction.implication)]},
           {"how", half.direction.how}};
  if (half.direction.counterexample) out.update(separation_json(separation(half)));
  return out;
}

}  // namespace

std::string compare_text(const Compared& c, const CompareTextOptions& options) {
  const Ink ink(options.colour);
  std::string out = ink.bold(headline(c)) + "\n";
  for (const Half& half : halves(c)) {
    out += fmt::format("\n{}\n", sentence(half, c.comparison.scope));
    if (half.direction.counterexample) out += separation_text(separation(half), ink);
  }
  const std::string next = next_step(c, options.command);
  return next.empty() ? out : fmt::format("{}\n{}", out, next);
}

std::string compare_json(const Compared& c) {
  const std::vector<Half> both = halves(c);
  const Json out{{"relation", name(c.comparison.relationship)},
                 {"proof", is_unbounded(c) ? "unbounded" : "scope"},
                 {"left", c.left},
                 {"right", c.right},
                 {"left_not_right", half_json(both[0])},
                 {"right_not_left", half_json(both[1])},
                 {"left_implies_right", direction_json(both[0])},
                 {"right_implies_left", direction_json(both[1])},
                 {"scope", scope_json(c.comparison.scope)},
                 {"candidates", c.comparison.stats.candidates},
                 {"seconds", c.comparison.stats.seconds}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string compare_dot(const Compared& c) {
  std::vector<std::string> parts;
  for (const Half& half : halves(c))
    if (half.direction.counterexample) {
      const Scene scene = separation_scene(separation(half));
      parts.push_back(dot_cluster(scene, fmt::format("h{}", parts.size()), scene.title));
    }
  if (parts.empty())
    parts.push_back(
        fmt::format("  none [shape=note, label=\"{}\"];\n", dot_quoted(headline(c))));
  return dot_document(parts);
}

std::string compare_html(const Compared& c) {
  const Tone tone =
      c.comparison.relationship == Relationship::Unknown ? Tone::Unknown : Tone::Good;
  std::string out = fmt::format("<section>\n<h1>{} and {}</h1>\n{}", escape_html(c.left),
                                escape_html(c.right), lead(tone, headline(c)));
  for (const Half& half : halves(c)) {
    out += fmt::format("<h2>{}</h2>\n", escape_html(sentence(half, c.comparison.scope)));
    if (half.direction.counterexample)
      out += separation_html(separation(half), &half.strong == &c.left ? "left" : "right");
  }
  out += "</section>\n";
  return page("isomer compare", "how two levels relate", std::span(&out, 1));
}

}  // namespace isomer::report
