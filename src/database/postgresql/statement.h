// SPDX-License-Identifier: MIT
// One execution of a statement from its start: up to its next step, through one step, or to
// its end.  Private to the model.
#pragma once

#include <functional>
#include <map>

#include "database/postgresql/seen.h"
#include "database/postgresql/work.h"

namespace isomer::database::postgresql {

class Statement {
 public:
  // How many steps that are not in the log yet it may do.
  enum class Pace : std::uint8_t { None, OneStep, ToTheEnd };

  Statement(State& state, SessionIndex session, Standing& standing, Work& work, Pace pace);

  // The reply, once the statement has come to its end.
  std::optional<Reply> run();

  // Otherwise what it wants to do next, and what the step that it did touched.
  std::optional<Request> wanted;
  Footprint touched;

 private:
  using Tuple = program::Tuple;
  using OutcomePtr = std::shared_ptr<const Outcome>;

  // Rows that a scan of the snapshot finds; what it looks at becomes a part of `regions`.
  class Reader final : public program::TableReader {
   public:
    explicit Reader(Statement& statement) : statement_(statement) {}

    std::vector<Value> rows(TableId table,
                            std::span<const std::optional<Value>> pins) override;
    std::vector<Value> rows(Region region);
    std::optional<program::Selected> locked(const program::Select& query,
                                            const program::Rows* around) override;
    Value changed(const program::Expression& rows) override;

    Snapshot snapshot;
    std::vector<Region> regions;  // since they were noted last

   private:
    Statement& statement_;
  };

  // Who reads: the statement itself, which can be read again, or a check behind it.
  enum class Reads : std::uint8_t { Statement, Regions, Nothing };

  // --- steps (statement.cpp) ---

  // The outcome of a step: from the log, or by doing it if it is its turn; null if it has
  // to wait for its turn.
  OutcomePtr step(Request request, const std::function<Outcome()>& act);
  // Has it looked at a row again, and has to wait once more?
  bool is_asleep_again(const Request& request);
  // The same for what nobody else can notice.
  OutcomePtr once(const std::function<Outcome()>& act);

  [[nodiscard]] bool is_stopped() const { return is_waiting_ || fault().has_value(); }

  [[nodiscard]] std::optional<program::Fault>& fault() const;
  bool fail(std::string sqlstate, std::string reason);
  [[nodiscard]] Outcome failed(std::string sqlstate, std::string reason) const;
  // False if the statement stopped.
  bool took(const OutcomePtr& outcome);

  [[nodiscard]] Snapshot fresh_snapshot() const;
  // That of the transaction, if it has one; otherwise a fresh one.
  Snapshot statement_snapshot();
  // READ ONLY: fails, after the snapshot and the locks of tables.
  void refuse_to_write(std::string_view what);
  // Runs `compute` on a snapshot; the reads are noted.
  OutcomePtr read(const std::function<Snapshot()>& snapshot,
                  const std::function<Outcome()>& compute, Reads reads = Reads::Statement);
  // What the statement reads of its tables, once it has their locks.
  OutcomePtr read_tables(const std::function<Outcome()>& compute);
  // The same if there are steps inside of it.
  OutcomePtr computed_in_steps(const std::function<Outcome()>& compute);
  // False if that makes a dangerous structure.
  bool note_reads(bool is_fresh, Reads reads);
  bool note_late_reads();
  bool await_safety();
  bool lock_tables();
  bool lock_table(TableId table, TableLock mode, LockWait wait);

  // --- for the log of accesses (statement.cpp) ---

  // Rows of these tables that `find` finds are locked by the statement.
  template <class Find>
  auto found_to_lock(std::vector<TableId> tables, Find find) {
    std::swap(to_lock_, tables);
    auto out = find();
    std::swap(to_lock_, tables);
    return out;
  }

  void log_look(const Look& look) const;
  // A row that was found there has changed since, and is looked at again.
  void log_look_again(TableId table, Place found) const;
  void log_write(TableId table, const Value& before, const Value& after) const;

  // --- queries (query.cpp) ---

  std::optional<Reply> value();
  std::optional<Reply> query(const program::Select& query, std::optional<std::size_t> most);
  // The tables whose rows it locks and looks at again, so that nothing but that counts.
  [[nodiscard]] static std::vector<TableId> locked_tables(const program::Select& query);
  std::optional<Reply> locking_query(const program::Select& query,
                                     std::optional<std::size_t> most);
  // Locks what was found, in its order, until there are enough rows.
  std::vector<std::vector<Value>> locked_rows(const program::Select& query,
                                              const std::vector<Tuple>& tuples,
                                              std::optional<std::size_t> most,
                                              const program::Rows* around);
  // Locks the sources; absent if the tuple is no result any more, or the statement stopped.
  std::optional<Tuple> locked(const program::Select& query, const Tuple& tuple,
                              const program::Rows* around);
  // Rows of a query in FROM are fetched one by one until there are enough of those that are
  // a result; only if it is all that is in the FROM, and nothing has to wait for the rest.
  void fetch_as_needed(const program::Select& query, std::optional<std::size_t> most);
  // A query inside of the statement that locks rows.
  program::Selected inner_locked(const program::Select& query, const program::Rows* around);
  // Done (place: which version to go on with), Changed, Gone or Skipped.
  OutcomePtr lock_row(Request request);
  [[nodiscard]] Outcome act_lock_row(const Request& request);

