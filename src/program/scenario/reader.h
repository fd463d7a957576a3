// SPDX-License-Identifier: MIT
// The reader of one scenario: private to this folder.
#pragma once

#include "program/scenario/sql.h"
#include "program/scenario/toml_text.h"

namespace isomer::program {

class ScenarioReader {
 public:
  ScenarioReader(Program& program, Reporter& reporter, const TomlValue& root,
                 std::size_t first)
      : program_(program),
        reporter_(reporter),
        root_(root),
        sql_{.program = program, .reporter = reporter, .symbols = {}, .values = nullptr},
        first_(static_cast<std::uint32_t>(first)) {}

  void read();

 private:
  using Names = std::vector<std::string>;

  [[nodiscard]] Span here(Span at) const {
    return {.first = at.first + first_, .last = at.last + first_};
  }

  void fail(Span at, std::string message) { reporter_.fail(here(at), std::move(message)); }

  // SQL in a string, with its place in the source.
  [[nodiscard]] ScenarioText sql_text(const TomlValue& string) const {
    return {.text = string.text,
            .at = here(string.at),
            .inside = string.inside.last == 0 ? Span{} : here(string.inside)};
  }

  void check_keys(const TomlValue& of, std::string_view where, const Names& known);
  // A section, which must be a table; null if it is not there.
  const TomlValue* table(std::string_view name);
  bool expect(const TomlValue& value, TomlValue::Kind kind, std::string_view what);
  void shift_values();
  void check_values();

  // --- sessions, rows and conditions (state.cpp) ---

  void read_sessions();
  void read_session(const TomlValue& from);
  void read_calls(const TomlValue& calls, Session& session);
  void read_session_script(const TomlValue& script, Session& session);
  void read_retry(const TomlValue& from, Session& session);
  void read_invariants();
  void read_assumptions();
  void read_initial_state();
  void read_initial_invariant(const TomlValue& name);

  // --- transaction types, and their server (types.cpp) ---

  std::optional<std::uint32_t> type_named(const std::string& name, Span at);
  void read_levels();
  void read_level(const TomlEntry& entry);
  void read_serial(const TomlValue& groups);
  void read_server_settings();
  void read_workload();
  bool read_weight(const TomlEntry& entry, WorkloadType& drawn);
  bool read_draws(const TomlEntry& entry, WorkloadType& drawn);

  Program& program_;
  Reporter& reporter_;
  const TomlValue& root_;
  ScenarioSql sql_;
  TomlValue values_;
  std::uint32_t first_;
};

// --- initial rows (initial_rows.cpp) ---

// Adds the rows that the SQL at this place of the source inserts; complains of what is not
// an INSERT, and of rows that a constraint forbids.
void add_initial_rows(Program& program, Span at, Reporter& reporter);

}  // namespace isomer::program
