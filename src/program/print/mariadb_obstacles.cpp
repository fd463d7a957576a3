// SPDX-License-Identifier: MIT
// What MariaDB 10.11 has no words for, or other meanings.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "program/machine/columns.h"
#include "program/machine/references.h"
#include "program/print/dialect.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

// What MariaDB's types can hold.
constexpr std::uint32_t digits_max = 65;
constexpr std::uint32_t scale_max = 30;
constexpr std::uint32_t padded_max = 255;
constexpr std::uint32_t varying_max = 16'383;
// An index holds so many bytes of a row.
constexpr std::uint32_t key_length_max = 3072;
constexpr std::uint32_t text_length_in_key = 700;  // as it is printed
constexpr std::uint32_t other_length_in_key = 30;  // of any column but texts

bool asks(const ExpressionPtr& e) {
  return e && (e->query != nullptr ||
               std::any_of(e->arguments.begin(), e->arguments.end(), asks));
}

bool asks(const std::vector<ExpressionPtr>& list) {
  return std::any_of(list.begin(), list.end(),
                     [](const ExpressionPtr& e) { return asks(e); });
}

bool is_constant(const Expression& e) {
  return e.kind == Expression::Kind::Constant;
}

bool has(const std::vector<ColumnId>& columns, ColumnId column) {
  return std::ranges::count(columns, column) != 0;
}

std::string lower_case(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return name;
}

// How many decimals its values have on both; absent: that depends on the rows.
std::optional<std::int32_t> scale_of(const Expression& e);

// The same of all of these, in every second place from the first on.
std::optional<std::int32_t> common_scale(const Expression& e, std::size_t first,
                                         std::size_t step) {
  std::optional<std::int32_t> out;
  for (std::size_t i = first; i < e.arguments.size(); i += step) {
    const auto scale = scale_of(*e.arguments[i]);
    if (!scale || (out && *out != *scale)) return std::nullopt;
    out = scale;
  }
  return out;
}

// Of CASE the results, of others all arguments.
std::optional<std::int32_t> scale_of_choice(const Expression& e) {
  if (e.kind != Expression::Kind::Case) return common_scale(e, 0, 1);
  const auto scale = common_scale(e, 1, 2);
  const bool has_else = e.arguments.size() % 2 != 0;
  return has_else && scale_of(*e.arguments.back()) != scale ? std::nullopt : scale;
}

std::optional<std::int32_t> scale_of(const Expression& e) {
  if (is_integer(e.type.kind)) return 0;
  if (e.type.kind != TypeKind::Numeric) return std::nullopt;
  using Kind = Expression::Kind;
  if (e.type.precision) return e.type.scale;
  if (e.kind == Kind::Constant) {
    const auto* number = e.value.get_if<Decimal>();
    return number == nullptr ? std::nullopt : std::optional<std::int32_t>(number->scale);
  }
  if (e.kind == Kind::Case) return scale_of_choice(e);
  const bool keeps = e.kind == Kind::Cast || e.kind == Kind::Aggregate ||
                     (e.kind == Kind::Call &&
                      (e.function == Function::NullIf || e.function == Function::Abs ||
                       e.function == Function::Negate));
  if (keeps && !e.arguments.empty()) return scale_of(*e.arguments[0]);
  if (e.kind != Kind::Call) return std::nullopt;
  switch (e.function) {
    case Function::Coalesce:
    case Function::Greatest:
    case Function::Least:
      return scale_of_choice(e);
    case Function::Ceil:
    case Function::Floor:
      return 0;
    default:
      return std::nullopt;
  }
}

class TableSearch {
 public:
  TableSearch(const Program& program, const Table& table, Obstacles& out)
      : program_(program), table_(table), out_(out) {}

