// SPDX-License-Identifier: MIT
// What the transactions of a run read and wrote, statement by statement, as a model of a
// server notes it when somebody asks (recorded_server.h).  A model says where a statement
// looked and at which moment, and which rows it changed; which versions it saw there
// follows from the commits before that moment.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "database/footprint.h"
#include "database/server.h"
#include "program/machine/keys.h"

namespace isomer::database {

// A statement looked for rows with these values.  It saw what was committed at that moment,
// and over it what its own transaction had written.
struct Look {
  Region region;
  std::uint32_t commits = 0;  // that it saw
  // It locks what it finds there, and looks at a row again if it is no longer what it was:
  // of several such looks at a row only the last one counts.
  bool locks = false;
  // It found the row gone, as the last of these commits once had it; if the key is there
  // again by now, the statement does not see that.
  bool is_gone = false;

  friend bool operator==(const Look&, const Look&) = default;
};

// A row before and after; Null: it is not there.
struct RowWrite {
  program::TableId table;
  program::Value before;
  program::Value after;
  // The statement of its transaction behind which it was undone (ROLLBACK TO).
  std::optional<std::size_t> undone_by{};
};

struct LoggedStatement {
  program::Span at;
  std::vector<std::variant<Look, RowWrite>> accesses{};  // in the order of time
  Reply reply{};
};

struct LoggedTransaction {
  enum class End : std::uint8_t { Open, Committed, RolledBack };

  SessionIndex session = 0;
  End end = End::Open;
  std::uint32_t ended = 0;  // its place in the order of ends, from 1; 0: Open
  bool has_worked = false;  // it has been asked for more than savepoints and its rollback
  std::vector<LoggedStatement> statements{};
};

// Serialization failures, deadlocks, and locks that somebody else has: they tell that
// others are at work, and nothing of any row.
bool has_told_nothing(const Reply& reply);

// A write of a key of the history: a row under its primary key.  Null: it is not there.
struct KeyWrite {
  program::TableId table;
  program::PrimaryKey key;
  program::Value row;
};

// One or two: a row that gets another key leaves the old one.
std::vector<KeyWrite> key_writes(const program::Program& program, const RowWrite& write);

using KeyRows = std::map<std::pair<program::TableId, program::PrimaryKey>, program::Value>;

// What the transaction leaves behind, without what it has undone.
KeyRows final_writes(const program::Program& program, const LoggedTransaction& of);

class AccessLog {
 public:
  // --- for models, while a statement runs ---

  // How many have committed so far.
  [[nodiscard]] std::uint32_t commits() const {
    return static_cast<std::uint32_t>(committed_.size());
  }

  // The same look again in one statement is none.
  void look(SessionIndex session, const Look& look);
  void write(SessionIndex session, RowWrite write);
  // The last write of the statement was none after all.
  void take_back_write(SessionIndex session);

  // --- for whoever drives the server ---

  void begin(SessionIndex session);
  void begin_statement(SessionIndex session, program::Span at);
  // One that failed has written nothing; one that has told nothing has not read either.
  void end_statement(SessionIndex session, const Reply& reply);
  void begin_commit(SessionIndex session);
  // How many statements it has so far; to give to undo_since.
  [[nodiscard]] std::size_t position(SessionIndex session) const;
  void undo_since(SessionIndex session, std::size_t position);
  void end(SessionIndex session, LoggedTransaction::End end);

  // --- what was noted ---

  [[nodiscard]] const std::vector<LoggedTransaction>& transactions() const {
    return transactions_;
  }

  // Places in transactions(), in the order of their commits.
  [[nodiscard]] const std::vector<std::size_t>& committed() const { return committed_; }

 private:
  [[nodiscard]] LoggedTransaction& current(SessionIndex session);
  [[nodiscard]] LoggedStatement* statement(SessionIndex session);

  std::vector<LoggedTransaction> transactions_;  // in the order in which they began
  std::vector<std::size_t> committed_;
  std::vector<std::optional<std::size_t>> current_;  // by session
  std::uint32_t ends_ = 0;
};

}  // namespace isomer::database
