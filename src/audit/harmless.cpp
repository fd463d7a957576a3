// SPDX-License-Identifier: MIT
#include "audit/harmless.h"

#include <algorithm>

#include "audit/noticed.h"
#include "audit/prove.h"

namespace isomer::audit {
namespace {

using Types = std::vector<std::uint32_t>;

Types sorted_types(const Anomaly& anomaly) {
  Types out;
  for (const AnomalyTransaction& transaction : anomaly.transactions)
    out.push_back(transaction.type);
  std::sort(out.begin(), out.end());
  return out;
}

// Is there anything to leave out?
bool has_unnoticed_reads(const Program& program, Reads reads) {
  return reads == Reads::Scanned ||
         std::any_of(program.types.begin(), program.types.end(),
                     [](const auto& type) { return !unnoticed_statements(type).empty(); });
}

// The cycles without the reads that nobody notices.
Result without_unnoticed(const Application& application, const Plan& plan,
                         const Options& options, Effort& effort) {
  Result out;
  find_cycles(application, plan, options, out, effort);
  if (out.anomalies.empty() && out.unknown.empty()) {
    out.verdict = Verdict::NoCycle;
    if (options.prove) prove(application, plan, options, out, effort);
  }
  return out;
}

}  // namespace

void prove_harmless(const Application& application, const Plan& plan,
                    const Options& options, Result& result, Effort& effort) {
  const Program& program = application.program();
  if (result.anomalies.empty() || !has_unnoticed_reads(program, options.reads)) return;
  Model model = application.model();
  model.reads = Reads::Noticed;
  const Application noticed(program, model);
  Result found = without_unnoticed(noticed, plan, options, effort);
  const bool is_searched = found.cycle_max >= options.cycle_max &&
                           (found.unknown.empty() || found.verdict == Verdict::NoCycle);
  if (!is_searched) return;
  std::set<Types> known;
  for (Anomaly& anomaly : result.anomalies) {
    const Types types = sorted_types(anomaly);
    known.insert(types);
    const bool is_harmless =
        std::none_of(found.anomalies.begin(), found.anomalies.end(), [&](const Anomaly& a) {
          const Types part = sorted_types(a);
          return std::includes(types.begin(), types.end(), part.begin(), part.end());
        });
    if (is_harmless) anomaly.harm = Harm::ProvedNone;
  }
  for (Anomaly& anomaly : found.anomalies)
    if (!known.contains(sorted_types(anomaly)))
      result.anomalies.push_back(std::move(anomaly));
  result.harmless_proof = found.proof;
}

}  // namespace isomer::audit
