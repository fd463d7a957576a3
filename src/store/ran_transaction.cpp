// SPDX-License-Identifier: MIT
#include "store/ran_transaction.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/assert.h"
#include "history/builder.h"
#include "program/machine/keys.h"

namespace isomer::store {
namespace {

class Rerun {
 public:
  Rerun(const Program& program, Place place, std::vector<Value> arguments,
        program::Granularity granularity, const KeyUniverse& universe)
      : program_(program),
        call_(program.sessions[place.first].calls[place.second]),
        universe_(universe),
        machine_(program, call_, std::move(arguments), granularity) {
    ran_.outcome.session = place.first;
    ran_.outcome.index = place.second;
  }

  RanTransaction run(const std::function<ReadAnswer(const KeyName&)>& answer) {
    while (step(answer)) {
    }
    for (const program::Variable& variable : program_.types[call_.type].variables)
      ran_.locals.emplace(variable.name, machine_.local(variable.name));
    return std::move(ran_);
  }

 private:
  // False at the end.
  bool step(const std::function<ReadAnswer(const KeyName&)>& answer) {
    program::Step step = machine_.next();
    if (const auto* wants = std::get_if<program::WantsRead>(&step)) {
      ReadAnswer version = answer(wants->key);
      ran_.accesses.push_back({.is_write = false,
                               .key = wants->key,
                               .value = version.value,
                               .writer = version.writer,
                               .at = wants->at});
      machine_.answer(std::move(version.value));
      return true;
    }
    if (const auto* scans = std::get_if<program::WantsUniverse>(&step)) {
      machine_.answer(program::universe_of(scans->prefix, universe_));
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
    end(step);
    return false;
  }

  void end(const program::Step& step) {
    TransactionOutcome& outcome = ran_.outcome;
    if (const auto* commits = std::get_if<program::Commits>(&step)) {
      outcome.is_committed = true;
      outcome.result = commits->result;
    } else if (const auto* aborts = std::get_if<program::Aborts>(&step)) {
      outcome.reason = aborts->reason;
      outcome.sqlstate = aborts->sqlstate;
      outcome.at = aborts->at;
      outcome.is_limit = aborts->is_limit;
    } else if (const auto* fails = std::get_if<program::FailsAssert>(&step)) {
      outcome.has_failed_assert = true;
      outcome.sqlstate = "P0004";
      outcome.reason = fails->message;
      outcome.at = fails->at;
    }
  }

  const Program& program_;
  const program::Call& call_;
  const KeyUniverse& universe_;
  program::Machine machine_;
  RanTransaction ran_;
};

using history::HistoryBuilder;

// A row as (1,ann,60), a list likewise; a missing row is "absent".
std::string shown(const Value& value) {
  if (value.is_null()) return "absent";
  if (value.get_if<program::List>() == nullptr) return to_text(value);
  std::string out = "(";
  for (const Value& item : value.items()) {
    if (out.size() > 1) out += ",";
    out += item.is_null() ? "NULL" : shown(item);
  }
  return out + ")";
}

class Recorder {
 public:
  Recorder(const Program& program, program::Granularity granularity,
           const std::vector<RanTransaction>& transactions)
      : program_(program), granularity_(granularity), ran_(transactions) {}

  history::History record() {
    builder_.set_initial(history::Value::none());
    for (const auto& [key, value] : program::initial_database(program_, granularity_))
      if (is_used(key)) {
        const history::Value label = new_label(key, value);
        labels_[{key, 0}] = {label};
        builder_.set_initial(builder_.key(key), label);
      }
    begin_transactions();
    label_writes();
    for (std::size_t i = 0; i < ran_.size(); ++i)
      add_operations(i);
    return builder_.build();
  }

 private:
  // Histories leave out what nobody touched, so that the initial state stays small.
  bool is_used(const KeyName& key) {
    if (used_.empty())
      for (const RanTransaction& transaction : ran_)
        for (const Access& access : transaction.accesses)
          used_.insert(access.key);
    return used_.contains(key);
  }

