// SPDX-License-Identifier: MIT
// Subqueries of FROM that only join and filter, and compute columns, are taken apart: their
// tables come to stand where they stood, their conditions go to the WHERE, and their
// columns become what they compute.  What is left of a WITH that nobody names goes.
#include <algorithm>
#include <array>
#include <functional>

#include "program/machine/references.h"
#include "program/sql/analysis.h"
#include "program/sql/rewrite.h"

namespace isomer::program {
namespace {

// --- one source of a FROM ---

struct Taken {
  std::uint32_t place = 0;  // where it stands among the sources
  const Select& query;
  std::vector<ExpressionPtr> columns{};  // over the sources around it

  Taken(std::uint32_t at, const Select& of) : place(at), query(of) {
    for (const ExpressionPtr& column : of.columns)
      columns.push_back(moved(column));
  }

  // Of the query: its sources stand further right now, and what is around it is nearer.
  [[nodiscard]] ExpressionPtr moved(const ExpressionPtr& expression) const {
    return rewritten(expression,
                     [&](const Expression& leaf, std::uint32_t depth) -> ExpressionPtr {
                       if (leaf.kind != Expression::Kind::Column || leaf.outer < depth)
                         return nullptr;
                       Expression out = leaf;
                       if (leaf.outer == depth)
                         out.source.index += place;
                       else
                         --out.outer;
                       return make(std::move(out));
                     });
  }

  // Of the statement around it.
  [[nodiscard]] ExpressionPtr replaced(const ExpressionPtr& expression) const {
    return rewritten(
        expression, [&](const Expression& leaf, std::uint32_t depth) -> ExpressionPtr {
          if (leaf.kind != Expression::Kind::Column || leaf.outer != depth ||
              leaf.source.index < place)
            return nullptr;
          if (leaf.source.index == place)
            return deepened(columns[leaf.column.index], depth);
          Expression out = leaf;
          out.source.index += static_cast<std::uint32_t>(query.from.size()) - 1;
          return make(std::move(out));
        });
  }
};

std::string free_alias(const std::vector<Source>& from, const std::string& wanted) {
  std::string out = wanted;
  const auto is_taken = [&] {
    return std::any_of(from.begin(), from.end(),
                       [&](const Source& source) { return source.alias == out; });
  };
  for (int i = 1; is_taken(); ++i)
    out = wanted + "_" + std::to_string(i);
  return out;
}

// The source at a place of the FROM gives way to those of its query; `first` is how many
// stand before the FROM.
Taken take_apart(std::vector<Source>& from, std::size_t at, const Select& query,
                 std::uint32_t first) {
  Taken taken(first + static_cast<std::uint32_t>(at), query);
  const Source source = from[at];
  from.erase(from.begin() + static_cast<std::ptrdiff_t>(at));
  std::vector<Source> inner = query.from;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    inner[i].left_join_on = taken.moved(inner[i].left_join_on);
    inner[i].alias = free_alias(
        from, inner.size() == 1 ? source.alias : source.alias + "_" + inner[i].alias);
    if (source.lock != Lock::None)
      add_lock(inner[i], source.lock, source.lock_wait, source.lock_at);
    from.insert(from.begin() + static_cast<std::ptrdiff_t>(at + i), inner[i]);
  }
  return taken;
}

std::optional<std::size_t> first_simple(const std::vector<Source>& from) {
  for (std::size_t i = 0; i < from.size(); ++i)
    if (can_be_inlined(from[i])) return i;
  return std::nullopt;
}

ExpressionPtr both(ExpressionPtr a, ExpressionPtr b) {
  std::vector<ExpressionPtr> out;
  for (ExpressionPtr& part : std::array{std::move(a), std::move(b)})
    if (part) out.push_back(std::move(part));
  return conjunction(std::move(out));
}

// The operands of a conjunction.
std::vector<ExpressionPtr> parts_of(const ExpressionPtr& condition) {
  if (!condition) return {};
  const bool is_and =
      condition->kind == Expression::Kind::Call && condition->function == Function::And;
  return is_and ? condition->arguments : std::vector{condition};
}

void replace(const Taken& taken, std::vector<ExpressionPtr>& list) {
  for (ExpressionPtr& e : list)
    e = taken.replaced(e);
}

// --- what is left of the WITH ---

class NameSearch {
 public:
  explicit NameSearch(const std::string& name) : name_(name) {}

  template <class Of>
  bool finds_in(const Of& statement) {
    look_at(statement);
    return found_;
  }

  void look_at(const std::vector<Source>& from) {
    for (const Source& source : from) {
      found_ |= source.common == name_;
      if (source.common.empty() && source.rows) look_at(*source.rows);
      if (source.left_join_on) look_at(*source.left_join_on);
    }
  }

  void look_at(const std::vector<CommonTable>& with) {
    for (const CommonTable& common : with)
      if (common.rows) look_at(*common.rows);  // otherwise it was refused
  }

 private:
  void look_at(const Expression& e) {
    if (e.query) look_at(*e.query);
    if (e.change) look_at_change(*e.change);
    for (const ExpressionPtr& part : e.arguments)
      if (part) look_at(*part);
  }

  void look_at(const ExpressionPtr& e) {
    if (e) look_at(*e);
  }

  void look_at(const Select& query) {
    look_at(query.from);
    visit_parts(query, [&](const Expression& part) { look_at(part); });
  }

  template <class Change>
    requires std::is_same_v<Change, Update> || std::is_same_v<Change, Delete>
  void look_at(const Change& change) {
    look_at(change.with);
    look_at(change.from);
    look_at(change.where);
    look_at(change.returning);
    if constexpr (std::is_same_v<Change, Update>) look_at(change.assignments);
  }

