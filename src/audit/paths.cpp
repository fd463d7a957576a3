// SPDX-License-Identifier: MIT
// If every path of k dependencies has a shortcut, then a cycle longer than k has one too,
// and so there is a cycle of at most k (theorem 10 of the paper).
//
// That fails where transactions can follow each other for ever without shortcut, as they
// may even in a serial execution: one reads what the next one writes, which the one after
// that reads, each time another record.  Such a path need not be part of a cycle.  A cycle
// has a transaction m that is arbitrated before all others of it, so the dependency on m
// goes back in arbitration, which few can; and the shortest of all cycles has no shortcut
// in either direction.  Hence: if no path of k dependencies through such an m, with a of
// them before it and k - a behind, is possible, then the shortest cycle has at most k
// transactions.  (Condition 2 of the paper's lemma 11 is the case a = k = 2.)  On which
// side of m the paths are made longer is free; the side that leaves fewer is taken.  Since
// m is the first of its cycle, PostgreSQL's way to keep transactions serializable applies.
#include "audit/paths.h"

#include <algorithm>

namespace isomer::audit {
namespace {

using logic::SatAnswer;
using Types = PathQuestions::Types;

constexpr std::size_t plain_max = 60;
constexpr std::size_t windows_max = 400;

// A dependency that is certain must not lead from one transaction to another, nor a path of
// two, if that is shorter than the path between them.
void forbid(Chain& chain, Question& question, std::size_t from, std::size_t to,
            std::size_t distance) {
  if (distance > 1)
    question.require(chain.terms().negation(chain.depends_directly(from, to)));
  if (distance > 2)
    question.require(chain.terms().negation(chain.depends_nearly(from, to)));
}

void forbid_shortcuts(Chain& chain, Question& question) {
  for (std::size_t i = 0; i < chain.run_count(); ++i)
    for (std::size_t j = i + 1; j < chain.run_count(); ++j)
      forbid(chain, question, i, j, j - i);
}

// The path is a part of a cycle of at least as many transactions as it has, and no cycle is
// shorter: the way back from j to i is not shorter than the rest of the cycle either.
void forbid_shorter_cycles(Chain& chain, Question& question) {
  const std::size_t count = chain.run_count();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j)
      forbid(chain, question, j, i, count - (j - i));
}

using Test = std::function<bool(const Window&)>;

// Nothing if there are more than `most`, or the time is over.
std::optional<Windows> extended(const PathQuestions& questions, const Windows& windows,
                                bool in_front, std::size_t most, const Test& is_possible) {
  Windows out;
  for (const Window& window : windows)
    for (const std::uint32_t type : questions.all_types()) {
      if (questions.options().budget.is_exhausted()) return std::nullopt;
      Window longer = window.longer(type, in_front);
      if (is_possible(longer)) out.push_back(std::move(longer));
      if (out.size() > most) return std::nullopt;
    }
  return out;
}

// What PostgreSQL rolls back (Plan::is_watched) is not there.
void forbid_watched(const Plan& plan, const Window& window, Chain& chain,
                    Question& question) {
  if (plan.is_watched.empty() || window.first < 2) return;
  for (std::size_t i = window.first - 2; i <= window.first; ++i)
    if (!plan.is_watched[window.types[i]]) return;
  question.require(chain.terms().negation(
      chain.terms().both(chain.has_kind(window.first - 2, DependencyKind::ReadWrite),
                         chain.has_kind(window.first - 1, DependencyKind::ReadWrite))));
}

Windows single(const PathQuestions& questions) {
  Windows out;
  for (const std::uint32_t type : questions.all_types())
    out.push_back({.types = {type}, .first = 0});
  return out;
}

}  // namespace

Window Window::longer(std::uint32_t type, bool in_front) const {
  Window out = *this;
  out.types.insert(in_front ? out.types.begin() : out.types.end(), type);
  out.first += in_front ? 1 : 0;
  return out;
}

Types PathQuestions::all_types() const {
  Types out(application_.program().types.size());
  for (std::uint32_t i = 0; i < out.size(); ++i)
    out[i] = i;
  return out;
}

bool PathQuestions::is_impossible(const Types& types, const Requirement& requirement) {
  for (std::size_t i = 0; i + 1 < types.size(); ++i)
    if (application_.pairs(types[i], types[i + 1]).empty()) return true;
  Chain chain(application_, plan_, types, path_slots(types.size()));
  Question question(chain, options_, effort_);
  requirement(chain, question);
  return question.ask() == SatAnswer::Unsatisfiable;
}

std::optional<std::uint32_t> shortest_path_bound(PathQuestions& questions) {
  std::optional<Windows> paths = single(questions);
  for (std::uint32_t length = 1; length <= questions.options().path_max; ++length) {
    paths = extended(questions, *paths, false, plain_max, [&](const Window& path) {
      return !questions.is_impossible(path.types, forbid_shortcuts);
    });
    if (!paths) return std::nullopt;
    if (paths->empty()) return length;
  }
  return std::nullopt;
}

void require_shortest_cycle(Chain& chain, Question& question) {
  const std::size_t count = chain.run_count();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      if (i != j) forbid(chain, question, i, j, (j + count - i) % count);
}

CycleParts::CycleParts(PathQuestions& questions, Exclusion is_excluded)
    : questions_(questions),
      is_excluded_(std::move(is_excluded)),
      windows_(single(questions)) {}

bool CycleParts::is_possible(const Window& window) const {
  if (is_excluded_(window.types)) return false;
  return !questions_.is_impossible(window.types, [&](Chain& chain, Question& question) {
    forbid_shortcuts(chain, question);
    forbid_shorter_cycles(chain, question);
    for (std::size_t i = 0; i < window.types.size(); ++i)
      if (i != window.first) question.require(chain.visibility().ar(window.first, i));
    forbid_watched(questions_.plan(), window, chain, question);
  });
}

bool CycleParts::grow() {
  const Test test = [&](const Window& window) { return is_possible(window); };
  auto best = extended(questions_, windows_, true, windows_max, test);
  if (length_ > 1 && !(best && best->empty())) {
    const std::size_t most = best ? best->size() : windows_max;
    auto behind = extended(questions_, windows_, false, most, test);
    if (behind && (!best || behind->size() < best->size())) best = std::move(behind);
  }
  if (!best) return false;
  windows_ = std::move(*best);
  ++length_;
  return true;
}

std::optional<std::uint32_t> shortest_cycle_bound(PathQuestions& questions) {
  CycleParts parts(questions, [](const Types&) { return false; });
  for (std::uint32_t length = 1; length <= questions.options().path_max; ++length) {
    if (!parts.grow()) return std::nullopt;
    if (parts.windows().empty()) return length;
  }
  return std::nullopt;
}

}  // namespace isomer::audit
