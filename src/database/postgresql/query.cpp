// SPDX-License-Identifier: MIT
// SELECT, and how rows are locked: rules 1 to 3, 7 and 8.
#include <algorithm>

#include <fmt/format.h>

#include "database/postgresql/row_locks.h"
#include "database/postgresql/statement.h"

namespace isomer::database::postgresql {

bool locks_rows(const program::Select& query) {
  return std::any_of(query.from.begin(), query.from.end(),
                     [](const auto& source) { return source.lock != Lock::None; });
}

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
  return reply;
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
  const program::Bounds bounds = program::bounds_of(execution_, query);
  Reply reply;
  std::size_t skipped = 0;
  for (const Tuple& tuple : found->tuples) {
    const bool is_enough = (bounds.most && reply.rows.size() >= *bounds.most) ||
                           (most && reply.rows.size() >= *most);
    if (is_enough || is_stopped()) break;
    const auto kept = locked(query, tuple);
    if (!kept) continue;
    if (skipped++ < bounds.skipped) continue;
    reply.rows.push_back(program::columns_of(execution_, query, *kept));
  }
  reply.count = static_cast<std::int64_t>(reply.rows.size());
  return reply;
}

// All sources are locked first; then, if one of them has changed, EvalPlanQual takes one
// look at the newest versions together with the old partners.
std::optional<Statement::Tuple> Statement::locked(const program::Select& query,
                                                  const Tuple& tuple) {
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
  return program::rejoined(execution_, query.from, query.where.get(), newest);
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
