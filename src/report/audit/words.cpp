// SPDX-License-Identifier: MIT
#include "report/audit/words.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "program/scenario/write.h"
#include "report/check/wording.h"

namespace isomer::report {
namespace {

using audit::Anomaly;
using audit::Confirmation;
using audit::Dependency;
using audit::DependencyKind;
using audit::Harm;
using audit::Verdict;
using program::Program;

// Of the cycles that have no other dependencies than these names are made for.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kind_sentences{{
    {"lost update",
     "One writes over what the other wrote without having seen it, so that change is "
     "lost."},
    {"write skew",
     "Each decides by what it read, while another changes just that unseen; together they "
     "do what they would not do one after the other."},
    {"fractured read", "One sees a part of what the other did, and misses the rest."},
    {"causality violation", "One sees an effect, but not what came before it."},
    {"long fork",
     "Two readers disagree about the order of two changes: each sees one of them and "
     "misses "
     "the other."},
    {"read-only anomaly",
     "The writers alone are in order; the reader sees a state that this order never passes "
     "through."},
}};

// Harm first, then what is certain.
int place_in_list(const Anomaly& anomaly) {
  if (anomaly.confirmation == Confirmation::Unconfirmed) return 3;
  if (anomaly.harm == Harm::ProvedNone) return 2;
  return anomaly.harm == Harm::NoneFound ? 1 : 0;
}

// ", harmless", ", 1 harmless, 2 without harm found".
std::string harm_text(const AnomalyCounts& counts) {
  const auto part = [&](std::size_t count, std::string_view all, std::string_view some) {
    if (count == 0) return std::string();
    return count == counts.confirmed ? fmt::format(", {}", all)
                                     : fmt::format(", {} {}", count, some);
  };
  return part(counts.harmless, "harmless", "harmless") +
         part(counts.unknown_harm, "no harm found", "without harm found");
}

std::string joined(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "),
                     words.back());
}

std::string anomalies_text(std::size_t count) {
  return fmt::format("{} anomal{}", count, count == 1 ? "y" : "ies");
}

// "lost update, write skew": each kind once, of those that are confirmed or of the others.
std::string kinds_text(const audit::Result& result, const AuditTextOptions& options,
                       bool is_confirmed) {
  std::vector<std::string> kinds;
  for (const Anomaly& anomaly : result.anomalies)
    if (counts(anomaly, options.ignore_harmless) &&
        (anomaly.confirmation != Confirmation::Unconfirmed) == is_confirmed &&
        std::ranges::find(kinds, anomaly.kind) == kinds.end())
      kinds.push_back(anomaly.kind);
  return fmt::format("{}", fmt::join(kinds, ", "));
}

// How far it is known that nothing happens.
std::string length_text(const audit::Result& result, const std::string& proof) {
  return proof.empty() ? fmt::format("checked for up to {} transactions", result.cycle_max)
                       : fmt::format("proved for any number of transactions, {}", proof);
}

VerdictWords anomalies_words(const audit::Result& result, const AuditTextOptions& options) {
  const AnomalyCounts counts = anomaly_counts(result, options.ignore_harmless);
  std::vector<std::string> parts;
  if (counts.confirmed > 0) {
    parts.push_back(fmt::format("{} ({}){}", anomalies_text(counts.confirmed),
                                kinds_text(result, options, true), harm_text(counts)));
  }
  if (counts.unconfirmed > 0)
    parts.push_back(fmt::format("{} suspected ({}), not confirmed",
                                counts.confirmed > 0
                                    ? fmt::format("{} more", counts.unconfirmed)
                                    : anomalies_text(counts.unconfirmed),
                                kinds_text(result, options, false)));
  if (counts.left_out > 0)
    parts.push_back(fmt::format("{} harmless left out", counts.left_out));
  if (counts.confirmed + counts.unconfirmed == 0)
    parts.push_back(length_text(result, result.harmless_proof));
  const std::string detail = fmt::format("{}", fmt::join(parts, "; "));
  if (counts.confirmed > 0) return {"no", "NOT serializable", detail};
  if (counts.unconfirmed > 0) return {"unknown", "perhaps not serializable", detail};
  return {"ok", "no harm done", detail};
}

}  // namespace

