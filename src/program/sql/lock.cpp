// SPDX-License-Identifier: MIT
// Locks: the FOR UPDATE clauses of a query and their kin, LOCK TABLE, and the functions of
// advisory locks.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/sql/call.h"
#include "program/sql/nodes.h"

namespace isomer::program {
namespace {

// --- FOR UPDATE and its kin ---

Lock lock_of(const SqlNode& clause) {
  const std::string& strength = clause["strength"].text();
  if (strength == "LCS_FORKEYSHARE") return Lock::KeyShare;
  if (strength == "LCS_FORSHARE") return Lock::Share;
  return strength == "LCS_FORNOKEYUPDATE" ? Lock::NoKeyUpdate : Lock::Update;
}

LockWait wait_of(const SqlNode& clause) {
  const std::string& policy = clause["waitPolicy"].text();
  if (policy == "LockWaitError") return LockWait::NoWait;
  return policy == "LockWaitSkip" ? LockWait::SkipLocked : LockWait::Wait;
}

// Of two clauses for one table the one that waits less counts: NOWAIT, then SKIP LOCKED.
LockWait shorter(LockWait a, LockWait b) {
  const auto patience = [](LockWait wait) {
    return wait == LockWait::NoWait ? 0 : wait == LockWait::SkipLocked ? 1 : 2;
  };
  return patience(b) < patience(a) ? b : a;
}

// The grammar does not tell where a clause stands: it is the next FOR behind the select
// list that is in no parentheses of its own.
class ClausePlaces {
 public:
  ClausePlaces(const Analysis& in, const SqlNode& select)
      : text_(in.text), otherwise_(in.text.whole()) {
    const SqlNode& first = select["targetList"].item(0);
    if (first.exists()) otherwise_ = text_.at(first);
    token_ = text_.token_at(
        first.exists() ? static_cast<std::size_t>(first["location"].number()) : 0);
  }

  Span next() {
    const SqlToken* end = text_.tokens().data() + text_.tokens().size();
    for (int depth = 0; token_ != nullptr && token_ != end && depth >= 0; ++token_) {
      const std::string_view word = text_.text_of(*token_);
      if (word == "(") ++depth;
      if (word == ")") --depth;
      if (depth == 0 && token_->kind == SqlToken::Kind::Word && is_keyword(word, "for"))
        return text_.at(*token_++);
    }
    return otherwise_;
  }

 private:
  const SqlText& text_;
  Span otherwise_;
  const SqlToken* token_ = nullptr;
};

struct LockClause {
  Lock strength;
  LockWait wait;
  Span at;

