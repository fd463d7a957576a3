// SPDX-License-Identifier: MIT
#include "audit/statements/noticed.h"

#include <algorithm>
#include <array>
#include <vector>

#include "audit/statements/changes.h"

namespace isomer::audit {
namespace {

using program::Block;
using program::Expression;
using program::ExpressionPtr;
using program::Function;
using program::Select;
using program::Statement;
using program::TypeKind;

// --- what may fail ---

// Functions that give a value or null whatever they are given.  Arithmetic is not among
// them: it may overflow, or divide by zero.
constexpr std::array total_functions{Function::And,           Function::Or,
                                     Function::Not,           Function::IsNull,
                                     Function::Equal,         Function::NotEqual,
                                     Function::Less,          Function::LessEqual,
                                     Function::Greater,       Function::GreaterEqual,
                                     Function::IsDistinct,    Function::Coalesce,
                                     Function::NullIf,        Function::Greatest,
                                     Function::Least,         Function::Length,
                                     Function::Lower,         Function::Upper,
                                     Function::StartsWith,    Function::EndsWith,
                                     Function::Element,       Function::ArrayAppend,
                                     Function::ArrayPrepend,  Function::ArrayConcat,
                                     Function::ArrayRemove,   Function::ArrayPosition,
                                     Function::ArrayLength,   Function::Cardinality,
                                     Function::ArrayContains, Function::ArrayOverlaps,
                                     Function::MakeList};

bool is_total(Function function) {
  return std::find(total_functions.begin(), total_functions.end(), function) !=
         total_functions.end();
}

// The place among the integers, the smallest first; none for other types.
int integer_size(TypeKind kind) {
  if (kind == TypeKind::Int2) return 1;
  if (kind == TypeKind::Int4) return 2;
  return kind == TypeKind::Int8 ? 3 : 0;
}

// Every value of the one is one of the other.
bool always_converts(const program::Type& from, const program::Type& to) {
  const int size = integer_size(from.kind);
  if (size > 0 && size <= integer_size(to.kind)) return true;
  if (from.kind != to.kind || from.kind == TypeKind::Record) return false;
  if (from.kind == TypeKind::Array && from.element != to.element) return false;
  if (to.precision && (from.precision != to.precision || from.scale != to.scale))
    return false;
  return !to.length_max || (from.length_max && *from.length_max <= *to.length_max);
}

bool may_fail(const Select& query);

bool may_fail(const Expression& e) {
  const auto parts_may_fail = [&] {
    return std::any_of(e.arguments.begin(), e.arguments.end(),
                       [](const ExpressionPtr& part) { return may_fail(*part); });
  };
  switch (e.kind) {
    case Expression::Kind::Constant:
    case Expression::Kind::Variable:
    case Expression::Kind::Column:
    case Expression::Kind::Found:
    case Expression::Kind::RowCount:
      return false;
    case Expression::Kind::Call:
      return !is_total(e.function) || parts_may_fail();
    case Expression::Kind::Case:
    case Expression::Kind::InList:
    case Expression::Kind::AnyElement:
    case Expression::Kind::AllElements:
      return parts_may_fail();
    case Expression::Kind::Cast:
      return !always_converts(e.arguments[0]->type, e.type) || parts_may_fail();
    case Expression::Kind::Exists:
    case Expression::Kind::InQuery:
    case Expression::Kind::ArrayQuery:
      return may_fail(*e.query) || parts_may_fail();
    case Expression::Kind::Aggregate:
      return e.aggregator == Expression::Aggregator::Sum ||
             e.aggregator == Expression::Aggregator::Avg || parts_may_fail();
    case Expression::Kind::Scalar:  // of more than one row
    case Expression::Kind::FinalLocal:
    case Expression::Kind::Symbol:
    case Expression::Kind::Rows:
      return true;
  }
  return true;
}

bool may_fail(const ExpressionPtr& expression) {
  return expression && may_fail(*expression);
}

// A negative number of rows is a mistake.
bool is_row_count(const ExpressionPtr& limit) {
  if (!limit) return true;
  const auto* number = limit->kind == Expression::Kind::Constant
                           ? limit->value.get_if<std::int64_t>()
                           : nullptr;
  return number != nullptr && *number >= 0;
}

bool is_locking(const Select& query) {
  return std::ranges::any_of(query.from, [](const program::Source& source) {
    return source.lock != program::Lock::None;
  });
}

bool may_fail(const Select& query) {
  const auto one_may_fail = [](const ExpressionPtr& part) { return may_fail(part); };
  return is_locking(query) || may_fail(query.where) || may_fail(query.having) ||
         !is_row_count(query.limit) || !is_row_count(query.offset) ||
         std::any_of(query.columns.begin(), query.columns.end(), one_may_fail) ||
         std::any_of(query.group_by.begin(), query.group_by.end(), one_may_fail) ||
         std::any_of(query.order.begin(), query.order.end(),
                     [](const program::OrderKey& key) { return may_fail(key.by); }) ||
         std::any_of(
             query.from.begin(), query.from.end(),
             [](const program::Source& source) { return may_fail(source.left_join_on); });
}

// --- what is noticed ---

class Search {
 public:
  explicit Search(const program::TransactionType& type)
      : type_(type), is_used_(type.variables.size()) {
    for (const program::Variable& variable : type.variables)
      if (variable.initial)
        for_each_part(*variable.initial, [&](const Expression& e) { use(e); });
  }

