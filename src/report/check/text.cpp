// SPDX-License-Identifier: MIT
// What a person reads: what was read, what holds, why not in plain words, and what to do
// next.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/check/finding.h"
#include "report/check/report.h"
#include "report/check/verdicts.h"
#include "report/check/wording.h"
#include "report/ink.h"

namespace isomer::report {
namespace {

using check::AskedLevel;
using check::Consistent;
using check::Level;
using check::LevelResult;
using check::Unknown;
using check::Violated;
using history::History;
using history::TxnId;

constexpr double seconds_worth_telling = 1.0;
constexpr std::size_t witness_width = 92;

std::string heading(const Checked& checked) {
  const Size size = size_of(checked.history);
  std::string transactions = counted(size.transactions, "transaction");
  if (size.committed != size.transactions) {
    transactions += fmt::format(" ({} committed", size.committed);
    if (size.aborted != 0) transactions += fmt::format(", {} aborted", size.aborted);
    if (size.unknown != 0)
      transactions += fmt::format(", {} of unknown outcome", size.unknown);
    transactions += ")";
  }
  std::string out = fmt::format("{}: {}, {}, {}\n", printable(checked.file, 200),
                                counted(size.sessions, "session"), transactions,
                                counted(size.operations, "operation"));
  if (size.ambiguous_reads != 0)
    out += fmt::format(
        "{} with several possible writers: a level allows the history if some choice "
        "works\n",
        counted(size.ambiguous_reads, "read"));
  return out;
}

std::string single_level(const LevelResult& level, const Ink& ink) {
  const bool allowed = std::holds_alternative<Consistent>(level.verdict);
  const bool undecided = std::holds_alternative<Unknown>(level.verdict);
  return fmt::format("  {}  {}    {} {} this history\n",
                     printable(level.level.name, level_width_max), verdict_text(level, ink),
                     printable(level.level.title, level_width_max),
                     allowed     ? "allows"
                     : undecided ? "may or may not allow"
                                 : "does not allow");
}

// "  undecided: SI, SER (timeout)", one line for each reason.
std::string undecided(const check::Result& result) {
  std::map<std::string, std::vector<AskedLevel>> by_reason;
  for (const LevelResult& level : result.levels)
    if (const auto* unknown = std::get_if<Unknown>(&level.verdict))
      by_reason[unknown->reason].push_back(level.level);
  std::string out;
  for (const auto& [reason, levels] : by_reason)
    out += fmt::format("  undecided: {} ({})\n", list(levels), reason);
  return out;
}

std::string verdicts(const check::Result& result, const Ink& ink) {
  std::string out = result.levels.size() == 1 ? single_level(result.levels[0], ink)
                                              : verdict_table_text(result, ink);
  out += undecided(result);
  double seconds = 0;
  for (const LevelResult& level : result.levels)
    seconds += level.seconds;
  if (seconds >= seconds_worth_telling)
    out += fmt::format("  checked for {:.1f} s\n", seconds);
  return out;
}

// Items in lines that fit a terminal, under a title.
std::string filled(std::string_view title, const std::vector<std::string>& items,
                   std::string_view separator) {
  std::string out = fmt::format("  {}:", title);
  std::size_t column = out.size();
  for (const std::string& item : items) {
    const bool is_last = &item == &items.back();
    const std::size_t size = item.size() + 1 + (is_last ? 0 : separator.size());
    if (column + size > witness_width) {
      out += "\n     ";
      column = 5;
    }
    out += fmt::format(" {}{}", item, is_last ? "" : separator);
    column += size;
  }
  return out + "\n";
}

std::string order_text(const History& history, std::string_view title,
                       const std::vector<TxnId>& order) {
  std::vector<std::string> names;
  for (const TxnId t : order)
    names.push_back(txn_text(history, t));
  return filled(title, names, " <");
}

std::string pairs_text(const History& history, std::string_view title,
                       const std::vector<std::pair<TxnId, TxnId>>& pairs) {
  std::vector<std::string> arrows;
  for (const auto& [from, to] : pairs)
    arrows.push_back(
        fmt::format("{} -> {}", txn_text(history, from), txn_text(history, to)));
  return filled(title, arrows, ",");
}

std::string relation_text(const History& history, const check::WitnessRelation& relation) {
  std::string title = printable(relation.name);
  if (!relation.key.is_none())
    title += fmt::format("[{}]", key_text(history, relation.key));
  return relation.is_order ? order_text(history, title, relation.order)
                           : pairs_text(history, title, relation.pairs);
}

std::string relations_text(const History& history, const AskedLevel& level,
                           const Consistent& witness) {
  if (level.built_in == Level::PSI)
    return order_text(history, "arbitration order", witness.commit_order) +
           pairs_text(history, "visibility (init and transitivity aside)",
                      visibility(history, witness));
  if (level.built_in) return order_text(history, "commit order", witness.commit_order);
  std::string out;
  for (const check::WitnessRelation& relation : witness.relations)
    out += relation_text(history, relation);
  for (const TxnId t : witness.taken)
    out += fmt::format("  {} is taken to have committed\n", txn_text(history, t));
  return out;
}

std::string witness_of(const History& history, const AskedLevel& level,
                       const Consistent& witness) {
  std::string out =
      fmt::format("\nwitness for {}\n", printable(level.name, level_width_max));
  out += relations_text(history, level, witness);
  for (const check::Choice& choice : witness.choices) {
    const history::Read& read = history.all_reads()[choice.read.index];
    out += fmt::format("  {}: {} is taken to read from {}\n",
                       txn_text(history, history.reader(choice.read)),
                       operation_text(history, read.op), txn_text(history, choice.writer));
  }
  return out;
}

std::string witnesses(const Checked& checked) {
  std::string out;
  const std::vector<AskedLevel> shown = check::strongest_allowed(checked.result);
  for (const LevelResult& level : checked.result->levels)
    if (std::find(shown.begin(), shown.end(), level.level) != shown.end())
      out += witness_of(checked.history, level.level, std::get<Consistent>(level.verdict));
  return out;
}

std::string shell_word(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("._-/+,:@%").find(static_cast<char>(c)) !=
               std::string_view::npos;
  });
  if (plain && !text.empty()) return text;
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string stem(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string hint(const Checked& checked, const TextOptions& options, bool found) {
  if (options.command.empty()) return {};
  const std::string command =
      fmt::format("{} {}", options.command, shell_word(checked.file));
  if (found)
    return fmt::format("See it:  {} --html {}\n", command,
                       shell_word(stem(checked.file) + ".html"));
  if (!options.witness && !is_any_undecided(checked.result))
    return fmt::format("An order that explains it:  {} --witness\n", command);
  return {};
}

}  // namespace

std::string check_text(const Checked& checked, const TextOptions& options) {
  const Ink ink(options.colour);
  const std::vector<Finding> found = findings(checked.result);
  std::string out = heading(checked) + "\n" + verdicts(checked.result, ink);
  for (const Finding& finding : found)
    out += finding_text(checked.history, finding, ink);
  out += library_text(checked.result);
  if (options.witness) out += witnesses(checked);
  const std::string next = hint(checked, options, !found.empty());
  if (!next.empty() && found.empty()) out += "\n";
  return out + next;
}

}  // namespace isomer::report
