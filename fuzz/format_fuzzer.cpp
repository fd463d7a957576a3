// SPDX-License-Identifier: MIT
// Reads arbitrary bytes as a history.  Whatever is accepted must survive the way through
// our own text unchanged, and every format that can write it must be able to read that
// back.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "history/formats.h"

namespace {

using namespace isomer::history;

void require(bool holds, const char* what, std::string_view format) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s (%.*s)\n", what, static_cast<int>(format.size()),
               format.data());
  std::abort();
}

void write_and_read_again(const History& history) {
  for (const Format& format : formats()) {
    if (!format.is_writable) continue;
    const auto written = write_history(history, format.name);
    if (!written) continue;
    const auto again =
        parse_history(written->bytes, "again", {.format = std::string(format.name)});
    if (!again) std::fputs(isomer::render(again.error()).c_str(), stderr);
    require(again.has_value(), "what was written is not accepted", format.name);
    if (format.name != "hist" && format.name != "json" && format.name != "jsonl") continue;
    const auto twice = write_history(again->history, format.name);
    require(twice && twice->bytes == written->bytes, "the way through changes it",
            format.name);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view format = ISOMER_FUZZ_FORMAT;
  const auto result =
      parse_history(bytes, "input", {.format = std::string(format == "any" ? "" : format)});
  if (result)
    write_and_read_again(result->history);
  else
    require(!isomer::render(result.error()).empty(), "an error without a message", format);
  return 0;
}
