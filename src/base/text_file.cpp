// SPDX-License-Identifier: MIT
#include "base/text_file.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace isomer {

Expected<std::string> read_text_file(const std::string& path, std::size_t size_max,
                                     std::string_view what) {
  const auto fail = [&](std::string message) {
    return tl::unexpected(Diagnostics{diagnostic_of_file(path, std::move(message))});
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return fail("there is no such file");
  if (std::filesystem::is_directory(status)) return fail("this is a directory");
  if (!std::filesystem::is_regular_file(status)) return fail("this is not a regular file");
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail("cannot read this file");
  std::string text(size_max + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return fail("cannot read this file");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > size_max) return fail(fmt::format("this is too large for {}", what));
  return text;
}

}  // namespace isomer