  // --- changes (change.cpp) ---

  // UPDATE and DELETE of rows that were found, also by the actions of foreign keys.
  struct Change {
    TableId table;
    std::size_t target = 0;  // in the tuples
    bool is_delete = false;
    // Is the tuple with the newest version still one to change?
    std::function<std::optional<Tuple>(const Tuple&)> rejoined;
    std::function<Value(const Tuple&)> after;
    std::vector<ColumnId> columns;   // that are assigned
    bool is_checked_across = false;  // rows that the transaction does not see: 40001
  };

  std::optional<Reply> update(const program::Update& statement);
  std::optional<Reply> erase(const program::Delete& statement);
  std::optional<Reply> change_found(const Change& change,
                                    std::span<const program::Source> sources,
                                    const program::Expression* where,
                                    const std::vector<program::ExpressionPtr>& returning);
  // The tuple as it was changed; absent if it was passed over or the statement stopped.
  std::optional<Tuple> change_row(const Change& change, Tuple tuple);
  [[nodiscard]] Outcome act_replace(const Change& change, const Request& request,
                                    const Value& after);
  // Writes the version, whoever has locks of it.
  Place replace(TableId table, Place place, const Value& after, Lock strength);
  [[nodiscard]] Lock lock_of(TableId table, const Value& before, const Value& after) const;
  [[nodiscard]] Lock static_lock_of(TableId table,
                                    const std::vector<ColumnId>& columns) const;
  void note_change(TableId table, Place before, Place after);
  void append_returned(const std::vector<program::ExpressionPtr>& returning,
                       const Tuple& tuple);

  // A row that was changed, and what is to be checked of it in the end.
  struct Changed {
    RowChange row;
    Place place = nowhere;
    std::vector<std::uint32_t> in_doubt{};  // indexes that have such a key, perhaps twice
  };

  // --- unique indexes (unique_indexes.cpp) ---

  bool enter_indexes(TableId table, Place place, const Value& before);
  // Taken: an arbiter has found somebody.
  OutcomePtr enter_index(TableId table, Place place, std::uint32_t index, bool is_arbiter);
  std::optional<std::vector<Value>> key_of(TableId table, std::uint32_t index,
                                           const Value& row);
  void log_index_look(TableId table, std::uint32_t index, const std::vector<Value>& key,
                      bool locks) const;
  Outcome act_fail_unique(TableId table, std::uint32_t index, Place place);
  // A key that was in doubt when it was entered; false if the statement stopped.
  bool check_key(TableId table, std::uint32_t index, Place place);

  // --- WITH and MERGE (merge.cpp) ---

  // What the change returns; it happens once.
  const Value& change_in_with(const program::Statement& change);
  // Those that nobody has asked for; false if the statement stopped.
  bool finish_with();
  std::optional<Reply> merge(const program::Merge& statement);
  bool merge_row(const program::Merge& statement, Tuple tuple);
  enum class Merged : std::uint8_t { Done, NotMatched };
  Merged merge_matched(const program::Merge& statement, Tuple& tuple);
  bool merge_not_matched(const program::Merge& statement, const Tuple& tuple);

  // --- INSERT (insert.cpp) ---

  std::optional<Reply> insert(const program::Insert& statement);
  bool insert_row(const program::Insert& statement, const Value& row);
  // ON CONFLICT: true if the row was dealt with, false to try again or if it stopped.
  Place find_in_the_way(std::span<const Request> looks);
  bool resolve(const program::Insert& statement, const Value& row, Place in_the_way);
  bool update_in_the_way(const program::Insert& statement, const Value& row,
                         Place in_the_way);
  OutcomePtr append(const program::Insert& statement, const Value& row);

  // --- foreign keys (foreign_keys.cpp) ---

  // The snapshot of a check: the transaction's, or all that is committed at this moment.
  enum class Sight : std::uint8_t { Transaction, Latest };

  // A foreign key of the table `child`.
  struct Reference {
    TableId child;
    const program::ForeignKey* key = nullptr;
  };

  // Each is false if the statement stopped.
  bool check_changes();
  bool check_keys(const Changed& change, bool is_primary);
  [[nodiscard]] bool is_rewritten(const RowChange& change) const;
  bool check_parents(const RowChange& change);
  bool check_parent(const RowChange& change, const program::ForeignKey& key);
  bool act_on_children(const RowChange& change);
  bool refuse_children(const Reference& reference, const std::vector<Value>& values,
                       program::ReferenceAction action);
  bool change_children(const Reference& reference, const RowChange& change,
                       program::ReferenceAction action);
  // Is there such a row?  It is then key-share-locked; absent if the statement stopped.
  std::optional<bool> finds_and_locks(const Region& region, Sight sight);
  OutcomePtr rows_in(const Region& region, Sight sight);

