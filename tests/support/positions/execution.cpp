// SPDX-License-Identifier: MIT
#include "support/positions/execution.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"

namespace isomer::positions {

namespace {

constexpr std::size_t id = 0;
constexpr std::size_t b = 2;

Resource key_resource(Table table, int index, int key) {
  return {.kind = Resource::Kind::Key,
          .row = {.table = table, .made = {}},
          .index = index,
          .number = key};
}

class Execution {
 public:
  Execution(const World& world, const Transaction& transaction, int number,
            const std::vector<Reply>& replies)
      : world_(world), transaction_(transaction), number_(number), replies_(replies) {}

  State run() {
    if (all_statements()) state_.next = {.kind = Request::Kind::Commit};
    return std::move(state_);
  }

 private:
  bool is_at_read_committed() const {
    return transaction_.level == database::IsolationLevel::ReadCommitted;
  }

  // --- requests: each returns false where there is no reply yet ---

  const Reply* ask(Request request) {
    if (asked_ < replies_.size()) return &replies_[asked_++];
    state_.next = std::move(request);
    return nullptr;
  }

  bool fail(const std::string& sqlstate) {
    state_.next = {.kind = Request::Kind::Fail, .sqlstate = sqlstate};
    return false;
  }

  // READ COMMITTED has a snapshot a statement, and so do some checks.
  bool take_snapshot(Rows& view, bool is_fresh = false) {
    if (!is_at_read_committed() && !is_fresh && snapshot_) {
      view = with_writes(world_.committed[*snapshot_], state_.own);
      return true;
    }
    const Reply* reply = ask({.kind = Request::Kind::Snapshot});
    if (reply == nullptr) return false;
    const auto gap = static_cast<std::size_t>(reply->gap);
    if (!is_fresh) snapshot_ = gap;
    view = with_writes(world_.committed[gap], state_.own);
    return true;
  }

  // `newest` is empty if the row is gone or was skipped.
  bool lock(const RowName& row, Mode mode, const Version& found, Patience patience,
            std::optional<Version>& newest) {
    if (row.made.transaction == number_) {
      newest = state_.own.at(row);
      return true;
    }
    const bool is_own = state_.own.contains(row);
    const Resource resource{.kind = Resource::Kind::Row, .row = row};
    const Reply* reply = ask({.kind = Request::Kind::Lock,
                              .wanted = {{resource, mode}},
                              .found = is_own ? std::nullopt : std::optional(found),
                              .patience = patience});
    if (reply == nullptr) return false;
    if (reply->kind == Reply::Kind::Failed) return fail(reply->sqlstate);
    newest.reset();
    if (reply->kind != Reply::Kind::Granted) return true;
    state_.held.insert({resource, mode});
    newest = is_own ? state_.own.at(row) : reply->version;
    return true;
  }

  bool enter_key(const RowName& row, int index, Number key) {
    if (!key) return true;
    const Resource resource = key_resource(row.table, index, *key);
    const Reply* reply = ask(
        {.kind = Request::Kind::Key, .wanted = {{resource, Mode::InsertsKey}}, .row = row});
    if (reply == nullptr) return false;
    if (reply->kind == Reply::Kind::Failed) return fail(reply->sqlstate);
    state_.held.insert({resource, Mode::InsertsKey});
    return true;
  }

  bool enter_keys(const RowName& row, const Values& values) {
    if (!enter_key(row, 0, values[id])) return false;
    return !is_unique(row.table) || enter_key(row, 1, values[b]);
  }

  bool is_unique(Table table) const {
    return table == Table::T && world_.application.has_unique;
  }

  void write_key(Table table, int index, Number key) {
    if (!key) return;
    state_.held.insert({key_resource(table, index, *key), Mode::WritesKey});
  }

  // The keys of a version that is changed or deleted.
  void write_keys(Table table, const Values& values) {
    write_key(table, 0, values[id]);
    if (is_unique(table)) write_key(table, 1, values[b]);
  }

  // --- expressions ---

  Number value_of(const Expression& expression, const Values* row, const Rows& view) {
    switch (expression.kind) {
      case Expression::Kind::Constant:
        return expression.constant;
      case Expression::Kind::Column:
        return (*row)[static_cast<std::size_t>(expression.column)];
      case Expression::Kind::Variable:
        return x_;
      case Expression::Kind::Plus: {
        const Number left = value_of(expression.parts[0], row, view);
        const Number right = value_of(expression.parts[1], row, view);
        return left && right ? Number(*left + *right) : Number();
      }
      case Expression::Kind::Aggregate:
        return value_of(*expression.query, view);
    }
    return {};
  }

