// SPDX-License-Identifier: MIT
// Histories as strings, so that a test is one comparison.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "history/formats.h"

namespace isomer::history {

// What `text` means, in our own text; diagnostics if it means nothing.
inline std::string as_hist(std::string_view text, const std::string& format) {
  const auto read = parse_history(text, "input", {.format = format});
  if (!read) return render(read.error());
  const auto written = write_history(read->history, "hist");
  return written ? written->bytes : render(written.error());
}

inline History history_of(std::string_view text, const std::string& format = "hist") {
  auto read = parse_history(text, "input", {.format = format});
  if (!read) ADD_FAILURE() << render(read.error());
  return read ? std::move(read->history) : History{};
}

// A history in our text, written in another format.
inline WriteResult written(std::string_view hist, std::string_view format) {
  auto result = write_history(history_of(hist), format);
  if (!result) ADD_FAILURE() << render(result.error());
  return result ? std::move(*result) : WriteResult{};
}

}  // namespace isomer::history