  // --- DEFERRABLE (late_checks.cpp) ---

  // Is it checked at COMMIT, as things stand?
  [[nodiscard]] bool is_late(const program::ConstraintId& id,
                             program::Deferral deferral) const;
  // All of these constraints (none: of all); false if the statement stopped.
  bool check_now(const std::vector<program::ConstraintId>& constraints);
  std::optional<Reply> check_at_commit();
  std::optional<Reply> set_constraints();
  // Once the statement is done.
  void keep_late_checks();

  // --- other locks (statement.cpp) ---

  std::optional<Reply> lock_table_statement();
  std::optional<Reply> advise();

  // --- SERIALIZABLE (serializable.cpp) ---

  // Each is false if that makes a dangerous structure.
  bool note_read(const Region& region);
  bool note_statement_read(const Snapshot& snapshot, std::vector<TableId> tables);
  bool note_write(TableId table, Place before, const Value& after);
  [[nodiscard]] Outcome serialization_failure() const;

  State& state_;
  SessionIndex session_;
  Standing& standing_;
  Work& work_;
  Pace pace_;
  bool is_waiting_ = false;
  std::size_t next_ = 0;  // in the log
  std::uint32_t command_ = 0;
  program::OwnWrites no_writes_;
  program::Answers no_answers_;
  mutable program::StatementExecution execution_;
  Reader reader_;
  std::vector<Changed> changes_;
  std::vector<LateCheck> late_checks_;
  std::vector<std::uint32_t> in_doubt_;  // of the row that is entered now
  Reply reply_;
  std::vector<TableId> to_lock_;  // see found_to_lock
  unsigned subqueries_ = 0;       // that are being answered
  // Of which query how many rows are needed that are a result.
  const program::Select* fetched_ = nullptr;
  std::function<bool(const std::vector<Value>&)> is_enough_;
  bool is_in_with_ = false;  // a change of the WITH is on its way
  std::map<const program::Statement*, Value> changed_in_with_;
};

// Whom a request waits for; nobody: it can be granted.  A session that sleeps waits behind
// those before it.
std::vector<SessionIndex> blockers(const State& state, const Standing& standing,
                                   SessionIndex session, const Request& request);

// If what the sleeper waits for is a part that was released: from now on it waits for all.
void wait_for_whole(State& state, const Standing& standing, Sleeper& sleeper);

// The queue, with the one directly before the other; nothing if it does not stand behind it
// in a queue of a table or an advisory lock.
std::optional<std::vector<Sleeper>> with_turn_before(std::vector<Sleeper> sleepers,
                                                     SessionIndex behind,
                                                     SessionIndex before);

// The rows with these values in these columns.
Region region_of(TableId table, std::span<const ColumnId> columns,
                 const std::vector<Value>& values);

// Does it lock rows in a query inside of it, or change rows in its WITH?
bool has_inner_steps(const program::AsksServer& what);

// In which orders the statement may take the rows that it finds, first that of a scan
// (lock_order.cpp).
std::vector<LockOrder> lock_orders(const State& state, const program::Statement& statement);
void put_in_order(const State& state, std::span<const program::Source> sources,
                  const LockOrder& order, std::vector<program::Tuple>& tuples);

// What a row meets first in a unique index.
struct InTheWay {
  ActorId awaited = nobody;  // whose end decides whether a row is there
  Place taken = nowhere;     // there for good, or by the transaction's own doing

  [[nodiscard]] bool is_free() const { return awaited == nobody && taken == nowhere; }
};

// `self`: the row itself, if it is there already.
InTheWay first_in_index(const State& state, ActorId top, TableId table, std::uint32_t index,
                        const std::vector<Value>& key, Place self = nowhere);
// For the footprint: who inserts meets whoever has or had the key.
Footprint::TouchedKey touched_key(const State& state, TableId table, std::uint32_t index,
                                  std::vector<Value> key, bool is_insert);

// --- SERIALIZABLE (serializable.cpp) ---

// What a statement of a serializable transaction has read.
struct StatementRead {
  Task task;
  Snapshot snapshot;
  std::vector<TableId> tables;
  Seen seen;
};

SerializableTransaction* serializable_transaction(State& state, ActorId top);
// At the first snapshot.
void begin_serializable(State& state, Standing& standing);
// At COMMIT: dooms who must not commit after this one; false if it must not itself.
bool may_commit_serializable(State& state, ActorId top);
// READ ONLY DEFERRABLE: has one of those who wrote at its snapshot committed after one that
// it must come before?  The snapshot could then be in a cycle.
bool is_unsafe(const State& state, const Standing& standing);
// After the end of a transaction, or of its wait for a safe snapshot.
void forget_serializable(State& state, ActorId top);

}  // namespace isomer::database::postgresql