  int value_of(const Query& query, const Rows& view) {
    int out = 0;
    for (const RowName& row : found(query.table, query.where, view)) {
      const Values& values = view.at(row).values;
      if (!query.is_sum)
        ++out;
      else if (values[id] && values[1])
        out += *values[id] * 10 + *values[1];
    }
    return out;
  }

  // Is it true, and not merely unknown?
  bool matches(const Condition& where, const Values& row, const Rows& view) {
    return std::all_of(where.begin(), where.end(), [&](const Comparison& comparison) {
      const Number left = value_of(comparison.left, &row, view);
      if (comparison.kind == Comparison::Kind::IsNull) return !left.has_value();
      const Number right = value_of(comparison.right, &row, view);
      if (!left || !right) return false;
      switch (comparison.kind) {
        case Comparison::Kind::Equal:
          return *left == *right;
        case Comparison::Kind::Different:
          return *left != *right;
        case Comparison::Kind::Less:
          return *left < *right;
        case Comparison::Kind::Greater:
          return *left > *right;
        case Comparison::Kind::IsNull:
          break;
      }
      return false;
    });
  }

  // In the order of the heap.
  std::vector<RowName> found(Table table, const Condition& where, const Rows& view) {
    std::vector<RowName> out;
    for (const auto& [row, version] : view)
      if (row.table == table && matches(where, version.values, view)) out.push_back(row);
    std::stable_sort(out.begin(), out.end(),
                     [&](const RowName& left, const RowName& right) {
                       return place(view.at(left)) < place(view.at(right));
                     });
    return out;
  }

  std::ptrdiff_t place(const Version& version) const {
    if (version.written.transaction == nobody) return version.written.number - 1'000;
    return std::find(world_.heap.begin(), world_.heap.end(), version.written) -
           world_.heap.begin();
  }

  // --- what SERIALIZABLE remembers ---

  void look(const Expression& expression) {
    for (const Expression& part : expression.parts)
      look(part);
    if (expression.query) look(expression.query->table, expression.query->where);
  }

  void look(Table table, const Condition& where) {
    state_.looked.emplace(table, key_of(where));
    for (const Comparison& comparison : where) {
      look(comparison.left);
      look(comparison.right);
    }
  }

  // --- statements ---

  bool all_statements() {
    for (const Statement& statement : transaction_.statements) {
      if (statement.minimum && !(x_ > *statement.minimum)) continue;
      if (!one_statement(statement)) return false;
    }
    return true;
  }

  bool one_statement(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::Select:
        return select(statement);
      case Statement::Kind::Lock:
        return select_for_update(statement);
      case Statement::Kind::Insert:
        return insert(statement);
      case Statement::Kind::Update:
        return update(statement);
      case Statement::Kind::Delete:
        return erase(statement);
      case Statement::Kind::Advisory:
        return advisory(statement);
      case Statement::Kind::GiveUp:
        state_.next = {.kind = Request::Kind::GiveUp};
        return false;
    }
    return false;
  }

  bool select(const Statement& statement) {
    Rows view;
    if (!take_snapshot(view)) return false;
    look(statement.table, statement.where);
    x_ = value_of(
        {.table = statement.table, .where = statement.where, .is_sum = statement.is_sum},
        view);
    state_.told.push_back(fmt::format("1 ({})", x_));
    return true;
  }

  // Locks a row and looks at it a second time; without a value if it does not match.
  bool lock_again(const Statement& statement, const RowName& row, Mode mode,
                  const Rows& view, std::optional<Version>& newest) {
    const Version& old = view.at(row);
    if (!lock(row, mode, old, statement.patience, newest)) return false;
    if (!newest) return true;
    if (mode == Mode::KeyShare && newest->key_written == old.key_written) newest = old;
    if (newest->written != old.written && !matches(statement.where, newest->values, view))
      newest.reset();
    return true;
  }