std::string transaction_name(std::size_t place) {
  return fmt::format("t{}", place + 1);
}

std::string call_text(const Program& program,
                      const audit::AnomalyTransaction& transaction) {
  return program::call_text(program.types[transaction.type], transaction.arguments);
}

std::string types_text(const Program& program, const Anomaly& anomaly) {
  std::vector<std::string> names;
  for (const audit::AnomalyTransaction& transaction : anomaly.transactions)
    names.push_back(program.types[transaction.type].name);
  return joined(names);
}

std::string title_text(const Program& program, const Anomaly& anomaly) {
  return fmt::format("{}: {}", anomaly.kind, types_text(program, anomaly));
}

namespace {

// Of those that have.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> wider_sentences{{
    {"write skew",
     "Some decide by what they read, while others change just that unseen; together they "
     "do what they would not do one after the other."},
    {"causality violation",
     "One writes over a change, but has not seen what came before it."},
    {"long fork",
     "Some disagree about the order of changes: each comes after one of them and has not "
     "seen another."},
}};

// Every anti-dependency follows one of these.
bool all_follow(const Anomaly& anomaly, DependencyKind kind) {
  const auto& edges = anomaly.dependencies;
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i].kind == DependencyKind::ReadWrite &&
        edges[(i + edges.size() - 1) % edges.size()].kind != kind)
      return false;
  return true;
}

bool is_plain(const Anomaly& anomaly) {
  if (anomaly.kind == "write skew") return all_follow(anomaly, DependencyKind::ReadWrite);
  if (anomaly.kind == "long fork" && anomaly.dependencies.size() > 4) return false;
  return (anomaly.kind != "causality violation" && anomaly.kind != "long fork") ||
         all_follow(anomaly, DependencyKind::WriteRead);
}

}  // namespace

std::string beside_name(const Anomaly& anomaly, std::size_t place) {
  return transaction_name(anomaly.transactions.size() + place);
}

std::string_view kind_sentence(const Anomaly& anomaly) {
  if (!is_plain(anomaly))
    for (const auto& [name, sentence] : wider_sentences)
      if (name == anomaly.kind) return sentence;
  for (const auto& [name, sentence] : kind_sentences)
    if (name == anomaly.kind) return sentence;
  return "No order of these, one after the other, gives what they did.";
}

std::string record_text(const Program& program, const Dependency& dependency) {
  return fmt::format("{}({}){}{}", program.tables[dependency.table.index].name,
                     printable(fmt::format("{}", fmt::join(dependency.key, ", "))),
                     dependency.field.empty() ? "" : ".", dependency.field);
}

std::string dependency_sentence(const Dependency& dependency) {
  const std::string from = transaction_name(dependency.from);
  const std::string to = transaction_name(dependency.to);
  switch (dependency.kind) {
    case DependencyKind::WriteRead:
      return fmt::format("{} sees what {} writes", to, from);
    case DependencyKind::ReadWrite:
      return fmt::format("{} does not see what {} writes", from, to);
    case DependencyKind::WriteWrite:
      return fmt::format("{} writes over what {} wrote", to, from);
  }
  return {};
}

std::string_view from_verb(DependencyKind kind) {
  return kind == DependencyKind::ReadWrite ? "reads" : "writes";
}

std::string_view to_verb(DependencyKind kind) {
  return kind == DependencyKind::WriteRead ? "reads" : "writes";
}

