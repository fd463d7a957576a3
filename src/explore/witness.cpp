// SPDX-License-Identifier: MIT
#include "explore/witness.h"

#include "program/keys.h"

namespace isomer::explore {
namespace {

// The reads of one transaction, in their order.
struct Answer {
  std::uint32_t writer;  // as store::Access has it
  const Value* value;
};

class Rerun {
 public:
  Rerun(const Program& program, const ProgramTxn& transaction, const Runs& runs,
        program::Granularity granularity)
      : call_(program.sessions[transaction.session].calls[transaction.index]),
        runs_(runs),
        machine_(program, call_, transaction.arguments, granularity) {
    ran_.outcome.session = transaction.session;
    ran_.outcome.index = transaction.index;
  }

  store::RanTransaction run(const Program& program, const std::vector<Answer>& answers) {
    while (step(answers)) {
    }
    for (const program::Variable& variable : program.types[call_.type].variables)
      ran_.locals.emplace(variable.name, machine_.local(variable.name));
    return std::move(ran_);
  }

 private:
  // False at the end.
  bool step(const std::vector<Answer>& answers) {
    program::Step step = machine_.next();
    if (const auto* wants = std::get_if<program::WantsRead>(&step)) {
      const Answer& answer = answers[next_answer_++];
      ran_.accesses.push_back({.is_write = false,
                               .key = wants->key,
                               .value = *answer.value,
                               .writer = answer.writer,
                               .at = wants->at});
      machine_.answer(*answer.value);
      return true;
    }
    if (const auto* scans = std::get_if<program::WantsUniverse>(&step)) {
      machine_.answer(program::universe_of(scans->prefix, runs_.universe()));
      return true;
    }
    if (const auto* writes = std::get_if<program::WritesKey>(&step)) {
      ran_.accesses.push_back({.is_write = true,
                               .key = writes->key,
                               .value = writes->value,
                               .writer = 0,
                               .at = writes->at});
      return true;
    }
    if (const auto* commits = std::get_if<program::Commits>(&step)) {
      ran_.outcome.is_committed = true;
      ran_.outcome.result = commits->result;
    } else if (const auto* aborts = std::get_if<program::Aborts>(&step)) {
      ran_.outcome.reason = aborts->reason;
      ran_.outcome.sqlstate = aborts->sqlstate;
      ran_.outcome.at = aborts->at;
    } else if (const auto* fails = std::get_if<program::FailsAssert>(&step)) {
      ran_.outcome.has_failed_assert = true;
      ran_.outcome.sqlstate = "P0004";
      ran_.outcome.reason = fails->message;
      ran_.outcome.at = fails->at;
    }
    return false;
  }

  const program::Call& call_;
  const Runs& runs_;
  program::Machine machine_;
  std::size_t next_answer_ = 0;
  store::RanTransaction ran_;
};

}  // namespace

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
    std::vector<Answer> answers;
    for (std::uint32_t i = txn.first_read; i < history.read_end(position); ++i) {
      const ReadEvent& read = history.reads()[i];
      answers.push_back({committed_number[read.writer],
                         &runs.value(history.value_of(runs, read.writer, read.key()))});
    }
    out.push_back(
        Rerun(program, transactions[txn.number], runs, granularity).run(program, answers));
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
