// SPDX-License-Identifier: MIT
// The words of `isomer audit` and `isomer advise`, the same in text, pictures and pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/audit/report.h"

namespace isomer::report {

// "t1": a transaction of an anomaly.
std::string transaction_name(std::size_t place);

// "withdraw(1, 100)".
std::string call_text(const program::Program& program,
                      const audit::AnomalyTransaction& transaction);

// "withdraw, withdraw and deposit".
std::string types_text(const program::Program& program, const audit::Anomaly& anomaly);

// "lost update: withdraw and withdraw".
std::string title_text(const program::Program& program, const audit::Anomaly& anomaly);

// Whether it does harm, in one sentence; empty if it does, or was not run.
std::string harm_sentence(const audit::Anomaly& anomaly);

// What goes wrong, in one sentence.
std::string_view kind_sentence(const audit::Anomaly& anomaly);

// "t4": who runs beside the transactions of the cycle.
std::string beside_name(const audit::Anomaly& anomaly, std::size_t place);

// "account(2).balance", "account(2)" if it is about the whole row.
std::string record_text(const program::Program& program,
                        const audit::Dependency& dependency);

// "t1 does not see what t2 writes".
std::string dependency_sentence(const audit::Dependency& dependency);

// What a transaction does to the record: "reads", "writes".
std::string_view from_verb(audit::DependencyKind kind);
std::string_view to_verb(audit::DependencyKind kind);

// The SQL of a statement on one line, its beginning if it is long.
std::string statement_text(const program::Program& program,
                           const program::Statement& statement, std::size_t width_max);

// "confirmed", "confirmed; no harm found", "not confirmed: ..".
std::string confirmation_text(const audit::Anomaly& anomaly);

// "serializable for all executions, by ..", "no cycle up to length 4".
std::string support_text(const audit::Result& result);

// Anomalies of one kind between the same types, by different statements; the one that is
// best confirmed first.
using AnomalyGroup = std::vector<const audit::Anomaly*>;

// Those that count, the best confirmed first.
std::vector<AnomalyGroup> anomaly_groups(const audit::Result& result, bool ignore_harmless);

// How many of the anomalies that count are confirmed, and so on.
struct AnomalyCounts {
  std::size_t confirmed = 0;     // or not asked to be
  std::size_t harmless = 0;      // of these: proved to be
  std::size_t unknown_harm = 0;  // of these: run, and no harm found
  std::size_t unconfirmed = 0;
  std::size_t left_out = 0;  // harmless, and not wanted
};

AnomalyCounts anomaly_counts(const audit::Result& result, bool ignore_harmless);

// The answer for one level in a few words: "NOT serializable", and the rest of the
// sentence.
struct VerdictWords {
  std::string_view mood;  // "ok", "no" or "unknown", as the style sheet calls them
  std::string answer;
  std::string detail;
};

VerdictWords verdict_words(const audit::Result& result, const AuditTextOptions& options);

// The cycle as a picture.
struct AnomalyPicture {
  history::History history;
  Scene scene;
};

AnomalyPicture anomaly_picture(const program::Program& program,
                               const audit::Anomaly& anomaly);

}  // namespace isomer::report
