// SPDX-License-Identifier: MIT
// One execution of a statement from its start: up to its next step, through one step, or to
// its end.  Private to the model.
#pragma once

#include <functional>
#include <map>

#include "database/innodb/access.h"
#include "database/innodb/error_codes.h"
#include "database/innodb/records.h"
#include "database/innodb/work.h"

namespace isomer::database::innodb {

// How rows are read.
enum class Sight : std::uint8_t {
  Dirty,     // as they are now, whoever changes them
  Snapshot,  // by a read view
  Share,     // current reads: locked, and then as they are
  Exclusive,
};

// What the session has set up, beside its transaction's level.
struct Terms {
  bool is_read_only = false;
  bool has_snapshot_isolation = false;  // innodb_snapshot_isolation
};

class Statement {
 public:
  // How many steps that are not in the log yet it may do.
  enum class Pace : std::uint8_t { None, OneStep, ToTheEnd };

  Statement(State& state, TrxId trx, const Terms& terms, Work& work, Pace pace);

  // The reply, once the statement has come to its end.
  std::optional<Reply> run();

  // Otherwise what it wants to do next, and what the step that it did touched.
  std::optional<Request> wanted;
  Footprint touched;
  // Did it come to a step and do it?
  bool has_stepped = false;
  // The error ends the transaction.
  bool ends_transaction = false;

 private:
  using Tuple = program::Tuple;
  using OutcomePtr = std::shared_ptr<const Outcome>;
  using Act = std::function<Outcome(const Request&)>;

  // Where subqueries get their rows.
  class Reader final : public program::TableReader {
   public:
    explicit Reader(Statement& statement) : statement_(statement) {}

    std::vector<Value> rows(TableId table,
                            std::span<const std::optional<Value>> pins) override;
    std::optional<std::vector<Tuple>> joined(std::span<const program::Source> from,
                                             const program::Expression* where,
                                             const program::Rows* around) override;

   private:
    Statement& statement_;
  };

  // --- steps (statement.cpp) ---

  // The outcome of a step: from the log, or by doing it if it is its turn; null if it has
  // to wait for its turn.
  OutcomePtr step(const std::function<Request()>& request, const Act& act);
  // What belongs to the step before it.
  OutcomePtr once(const std::function<Outcome()>& act);

  [[nodiscard]] bool is_stopped() const { return is_waiting_ || fault().has_value(); }

  [[nodiscard]] std::optional<program::Fault>& fault() const;
  bool fail(const ErrorCode& code, std::string reason);
  [[nodiscard]] static Outcome failed(const ErrorCode& code, std::string reason);
  // False if the statement stopped.
  bool took(const OutcomePtr& outcome);
  void name_fault();

  [[nodiscard]] Transaction& transaction() { return state_.transactions[trx_]; }

  [[nodiscard]] const Transaction& transaction() const { return state_.transactions[trx_]; }

  void lock_table(TableId table, LockMode mode);
  // Takes the lock of the step, now that nobody is in the way.  Absent: somebody is, and it
  // does not wait.
  std::optional<bool> take(const Request& request);
  // innodb_snapshot_isolation: has somebody changed the row since the read view?
  [[nodiscard]] bool is_changed_since_view(TableId table, const Key& row) const;
  [[nodiscard]] std::optional<Outcome> refused_change(const RecordId& record) const;

  // --- reads (query.cpp) ---

  [[nodiscard]] Sight sight_of_queries() const;
  // An UPDATE that reads its own table is one of several tables to MariaDB.
  [[nodiscard]] bool updates_what_it_queries() const;
  void take_view();
  bool takes_view_first();
  std::optional<Reply> value();
  std::optional<Reply> query(const program::Select& query, std::optional<std::size_t> most);
  std::optional<Reply> snapshot_query(const std::function<Reply()>& compute);
  std::optional<Reply> streamed(const program::Select& query,
                                std::optional<std::size_t> most, Sight sight);
  void stream(const program::Select& query, Sight sight,
              const std::function<bool(std::vector<Value>)>& take_row);
  std::vector<Value> seen_rows(TableId table, std::span<const std::optional<Value>> pins);

  // --- joins (join.cpp) ---

  struct Join {
    std::span<const program::Source> from;
    const program::Expression* where = nullptr;
    const program::Rows* around = nullptr;
    std::vector<Sight> sights{};             // by source
    std::optional<std::size_t> changed{};    // the source that UPDATE or DELETE changes
    const program::Select* query = nullptr;  // if it is one
    bool is_update = false;                  // semi-consistent
    bool is_backward = false;                // ORDER BY .. DESC by the primary key
    bool is_by_key = false;                  // ORDER BY the primary key
  };

  struct JoinSearch;
  friend struct JoinSearch;
  struct TruthQuery;

  // Calls with each tuple of rows that are a result, until that returns false.
  void join(const Join& join, const std::function<bool(const Tuple&)>& visit);
  // Of the ways to read the source of a FROM, or to order its tables, always the same one.
  std::size_t choose(const void* what, std::uint32_t part, std::size_t choices);

  // --- subqueries (truth_query.cpp) ---

  TruthQuery* truth_query(const program::Expression& condition);
  void read_whole(TruthQuery& truth);
  bool is_true(TruthQuery& truth, const program::Rows& around);
  // Is it known before anything is read?
  [[nodiscard]] bool is_known_early(const program::Expression& expression) const;
  [[nodiscard]] bool is_looked_up(const program::Select& query);
  // Asks the subqueries that are constant to MariaDB; and if it may, others.
  void read_early(const program::Expression& expression, bool may_choose);

  // --- scans (scan.cpp) ---

  // A part of an index, as values.
  struct Interval {
    Key from{};
    bool has_from = true;
    Key to{};
    bool has_to = true;
    bool is_exact = false;  // from == to: all entries that begin with it
    bool is_lookup = false;
  };