std::string statement_text(const Program& program, const program::Statement& statement,
                           std::size_t width_max) {
  const program::Span& at = statement.at;
  std::string out;
  for (std::size_t i = at.first; i < std::min<std::size_t>(at.last, program.source.size());
       ++i) {
    const char c = program.source[i];
    if (!is_space(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  out = printable(out, out.size() + 1);
  if (out.size() <= width_max) return out;
  out.resize(width_max - 3);
  while (!out.empty() && continues_character(out.back()))
    out.pop_back();  // no half characters
  return out + "...";
}

namespace {

std::string harm_remark(const Anomaly& anomaly) {
  if (anomaly.harm == Harm::ProvedNone)
    return "; harmless: it needs reads that nobody notices";
  return anomaly.harm == Harm::NoneFound && anomaly.confirmation == Confirmation::Confirmed
             ? "; no harm found in the runs that were tried"
             : "";
}

}  // namespace

std::string confirmation_text(const Anomaly& anomaly) {
  switch (anomaly.confirmation) {
    case Confirmation::NotAsked:
      return "not run";
    case Confirmation::Confirmed:
      return fmt::format("confirmed{}", harm_remark(anomaly));
    case Confirmation::Unconfirmed:
      return fmt::format("not confirmed: {}{}", anomaly.why_unconfirmed,
                         harm_remark(anomaly));
  }
  return {};
}

std::string harm_sentence(const Anomaly& anomaly) {
  if (anomaly.harm == Harm::ProvedNone)
    return "Harmless: it needs reads that nobody notices, so some serial order always ends "
           "in the same state and gives every caller the same result.";
  if (anomaly.harm == Harm::NoneFound && anomaly.confirmation == Confirmation::Confirmed)
    return "No harm found: in all runs that were tried, some serial order ends in the same "
           "state and gives every caller the same result. Others may do harm.";
  return {};
}

std::string support_text(const audit::Result& result) {
  if (result.verdict == Verdict::Serializable) return length_text(result, result.proof);
  return fmt::format("{}{}", length_text(result, ""),
                     result.unknown.empty()
                         ? ""
                         : fmt::format("; not proved for more ({})", result.unknown));
}

std::vector<AnomalyGroup> anomaly_groups(const audit::Result& result,
                                         bool ignore_harmless) {
  std::vector<AnomalyGroup> out;
  std::map<std::pair<std::string, std::vector<std::uint32_t>>, std::size_t> known;
  for (const Anomaly& anomaly : result.anomalies) {
    if (!counts(anomaly, ignore_harmless)) continue;
    std::vector<std::uint32_t> types;
    for (const audit::AnomalyTransaction& transaction : anomaly.transactions)
      types.push_back(transaction.type);
    std::sort(types.begin(), types.end());
    const auto [group, is_new] = known.emplace(std::pair{anomaly.kind, types}, out.size());
    if (is_new) out.emplace_back();
    out[group->second].push_back(&anomaly);
  }
  for (AnomalyGroup& group : out)
    std::ranges::stable_sort(group, {}, [](const Anomaly* a) { return place_in_list(*a); });
  std::ranges::stable_sort(
      out, {}, [](const AnomalyGroup& group) { return place_in_list(*group.front()); });
  return out;
}

AnomalyCounts anomaly_counts(const audit::Result& result, bool ignore_harmless) {
  AnomalyCounts out;
  for (const Anomaly& anomaly : result.anomalies) {
    if (!counts(anomaly, ignore_harmless)) {
      ++out.left_out;
    } else if (anomaly.confirmation == Confirmation::Unconfirmed) {
      ++out.unconfirmed;
    } else {
      ++out.confirmed;
      out.harmless += anomaly.harm == Harm::ProvedNone ? 1 : 0;
      out.unknown_harm +=
          anomaly.harm == Harm::NoneFound && anomaly.confirmation == Confirmation::Confirmed
              ? 1
              : 0;
    }
  }
  return out;
}

VerdictWords verdict_words(const audit::Result& result, const AuditTextOptions& options) {
  switch (result.verdict) {
    case Verdict::Serializable:
      return {"ok", "serializable", support_text(result)};
    case Verdict::NoCycle:
      return {"ok", "no anomaly", support_text(result)};
    case Verdict::Anomalies:
      return anomalies_words(result, options);
    case Verdict::Unknown:
      break;
  }
  return {"unknown", "undecided", result.unknown};
}

}  // namespace isomer::report