  // In session order, as ids are given.
  void begin_transactions() {
    tokens_.resize(ran_.size());
    for (std::size_t s = 0; s < program_.sessions.size(); ++s) {
      const history::SessionId session = builder_.session(program_.sessions[s].name);
      for (std::size_t i = 0; i < ran_.size(); ++i) {
        const TransactionOutcome& outcome = ran_[i].outcome;
        if (outcome.session != s) continue;
        const program::Call& call = program_.sessions[s].calls[outcome.index];
        tokens_[i] = builder_.begin(session);
        builder_.set_name(tokens_[i], unique_name(call.text));
        if (!outcome.is_committed)
          builder_.set_status(tokens_[i], outcome.is_unknown ? history::Status::Unknown
                                                             : history::Status::Aborted);
      }
    }
  }

  std::string unique_name(const std::string& text) {
    const int count = ++names_[text];
    return count == 1 ? text : fmt::format("{} #{}", text, count);
  }

  history::Value new_label(const KeyName& key, const Value& value) {
    const std::string text = shown(value);
    const auto [known, is_new] = texts_.try_emplace({key, text}, 1);
    if (!is_new) {
      std::string marked;  // a value may look like this itself
      do
        marked = fmt::format("{} #{}", text, ++known->second);
      while (!texts_.try_emplace({key, marked}, 1).second);
      return builder_.string_value(marked);
    }
    if (const auto* number = value.get_if<std::int64_t>())
      return history::Value::integer(*number);
    return builder_.string_value(text);
  }

  void label_writes() {
    std::uint32_t committed = 0;
    labels_of_.resize(ran_.size());
    for (std::size_t i = 0; i < ran_.size(); ++i) {
      const bool is_committed = ran_[i].outcome.is_committed;
      if (is_committed) ++committed;
      for (const Access& access : ran_[i].accesses) {
        if (!access.is_write) continue;
        labels_of_[i].push_back(new_label(access.key, access.value));
        if (is_committed) labels_[{access.key, committed}].push_back(labels_of_[i].back());
      }
    }
  }

  void add_operations(std::size_t i) {
    std::size_t write = 0;
    for (const Access& access : ran_[i].accesses) {
      const history::KeyId key = builder_.key(access.key);
      if (access.is_write)
        builder_.write(tokens_[i], key, labels_of_[i][write++]);
      else
        builder_.read(tokens_[i], key, label_of(access));
      if (access.at.last > 0) builder_.set_place(place_at(access.at.first));
    }
  }

  [[nodiscard]] history::Value label_of(const Access& read) const {
    const auto label = labels_.find({read.key, read.writer});
    if (label == labels_.end()) return history::Value::none();
    ISOMER_ASSERT(read.later_writes < label->second.size());
    return label->second[label->second.size() - 1 - read.later_writes];
  }

  // To count lines takes time, and there are few statements.
  const std::string& place_at(std::uint32_t offset) {
    const auto [place, is_new] = places_.try_emplace(offset);
    if (is_new) {
      const auto [file, at] = program::place_of(program_, offset);
      place->second = fmt::format("{}:{}", file, at.line);
    }
    return place->second;
  }

  const Program& program_;
  program::Granularity granularity_;
  const std::vector<RanTransaction>& ran_;
  HistoryBuilder builder_;
  std::set<KeyName> used_;
  std::vector<HistoryBuilder::Token> tokens_;
  std::map<std::string, int> names_;
  std::map<std::uint32_t, std::string> places_;  // by offset
  // Of the values of a key: how often it was written, as far as marks tell.
  std::map<std::pair<KeyName, std::string>, int> texts_;
  // By key and writer: of its writes of the key, in order.
  std::map<std::pair<KeyName, std::uint32_t>, std::vector<history::Value>> labels_;
  std::vector<std::vector<history::Value>> labels_of_;  // by transaction, then write
};

}  // namespace

RanTransaction rerun(const Program& program, Place place, std::vector<Value> arguments,
                     program::Granularity granularity, const KeyUniverse& universe,
                     const std::function<ReadAnswer(const KeyName&)>& answer) {
  return Rerun(program, place, std::move(arguments), granularity, universe).run(answer);
}

history::History record(const Program& program, program::Granularity granularity,
                        const std::vector<RanTransaction>& transactions) {
  return Recorder(program, granularity, transactions).record();
}

}  // namespace isomer::store
