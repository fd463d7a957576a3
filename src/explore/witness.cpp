// SPDX-License-Identifier: MIT
#include "explore/witness.h"

#include "program/machine/keys.h"
#include "store/invariants.h"

namespace isomer::explore {
namespace {

// As the operations are numbered: session by session.
std::vector<program::Span> places_of(const Program& program,
                                     const std::vector<store::RanTransaction>& ran) {
  std::vector<program::Span> out;
  for (std::uint32_t session = 0; session < program.sessions.size(); ++session)
    for (const store::RanTransaction& transaction : ran)
      if (transaction.outcome.session == session)
        for (const store::Access& access : transaction.accesses)
          out.push_back(access.at);
  return out;
}

}  // namespace

Failure failure_of(const Program& program, program::Granularity granularity,
                   std::vector<store::RanTransaction> ran, store::FinalState final_state) {
  Failure out;
  out.history = store::record(program, granularity, ran);
  out.places = places_of(program, ran);
  std::erase_if(final_state, [](const auto& entry) { return entry.second.is_null(); });
  out.final_state = std::move(final_state);
  out.invariants = store::check_invariants(program, store::invariant_program(program),
                                           out.final_state, ran, granularity);
  for (store::RanTransaction& transaction : ran)
    out.transactions.push_back(std::move(transaction.outcome));
  return out;
}

template <std::size_t Words>
std::vector<store::RanTransaction> ran_transactions(
    const Program& program, const std::vector<ProgramTxn>& transactions,
    const OrderedHistory<Words>& history, const Runs& runs,
    program::Granularity granularity) {
  std::vector<store::RanTransaction> out;
  std::vector<std::uint32_t> committed_number(transactions.size(), 0);
  std::uint32_t committed = 0;
  for (std::uint32_t position = 0; position < history.transactions().size(); ++position) {
    const OrderedTxn& txn = history.transactions()[position];
    std::uint32_t next = txn.first_read;
    const ProgramTxn& transaction = transactions[txn.number];
    out.push_back(store::rerun(
        program, {transaction.session, transaction.index}, transaction.arguments,
        granularity, runs.universe(), [&](const program::KeyName&) -> store::ReadAnswer {
          const ReadEvent& read = history.reads()[next++];
          return {committed_number[read.writer],
                  runs.value(history.value_of(runs, read.writer, read.key()))};
        }));
    if (out.back().outcome.is_committed) committed_number[txn.number] = ++committed;
  }
  return out;
}

template <std::size_t Words>
std::vector<store::RunTransaction> reads_and_writes(
    const std::vector<ProgramTxn>& transactions, const OrderedHistory<Words>& history) {
  std::vector<store::RunTransaction> out;
  std::vector<std::uint32_t> number(transactions.size(), 0);
  for (std::uint32_t position = 0; position < history.transactions().size(); ++position) {
    const OrderedTxn& txn = history.transactions()[position];
    store::RunTransaction run;
    run.session = transactions[txn.number].session;
    run.type = transactions[txn.number].type;
    for (std::uint32_t i = txn.first_read; i < history.read_end(position); ++i)
      run.reads.push_back({history.reads()[i].key(), number[history.reads()[i].writer]});
    if (txn.node->kind == Node::Kind::Commits)
      for (const Write& write : txn.node->writes)
        run.writes.push_back(write.key);
    number[txn.number] = position + 1;
    out.push_back(std::move(run));
  }
  return out;
}

template std::vector<store::RanTransaction> ran_transactions(const Program&,
                                                             const std::vector<ProgramTxn>&,
                                                             const OrderedHistory<1>&,
                                                             const Runs&,
                                                             program::Granularity);
template std::vector<store::RanTransaction> ran_transactions(const Program&,
                                                             const std::vector<ProgramTxn>&,
                                                             const OrderedHistory<4>&,
                                                             const Runs&,
                                                             program::Granularity);
template std::vector<store::RunTransaction> reads_and_writes(const std::vector<ProgramTxn>&,
                                                             const OrderedHistory<1>&);
template std::vector<store::RunTransaction> reads_and_writes(const std::vector<ProgramTxn>&,
                                                             const OrderedHistory<4>&);

}  // namespace isomer::explore
