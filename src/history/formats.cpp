// SPDX-License-Identifier: MIT
// The table of formats, and the two ways through it: read (find the row, run its reader)
// and write.
#include "history/formats.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "history/format/cursor.h"
#include "history/format/format.h"
#include "history/input.h"

namespace isomer::history {
namespace {

// In the order of help, which is also the order of guesses: the first row whose
// looks_like() holds reads the file.
constexpr std::array table = {
    &hist_format,  &jsonl_format,      &json_format,       &plume_format,
    &dbcop_format, &dbcop_text_format, &dbcop_yaml_format, &dbcop_bincode_format,
    &elle_format,  &elle_json_format,  &isopredict_format, &cobra_format,
    &awdit_format,
};

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string names_of(bool (*is_listed)(const Format&)) {
  std::vector<std::string_view> names;
  for (const Format& format : formats())
    if (is_listed(format)) names.push_back(format.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

const FormatRow* row_named(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const FormatRow* row) {
    return row->format.name == name;
  });
  return found == table.end() ? nullptr : *found;
}

Expected<const FormatRow*> row_of(const Source& source, const ReadOptions& options) {
  if (!options.format.empty()) {
    if (const FormatRow* row = row_named(options.format)) return row;
    return failure(diagnostic_of_file(
        source.name,
        fmt::format("there is no format '{}'; the formats are: {}", options.format,
                    names_of([](const Format&) { return true; }))));
  }
  const std::string_view spaces = " \t\r\n";
  if (source.text.find_first_not_of(spaces) == std::string_view::npos)
    return failure(diagnostic_of_file(source.name, "the file is empty"));
  const auto found = std::find_if(table.begin(), table.end(), [&](const FormatRow* row) {
    return row->looks_like(source.text);
  });
  if (found != table.end()) return *found;
  return failure(source.at(
      0, fmt::format("this looks like no history format; name one with --format: {}",
                     names_of([](const Format&) { return true; }))));
}

ReadResult result_of(Parsed&& parsed, const FormatRow& row) {
  return {.history = std::move(parsed.history),
          .format = std::string(row.format.name),
          .warnings = std::move(parsed.warnings)};
}

Expected<ReadResult> read_source(const Source& source, const ReadOptions& options) {
  if (source.text.size() > input_size_max)
    return failure(diagnostic_of_file(source.name, "files over 8 GiB are not supported"));
  const Expected<const FormatRow*> row = row_of(source, options);
  if (!row) return tl::unexpected(row.error());
  if ((*row)->is_text)
    if (const auto offset = invalid_utf8(source.text))
      return failure(source.at(
          *offset, fmt::format("this byte is not UTF-8 text, as format '{}' has to be",
                               (*row)->format.name)));
  return (*row)->read(source).map(
      [&](Parsed&& parsed) { return result_of(std::move(parsed), **row); });
}

bool is_log(std::string_view name) {
  return name.ends_with(".log") || name.ends_with(".log.zst") || name.ends_with(".log.gz");
}

// A directory is Cobra's logs, or the directory that dbcop makes around its one file.
Expected<ReadResult> read_path(const std::string& path, const ReadOptions& options,
                               const Budget& budget);

Expected<ReadResult> read_directory(const std::string& path, const ReadOptions& options,
                                    const Budget& budget) {
  const Expected<std::vector<std::string>> names = files_in(path);
  if (!names) return tl::unexpected(names.error());
  constexpr std::string_view bincode = "history.bincode";
  if (options.format != "cobra" &&
      std::find(names->begin(), names->end(), bincode) != names->end())
    return read_path(fmt::format("{}/{}", path, bincode), options, budget);
  std::vector<std::string> paths;
  for (const std::string& name : *names)
    if (is_log(name)) paths.push_back(fmt::format("{}/{}", path, name));
  if (paths.empty() || (!options.format.empty() && options.format != "cobra"))
    return failure(diagnostic_of_file(
        path, "a directory must hold Cobra logs (*.log) or dbcop's history.bincode"));
  std::vector<Bytes> bytes;
  std::vector<Source> sources;
  for (const std::string& file : paths) {
    Expected<Bytes> input = read_input(file, budget);
    if (!input) return tl::unexpected(input.error());
    bytes.push_back(std::move(*input));
  }
  for (std::size_t i = 0; i < paths.size(); ++i)
    sources.push_back({.name = paths[i], .text = bytes[i].view(), .budget = budget});
  return cobra_format.read_directory(sources).map(
      [](Parsed&& parsed) { return result_of(std::move(parsed), cobra_format); });
}

Expected<ReadResult> read_bytes(std::string_view bytes, std::string_view name,
                                const ReadOptions& options, const Budget& budget) {
  if (is_packed(bytes)) {
    const Expected<std::string> unpacked = unpack(bytes, name, budget);
    if (!unpacked) return tl::unexpected(unpacked.error());
    return read_source({.name = name, .text = *unpacked, .budget = budget}, options);
  }
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  return read_source({.name = name, .text = bytes, .budget = budget}, options);
}

Expected<ReadResult> read_path(const std::string& path, const ReadOptions& options,
                               const Budget& budget) {
  if (is_directory(path)) return read_directory(path, options, budget);
  const Expected<Bytes> input = read_input(path, budget);
  if (!input) return tl::unexpected(input.error());
  return read_bytes(input->view(), path == "-" ? "<stdin>" : path, options, budget);
}

}  // namespace

std::span<const Format> formats() {
  static const auto all = [] {
    std::array<Format, table.size()> copies{};
    std::transform(table.begin(), table.end(), copies.begin(),
                   [](const FormatRow* row) { return row->format; });
    return copies;
  }();
  return all;
}

Diagnostic Source::at_byte(std::size_t offset, std::string_view message) const {
  return diagnostic_of_file(name, fmt::format("byte {}: {}", offset, message));
}

Expected<ReadResult> parse_history(std::string_view bytes, std::string_view name,
                                   const ReadOptions& options) {
  return read_bytes(bytes, name, options, {});
}

Expected<ReadResult> read_history(const std::string& path, const ReadOptions& options) {
  return read_path(path, options, {});
}

// Readers that were stopped return something or complain about it: neither means anything.
Expected<std::optional<ReadResult>> read_history_within(const Budget& budget,
                                                        const std::string& path,
                                                        const ReadOptions& options) {
  Expected<ReadResult> result = read_path(path, options, budget);
  if (budget.is_exhausted()) return std::nullopt;
  return std::move(result).map(
      [](ReadResult&& read) { return std::optional(std::move(read)); });
}

namespace {

std::string left_out(std::size_t count, std::string_view what, std::string_view without) {
  return fmt::format("{} {}{} without {} {} left out", count, what, count == 1 ? "" : "s",
                     without, count == 1 ? "is" : "are");
}

void warn_of_empty(const History& history, Keeps keeps,
                   std::vector<std::string>& warnings) {
  std::size_t sessions = 0;
  for (std::uint32_t i = 0; i < history.session_count(); ++i)
    sessions += history.first_txn({i}) == history.end_txn({i}) ? 1 : 0;
  std::size_t transactions = 0;
  for (std::uint32_t i = 1; i < history.txn_count(); ++i)
    transactions += history.operations(TxnId{i}).empty() ? 1 : 0;
  if (sessions > 0 && keeps != Keeps::EmptySessions)
    warnings.push_back(left_out(sessions, "session", "transactions"));
  if (transactions > 0 && keeps == Keeps::Operations)
    warnings.push_back(left_out(transactions, "transaction", "operations"));
}

Expected<WriteResult> write_as(const History& history, const FormatRow& row) {
  Expected<WriteResult> result = row.write(history);
  if (!result) return result;
  if (result->bytes.empty())
    return failure(diagnostic_of_file(
        "isomer",
        fmt::format("format '{}' cannot say a history without {}", row.format.name,
                    row.keeps == Keeps::Operations ? "operations" : "transactions")));
  if (history.has_places() && !row.keeps_places)
    result->warnings.emplace_back("where the operations stand in the program is left out");
  warn_of_empty(history, row.keeps, result->warnings);
  return result;
}

}  // namespace

Expected<WriteResult> write_history(const History& history, std::string_view format) {
  const FormatRow* const row = row_named(format);
  if (row != nullptr && row->write != nullptr) return write_as(history, *row);
  const std::string writable = names_of([](const Format& f) { return f.is_writable; });
  return failure(diagnostic_of_file(
      "isomer", row == nullptr
                    ? fmt::format("there is no format '{}'; the formats that can be "
                                  "written are: {}",
                                  format, writable)
                    : fmt::format("format '{}' can only be read; the formats that can be "
                                  "written are: {}",
                                  format, writable)));
}

}  // namespace isomer::history