  bool select_for_update(const Statement& statement) {
    x_ = 0;
    Rows view;
    if (!take_snapshot(view)) return false;
    look(statement.table, statement.where);
    auto rows = found(statement.table, statement.where, view);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const RowName& left, const RowName& right) {
                       return view.at(left).values[id] < view.at(right).values[id];
                     });
    const auto mode = static_cast<Mode>(statement.lock);
    std::string told;
    int count = 0;
    int sum = 0;
    for (const RowName& row : rows) {
      std::optional<Version> newest;
      if (!lock_again(statement, row, mode, view, newest)) return false;
      if (!newest) continue;
      if (mode == Mode::Update) strongly_.insert(row);
      const Values& values = newest->values;
      told += fmt::format(" ({}, {}, {})", text_of(values[0]), text_of(values[1]),
                          text_of(values[2]));
      sum += values[1].value_or(7);
      ++count;
      if (statement.only_first) break;
    }
    x_ = sum;
    state_.told.push_back(std::to_string(count) + told);
    return true;
  }

  bool insert(const Statement& statement) {
    Rows view;
    if (!take_snapshot(view)) return false;
    Values values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      look(statement.values[i]);
      values[i] = value_of(statement.values[i], nullptr, view);
    }
    if (!values[id]) return fail("23502");
    const Mark mark = next_mark();
    if (ask({.kind = Request::Kind::Insert, .mark = mark}) == nullptr) return false;
    const RowName row{.table = statement.table, .made = mark};
    if (!enter_keys(row, values)) return false;
    state_.own[row] = Version{.written = mark, .key_written = mark, .values = values};
    if (refers(statement.table) && !check_parent(values[b])) return false;
    state_.told.emplace_back("1");
    return true;
  }

  Mark next_mark() { return {.transaction = number_, .number = marks_++}; }

  bool changes_key(Table table, const Values& before, const Values& after) const {
    return before[id] != after[id] || (is_unique(table) && before[b] != after[b]);
  }

  Values changed(const Statement& statement, const Values& row, const Rows& view) {
    Values out = row;
    out[static_cast<std::size_t>(statement.column)] = value_of(statement.value, &row, view);
    return out;
  }

  // The lock by which a row is changed depends on what becomes of it.
  bool lock_to_change(const Statement& statement, const RowName& row, const Rows& view,
                      std::optional<Version>& newest) {
    const Values& old = view.at(row).values;
    Mode mode = changes_key(row.table, old, changed(statement, old, view))
                    ? Mode::Update
                    : Mode::NoKeyUpdate;
    if (!lock_again(statement, row, mode, view, newest)) return false;
    if (!newest || mode == Mode::Update) return true;
    const Values& now = newest->values;
    if (!changes_key(row.table, now, changed(statement, now, view))) return true;
    const Version seen = *newest;
    return lock(row, Mode::Update, seen, Patience::Waits, newest);
  }

  bool update(const Statement& statement) {
    Rows view;
    if (!take_snapshot(view)) return false;
    look(statement.table, statement.where);
    look(statement.value);
    int count = 0;
    std::vector<std::pair<Version, Values>> done;
    for (const RowName& row : found(statement.table, statement.where, view)) {
      std::optional<Version> newest;
      if (!lock_to_change(statement, row, view, newest)) return false;
      if (!newest) continue;
      const Values after = changed(statement, newest->values, view);
      if (!after[id]) return fail("23502");
      if (!replace(row, *newest, after)) return false;
      done.emplace_back(*newest, after);
      ++count;
    }
    if (!check_changed(statement.table, done)) return false;
    state_.told.push_back(std::to_string(count));
    return true;
  }

  bool replace(const RowName& row, const Version& before, const Values& after) {
    const bool is_new_key = changes_key(row.table, before.values, after);
    const bool is_strong = is_new_key || strongly_.contains(row);
    const Mark mark = next_mark();
    write_keys(row.table, before.values);
    state_.own[row] = Version{.written = mark,
                              .key_written = is_strong ? mark : before.key_written,
                              .values = after};
    if (ask({.kind = Request::Kind::Write, .mark = mark}) == nullptr) return false;
    return !is_new_key || enter_keys(row, after);
  }

  bool erase(const Statement& statement) {
    Rows view;
    if (!take_snapshot(view)) return false;
    look(statement.table, statement.where);
    int count = 0;
    std::vector<Number> gone;
    for (const RowName& row : found(statement.table, statement.where, view)) {
      std::optional<Version> newest;
      if (!lock_again(statement, row, Mode::Update, view, newest)) return false;
      if (!newest) continue;
      write_keys(row.table, newest->values);
      state_.own[row] = std::nullopt;
      gone.push_back(newest->values[id]);
      ++count;
    }
    for (const Number& key : gone)
      if (is_parent(statement.table) && !check_children(key)) return false;
    state_.told.push_back(std::to_string(count));
    return true;
  }

  bool advisory(const Statement& statement) {
    Rows view;
    if (!is_at_read_committed() && !take_snapshot(view)) return false;
    const Resource resource{.kind = Resource::Kind::Advice, .number = statement.number};
    const Mode mode = statement.is_shared ? Mode::SharedAdvice : Mode::Advice;
    if (ask({.kind = Request::Kind::Lock, .wanted = {{resource, mode}}}) == nullptr)
      return false;
    state_.held.insert({resource, mode});
    state_.told.emplace_back("1 (NULL)");
    return true;
  }

  // --- foreign keys: statements behind the statement ---

  bool refers(Table table) const {
    return table == Table::C && world_.application.has_foreign_key;
  }

  bool is_parent(Table table) const {
    return table == Table::T && world_.application.has_foreign_key;
  }

  bool check_parent(Number key) {
    if (!key) return true;
    Rows view;
    if (!take_snapshot(view)) return false;
    const auto parent = std::find_if(view.begin(), view.end(), [&](const auto& entry) {
      return entry.first.table == Table::T && entry.second.values[id] == key;
    });
    if (parent == view.end()) {
      // An old snapshot is asked when it is, not when it was taken.
      const bool is_old = !is_at_read_committed();
      state_.next = {
          .kind = Request::Kind::Fail, .sqlstate = "23503", .can_be_later = is_old};
      return false;
    }
    std::optional<Version> newest;
    if (!lock(parent->first, Mode::KeyShare, parent->second, Patience::Waits, newest))
      return false;
    if (!newest || newest->values[id] != key) return fail("23503");
    return true;
  }

  // Another row may have the key by now; this one then needs no parent of that name.
  bool check_children(Number key) {
    Rows view;
    if (!take_snapshot(view, true)) return false;
    const auto other = std::find_if(view.begin(), view.end(), [&](const auto& entry) {
      return entry.first.table == Table::T && entry.second.values[id] == key;
    });
    if (other != view.end()) {
      std::optional<Version> newest;
      if (!lock(other->first, Mode::KeyShare, other->second, Patience::Waits, newest))
        return false;
      if (newest && newest->values[id] == key) return true;
    }
    if (!take_snapshot(view, true)) return false;
    std::vector<RowName> children;
    for (const auto& [row, version] : view)
      if (row.table == Table::C && version.values[b] == key) children.push_back(row);
    std::stable_sort(children.begin(), children.end(),
                     [&](const RowName& left, const RowName& right) {
                       return place(view.at(left)) < place(view.at(right));
                     });
    for (const RowName& row : children) {
      std::optional<Version> newest;
      const Version& old = view.at(row);
      if (!lock(row, Mode::KeyShare, old, Patience::Waits, newest)) return false;
      if (newest && newest->key_written == old.key_written) newest = old;
      if (newest && newest->values[b] == key) return fail("23503");
    }
    return true;
  }

  bool check_changed(Table table, const std::vector<std::pair<Version, Values>>& done) {
    for (const auto& [before, after] : done) {
      // A row of one's own is checked again, whatever changed in it.
      const bool is_new =
          before.values[b] != after[b] || before.written.transaction == number_;
      if (refers(table) && is_new && !check_parent(after[b])) return false;
      if (is_parent(table) && before.values[id] != after[id] &&
          !check_children(before.values[id]))
        return false;
    }
    return true;
  }

  const World& world_;
  const Transaction& transaction_;
  int number_;
  const std::vector<Reply>& replies_;
  State state_;
  std::size_t asked_ = 0;
  std::optional<std::size_t> snapshot_;
  std::set<RowName> strongly_;  // locked FOR UPDATE
  int x_ = 0;
  int marks_ = 0;
};

}  // namespace