  struct Scan {
    TableId table;
    Sight sight = Sight::Share;
    program::LockWait wait = program::LockWait::Wait;
    IndexNumber index = clustered;
    std::vector<Interval> intervals{};
    bool is_covering = false;
    bool is_backward = false;
    bool is_semi_consistent = false;
    // What can be asked of an entry before its row is locked (index condition pushdown).
    std::function<bool(const Key&)> pushed{};
    // Where it is.
    std::size_t interval = 0;
    std::optional<Key> position{};
    bool is_begun = false;    // in the interval
    bool waits_next = false;  // semi-consistent: reads the same record again
    bool is_at_end = false;
  };

  struct Fetched {
    Key key;  // of the row
    Value row;
    bool is_committed_version = false;   // semi-consistent
    std::optional<LockRequest> fresh{};  // can be given back at READ COMMITTED
  };

  // The next row; absent at the end, or if the statement stopped.
  std::optional<Fetched> fetch(Scan& scan);
  std::optional<Fetched> fetch_locked(Scan& scan);
  std::optional<Fetched> fetch_dirty(Scan& scan);
  [[nodiscard]] Value dirty_row(const Scan& scan, const RecordId& record) const;
  [[nodiscard]] Request scan_request(const Scan& scan) const;
  // Absent: it goes backwards, and is at the beginning.
  [[nodiscard]] std::optional<RecordId> scan_target(const Scan& scan) const;
  [[nodiscard]] Outcome act_scan(const Scan& scan, const Request& request);
  [[nodiscard]] Outcome refused_wait(const Scan& scan, const Request& request) const;
  bool lock_behind_start(Scan& scan);
  std::optional<Fetched> fetched(Scan& scan, const Outcome& outcome);
  OutcomePtr fetch_row(const Scan& scan, const Key& entry);
  static void next_interval(Scan& scan);
  void give_back(const Fetched& fetched);
  bool keeps_all();

  // --- changes (change.cpp) ---

  std::optional<Reply> update(const program::Update& statement);
  std::optional<Reply> erase(const program::Delete& statement);
  [[nodiscard]] bool changes_what_it_reads(const program::Update& statement) const;
  bool update_tuple(const program::Update& statement, Tuple tuple);
  // Of UPDATE .. FROM and DELETE .. USING: each row once.
  std::vector<Tuple> targets(const Join& join, TableId table);
  std::optional<Value> newest(TableId table, const Value& row);
  // A row, its index entries, and what refers to it.  False if the statement stopped.
  bool replace_row(TableId table, const Value& before, const Value& after, bool is_action);
  bool remove_row(TableId table, const Value& row);
  bool mark_old_entry(TableId table, IndexNumber index, const Value& before);
  void append_returned(const std::vector<program::ExpressionPtr>& returning,
                       const Tuple& tuple);

  // --- INSERT (insert.cpp) ---

  // Where a new row met another one.
  struct Duplicate {
    IndexNumber index = clustered;
    Key key;  // of the entry
  };

  std::optional<Reply> insert(const program::Insert& statement);
  bool insert_selected(const program::Insert& statement);
  bool insert_row(const program::Insert& statement, const Value& row);
  bool update_duplicate(const program::Insert& statement, const Value& row,
                        const Duplicate& duplicate);
  // Puts the row into one index; the duplicate, if there is one.
  std::optional<Duplicate> enter(TableId table, IndexNumber index, const Value& row);
  [[nodiscard]] Request entry_request(TableId table, IndexNumber index, const Value& row,
                                      const std::vector<std::optional<Key>>& checked) const;
  [[nodiscard]] Outcome act_enter(TableId table, IndexNumber index, const Value& row,
                                  const Request& request);
  bool fail_duplicate(TableId table, IndexNumber index, const Key& entry);

  // --- foreign keys (foreign_keys.cpp) ---

  // A foreign key of the table `child`.
  struct Reference {
    TableId child;
    const program::ForeignKey* key = nullptr;
  };

  // Each is false if the statement stopped.
  bool check_parents(TableId table, IndexNumber index, const Value& row);
  bool check_parent(TableId table, const program::ForeignKey& key, const Key& values);
  [[nodiscard]] Request share_request(TableId table, IndexNumber index, const Key& values,
                                      const std::optional<Key>& behind) const;
  bool check_children(TableId table, IndexNumber index, const Value& before,
                      const Value& after);
  bool check_children_of(const Reference& reference, const Key& values, const Value& after);
  bool act_on_child(const Reference& reference, const Key& entry, const Value& after);
  // Share-locks the next entry that begins with the values; absent if it stopped.
  OutcomePtr share_next(TableId table, IndexNumber index, const Key& values,
                        const std::optional<Key>& behind);

  State& state_;
  TrxId trx_;
  const Terms& terms_;
  Work& work_;
  Pace pace_;
  bool is_waiting_ = false;
  bool is_in_act_ = false;  // a step that reads by its view
  bool has_view_ = false;   // in this execution of the statement
  std::size_t next_ = 0;    // in the log
  program::OwnWrites no_writes_;
  program::Answers no_answers_;
  mutable program::StatementExecution execution_;
  Reader reader_;
  std::map<std::pair<const void*, std::uint32_t>, std::size_t> chosen_;
  std::map<const program::Expression*, std::shared_ptr<TruthQuery>> truths_;
  std::vector<program::ExpressionPtr> own_expressions_;
  Reply reply_;
};

// Does the query, or one in it, read the table?
bool reads(const program::Select& query, TableId table);

// Whom a request waits for; nobody: it can be granted.
std::vector<TrxId> holders(const State& state, TrxId trx, const Request& request);

}  // namespace isomer::database::innodb
