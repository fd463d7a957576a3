// SPDX-License-Identifier: MIT
// SELECT, and how rows are locked: rules 1 to 3, 7 and 8.
#include <algorithm>

#include <fmt/format.h>

#include "database/postgresql/row_locks.h"
#include "database/postgresql/statement.h"
#include "program/machine/references.h"

namespace isomer::database::postgresql {

std::optional<Reply> Statement::value() {
  const auto found = read_tables([&] {
    Outcome out;
    out.values.push_back(
        program::evaluate(*work_.what.expression, nullptr, execution_.context));
    out.fault = std::exchange(fault(), std::nullopt);
    return out;
  });
  if (!found) return std::nullopt;
  return Reply{.rows = {found->values}, .count = 1};
}

// A plain SELECT is one step: it waits for nobody, and sees one snapshot.
std::optional<Reply> Statement::query(const program::Select& query,
                                      std::optional<std::size_t> most) {
  if (locks_rows(query)) return locking_query(query, most);
  fetch_as_needed(query, most);
  const auto found = read_tables([&] {
    Outcome out;
    const auto rows = program::selected(execution_, query, nullptr);
    out.reply.rows = rows->rows;
    out.fault = std::exchange(fault(), std::nullopt);
    return out;
  });
  if (!found) return std::nullopt;
  Reply reply = found->reply;
  if (most && reply.rows.size() > *most) reply.rows.resize(*most);
  reply.count = static_cast<std::int64_t>(reply.rows.size());
  return finish_with() ? std::optional(std::move(reply)) : std::nullopt;
}

std::vector<TableId> Statement::locked_tables(const program::Select& query) {
  std::vector<TableId> out;
  // Which rows come first was decided by the versions that were found.
  if (query.limit || query.offset) return out;
  for (const auto& source : query.from) {
    const auto uses =
        std::count_if(query.from.begin(), query.from.end(),
                      [&](const auto& other) { return other.table == source.table; });
    if (source.lock != Lock::None && uses == 1) out.push_back(source.table);
  }
  return out;
}

// Rows are found by the snapshot and locked in the order of the result, below LIMIT: a row
// that is no result any more is replaced by the next one.
std::optional<Reply> Statement::locking_query(const program::Select& query,
                                              std::optional<std::size_t> most) {
  if (standing_.is_read_only) {
    const auto first =
        std::find_if(query.from.begin(), query.from.end(),
                     [](const auto& source) { return source.lock != Lock::None; });
    refuse_to_write(fmt::format("SELECT {}", program::name(first->lock)));
    return std::nullopt;
  }
  const auto found = read_tables([&] {
    Outcome out;
    out.tuples = found_to_lock(locked_tables(query),
                               [&] { return program::ordered_tuples(execution_, query); });
    put_in_order(state_, query.from, work_.lock_order, out.tuples);
    out.fault = std::exchange(fault(), std::nullopt);
    return out;
  });
  if (!found) return std::nullopt;
  Reply reply;
  reply.rows = locked_rows(query, found->tuples, most, nullptr);
  reply.count = static_cast<std::int64_t>(reply.rows.size());
  return finish_with() ? std::optional(std::move(reply)) : std::nullopt;
}

std::vector<std::vector<Value>> Statement::locked_rows(const program::Select& query,
                                                       const std::vector<Tuple>& tuples,
                                                       std::optional<std::size_t> most,
                                                       const program::Rows* around) {
  const program::Bounds bounds = program::bounds_of(execution_, query, around);
  std::vector<std::vector<Value>> out;
  std::size_t skipped = 0;
  for (const Tuple& tuple : tuples) {
    const bool is_enough =
        (bounds.most && out.size() >= *bounds.most) || (most && out.size() >= *most);
    if (is_enough || is_stopped()) break;
    const auto kept = locked(query, tuple, around);
    if (!kept) continue;
    if (skipped++ < bounds.skipped) continue;
    out.push_back(program::columns_of(execution_, query, *kept, around));
    if (fetched_ == &query && is_enough_(out.back())) break;
  }
  return out;
}

void Statement::fetch_as_needed(const program::Select& query,
                                std::optional<std::size_t> most) {
  const bool waits_for_all = query.from.size() != 1 || !query.from[0].rows ||
                             !query.from[0].rows->query || program::is_grouped(query) ||
                             query.is_distinct || !query.order.empty();
  if (!work_.has_inner_steps || waits_for_all) return;
  const program::Bounds bounds = program::bounds_of(execution_, query);
  if (bounds.most) most = std::min(most.value_or(*bounds.most), *bounds.most);
  if (!most) return;
  fetched_ = query.from[0].rows->query.get();
  is_enough_ = [this, &query, count = std::size_t{0},
                most = *most + bounds.skipped](const std::vector<Value>& row) mutable {
    const Tuple tuple{Value::list(row)};
    const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
    if (!query.where || program::holds(*query.where, &rows, execution_.context)) ++count;
    return count >= most;
  };
}

// All sources are locked first; then, if one of them has changed, EvalPlanQual takes one
// look at the newest versions together with the old partners.
std::optional<Statement::Tuple> Statement::locked(const program::Select& query,
                                                  const Tuple& tuple,
                                                  const program::Rows* around) {
  Tuple newest = tuple;
  bool has_changed = false;
  for (std::size_t i = 0; i < query.from.size(); ++i) {
    const program::Source& source = query.from[i];
    if (source.lock == Lock::None || tuple[i].is_null()) continue;
    const auto outcome = lock_row({.table = source.table,
                                   .place = state_.place_of(source.table, tuple[i]),
                                   .strength = source.lock,
                                   .wait = source.lock_wait,
                                   .locks_newer = true});
    if (!took(outcome)) return std::nullopt;
    if (outcome->kind != Outcome::Kind::Done && outcome->kind != Outcome::Kind::Changed)
      return std::nullopt;
    if (outcome->kind == Outcome::Kind::Done) continue;
    has_changed = true;
    newest[i] = state_.heap(source.table)[outcome->place].values;
  }
  if (!has_changed) return tuple;
  return program::rejoined(execution_, query.from, query.where.get(), newest, around);
}

// --- queries inside of the statement ---

std::optional<program::Selected> Statement::Reader::locked(const program::Select& query,
                                                           const program::Rows* around) {
  return statement_.inner_locked(query, around);
}

// The rows that it finds are of the statement's snapshot, what it gives is of the newest
// versions.  EXISTS stops at the first row.
program::Selected Statement::inner_locked(const program::Select& query,
                                          const program::Rows* around) {
  const std::size_t most_of_exists = 1;
  const std::optional<std::size_t> most =
      execution_.one_is_enough ? std::optional(most_of_exists) : std::nullopt;
  const bool is_one_enough = std::exchange(execution_.one_is_enough, false);
  const unsigned depth = std::exchange(subqueries_, 0U);
  const auto tuples = found_to_lock(locked_tables(query), [&] {
    return program::ordered_tuples(execution_, query, around);
  });
  subqueries_ = depth;
  program::Selected out;
  if (!is_stopped()) out.rows = locked_rows(query, tuples, most, around);
  execution_.one_is_enough = is_one_enough;
  execution_.context.is_waiting |= is_waiting_;
  return out;
}

Statement::OutcomePtr Statement::lock_row(Request request) {
  request.kind = Request::Kind::LockRow;
  request.finds_newest = !standing_.has_one_snapshot();
  return step(request, [&] { return act_lock_row(request); });
}

Outcome Statement::act_lock_row(const Request& request) {
  using End = RowAccess::End;
  touched.rows.push_back({.table = request.table,
                          .row = state_.heap(request.table)[request.place].row,
                          .strength = request.strength});
  const RowAccess access = access_row(state_, standing_, session_, request);
  const bool is_changed = access.end == End::Replaced || access.end == End::Deleted;
  if (is_changed && standing_.has_one_snapshot())
    return failed("40001", "could not serialize access due to concurrent update");
  if (is_changed || (access.end == End::Got && access.place != request.place))
    log_look_again(request.table, request.place);
  switch (access.end) {
    case End::Got:
      break;
    case End::Own:
      return {.kind = Outcome::Kind::Skipped};
    case End::Replaced:
    case End::Deleted:
      return {.kind = Outcome::Kind::Gone};
    case End::WouldWait:
      if (request.wait == LockWait::SkipLocked) return {.kind = Outcome::Kind::Skipped};
      return failed("55P03", fmt::format("could not obtain lock on row in relation \"{}\"",
                                         state_.table(request.table).name));
  }
  return {
      .kind = access.place == request.place ? Outcome::Kind::Done : Outcome::Kind::Changed,
      .place = access.place};
}

}  // namespace isomer::database::postgresql
