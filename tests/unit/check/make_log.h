// SPDX-License-Identifier: MIT
// Logs written out by hand.
#pragma once

#include <utility>
#include <vector>

#include "support/check/log.h"

namespace isomer::check {

inline constexpr int x = 0;
inline constexpr int y = 1;
inline constexpr int z = 2;

inline Op r(int key, int value) {
  return {false, key, value, {}};
}

inline Op r_list(int key, std::vector<int> list) {
  return {false, key, 0, std::move(list)};
}

inline Op w(int key, int value) {
  return {true, key, value, {}};
}

inline LoggedTxn txn(std::vector<Op> ops) {
  return {history::Status::Committed, std::move(ops)};
}

inline LoggedTxn aborted(std::vector<Op> ops) {
  return {history::Status::Aborted, std::move(ops)};
}

inline LoggedTxn unknown(std::vector<Op> ops) {
  return {history::Status::Unknown, std::move(ops)};
}

inline Log log_of(std::vector<std::vector<LoggedTxn>> sessions) {
  return {false, std::move(sessions)};
}

inline Log list_log_of(std::vector<std::vector<LoggedTxn>> sessions) {
  return {true, std::move(sessions)};
}

}  // namespace isomer::check