  void run() {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      look_at_type(table_.columns[i]);
      for (std::size_t j = 0; j < i; ++j)
        if (lower_case(table_.columns[i].name) == lower_case(table_.columns[j].name))
          out_.add(table_.columns[i].at,
                   "expected names of columns that differ in more than upper and lower "
                   "case for MariaDB");
    }
    for (const IndexConstraint& index : table_.index_constraints)
      out_.add(index.at,
               index.is_exclusion
                   ? "expected no EXCLUDE for MariaDB, which has none"
                   : "expected keys of columns and of all rows for MariaDB, which checks "
                     "them with each row");
    if (table_.primary_key_deferral != Deferral::None)
      out_.add(table_.at, "expected no DEFERRABLE for MariaDB, which has none");
    look_at_length(table_.primary_key);
    for (const auto& columns : table_.unique)
      look_at_length(columns);
    for (const auto& columns : table_.indexes)
      look_at_length(columns);
    for (const ForeignKey& key : table_.foreign_keys) {
      look_at_length(key.columns);
      look_at(key);
    }
  }

 private:
  void look_at_type(const Column& column) {
    const Type& type = column.type;
    const std::uint32_t length = type.length_max.value_or(0);
    const bool is_too_long = length > (type.is_padded ? padded_max : varying_max);
    const bool is_exact =
        type.kind != TypeKind::Numeric ||
        (type.precision && *type.precision <= digits_max && type.scale <= scale_max);
    if (type.kind == TypeKind::Range)
      return out_.add(column.at, "expected no ranges for MariaDB, which has none");
    if (is_too_long || !is_exact || type.kind == TypeKind::Array)
      out_.add(column.at,
               fmt::format("expected another type than {} for MariaDB, which has "
                           "{}",
                           to_text(type),
                           is_too_long ? "shorter ones"
                           : is_exact  ? "no arrays"
                                       : "numeric(p, s) up to 65 digits, 30 of "
                                         "them behind the point"));
  }

  void look_at_length(const std::vector<ColumnId>& columns) {
    std::uint32_t length = 0;
    for (const ColumnId column : columns) {
      const Type& type = table_.columns[column.index].type;
      length += type.kind == TypeKind::Text
                    ? 4 * type.length_max.value_or(text_length_in_key)
                    : other_length_in_key;
      if (length > key_length_max)
        return out_.add(table_.columns[column.index].at,
                        "expected a key of at most 3072 bytes for MariaDB, 4 a character");
    }
  }

  void look_at(const ForeignKey& key) {
    if (key.deferral != Deferral::None)
      out_.add(key.at, "expected no DEFERRABLE for MariaDB, which has none");
    const auto is_one_of = [&](ReferenceAction action) {
      return key.on_delete == action || key.on_update == action;
    };
    if (is_one_of(ReferenceAction::SetDefault))
      out_.add(key.at, "expected no SET DEFAULT for MariaDB, where InnoDB has none");
    const Table& other = program_.tables[key.table.index];
    const bool follows_itself =
        &other == &table_ && (key.on_update == ReferenceAction::Cascade ||
                              key.on_update == ReferenceAction::SetNull);
    if (follows_itself)
      out_.add(key.at,
               "expected no ON UPDATE for MariaDB where a table refers to itself: InnoDB "
               "refuses such changes");
    for (std::size_t i = 0; i < key.columns.size(); ++i) {
      const Column& column = table_.columns[key.columns[i].index];
      if (!is_same(column.type, other.columns[key.referenced[i].index].type))
        out_.add(key.at, "expected a foreign key between columns of one type for MariaDB");
      if (is_one_of(ReferenceAction::SetNull) &&
          (column.is_not_null || has(table_.primary_key, key.columns[i])))
        out_.add(key.at, "expected no SET NULL for MariaDB on a column that is NOT NULL");
    }
    if (is_one_of(ReferenceAction::SetNull) || key.on_update == ReferenceAction::Cascade)
      look_at_checks(key);
  }

  // InnoDB follows foreign keys by itself, and knows no CHECK.
  void look_at_checks(const ForeignKey& key) {
    for (const Check& check : table_.checks)
      visit_columns(*check.condition, 0, [&](const Expression& e) {
        if (has(key.columns, e.column))
          out_.add(check.at,
                   "expected no CHECK for MariaDB over a column that a foreign key "
                   "changes: it is not looked at then");
      });
  }

  const Program& program_;
  const Table& table_;
  Obstacles& out_;
};

class Search {
 public:
  explicit Search(const Program& program) : program_(program), out_(program) {}