  void look_at(const std::vector<ExpressionPtr>& list) {
    for (const ExpressionPtr& e : list)
      look_at(e);
  }

  void look_at(const std::vector<Assignment>& assignments) {
    for (const Assignment& assignment : assignments)
      look_at(assignment.value);
  }

  void look_at(const Insert& insert) {
    look_at(insert.with);
    if (insert.query) look_at(*insert.query);
    for (const auto& row : insert.rows)
      look_at(row);
    look_at(insert.updates);
    look_at(insert.update_where);
    look_at(insert.returning);
  }

  void look_at(const Merge& merge) {
    look_at(merge.with);
    look_at(merge.from);
    look_at(merge.where);
    for (const Merge::When& when : merge.whens) {
      look_at(when.condition);
      look_at(when.assignments);
      look_at(when.values);
    }
  }

  void look_at_change(const Statement& s) {
    if (s.insert) look_at(*s.insert);
    if (s.update) look_at(*s.update);
    if (s.erase) look_at(*s.erase);
  }

  const std::string& name_;
  bool found_ = false;
};

template <class Of>
void drop_from(Of& statement) {
  for (std::size_t i = statement.with.size(); i-- > 0;) {
    const CommonTable& common = statement.with[i];
    if (!common.rows) continue;
    const bool is_change = common.rows->rows_of == Expression::RowsOf::Change;
    if (!is_change && !NameSearch(common.name).finds_in(statement))
      statement.with.erase(statement.with.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

void drop_unnamed(Insert& insert) {
  drop_from(insert);
}

void drop_unnamed(Update& update) {
  drop_from(update);
}

void drop_unnamed(Delete& erase) {
  drop_from(erase);
}

void drop_unnamed(Merge& merge) {
  drop_from(merge);
}

bool can_be_inlined(const Source& source) {
  if (!source.rows || !source.rows->query || source.left_join_on) return false;
  const Select& query = *source.rows->query;
  return !query.from.empty() && query.with.empty() && !query.is_distinct &&
         !is_grouped(query) && query.order.empty() && !query.limit && !query.offset &&
         !locks_rows(query);
}

namespace {

// A condition on a query that locks rows, and that does not cut them off, is one of this
// query: what does not satisfy it is not locked.  The server pushes it down, too.
void push_conditions(std::vector<Source>& from, const ExpressionPtr& where,
                     std::uint32_t first) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    Source& source = from[i];
    const std::uint32_t place = first + static_cast<std::uint32_t>(i);
    if (!source.rows || !source.rows->query || !source.common.empty() ||
        source.left_join_on)
      continue;
    Select query = *source.rows->query;
    if (!locks_rows(query) || query.limit || query.offset) continue;
    const auto inside = [&](const Expression& leaf, std::uint32_t depth) -> ExpressionPtr {
      if (leaf.kind != Expression::Kind::Column || leaf.outer < depth) return nullptr;
      if (leaf.outer == depth) return query.columns[leaf.column.index];
      Expression out = leaf;
      ++out.outer;
      return make(std::move(out));
    };
    for (const ExpressionPtr& part : parts_of(where)) {
      bool is_its_own = !contains_query(*part);
      visit_columns(*part, 0, [&](const Expression& column) {
        is_its_own &= column.source.index == place;
      });
      if (is_its_own) query.where = both(query.where, rewritten(part, inside));
    }
    Expression rows = *source.rows;
    rows.query = std::make_shared<const Select>(std::move(query));
    source.rows = make(std::move(rows));
  }
}

}  // namespace

void inline_simple_sources(Select& select) {
  while (const auto at = first_simple(select.from)) {
    const SelectPtr query = select.from[*at].rows->query;
    const Taken taken = take_apart(select.from, *at, *query, 0);
    for (std::size_t i = *at + query->from.size(); i < select.from.size(); ++i)
      select.from[i].left_join_on = taken.replaced(select.from[i].left_join_on);
    select.where = both(taken.replaced(select.where), taken.moved(query->where));
    replace(taken, select.columns);
    replace(taken, select.group_by);
    select.having = taken.replaced(select.having);
    for (OrderKey& key : select.order)
      key.by = taken.replaced(key.by);
  }
  push_conditions(select.from, select.where, 0);
  drop_from(select);
}

namespace {

template <class Change>
void inline_sources_of(Change& change, const std::function<void(const Taken&)>& act) {
  while (const auto at = first_simple(change.from)) {
    const SelectPtr query = change.from[*at].rows->query;
    const bool is_behind = change.target <= *at;
    const Taken taken = take_apart(change.from, *at, *query, is_behind ? 1 : 0);
    for (std::size_t i = *at + query->from.size(); i < change.from.size(); ++i)
      change.from[i].left_join_on = taken.replaced(change.from[i].left_join_on);
    if (!is_behind) change.target += static_cast<std::uint32_t>(query->from.size()) - 1;
    change.where = both(taken.replaced(change.where), taken.moved(query->where));
    replace(taken, change.returning);
    act(taken);
  }
  push_conditions(change.from, change.where, change.target == 0 ? 1 : 0);
}

}  // namespace

void inline_simple_sources(Update& update) {
  inline_sources_of(update, [&](const Taken& taken) {
    for (Assignment& assignment : update.assignments)
      assignment.value = taken.replaced(assignment.value);
  });
}

void inline_simple_sources(Delete& erase) {
  inline_sources_of(erase, [](const Taken&) {});
}

}  // namespace isomer::program
