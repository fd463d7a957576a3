// SPDX-License-Identifier: MIT
#include "check/uncertified.h"
#include "synth/execution.h"
#include "synth/found.h"

namespace isomer::synth {
namespace {

Matrix<Truth> order_table(const std::vector<TxnId>& order, const std::vector<TxnId>& ids) {
  std::vector<std::size_t> place(order.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i)
    place[order[i].index] = i;
  Matrix<Truth> out(ids.size(), ids.size(), 0);
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (std::size_t j = 0; j < ids.size(); ++j)
      out(i, j) = place[ids[i].index] < place[ids[j].index] ? 1 : 0;
  return out;
}

}  // namespace

std::optional<ExecutionAnswer> ask_fast_checker(const level::Level& level,
                                                const HistoryTables<Truth>& tables,
                                                const Budget& budget) {
  const check::AskedLevel asked(level.qualified_name(), level);
  const std::optional<std::uint32_t> order = main_order(level);
  if (!asked.built_in || !order) return std::nullopt;
  const std::optional<Written> written = write_history(tables);
  if (!written) return std::nullopt;
  const check::Verdict verdict =
      check::uncertified_verdict(written->history, *asked.built_in, budget);
  if (std::holds_alternative<check::Unknown>(verdict)) return OutOfTime{};
  const auto* witness = std::get_if<check::Consistent>(&verdict);
  if (witness == nullptr) return NoExecution{};
  Execution<Truth> execution;
  for (std::uint32_t w = 0; w < level.witnesses.size(); ++w)
    execution.push_back({w == *order
                             ? order_table(witness->commit_order, written->ids)
                             : Matrix<Truth>(tables.txn_count(), tables.txn_count(), 0)});
  return execution;
}

}  // namespace isomer::synth