  void look_at_modes() {
    for (const TransactionType& type : program_.types)
      if (type.is_deferrable)
        out_.add(type.at, "expected no DEFERRABLE for MariaDB, which has none");
  }

  void look_at(const Table& table) { TableSearch(program_, table, out_).run(); }

  // --- statements ---

  void look_at(const Statement& s) {
    if (s.merge) return out_.add(s.at, "expected no MERGE for MariaDB, which has none");
    using Kind = Statement::Kind;
    if (s.kind == Kind::LockTable)
      out_.add(
          s.at,
          "expected no LOCK TABLE for MariaDB, where LOCK TABLES ends the transaction");
    if (s.kind == Kind::AdvisoryLock)
      out_.add(s.at,
               "expected no advisory locks for MariaDB, which has none that end with "
               "the transaction");
    if (s.kind == Kind::SetConstraints)
      out_.add(s.at, "expected no SET CONSTRAINTS for MariaDB, which has none");
    if (s.insert) look_at(s, *s.insert);
    if (s.update && !s.update->returning.empty())
      out_.add(s.at, "expected no RETURNING behind UPDATE for MariaDB, which has none");
    if (s.erase) look_at(s, *s.erase);
  }

  void look_at(const Statement& s, const Delete& erase) {
    const bool is_alone =
        erase.from.empty() &&
        erase.table.alias == program_.tables[erase.table.table.index].name;
    if (!erase.returning.empty() && !is_alone)
      out_.add(s.at,
               "expected DELETE of one table without another name beside RETURNING for "
               "MariaDB");
    refuse_queries(erase.returning, "RETURNING");
  }

  void look_at(const Statement& s, const Insert& insert) {
    using OnConflict = Insert::OnConflict;
    refuse_queries(insert.returning, "RETURNING");
    if (insert.on_conflict == OnConflict::Fail) return;
    const Table& table = program_.tables[insert.table.index];
    // There is one way to meet a row that is there, whatever key it has in common.
    if (!insert.conflict_columns.empty() && !table.unique.empty())
      out_.add(s.at, insert.on_conflict == OnConflict::Nothing
                         ? "expected ON CONFLICT without columns, or a table with one key, "
                           "for MariaDB, where any key counts"
                         : "expected a table with one key beside ON CONFLICT for MariaDB, "
                           "where any key counts");
    if (insert.on_conflict == OnConflict::Nothing) {
      if (!table.foreign_keys.empty() || !table.checks.empty())
        out_.add(
            s.at,
            "expected no DO NOTHING for MariaDB on a table with foreign keys or CHECK: "
            "INSERT IGNORE passes over their errors, too");
      if (insert.query) look_at_ignored(s, table, insert);
      return;
    }
    if (insert.query || insert.rows.size() != 1)
      out_.add(s.at,
               "expected one row beside DO UPDATE for MariaDB, which changes a row as "
               "often as it is met");
    if (insert.update_where)
      out_.add(s.at, "expected no WHERE behind DO UPDATE for MariaDB, which has none");
    for (std::size_t i = 0; i < insert.updates.size(); ++i) {
      const Assignment& assignment = insert.updates[i];
      refuse_queries({assignment.value}, "DO UPDATE");
      // One is done after the other.
      visit_columns(*assignment.value, 0, [&](const Expression& e) {
        for (std::size_t j = 0; j < i; ++j)
          if (e.source.index == 0 && e.column == insert.updates[j].column)
            out_.add(e.at,
                     "expected a column that was not set before in DO UPDATE for MariaDB, "
                     "which takes its new value");
      });
    }
  }

  // INSERT IGNORE .. SELECT changes values that do not fit.
  void look_at_ignored(const Statement& s, const Table& table, const Insert& insert) {
    for (std::size_t i = 0; i < insert.columns.size(); ++i) {
      const Column& column = table.columns[insert.columns[i].index];
      const Expression& value = *insert.query->columns[i];
      const bool fits =
          value.kind == Expression::Kind::Column && is_same(value.type, column.type);
      if (!fits || column.is_not_null || has(table.primary_key, insert.columns[i]))
        return out_.add(
            s.at,
            "expected VALUES beside DO NOTHING for MariaDB, where INSERT IGNORE "
            "changes values that do not fit");
    }
  }