bool conflict(Mode one, Mode other) {
  const auto pair = std::minmax(one, other);
  switch (pair.first) {
    case Mode::KeyShare:
      return pair.second == Mode::Update;
    case Mode::Share:
      return pair.second == Mode::NoKeyUpdate || pair.second == Mode::Update;
    case Mode::NoKeyUpdate:
    case Mode::Update:
      return pair.second == Mode::NoKeyUpdate || pair.second == Mode::Update;
    case Mode::InsertsKey:
      return pair.second == Mode::InsertsKey || pair.second == Mode::WritesKey;
    case Mode::WritesKey:
      return false;  // the rows are locked
    case Mode::SharedAdvice:
    case Mode::Advice:
      return pair.second == Mode::Advice;
  }
  return false;
}

bool has_key(const Rows& rows, Table table, int index, int key) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto& entry) {
    return entry.first.table == table && entry.second.values[index == 0 ? id : b] == key;
  });
}

Rows with_writes(Rows rows, const std::map<RowName, std::optional<Version>>& own) {
  for (const auto& [row, version] : own)
    if (version)
      rows[row] = *version;
    else
      rows.erase(row);
  return rows;
}

State state_after(const World& world, const Transaction& transaction, int number,
                  const std::vector<Reply>& replies) {
  return Execution(world, transaction, number, replies).run();
}

}  // namespace isomer::positions
