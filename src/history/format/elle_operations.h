// SPDX-License-Identifier: MIT
// The histories of Jepsen and Elle, whether they come as EDN or as JSON: operations
// with :type, :process, :f and :value, put in pairs of an invocation and its completion.
//
// A process is a session.  Where an operation has no process nobody claims an order, so its
// transaction is a session of its own; what it writes tells which completion belongs to
// which invocation.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "history/builder.h"
#include "history/datum.h"
#include "history/format/cursor.h"
#include "history/format/format.h"

namespace isomer::history {

class ElleReader {
 public:
  // What was met that is no transaction of a client.
  struct Skipped {
    std::size_t functions_count = 0;  // operations whose :f is not :txn
    std::size_t processes_count = 0;  // operations of the nemesis and its like
    std::size_t first_offset = 0;
    std::set<std::string, std::less<>> functions;
    bool has_maps = false;    // as :value
    bool has_micros = false;  // as :value
  };

  explicit ElleReader(const Source& source) : source_(source), lines_(source.text) {}

  // One operation map of the file.
  tl::expected<void, Diagnostic> add(const Datum& operation);

  tl::expected<Parsed, Diagnostic> finish();

 private:
  enum class Moment : std::uint8_t { Invocation, Completion };

  enum class MicroKind : std::uint8_t { Read, ReadList, Write, Append };

  struct Micro {
    MicroKind kind;
    KeyId key;
    Value value;
    std::vector<Value> list;
    std::size_t offset;
  };

  // A write or append, to tell transactions apart.
  struct Written {
    KeyId key;
    ValueKind kind;
    std::int64_t bits;

    friend auto operator<=>(const Written&, const Written&) = default;
  };

  static std::vector<Written> writes_in(const std::vector<Micro>& micros);

  struct Transaction {
    HistoryBuilder::Token token;
    Status status;
    std::vector<Micro> micros;
  };

  tl::expected<std::vector<Micro>, Diagnostic> micros_of(const Datum& value,
                                                         Status outcome);
  tl::expected<Micro, Diagnostic> micro_of(const Datum& micro);
  tl::expected<void, Diagnostic> add_of_process(const Datum& operation, Status outcome,
                                                Moment moment);
  tl::expected<void, Diagnostic> add_without_process(const Datum& operation, Status outcome,
                                                     Moment moment);
  tl::expected<std::optional<std::vector<Micro>>, Diagnostic> said_micros(
      const Datum& operation, Status outcome);
  std::size_t begin(SessionId session, const Datum& operation);
  std::size_t begin_without_process(const Datum& operation);
  std::optional<std::size_t> take_invoked(const std::vector<Micro>& completed);
  bool is_skipped(const Datum& operation);
  void note_skipped(const Datum& operation, const Datum& function);
  tl::expected<void, Diagnostic> check_kinds() const;
  tl::expected<void, Diagnostic> check_elements() const;
  [[nodiscard]] Diagnostic wrong_workload() const;
  void build_transaction(const Transaction& txn, bool is_list_append);

  const Source& source_;
  LineCounter lines_;
  HistoryBuilder builder_;
  std::vector<Transaction> txns_;
  std::map<std::int64_t, std::size_t> pending_;  // invoked, by process
  // The same of those without a process, by what they write; in the order of the file.
  std::map<std::vector<Written>, std::deque<std::size_t>> pending_without_process_;
  std::size_t without_process_count_ = 0;
  std::optional<std::size_t> write_offset_;  // of the first :w
  std::optional<std::size_t> list_offset_;   // of the first :append or list
  Skipped skipped_;
};

}  // namespace isomer::history