  void refuse_queries(const std::vector<ExpressionPtr>& list, std::string_view place) {
    for (const ExpressionPtr& e : list)
      if (asks(e))
        out_.add(e->at, fmt::format("expected no query in {} for MariaDB", place));
  }

  // --- queries ---

  void look_at(const Select& query, QueryPlace place) {
    look_at_locks(query, place);
    const bool groups = !query.group_by.empty() ||
                        std::ranges::any_of(query.columns, [](const ExpressionPtr& e) {
                          return has_aggregate(*e);
                        });
    if (query.having && !groups)
      out_.add(query.at, "expected GROUP BY beside HAVING for MariaDB");
    if (asks({query.limit, query.offset}))
      out_.add(query.at, "expected LIMIT and OFFSET without a query for MariaDB");
    if (place == QueryPlace::In && (query.limit || query.offset))
      out_.add(query.at, "expected IN without LIMIT for MariaDB, which has no such thing");
  }

  void look_at_locks(const Select& query, QueryPlace place) {
    for (const Source& source : query.from) {
      const Source& first = query.from.front();
      if (source.lock == Lock::KeyShare || source.lock == Lock::NoKeyUpdate)
        out_.add(
            source.lock_at,
            fmt::format("expected FOR UPDATE or FOR SHARE for MariaDB, which has no {}",
                        name(source.lock)));
      if (source.lock != first.lock || source.lock_wait != first.lock_wait)
        out_.add(source.lock == Lock::None ? first.lock_at : source.lock_at,
                 "expected a lock without OF for MariaDB, which locks all tables alike");
      if (source.lock != Lock::None && place != QueryPlace::Statement)
        out_.add(source.lock_at,
                 fmt::format("expected no {} inside of a statement for MariaDB",
                             name(source.lock)));
    }
  }

  // --- expressions ---

  void look_at(const Expression& e) {
    using Kind = Expression::Kind;
    if (e.kind == Kind::Rows)
      return out_.add(e.at,
                      "expected only tables in FROM for MariaDB, of which Isomer knows no "
                      "queries there, VALUES, UNION or WITH");
    if (e.type.kind == TypeKind::Array || e.kind == Kind::AnyElement ||
        e.kind == Kind::AllElements)
      return out_.add(e.at, "expected no arrays for MariaDB, which has none");
    if (has_range(e))
      return out_.add(e.at, "expected no ranges for MariaDB, which has none");
    if (e.kind == Kind::Constant) look_at_constant(e);
    if (e.kind == Kind::Aggregate && e.aggregator == Expression::Aggregator::Avg)
      out_.add(e.at, "expected no avg for MariaDB, which rounds it otherwise");
    if (e.kind == Kind::Cast) look_at_cast(e);
    if (e.kind == Kind::Call) look_at_call(e);
    const bool chooses = e.kind == Kind::Case ||
                         (e.kind == Kind::Call && (e.function == Function::Coalesce ||
                                                   e.function == Function::Greatest ||
                                                   e.function == Function::Least));
    if (chooses && e.type.kind == TypeKind::Numeric && !scale_of_choice(e))
      out_.add(e.at,
               "expected choices with the same number of decimals for MariaDB, which shows "
               "all of them with the most");
  }

  Diagnostics take() { return out_.take(); }

 private:
  void look_at_constant(const Expression& e) {
    if (e.type.kind != TypeKind::Date && e.type.kind != TypeKind::Timestamp) return;
    const std::string text = to_text(e.value);
    const bool is_in_range = text.find('-') == 4 && text[0] != '0' && !text.ends_with("BC");
    if (!e.value.is_null() && !is_in_range)
      out_.add(e.at, "expected a year from 1000 to 9999 for MariaDB");
  }

  void refuse(const Expression& e) {
    out_.add(e.at, fmt::format("expected no {} for MariaDB, which computes it otherwise",
                               name(e.function)));
  }

