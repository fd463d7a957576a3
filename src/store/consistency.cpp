// SPDX-License-Identifier: MIT
#include "store/consistency.h"

#include <algorithm>

#include "check/check.h"
#include "history/builder.h"

namespace isomer::store {
namespace {

using history::HistoryBuilder;
using history::Value;

}  // namespace

std::optional<bool> is_allowed(const std::vector<RunTransaction>& transactions,
                               const check::AskedLevel& level, const Budget& budget) {
  std::vector<std::uint32_t> written;
  for (const RunTransaction& transaction : transactions)
    written.insert(written.end(), transaction.writes.begin(), transaction.writes.end());
  std::ranges::sort(written);
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  for (std::uint32_t number = 1; number <= transactions.size(); ++number) {
    const RunTransaction& transaction = transactions[number - 1];
    const auto token =
        builder.begin(builder.session(static_cast<std::int64_t>(transaction.session)));
    if (!level.built_in && !transaction.type.empty())
      builder.set_name(token, transaction.type);
    for (const auto& [key, writer] : transaction.reads)
      if (!level.built_in || std::ranges::binary_search(written, key))
        builder.read(token, builder.key(static_cast<std::int64_t>(key)),
                     Value::integer(writer));
    for (const std::uint32_t key : transaction.writes)
      builder.write(token, builder.key(static_cast<std::int64_t>(key)),
                    Value::integer(number));
  }
  const check::Result result = check::check(
      builder.build(), {.levels = {level}, .budget = budget, .explain = false});
  const check::Verdict& verdict = result.levels.front().verdict;
  if (std::holds_alternative<check::Unknown>(verdict)) return std::nullopt;
  return std::holds_alternative<check::Consistent>(verdict);
}

std::vector<RunTransaction> observed(std::vector<RunTransaction> transactions,
                                     const std::vector<RunTransaction::Read>& reads) {
  std::uint32_t mark = 0;  // a key that nobody has
  RunTransaction observer;
  for (const RunTransaction& transaction : transactions) {
    observer.session = std::max(observer.session, transaction.session + 1);
    for (const std::uint32_t key : transaction.writes)
      mark = std::max(mark, key + 1);
    for (const RunTransaction::Read& read : transaction.reads)
      mark = std::max(mark, read.key + 1);
  }
  for (std::uint32_t i = 0; i < transactions.size(); ++i) {
    if (transactions[i].writes.empty()) continue;
    transactions[i].writes.push_back(mark);
    observer.reads.push_back({mark++, i + 1});
  }
  observer.reads.insert(observer.reads.end(), reads.begin(), reads.end());
  transactions.push_back(std::move(observer));
  return transactions;
}

}  // namespace isomer::store