  void lock(Analysis& in, Source& source) const {
    if (source.rows)
      return lock_computed(in, source,
                           {.lock = strength, .lock_wait = wait, .lock_at = at});
    add_lock(source, strength, wait, at);
  }
};

void lock_named(Analysis& in, const LockClause& clause, const SqlNode& relation,
                Select& select) {
  const std::string& alias = relation["relname"].text();
  if (relation.has("schemaname"))
    return in.fail(
        relation, fmt::format("{} OF takes names without a schema", name(clause.strength)));
  std::vector<std::string> known;
  for (Source& source : select.from) {
    if (source.alias == alias && !source.common.empty())
      return in.fail(relation, fmt::format("{} cannot be applied to a WITH query",
                                           name(clause.strength)));
    if (source.alias == alias && source.rows &&
        source.rows->rows_of == Expression::RowsOf::Values)
      return in.fail(relation,
                     fmt::format("{} cannot be applied to VALUES", name(clause.strength)));
    if (source.alias == alias) return clause.lock(in, source);
    known.push_back(source.alias);
  }
  in.fail(relation, fmt::format("there is no table {} in the FROM of this {}{}", alias,
                                name(clause.strength), hint(alias, known)));
}

void check_locks(Analysis& in, const Select& select, bool is_grouped) {
  for (const Source& source : select.from) {
    if (source.lock == Lock::None) continue;
    const std::string_view what = is_grouped            ? "GROUP BY or aggregate functions"
                                  : select.is_distinct  ? "DISTINCT"
                                  : source.left_join_on ? "LEFT JOIN"
                                                        : "";
    if (what.empty()) continue;
    return in.fail(source.lock_at,
                   fmt::format("{} is not allowed with {}", name(source.lock), what));
  }
}

// --- advisory locks ---

struct AdvisoryFunction {
  std::string_view name;
  AdvisoryLock::Act act;
  bool is_shared;
  bool is_of_session;
};

using Act = AdvisoryLock::Act;

constexpr std::array advisory_functions = {
    AdvisoryFunction{"pg_advisory_lock", Act::Lock, false, true},
    AdvisoryFunction{"pg_advisory_lock_shared", Act::Lock, true, true},
    AdvisoryFunction{"pg_advisory_xact_lock", Act::Lock, false, false},
    AdvisoryFunction{"pg_advisory_xact_lock_shared", Act::Lock, true, false},
    AdvisoryFunction{"pg_try_advisory_lock", Act::TryLock, false, true},
    AdvisoryFunction{"pg_try_advisory_lock_shared", Act::TryLock, true, true},
    AdvisoryFunction{"pg_try_advisory_xact_lock", Act::TryLock, false, false},
    AdvisoryFunction{"pg_try_advisory_xact_lock_shared", Act::TryLock, true, false},
    AdvisoryFunction{"pg_advisory_unlock", Act::Unlock, false, true},
    AdvisoryFunction{"pg_advisory_unlock_shared", Act::Unlock, true, true},
    AdvisoryFunction{"pg_advisory_unlock_all", Act::UnlockAll, false, true},
};

const AdvisoryFunction* advisory_function(const SqlNode& call) {
  if (!call.is("FuncCall")) return nullptr;
  const auto& names = call["funcname"].items();
  if (names.size() == 2 && names[0].name() != "pg_catalog") return nullptr;
  for (const AdvisoryFunction& function : advisory_functions)
    if (function.name == names.back().name()) return &function;
  return nullptr;
}

// One bigint, or two integers; none for unlock_all.  Absent after a complaint.
std::optional<std::vector<ExpressionPtr>> advisory_key(Analysis& in,
                                                       const AdvisoryFunction& function,
                                                       std::vector<ExpressionPtr> key,
                                                       Span at) {
  const bool fits =
      function.act == Act::UnlockAll ? key.empty() : key.size() == 1 || key.size() == 2;
  const TypeKind of = key.size() == 2 ? TypeKind::Int4 : TypeKind::Int8;
  const auto is_fine = [&](const ExpressionPtr& part) {
    return is_untyped(*part) || is_castable(part->type.kind, of, Willing::Implicit);
  };
  if (std::any_of(key.begin(), key.end(),
                  [](const ExpressionPtr& part) { return is_broken(*part); }))
    return std::nullopt;
  if (!fits || !std::all_of(key.begin(), key.end(), is_fine)) {
    in.fail(at, function.act == Act::UnlockAll
                    ? "pg_advisory_unlock_all takes no arguments"
                    : fmt::format("{} takes one bigint or two integers", function.name));
    return std::nullopt;
  }
  for (ExpressionPtr& part : key) {
    part = coerced(in, part, type(of), Willing::Implicit);
    if (contains_query(*part)) {
      in.fail(part->at, "a subquery in the key of an advisory lock is not supported");
      return std::nullopt;
    }
  }
  return key;
}

Statement advisory_statement(const AdvisoryFunction& function,
                             std::vector<ExpressionPtr> key, Span at) {
  AdvisoryLock lock;
  lock.key = std::move(key);
  lock.act = function.act;
  lock.is_shared = function.is_shared;
  lock.is_of_session = function.is_of_session;
  Statement out;
  out.kind = Statement::Kind::AdvisoryLock;
  out.at = at;
  out.advisory = std::make_shared<const AdvisoryLock>(std::move(lock));
  return out;
}

bool gives_truth(const AdvisoryFunction& function) {
  return function.act == Act::TryLock || function.act == Act::Unlock;
}

}  // namespace

void add_lock(Source& source, Lock strength, LockWait wait, Span at) {
  if (strength > source.lock) source.lock_at = at;
  source.lock = std::max(source.lock, strength);
  source.lock_wait = shorter(source.lock_wait, wait);
}

void analyze_locks(Analysis& in, const SqlNode& node, Select& select, bool is_grouped) {
  ClausePlaces places(in, node);
  for (const SqlNode& item : node["lockingClause"].items()) {
    const LockClause clause{
        .strength = lock_of(item), .wait = wait_of(item), .at = places.next()};
    const auto& named = item["lockedRels"].items();
    for (const SqlNode& name : named)
      lock_named(in, clause, name, select);
    if (!named.empty()) continue;
    for (Source& source : select.from)
      clause.lock(in, source);
  }
  check_locks(in, select, is_grouped);
}

Statement analyze_lock_table(Analysis& in, const SqlNode& node) {
  Statement out;
  out.kind = Statement::Kind::LockTable;
  out.at = in.text.whole();
  for (const SqlNode& relation : node["relations"].items())
    if (const TableId table = table_named(in, relation); !table.is_none())
      out.tables.push_back(table);
  // PostgreSQL counts the modes from 1, in the order of TableLock.
  out.table_lock = static_cast<TableLock>(node["mode"].number() - 1);
  if (node["nowait"].truth()) out.lock_wait = LockWait::NoWait;
  return out;
}

std::optional<AnalyzedChange> analyze_advisory_select(Analysis& in, const SqlNode& select) {
  const SqlNode& targets = select["targetList"];
  const SqlNode& call = targets.item(0)["val"];
  const AdvisoryFunction* function = advisory_function(call);
  if (targets.items().size() != 1 || function == nullptr) return std::nullopt;
  for (const std::string_view clause :
       {"fromClause", "whereClause", "groupClause", "sortClause", "limitCount",
        "limitOffset", "havingClause", "distinctClause", "lockingClause"})
    if (select.has(clause)) return std::nullopt;
  const FromScope nothing{
      .outer = nullptr, .sources = {}, .no_aggregates_in = "an advisory lock"};
  std::vector<ExpressionPtr> arguments;
  for (const SqlNode& argument : call["args"].items())
    arguments.push_back(analyze_expression(in, nothing, argument));
  auto key = advisory_key(in, *function, std::move(arguments), in.text.at(call));
  AnalyzedChange out;
  if (!key) return out;
  out.statement = advisory_statement(*function, std::move(*key), in.text.whole());
  if (!gives_truth(*function)) return out;
  Expression truth;
  truth.type = type(TypeKind::Bool);
  truth.at = in.text.at(call);
  out.returning.columns.push_back(make(std::move(truth)));
  out.returning.names.emplace_back(function->name);
  return out;
}

ExpressionPtr analyze_advisory_call(Analysis& in, const FromScope& scope,
                                    const SqlNode& node,
                                    std::vector<ExpressionPtr> arguments, Span at) {
  const AdvisoryFunction* function = advisory_function(node);
  if (function == nullptr) return nullptr;
  const auto refuse = [&](std::string_view where) {
    return complaint(in, at,
                     fmt::format("{} {} is not supported; assign its value to a variable "
                                 "first",
                                 function->name, where));
  };
  if (in.call_site == nullptr || in.call_site->out == nullptr || !scope.sources.empty() ||
      scope.outer != nullptr)
    return refuse("inside a query");
  if (!in.no_calls_in.empty()) return refuse(fmt::format("inside {}", in.no_calls_in));
  auto key = advisory_key(in, *function, std::move(arguments), at);
  if (!key) return broken(at);
  Statement lock = advisory_statement(*function, std::move(*key), at);
  ExpressionPtr out = make_constant({}, type(TypeKind::Text), at);
  if (gives_truth(*function)) {
    const VariableId truth =
        in.call_site->caller.names.add_hidden(function->name, type(TypeKind::Bool), at);
    lock.targets.variables.push_back(truth);
    out = make_variable(in.call_site->caller.names, {.variable = truth, .field = {}}, at);
  }
  const VariableId found = in.call_site->caller.mentions_found
                               ? saved_found(*in.call_site, at)
                               : VariableId::none();
  in.call_site->out->push_back(std::move(lock));
  restore_found(*in.call_site, found, at);
  return out;
}

}  // namespace isomer::program
