// SPDX-License-Identifier: MIT
#include "store/record.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "history/builder.h"
#include "program/machine/keys.h"

namespace isomer::store {
namespace {

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
  Recorder(const Program& program, const Options& options,
           const std::vector<RanTransaction>& transactions)
      : program_(program), options_(options), ran_(transactions) {}

  history::History record() {
    builder_.set_initial(history::Value::none());
    for (const auto& [key, value] :
         program::initial_database(program_, options_.granularity))
      if (is_used(key)) {
        const history::Value label = new_label(key, value);
        labels_[{key, 0}] = label;
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
          builder_.set_status(tokens_[i], history::Status::Aborted);
      }
    }
  }

  std::string unique_name(const std::string& text) {
    const int count = ++names_[text];
    return count == 1 ? text : fmt::format("{} #{}", text, count);
  }

  history::Value new_label(const KeyName& key, const Value& value) {
    const std::string text = shown(value);
    const int count = ++texts_[{key, text}];
    if (count > 1) return builder_.string_value(fmt::format("{} #{}", text, count));
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
        if (is_committed) labels_[{access.key, committed}] = labels_of_[i].back();
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
    return label == labels_.end() ? history::Value::none() : label->second;
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
  const Options& options_;
  const std::vector<RanTransaction>& ran_;
  HistoryBuilder builder_;
  std::set<KeyName> used_;
  std::vector<HistoryBuilder::Token> tokens_;
  std::map<std::string, int> names_;
  std::map<std::uint32_t, std::string> places_;  // by offset
  std::map<std::pair<KeyName, std::string>, int> texts_;
  std::map<std::pair<KeyName, std::uint32_t>, history::Value> labels_;  // key, writer
  std::vector<std::vector<history::Value>> labels_of_;  // by transaction, then write
};

}  // namespace

history::History record(const Program& program, const Options& options,
                        const std::vector<RanTransaction>& transactions) {
  return Recorder(program, options, transactions).record();
}

}  // namespace isomer::store
