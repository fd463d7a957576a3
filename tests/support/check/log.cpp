// SPDX-License-Identifier: MIT
#include "support/check/log.h"

#include <fmt/format.h>

#include "history/builder.h"

namespace isomer::check {

using history::Status;

std::vector<const LoggedTxn*> Log::txns() const {
  std::vector<const LoggedTxn*> all;
  for (const auto& session : sessions)
    for (const LoggedTxn& txn : session)
      all.push_back(&txn);
  return all;
}

namespace {

std::string key_name(int key) {
  return std::string(1, static_cast<char>('x' + key));
}

}  // namespace

history::History history_of(const Log& log) {
  history::HistoryBuilder builder;
  if (log.is_list_append) builder.set_list_append();
  builder.set_initial(log.is_list_append ? history::Value::none()
                                         : history::Value::integer(0));
  for (int key = 0; key < key_count; ++key)
    builder.key(key_name(key));
  for (std::size_t s = 0; s < log.sessions.size(); ++s)
    for (const LoggedTxn& txn : log.sessions[s]) {
      const auto token = builder.begin(builder.session(fmt::format("s{}", s + 1)));
      builder.set_status(token, txn.outcome);
      for (const Op& op : txn.ops) {
        const history::KeyId key = builder.key(key_name(op.key));
        if (op.is_write) {
          builder.write(token, key, history::Value::integer(op.value));
        } else if (log.is_list_append) {
          std::vector<history::Value> list;
          for (const int element : op.list)
            list.push_back(history::Value::integer(element));
          builder.read_list(token, key, std::move(list));
        } else {
          builder.read(token, key, history::Value::integer(op.value));
        }
      }
    }
  return builder.build();
}

namespace {

std::string text(const Op& op, bool is_list_append) {
  const std::string key = key_name(op.key);
  if (op.is_write)
    return fmt::format("{}({},{})", is_list_append ? 'a' : 'w', key, op.value);
  if (is_list_append) return fmt::format("r({},[{}])", key, fmt::join(op.list, " "));
  return fmt::format("r({},{})", key, op.value);
}

}  // namespace

std::string text(const Log& log) {
  std::string result;
  for (std::size_t s = 0; s < log.sessions.size(); ++s) {
    result += fmt::format("s{}:", s + 1);
    for (const LoggedTxn& txn : log.sessions[s]) {
      result += " {";
      for (const Op& op : txn.ops)
        result += fmt::format(" {}", text(op, log.is_list_append));
      result += " }";
      if (txn.outcome == Status::Aborted) result += " abort";
      if (txn.outcome == Status::Unknown) result += " unknown";
    }
    result += "\n";
  }
  return result;
}

std::vector<Log> smaller(const Log& log) {
  std::vector<Log> all;
  for (std::size_t s = 0; s < log.sessions.size(); ++s) {
    Log less = log;
    less.sessions.erase(less.sessions.begin() + static_cast<std::ptrdiff_t>(s));
    all.push_back(less);
    for (std::size_t t = 0; t < log.sessions[s].size(); ++t) {
      less = log;
      less.sessions[s].erase(less.sessions[s].begin() + static_cast<std::ptrdiff_t>(t));
      all.push_back(less);
      for (std::size_t o = 0; o < log.sessions[s][t].ops.size(); ++o) {
        less = log;
        auto& ops = less.sessions[s][t].ops;
        ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(o));
        all.push_back(less);
      }
    }
  }
  return all;
}

}  // namespace isomer::check