  std::set<const Statement*> run() {
    do {
      is_changed_ = false;
      look_through(type_.body);
    } while (is_changed_);
    return std::move(unnoticed_);
  }

 private:
  // Is something in the block noticed?
  bool look_through(const Block& block) {
    bool out = false;
    for (const Statement& statement : block)
      out = look_at(statement) || out;
    return out;
  }

  bool look_at(const Statement& s) {
    const bool body_is = look_through(s.body);
    const bool otherwise_is = look_through(s.otherwise);
    if (!body_is && !otherwise_is && !is_noticed(s)) {
      unnoticed_.insert(&s);
      return false;
    }
    if (noticed_.insert(&s).second) is_changed_ = true;
    unnoticed_.erase(&s);
    for_each_expression(s, [&](const Expression& e) { use(e); });
    return true;
  }

  // Apart from what is in its blocks.
  [[nodiscard]] bool is_noticed(const Statement& s) const {
    switch (s.kind) {
      case Statement::Kind::Assign:
        return is_used_[s.variable.index] || s.field || may_fail(s.value) ||
               !always_converts(s.value->type, type_.variables[s.variable.index].type);
      case Statement::Kind::Select:
      case Statement::Kind::ForQuery:
        return uses_outcome_ || s.targets.is_strict || may_fail(*s.query) ||
               gives_what_is_used(s);
      case Statement::Kind::If:
        return may_fail(s.value);
      case Statement::Kind::SetFound:
        return uses_outcome_ || may_fail(s.value);
      default:
        return true;
    }
  }

  [[nodiscard]] bool gives_what_is_used(const Statement& s) const {
    const auto& targets = s.targets.variables;
    if (std::any_of(targets.begin(), targets.end(),
                    [&](program::VariableId id) { return is_used_[id.index]; }))
      return true;
    if (targets.empty()) return false;
    for (std::size_t i = 0; i < s.query->columns.size(); ++i) {
      const program::Variable& variable =
          type_.variables[targets[s.targets.is_record ? 0 : std::min(i, targets.size() - 1)]
                              .index];
      const bool is_known = !s.targets.is_record || i < variable.field_types.size();
      if (!is_known ||
          !always_converts(s.query->columns[i]->type,
                           s.targets.is_record ? variable.field_types[i] : variable.type))
        return true;
    }
    return false;
  }

  void use(const Expression& e) {
    if (e.kind == Expression::Kind::Variable) is_used_[e.variable.index] = true;
    if (e.kind == Expression::Kind::Found || e.kind == Expression::Kind::RowCount)
      uses_outcome_ = true;
  }

  const program::TransactionType& type_;
  std::vector<bool> is_used_;  // by variable: in a statement that is noticed
  bool uses_outcome_ = false;  // FOUND or ROW_COUNT, likewise
  std::set<const Statement*> noticed_;
  std::set<const Statement*> unnoticed_;
  bool is_changed_ = false;
};

}  // namespace

std::set<const Statement*> unnoticed_statements(const program::TransactionType& type) {
  return Search(type).run();
}

}  // namespace isomer::audit