  void look_at_call(const Expression& e) {
    const auto kind_of = [&](std::size_t i) { return e.arguments[i]->type.kind; };
    switch (e.function) {
      case Function::Power:
      case Function::SplitPart:
      case Function::EndsWith:
      case Function::Lower:
      case Function::Upper:
        return refuse(e);
      case Function::Divide:
        if (e.type.kind == TypeKind::Numeric) return refuse(e);
        [[fallthrough]];
      case Function::Modulo:
        if (!divides(*e.arguments[1]))
          out_.add(e.at,
                   "expected a constant other than zero as divisor for MariaDB, where "
                   "division by zero is NULL");
        return;
      case Function::Add:
      case Function::Subtract:
        return look_at_moments(e);
      case Function::Concat:
        for (std::size_t i = 0; i < e.arguments.size(); ++i)
          if (!is_plain_text(kind_of(i))) refuse(e);
        return;
      case Function::Like:
        if (ends_in_escape(*e.arguments[1]))
          out_.add(
              e.at,
              "expected something behind the last \\ of the pattern for MariaDB, which "
              "takes it for a letter");
        return;
      case Function::Substring:
        if (!is_place(*e.arguments[1], 1) ||
            (e.arguments.size() > 2 && !is_place(*e.arguments[2], 0)))
          refuse(e);
        return;
      default:
        return;
    }
  }

  // What leaves MariaDB's calendar is NULL there.
  void look_at_moments(const Expression& e) {
    constexpr std::int64_t days_max = 36'525;
    const TypeKind left = e.arguments[0]->type.kind;
    const TypeKind right = e.arguments[1]->type.kind;
    if (left == TypeKind::Timestamp || right == TypeKind::Timestamp) return refuse(e);
    if ((left == TypeKind::Date) == (right == TypeKind::Date)) return;
    const Expression& days = *e.arguments[left == TypeKind::Date ? 1 : 0];
    const auto* number = days.value.get_if<std::int64_t>();
    if (!is_constant(days) || number == nullptr || std::abs(*number) > days_max)
      out_.add(e.at,
               "expected a constant of at most a hundred years of days for MariaDB, where "
               "dates end with the year 9999");
  }

  // Types whose values both write alike.
  static bool is_plain_text(TypeKind kind) {
    return kind == TypeKind::Text || kind == TypeKind::Date || is_integer(kind);
  }

  static bool divides(const Expression& e) {
    return is_constant(e) && !e.value.is_null() && (e.value <=> Value::integer(0)) != 0;
  }

  static bool ends_in_escape(const Expression& e) {
    const auto* pattern = e.value.get_if<std::string>();
    if (!is_constant(e) || pattern == nullptr) return false;
    return (pattern->size() - (pattern->find_last_not_of('\\') + 1)) % 2 != 0;
  }

  // MariaDB counts negative places from the end.
  static bool is_place(const Expression& e, std::int64_t least) {
    const auto* number = e.value.get_if<std::int64_t>();
    return is_constant(e) && number != nullptr && *number >= least;
  }

  void look_at_cast(const Expression& e) {
    const Expression& operand = *e.arguments[0];
    const TypeKind from = operand.type.kind;
    const TypeKind to = e.type.kind;
    const bool is_moment = to == TypeKind::Date || to == TypeKind::Timestamp;
    const bool is_known =
        from == to || (is_constant(operand) && operand.value.is_null()) ||
        (is_number(from) && is_number(to)) ||
        (is_moment && (from == TypeKind::Date || from == TypeKind::Timestamp)) ||
        (to == TypeKind::Text && (is_plain_text(from) || from == TypeKind::Bool)) ||
        (to == TypeKind::Bool && is_integer(from)) ||
        (from == TypeKind::Bool && is_integer(to));
    if (!is_known)
      out_.add(e.at, fmt::format("expected no cast from {} to {} for MariaDB",
                                 to_text(operand.type), to_text(e.type)));
  }

  const Program& program_;
  Obstacles out_;
};

}  // namespace

Diagnostics mariadb_obstacles(const Program& program) {
  Search search(program);
  search.look_at_modes();
  visit_server_parts(program,
                     {.table = [&](const Table& table) { search.look_at(table); },
                      .statement = [&](const Statement& s) { search.look_at(s); },
                      .query = [&](const Select& query,
                                   QueryPlace place) { search.look_at(query, place); },
                      .expression = [&](const Expression& e) { search.look_at(e); }});
  return search.take();
}

}  // namespace isomer::program
